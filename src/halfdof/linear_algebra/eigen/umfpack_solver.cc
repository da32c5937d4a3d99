// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/available_memory.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/triangular_batch.h>
#include <halfdof/linear_algebra/eigen/umfpack_solver.h>

#include <umfpack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

using Control = std::array<double, UMFPACK_CONTROL>;
using Info = std::array<double, UMFPACK_INFO>;

/// The functions of UMFPACK for the scalar type. Complex numbers are packed: each imaginary part follows its
/// real part.
template <class Scalar>
struct Umfpack;

template <>
struct Umfpack<double> {
  static std::int64_t symbolic(const SquarePattern& pattern, const double* values, void** symbolic,
                               const Control& control, Info& info) {
    return umfpack_dl_symbolic(pattern.n, pattern.n, pattern.starts.data(), pattern.rows.data(), values,
                               symbolic, control.data(), info.data());
  }
  static std::int64_t numeric(const SquarePattern& pattern, const double* values, void* symbolic,
                              void** numeric, const Control& control, Info& info) {
    return umfpack_dl_numeric(pattern.starts.data(), pattern.rows.data(), values, symbolic, numeric,
                              control.data(), info.data());
  }
  static std::int64_t solve(std::int64_t system, double* x, const double* b, void* numeric,
                            const Control& control, std::int64_t* integers, double* reals) {
    Info info;
    return umfpack_dl_wsolve(system, nullptr, nullptr, nullptr, x, b, numeric, control.data(), info.data(),
                             integers, reals);
  }
  static void get_sizes(std::int64_t* n_lower, std::int64_t* n_upper, void* numeric) {
    std::int64_t n_rows = 0, n_columns = 0, n_pivots = 0;
    umfpack_dl_get_lunz(n_lower, n_upper, &n_rows, &n_columns, &n_pivots, numeric);
  }
  static std::int64_t get_factors(TriangularBatch<double>& batch, std::int64_t* lower_positions,
                                  std::int64_t* upper_positions, std::int64_t* do_reciprocal, void* numeric) {
    return umfpack_dl_get_numeric(batch.L.starts.data(), lower_positions, batch.L.values.data(),
                                  batch.U.starts.data(), upper_positions, batch.U.values.data(),
                                  batch.row_permutation.data(), batch.column_permutation.data(), nullptr,
                                  do_reciprocal, batch.row_divisors.data(), numeric);
  }
  static double get_determinant(double* exponent, void* numeric) {
    double mantissa = 0;
    umfpack_dl_get_determinant(&mantissa, exponent, numeric, nullptr);
    return mantissa;
  }
  static void free_symbolic(void* symbolic) { umfpack_dl_free_symbolic(&symbolic); }
  static void free_numeric(void* numeric) { umfpack_dl_free_numeric(&numeric); }
  static constexpr std::int64_t transposed = UMFPACK_At;
  static constexpr std::int64_t transposed_upper = UMFPACK_Q_Ut;
};

template <>
struct Umfpack<Complex> {
  static const double* reals_of(const Complex* values) { return reinterpret_cast<const double*>(values); }
  static double* reals_of(Complex* values) { return reinterpret_cast<double*>(values); }

