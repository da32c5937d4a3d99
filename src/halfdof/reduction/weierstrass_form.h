#pragma once

#include <halfdof/base/types.h>
#include <halfdof/reduction/infinite_staircase.h>
#include <halfdof/reduction/pencil_balance.h>
#include <halfdof/reduction/singular_pencil.h>

#include <string>
#include <vector>

namespace halfdof {

struct WeierstrassOptions {
  /// Larger pencils are refused: the work grows like the cube. One of 2000 takes half a minute.
  Index max_order = 4200;
  std::vector<std::string> names = {};  ///< of the unknowns, for messages; none: "unknown 3"
};

/// The two parts of v = T^{-1} x.
struct WeierstrassParts {
  Vector v_1;  ///< n_finite(): states
  Vector v_2;  ///< n_infinite(): given by the data
};

/**
 * The Weierstrass form of a regular pencil of any index (Dumont, Goeleven and Rochdi 2001, section 2):
 * regular matrices T and Z with
 * @f[ Z E T = \begin{bmatrix} I & \\ & N \end{bmatrix}, \qquad Z A T = \begin{bmatrix} A_1 & \\ & I
 *     \end{bmatrix}, \qquad x = T v, \qquad h = Z H, \qquad g = Z G, \qquad (1) @f]
 * which take @f$ E \dot x \in A x + H(t) + G(t, x) @f$ apart into
 * @f[ \dot v_1 \in A_1 v_1 + h_1 + g_1, \qquad N \dot v_2 \in v_2 + h_2 + g_2, \qquad N^k = 0, \qquad (2) @f]
 * and without G the second part into
 * @f[ v_2 = -(h_2 + N \dot h_2 + \dots + N^{k-1} h_2^{(k-1)}). \qquad (3) @f]
 *
 * Signs and shifts: the paper transforms @f$ \hat E_\lambda = (\lambda E - A)^{-1} E @f$ instead and
 * integrates @f$ e^{-\lambda t} x @f$. Its W and N, in (2.5)-(2.8), are @f$ (\lambda - A_1)^{-1} @f$ and
 * @f$ -N (1 - \lambda N)^{-1} @f$ of ours, so that @f$ v_2 = -h_2 + N \dot h_2 - \dots @f$ there is (3) with
 * the other sign of N. No Jordan form is computed: A_1 is quasi-upper triangular, N strictly upper
 * triangular.
 *
 * How: the pencil is balanced, its infinite part deflated by orthogonal matrices (infinite_staircase()), the
 * finite rest brought to generalized Schur form by QZ, and both are decoupled by a generalized Sylvester
 * equation. Plain QZ would do worse: from one block of order four at infinity it returns four finite
 * eigenvalues of 1e3 to 1e7.
 *
 * Shapes: E, A, T, Z are n x n; A_1 n_finite() x n_finite(); N n_infinite() x n_infinite(); finite parts come
 * first. Units of v_1 and v_2 are those of no particular x: T and Z are fixed up to regular changes of basis
 * in each part.
 */
class WeierstrassForm {
 public:
  /**
   * @throws InvalidInput if E and A are not square matrices of one order, or not finite
   * @throws NotAvailable above options.max_order
   * @throws SingularPencil if det(lambda E - A) vanishes for all lambda: with the unknowns
   * @throws AmbiguousRank if the structure is not clear: with the singular values that are to blame
   */
  WeierstrassForm(ConstView<double> E, ConstView<double> A, const WeierstrassOptions& options = {});

  Index order() const { return static_cast<Index>(T_.rows()); }
  Index n_finite() const { return static_cast<Index>(A_1_.rows()); }
  Index n_infinite() const { return static_cast<Index>(N_.rows()); }

  /// k of (2): 0 for a regular E, 1 where N = 0.
  Index nilpotency_index() const { return static_cast<Index>(weyr_.size()); }
  /// s_j: Jordan blocks at infinity of size j at least, for j = 1 ... k.
  const std::vector<Index>& weyr_characteristic() const { return weyr_; }
  /// The sizes of the Jordan blocks at infinity, largest first; they sum to n_infinite().
  std::vector<Index> jordan_sizes_at_infinity() const;

  /// All rank decisions behind the structure, in their order.
  const std::vector<RankDecision>& rank_decisions() const { return decisions_; }

  /// Of the pencil, in the order of A_1 (conjugate pairs adjacent) [1/time].
  const std::vector<Complex>& finite_eigenvalues() const { return finite_eigenvalues_; }

  const MultiVector& A_1() const { return A_1_; }
  const MultiVector& N() const { return N_; }
  const MultiVector& T() const { return T_; }
  const MultiVector& T_inverse() const { return T_inverse_; }
  const MultiVector& Z() const { return Z_; }

  auto T_1() const { return T_.leftCols(n_finite()); }      ///< x = T_1 v_1 + T_2 v_2
  auto T_2() const { return T_.rightCols(n_infinite()); }   ///< x = T_1 v_1 + T_2 v_2
  auto Z_1() const { return Z_.topRows(n_finite()); }       ///< h_1 = Z_1 H
  auto Z_2() const { return Z_.bottomRows(n_infinite()); }  ///< h_2 = Z_2 H

  /// Condition numbers in the 1-norm, in balanced coordinates: what scaling rows and columns can do does not
  /// count.
  double condition_of_T() const { return condition_of_T_; }
  double condition_of_Z() const { return condition_of_Z_; }
  /// Largest relative deviation from (1), in balanced coordinates.
  double residual() const { return residual_; }
  /// What rounding may amount to in products of these matrices, relative to the norms of what is multiplied
  /// in balanced coordinates, which hold the condition numbers: 1000 n epsilon, for errors grow from step to
  /// step of the staircase.
  double rounding() const;

  /// Factors with which (1) was computed.
  const PencilBalance& balance() const { return balance_; }

  /// Orthonormal basis of the consistent states for H = 0, G = 0: the range of T_1. Shape: n x n_finite().
  MultiVector consistent_basis() const;

  /// x = T_1 v_1 + T_2 v_2.
  Vector lift(const WeierstrassParts& v) const;
  /// v = T^{-1} x. @throws InvalidInput unless x has order() entries
  WeierstrassParts restrict(const Vector& x) const;

 private:
  struct Decoupled;
  void measure(ConstView<double> E, ConstView<double> A, const Decoupled& form);
  void return_to_the_units_given(Decoupled form);

  PencilBalance balance_;
  std::vector<Index> weyr_;
  std::vector<RankDecision> decisions_;
  std::vector<Complex> finite_eigenvalues_;
  MultiVector A_1_, N_, T_, T_inverse_, Z_;
  double condition_of_T_ = 1, condition_of_Z_ = 1, residual_ = 0;
};

/// Structure, rank decisions and condition numbers as a table for people.
std::ostream& operator<<(std::ostream& out, const WeierstrassForm& form);

}  // namespace halfdof
