// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/contact_modes.h>

#include <vector>

namespace halfdof {

/**
 * The equation with memory: an exact equation for the motion y of the contacts only (Szalai 2014, Eqs. (3.8)
 * and (3.19), with the formulas that are missing there):
 * @f[ \dot y = A y + L^\infty r + \int_{0^-}^{t-t_0} d[L^1(\tau)]\,\dot r(t - \tau)
 *            + H(t - t_0)\,x(t_0) + L^0(t - t_0)\,r(t_0), \qquad (1) @f]
 * @f[ L^\infty + L^0(\tau) = V e^{J\tau} B - A \int_0^\tau V e^{J\theta} B\,d\theta, \qquad
 *     L^1(\tau) = \int_0^\tau L^0, \qquad H(\tau) = (V J - A V)\,e^{J\tau}, \qquad (2) @f]
 * The resolved modes are a few blocks of the modes, those whose motion the matrix A describes; the kernel L^0
 * contains only the other modes. Thus y = (s - W_K r, w - W_K r', e): displacements and rates of the m
 * contacts and, where the resolved modes have more than 2 m coordinates, further coordinates e of these
 * modes. V maps the coordinates x of ContactModes to y; W maps y to coordinates of the resolved modes, V W =
 * I. Since the resolved modes span an invariant subspace, J W = W A with A = V J W.
 *
 * L^0 decays where every mode that is not resolved does, and L^1 stays bounded also where sums over all modes
 * diverge. The choice of the resolved modes changes A, L^infinity, L^0 and L^1, but neither y nor the right
 * limit @f$ L^1(0^+) = W_C @f$ of the rates. With contacts on viscous DoFs L^1 jumps at 0, and y jumps with
 * r: (1) then holds between the jumps of r.
 *
 * Modes with a zero eigenvalue that move the contacts have no L^infinity of their own and are always
 * resolved: for a rigid body with the mass-normalized mode n_1, n_1^2 takes the place of L^infinity.
 *
 * Shapes: y n_resolved() entries, A n_resolved() x n_resolved(), L n_resolved() x m, H n_resolved() x n.
 * Loads f at other places enter as reactions do, through kernels of their own, with @f$ B_f @f$ in place of
 * B.
 */
class MemoryEquation {
 public:
  /// @param resolved_blocks blocks of the modes. If it is empty, blocks with zero eigenvalues are resolved,
  ///     then the slowest ones that move the contacts independently.
  /// @throws InvalidInput as check_contact_modes(); if the resolved modes do not span every motion of the
  ///     contacts, or do not include a zero eigenvalue whose mode moves the contacts
  explicit MemoryEquation(ContactModes modes, std::vector<Index> resolved_blocks = {});

  const ContactModes& modes() const { return modes_; }
  /// Indices of the resolved blocks of the modes, ascending.
  const std::vector<Index>& resolved_blocks() const { return resolved_; }
  Index n_resolved() const { return static_cast<Index>(A_.rows()); }

  const MultiVector& A() const { return A_; }
  const MultiVector& L_inf() const { return L_inf_; }
  /// Returns L^0(tau) for tau > 0 [s].
  MultiVector L_0(double tau) const { return integral(0, tau, modes_.B); }
  /// Returns L^1(tau) for tau > 0 [s]; for tau = 0 the right limit.
  MultiVector L_1(double tau) const { return jump(modes_.B) + integral(1, tau, modes_.B); }
  /// Returns the integral of L^1 from 0 to tau.
  MultiVector L_2(double tau) const { return tau * jump(modes_.B) + integral(2, tau, modes_.B); }
  /// L^infinity, L^0 and L^1 of the loads. Shapes: n_resolved() x n_loads
  const MultiVector& L_inf_of_loads() const { return L_inf_f_; }
  MultiVector L_0_of_loads(double tau) const { return integral(0, tau, modes_.B_f); }
  MultiVector L_1_of_loads(double tau) const { return jump(modes_.B_f) + integral(1, tau, modes_.B_f); }
  /// Returns H(tau) of (2).
  MultiVector H(double tau) const;

  /// The matrix V in y = V x + V_B r + V_f f. Shape: n_resolved() x n
  const MultiVector& V() const { return V_; }
  /// The immediate effect of reactions (V_B) and loads (V_f) on y: W_C and C B_f in the rows of the rates.
  MultiVector V_B() const { return jump(modes_.B); }
  MultiVector V_f() const { return jump(modes_.B_f); }
  /// V - A V J^{-1}, with zeros for resolved modes: L^0(tau) is this matrix times e^{J tau} B. Shape:
  /// n_resolved() x n
  MultiVector kernel_reading() const { return V_ - R_; }
  /// The matrix W. Shape: n x n_resolved()
  const MultiVector& W() const { return W_; }

 private:
  std::vector<Index> chosen_blocks() const;
  void resolve(const std::vector<Index>& coordinates);
  /// Returns (0; C B; 0), the immediate effect on y.
  MultiVector jump(const MultiVector& B) const;
  /// Returns L^0 (times = 0), its integral (1), or the integral of the latter (2): L^1 without its jump, and
  /// its integral.
  MultiVector integral(int times, double tau, const MultiVector& B) const;

  ContactModes modes_;
  std::vector<Index> resolved_;
  MultiVector V_, W_, A_;
  /// V for the resolved modes, A V J^{-1} for the others: L^infinity + L^0 tends to this matrix times B.
  MultiVector R_;
  MultiVector L_inf_, L_inf_f_;
};

}  // namespace halfdof
