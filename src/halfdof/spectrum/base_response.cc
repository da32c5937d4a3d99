// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/forced_vibration.h>

#include <array>
#include <cmath>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

constexpr std::size_t n_parts = 3;  // loads by the stiffness, the damping and the mass of the supports

int order_of(OutputQuantity quantity) {
  switch (quantity) {
    case OutputQuantity::displacement:
      return 0;
    case OutputQuantity::rate:
      return 1;
    case OutputQuantity::acceleration:
      return 2;
    case OutputQuantity::reaction:
      break;
  }
  throw InvalidInput("The motion of a base is a displacement, a rate or an acceleration, but no reaction.");
}

template <class Engine>
void check(const AssembledSystem<Engine>& assembled, const DirectionMatrix& base, int order,
           const std::vector<double>& frequencies) {
  for (Index j = 0; j < base.n_directions(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(base.on_dofs(), j); entry; ++entry)
      throw InvalidInput("A motion of the base was prescribed for " +
                         assembled.describe(assembled.free().local()[static_cast<std::size_t>(entry.row())]) +
                         ", which is not constrained. Choose constrained degrees of freedom.");
  for (const double frequency : frequencies)
    if (order > 0 && frequency == 0)
      throw InvalidInput(
          "The base moves with a unit rate or acceleration, but at 0 Hz its displacement would not be "
          "bounded. "
          "Let the base move with a unit displacement, or begin above 0 Hz.");
}

/// Refuses supports whose motion loads no free DoF.
template <class Engine>
void check_coupled(const AssembledSystem<Engine>& assembled, const MultiVector& loads, Index n) {
  const MultiVector on_free = loads(assembled.free().local(), Eigen::all);
  Vector largest = Vector::Zero(n);
  for (Index j = 0; j < on_free.cols(); ++j)
    if (on_free.rows() > 0) largest[j % n] = std::max(largest[j % n], on_free.col(j).cwiseAbs().maxCoeff());
  assembled.dofs().communicator().sum(largest.data(), static_cast<int>(n));
  for (const double load : largest)
    if (load == 0)
      throw InvalidInput(
          "No entry of M, C or K couples the base to free degrees of freedom, so that it moves nothing. "
          "Assemble the matrices without condensing the constraints.");
}

/// Returns alpha_0 X_0 + alpha_1 X_1 + alpha_2 X_2 for the column blocks X_k of X.
template <class Matrix, class Scalar>
Matrix combined(const Matrix& X, const std::array<Scalar, n_parts>& factors) {
  const auto n = X.cols() / static_cast<Index>(n_parts);
  Matrix sum = Matrix::Zero(X.rows(), n);
  for (std::size_t k = 0; k < n_parts; ++k)
    sum += factors[k] * X.middleCols(static_cast<Index>(k) * n, n);
  return sum;
}

}  // namespace

template <class Engine>
FrequencyResponse base_response(const ReducedSystem<Engine>& reduced, const std::vector<double>& frequencies,
                                const BaseMotion& base, const std::vector<DirectedOutput>& outputs) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  const int order = order_of(base.quantity);
  const DirectionMatrix D(base.directions, assembled.dofs(), assembled.free(), assembled.constrained());
  call_together(reduced.communicator(), [&] { check(assembled, D, order, frequencies); });

  MultiVector motion = MultiVector::Zero(assembled.dofs().n_local(), D.n_directions());
  assembled.constrained().add_to(MultiVector(D.constrained()), motion);
  HarmonicLoads loads{
      MultiVector::Zero(assembled.dofs().n_local(), static_cast<Index>(n_parts) * D.n_directions())};
  Index first = 0;
  for (const typename Engine::Matrix* matrix : {&assembled.K(), &assembled.C(), &assembled.M()}) {
    MultiVector part = MultiVector::Zero(motion.rows(), motion.cols());
    matrix->add_product(-1., motion, part);
    loads.amplitudes.middleCols(first, D.n_directions()) = part;
    first += D.n_directions();
  }

  call_together(reduced.communicator(),
                [&] { check_coupled(assembled, loads.amplitudes, D.n_directions()); });

  std::vector<Direction> along;
  for (const DirectedOutput& output : outputs)
    along.push_back(output.along);
  const DirectionMatrix O(along, assembled.dofs(), assembled.free(), assembled.constrained());
  MultiVector moved = MultiVector(O.constrained()).transpose() * MultiVector(D.constrained());
  reduced.communicator().sum(moved.data(), static_cast<int>(moved.size()));

  FrequencyResponse response = frequency_response(reduced, frequencies, loads, outputs);
  std::vector<ComplexMultiVector> found_before, found_after;
  std::vector<MultiVector> found_rounding;
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Complex s(0, 2 * pi * frequencies[k]), unit = std::pow(s, -order);
    const std::array<Complex, n_parts> factors{unit, s * unit, s * s * unit};
    const std::array<double, n_parts> sizes{std::abs(factors[0]), std::abs(factors[1]), std::abs(factors[2])};
    for (ComplexMultiVector* const H : {&response.before[k], &response.after[k]}) {
      *H = combined(*H, factors);
      for (std::size_t o = 0; o < outputs.size(); ++o)
        if (outputs[o].quantity != OutputQuantity::reaction)
          H->row(static_cast<Index>(o)) += factors[static_cast<std::size_t>(order_of(outputs[o].quantity))] *
                                           moved.row(static_cast<Index>(o)).cast<Complex>();
    }
    if (response.rounding[k].size() == 0) continue;  // there is no response
    response.rounding[k] = combined(response.rounding[k], sizes);
    found_before.push_back(response.before[k]);
    found_after.push_back(response.after[k]);
    found_rounding.push_back(response.rounding[k]);
  }
  response.max_relative_difference = largest_relative_difference(found_before, found_after, found_rounding);
  return response;
}

template FrequencyResponse base_response(const ReducedSystem<InstantiatedEngine>&, const std::vector<double>&,
                                         const BaseMotion&, const std::vector<DirectedOutput>&);

}  // namespace halfdof
