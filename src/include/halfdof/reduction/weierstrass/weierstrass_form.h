// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduction_options.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace halfdof::internal {

struct PencilBalance;

}  // namespace halfdof::internal

namespace halfdof {

/// The two parts of v = T^{-1} x in the Weierstrass form.
struct WeierstrassParts {
  Vector v_1;  ///< finite part: n_finite() states
  Vector v_2;  ///< infinite part: n_infinite() entries, which the load determines
};

/**
 * The Weierstrass form of a regular pencil of any index (Dumont, Goeleven and Rochdi 2001, section 2):
 * regular matrices T and Z with
 * @f[ Z E T = \begin{bmatrix} I & \\ & N \end{bmatrix}, \qquad Z A T = \begin{bmatrix} A_1 & \\ & I
 *     \end{bmatrix}, \qquad x = T v, \qquad h = Z H, \qquad g = Z G, \qquad (1) @f]
 * which separate @f$ E \dot x \in A x + H(t) + G(t, x) @f$ into
 * @f[ \dot v_1 \in A_1 v_1 + h_1 + g_1, \qquad N \dot v_2 \in v_2 + h_2 + g_2, \qquad N^k = 0. \qquad (2) @f]
 * Without G the second part is
 * @f[ v_2 = -(h_2 + N \dot h_2 + \dots + N^{k-1} h_2^{(k-1)}). \qquad (3) @f]
 *
 * Signs and shifts: the paper transforms @f$ \hat E_\lambda = (\lambda E - A)^{-1} E @f$ instead and
 * integrates @f$ e^{-\lambda t} x @f$. Its W and N, in (2.5)-(2.8), are @f$ (\lambda - A_1)^{-1} @f$ and
 * @f$ -N (1 - \lambda N)^{-1} @f$ in the notation of this class, so that its
 * @f$ v_2 = -h_2 + N \dot h_2 - \dots @f$ is (3) with the opposite sign of N. No Jordan form is computed: A_1
 * is quasi-upper triangular, N strictly upper triangular.
 *
 * Algorithm: the pencil is balanced, its infinite part is deflated by orthogonal matrices
 * (infinite_staircase()), the remaining finite part is brought to generalized Schur form by QZ, and both are
 * decoupled by a generalized Sylvester equation. QZ without deflation would be less accurate: for one block
 * of order four at infinity it returns four finite eigenvalues of 1e3 to 1e7.
 *
 * Shapes: E, A, T, Z are n x n; A_1 n_finite() x n_finite(); N n_infinite() x n_infinite(); finite parts come
 * first. v_1 and v_2 have no particular units: T and Z are unique only up to regular changes of basis in each
 * part.
 */
class WeierstrassForm {
 public:
  /**
   * @throws InvalidInput if E and A are not square matrices of one order, or not finite
   * @throws NotAvailable above options.max_order
   * @throws SingularPencil if det(lambda E - A) vanishes for all lambda; it names the unknowns
   * @throws AmbiguousRank if the structure is ambiguous; it contains the singular values
   */
  WeierstrassForm(ConstView<double> E, ConstView<double> A, const WeierstrassOptions& options = {});

  Index order() const { return static_cast<Index>(T_.rows()); }
  Index n_finite() const { return static_cast<Index>(A_1_.rows()); }
  Index n_infinite() const { return static_cast<Index>(N_.rows()); }

  /// The nilpotency index k of (2): 0 for a regular E, 1 if N = 0.
  Index nilpotency_index() const { return static_cast<Index>(weyr_.size()); }
  /// The Weyr characteristic: entry s_j is the number of Jordan blocks at infinity of size j or larger,
  /// for j = 1 ... k.
  const std::vector<Index>& weyr_characteristic() const { return weyr_; }
  /// The sizes of the Jordan blocks at infinity, largest first; they sum to n_infinite().
  std::vector<Index> jordan_sizes_at_infinity() const;

  /// All rank decisions on which the structure of the form is based, in the order in which they were
  /// taken.
  const std::vector<RankDecision>& rank_decisions() const { return decisions_; }

  /// Finite eigenvalues of the pencil, in the order of A_1 (conjugate pairs adjacent) [1/time].
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

