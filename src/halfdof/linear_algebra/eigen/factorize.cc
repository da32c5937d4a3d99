#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>
#include <halfdof/linear_algebra/eigen/direct_solver.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <string>
#include <utility>

namespace halfdof {

void check_factorizable(const EigenMatrix& A, const std::string& name) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput(name + " is " + std::to_string(A.rows().n_global()) + " x " +
                       std::to_string(A.columns().n_global()) + ": only a square matrix can be factorized.");
  if (const auto entry = EigenEngine::find_non_finite(A))
    throw InvalidInput(name + " holds the value " + number_text(entry->value) + " in row " +
                       std::to_string(entry->row) + ", column " + std::to_string(entry->column) +
                       ": only finite entries can be factorized.");
}

FactorizationPtr<double> EigenEngine::factorize(const Matrix& A, const FactorizationOptions& options) {
  check_factorizable(A, "The matrix");
  auto pattern = std::make_shared<SquarePattern>();
  std::vector<double> values;
  const EigenMatrix::Storage& a = A.entries();
  pattern->n = static_cast<Index>(a.cols());
  pattern->starts.reserve(static_cast<std::size_t>(a.cols()) + 1);
  pattern->rows.reserve(static_cast<std::size_t>(a.nonZeros()));
  values.reserve(static_cast<std::size_t>(a.nonZeros()));
  pattern->starts.push_back(0);
  for (Index j = 0; j < a.cols(); ++j) {
    for (EigenMatrix::Storage::InnerIterator entry(a, j); entry; ++entry) {
      if (entry.value() == 0.) continue;
      pattern->rows.push_back(entry.row());
      values.push_back(entry.value());
    }
    pattern->starts.push_back(pattern->n_entries());
  }
  const bool symmetric = is_diagonal(*pattern) || asymmetry(A) <= options.symmetry_tolerance;
  return DirectSolver<double>(std::move(pattern), symmetric, options, std::make_shared<CholeskyAnalysis>())
      .factorize(values);
}

FactorizationPtr<double> EigenEngine::factorize_definite(const Matrix& A) {
  FactorizationOptions cholesky;
  cholesky.solver = Solver::cholmod;
  try {
    const FactorizationPtr<double> result = factorize(A, cholesky);
    return result->report().is_positive_definite ? result : nullptr;
  } catch (const NotAvailable&) {
    return nullptr;
  }
}

}  // namespace halfdof
