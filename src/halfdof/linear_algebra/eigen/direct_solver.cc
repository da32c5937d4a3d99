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

/// With fewer operations for each entry of the factors, the dense kernels of UMFPACK are not faster than KLU,
/// which processes the entries one by one.
constexpr double most_operations_per_entry_for_klu = 60;

/// Returns +1 or -1 if all diagonal entries are present and have this sign; otherwise 0.
double sign_of_diagonal(const SquarePattern& pattern, const std::vector<double>& values) {
  Index n_positive = 0, n_negative = 0;
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    if (i != j) return;
    n_positive += values[k] > 0.;
    n_negative += values[k] < 0.;
  });
  return n_positive == pattern.n ? 1. : n_negative == pattern.n ? -1. : 0.;
}

/// Returns whether all diagonal entries are present and nonzero. Otherwise the growth of L D L^T is infinite.
template <class Scalar>
bool has_full_diagonal(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  Index n_entries = 0;
  pattern.for_each_entry(
      [&](Index i, Index j, std::size_t k) { n_entries += i == j && values[k] != Scalar(0); });
  return n_entries == pattern.n;
}

/// Checks for null rows and columns. Elimination would find them, too, but could not name them.
/// @throws SingularMatrix if there is one
template <class Scalar>
void check_zero_lines(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  Eigen::ArrayXi n_in_row = Eigen::ArrayXi::Zero(pattern.n), n_in_column = Eigen::ArrayXi::Zero(pattern.n);
  pattern.for_each_entry([&](Index i, Index j, std::size_t k) {
    const bool is_nonzero = values[k] != Scalar(0);
    n_in_row[i] += is_nonzero;
    n_in_column[j] += is_nonzero;
  });
  for (Index i = 0; i < pattern.n; ++i)
    if (n_in_row[i] == 0 || n_in_column[i] == 0)
      throw SingularMatrix(describe(pattern) + " is singular: all entries of its " +
                           (n_in_row[i] == 0 ? "row " : "column ") + std::to_string(i) +
                           " are zero. Give it an entry, or remove it from the system.");
}

[[noreturn]] void refuse(const SquarePattern& pattern, Solver solver, const std::string& why) {
  throw NotAvailable(describe(pattern) + " cannot be given to the solver " + name_of(solver) + ": " + why +
                     ". Choose another solver, or \"automatic\".");
}

}  // namespace

std::string describe(const SquarePattern& pattern) {
  const std::string n = std::to_string(pattern.n);
  return "The " + n + " x " + n + " matrix";
}

void refuse_for_memory(const SquarePattern& pattern, double n_factor_entries) {
  std::ostringstream message;
  message << describe(pattern) << " is too large to be factorized in the memory of this machine";
  if (n_factor_entries > 0.) message << ": its factors hold about " << n_factor_entries << " entries";
  throw NotAvailable(message.str() +
                     ". Take a machine with more memory, or several with the Trilinos engine.");
}

