// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/nearest_point.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr double rounding = 1e-13;               ///< rounding error of sums relative to their terms
constexpr Index max_iterations_per_unknown = 3;  ///< largest number of iterations divided by unknowns

}  // namespace

Vector nonnegative_least_squares(const MultiVector& E, const Vector& f) {
  const auto n = static_cast<Index>(E.cols());
  Vector u = Vector::Zero(n);
  std::vector<Index> passive;  // unknowns that are not held at zero
  // The number of iterations is limited, because rounding errors may make an unknown positive and zero again
  // and again.
  for (Index entered = 0; entered < max_iterations_per_unknown * n; ++entered) {
    Vector descent = E.transpose() * (f - E * u);
    descent(passive).setZero();
    Index enters;
    if (descent.maxCoeff(&enters) <= rounding) break;
    passive.push_back(enters);
    while (!passive.empty()) {
      const Vector unconstrained = LeastSquares(MultiVector(E(Eigen::all, passive))).solve(f),
                   here = u(passive);
      double step = 1;
      for (Index i = 0; i < unconstrained.size(); ++i)
        if (unconstrained[i] <= 0) step = std::min(step, here[i] / (here[i] - unconstrained[i]));
      u(passive) += step * (unconstrained - here);
      if (step == 1) break;
      passive.erase(std::remove_if(passive.begin(), passive.end(),
                                   [&](Index j) {
                                     const bool leaves = u[j] <= rounding;
                                     if (leaves) u[j] = 0;
                                     return leaves;
                                   }),
                    passive.end());
    }
  }
  return u;
}

std::optional<Vector> least_norm_within_bounds(const MultiVector& N, const Vector& lower,
                                               const Vector& upper) {
  const auto k = static_cast<Index>(N.cols());
  std::vector<Index> rows;
  std::vector<double> signs, least;  // the bounds in the form sign * N.row(row) * z >= least
  for (Index i = 0; i < N.rows(); ++i)
    for (const double sign : {1., -1.})
      if (const double bound = sign > 0 ? lower[i] : -upper[i]; std::isfinite(bound)) {
        rows.push_back(i);
        signs.push_back(sign);
        least.push_back(bound);
      }
  const double size = least.empty() ? 0. : *std::max_element(least.begin(), least.end());
  if (size <= 0) return Vector::Zero(k);  // no bound is violated at z = 0

  const auto n = static_cast<Index>(rows.size());
  MultiVector E(k + 1, n);
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    E.col(i).head(k) = signs[at] * N.row(rows[at]);
    E(k, i) = least[at] / size;
  }
  const Vector u = nonnegative_least_squares(E, Vector::Unit(k + 1, k));
  std::vector<Index> active;
  for (Index i = 0; i < n; ++i)
    if (u[i] > 0) active.push_back(i);
  if (active.empty()) return std::nullopt;
  const MultiVector G = E.topRows(k).transpose();
  const Vector h = E.row(k), z = LeastSquares(MultiVector(G(active, Eigen::all))).solve(h(active));
  const Vector allowed = rounding * (h.cwiseAbs() + G.cwiseAbs() * z.cwiseAbs());
  if ((h - G * z - allowed).maxCoeff() > 0) return std::nullopt;
  return Vector(size * z);
}

}  // namespace halfdof::internal
