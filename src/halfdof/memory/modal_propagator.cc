// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/modal_propagator.h>

#include <cmath>

namespace halfdof::internal {

namespace {

/// Returns the Lagrange polynomials of the nodes in 4 t/h: each column contains the coefficients of one
/// polynomial.
const MultiVector& node_polynomials() {
  static const MultiVector coefficients = [] {
    MultiVector powers(LoadNodes::n, LoadNodes::n);
    for (Index node = 0; node < LoadNodes::n; ++node)
      for (Index k = 0; k < LoadNodes::n; ++k)
        powers(node, k) = std::pow(node, k);
    return solve_dense(powers, MultiVector::Identity(LoadNodes::n, LoadNodes::n));
  }();
  return coefficients;
}

/// Returns the responses to loads that are one at one node and zero at all other nodes, for all nodes side by
/// side.
/// @param F matrix exponential and its repeated integrals
MultiVector response_to_load_nodes(const std::vector<MultiVector>& F, const MultiVector& B_f, double step) {
  const Eigen::Index p = B_f.cols();
  MultiVector result = MultiVector::Zero(B_f.rows(), LoadNodes::n * p);
  double power = 1;  // k! (4/h)^k
  for (Index k = 0; k < LoadNodes::n; power *= (++k) * (LoadNodes::n - 1) / step)
    for (Index node = 0; node < LoadNodes::n; ++node)
      result.middleCols(node * p, p) +=
          node_polynomials()(k, node) * power * (F[static_cast<std::size_t>(k) + 1] * B_f);
  return result;
}

}  // namespace

MultiVector LoadNodes::values_of(const std::function<Vector(double)>& f, double begin, double end) {
  const Vector last = f(end);
  MultiVector values(last.size(), n);
  for (Index node = 0; node + 1 < n; ++node)
    values.col(node) = f(begin + at(node) * (end - begin));
  values.rightCols(1) = last;
  return values;
}

Vector LoadNodes::rates(const MultiVector& f, double step, double part) {
  Vector weights = Vector::Zero(n);
  for (Index k = 1; k < n; ++k)
    weights += k * std::pow((n - 1) * part, k - 1) * node_polynomials().row(k).transpose();
  return f * weights * ((n - 1) / step);
}

ModalPropagator::ModalPropagator(const ContactModes& modes, double step) : step_(step) {
  const Index n = modes.n_coordinates(), m = modes.n_contacts(), p = modes.n_loads();
  reactions_.resize(n, 2 * m);
  loads_.resize(n, LoadNodes::n * p);
  Index first = 0;
  for (const MultiVector& J : modes.J) {
    const auto size = static_cast<Index>(J.rows());
    const std::vector<MultiVector> F = exponential_integrals(J, step, p > 0 ? LoadNodes::n : 2);
    const MultiVector& E = F[0];
    if (size == 2) {
      first_of_pair_.push_back(first);
      for (const Index i : {0, 1})
        for (const Index j : {0, 1})
          exponentials_of_pairs_.push_back(E(i, j));
    } else {
      other_blocks_.push_back({first, E});
    }
    const MultiVector of_end = F[2] / step, of_start = F[1] - of_end;
    stack_columns(reactions_.middleRows(first, size), of_start * modes.B.middleRows(first, size),
                  of_end * modes.B.middleRows(first, size));
    if (p > 0)
      loads_.middleRows(first, size) = response_to_load_nodes(F, modes.B_f.middleRows(first, size), step);
    first += size;
  }
  outputs_transposed_.resize(n, 2 * m);
  stack_columns(outputs_transposed_, modes.C.transpose(), modes.rates_of(modes.C).transpose());
  const MultiVector responses = outputs_transposed_.transpose() * reactions_;
  response_ = {responses.topLeftCorner(m, m), responses.bottomLeftCorner(m, m),
               responses.topRightCorner(m, m) + modes.W_K, responses.bottomRightCorner(m, m) + modes.W_C()};
}

void ModalPropagator::propagate(Vector& x) const {
  const double* E = exponentials_of_pairs_.data();
  for (const Index first : first_of_pair_) {
    double* const at = x.data() + first;
    const double a = at[0], b = at[1];
    at[0] = E[0] * a + E[1] * b;
    at[1] = E[2] * a + E[3] * b;
    E += 4;
  }
  for (const Block& block : other_blocks_)
    x.segment(block.first, block.E.rows()) = (block.E * x.segment(block.first, block.E.rows())).eval();
}

void ModalPropagator::add_reactions(const Vector& u_a, const Vector& u_b, Vector& x) const {
  x.noalias() += reactions_.leftCols(u_a.size()) * u_a;
  x.noalias() += reactions_.rightCols(u_b.size()) * u_b;
}

void ModalPropagator::add_loads(const MultiVector& f, Vector& x) const {
  x.noalias() += loads_ * f.reshaped();
}

FreeContacts ModalPropagator::displacements_and_rates(const Vector& x) const {
  const Vector both = outputs_transposed_.transpose() * x;
  const Eigen::Index m = both.size() / 2;
  return {both.head(m), both.tail(m)};
}

}  // namespace halfdof::internal
