// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Binary logarithm of 1024, the ratio of successive factors. A smaller ratio would also remove the effect of
/// different mesh sizes.
constexpr double step = 10;
void subtract_median(Vector& logarithms) {
  std::vector<double> sorted(logarithms.begin(), logarithms.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  logarithms.array() -= *middle;
}

Vector round_to_powers_of_1024(const Vector& logarithms) {
  return logarithms.unaryExpr([](double log) { return std::exp2(step * std::round(log / step)); });
}

}  // namespace

Sparse UnitFactors::scaled(const Sparse& A) const {
  return rows.asDiagonal() * A * columns.asDiagonal();
}

UnitFactors unit_factors(const Sparse& M, const Sparse& C, const Sparse& K) {
  constexpr Index max_iterations = 100;
  const auto n = static_cast<Index>(M.rows());
  if (n == 0) return {Vector(0), Vector(0)};
  LogarithmicScaling logs = logarithmic_scaling(
      n, {{2, logarithms_of_nonzeros(M)}, {1, logarithms_of_nonzeros(C)}, {0, logarithms_of_nonzeros(K)}},
      max_iterations);
  subtract_median(logs.rows);
  subtract_median(logs.columns);
  for (Index i = 0; i < n; ++i)
    if (std::abs(logs.rows[i] - logs.columns[i]) < step)
      logs.rows[i] = logs.columns[i] = 0.5 * (logs.rows[i] + logs.columns[i]);
  return {round_to_powers_of_1024(logs.rows), round_to_powers_of_1024(logs.columns)};
}

}  // namespace halfdof::internal
