#include <halfdof/linear_algebra/logarithmic_scaling.h>
#include <halfdof/reduction/pencil_balance.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof {
namespace {

std::vector<LogarithmicEntry> nonzeros(ConstView<double> matrix) {
  constexpr double rounding = 1e-15;
  const Vector rows = rounding * matrix.cwiseAbs().rowwise().maxCoeff();
  const Vector columns = rounding * matrix.cwiseAbs().colwise().maxCoeff().transpose();
  std::vector<LogarithmicEntry> entries;
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = 0; i < matrix.rows(); ++i)
      if (std::abs(matrix(i, j)) > std::max(rows[i], columns[j]))
        entries.push_back({i, j, static_cast<float>(std::log2(std::abs(matrix(i, j))))});
  return entries;
}

double power_of_two(double logarithm) {
  return std::exp2(std::round(logarithm));
}

/// Brings the largest entries of rows and columns of the balanced pencil to one.
void equilibrate(ConstView<double> E, ConstView<double> A, PencilBalance& balance) {
  constexpr int n_sweeps = 4;
  const auto inverse_root = [](double largest) {
    return largest > 0 ? power_of_two(-std::log2(largest) / 2) : 1.;
  };
  for (int sweep = 0; sweep < n_sweeps; ++sweep) {
    const MultiVector size = balance.balanced_E(E).cwiseAbs().cwiseMax(balance.balanced_A(A).cwiseAbs());
    balance.rows.array() *= size.rowwise().maxCoeff().unaryExpr(inverse_root).array();
    balance.columns.array() *= size.colwise().maxCoeff().transpose().unaryExpr(inverse_root).array();
  }
}

}  // namespace

PencilBalance balance(ConstView<double> E, ConstView<double> A) {
  const Index n = static_cast<Index>(E.rows());
  if (n == 0) return {};
  const LogarithmicScaling scaling = logarithmic_scaling(n, {{0, nonzeros(A)}, {1, nonzeros(E)}}, 4 * n + 2);
  PencilBalance balance{scaling.rows.unaryExpr(&power_of_two), scaling.columns.unaryExpr(&power_of_two),
                        power_of_two(scaling.rate)};
  equilibrate(E, A, balance);
  return balance;
}

}  // namespace halfdof
