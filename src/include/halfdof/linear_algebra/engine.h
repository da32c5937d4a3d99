// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>

/**
 * @file
 * The engine concept: the types and functions that algorithms require of a sparse-matrix package.
 *
 * Every algorithm is a template over `Engine` and is written once; EigenEngine (one machine, Eigen and
 * SuiteSparse) and TrilinosEngine (MPI, Epetra and MUMPS) provide
 *
 * - `Matrix`: a sparse real matrix, constant and cheap to copy: `rows()`, `columns()` (Partition),
 *   `n_local_entries()`, `add_product(alpha, x, y)` (y += alpha A x), `add_transposed_product(alpha, x, y)`;
 * - `Pencil`: the matrices P(a, b, c) = a M + b C + c K for any numbers a, b, c: `factorize(a, b, c)` for
 *   double and for Complex; one symbolic analysis serves all factorizations;
 * - `column_norms(A)`, `row_norms(A)`: 1-norm of each owned column or row (stored zeros do not count);
 *   `column_norms(A, rows)`: the 1-norms of the columns restricted to some owned rows of every process;
 *   `scaled_norms(A, r, c)`: the row and column norms of the matrix (r_i c_j) a_ij, which is not formed;
 * - `find_non_finite(A)`: the first NaN or infinite entry in numbering order;
 * - `select_columns(M, C, K, source)`: the matrix whose column j is column j of the matrix that source[j]
 *   names, without stored zeros;
 * - `submatrix(A, rows, columns)`: the entries of A in the selected rows and columns, without stored zeros;
 *   if all rows and columns are selected, the result shares the entries of A;
 * - `row_blocks(A, rows, columns)`: the submatrices for several disjoint selections of rows, in one pass over
 *   the columns;
 * - `triple_product(T, A, S)`: T^T A S, without stored zeros;
 * - `asymmetry(A)`: maximum of \|a_ij - a_ji\| / sqrt(column norm i * column norm j);
 * - `from_rows(owned, rows, columns)`, `diagonal(d, partition)`, `sum(alpha, A, beta, B)`, `scaled(A, r, c)`
 *   (the entries (r_i c_j) a_ij, so that a symmetric matrix stays exactly symmetric for r = c): builders;
 * - `to_rows(A)`: the OwnedRows of a matrix, the inverse of `from_rows`;
 * - `factorize(A, options)`: a Factorization<double>; throws SingularMatrix;
 * - `factorize_definite(A)`: a factorization of a symmetric positive definite A; a null pointer if the
 *   Cholesky factorization or the conjugate gradients find that A is not positive definite. The library tests
 *   definiteness by this function;
 * - `to_dense(A)`: all of A on every process, for small systems.
 *
 * Matrices, partitions and vectors of one system share one Communicator. Functions are collective.
 */
