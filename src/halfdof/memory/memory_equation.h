#pragma once

#include <halfdof/memory/contact_modes.h>

#include <vector>

namespace halfdof {

/**
 * The equation with memory that the motion y of the contacts obeys by itself, without approximation (Szalai
 * 2014, Eqs. (3.8) and (3.19), with the formulas that are lost there):
 * @f[ \dot y = A y + L^\infty r + \int_{0^-}^{t-t_0} d[L^1(\tau)]\,\dot r(t - \tau)
 *            + H(t - t_0)\,x(t_0) + L^0(t - t_0)\,r(t_0), \qquad (1) @f]
 * @f[ L^\infty + L^0(\tau) = V e^{J\tau} B - A \int_0^\tau V e^{J\theta} B\,d\theta, \qquad
 *     L^1(\tau) = \int_0^\tau L^0, \qquad H(\tau) = (V J - A V)\,e^{J\tau}, \qquad (2) @f]
 * y = (s - W_K r, w - W_K r', e): displacements and rates of the m contacts, and where the lifted modes are
 * more than 2 m coordinates, the rest e of these. V reads y from the coordinates x of ContactModes; W lifts y
 * to the lifted modes alone, V W = I, and since these move among themselves, J W = W A with A = V J W.
 *
 * L^0 decays where every mode that is not lifted does, and L^1 stays bounded also where sums over all modes
 * diverge. Which modes are lifted changes A, L^infinity, L^0 and L^1, but neither y nor the right limit
 * @f$ L^1(0^+) = W_C @f$ of the rates. Contacts on viscous DoFs make L^1 jump there, and y with r: (1) then
 * holds between the jumps of r.
 *
 * Modes with a zero eigenvalue that the contacts see have no L^infinity of their own, and are always lifted:
 * of a rigid body of mass-normalized mode n_1, n_1^2 takes its place.
 *
 * Shapes: y n_resolved() entries, A n_resolved() x n_resolved(), L n_resolved() x m, H n_resolved() x n.
 * Loads f elsewhere enter as reactions do, through kernels of their own, @f$ B_f @f$ taking the place of B.
 */
class MemoryEquation {
 public:
  /// @param lifted Blocks of the modes. Empty: zero eigenvalues, then the slowest ones that tell the contacts
  /// apart.
  /// @throws InvalidInput as check_contact_modes(); if the lifted modes cannot make every motion of the
  /// contacts, or
  ///     leave out a zero eigenvalue that these see
  explicit MemoryEquation(ContactModes modes, std::vector<Index> lifted = {});

  const ContactModes& modes() const { return modes_; }
  /// Blocks of the modes, ascending.
  const std::vector<Index>& lifted() const { return lifted_; }
  Index n_resolved() const { return static_cast<Index>(A_.rows()); }

  const MultiVector& A() const { return A_; }
  const MultiVector& L_inf() const { return L_inf_; }
  /// L^0(tau), tau > 0 [s].
  MultiVector L_0(double tau) const { return integral(0, tau, modes_.B); }
  /// L^1(tau), tau > 0 [s]; at tau = 0 the right limit.
  MultiVector L_1(double tau) const { return jump(modes_.B) + integral(1, tau, modes_.B); }
  /// The integral of L^1 from 0 to tau.
  MultiVector L_2(double tau) const { return tau * jump(modes_.B) + integral(2, tau, modes_.B); }
  /// L^infinity, L^0 and L^1 of the loads. Shapes: n_resolved() x n_loads
  const MultiVector& L_inf_of_loads() const { return L_inf_f_; }
  MultiVector L_0_of_loads(double tau) const { return integral(0, tau, modes_.B_f); }
  MultiVector L_1_of_loads(double tau) const { return jump(modes_.B_f) + integral(1, tau, modes_.B_f); }
  /// H(tau).
  MultiVector H(double tau) const;

  /// V, n_resolved() x n, of y = V x + V_B r + V_f f.
  const MultiVector& V() const { return V_; }
  /// What reactions and loads add to y at once: W_C, and C B_f, to the rates.
  MultiVector V_B() const { return jump(modes_.B); }
  MultiVector V_f() const { return jump(modes_.B_f); }
  /// V - A V J^{-1}, zero for lifted modes: L^0(tau) is this times e^{J tau} B. Shape: n_resolved() x n
  MultiVector kernel_reading() const { return V_ - R_; }
  /// W, n x n_resolved().
  const MultiVector& W() const { return W_; }

 private:
  std::vector<Index> chosen_blocks() const;
  void lift(const std::vector<Index>& coordinates);
  /// (0; C B; 0)
  MultiVector jump(const MultiVector& B) const;
  /// L^0 (0), its integral (1), or the integral of that (2), L^1 without its jump.
  MultiVector integral(int times, double tau, const MultiVector& B) const;

  ContactModes modes_;
  std::vector<Index> lifted_;
  MultiVector V_, W_, A_;
  /// V of the lifted modes, A V J^{-1} of the others: L tends to this times B.
  MultiVector R_;
  MultiVector L_inf_, L_inf_f_;
};

}  // namespace halfdof
