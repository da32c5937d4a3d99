// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/cholmod_factorization.h>
#include <halfdof/linear_algebra/eigen/cholmod_solver.h>
#include <halfdof/linear_algebra/eigen/little_fill.h>
#include <halfdof/linear_algebra/eigen/refinement.h>
#include <halfdof/linear_algebra/eigen/signed_cholesky.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns a view of the lower triangle of a symmetric matrix in CHOLMOD's type. CHOLMOD's types have no
/// const pointers, but CHOLMOD does not write into the arrays.
/// @param values The values of the entries; null for a view of the pattern alone
cholmod_sparse lower_triangle(const SquarePattern& pattern, const double* values) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = static_cast<std::size_t>(pattern.n);
  matrix.nzmax = pattern.rows.size();
  matrix.p = const_cast<std::int64_t*>(pattern.starts.data());
  matrix.i = const_cast<std::int64_t*>(pattern.rows.data());
  matrix.x = const_cast<double*>(values);
  matrix.stype = -1;
  matrix.itype = CHOLMOD_LONG;
  matrix.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = 1;
  matrix.packed = 1;
  return matrix;
}

void check_memory(const SquarePattern& pattern, double n_factor_entries, cholmod_common* common) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
    throw_out_of_memory(pattern, n_factor_entries);
}

/// The factorization A = P^T L S L^T P of a SignedCholesky object.
template <class Scalar>
class SignedFactorization : public ReportedFactorization<Scalar> {
 public:
  explicit SignedFactorization(SignedCholesky<Scalar> factor) : factor_(std::move(factor)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    const StageTimer stage("solve");
    return factor_.solve(b);
  }
  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override { return solve(b); }
  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const override { return factor_.forward(b); }
  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const override { return factor_.backward(z); }
  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const override {
    return factor_.transposed_backward(h);
  }
  LogDeterminant<Scalar> log_determinant() const override { return factor_.log_determinant(); }
  std::optional<MatrixInertia> inertia() const override {
    if constexpr (std::is_same_v<Scalar, double>) return inertia_of(factor_.signs());
    return std::nullopt;
  }

 private:
  SignedCholesky<Scalar> factor_;
};

/// Converts the supernodes of CHOLMOD's symbolic analysis.
Supernodes supernodes_of(const cholmod_factor& factor) {
  const auto* super = static_cast<const std::int64_t*>(factor.super);
  const auto* row_starts = static_cast<const std::int64_t*>(factor.pi);
  const auto* value_starts = static_cast<const std::int64_t*>(factor.px);
  const auto* rows = static_cast<const std::int64_t*>(factor.s);
  const auto* permutation = static_cast<const std::int64_t*>(factor.Perm);
  const std::size_t n = factor.nsuper + 1;
  Supernodes result;
  result.first_columns.assign(super, super + n);
  result.row_starts.assign(row_starts, row_starts + n);
  result.value_starts.assign(value_starts, value_starts + n);
  result.rows.assign(rows, rows + row_starts[n - 1]);
  result.row_of_place.assign(permutation, permutation + factor.n);
  result.place_of_row.resize(factor.n);
  for (std::size_t k = 0; k < factor.n; ++k)
    result.place_of_row[static_cast<std::size_t>(permutation[k])] = static_cast<Index>(k);
  for (std::size_t s = 0; s < result.size(); ++s)
    result.max_rows = std::max(result.max_rows, result.n_rows(s));
  return result;
}

/// Returns the memory of a factor of CHOLMOD [bytes].
double bytes_of(const cholmod_factor& factor) {
  if (factor.is_super)
    return static_cast<double>(factor.xsize * sizeof(double) +
                               (factor.ssize + 3 * factor.nsuper) * sizeof(std::int64_t));
  const auto n_entries = static_cast<double>(factor.nzmax), n = static_cast<double>(factor.n);
  return n_entries * sizeof(double) + (n_entries + 4 * n) * sizeof(std::int64_t);
}

/// Returns the growth max_i (|L| |D| |L|^T)_ii / |a_ii| of a factorization L D L^T without supernodes;
/// infinity if a quotient is NaN. CHOLMOD stores the diagonal of D in place of the unit diagonal of L.
double growth(const cholmod_factor& factor, const SquarePattern& pattern, const std::vector<double>& values) {
  const auto* starts = static_cast<const std::int64_t*>(factor.p);
  const auto* rows = static_cast<const std::int64_t*>(factor.i);
  const auto* n_entries = static_cast<const std::int64_t*>(factor.nz);
  const auto* x = static_cast<const double*>(factor.x);
  const auto* permutation = static_cast<const std::int64_t*>(factor.Perm);
  Vector products = Vector::Zero(pattern.n);
  for (Index j = 0; j < pattern.n; ++j) {
    const double d = std::abs(x[starts[j]]);
    products[j] += d;
    for (std::int64_t k = starts[j] + 1; k < starts[j] + n_entries[j]; ++k)
      products[rows[k]] += x[k] * x[k] * d;
  }
  Vector diagonal = Vector::Zero(pattern.n);
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    if (i == j) diagonal[i] = std::abs(values[k]);
  });
  double largest = 0;
  for (Index j = 0; j < pattern.n; ++j) {
    const double ratio = products[j] / diagonal[permutation[j]];
    if (std::isnan(ratio)) return HUGE_VAL;
    largest = std::max(largest, ratio);
  }
  return largest;
}