namespace halfdof {

/// The solvers for linear systems: direct solvers and preconditioned Krylov iterations. `automatic` chooses a
/// direct solver from the structure and the size of the matrix; under MPI it chooses Krylov iterations if the
/// factors would be too large. `blocks` factorizes small uncoupled diagonal blocks as dense matrices. `ldlt`
/// is halfdof's own factorization L D L^T by dense blocks without pivoting, for symmetric matrices: definite,
/// quasi-definite and complex ones.
enum class Solver { automatic, diagonal, blocks, cholmod, umfpack, klu, mumps, krylov, ldlt };

/// Returns the lower-case name that the program prints and reads: "cholmod", ...
const char* name_of(Solver solver);

/// Returns the solver with the given name. @throws InvalidInput if no solver has this name; the message lists
/// all solvers
Solver solver_from_name(const std::string& name);

struct FactorizationOptions {
  /// The solver to use. A solver other than `automatic` that cannot treat the matrix throws NotAvailable.
  Solver solver = Solver::automatic;
  /// A matrix counts as symmetric if no |a_ij - a_ji| is larger than this number times the geometric mean of
  /// the 1-norms of columns i and j. Zero would be too strict, because assembled sums differ by rounding.
  double symmetry_tolerance = 1e-14;
  /// Tolerance of Krylov iterations for the residual |b - A x| relative to |b|. A residual that is as small
  /// as the rounding error of the product A x is accepted as well.
  double tolerance = 1e-14;
  /// The near null space for multigrid: vectors x with small A x, for example the rigid motions of an elastic
  /// body. Shape: local rows x k; if it is empty, multigrid uses constant vectors.
  MultiVector near_null_space = {};
  /// Largest memory that the factors of one real matrix may need on each process [bytes], under MPI: if the
  /// factors need more memory, `automatic` uses Krylov iterations. 0 means three fifths of the available
  /// memory. Complex matrices are always factorized.
  double memory = 0;
};

/// Options for finding the kernels of sparse matrices, see kernel_blocks().
struct KernelOptions {
  /// Largest number of columns of a connected block whose kernel is found by a dense singular value
  /// decomposition; the kernels of larger blocks are found by a sparse QR factorization.
  Index max_dense = 1000;
  /// Largest number of columns on which a group of connected kernel vectors may be nonzero: the change of
  /// basis of these columns is dense.
  Index max_group = 3000;
};

/// The chosen solver, the reason for the choice, and the cost of the factorization. Counts are sums over all
/// processes.
struct FactorizationReport {
  Solver solver = Solver::automatic;
  std::string reason;          ///< one clause: "symmetric positive definite", ...
  std::string ordering;        ///< "AMD", "METIS", ...; empty if the solver has none
  std::string iteration = {};  ///< "conjugate gradients, multigrid with 4 levels"; empty for factorizations
  int n_steps = 0;             ///< number of iterations in a trial solve
  GlobalIndex n_rows = 0;
  GlobalIndex n_entries = 0;         ///< entries of the matrix
  GlobalIndex n_factor_entries = 0;  ///< entries of the factors; 0 if the package does not report them
  double largest_share = 1;          ///< largest share of one process in the factor entries
  double seconds = 0;                ///< wall time of analysis and factorization [s]
  double bytes = 0;                  ///< memory of the factors [bytes]; 0 if the package does not report it
  /// Whether the matrix is symmetric and Cholesky or conjugate gradients found it to be positive definite.
  bool is_positive_definite = false;
  /// The second best solver, or the automatic choice if the options name another solver. If `alternative`
  /// equals `solver`, the alternative is the same solver without use of symmetry.
  Solver alternative = Solver::automatic;
  double alternative_factor_entries = 0;  ///< predicted factor entries of the alternative; 0 if unknown
};

/// Returns the report as text, for example "cholmod, METIS: 1200 rows, 9800 entries, 52000 in the factors,
/// 0.9 MB; symmetric positive definite".
std::string describe(const FactorizationReport& report);

/// A determinant in the form @f$ e^m \varphi,\ |\varphi| = 1 @f$: the determinant of a large matrix overflows
/// or underflows as a floating-point number. For real matrices phi is the sign. Scalar is double or Complex.
template <class Scalar>
struct LogDeterminant {
  double log_modulus = 0;  ///< m
  Scalar phase = 1;        ///< phi

  /// Multiplies by a factor that is neither zero nor infinite nor NaN.
  LogDeterminant& operator*=(Scalar factor) {
    const double modulus = std::abs(factor);
    log_modulus += std::log(modulus);
    phase *= factor / modulus;
    return *this;
  }
  LogDeterminant& operator*=(const LogDeterminant& other) {
    log_modulus += other.log_modulus;
    phase *= other.phase;
    return *this;
  }
};

/// The numbers of positive and negative eigenvalues of a regular real symmetric matrix.
struct MatrixInertia {
  GlobalIndex n_positive = 0;
  GlobalIndex n_negative = 0;
};

/**
 * A factorized square matrix A: @f$ x = A^{-1} b @f$ and @f$ x = A^{-T} b @f$ for one or several right-hand
 * sides (one column each; one call for several right-hand sides is cheaper than several calls). Shapes: b and
 * x have the local rows of A. Collective. Only one thread at a time may use an object, although the functions
 * are const: copies of a FactorizationPtr share the object.
 */
template <class Scalar>
class Factorization {
 public:
  virtual ~Factorization() = default;

