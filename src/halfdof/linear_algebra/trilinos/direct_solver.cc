// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/available_memory.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/trilinos/block_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>
#include <halfdof/linear_algebra/trilinos/mumps_solver.h>
#include <halfdof/linear_algebra/trilinos/refinement.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <type_traits>
#include <utility>

namespace halfdof::trilinos {

using namespace internal;

namespace {

/// Number of successive failures after which no definite factorization is tried for matrices of a pattern.
constexpr int max_definite_attempts = 2;

/// Number of rows from which the memory is checked before a factorization. Smaller matrices are checked only
/// if the options limit the memory: the factors of half a million rows in 3D take about 5 GB.
constexpr GlobalIndex min_rows_for_memory_check = 300000;
/// Fraction of the available memory that the factors of a matrix may take.
constexpr double largest_part_of_memory = 0.6;

/// Returns the memory [bytes] that is available to each process: the minimum over all processes. Collective.
double least_available_memory(const Communicator& communicator) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(mpi_handle(communicator), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int n_here = 1;
  MPI_Comm_size(machine, &n_here);
  MPI_Comm_free(&machine);
  return -communicator.max(-available_memory(n_here));
}

[[noreturn]] void throw_unsuitable_solver(const Pattern& pattern, Solver solver, const std::string& why) {
  throw NotAvailable(describe(pattern) + " cannot be factorized by the solver " + name_of(solver) + ": " +
                     why + ". Choose another solver, or \"automatic\".");
}

/// Returns the common sign +1 or -1 of all diagonal entries; 0 if the signs differ or a diagonal entry is
/// missing. Collective.
double sign_of_diagonal(const Pattern& pattern, const std::vector<double>& values) {
  double n_positive = 0, n_negative = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (pattern.entry_rows[k] == pattern.entry_columns[k]) {
      n_positive += values[k] > 0 ? 1 : 0;
      n_negative += values[k] < 0 ? 1 : 0;
    }
  double counts[] = {n_positive, n_negative};
  pattern.rows.communicator().sum(counts, 2);
  const auto n = static_cast<double>(pattern.rows.n_global());
  return counts[0] == n ? 1. : counts[1] == n ? -1. : 0.;
}

}  // namespace

std::string describe(const Pattern& pattern) {
  const std::string n = std::to_string(pattern.rows.n_global());
  return "The " + n + " x " + n + " matrix";
}

template <class Scalar>
struct DirectSolver<Scalar>::Implementation {
  using Values = std::vector<Scalar>;
  using Result = ReportedFactorizationPtr<Scalar>;

  PatternPtr pattern;
  std::shared_ptr<Ordering> ordering;
  FactorizationOptions options;
  int n_indefinite = 0;  ///< successive matrices with a diagonal of one sign that were not definite
  std::unique_ptr<MumpsSolver<Scalar>> definite, general;
  double mumps_entries = 0;  ///< predicted number of entries of the factors of MUMPS if KLU is used