void require_memory(const SquarePattern& pattern, double n_factor_entries, double bytes) {
  constexpr double negligible = 1e8;  // [bytes]; a call of available_memory() takes half a millisecond
  if (bytes < negligible || bytes <= available_memory()) return;
  refuse_for_memory(pattern, n_factor_entries);
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
  bool looked_for_blocks = false;
  std::optional<EqualBlocks> blocks = {};
  std::optional<DirectSolver> of_block = {};

  template <class Package>
  const Package& analysed(std::optional<Package>& package) {
    if (!package) package.emplace(pattern);
    return *package;
  }
  const CholmodSolver& cholesky() {
    if (!analysis->solver) analysis->solver = std::make_shared<CholmodSolver>(pattern, options.solver);
    return *analysis->solver;
  }

  /// Returns the solver that is chosen unless the user names another, as far as it is known before a
  /// factorization.
  Solver automatic_choice(const Values& values);
  double predicted_entries(Solver solver);
  void name_alternative(const Values& values, FactorizationReport& report);
  FactorizationPtr<Scalar> reported(const Values& values, Result (Implementation::*factorize)(const Values&));

  Result by_name(const Values& values);
  Result by_structure(const Values& values);
  Result definite(const Values& values);
  Result by_equal_blocks(const Values& values);
  Result without_pivoting(const Values& values);
  Result with_lu(const Values& values);
  bool may_have_ldlt(const Values& values) {
    return symmetric && has_full_diagonal(*pattern, values) &&
           (std::is_same_v<Scalar, double> || cholesky().is_supernodal());
  }
  bool lu_has_little_fill() {
    const KluSolver<Scalar>& solver = analysed(klu);
    return solver.n_operations() <= most_operations_per_entry_for_klu * solver.n_factor_entries();
  }
  template <class Package>
  Result factorize_with(std::optional<Package>& package, const Values& values) {
    Equilibrated<Scalar> scaled = equilibrated(*pattern, values);
    Result result = with_refinement(analysed(package).factorize(scaled.values), pattern, scaled.values);
    return unscaled(std::move(result), std::move(scaled.row_factors), std::move(scaled.column_factors));
  }
};

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::by_name(const Values& values) {
  Result result;
  if (pattern->n == 0) return factorize_diagonal(*pattern, values);
  switch (options.solver) {
    case Solver::automatic:
      return by_structure(values);
    case Solver::diagonal:
      if (!is_diagonal(*pattern)) refuse(*pattern, Solver::diagonal, "it has entries off the diagonal");
      return factorize_diagonal(*pattern, values);
    case Solver::blocks:
      refuse(*pattern, Solver::blocks, "the Eigen engine has no such solver, but KLU divides it into blocks");
    case Solver::mumps:
      refuse(*pattern, Solver::mumps, "MUMPS needs the Trilinos engine");
    case Solver::krylov:
      refuse(*pattern, Solver::krylov, "Krylov iterations need the Trilinos engine");
    case Solver::umfpack:
      check_zero_lines(*pattern, values);
      result = factorize_with(umfpack, values);
      break;
    case Solver::klu:
      check_zero_lines(*pattern, values);
      result = factorize_with(klu, values);
      break;
    case Solver::cholmod:
      if constexpr (std::is_same_v<Scalar, double>) {
        if (!symmetric) refuse(*pattern, Solver::cholmod, "it is not symmetric, and CHOLMOD is for Cholesky");
        const double sign = sign_of_diagonal(*pattern, values);
        if (sign != 0.) result = cholesky().factorize_by_cholmod(values, sign);
        if (!result) refuse(*pattern, Solver::cholmod, "it is neither positive nor negative definite");
      } else {
        refuse(*pattern, Solver::cholmod,
               "it is complex, and CHOLMOD has no complex symmetric factorization");
      }
      break;
    case Solver::ldlt:
      if (!symmetric) refuse(*pattern, Solver::ldlt, "it is not symmetric");
      result = without_pivoting(values);
      if (!result) refuse(*pattern, Solver::ldlt, "its factors L D L^T without pivoting would be inaccurate");
      break;
  }
  result->report().reason = "named in the options";
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::by_structure(const Values& values) {
  if (is_diagonal(*pattern)) return factorize_diagonal(*pattern, values);
  if (Result result = by_equal_blocks(values)) return result;
  if (symmetric)
    if (Result result = without_pivoting(values)) return result;
  return with_lu(values);
}

/// Factorizes equal blocks; null if there are none, or if they are singular. In the latter case, the
/// factorization of the whole matrix reports the error in its own numbering.
template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::by_equal_blocks(const Values& values) {
  if (!looked_for_blocks) blocks = find_equal_blocks(*pattern);
  looked_for_blocks = true;
  if (!blocks) return nullptr;
  const std::optional<Values> of_one = common_values(*blocks, *pattern, values);
  if (!of_one) return nullptr;
  if (!of_block) {
    of_block.emplace(blocks->pattern, symmetric, options, std::make_shared<CholeskyAnalysis>());
    of_block->implementation_->looked_for_blocks = true;  // a block has no smaller blocks
  }
  try {
    return factorize_equal_blocks(*blocks, of_block->factorize(*of_one));
  } catch (const SingularMatrix&) {
    return nullptr;
  }
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::definite(const Values& values) {
  if (pattern->n == 0) return factorize_diagonal(*pattern, values);
  if constexpr (std::is_same_v<Scalar, double>)
    if (const double sign = symmetric ? sign_of_diagonal(*pattern, values) : 0.; sign != 0.)
      return cholesky().factorize_definite(values, sign);
  return nullptr;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::without_pivoting(
    const Values& values) {
  Result result = definite(values);
  if (!result && may_have_ldlt(values)) result = cholesky().factorize_indefinite(values);
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::with_lu(const Values& values) {
  check_zero_lines(*pattern, values);
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
  // UMFPACK orders a symmetric pattern like CHOLMOD, and stores both factors.
  if (solver == Solver::umfpack)
    return analysis->solver ? 2 * analysis->solver->n_factor_entries() - pattern->n
                            : analysed(umfpack).n_factor_entries();
  return pattern->n;
}

/// Names the alternative solver in the report, with the factor entries that its analysis predicts: the
/// automatic choice, or the next best solver if the automatic choice was used.
template <class Scalar>
void DirectSolver<Scalar>::Implementation::name_alternative(const Values& values,
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
FactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::reported(
    const Values& values, Result (Implementation::*factorize)(const Values&)) {
  const Stage stage("factorize");
  const auto start = std::chrono::steady_clock::now();
  Result result = (this->*factorize)(values);
  if (!result) return nullptr;
  FactorizationReport& report = result->report();
  name_alternative(values, report);
  report.n_rows = pattern->n;
  report.n_entries = pattern->n_entries();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stage.note([&] { return describe(report); });
  return result;
}

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize(const std::vector<Scalar>& values) {
  return implementation_->reported(values, &Implementation::by_name);
}

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize_definite(const std::vector<Scalar>& values) {
  return implementation_->reported(values, &Implementation::definite);
}

template class DirectSolver<double>;
template class DirectSolver<Complex>;

}  // namespace halfdof::internal