  static std::int64_t symbolic(const SquarePattern& pattern, const Complex* values, void** symbolic,
                               const Control& control, Info& info) {
    return umfpack_zl_symbolic(pattern.n, pattern.n, pattern.starts.data(), pattern.rows.data(),
                               reals_of(values), nullptr, symbolic, control.data(), info.data());
  }
  static std::int64_t numeric(const SquarePattern& pattern, const Complex* values, void* symbolic,
                              void** numeric, const Control& control, Info& info) {
    return umfpack_zl_numeric(pattern.starts.data(), pattern.rows.data(), reals_of(values), nullptr, symbolic,
                              numeric, control.data(), info.data());
  }
  static std::int64_t solve(std::int64_t system, Complex* x, const Complex* b, void* numeric,
                            const Control& control, std::int64_t* integers, double* reals) {
    Info info;
    return umfpack_zl_wsolve(system, nullptr, nullptr, nullptr, nullptr, reals_of(x), nullptr, reals_of(b),
                             nullptr, numeric, control.data(), info.data(), integers, reals);
  }
  static void get_sizes(std::int64_t* n_lower, std::int64_t* n_upper, void* numeric) {
    std::int64_t n_rows = 0, n_columns = 0, n_pivots = 0;
    umfpack_zl_get_lunz(n_lower, n_upper, &n_rows, &n_columns, &n_pivots, numeric);
  }
  static std::int64_t get_factors(TriangularBatch<Complex>& batch, std::int64_t* lower_positions,
                                  std::int64_t* upper_positions, std::int64_t* do_reciprocal, void* numeric) {
    return umfpack_zl_get_numeric(batch.L.starts.data(), lower_positions, reals_of(batch.L.values.data()),
                                  nullptr, batch.U.starts.data(), upper_positions,
                                  reals_of(batch.U.values.data()), nullptr, batch.row_permutation.data(),
                                  batch.column_permutation.data(), nullptr, nullptr, do_reciprocal,
                                  batch.row_divisors.data(), numeric);
  }
  static Complex get_determinant(double* exponent, void* numeric) {
    Complex mantissa = 0;
    umfpack_zl_get_determinant(reals_of(&mantissa), nullptr, exponent, numeric, nullptr);
    return mantissa;
  }
  static void free_symbolic(void* symbolic) { umfpack_zl_free_symbolic(&symbolic); }
  static void free_numeric(void* numeric) { umfpack_zl_free_numeric(&numeric); }
  static constexpr std::int64_t transposed = UMFPACK_Aat;
  static constexpr std::int64_t transposed_upper = UMFPACK_Q_Uat;
};

Control make_control() {
  Control control;
  umfpack_dl_defaults(control.data());
  control[UMFPACK_PRL] = 0;
  control[UMFPACK_IRSTEP] = 0;
  control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
  return control;
}

void check_status(std::int64_t status, const SquarePattern& pattern, const Info& info) {
  if (status == UMFPACK_OK) return;
  if (status == UMFPACK_ERROR_out_of_memory)
    throw_out_of_memory(pattern, info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE]);
  throw Error(describe(pattern) + " could not be factorized, because UMFPACK failed with the status " +
              std::to_string(status) + ". Choose another solver.");
}

/// Copies the factors from UMFPACK for solves with several right-hand sides, because UMFPACK itself solves
/// for only one right-hand side at a time.
template <class Scalar>
TriangularBatch<Scalar> get_factors(void* numeric, Index n) {
  std::int64_t n_lower = 0, n_upper = 0, do_reciprocal = 0;
  Umfpack<Scalar>::get_sizes(&n_lower, &n_upper, numeric);
  std::vector<std::int64_t> lower(static_cast<std::size_t>(n_lower)),
      upper(static_cast<std::size_t>(n_upper));
  TriangularBatch<Scalar> batch;
  batch.L.values.resize(lower.size());
  batch.U.values.resize(upper.size());
  batch.L.starts.resize(static_cast<std::size_t>(n) + 1);
  batch.U.starts.resize(static_cast<std::size_t>(n) + 1);
  batch.row_permutation.resize(static_cast<std::size_t>(n));
  batch.column_permutation.resize(static_cast<std::size_t>(n));
  batch.row_divisors.resize(n);
  if (Umfpack<Scalar>::get_factors(batch, lower.data(), upper.data(), &do_reciprocal, numeric) != UMFPACK_OK)
    throw NotAvailable("The memory does not suffice to solve a linear system of " + std::to_string(n) +
                       " unknowns for several right-hand sides at once: the factors have " +
                       std::to_string(n_lower + n_upper) + " entries. Free memory or reduce the model.");
  batch.L.positions.assign(lower.begin(), lower.end());
  batch.U.positions.assign(upper.begin(), upper.end());
  if (do_reciprocal) batch.row_divisors = batch.row_divisors.cwiseInverse();
  return batch;
}

/// Returns whether some row has so many entries that A^T A would be nearly dense. METIS would have to order
/// A^T A if pivots may be off the diagonal.
bool has_dense_row(const SquarePattern& pattern) {
  std::vector<Index> lengths(static_cast<std::size_t>(pattern.n), 0);
  for (const std::int64_t row : pattern.rows)
    ++lengths[static_cast<std::size_t>(row)];
  const Index longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  return longest > 16 && longest > 10 * std::sqrt(pattern.n);
}

