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
 * the structure of a matrix. A solver object is constructed for a pattern, which it analyses once, and
 * factorizes any number of matrices with this pattern.
 */
namespace halfdof {

class EigenMatrix;

}  // namespace halfdof

namespace halfdof::internal {

/// The pattern of a square matrix in compressed columns with ascending rows. The indices have the 64 bits
/// that SuiteSparse uses for factors, which may have more than 2^31 entries even if their matrix has fewer.
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

/// A factorization whose report is completed after the construction of the factorization.
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

/// The symbolic Cholesky analysis of one pattern, which is computed when it is first needed. One analysis
/// serves real and complex matrices.
struct CholeskyAnalysis {
  std::shared_ptr<const CholmodSolver> solver;
};

/// Chooses the package that factorizes the matrices of one pattern, and stores the symbolic analyses.
template <class Scalar>
class DirectSolver {
 public:
  /// @param symmetric Whether all matrices that will be factorized are symmetric
  /// @param analysis The Cholesky analysis, which the real and the complex solver for one pattern share
  DirectSolver(PatternPtr pattern, bool symmetric, const FactorizationOptions& options,
               std::shared_ptr<CholeskyAnalysis> analysis);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  /// Factorizes a matrix with the pattern of this object.
  /// @param values One finite value for each entry of the pattern
  /// @throws SingularMatrix if the matrix is singular
  /// @throws NotAvailable if the solver in the options cannot treat the matrix, or the memory does not
  /// suffice
  FactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);
  /// Factorizes a positive or negative definite matrix; the result is null if the matrix is not definite.
  FactorizationPtr<Scalar> factorize_definite(const std::vector<Scalar>& values);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Returns a description of a matrix without a name for messages: "The 12 x 12 matrix".
std::string describe(const SquarePattern& pattern);

/// Throws the exception for factors that do not fit into the memory. @param n_factor_entries Predicted number
/// of entries of the factors; 0 if unknown
/// @throws NotAvailable always
[[noreturn]] void throw_out_of_memory(const SquarePattern& pattern, double n_factor_entries);

/// Checks before a factorization that the memory suffices. Without this check, the operating system might
/// promise memory that it does not have, and end the program later.
/// @param bytes Memory that the factors need at least
/// @throws NotAvailable if `bytes` exceeds available_memory()
void require_memory(const SquarePattern& pattern, double n_factor_entries, double bytes);

/// Checks that a matrix can be factorized.
/// @param name The name of A in messages: "The matrix", "M", ...
/// @throws InvalidInput unless A is square and all its entries are finite
void check_factorizable(const EigenMatrix& A, const std::string& name);

}  // namespace halfdof::internal
