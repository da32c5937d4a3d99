// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/available_memory.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/cholmod_solver.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>
#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/equal_blocks.h>
#include <halfdof/linear_algebra/eigen/equilibration.h>
#include <halfdof/linear_algebra/eigen/klu_solver.h>
#include <halfdof/linear_algebra/eigen/refinement.h>
#include <halfdof/linear_algebra/eigen/umfpack_solver.h>

#include <chrono>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

namespace halfdof::internal {

namespace {

/// Largest number of operations for each entry of the factors for which KLU is chosen. KLU processes the
/// entries one by one; the dense kernels of UMFPACK are faster only if there are more operations.
constexpr double max_operations_per_entry_for_klu = 60;

/// Returns the common sign +1 or -1 of all diagonal entries; 0 if the signs differ or a diagonal entry is
/// missing.
double sign_of_diagonal(const SquarePattern& pattern, const std::vector<double>& values) {
  Index n_positive = 0, n_negative = 0;
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    if (i != j) return;
    n_positive += values[k] > 0.;
    n_negative += values[k] < 0.;
  });
  return n_positive == pattern.n ? 1. : n_negative == pattern.n ? -1. : 0.;
}

/// Returns whether all diagonal entries are nonzero. Otherwise no factorization L D L^T without pivoting is
/// stable.
template <class Scalar>
bool has_full_diagonal(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  Index n_entries = 0;
  pattern.for_each_entry(
      [&](Index i, Index j, std::size_t k) { n_entries += i == j && values[k] != Scalar(0); });
  return n_entries == pattern.n;
}

/// Checks that no row and no column is null. A factorization would fail for such a matrix as well, but its
/// error could not name the row or column.
/// @throws SingularMatrix if a row or column is null
template <class Scalar>
void check_null_rows_and_columns(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  Eigen::ArrayXi n_in_row = Eigen::ArrayXi::Zero(pattern.n), n_in_column = Eigen::ArrayXi::Zero(pattern.n);
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    const bool is_nonzero = values[k] != Scalar(0);
    n_in_row[i] += is_nonzero;
    n_in_column[j] += is_nonzero;
  });
  for (Index i = 0; i < pattern.n; ++i)
    if (n_in_row[i] == 0 || n_in_column[i] == 0)
      throw SingularMatrix(
          describe(pattern) + " is singular: all entries of its " + (n_in_row[i] == 0 ? "row " : "column ") +
          std::to_string(i) +
          " are zero. Enter a nonzero coefficient there, or remove this DoF from the system.");
}

[[noreturn]] void throw_unsuitable_solver(const SquarePattern& pattern, Solver solver,
                                          const std::string& why) {
  throw NotAvailable(describe(pattern) + " cannot be factorized by the solver " + name_of(solver) + ": " +
                     why + ". Choose another solver, or \"automatic\".");
}

}  // namespace

std::string describe(const SquarePattern& pattern) {
  const std::string n = std::to_string(pattern.n);
  return "The " + n + " x " + n + " matrix";
}

void throw_out_of_memory(const SquarePattern& pattern, double n_factor_entries) {
  std::ostringstream message;
  message << describe(pattern) << " is too large to be factorized in the memory of this machine";
  if (n_factor_entries > 0.) message << ": its factors have about " << n_factor_entries << " entries";
  throw NotAvailable(message.str() +
                     ". Use a machine with more memory, or several machines with the Trilinos engine (MPI).");
}

void require_memory(const SquarePattern& pattern, double n_factor_entries, double bytes) {
  constexpr double negligible = 1e8;  // [bytes]; a call of available_memory() takes half a millisecond
  if (bytes < negligible || bytes <= available_memory()) return;
  throw_out_of_memory(pattern, n_factor_entries);
}

template <class Scalar>
struct DirectSolver<Scalar>::Implementation {
  using Values = std::vector<Scalar>;
  using Result = ReportedFactorizationPtr<Scalar>;

  PatternPtr pattern;
  bool symmetric;
  FactorizationOptions options;
  std::shared_ptr<CholeskyAnalysis> analysis;
  std::optional<UmfpackSolver<Scalar>> umfpack = {};
  std::optional<KluSolver<Scalar>> klu = {};
  bool have_blocks_been_sought = false;
  std::optional<EqualBlocks> blocks = {};
  std::optional<DirectSolver> block_solver = {};

  /// Returns the solver of a package after its symbolic analysis of the pattern.
  template <class Package>
  const Package& analysed(std::optional<Package>& package) {
    if (!package) package.emplace(pattern);
    return *package;
  }
  const CholmodSolver& cholesky() {
    if (!analysis->solver) analysis->solver = std::make_shared<CholmodSolver>(pattern, options.solver);
    return *analysis->solver;
  }