/// Returns an upper bound of the memory [bytes] that METIS needs to order A + A^T, or A^T A if pivots may be
/// off the diagonal. The bound is twice the bound of CHOLMOD, because METIS ends the program if the memory
/// does not suffice.
double memory_of_metis(const SquarePattern& pattern, bool diagonal_pivots) {
  double n_entries = 2 * static_cast<double>(pattern.n_entries());
  if (!diagonal_pivots) {
    std::vector<double> lengths(static_cast<std::size_t>(pattern.n), 0);
    for (const std::int64_t row : pattern.rows)
      ++lengths[static_cast<std::size_t>(row)];
    n_entries = std::inner_product(lengths.begin(), lengths.end(), lengths.begin(), 0.);
  }
  return 2 * sizeof(std::int64_t) * (10 * n_entries + 50. * pattern.n + 4096);
}

/// A factorization of UMFPACK.
template <class Scalar>
class UmfpackFactorization : public ReportedFactorization<Scalar> {
 public:
  UmfpackFactorization(std::shared_ptr<void> numeric, Index n)
      : numeric_(std::move(numeric)),
        integers_(static_cast<std::size_t>(n)),
        reals_(static_cast<std::size_t>(n) * (sizeof(Scalar) > sizeof(double) ? 4 : 1)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    const StageTimer stage("solve");
    return b.cols() < min_columns_for_batch ? solve_one_by_one(UMFPACK_A, b) : batch().solve(b);
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    return b.cols() < min_columns_for_batch ? solve_one_by_one(Umfpack<Scalar>::transposed, b)
                                            : batch().solve_transposed(b);
  }

  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const override {
    return b.cols() < min_columns_for_batch ? solve_one_by_one(UMFPACK_Pt_L, b) : batch().forward(b);
  }

  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const override {
    return z.cols() < min_columns_for_batch ? solve_one_by_one(UMFPACK_U_Qt, z) : batch().backward(z);
  }

  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const override {
    return h.cols() < min_columns_for_batch ? solve_one_by_one(Umfpack<Scalar>::transposed_upper, h)
                                            : batch().transposed_backward(h);
  }

  LogDeterminant<Scalar> log_determinant() const override {
    double exponent = 0;
    LogDeterminant<Scalar> result;
    result *= Umfpack<Scalar>::get_determinant(&exponent, numeric_.get());
    result.log_modulus += exponent * std::log(10.);
    return result;
  }

 private:
  /// Smallest number of right-hand sides that are solved together by a TriangularBatch.
  static constexpr Eigen::Index min_columns_for_batch = 4;

  /// Solves with the factors that the constant `system` of UMFPACK selects, for one right-hand side after the
  /// other.
  DenseMatrix<Scalar> solve_one_by_one(std::int64_t system, ConstView<Scalar> b) const {
    static const Control control = make_control();
    DenseMatrix<Scalar> x(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c)
      Umfpack<Scalar>::solve(system, x.col(c).data(), b.col(c).data(), numeric_.get(), control,
                             integers_.data(), reals_.data());
    return x;
  }

  const TriangularBatch<Scalar>& batch() const {
    if (!batch_) batch_ = get_factors<Scalar>(numeric_.get(), static_cast<Index>(integers_.size()));
    return *batch_;
  }

  std::shared_ptr<void> numeric_;
  mutable std::vector<std::int64_t> integers_;
  mutable std::vector<double> reals_;
  mutable std::optional<TriangularBatch<Scalar>> batch_;  ///< the factors, copied when they are first needed
};

}  // namespace

template <class Scalar>
struct UmfpackSolver<Scalar>::Implementation {
  PatternPtr pattern;
  std::shared_ptr<void> symbolic;
  std::string ordering;
  bool diagonal_pivots = false;
  double n_factor_entries = 0;
  double n_operations = 0;

  /// Analyses the pattern. The new analysis replaces the previous analysis if it predicts fewer operations.
  void analyse(Control control, const std::vector<Scalar>& representative);
};

