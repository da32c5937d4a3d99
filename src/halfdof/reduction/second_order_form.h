// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/reduction/kernel/kernel_hypotheses.h>

namespace halfdof::internal {

struct SecondOrderOptions {
  /// Largest number of free DoFs for which kernels are computed, because the work grows with the cube
  /// of this number.
  Index max_order = 2000;
  KernelOptions kernel;
};

/// Checks the hypotheses of the second-order form (Dumont et al. 2001, Corollaries 4.5 and 4.6) with
/// P(lambda) at a value of lambda that is typical of the system. The DoFs of the result are assembled
/// DoFs.
/// @throws NotAvailable above options.max_order, or on several processes; AmbiguousRank
template <class Engine>
KernelHypotheses second_order_hypotheses(const AssembledSystem<Engine>& assembled,
                                         const SecondOrderOptions& options = {});

/// The coordinates q~ of the second-order form at a time, with the additional data that lift() needs.
struct SecondOrderMotion {
  Vector q;          ///< coordinates q~, N_3 entries [displacement]
  Vector constants;  ///< the constants c of dropped_constants(), N_2 entries
  Vector force;      ///< f(t), assembled DoFs; entries of constrained DoFs are ignored
  Vector impulse;    ///< integral of f from the time at which the constants were computed, assembled DoFs
};

/**
 * A system with half DoFs in the form of N_3 = rank M equations of second order (Dumont, Goeleven and Rochdi
 * 2001, Corollaries 4.5 and 4.6). With U = [U_1 U_2 U_3] of KernelBasis and blocks of U^T M U and so on,
 * @f[ q = S \tilde q + \dots, \qquad S = U \begin{bmatrix} -K_{11}^{-1} K_{13} \\ -C_{22}^{-1} C_{23} \\ I
 *     \end{bmatrix}, \qquad
 *     L = \begin{bmatrix} -K_{31} K_{11}^{-1} & -C_{32} C_{22}^{-1} & I \end{bmatrix} U^T, @f]
 * @f[ M_{33} \ddot{\tilde q} + (C_{33} - C_{32} C_{22}^{-1} C_{23})\, \dot{\tilde q} +
 *     (K_{33} - K_{31} K_{11}^{-1} K_{13})\, \tilde q = L f, @f]
 * where the matrices equal L M S, L C S and L K S. The paper has S^T in place of L, which is correct only for
 * symmetric matrices, and it omits the effect of loads on half DoFs and of the initial values of q_2:
 * @f[ q = S \tilde q + U_1 K_{11}^{-1} U_1^T f + U_2 \bigl(c + C_{22}^{-1} U_2^T \textstyle\int_0^t f\bigr),
 *     \qquad c = q_2(0) + C_{22}^{-1} C_{23}\, q_3(0). @f]
 * The constants c have no effect on q~. They correspond to N_2 zero eigenvalues, which ReducedSystem has in
 * addition to those of this form.
 *
 * Shapes: rows of S and columns of L are assembled DoFs, with zeros at constrained DoFs, whose motion is
 * ignored. Units: those of the assembled system.
 */
class SecondOrderForm {
 public:
  /// @throws NotAvailable as second_order_hypotheses(), and if the hypotheses do not suffice; the message
  /// names the ones that fail
  template <class Engine>
  explicit SecondOrderForm(const AssembledSystem<Engine>& assembled, const SecondOrderOptions& options = {});

  const KernelHypotheses& hypotheses() const { return hypotheses_; }
  /// The number of equations, N_3 = rank M.
  Index order() const { return static_cast<Index>(M_.rows()); }

  const MultiVector& M() const { return M_; }
  const MultiVector& C() const { return C_; }
  const MultiVector& K() const { return K_; }
  const MultiVector& S() const { return S_; }  ///< n_dofs x N_3
  const MultiVector& L() const { return L_; }  ///< N_3 x n_dofs

  /// Computes q~ = X_3^T q, with X^T U = I, from assembled displacements q, or the rate of q~ from
  /// assembled rates.
  Vector restrict(const Vector& q) const;
  /// Computes the constants c from the assembled displacements at the initial time: N_2 entries.
  Vector dropped_constants(const Vector& q) const;
  /// Computes the assembled displacements of a motion without approximation. @throws InvalidInput if
  /// shapes do not fit
  Vector lift(const SecondOrderMotion& motion) const;

 private:
  KernelHypotheses hypotheses_;
  MultiVector M_, C_, K_, S_, L_, U_, X_3_;
  MultiVector lift_of_force_;              ///< U_1 K_11^{-1} U_1^T
  MultiVector lift_of_impulse_;            ///< U_2 C_22^{-1} U_2^T
  MultiVector constants_of_displacement_;  ///< [0 I C_22^{-1} C_23] X^T
};

}  // namespace halfdof::internal