  /// Returns A^{-1} b.
  virtual DenseMatrix<Scalar> solve(ConstView<Scalar> b) const = 0;

  /// Returns A^{-T} b (transposed, not conjugated).
  virtual DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const = 0;

  /// Returns an approximation of A^{-1} b with only a few correct digits, which suffices for estimates, if an
  /// approximation is cheaper than the full solution; otherwise returns the full solution.
  virtual DenseMatrix<Scalar> rough_solve(ConstView<Scalar> b) const { return solve(b); }
  virtual DenseMatrix<Scalar> rough_solve_transposed(ConstView<Scalar> b) const {
    return solve_transposed(b);
  }

  /**
   * The two halves of a solve, @f$ A^{-1} b = @f$ `backward(forward(b))`. If the package offers them
   * (CHOLMOD, UMFPACK), they are the solves with the two triangular factors, and for a vector h with few
   * nonzero entries, `forward(h)` and `transposed_backward(h)` have few nonzero entries, too. Otherwise
   * forward() is solve(), and backward() is the identity.
   *
   * Shapes: as solve(). The intermediate vector z has the order and the scaling of the package: it may only
   * be combined linearly with other such vectors, passed to backward(), or multiplied by
   * transposed_backward().
   */
  virtual DenseMatrix<Scalar> forward(ConstView<Scalar> b) const { return solve(b); }
  virtual DenseMatrix<Scalar> backward(ConstView<Scalar> z) const { return z; }
  /// Compute forward(b) and backward(z) in place. These functions serve systems that are so small that the
  /// allocation of a result costs more than a solve.
  virtual void forward_in_place(DenseMatrix<Scalar>& b) const { b = forward(b); }
  virtual void backward_in_place(DenseMatrix<Scalar>& z) const { z = backward(z); }
  /// Returns the vector g with @f$ g^T z = h^T @f$ `backward(z)` for every z (transposed, not conjugated).
  virtual DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const { return h; }

  virtual const FactorizationReport& report() const = 0;

  /// Returns det A as the product of the pivots. This product is the exact determinant of a matrix that
  /// differs from A by the backward error of the factorization. Collective.
  /// @throws NotAvailable if the package does not provide it, or the solver is an iteration
  virtual LogDeterminant<Scalar> log_determinant() const;

  /**
   * Returns the numbers of positive and negative eigenvalues of a symmetric A, from the signs of its pivots
   * (Sylvester's law of inertia); no value if A was not factorized as a symmetric matrix, or is complex. The
   * numbers are exact for a matrix that differs from A by the backward error of the factorization. This error
   * is in each entry at most a few units in the last place of @f$ \sqrt{|a_{ii} a_{jj}|} @f$ times
   * CholmodSolver::largest_growth. The numbers are wrong for A only if this error can move an eigenvalue of A
   * across zero.
   */
  virtual std::optional<MatrixInertia> inertia() const { return std::nullopt; }
};

template <class Scalar>
using FactorizationPtr = std::shared_ptr<const Factorization<Scalar>>;

/// The matrix from which a column of the mixed-column matrix D is taken.
enum class ColumnSource : unsigned char { mass, damping, stiffness };

/// The rows of a sparse matrix that one process owns, in the order of the Partition of the rows. Columns have
/// global numbers.
using OwnedRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The place and the value of a NaN or infinite entry of a matrix.
struct NonFiniteEntry {
  GlobalIndex row = -1;
  GlobalIndex column = -1;
  double value = 0;
};

/// 1-norms of the owned rows and columns of a matrix.
struct LineNorms {
  Vector rows, columns;
};

/// A linear operator: a function that returns the local entries of A x for the local entries of a vector x.
/// Collective.
using LinearOperator = std::function<Vector(const Vector& x)>;

}  // namespace halfdof
