// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>

#include <cmath>

namespace halfdof::internal {

RowColumnScales equilibrating_scales(MultiVector T) {
  constexpr int n_sweeps = 4;
  const auto inverse_root = [](double largest) {
    return largest > 0 ? std::exp2(-std::round(std::log2(largest) / 2)) : 1.;
  };
  RowColumnScales scales{Vector::Ones(T.rows()), Vector::Ones(T.cols())};
  for (int sweep = 0; T.size() > 0 && sweep < n_sweeps; ++sweep) {
    const Vector of_rows = T.rowwise().maxCoeff().unaryExpr(inverse_root),
                 of_columns = T.colwise().maxCoeff().transpose().unaryExpr(inverse_root);
    T = (of_rows.asDiagonal() * T * of_columns.asDiagonal()).eval();
    scales.rows.array() *= of_rows.array();
    scales.columns.array() *= of_columns.array();
  }
  return scales;
}

}  // namespace halfdof::internal