template <class Scalar>
void UmfpackSolver<Scalar>::Implementation::analyse(Control control,
                                                    const std::vector<Scalar>& representative) {
  Info info;
  void* made = nullptr;
  const auto status = Umfpack<Scalar>::symbolic(*pattern, representative.data(), &made, control, info);
  std::shared_ptr<void> analysis(made, Umfpack<Scalar>::free_symbolic);
  if (status == UMFPACK_ERROR_ordering_failed && symbolic) return;
  check_status(status, *pattern, info);

  const bool symmetric = info[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC;
  const double flops = symmetric ? info[UMFPACK_SYMMETRIC_FLOPS] : info[UMFPACK_FLOPS_ESTIMATE];
  if (symbolic && flops >= n_operations) return;
  symbolic = std::move(analysis);
  diagonal_pivots = symmetric;
  n_operations = flops;
  n_factor_entries =
      symmetric ? info[UMFPACK_SYMMETRIC_LUNZ] : info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE];
  ordering = info[UMFPACK_ORDERING_USED] == UMFPACK_ORDERING_METIS ? "METIS" : symmetric ? "AMD" : "COLAMD";
}

template <class Scalar>
UmfpackSolver<Scalar>::UmfpackSolver(PatternPtr pattern)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->pattern = pattern;
  Control control = make_control();
  // UMFPACK counts nonzero diagonal entries to decide whether pivots may stay on the diagonal. All values are
  // ones here, because the analysis must serve all matrices with this pattern.
  const std::vector<Scalar> ones(pattern->rows.size(), Scalar(1));
  implementation_->analyse(control, ones);
  const double n_factor_entries = implementation_->n_factor_entries;
  const bool has_large_fill = implementation_->n_operations >= 500 * n_factor_entries &&
                              n_factor_entries >= 5 * static_cast<double>(pattern->n_entries());
  if (!has_large_fill || !(implementation_->diagonal_pivots || !has_dense_row(*pattern))) return;
  if (memory_of_metis(*pattern, implementation_->diagonal_pivots) > available_memory()) {
    implementation_->ordering += ", too little memory for METIS";
  } else {
    control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    implementation_->analyse(control, ones);
  }
}

template <class Scalar>
UmfpackSolver<Scalar>::~UmfpackSolver() = default;
template <class Scalar>
UmfpackSolver<Scalar>::UmfpackSolver(UmfpackSolver&&) noexcept = default;
template <class Scalar>
UmfpackSolver<Scalar>& UmfpackSolver<Scalar>::operator=(UmfpackSolver&&) noexcept = default;

template <class Scalar>
double UmfpackSolver<Scalar>::n_factor_entries() const {
  return implementation_->n_factor_entries;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> UmfpackSolver<Scalar>::factorize(const std::vector<Scalar>& values) const {
  const SquarePattern& pattern = *implementation_->pattern;
  // If pivots may be off the diagonal, the prediction is only an upper bound, and UMFPACK first allocates
  // less memory.
  if (implementation_->diagonal_pivots)
    require_memory(pattern, n_factor_entries(), n_factor_entries() * sizeof(Scalar));
  Info info;
  void* made = nullptr;
  const std::int64_t status = Umfpack<Scalar>::numeric(
      pattern, values.data(), implementation_->symbolic.get(), &made, make_control(), info);
  std::shared_ptr<void> numeric(made, Umfpack<Scalar>::free_numeric);
  if (status == UMFPACK_WARNING_singular_matrix)
    throw SingularMatrix(describe(pattern) + " is singular: its LU factorization by UMFPACK has only " +
                         std::to_string(static_cast<Index>(info[UMFPACK_UDIAG_NZ])) +
                         " nonzero pivots. Remove linearly dependent equations, or DoFs "
                         "that no equation determines.");
  check_status(status, pattern, info);

  auto factorization = std::make_unique<UmfpackFactorization<Scalar>>(std::move(numeric), pattern.n);
  FactorizationReport& report = factorization->report();
  report.solver = Solver::umfpack;
  report.ordering = implementation_->ordering;
  report.n_factor_entries = static_cast<GlobalIndex>(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
  report.bytes = info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT];
  return factorization;
}

template class UmfpackSolver<double>;
template class UmfpackSolver<Complex>;

}  // namespace halfdof::internal