  /// Condition number of T in the 1-norm, in balanced coordinates, so that it does not depend on the
  /// scaling of rows and columns; condition_of_Z() is the same of Z.
  double condition_of_T() const { return condition_of_T_; }
  double condition_of_Z() const { return condition_of_Z_; }
  /// Largest relative deviation from (1), in balanced coordinates.
  double residual() const { return residual_; }
  /// Bound on rounding errors in products of these matrices, relative to the product of the norms of the
  /// factors in balanced coordinates (these norms contain the condition numbers): 1000 n epsilon, because
  /// errors grow from step to step of the staircase.
  double rounding() const;

  /// The scaling factors of the balanced pencil from which (1) was computed.
  const internal::PencilBalance& balance() const { return *balance_; }

  /// Orthonormal basis of the consistent states for H = 0, G = 0: the range of T_1. Shape: n x n_finite().
  MultiVector consistent_basis() const;

  /// Computes x = T_1 v_1 + T_2 v_2.
  Vector lift(const WeierstrassParts& v) const;
  /// Computes v = T^{-1} x. @throws InvalidInput unless x has order() entries
  WeierstrassParts restrict(const Vector& x) const;

 private:
  struct Decoupled;
  void compute_accuracy(ConstView<double> E, ConstView<double> A, const Decoupled& form);
  void undo_balancing(Decoupled form);

  std::shared_ptr<const internal::PencilBalance> balance_;
  std::vector<Index> weyr_;
  std::vector<RankDecision> decisions_;
  std::vector<Complex> finite_eigenvalues_;
  MultiVector A_1_, N_, T_, T_inverse_, Z_;
  double condition_of_T_ = 1, condition_of_Z_ = 1, residual_ = 0;
};

/// Prints structure, rank decisions and condition numbers as a table.
std::ostream& operator<<(std::ostream& out, const WeierstrassForm& form);

/**
 * The system @f$ M\ddot q + C\dot q + K q = f @f$ in the form @f$ E\dot x = A x + B f,\ q = Q x @f$. Names of
 * the unknowns: "q_3", "v_3" (the rate of q_3), "p_3" (the momentum of equation 3).
 */
struct FirstOrderForm {
  MultiVector E, A;                ///< n_x x n_x
  MultiVector B;                   ///< n_x x n
  MultiVector Q;                   ///< n x n_x
  std::vector<std::string> names;  ///< names of the n_x unknowns
};

/**
 * Builds the companion form with all rates (Dumont et al. 2001, Eq. (3.2)), x = (q, q'), n_x = 2 n:
 * @f[ E = \begin{bmatrix} I & \\ & M \end{bmatrix}, \qquad A = \begin{bmatrix} & I \\ -K & -C \end{bmatrix},
 *     \qquad B = \begin{bmatrix} 0 \\ I \end{bmatrix}. @f]
 * Laws on the rate of a DoF without mass need this form. Its index equals that of the other forms, or is one
 * higher.
 * @throws InvalidInput unless M, C, K are square matrices of the same order
 */
FirstOrderForm companion_form(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/**
 * Builds the smallest form that needs no rank decisions. With J the n_I columns of the identity that select
 * the nonzero columns of M, x = (q, v) and n_x = n + n_I,
 * @f[ E = \begin{bmatrix} C & M J \\ J^T & \end{bmatrix}, \qquad A = \begin{bmatrix} -K & \\ & I
 *     \end{bmatrix}, \qquad B = \begin{bmatrix} I \\ 0 \end{bmatrix}. @f]
 * If M has fewer nonzero rows than columns, J^T selects the rows, x = (q, p) with the momenta p = J^T M q',
 * and
 * @f$ E = \begin{bmatrix} C & J \\ J^T M & \end{bmatrix} @f$. Only exact zeros count as zero.
 * @throws InvalidInput as companion_form() does
 */
FirstOrderForm smallest_form(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/// A second-order system with the Weierstrass form of the pencil of its first-order form.
struct SecondOrderWeierstrass {
  FirstOrderForm first_order;
  WeierstrassForm weierstrass;
};

/// Computes smallest_form() of a second-order system and the Weierstrass form of its pencil. Throws as
/// smallest_form() and WeierstrassForm do; options.names are ignored.
SecondOrderWeierstrass weierstrass_of(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                      WeierstrassOptions options = {});

}  // namespace halfdof
