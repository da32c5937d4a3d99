// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/contact_modes.h>

#include <vector>

namespace halfdof {

/**
 * The equation with memory, an exact equation for the motion y of the contacts of a linear structure, without
 * the other DoFs (Szalai 2014, Eqs. (3.8) and (3.19), and further formulas that the paper does not contain):
 * @f[ \dot y = A y + L^\infty r + \int_{0^-}^{t-t_0} d[L^1(\tau)]\,\dot r(t - \tau)
 *            + H(t - t_0)\,x(t_0) + L^0(t - t_0)\,r(t_0), \qquad (1) @f]
 * @f[ L^\infty + L^0(\tau) = V e^{J\tau} B - A \int_0^\tau V e^{J\theta} B\,d\theta, \qquad
 *     L^1(\tau) = \int_0^\tau L^0, \qquad H(\tau) = (V J - A V)\,e^{J\tau}, \qquad (2) @f]
 * The resolved modes are a few blocks of the modes, whose motion the matrix A describes; the kernel L^0
 * contains only the other modes. The entries of y = (s - W_K r, w - W_K r', e) are displacements and rates of
 * the m contacts and, if the resolved modes have more than 2 m coordinates, further coordinates e of these
 * modes. The matrix V maps the coordinates x of ContactModes to y, and its right inverse X maps y to
 * coordinates of the resolved modes, V X = I. Since the resolved modes span an invariant subspace, J X = X A
 * with A = V J X.
 *
 * L^0 decays if all modes that are not resolved decay, and L^1 is bounded even if sums over all modes
 * diverge. The choice of the resolved modes changes A, L^infinity, L^0 and L^1, but neither y nor the right
 * limit @f$ L^1(0^+) = W_C @f$ of the rates. For contacts on viscous DoFs L^1 jumps at tau = 0, and y jumps
 * with r, so that (1) holds only between the jumps of r.
 *
 * Modes with a zero eigenvalue that move the contacts are always resolved, because their kernel does not
 * decay: for a rigid body with the mass-normalized mode n_1, L^infinity is n_1^2.
 *
 * Shapes: y n_resolved() entries, A n_resolved() x n_resolved(), L n_resolved() x m, H n_resolved() x n.
 * Loads f at other places enter (1) like reactions, with kernels that are computed from @f$ B_f @f$ in place
 * of B.
 */
class MemoryEquation {
 public:
  /// @param resolved_blocks indices of the resolved blocks of the modes. If the list is empty, blocks with
  ///     zero eigenvalues are resolved, and then the slowest blocks that move the contacts independently.
  /// @throws InvalidInput as check_contact_modes(); if the resolved modes do not span every motion of the
  ///     contacts, or do not include a zero eigenvalue whose mode moves the contacts
  explicit MemoryEquation(ContactModes modes, std::vector<Index> resolved_blocks = {});

  const ContactModes& modes() const { return modes_; }
  /// Indices of the resolved blocks of the modes, ascending.
  const std::vector<Index>& resolved_blocks() const { return resolved_; }
  /// Number of entries of y.
  Index n_resolved() const { return static_cast<Index>(A_.rows()); }

  /// The matrix A of equation (1).
  const MultiVector& A() const { return A_; }
  /// The limit L^infinity of the memory kernel for long times.
  const MultiVector& L_inf() const { return L_inf_; }
  /// Returns L^0(tau) for tau > 0 [s].
  MultiVector L_0(double tau) const { return integral(0, tau, modes_.B); }
  /// Returns L^1(tau) for tau > 0 [s]; for tau = 0 the right limit.
  MultiVector L_1(double tau) const { return jump(modes_.B) + integral(1, tau, modes_.B); }
  /// Returns the integral of L^1 from 0 to tau.
  MultiVector L_2(double tau) const { return tau * jump(modes_.B) + integral(2, tau, modes_.B); }
  /// The kernels L^infinity, L^0 and L^1 of the loads. Shapes: n_resolved() x n_loads
  const MultiVector& L_inf_of_loads() const { return L_inf_f_; }
  MultiVector L_0_of_loads(double tau) const { return integral(0, tau, modes_.B_f); }
  MultiVector L_1_of_loads(double tau) const { return jump(modes_.B_f) + integral(1, tau, modes_.B_f); }
  /// Returns the matrix H(tau) of (2), which multiplies the initial coordinates x(t_0).
  MultiVector H(double tau) const;

  /// The matrix V in y = V x + V_B r + V_f f. Shape: n_resolved() x n
  const MultiVector& V() const { return V_; }
  /// The immediate response of y to reactions (V_B) and loads (V_f), with W_C and C B_f in the rows of the
  /// rates.
  MultiVector V_B() const { return jump(modes_.B); }
  MultiVector V_f() const { return jump(modes_.B_f); }
  /// The output matrix N of the kernel in L^0(tau) = N e^{J tau} B: N = V - A V J^{-1}, with zeros for
  /// resolved modes. Shape: n_resolved() x n
  MultiVector kernel_output_matrix() const { return V_ - R_; }
  /// The right inverse X of V, V X = I. It maps y to the coordinates of the resolved modes and is zero in the
  /// rows of all other modes. Shape: n x n_resolved()
  const MultiVector& right_inverse_of_V() const { return right_inverse_; }

 private:
  std::vector<Index> choose_resolved_blocks() const;
  void compute_resolved_matrices(const std::vector<Index>& coordinates);
  /// Returns the jump of y if the inputs of the matrix B jump by one, (0; C B; 0).
  MultiVector jump(const MultiVector& B) const;
  /// Returns the kernel L^0 of the inputs of B, integrated `times` times from 0 to tau. With times = 1 the
  /// result is L^1 without its jump at tau = 0.
  MultiVector integral(int times, double tau, const MultiVector& B) const;

  ContactModes modes_;
  std::vector<Index> resolved_;
  MultiVector V_, right_inverse_, A_;
  /// Columns of V for resolved modes, and of A V J^{-1} for all other modes. L^infinity is R_ B - A (0; C B;
  /// 0).
  MultiVector R_;
  MultiVector L_inf_, L_inf_f_;
};

}  // namespace halfdof
