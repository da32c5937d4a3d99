#pragma once

#include <halfdof/linear_algebra/factorization.h>
#include <halfdof/linear_algebra/trilinos/combination.h>

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Inside the Trilinos engine: which direct solver treats a matrix, decided from its structure, and what the
 * solvers have in common. A solver is made for a pattern and factorizes any number of matrices of that
 * pattern.
 */
namespace halfdof::trilinos {

/// The pattern of a square distributed matrix: position of each entry of this process, in global numbering
/// counted from one, as MUMPS wants it.
struct Pattern {
  Partition rows;
  Partition columns;
  bool symmetric = false;     ///< all matrices of this pattern are, and only lower triangles are stored
  GlobalIndex n_entries = 0;  ///< of all processes and of both triangles
  std::vector<int> entry_rows;
  std::vector<int> entry_columns;
};

using PatternPtr = std::shared_ptr<const Pattern>;

/// The order in which MUMPS eliminates, shared by all factorizations of one pattern.
struct Ordering {
  std::string name;            ///< empty as long as it is not known
  std::vector<int> positions;  ///< of each row, from one; on the first process only
};

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

/// Chooses a solver for one pattern, and keeps what it has analysed. All functions are collective.
template <class Scalar>
class DirectSolver {
 public:
  DirectSolver(PatternPtr pattern, std::shared_ptr<Ordering> ordering, const FactorizationOptions& options);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  /// @param values One for each entry of the pattern, finite.
  /// @param A The same matrix as a sum, for products with it.
  /// @throws SingularMatrix, NotAvailable
  FactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values, const Combination<Scalar>& A);

  /// Whether factors may not fit: of a limit in the options, or of many rows that are not diagonal.
  /// Collective.
  bool is_in_doubt() const;
  /// Why they would not: in words, or nothing where they do. Orders the matrix for it. Collective.
  std::string too_large();

  /// Gives back what a dropped factorization has left behind for the next one.
  void drop_idle();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// "The 12 x 12 matrix": how messages speak of a matrix that has no name here.
std::string describe(const Pattern& pattern);

/// Whether no process has an entry off the diagonal, and rows and columns have the same owners. Collective.
bool is_diagonal(const Pattern& pattern);

/// The product of what processes hold of one. Collective.
template <class Scalar>
LogDeterminant<Scalar> product(const Communicator& communicator, const LogDeterminant<Scalar>& here);

/// (-A)^{-1} turned into A^{-1}.
ReportedFactorizationPtr<double> negated(ReportedFactorizationPtr<double> of_negative);

/// Division by the diagonal. @throws SingularMatrix if an entry is zero or missing
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Partition& rows,
                                                    const DenseMatrix<Scalar>& diagonal);
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Pattern& pattern,
                                                    const std::vector<Scalar>& values);

/// Amesos' KLU, which gathers the matrix on the first process. @throws SingularMatrix
ReportedFactorizationPtr<double> factorize_klu(const Pattern& pattern, const std::vector<double>& values);

}  // namespace halfdof::trilinos
