// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/linear_algebra/ranks/pivot_rows.h>

#include <umfpack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace halfdof::internal {

namespace {

/// A column depends on other columns if its pivot is at most this number times the norm of the column.
constexpr double zero_pivot = 1e-10;

void check(std::int64_t status) {
  if (status != UMFPACK_OK && status != UMFPACK_WARNING_singular_matrix)
    throw SingularMatrix(
        "Linearly independent rows of a rectangular matrix could not be found, because the LU factorization "
        "of UMFPACK failed with the status " +
        std::to_string(status) + ". Check that all coefficients are finite and that enough memory is free.");
}

}  // namespace

PivotRows pivot_rows(Eigen::SparseMatrix<double> A) {
  const auto n = static_cast<std::int64_t>(A.rows()), m = static_cast<std::int64_t>(A.cols());
  PivotRows found;
  if (m == 0) return found;
  A = A * column_norms(A).cwiseMax(1e-300).cwiseInverse().asDiagonal();
  A.makeCompressed();
  const std::vector<std::int64_t> starts(A.outerIndexPtr(), A.outerIndexPtr() + m + 1),
      rows(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());

  std::array<double, UMFPACK_CONTROL> control;
  umfpack_dl_defaults(control.data());
  control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
  control[UMFPACK_PIVOT_TOLERANCE] = 1;
  // Otherwise, the single entry of a row or of a column would become a pivot, however small it is.
  control[UMFPACK_SINGLETONS] = 0;
  const auto free_symbolic = [](void* symbolic) { umfpack_dl_free_symbolic(&symbolic); };
  const auto free_numeric = [](void* numeric) { umfpack_dl_free_numeric(&numeric); };
  void* factors = nullptr;
  check(
      umfpack_dl_symbolic(n, m, starts.data(), rows.data(), A.valuePtr(), &factors, control.data(), nullptr));
  const std::unique_ptr<void, decltype(free_symbolic)> symbolic(factors, free_symbolic);
  check(umfpack_dl_numeric(starts.data(), rows.data(), A.valuePtr(), symbolic.get(), &factors, control.data(),
                           nullptr));
  const std::unique_ptr<void, decltype(free_numeric)> numeric(factors, free_numeric);

  std::vector<std::int64_t> of_rows(static_cast<std::size_t>(n)), of_columns(static_cast<std::size_t>(m));
  Vector pivots(m);
  check(umfpack_dl_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, of_rows.data(),
                               of_columns.data(), pivots.data(), nullptr, nullptr, numeric.get()));
  for (std::size_t k = 0; k < of_columns.size(); ++k) {
    const auto column = static_cast<Index>(of_columns[k]);
    if (std::abs(pivots[static_cast<Index>(k)]) > zero_pivot) {
      found.rows.push_back(static_cast<Index>(of_rows[k]));
      found.columns.push_back(column);
    } else {
      found.dependent.push_back(column);
    }
  }
  std::sort(found.dependent.begin(), found.dependent.end());
  return found;
}

}  // namespace halfdof::internal
