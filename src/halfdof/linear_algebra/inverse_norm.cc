// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/entries.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

constexpr int max_iterations = 5;

double norm_1(const Communicator& communicator, const Vector& x) {
  return communicator.sum(x.lpNorm<1>());
}

/// The global index and the magnitude of the entry of largest magnitude of a vector.
struct LargestEntry {
  GlobalIndex index = -1;
  double magnitude = 0;
};

LargestEntry largest_entry(const Partition& rows, const Vector& x) {
  LargestEntry here;
  for (Index i = 0; i < x.size(); ++i)
    if (std::abs(x[i]) > here.magnitude) here = {rows.global_index(i), std::abs(x[i])};
  const Communicator& communicator = rows.communicator();
  const double magnitude = communicator.max(here.magnitude);
  // If several entries have the largest magnitude, all processes choose the entry in the last row.
  const double index = communicator.max(here.magnitude == magnitude ? static_cast<double>(here.index) : -1.);
  return {static_cast<GlobalIndex>(index), magnitude};
}

/// Returns a vector of alternating signs whose magnitudes grow from 1 to 2, so that its 1-norm is 3n/2.
Vector alternating_vector(const Partition& rows) {
  const double n = static_cast<double>(rows.n_global());
  Vector x(rows.n_local());
  for (Index i = 0; i < x.size(); ++i) {
    const double position = static_cast<double>(rows.global_index(i));
    x[i] = (rows.global_index(i) % 2 == 0 ? 1 : -1) * (1 + (n > 1 ? position / (n - 1) : 0));
  }
  return x;
}

Vector signs_of(const Vector& y) {
  return (y.array() >= 0).select(Vector::Ones(y.size()), -1.);
}

}  // namespace

double estimate_inverse_norm(const LinearOperator& solve, const LinearOperator& solve_transposed,
                             const Partition& rows, double coarse_below) {
  const Communicator& communicator = rows.communicator();
  const double n = static_cast<double>(rows.n_global());
  if (rows.n_global() == 0) return 0;

  Vector x = (pseudo_random(rows, 1).array() + 1).matrix();
  Vector y = solve(x);
  const double largest = 100 * std::sqrt(3 * n * communicator.sum(y.squaredNorm()));
  const double sum = norm_1(communicator, x);
  x /= sum;
  double estimate = norm_1(communicator, y) / sum;
  if (largest < coarse_below) return estimate;

  for (int iteration = 1; std::isfinite(estimate) && iteration < max_iterations; ++iteration) {
    const Vector signs = signs_of(y);
    const Vector z = solve_transposed(signs);
    const LargestEntry steepest = largest_entry(rows, z);
    if (steepest.magnitude <= communicator.sum(z.dot(x))) break;
    x.setZero();
    if (const Index local = rows.local_index(steepest.index); local >= 0) x[local] = 1;

    y = solve(x);
    const double norm = norm_1(communicator, y);
    if (norm <= estimate) break;
    estimate = norm;
    // Equal signs give an equal gradient of the norm and therefore no new vector x.
    if (!communicator.any(signs_of(y) != signs)) break;
  }
  const double of_alternating = 2 * norm_1(communicator, solve(alternating_vector(rows))) / (3 * n);
  return std::isfinite(estimate + of_alternating) ? std::max(estimate, of_alternating)
                                                  : std::numeric_limits<double>::infinity();
}

}  // namespace halfdof::internal
