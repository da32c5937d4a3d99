// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>
#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <string>
#include <utility>

namespace halfdof::internal {

void check_factorizable(const EigenMatrix& A, const std::string& name) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput(name + " has " + std::to_string(A.rows().n_global()) + " rows and " +
                       std::to_string(A.columns().n_global()) +
                       " columns, but only a square matrix can be factorized.");
  if (const auto entry = EigenEngine::find_non_finite(A))
    throw InvalidInput(name + " has the entry " + number_text(entry->value) + " in row " +
                       std::to_string(entry->row) + ", column " + std::to_string(entry->column) +
                       ", but only a matrix with finite entries can be factorized. Correct this entry.");
}

namespace {

/// Constructs the solver for the pattern of the nonzero entries of A, and calls factorize(solver, values of
/// these entries).
template <class Factorize>
FactorizationPtr<double> factorize_by_pattern(const EigenMatrix& A, const FactorizationOptions& options,
                                              const Factorize& factorize) {
  check_factorizable(A, "The matrix");
  auto pattern = std::make_shared<SquarePattern>();
  const EigenMatrix::Entries& a = A.entries();
  const Index* starts = a.outerIndexPtr();
  pattern->n = static_cast<Index>(a.cols());
  pattern->starts.resize(static_cast<std::size_t>(a.cols()) + 1);
  pattern->rows.resize(static_cast<std::size_t>(a.nonZeros()));
  std::vector<double> values(static_cast<std::size_t>(a.nonZeros()));
  std::size_t n_entries = 0;
  for (Index j = 0; j < pattern->n; ++j) {
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (a.valuePtr()[k] == 0.) continue;
      pattern->rows[n_entries] = a.innerIndexPtr()[k];
      values[n_entries++] = a.valuePtr()[k];
    }
    pattern->starts[static_cast<std::size_t>(j) + 1] = static_cast<std::int64_t>(n_entries);
  }
  pattern->rows.resize(n_entries);
  values.resize(n_entries);
  const bool symmetric = is_diagonal(*pattern) || EigenEngine::asymmetry(A) <= options.symmetry_tolerance;
  DirectSolver<double> solver(std::move(pattern), symmetric, options, std::make_shared<CholeskyAnalysis>());
  return factorize(solver, values);
}

}  // namespace

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

FactorizationPtr<double> EigenEngine::factorize(const Matrix& A, const FactorizationOptions& options) {
  return factorize_by_pattern(A, options,
                              [](auto& solver, const auto& values) { return solver.factorize(values); });
}

FactorizationPtr<double> EigenEngine::factorize_definite(const Matrix& A) {
  try {
    const FactorizationPtr<double> result = factorize_by_pattern(
        A, {}, [](auto& solver, const auto& values) { return solver.factorize_definite(values); });
    return result && result->report().is_positive_definite ? result : nullptr;
  } catch (const NotAvailable&) {
    return nullptr;
  }
}

}  // namespace halfdof