const char* reason_of_definite(double sign) {
  return sign > 0 ? "symmetric positive definite" : "symmetric negative definite";
}

/// Largest average number of entries in a row of L for which sparse_factorization_from() is used.
constexpr double max_entries_per_sparse_row = 8;

/// Converts a factor L D L^T or L L^T of CHOLMOD with few entries in each row to a
/// factorization_of_little_fill().
/// @param factor Factor of sign A without supernodes
ReportedFactorizationPtr<double> sparse_factorization_from(const cholmod_factor& factor, double sign) {
  const auto* starts = static_cast<const std::int64_t*>(factor.p);
  const auto* rows = static_cast<const std::int64_t*>(factor.i);
  const auto* n_entries = static_cast<const std::int64_t*>(factor.nz);
  const auto* x = static_cast<const double*>(factor.x);
  const auto* permutation = static_cast<const std::int64_t*>(factor.Perm);
  const auto n = static_cast<Index>(factor.n);
  UnitLowerTriangle L;
  L.starts.push_back(0);
  Vector D(n);
  for (Index j = 0; j < n; ++j) {
    const double diagonal = x[starts[j]];
    D[j] = sign * (factor.is_ll ? diagonal * diagonal : diagonal);
    for (std::int64_t k = starts[j] + 1; k < starts[j] + n_entries[j]; ++k) {
      L.rows.push_back(static_cast<Index>(rows[k]));
      L.values.push_back(factor.is_ll ? x[k] / diagonal : x[k]);
    }
    L.starts.push_back(static_cast<std::int64_t>(L.rows.size()));
  }
  std::vector<Index> order(permutation, permutation + n);
  return factorization_of_little_fill(std::move(order), std::move(L), D);
}

}  // namespace

struct CholmodSolver::Implementation {
  static constexpr const char* certified = "symmetric indefinite, stable without pivoting";

  PatternPtr pattern;
  CholmodFactor symbolic;
  std::string ordering;
  double n_factor_entries = 0;
  double n_operations = 0;
  SupernodesPtr supernodes;  ///< the supernodes of `symbolic`, computed when they are first needed

  /// Fills in the report of a factorization.
  template <class Scalar>
  ReportedFactorizationPtr<Scalar> report(ReportedFactorizationPtr<Scalar> factorization, Solver solver,
                                          double bytes, const char* reason) const {
    FactorizationReport& report = factorization->report();
    report.solver = solver;
    report.reason = reason;
    report.ordering = ordering;
    report.n_factor_entries = static_cast<GlobalIndex>(n_factor_entries);
    report.bytes = bytes;
    return factorization;
  }

  /// Returns the factorization from a factor of sign A that CHOLMOD computed, with its report.
  ReportedFactorizationPtr<double> factorization_from(CholmodFactor factor, double sign,
                                                      const char* reason) const {
    const double bytes = bytes_of(*factor);
    const bool is_little = !factor->is_super && n_factor_entries <= max_entries_per_sparse_row * pattern->n;
    return report<double>(
        is_little ? sparse_factorization_from(*factor, sign) : cholmod_factorization(std::move(factor), sign),
        Solver::cholmod, bytes, reason);
  }

  /// Adds iterative refinement if the growth makes it necessary to check the accuracy of solves.
  template <class Scalar>
  ReportedFactorizationPtr<Scalar> with_refinement_for_growth(double growth,
                                                              ReportedFactorizationPtr<Scalar> result,
                                                              const std::vector<Scalar>& values) const {
    return growth <= negligible_growth ? std::move(result)
                                       : with_refinement(std::move(result), pattern, values);
  }

  /// Computes a SignedCholesky factorization; null if no stable factorization exists.
  /// @param only_sign The required sign of all pivots; no value if all signs are admissible
  template <class Scalar>
  ReportedFactorizationPtr<Scalar> factorize_supernodes(const std::vector<Scalar>& values, const char* reason,
                                                        std::optional<double> only_sign = {});
};

