// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/uncertainty.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Returns (M^T v + C^T x; C^T x; M^T x) at the states, for v and x on the free DoFs and symmetric M and C.
template <class Engine>
ComplexMultiVector left_from_right(const ReducedSystem<Engine>& reduced, const ComplexMultiVector& states) {
  const FreeSystem<Engine>& system = reduced.free();
  const Selection& I = reduced.classification().inertial();
  const ComplexMultiVector x = free_displacements(reduced, states), v = velocity_states(reduced, states);
  ComplexMultiVector Cx = ComplexMultiVector::Zero(x.rows(), x.cols()), Mx = Cx, Mv = Cx;
  system.C().add_product(Complex(1), x, Cx);
  system.M().add_product(Complex(1), x, Mx);
  system.M().add_product(Complex(1), v, Mv);
  ComplexMultiVector left(states.rows(), states.cols());
  stack_rows(left, I.selected_rows(Mv) + I.selected_rows(Cx),
             reduced.classification().viscous().selected_rows(Cx), I.selected_rows(Mx));
  return left;
}

/// Scales each column such that its largest entry is one.
ComplexMultiVector normalized(const Communicator& communicator, ComplexMultiVector X) {
  Vector largest = Vector::Zero(X.cols());
  if (X.rows() > 0) largest = X.cwiseAbs().colwise().maxCoeff().transpose();
  communicator.max(largest.data(), static_cast<int>(largest.size()));
  return X * largest.unaryExpr([](double x) { return x > 0 ? 1 / x : 1.; }).asDiagonal();
}

/// Returns the shift of a list. If the shift is an eigenvalue, or so near to one that nearest_eigenvalues()
/// would move it, it is moved by a hundredth of the distance to the next eigenvalue. Eigenvalues at the end
/// of the list that are nearly as far from the shift as omitted ones may then be exchanged for these, and
/// their left vectors are not known.
template <class Engine>
Complex regular_shift(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest) {
  constexpr double too_near = 1e-5, part_of_next = 1e-2;
  double farthest = 0, next = std::numeric_limits<double>::infinity();
  for (const Complex value : nearest.eigenvalues)
    farthest = std::max(farthest, std::abs(value - nearest.shift));
  if (farthest == 0) return nearest.shift + TermScales<Engine>(reduced.free()).rate();
  bool is_at_eigenvalue = false;
  for (const Complex value : nearest.eigenvalues) {
    const double distance = std::abs(value - nearest.shift);
    if (distance < too_near * farthest)
      is_at_eigenvalue = true;
    else
      next = std::min(next, distance);
  }
  return is_at_eigenvalue ? nearest.shift + part_of_next * next : nearest.shift;
}

}  // namespace

template <class Engine>
ComplexMultiVector left_eigenvectors(const ReducedSystem<Engine>& reduced,
                                     const NearestEigenvalues& nearest) {
  if (reduced.free().is_symmetric()) return left_from_right(reduced, nearest.basis());
  const StageTimer stage("left vectors");
  const auto k = static_cast<Index>(nearest.eigenvalues.size());
  const Complex sigma = regular_shift(reduced, nearest);
  return sigma.imag() == 0 ? nearest_eigenpairs(transposed_shift_inverse(reduced, sigma.real()), k).vectors
                           : nearest_eigenpairs(transposed_shift_inverse(reduced, sigma), k).vectors;
}

template <class Engine>
LeftVectors left_vectors_of(const ReducedSystem<Engine>& reduced, double sigma, const ComplexMultiVector& c) {
  const auto displacements = transposed_shift_inverse(reduced, sigma).left_vectors;
  const MultiVector re = displacements(MultiVector(c.real())), im = displacements(MultiVector(c.imag()));
  LeftVectors left{re.cast<Complex>() + Complex(0, 1) * im.cast<Complex>(), {}};
  for (Eigen::Index j = 0; j < c.cols(); ++j)
    left.known.push_back(!reduced.communicator().any(!left.p.col(j).allFinite()));
  return left;
}

template <class Engine>
LeftVectors biorthogonal_left_vectors(const ReducedSystem<Engine>& reduced, double sigma,
                                      const ComplexMultiVector& Z, const ComplexMultiVector& Y) {
  constexpr double good = 1e-3;
  const Communicator& communicator = reduced.communicator();
  const ComplexMultiVector left = normalized(communicator, Z), right = normalized(communicator, Y);
  ComplexMultiVector G = left.transpose() * right;
  communicator.sum(reinterpret_cast<double*>(G.data()), static_cast<int>(2 * G.size()));
  const ComplexMultiVector one = ComplexMultiVector::Identity(G.cols(), G.cols());
  Eigen::CompleteOrthogonalDecomposition<ComplexMultiVector> transposed;
  transposed.setThreshold(std::numeric_limits<double>::min());
  transposed.compute(G.transpose());
  const ComplexMultiVector combinations = transposed.solve(one);
  const Vector error = (combinations.transpose() * G - one).cwiseAbs().rowwise().maxCoeff();
  LeftVectors result = left_vectors_of(reduced, sigma, ComplexMultiVector(left * combinations));
  for (std::size_t j = 0; j < result.known.size(); ++j)
    result.known[j] = result.known[j] && error[static_cast<Index>(j)] <= good;
  return result;
}

template <class Engine>
LeftVectors left_vectors(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest) {
  const Complex shift = regular_shift(reduced, nearest);
  const double sigma = shift.imag() == 0 ? shift.real() : std::abs(shift);
  return biorthogonal_left_vectors(reduced, sigma, left_eigenvectors(reduced, nearest), nearest.states);
}

template <class Engine>
JudgedEigenvalues judged_by_left_vectors(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales, const LeftVectors& left,
                                         const std::vector<Complex>& values,
                                         const ComplexMultiVector& states) {
  const ComplexMultiVector x = free_displacements(reduced, states);
  const TermProducts products = term_products(reduced.free(), x);
  const ComplexVector lambda =
      Eigen::Map<const ComplexVector>(values.data(), static_cast<Eigen::Index>(values.size()));
  const std::vector<bool> zeros = are_zeros(scales, lambda, left.p, x, products);
  const Vector uncertainty = uncertainties(scales, lambda, left.p, x, products);
  JudgedEigenvalues judged{values, {}};
  for (std::size_t j = 0; j < values.size(); ++j) {
    judged.uncertainties.push_back(left.known[j] ? uncertainty[static_cast<Index>(j)]
                                                 : std::numeric_limits<double>::quiet_NaN());
    if (left.known[j] && zeros[j]) judged.values[j] = 0;
  }
  return judged;
}

template ComplexMultiVector left_eigenvectors(const ReducedSystem<InstantiatedEngine>&,
                                              const NearestEigenvalues&);
template LeftVectors biorthogonal_left_vectors(const ReducedSystem<InstantiatedEngine>&, double,
                                               const ComplexMultiVector&, const ComplexMultiVector&);
template LeftVectors left_vectors(const ReducedSystem<InstantiatedEngine>&, const NearestEigenvalues&);
template LeftVectors left_vectors_of(const ReducedSystem<InstantiatedEngine>&, double,
                                     const ComplexMultiVector&);
template JudgedEigenvalues judged_by_left_vectors(const ReducedSystem<InstantiatedEngine>&,
                                                  const TermScales<InstantiatedEngine>&, const LeftVectors&,
                                                  const std::vector<Complex>&, const ComplexMultiVector&);

}  // namespace halfdof::internal
