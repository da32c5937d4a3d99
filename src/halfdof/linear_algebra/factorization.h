#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <memory>
#include <optional>
#include <string>

namespace halfdof {

/// What a matrix can be given to: direct solvers, and preconditioned Krylov iterations. What `automatic`
/// takes is a direct one, chosen by structure and size. `blocks` are dense factors of small blocks that no
/// entry couples.
enum class Solver { automatic, diagonal, blocks, cholmod, umfpack, klu, mumps, krylov };

/// Lower-case name as the program prints and reads it: "cholmod", ...
const char* name_of(Solver solver);

/// @throws InvalidInput if there is no such solver; the message lists all.
Solver solver_from_name(const std::string& name);

struct FactorizationOptions {
  /// A solver by name overrides the choice; one that cannot treat the matrix throws NotAvailable.
  Solver solver = Solver::automatic;
  /// Largest |a_ij - a_ji| relative to the geometric mean of the 1-norms of columns i and j at which a matrix
  /// counts as symmetric. Assembled sums differ by rounding, so that exactly zero would be too strict.
  double symmetry_tolerance = 1e-14;
  /// Of Krylov iterations: |b - A x| relative to |b|, where rounding allows.
  double tolerance = 1e-14;
  /// Motions that the matrix hardly resists, for multigrid: rigid ones of an elastic body, for example.
  /// Shapes: local rows x k; empty: constants.
  MultiVector near_null_space = {};
  /// What the factors of one real matrix may take on each process [bytes], where MPI spreads them;
  /// `automatic` iterates where they need more. 0: three fifths of what the machines have left. Complex ones
  /// are always factorized.
  double memory = 0;
};

/// What was chosen, why, and what it cost. Counts are sums over all processes.
struct FactorizationReport {
  Solver solver = Solver::automatic;
  std::string reason;          ///< one clause: "symmetric positive definite", ...
  std::string ordering;        ///< "AMD", "METIS", ...; empty where there is none
  std::string iteration = {};  ///< "conjugate gradients, multigrid with 4 levels"; empty for factorizations
  int n_steps = 0;             ///< of that iteration in a trial solve
  GlobalIndex n_rows = 0;
  GlobalIndex n_entries = 0;         ///< of the matrix
  GlobalIndex n_factor_entries = 0;  ///< of the factors; 0 where the package does not tell
  double largest_share = 1;          ///< of the factor entries, at the process that holds most of them
  double seconds = 0;                ///< wall time of analysis and factorization
  double bytes = 0;                  ///< memory of the factors; 0 where the package does not tell
  /// Symmetric, and found to be so by Cholesky, or by conjugate gradients.
  bool is_positive_definite = false;
  Solver alternative = Solver::automatic;  ///< the next best choice; the same: without use of symmetry
  double alternative_factor_entries = 0;   ///< its predicted fill; 0 where unknown
};

/// "cholmod, METIS: 1200 rows, 9800 entries, 52000 in the factors, 0.9 MB; symmetric positive definite"
std::string describe(const FactorizationReport& report);

/**
 * A factorized square matrix A: @f$ x = A^{-1} b @f$ and @f$ x = A^{-T} b @f$ for one or several right-hand
 * sides (one column each; batches are cheaper than single ones). Shapes: b and x hold the local rows of A.
 * Collective; safe to call for const objects, but from one thread at a time, whoever shares them.
 */
template <class Scalar>
class Factorization {
 public:
  virtual ~Factorization() = default;

  /// A^{-1} b.
  virtual DenseMatrix<Scalar> solve(ConstView<Scalar> b) const = 0;

  /// A^{-T} b (transposed, not conjugated).
  virtual DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const = 0;

  /// The same to some digits, for estimates, where they cost less than all.
  virtual DenseMatrix<Scalar> rough_solve(ConstView<Scalar> b) const { return solve(b); }
  virtual DenseMatrix<Scalar> rough_solve_transposed(ConstView<Scalar> b) const {
    return solve_transposed(b);
  }

  /**
   * The halves of a solve, @f$ A^{-1} b = @f$ `backward(forward(b))`: those of the two triangular factors
   * where a package offers them, in whatever order and scaling it has in between. Where they
   * are two (CHOLMOD, UMFPACK), `forward(h)` and `transposed_backward(h)` of a vector h with few entries have
   * few as well. What cannot be halved is done at once: `forward` is solve(), and `backward` nothing.
   *
   * Shapes: as solve(). z is in an order of its own: it may only be combined with others, go to backward(),
   * or be paired with transposed_backward().
   */
  virtual DenseMatrix<Scalar> forward(ConstView<Scalar> b) const { return solve(b); }
  virtual DenseMatrix<Scalar> backward(ConstView<Scalar> z) const { return z; }
  /// The same in place: of systems so small that memory for a result costs more than a solve. Shapes: b and z
  /// become z and x.
  virtual void forward_in_place(DenseMatrix<Scalar>& b) const { b = forward(b); }
  virtual void backward_in_place(DenseMatrix<Scalar>& z) const { z = backward(z); }
  /// The g with @f$ g^T z = h^T @f$ `backward(z)` for every z (transposed, not conjugated).
  virtual DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const { return h; }

  virtual const FactorizationReport& report() const = 0;

  /// det A, as the factors have it: that of a matrix within their backward error, as solutions are.
  /// Collective.
  /// @throws NotAvailable where a package or an iteration does not tell
  virtual LogDeterminant<Scalar> log_determinant() const;

  /**
   * How many eigenvalues of a symmetric A are positive and negative, by the signs of its pivots
   * (Sylvester's law of inertia): nothing where A was not factorized as a symmetric matrix, or is complex.
   * They are those of a matrix within the backward error, at most some units in the last place times
   * CholmodSolver::largest_growth of @f$ \sqrt{|a_{ii} a_{jj}|} @f$ in each entry: right unless an eigenvalue
   * is as near to zero as that.
   */
  virtual std::optional<MatrixInertia> inertia() const { return std::nullopt; }
};

template <class Scalar>
using FactorizationPtr = std::shared_ptr<const Factorization<Scalar>>;

}  // namespace halfdof
