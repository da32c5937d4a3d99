// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Internal interface of the Eigen engine to the packages with direct solvers, and the choice of a solver from
 * the structure of a matrix. A solver is constructed for a pattern, analyses it once, and factorizes any
 * number of matrices of that pattern.
 */
namespace halfdof {

class EigenMatrix;

}  // namespace halfdof

namespace halfdof::internal {

/// The pattern of a square matrix by columns with ascending rows. It has the 64-bit indices of SuiteSparse,
/// because a factor may have more than 2^31 entries even if its matrix has fewer.
struct SquarePattern {
  Index n = 0;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> rows;

  std::int64_t n_entries() const { return static_cast<std::int64_t>(rows.size()); }

  /// Calls visit(row, column, position) for all entries, column by column.
  template <class Visit>
  void for_each_entry(const Visit& visit) const {
    std::size_t k = 0;
    for (Index j = 0; j < n; ++j)
      for (const auto end = static_cast<std::size_t>(starts[static_cast<std::size_t>(j) + 1]); k < end; ++k)
        visit(static_cast<Index>(rows[k]), j, k);
  }
};

using PatternPtr = std::shared_ptr<const SquarePattern>;

/// A factorization with a report that is completed after its construction.
template <class Scalar>
class ReportedFactorization : public Factorization<Scalar> {
 public:
  const FactorizationReport& report() const override { return report_; }
  FactorizationReport& report() { return report_; }

 private:
  FactorizationReport report_;
};

template <class Scalar>
using ReportedFactorizationPtr = std::unique_ptr<ReportedFactorization<Scalar>>;

class CholmodSolver;

/// The Cholesky analysis of one pattern, computed when it is first needed. It serves real and complex
/// matrices.
struct CholeskyAnalysis {
  std::shared_ptr<const CholmodSolver> solver;
};

/// Chooses a package for the matrices of one pattern, and keeps the symbolic analyses.
template <class Scalar>
class DirectSolver {
 public:
  /// @param symmetric Whether all matrices that will be factorized are symmetric
  /// @param analysis Shared by the real and the complex solver for one pattern
  DirectSolver(PatternPtr pattern, bool symmetric, const FactorizationOptions& options,
               std::shared_ptr<CholeskyAnalysis> analysis);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  /// @param values One finite value for each entry of the pattern
  /// @throws SingularMatrix, NotAvailable
  FactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);
  /// Factorizes a definite matrix of either sign; null if the matrix is another one.
  FactorizationPtr<Scalar> factorize_definite(const std::vector<Scalar>& values);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Returns a description of a matrix without a name for messages: "The 12 x 12 matrix".
std::string describe(const SquarePattern& pattern);

/// Reports that the factors do not fit into memory. @param n_factor_entries Predicted number; 0 if unknown
/// @throws NotAvailable always
[[noreturn]] void refuse_for_memory(const SquarePattern& pattern, double n_factor_entries);

/// Checks the memory before a factorization starts: otherwise the operating system might grant memory that it
/// does not have, and end the program later.
/// @param bytes Memory that the factors need at least
/// @throws NotAvailable if this exceeds available_memory()
void require_memory(const SquarePattern& pattern, double n_factor_entries, double bytes);

/// @param name The name of A in messages: "The matrix", "M", ...
/// @throws InvalidInput unless A is square and all its entries are finite
void check_factorizable(const EigenMatrix& A, const std::string& name);

}  // namespace halfdof::internal
