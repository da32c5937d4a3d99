// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/mode_shapes.h>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

using Free = FreeSystem<EigenEngine>;

ComplexVector product(const EigenMatrix& A, const ComplexVector& x) {
  ComplexVector y = ComplexVector::Zero(x.size());
  A.add_product(Complex(1), x, y);
  return y;
}

/// Finds the vectors one after the other; the factorization of the last shift is kept.
class InverseIteration {
 public:
  explicit InverseIteration(const ReducedSystem<EigenEngine>& reduced,
                            const std::vector<Complex>& eigenvalues)
      : reduced_(reduced), free_(reduced.unreduced().system()), slowest_(characteristic_rate(free_)) {
    for (const Complex value : eigenvalues)
      if (value != Complex(0)) slowest_ = std::min(slowest_, std::abs(value));
  }

  ComplexVector vector(Complex lambda, Index column) {
    // A zero has the shift 0.01 of the slowest motion. Each step divides other motions by 100.
    const bool is_zero = lambda == Complex(0);
    factorize(lambda, is_zero ? Complex(0.01 * slowest_) : 1e-11 * lambda);
    const Index n_steps = is_zero ? 10 : 5;
    ComplexVector x = pseudo_random(free_.dofs(), 1, column).col(0).cast<Complex>();
    for (Index k = 0; k < n_steps; ++k) {
      x = solve(2. * shift_ * product(free_.M(), x) + product(free_.C(), x) +
                (k == 0 ? x : ComplexVector::Zero(x.size())));
      x /= largest(x);
    }
    return x;
  }

  double residual(Complex lambda, const ComplexVector& x) const {
    const double modulus = std::abs(lambda);
    const ComplexVector rest =
        lambda * lambda * product(free_.M(), x) + lambda * product(free_.C(), x) + product(free_.K(), x);
    Vector terms = Vector::Zero(x.size()), sizes = Vector::Zero(x.size());
    const auto add = [&](const EigenMatrix& matrix, double factor) {
      const EigenMatrix::Entries& A = matrix.entries();
      for (Index j = 0; j < A.outerSize(); ++j)
        for (EigenMatrix::Entries::InnerIterator entry(A, j); entry; ++entry) {
          const double size = factor * std::abs(entry.value());
          terms[entry.row()] += size * std::abs(x[j]);
          sizes[entry.row()] = std::max(sizes[entry.row()], size);
        }
    };
    add(free_.M(), modulus * modulus);
    add(free_.C(), modulus);
    add(free_.K(), 1);
    const Vector d = sizes.unaryExpr([](double size) { return size > 0 ? std::sqrt(size) : 1; });
    const double of_terms = terms.cwiseQuotient(d).maxCoeff(),
                 of_rest = rest.cwiseAbs().cwiseQuotient(d).maxCoeff();
    return of_rest == 0 ? 0 : of_rest / of_terms;
  }

  static Complex largest(const ComplexVector& x) {
    Eigen::Index place = 0;
    x.cwiseAbs().maxCoeff(&place);
    return x[place];
  }

 private:
  void factorize(Complex lambda, Complex distance) {
    for (int k = 0;; ++k, distance *= 10) {
      try {
        if (factorized_ && lambda == lambda_) return;
        shift_ = lambda + distance;
        factorized_ = reduced_.unreduced().factorize_pencil(shift_ * shift_, shift_, Complex(1));
        lambda_ = lambda;
        return;
      } catch (const SingularMatrix&) {
        factorized_.reset();
        if (k == 4) throw;
      }
    }
  }

  ComplexVector solve(const ComplexVector& b) const { return factorized_->solve(b).col(0); }

  const ReducedSystem<EigenEngine>& reduced_;
  const Free& free_;
  double slowest_;
  FactorizationPtr<Complex> factorized_;
  Complex lambda_ = 0, shift_ = 0;
};

/// Makes x orthogonal to some columns, which are orthogonal to each other, unless nothing is left of it.
/// @return Whether something is left
bool make_orthogonal(ComplexVector& x, const ComplexMultiVector& columns, const std::vector<Index>& some) {
  ComplexVector rest = x;
  for (int pass = 0; pass < 2; ++pass)
    for (const Index j : some) {
      const auto other = columns.col(j);
      rest -= other * (other.dot(rest) / other.squaredNorm());
    }
  if (rest.norm() <= 1e-4 * x.norm()) return false;
  x = rest;
  return true;
}

}  // namespace

