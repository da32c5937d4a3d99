// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>
#include <halfdof/linear_algebra/trilinos/combination.h>

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Internal interface of the Trilinos engine to the direct solvers, and the choice of a solver from the
 * structure of a matrix. A solver object is constructed for a pattern and factorizes any number of matrices
 * with this pattern.
 */
namespace halfdof::trilinos {

/// The pattern of a square distributed matrix: the row and the column of each entry of this process in global
/// numbering. Rows and columns are counted from one, as MUMPS requires.
struct Pattern {
  Partition rows;
  Partition columns;
  bool symmetric = false;     ///< whether all matrices are symmetric; then only lower triangles are stored
  GlobalIndex n_entries = 0;  ///< number of entries of all processes in both triangles
  std::vector<int> entry_rows;
  std::vector<int> entry_columns;
};

using PatternPtr = std::shared_ptr<const Pattern>;

/// The elimination order of MUMPS, which is shared by all factorizations of one pattern.
struct Ordering {
  std::string name;            ///< "METIS", ...; empty as long as the order is unknown
  std::vector<int> positions;  ///< position of each row, counted from one; on the first process only
};

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

/// Chooses a solver for the matrices of one pattern, and stores the symbolic analyses. All functions are
/// collective.
template <class Scalar>
class DirectSolver {
 public:
  DirectSolver(PatternPtr pattern, std::shared_ptr<Ordering> ordering, const FactorizationOptions& options);
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  /// Factorizes a matrix with the pattern of this object.
  /// @param values One finite value for each entry of the pattern
  /// @param A The same matrix as a linear combination, for products with the matrix
  /// @throws SingularMatrix if the matrix is singular
  /// @throws NotAvailable if the solver in the options cannot treat the matrix
  FactorizationPtr<Scalar> factorize(const std::vector<Scalar>& values, const LinearCombination<Scalar>& A);

  /// Returns whether the factors may not fit into memory, because the options limit the memory or because the
  /// matrix is large, unless the matrix is diagonal. Collective.
  bool may_exceed_memory() const;
  /// Analyses the matrix and returns the reason why its factors do not fit into memory, as text; an empty
  /// text if the factors fit. Collective.
  std::string reason_of_memory();

  /// Frees the MUMPS instance that is stored for the next factorization.
  void release_spare_instance();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Returns the words by which messages call a matrix that has no name: "The 12 x 12 matrix".
std::string describe(const Pattern& pattern);

/// Returns whether no process has an entry off the diagonal, and rows and columns have the same owners.
/// Collective.
bool is_diagonal(const Pattern& pattern);

/// Returns the product of one number of each process, such as the products of the pivots of one process.
/// Collective.
template <class Scalar>
LogDeterminant<Scalar> product(const Communicator& communicator, const LogDeterminant<Scalar>& here);

/// Converts a factorization of -A to a factorization of A.
ReportedFactorizationPtr<double> negated(ReportedFactorizationPtr<double> of_negative);

/// Returns the inverse of a diagonal matrix as a factorization. @throws SingularMatrix if an entry is zero or
/// missing
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Partition& rows,
                                                    const DenseMatrix<Scalar>& diagonal);
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const Pattern& pattern,
                                                    const std::vector<Scalar>& values);

/// Factorizes a matrix with KLU of Amesos, which gathers the matrix on the first process. @throws
/// SingularMatrix
ReportedFactorizationPtr<double> factorize_klu(const Pattern& pattern, const std::vector<double>& values);

}  // namespace halfdof::trilinos
