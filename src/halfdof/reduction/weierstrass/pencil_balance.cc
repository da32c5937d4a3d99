// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>
#include <halfdof/reduction/weierstrass/pencil_balance.h>

#include <cmath>

namespace halfdof::internal {
namespace {

double power_of_two(double logarithm) {
  return std::exp2(std::round(logarithm));
}

}  // namespace

PencilBalance balance(ConstView<double> E, ConstView<double> A) {
  const Index n = static_cast<Index>(E.rows());
  if (n == 0) return {};
  constexpr double rounding = 1e-15;
  const LogarithmicScaling scaling = logarithmic_scaling(
      n, {{0, logarithms_of_entries(A, rounding)}, {1, logarithms_of_entries(E, rounding)}}, 4 * n + 2);
  PencilBalance balance{scaling.rows.unaryExpr(&power_of_two), scaling.columns.unaryExpr(&power_of_two),
                        power_of_two(scaling.rate)};
  const RowColumnScales largest =
      equilibrating_scales(balance.balanced_E(E).cwiseAbs().cwiseMax(balance.balanced_A(A).cwiseAbs()));
  balance.rows.array() *= largest.rows.array();
  balance.columns.array() *= largest.columns.array();
  return balance;
}

}  // namespace halfdof::internal
