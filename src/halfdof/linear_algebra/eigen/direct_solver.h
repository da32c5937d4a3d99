#pragma once

#include <halfdof/linear_algebra/factorization.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Inside the Eigen engine: which direct solver treats a matrix, decided from its structure, and the one
 * interface behind which the packages stand. A solver is made for a pattern, analyses it once, and
 * factorizes any number of matrices of that pattern.
 */
namespace halfdof {

class EigenMatrix;

/// The pattern of a square matrix by columns, rows ascending, in the 64-bit indices of SuiteSparse (a factor
/// may hold more than 2^31 entries even where its matrix does not).
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

/// A factorization whose report its makers complete before they hand it out.
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

/// That of one pattern, made when it is first needed. It serves real and complex matrices.
struct CholeskyAnalysis {
  std::shared_ptr<const CholmodSolver> solver;
};

/// Chooses among the packages for one pattern, and keeps their symbolic analyses.
template <class Scalar>
class DirectSolver {
 public:
  /// @param symmetric Whether all matrices to come are symmetric.
  /// @param analysis Shared by solvers for the same pattern.
  DirectSolver(PatternPtr pattern, bool symmetric, const FactorizationOptions& options,
               std::shared_ptr<CholeskyAnalysis> analysis);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  /// @param values One for each entry of the pattern, finite.
  /// @throws SingularMatrix, NotAvailable
  FactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// "The 12 x 12 matrix": how messages speak of a matrix that has no name here.
std::string describe(const SquarePattern& pattern);

/// @throws NotAvailable: the factors do not fit into memory. @param n_factor_entries Predicted; 0 if unknown.
[[noreturn]] void refuse_for_memory(const SquarePattern& pattern, double n_factor_entries);

/// Before a factorization starts: the system might grant memory that it does not have, and end the program
/// later. @param bytes That the factors need at least @throws NotAvailable if they exceed memory_left()
void require_memory(const SquarePattern& pattern, double n_factor_entries, double bytes);

/// @throws InvalidInput unless A is square and all its entries are finite. @param name "The matrix", "M", ...
void check_factorizable(const EigenMatrix& A, const std::string& name);

}  // namespace halfdof
