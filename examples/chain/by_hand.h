// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>

#include "chain.h"
#include <memory>

/**
 * The reduction that Bastien and Lamarque (2009) make by hand, for all seven models of their Table 1:
 * @f[ \dot X + \mathsf M\, \partial\phi(X) \ni \mathcal G(t, X), \qquad X = (G, a, b) \qquad (A.7) @f]
 * with the friction G on nodes without mass, displacements a and velocities b of those with mass. With K cut
 * into blocks of nodes without (0) and with mass (1), and F_n less F_{n+1} or plus k_n x where that is known,
 * @f[ \mathsf M = \begin{bmatrix} K_{00} & & \\ & I & \\ & & m^{-1} \end{bmatrix}, \quad
 *     \phi = \psi_{[-\alpha_0, \alpha_0]}(G) + \sum \alpha_1 |b|, \quad
 *     \mathcal G = \begin{bmatrix} K_{01} b - \dot F_0 \\ b \\
 *       m^{-1}(F_1 - K_{10} v_0 - K_{11} a) \end{bmatrix}, \quad
 *     v_0 = K_{00}^{-1}(G + F_0 - K_{01} a). @f]
 * (Table 1 prints {0} x {0} in phi of the semi-dynamical models; it must be R x R.) Nothing of the library's
 * elimination takes part: it is there to be compared with.
 */
class ByHand {
 public:
  explicit ByHand(const Chain& chain);

  /// p of Table 1.
  halfdof::Index p() const { return n_massless_ + 2 * n_massive_; }
  /// X from v_1 ... v_n, their rates and the friction g.
  halfdof::Vector state_of(const halfdof::Vector& v, const halfdof::Vector& rate,
                           const halfdof::Vector& g) const;
  /// v_1 ... v_n
  halfdof::Vector displacements(double t, const halfdof::Vector& X) const;

  /// h G(t, X) as printed.
  halfdof::Vector drift(double t, double h, const halfdof::Vector& X) const;
  /// h G(t + h, X) with the increment F(t + h) - F(t) in place of h F'.
  halfdof::Vector drift_by_increments(double t, double h, const halfdof::Vector& X) const;

  /// phi(x) + |x - Z|^2 / 2h in the metric of M, for x in the domain of phi: what (5.3c) minimizes.
  double functional(double h, const halfdof::Vector& x, const halfdof::Vector& Z) const;
  /// |x|^2 in the metric of M, x^T M^-1 x (5.3a).
  double norm_squared(const halfdof::Vector& x) const;
  /// The nearest point of the domain of phi, entry by entry.
  halfdof::Vector clipped(halfdof::Vector x) const;
  /// The minimizer of (5.3c): a projection on the box of G in the metric of K_00, soft thresholding of b.
  halfdof::Vector resolvent(double h, const halfdof::Vector& Z);

  /// One step of the scheme as printed, (5.2).
  halfdof::Vector step(double t, double h, const halfdof::Vector& X) {
    return resolvent(h, X + drift(t, h, X));
  }

 private:
  /// F_1 ... F_n with what the known end adds; and its derivative.
  halfdof::Vector force(double t) const;
  halfdof::Vector force_rate(double t) const;
  halfdof::Vector drift(double h, const halfdof::Vector& X, const halfdof::Vector& F,
                        const halfdof::Vector& increment) const;
  halfdof::Vector massless_displacements(const halfdof::Vector& F, const halfdof::Vector& X) const;

  Chain chain_;
  halfdof::Index n_massless_, n_massive_;
  halfdof::MultiVector K_, K_00_inverse_;
  std::unique_ptr<halfdof::OneStepSolver> box_;
};