template <class Scalar>
ReportedFactorizationPtr<Scalar> CholmodSolver::Implementation::factorize_supernodes(
    const std::vector<Scalar>& values, const char* reason, std::optional<double> only_sign) try {
  if (!supernodes) supernodes = std::make_shared<Supernodes>(supernodes_of(*symbolic));
  require_memory(*pattern, n_factor_entries,
                 static_cast<double>(supernodes->value_starts.back()) * sizeof(Scalar));
  auto factor = SignedCholesky<Scalar>::factorize(supernodes, *pattern, values, largest_growth, only_sign);
  if (!factor) return nullptr;
  const double bytes = factor->bytes(), growth = factor->growth();
  auto result = report<Scalar>(std::make_unique<SignedFactorization<Scalar>>(*std::move(factor)),
                               Solver::ldlt, bytes, reason);
  return with_refinement_for_growth(growth, std::move(result), values);
} catch (const std::bad_alloc&) {
  throw_out_of_memory(*pattern, n_factor_entries);
}

CholmodSolver::CholmodSolver(PatternPtr pattern, Solver solver)
    : implementation_(std::make_unique<Implementation>()) {
  CholmodCommon common;
  if (solver == Solver::ldlt) common->supernodal = CHOLMOD_SUPERNODAL;
  cholmod_sparse matrix = lower_triangle(*pattern, nullptr);
  implementation_->symbolic.reset(cholmod_l_analyze(&matrix, common));
  check_memory(*pattern, common->lnz, common);
  implementation_->ordering = implementation_->symbolic->ordering == CHOLMOD_METIS ? "METIS" : "AMD";
  implementation_->n_factor_entries = common->lnz;
  implementation_->n_operations = common->fl;
  implementation_->pattern = std::move(pattern);
}

CholmodSolver::~CholmodSolver() = default;
CholmodSolver::CholmodSolver(CholmodSolver&&) noexcept = default;
CholmodSolver& CholmodSolver::operator=(CholmodSolver&&) noexcept = default;

double CholmodSolver::n_factor_entries() const {
  return implementation_->n_factor_entries;
}

double CholmodSolver::n_operations() const {
  return implementation_->n_operations;
}

bool CholmodSolver::is_supernodal() const {
  return implementation_->symbolic->is_super;
}

ReportedFactorizationPtr<double> CholmodSolver::factorize_definite(const std::vector<double>& values,
                                                                   double sign) const {
  if (!is_supernodal()) return factorize_by_cholmod(values, sign);
  auto result = implementation_->factorize_supernodes(values, reason_of_definite(sign), sign);
  if (result) result->report().is_positive_definite = sign > 0;
  return result;
}

ReportedFactorizationPtr<double> CholmodSolver::factorize_by_cholmod(const std::vector<double>& values,
                                                                     double sign) const {
  const SquarePattern& pattern = *implementation_->pattern;
  std::vector<double> negated;
  if (sign < 0) {
    negated.resize(values.size());
    std::transform(values.begin(), values.end(), negated.begin(), [](double value) { return -value; });
  }
  cholmod_sparse matrix = lower_triangle(pattern, sign < 0 ? negated.data() : values.data());
  CholmodCommon common;
  common->final_ll = 1;
  CholmodFactor factor(cholmod_l_copy_factor(implementation_->symbolic.get(), common));
  cholmod_l_factorize(&matrix, factor.get(), common);
  check_memory(pattern, n_factor_entries(), common);
  if (common->status == CHOLMOD_NOT_POSDEF || factor->minor < factor->n) return nullptr;
  auto result = implementation_->factorization_from(std::move(factor), sign, reason_of_definite(sign));
  result->report().is_positive_definite = sign > 0;
  return result;
}

ReportedFactorizationPtr<double> CholmodSolver::factorize_indefinite(
    const std::vector<double>& values) const {
  if (is_supernodal()) return implementation_->factorize_supernodes(values, Implementation::certified);
  const SquarePattern& pattern = *implementation_->pattern;
  cholmod_sparse matrix = lower_triangle(pattern, values.data());
  CholmodCommon common;
  common->supernodal = CHOLMOD_SIMPLICIAL;
  common->final_ll = 0;
  CholmodFactor factor(cholmod_l_copy_factor(implementation_->symbolic.get(), common));
  cholmod_l_change_factor(CHOLMOD_PATTERN, 0, 0, 0, 0, factor.get(), common);
  cholmod_l_factorize(&matrix, factor.get(), common);
  check_memory(pattern, implementation_->n_factor_entries, common);
  if (common->status == CHOLMOD_NOT_POSDEF || factor->minor < factor->n) return nullptr;
  const double measured = growth(*factor, pattern, values);
  if (measured > largest_growth) return nullptr;
  auto result = implementation_->factorization_from(std::move(factor), 1., Implementation::certified);
  return implementation_->with_refinement_for_growth(measured, std::move(result), values);
}

ReportedFactorizationPtr<Complex> CholmodSolver::factorize_indefinite(
    const std::vector<Complex>& values) const {
  return is_supernodal()
             ? implementation_->factorize_supernodes(values, "complex symmetric, stable without pivoting")
             : nullptr;
}

}  // namespace halfdof::internal