  /// Factorizes with the solver that the options name, or with the automatic choice.
  Result factorize_by_named_solver(const Values& values, const LinearCombination<Scalar>& A);
  Result factorize_with_mumps(const Values& values);
  Result factorize_with_klu(const Values& values);
  double predicted_memory();
  Result factorize_definite(const std::vector<double>& values);
};

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_by_named_solver(
    const Values& values, const LinearCombination<Scalar>& A) {
  const bool diagonal = is_diagonal(*pattern);
  Result result;
  switch (options.solver) {
    case Solver::automatic:
      if (diagonal) return factorize_diagonal(*pattern, values);
      result = factorize_blocks(A, options.symmetry_tolerance);
      return result ? std::move(result) : factorize_with_mumps(values);
    case Solver::blocks:
      result = factorize_blocks(A, options.symmetry_tolerance);
      if (!result)
        throw_unsuitable_solver(
            *pattern, options.solver,
            "it does not consist of small uncoupled blocks that each belong to one process");
      return result;
    case Solver::mumps:
      return factorize_with_mumps(values);
    case Solver::diagonal:
      if (!diagonal) throw_unsuitable_solver(*pattern, options.solver, "it has entries off the diagonal");
      return factorize_diagonal(*pattern, values);
    case Solver::klu:
      return factorize_with_klu(values);
    case Solver::krylov:
      throw_unsuitable_solver(*pattern, options.solver,
                              "it is complex, but the preconditioners exist for real matrices only");
    case Solver::cholmod:
    case Solver::ldlt:
    case Solver::umfpack:
      break;
  }
  throw_unsuitable_solver(
      *pattern, options.solver,
      "this solver is available only without MPI (Eigen engine); the solvers with MPI are \"mumps\", "
      "\"klu\", \"krylov\", \"blocks\" and \"diagonal\"");
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_with_mumps(
    const Values& values) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (pattern->symmetric && n_indefinite < max_definite_attempts)
      if (Result result = factorize_definite(values)) return result;
  if (!general) {
    const auto symmetry = pattern->symmetric ? MumpsSymmetry::symmetric : MumpsSymmetry::unsymmetric;
    general = std::make_unique<MumpsSolver<Scalar>>(pattern, symmetry, ordering);
  }
  Result result = general->factorize(values);
  result->report().reason = !pattern->symmetric              ? "unsymmetric"
                            : std::is_same_v<Scalar, double> ? "symmetric indefinite"
                                                             : "complex symmetric";
  return result;
}

/// Factorizes a positive or negative definite real matrix with MUMPS; the result is null if the matrix is not
/// definite.
template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_definite(
    const std::vector<double>& values) {
  if constexpr (std::is_same_v<Scalar, double>) {
    const double sign = sign_of_diagonal(*pattern, values);
    if (sign == 0.) return nullptr;
    if (!definite)
      definite = std::make_unique<MumpsSolver<double>>(pattern, MumpsSymmetry::definite, ordering);
    std::vector<double> signed_values = values;
    if (sign < 0) std::transform(values.begin(), values.end(), signed_values.begin(), std::negate<>());
    Result result = definite->factorize(signed_values);
    n_indefinite = result ? 0 : n_indefinite + 1;
    if (!result) {
      definite.reset();
      return nullptr;
    }
    result->report().reason = sign > 0 ? "symmetric positive definite" : "symmetric negative definite";
    result->report().is_positive_definite = sign > 0;
    if (sign > 0) return result;
    return negated(std::move(result));
  } else {
    return nullptr;
  }
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::factorize_with_klu(
    const Values& values) {
  if constexpr (std::is_same_v<Scalar, double>) {
    Result result = factorize_klu(*pattern, values);
    if (mumps_entries == 0 && pattern->rows.n_global() > 0)
      mumps_entries = MumpsSolver<double>(pattern, MumpsSymmetry::unsymmetric, ordering).n_factor_entries();
    result->report().alternative_factor_entries = mumps_entries;
    return result;
  } else {
    throw_unsuitable_solver(*pattern, Solver::klu,
                            "it is complex, but KLU of Amesos factorizes real matrices only");
  }
}

/// Returns the predicted memory [bytes] of the process that needs the most memory.
template <class Scalar>
double DirectSolver<Scalar>::Implementation::predicted_memory() {
  std::unique_ptr<MumpsSolver<Scalar>>& solver = pattern->symmetric ? definite : general;
  const auto symmetry = pattern->symmetric ? MumpsSymmetry::definite : MumpsSymmetry::unsymmetric;
  if (!solver) solver = std::make_unique<MumpsSolver<Scalar>>(pattern, symmetry, ordering);
  return solver->predicted_memory();
}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(PatternPtr pattern, std::shared_ptr<Ordering> ordering,
                                   const FactorizationOptions& options)
    : implementation_(new Implementation{std::move(pattern), std::move(ordering), options, 0, {}, {}, 0}) {
  if (std::isfinite(options.memory) && options.memory >= 0) return;
  std::ostringstream text;
  text << "The limit for the factors of a matrix is " << options.memory
       << " bytes of memory on each process, but it must be finite and not negative. Give the largest number "
          "of bytes, or 0 for three fifths of the available memory.";
  throw InvalidInput(text.str());
}

template <class Scalar>
DirectSolver<Scalar>::~DirectSolver() = default;
template <class Scalar>
DirectSolver<Scalar>::DirectSolver(DirectSolver&&) noexcept = default;
template <class Scalar>
DirectSolver<Scalar>& DirectSolver<Scalar>::operator=(DirectSolver&&) noexcept = default;

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize(const std::vector<Scalar>& values,
                                                         const LinearCombination<Scalar>& A) {
  const StageTimer stage("factorize");
  const double start = MPI_Wtime();
  const Pattern& pattern = *implementation_->pattern;
  ReportedFactorizationPtr<Scalar> result = implementation_->factorize_by_named_solver(values, A);
  if (result->report().solver != Solver::diagonal) result = check_accuracy(std::move(result), A);
  FactorizationReport& report = result->report();
  if (implementation_->options.solver != Solver::automatic) report.reason = "named in the options";
  report.n_rows = pattern.rows.n_global();
  report.n_entries = pattern.n_entries;
  report.seconds = MPI_Wtime() - start;
  stage.note([&] { return describe(report); });
  return result;
}

template <class Scalar>
bool DirectSolver<Scalar>::may_exceed_memory() const {
  const Pattern& pattern = *implementation_->pattern;
  const bool has_many_rows = pattern.rows.n_global() >= min_rows_for_memory_check;
  return (implementation_->options.memory > 0 || has_many_rows) && !is_diagonal(pattern);
}

template <class Scalar>
std::string DirectSolver<Scalar>::reason_of_memory() {
  double available = implementation_->options.memory;
  if (available == 0)
    available =
        largest_part_of_memory * least_available_memory(implementation_->pattern->rows.communicator());
  const double needed = implementation_->predicted_memory();
  if (!(needed > available)) return "";
  release_spare_instance();
  std::ostringstream text;
  text.precision(3);
  text << "MUMPS would need " << needed / 1e9 << " GB on some process, but only " << available / 1e9
       << " GB are allowed";
  return text.str();
}

template <class Scalar>
void DirectSolver<Scalar>::release_spare_instance() {
  for (const auto& solver : {implementation_->definite.get(), implementation_->general.get()})
    if (solver) solver->release_spare_instance();
}

template class DirectSolver<double>;
template class DirectSolver<Complex>;

}  // namespace halfdof::trilinos