ModeShapes shapes_of(const ReducedSystem<EigenEngine>& reduced, const std::vector<Complex>& eigenvalues) {
  const StageTimer stage("mode shapes");
  const Free& free = reduced.unreduced().system();
  const auto k = static_cast<Index>(eigenvalues.size());
  InverseIteration iteration(reduced, eigenvalues);
  ModeShapes result;
  ComplexMultiVector x(free.dofs().n_local(), k);
  std::vector<Index> copies;  ///< earlier columns of the same eigenvalue, without repetitions
  for (Index j = 0; j < k; ++j) {
    const Complex lambda = eigenvalues[static_cast<std::size_t>(j)];
    if (!copies.empty() &&
        std::abs(lambda - eigenvalues[static_cast<std::size_t>(copies[0])]) > 1e-9 * std::abs(lambda))
      copies.clear();
    ComplexVector column = iteration.vector(lambda, j);
    if (make_orthogonal(column, x, copies))
      copies.push_back(j);
    else
      ++result.n_repeated;
    column /= InverseIteration::largest(column);
    if (lambda.imag() == 0) column.imag().setZero();
    x.col(j) = column;
    result.residuals.push_back(iteration.residual(lambda, column));
  }
  result.shapes = ComplexMultiVector::Zero(reduced.assembled().dofs().n_local(), k);
  free.add_to(x, result.shapes);
  return result;
}

namespace {

/// Returns m columns that span those of a matrix, the last one repeated if its rank is lower.
/// @param n_repeated Grows by the number of repetitions
ComplexMultiVector spanning_columns(const ComplexMultiVector& all, Index m, Index& n_repeated) {
  Eigen::ColPivHouseholderQR<ComplexMultiVector> qr;
  qr.setThreshold(1e-4);
  qr.compute(all);
  const auto rank = std::max<Index>(1, static_cast<Index>(qr.rank()));
  ComplexMultiVector columns(all.rows(), m);
  for (Index k = 0; k < m; ++k)
    columns.col(k) = all.col(qr.colsPermutation().indices()[std::min(k, rank - 1)]);
  n_repeated += std::max(0, m - rank);
  return columns;
}

/// Sets the shapes of real eigenvalues, of which the embedding has two copies each.
void set_real_shapes(const StructurallyDampedSystem<EigenEngine>& system,
                     const ReducedSystem<EigenEngine>& of_embedding, const StructurallyDampedModes& modes,
                     ModeShapes& result) {
  const auto value = [&modes](Index j) { return modes.modes[static_cast<std::size_t>(j)].mode.eigenvalue; };
  std::vector<Index> real;
  for (Index j = 0; j < static_cast<Index>(modes.modes.size()); ++j)
    if (value(j).imag() == 0) real.push_back(j);
  std::stable_sort(real.begin(), real.end(),
                   [&](Index a, Index b) { return value(a).real() < value(b).real(); });
  for (std::size_t begin = 0, end = 0; begin < real.size(); begin = end) {
    const Complex lambda = value(real[begin]);
    while (end < real.size() && std::abs(value(real[end]) - lambda) <= 1e-9 * std::abs(lambda))
      ++end;
    const auto m = static_cast<Index>(end - begin);
    const ModeShapes copies = shapes_of(of_embedding, std::vector<Complex>(2 * (end - begin), lambda));
    const ComplexMultiVector columns = spanning_columns(system.joined(copies.shapes), m, result.n_repeated);
    for (Index k = 0; k < m; ++k)
      result.shapes.col(real[begin + static_cast<std::size_t>(k)]) =
          columns.col(k) / InverseIteration::largest(columns.col(k));
  }
}

}  // namespace

ModeShapes shapes_of(const StructurallyDampedSystem<EigenEngine>& system,
                     const ReducedSystem<EigenEngine>& of_embedding, const StructurallyDampedModes& modes) {
  ModeShapes result;
  result.shapes = modes.shapes;
  set_real_shapes(system, of_embedding, modes, result);
  const InverseIteration residuals(of_embedding, {});
  const Free& free = of_embedding.unreduced().system();
  const Eigen::Index n = result.shapes.rows();
  for (Eigen::Index j = 0; j < result.shapes.cols(); ++j) {
    ComplexVector both(2 * n);
    both.head(n) = result.shapes.col(j);
    both.tail(n) = Complex(0, -1) * result.shapes.col(j);
    result.residuals.push_back(residuals.residual(modes.modes[static_cast<std::size_t>(j)].mode.eigenvalue,
                                                  free.restrict(both).col(0)));
  }
  return result;
}

}  // namespace halfdof::internal
