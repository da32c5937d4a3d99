// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/spectrum/rounding_radius.h>
#include <halfdof/spectrum/uncertainty.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

RoundingRadius::RoundingRadius(MultiVector M, MultiVector C, MultiVector K)
    : M_(std::move(M)), C_(std::move(C)), K_(std::move(K)) {}

MultiVector RoundingRadius::terms(double modulus) const {
  return modulus * modulus * M_.cwiseAbs() + modulus * C_.cwiseAbs() + K_.cwiseAbs();
}

/// Returns S(z), infinity if P(z) is singular. P is scaled before it is factorized, so that the choice of
/// pivots does not depend on units.
double RoundingRadius::sum_at(Complex z, const std::optional<RowColumnScales>& of_all_places) const {
  const RowColumnScales scales = of_all_places ? *of_all_places : scales_at(std::abs(z));
  const MultiVector T =
      of_all_places
          ? MultiVector::Ones(K_.rows(), K_.cols())
          : MultiVector(scales.rows.asDiagonal() * terms(std::abs(z)) * scales.columns.asDiagonal());
  const ComplexMultiVector P =
      scales.rows.asDiagonal() * (z * z * M_ + z * C_ + K_) * scales.columns.asDiagonal();
  const auto n = K_.rows();
  if (!P.allFinite()) return std::numeric_limits<double>::infinity();
  try {
    const MultiVector inverse =
        solve_dense(P, ComplexMultiVector(ComplexMultiVector::Identity(n, n))).cwiseAbs();
    const double sum = inverse.transpose().cwiseProduct(T).sum();
    if (std::isfinite(sum)) return sum;
  } catch (const SingularMatrix&) {
  }
  return std::numeric_limits<double>::infinity();
}

RowColumnScales RoundingRadius::scales_at(double modulus) const {
  return equilibrating_scales(terms(modulus));
}

std::optional<double> RoundingRadius::to_first_order(Complex lambda, Index multiplicity, double farthest,
                                                     Changes changes) const {
  constexpr double beside = 0x1p-40, null = 0x1p-30, of_gap = 0x1p-20, least_rcond = 0x1p-26;
  const double modulus = std::abs(lambda) > 0 ? std::abs(lambda) : farthest;
  // For a multiple eigenvalue zero, null vectors do not show whether there is a Jordan chain.
  if (farthest < of_gap * modulus || (lambda == 0. && multiplicity > 1)) return std::nullopt;
  const RowColumnScales scales = scales_at(modulus);
  const auto scaled = [&](const auto& A) {
    return (scales.rows.asDiagonal() * A * scales.columns.asDiagonal()).eval();
  };
  const Complex z = lambda + beside * modulus * std::polar(1., 0.7);
  const ComplexMultiVector P = scaled(ComplexMultiVector(z * z * M_ + z * C_ + K_));
  const Eigen::PartialPivLU<ComplexMultiVector> lu(P);
  const auto null_vectors = [&](const auto& inverse) {
    constexpr int n_steps = 3;
    ComplexMultiVector X(K_.rows(), multiplicity);
    for (Index j = 0; j < multiplicity; ++j)
      for (Index i = 0; i < X.rows(); ++i)
        X(i, j) = std::polar(1., 0.754877666 * (i + 1) + 0.569840291 * (j + 1) * (i + 3));
    for (int step = 0; step < n_steps; ++step) {
      X = inverse.solve(X).eval();
      if (!X.allFinite()) return ComplexMultiVector();
      X = Eigen::HouseholderQR<ComplexMultiVector>(X).householderQ() *
          ComplexMultiVector::Identity(X.rows(), multiplicity);
    }
    return X;
  };
  const ComplexMultiVector X = null_vectors(lu), Y = null_vectors(lu.transpose());
  // A defective eigenvalue has fewer eigenvectors than its multiplicity: some columns of X or Y are no null
  // vectors then, and (2) is not valid.
  const auto are_null = [](const ComplexMultiVector& PX) {
    return PX.size() > 0 && PX.cwiseAbs().maxCoeff() <= null;
  };
  if (X.size() == 0 || Y.size() == 0 || !are_null(P * X) || !are_null(P.transpose() * Y)) return std::nullopt;
  const ComplexMultiVector slope = scaled(ComplexMultiVector(2. * lambda * M_ + C_));
  const Eigen::FullPivLU<ComplexMultiVector> G(Y.transpose() * slope * X);
  const double largest = (Y.cwiseAbs().transpose() * slope.cwiseAbs() * X.cwiseAbs()).maxCoeff();
  if (!(G.maxPivot() > least_rcond * largest) || !(G.rcond() > least_rcond)) return std::nullopt;
  const MultiVector T = changes == Changes::of_entries ? scaled(terms(std::abs(lambda)))
                                                       : MultiVector::Ones(K_.rows(), K_.cols());
  const MultiVector change = G.inverse().cwiseAbs() * (Y.cwiseAbs().transpose() * T * X.cwiseAbs());
  return roundoff(changes) * change.rowwise().sum().maxCoeff();
}

double RoundingRadius::roundoff(Changes changes) const {
  return changes == Changes::of_entries ? unit_roundoff : 8 * static_cast<double>(K_.rows()) * unit_roundoff;
}

double RoundingRadius::operator()(Complex lambda, Index multiplicity, double farthest,
                                  Changes changes) const {
  constexpr double step = 4, smallest = std::numeric_limits<double>::epsilon() / 16, of_gap = 1. / 16;
  if (const std::optional<double> radius = to_first_order(lambda, multiplicity, farthest, changes);
      radius && *radius <= of_gap * farthest)
    return *radius;
  const Complex directions[] = {std::polar(1., 0.7), std::polar(1., 2.9), std::polar(1., -1.8)};
  const double modulus = std::abs(lambda) > 0 ? std::abs(lambda) : farthest, u = roundoff(changes);
  const std::optional<RowColumnScales> scales =
      changes == Changes::of_all_places ? std::optional(scales_at(modulus)) : std::nullopt;
  const auto largest_sum = [&](double radius) {
    double largest = 0;
    for (const Complex direction : directions)
      largest = std::max(largest, sum_at(lambda + radius * direction, scales));
    return largest;
  };
  // Finds the first of growing radii at which (1) holds, by bisection on one ray; then the radius is
  // increased until (1) holds on all three rays.
  const auto radius_of = [&](int n_steps) { return smallest * modulus * std::pow(step, n_steps); };
  int none = -1, all = 0;
  while (radius_of(all) < farthest)
    ++all;
  const int last = all;
  while (all - none > 1) {
    const int middle = (all + none) / 2;
    (u * sum_at(lambda + radius_of(middle) * directions[0], scales) < 1 ? all : none) = middle;
  }
  while (all < last && !(u * largest_sum(radius_of(all)) < 1))
    ++all;
  const double radius = radius_of(all), between = std::sqrt(radius * farthest);
  if (between < step * radius) return std::min(radius, farthest);
  const double sum = largest_sum(between),
               power = std::max(1., std::round(std::log2(sum / largest_sum(2 * between))));
  return std::min(farthest, between * std::pow(u * sum, 1 / power));
}

}  // namespace halfdof::internal