  /// Returns the solver that is chosen if the options name none, as far as the choice is known before a
  /// factorization.
  Solver automatic_choice(const Values& values);
  /// Returns the predicted number of entries of the factors of a solver.
  double predicted_entries(Solver solver);
  void add_alternative_to_report(const Values& values, FactorizationReport& report);
  /// Calls the member function `factorize` and completes the report of its result.
  FactorizationPtr<Scalar> factorize_and_report(const Values& values,
                                                Result (Implementation::*factorize)(const Values&));

  /// Factorizes with the solver that the options name.
  Result factorize_by_named_solver(const Values& values);
  /// Factorizes with a solver that is chosen from the structure of the matrix.
  Result factorize_by_structure(const Values& values);
  /// Factorizes by Cholesky; null if the matrix is not definite.
  Result factorize_definite(const Values& values);
  Result factorize_by_equal_blocks(const Values& values);
  /// Factorizes a symmetric matrix by Cholesky or L D L^T; null if no factorization without pivoting is
  /// stable.
  Result factorize_without_pivoting(const Values& values);
  Result factorize_by_lu(const Values& values);
  /// Returns whether L D L^T without pivoting can be stable.
  bool may_have_ldlt(const Values& values) {
    return symmetric && has_full_diagonal(*pattern, values) &&
           (std::is_same_v<Scalar, double> || cholesky().is_supernodal());
  }
  /// Returns whether the factors L and U are so sparse that KLU is chosen instead of UMFPACK.
  bool lu_has_little_fill() {
    const KluSolver<Scalar>& solver = analysed(klu);
    return solver.n_operations() <= max_operations_per_entry_for_klu * solver.n_factor_entries();
  }
  /// Factorizes the equilibrated matrix with a package, and adds iterative refinement if it is needed.
  template <class Package>
  Result factorize_with(std::optional<Package>& package, const Values& values) {
    EquilibratedMatrix<Scalar> scaled = equilibrated(*pattern, values);
    Result result = with_refinement(analysed(package).factorize(scaled.values), pattern, scaled.values);
    return undo_scaling(std::move(result), std::move(scaled.row_factors), std::move(scaled.column_factors));
  }
};

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_by_named_solver(
    const Values& values) {
  Result result;
  if (pattern->n == 0) return factorize_diagonal(*pattern, values);
  switch (options.solver) {
    case Solver::automatic:
      return factorize_by_structure(values);
    case Solver::diagonal:
      if (!is_diagonal(*pattern))
        throw_unsuitable_solver(*pattern, Solver::diagonal, "it has entries off the diagonal");
      return factorize_diagonal(*pattern, values);
    case Solver::blocks:
      throw_unsuitable_solver(
          *pattern, Solver::blocks,
          "the solver for blocks is available with MPI only, but KLU uses the blocks as well");
    case Solver::mumps:
      throw_unsuitable_solver(*pattern, Solver::mumps, "MUMPS is available with MPI only (Trilinos engine)");
    case Solver::krylov:
      throw_unsuitable_solver(*pattern, Solver::krylov,
                              "Krylov iterations are available with MPI only (Trilinos engine)");
    case Solver::umfpack:
      check_null_rows_and_columns(*pattern, values);
      result = factorize_with(umfpack, values);
      break;
    case Solver::klu:
      check_null_rows_and_columns(*pattern, values);
      result = factorize_with(klu, values);
      break;
    case Solver::cholmod:
      if constexpr (std::is_same_v<Scalar, double>) {
        if (!symmetric)
          throw_unsuitable_solver(*pattern, Solver::cholmod,
                                  "it is not symmetric, but CHOLMOD computes Cholesky factorizations");
        const double sign = sign_of_diagonal(*pattern, values);
        if (sign != 0.) result = cholesky().factorize_by_cholmod(values, sign);
        if (!result)
          throw_unsuitable_solver(*pattern, Solver::cholmod, "it is neither positive nor negative definite");
      } else {
        throw_unsuitable_solver(*pattern, Solver::cholmod,
                                "it is complex, and CHOLMOD has no complex symmetric factorization");
      }
      break;
    case Solver::ldlt:
      if (!symmetric) throw_unsuitable_solver(*pattern, Solver::ldlt, "it is not symmetric");
      result = factorize_without_pivoting(values);
      if (!result)
        throw_unsuitable_solver(*pattern, Solver::ldlt,
                                "its factorization L D L^T without pivoting would be inaccurate");
      break;
  }
  result->report().reason = "named in the options";
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_by_structure(
    const Values& values) {
  if (is_diagonal(*pattern)) return factorize_diagonal(*pattern, values);
  if (Result result = factorize_by_equal_blocks(values)) return result;
  if (symmetric)
    if (Result result = factorize_without_pivoting(values)) return result;
  return factorize_by_lu(values);
}

/// Factorizes a matrix of equal uncoupled blocks; null if the matrix has no such blocks, or if they are
/// singular. If they are singular, the factorization of the whole matrix throws the exception, in the
/// numbering of the matrix.
template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_by_equal_blocks(
    const Values& values) {
  if (!have_blocks_been_sought) blocks = find_equal_blocks(*pattern);
  have_blocks_been_sought = true;
  if (!blocks) return nullptr;
  const std::optional<Values> block_values = common_values(*blocks, *pattern, values);
  if (!block_values) return nullptr;
  if (!block_solver) {
    block_solver.emplace(blocks->pattern, symmetric, options, std::make_shared<CholeskyAnalysis>());
    block_solver->implementation_->have_blocks_been_sought = true;  // a block has no smaller blocks
  }
  try {
    return factorize_equal_blocks(*blocks, block_solver->factorize(*block_values));
  } catch (const SingularMatrix&) {
    return nullptr;
  }
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_definite(
    const Values& values) {
  if (pattern->n == 0) return factorize_diagonal(*pattern, values);
  if constexpr (std::is_same_v<Scalar, double>)
    if (const double sign = symmetric ? sign_of_diagonal(*pattern, values) : 0.; sign != 0.)
      return cholesky().factorize_definite(values, sign);
  return nullptr;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_without_pivoting(
    const Values& values) {
  Result result = factorize_definite(values);
  if (!result && may_have_ldlt(values)) result = cholesky().factorize_indefinite(values);
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_by_lu(const Values& values) {
  check_null_rows_and_columns(*pattern, values);
  const bool sparse = lu_has_little_fill();
  Result result = sparse ? factorize_with(klu, values) : factorize_with(umfpack, values);
  result->report().reason = std::string(symmetric ? "symmetric indefinite" : "unsymmetric") +
                            (sparse ? ", little fill" : ", large fill");
  return result;
}

template <class Scalar>
Solver DirectSolver<Scalar>::Implementation::automatic_choice(const Values& values) {
  if (is_diagonal(*pattern)) return Solver::diagonal;
  const bool is_definite = [&] {
    if constexpr (std::is_same_v<Scalar, double>)
      return symmetric && sign_of_diagonal(*pattern, values) != 0.;
    return false;
  }();
  if (is_definite || may_have_ldlt(values))
    return cholesky().is_supernodal() ? Solver::ldlt : Solver::cholmod;
  return lu_has_little_fill() ? Solver::klu : Solver::umfpack;
}

template <class Scalar>
double DirectSolver<Scalar>::Implementation::predicted_entries(Solver solver) {
  if (solver == Solver::cholmod || solver == Solver::ldlt) return cholesky().n_factor_entries();
  if (solver == Solver::klu) return analysed(klu).n_factor_entries();
  // UMFPACK orders a symmetric pattern as CHOLMOD does, and stores both L and U.
  if (solver == Solver::umfpack)
    return analysis->solver ? 2 * analysis->solver->n_factor_entries() - pattern->n
                            : analysed(umfpack).n_factor_entries();
  return pattern->n;
}

/// Adds the alternative solver and the predicted number of its factor entries to the report. The alternative
/// is the automatic choice, or the second best solver if the automatic choice was used.
template <class Scalar>
void DirectSolver<Scalar>::Implementation::add_alternative_to_report(const Values& values,
                                                                     FactorizationReport& report) {
  if (report.solver == Solver::diagonal || report.alternative != Solver::automatic) return;
  const Solver choice = options.solver == Solver::automatic ? report.solver : automatic_choice(values);
  const Solver next = report.solver == Solver::umfpack ? Solver::klu : Solver::umfpack;
  report.alternative = choice != report.solver ? choice : next;
  report.alternative_factor_entries = predicted_entries(report.alternative);
}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(PatternPtr pattern, bool symmetric, const FactorizationOptions& options,
                                   std::shared_ptr<CholeskyAnalysis> analysis)
    : implementation_(new Implementation{std::move(pattern), symmetric, options, std::move(analysis)}) {}

template <class Scalar>
DirectSolver<Scalar>::~DirectSolver() = default;
template <class Scalar>
DirectSolver<Scalar>::DirectSolver(DirectSolver&&) noexcept = default;
template <class Scalar>
DirectSolver<Scalar>& DirectSolver<Scalar>::operator=(DirectSolver&&) noexcept = default;

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_and_report(
    const Values& values, Result (Implementation::*factorize)(const Values&)) {
  const StageTimer stage("factorize");
  const auto start = std::chrono::steady_clock::now();
  Result result = (this->*factorize)(values);
  if (!result) return nullptr;
  FactorizationReport& report = result->report();
  add_alternative_to_report(values, report);
  report.n_rows = pattern->n;
  report.n_entries = pattern->n_entries();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stage.note([&] { return describe(report); });
  return result;
}

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize(const std::vector<Scalar>& values) {
  return implementation_->factorize_and_report(values, &Implementation::factorize_by_named_solver);
}

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize_definite(const std::vector<Scalar>& values) {
  return implementation_->factorize_and_report(values, &Implementation::factorize_definite);
}

template class DirectSolver<double>;
template class DirectSolver<Complex>;

}  // namespace halfdof::internal
