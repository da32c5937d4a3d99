#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/cholmod_solver.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>
#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/equilibration.h>
#include <halfdof/linear_algebra/eigen/klu_solver.h>
#include <halfdof/linear_algebra/eigen/refinement.h>
#include <halfdof/linear_algebra/eigen/umfpack_solver.h>

#include <chrono>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

namespace halfdof {

namespace {

/// Below this many operations for each entry of the factors, dense kernels (UMFPACK) gain nothing over one
/// entry after the other (KLU).
constexpr double most_operations_per_entry_for_klu = 60;

/// The same for L D L^T, which CHOLMOD has without dense kernels only; UMFPACK does twice the operations.
constexpr double most_operations_per_entry_for_ldlt = 200;

/// +1 or -1 where all diagonal entries are present and have that sign; otherwise 0.
double sign_of_diagonal(const SquarePattern& pattern, const std::vector<double>& values) {
  double sign = 0;
  for (Index j = 0; j < pattern.n; ++j) {
    double diagonal = 0;
    for (auto k = pattern.starts[static_cast<std::size_t>(j)];
         k < pattern.starts[static_cast<std::size_t>(j) + 1]; ++k)
      if (pattern.rows[static_cast<std::size_t>(k)] == j) diagonal = values[static_cast<std::size_t>(k)];
    if (sign == 0.) sign = diagonal > 0. ? 1. : -1.;
    if (!(sign * diagonal > 0.)) return 0;
  }
  return sign;
}

/// Elimination would find it too, but could not say where.
template <class Scalar>
void check_zero_lines(const SquarePattern& pattern, const std::vector<Scalar>& values) {
  std::vector<char> row_is_zero(static_cast<std::size_t>(pattern.n), 1);
  const auto check = [&](bool is_zero, const char* line, Index index) {
    if (is_zero)
      throw SingularMatrix(describe(pattern) + " is singular: all entries of its " + line + " " +
                           std::to_string(index) + " are zero.");
  };
  for (Index j = 0; j < pattern.n; ++j) {
    bool column_is_zero = true;
    for (auto k = static_cast<std::size_t>(pattern.starts[static_cast<std::size_t>(j)]);
         k < static_cast<std::size_t>(pattern.starts[static_cast<std::size_t>(j) + 1]); ++k) {
      if (values[k] == Scalar(0)) continue;
      column_is_zero = false;
      row_is_zero[static_cast<std::size_t>(pattern.rows[k])] = 0;
    }
    check(column_is_zero, "column", j);
  }
  for (Index i = 0; i < pattern.n; ++i)
    check(row_is_zero[static_cast<std::size_t>(i)] != 0, "row", i);
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

template <class Scalar>
struct DirectSolver<Scalar>::Implementation {
  using Values = std::vector<Scalar>;
  using Result = ReportedFactorizationPtr<Scalar>;

  PatternPtr pattern;
  bool symmetric;
  FactorizationOptions options;
  std::optional<CholmodSolver> cholmod;
  std::optional<UmfpackSolver<Scalar>> umfpack;
  std::optional<KluSolver<Scalar>> klu;

  template <class Package>
  const Package& analysed(std::optional<Package>& package) {
    if (!package) package.emplace(pattern);
    return *package;
  }

  Result by_name(const Values& values);
  Result by_structure(const Values& values);
  Result symmetric_real(const std::vector<double>& values);
  Result with_lu(const Values& values);
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
    case Solver::mumps:
      refuse(*pattern, Solver::mumps, "MUMPS needs the Trilinos engine");
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
        if (sign != 0.) result = analysed(cholmod).factorize_definite(values, sign);
        if (!result) refuse(*pattern, Solver::cholmod, "it is neither positive nor negative definite");
      } else {
        refuse(*pattern, Solver::cholmod,
               "it is complex, and CHOLMOD has no complex symmetric factorization");
      }
      break;
  }
  result->report().reason = "named in the options";
  return result;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::by_structure(const Values& values) {
  if (is_diagonal(*pattern)) return factorize_diagonal(*pattern, values);
  if constexpr (std::is_same_v<Scalar, double>)
    if (symmetric)
      if (Result result = symmetric_real(values)) return result;
  return with_lu(values);
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::symmetric_real(
    const std::vector<double>& values) {
  if constexpr (std::is_same_v<Scalar, double>) {
    const double sign = sign_of_diagonal(*pattern, values);
    Result result = sign != 0. ? analysed(cholmod).factorize_definite(values, sign) : nullptr;
    const CholmodSolver& solver = analysed(cholmod);
    if (!result && solver.n_operations() <= most_operations_per_entry_for_ldlt * solver.n_factor_entries())
      result = solver.factorize_indefinite(values);
    if (!result) return nullptr;
    // UMFPACK orders a symmetric pattern as CHOLMOD does, and stores both factors.
    result->report().alternative = Solver::umfpack;
    result->report().alternative_factor_entries = 2 * solver.n_factor_entries() - pattern->n;
    return result;
  } else {
    return nullptr;
  }
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> DirectSolver<Scalar>::Implementation::with_lu(const Values& values) {
  check_zero_lines(*pattern, values);
  const KluSolver<Scalar>& by_klu = analysed(klu);
  const bool sparse = by_klu.n_operations() <= most_operations_per_entry_for_klu * by_klu.n_factor_entries();
  Result result = sparse ? factorize_with(klu, values) : factorize_with(umfpack, values);
  FactorizationReport& report = result->report();
  report.reason = std::string(symmetric ? "symmetric indefinite" : "unsymmetric") +
                  (sparse ? ", little fill" : ", large fill");
  report.alternative = sparse ? Solver::umfpack : Solver::klu;
  report.alternative_factor_entries = sparse ? 0 : by_klu.n_factor_entries();
  return result;
}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(PatternPtr pattern, bool symmetric, const FactorizationOptions& options)
    : implementation_(new Implementation{std::move(pattern), symmetric, options, {}, {}, {}}) {}

template <class Scalar>
DirectSolver<Scalar>::~DirectSolver() = default;
template <class Scalar>
DirectSolver<Scalar>::DirectSolver(DirectSolver&&) noexcept = default;
template <class Scalar>
DirectSolver<Scalar>& DirectSolver<Scalar>::operator=(DirectSolver&&) noexcept = default;

template <class Scalar>
FactorizationPtr<Scalar> DirectSolver<Scalar>::factorize(const std::vector<Scalar>& values) {
  const auto start = std::chrono::steady_clock::now();
  ReportedFactorizationPtr<Scalar> result = implementation_->by_name(values);
  FactorizationReport& report = result->report();
  report.n_rows = implementation_->pattern->n;
  report.n_entries = implementation_->pattern->n_entries();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template class DirectSolver<double>;
template class DirectSolver<Complex>;

}  // namespace halfdof
