// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>

#include "chain.h"
#include <memory>

/**
 * The reduction that Bastien and Lamarque (2009) make by hand, for all seven models of their Table 1:
 * @f[ \dot X + \mathsf M\, \partial\phi(X) \ni \mathcal G(t, X), \qquad X = (G, a, b) \qquad (A.7) @f]
 * with the friction forces G of nodes without mass, and the displacements a and velocities b of nodes with
 * mass. K and F are divided into blocks of nodes without mass (index 0) and with mass (index 1). The last
 * entry of F contains the known force, F_n - F_{n+1}, or the known displacement, F_n + k_n x:
 * @f[ \mathsf M = \begin{bmatrix} K_{00} & & \\ & I & \\ & & m^{-1} \end{bmatrix}, \quad
 *     \phi = \psi_{[-\alpha_0, \alpha_0]}(G) + \sum \alpha_1 |b|, \quad
 *     \mathcal G = \begin{bmatrix} K_{01} b - \dot F_0 \\ b \\
 *       m^{-1}(F_1 - K_{10} v_0 - K_{11} a) \end{bmatrix}, \quad
 *     v_0 = K_{00}^{-1}(G + F_0 - K_{01} a). @f]
 * (Table 1 prints {0} x {0} in phi of the semi-dynamical models, but R x R is correct.) This class does not
 * use the elimination of the library, so that both can be compared.
 */
class ManualReduction {
 public:
  explicit ManualReduction(const Chain& chain);

  /// Returns the number of states p of Table 1.
  halfdof::Index p() const { return n_massless_ + 2 * n_massive_; }
  /// Returns X for the displacements v_1 ... v_n, their rates and the friction forces g.
  halfdof::Vector state_of(const halfdof::Vector& v, const halfdof::Vector& rate,
                           const halfdof::Vector& g) const;
  /// Returns the displacements v_1 ... v_n.
  halfdof::Vector displacements(double t, const halfdof::Vector& X) const;

  /// Returns h G(t, X) as printed in the paper.
  halfdof::Vector drift(double t, double h, const halfdof::Vector& X) const;
  /// Returns h G(t + h, X) with the increment F(t + h) - F(t) in place of h F'.
  halfdof::Vector drift_by_increments(double t, double h, const halfdof::Vector& X) const;

  /// Returns the functional of (5.3c), phi(x) + |x - Z|^2 / 2h in the metric of M, for x in the domain of
  /// phi.
  double functional(double h, const halfdof::Vector& x, const halfdof::Vector& Z) const;
  /// Returns the squared norm in the metric of M, x^T M^-1 x (5.3a).
  double norm_squared(const halfdof::Vector& x) const;
  /// Clips each friction force in x to the domain of phi.
  halfdof::Vector clipped(halfdof::Vector x) const;
  /// Returns the minimizer of (5.3c): G is projected onto its box in the metric of K_00^-1, and b is
  /// soft-thresholded.
  halfdof::Vector resolvent(double h, const halfdof::Vector& Z);

  /// Returns the result of one step of the scheme (5.2) as printed.
  halfdof::Vector step(double t, double h, const halfdof::Vector& X) {
    return resolvent(h, X + drift(t, h, X));
  }

 private:
  /// Return F_1 ... F_n, including the contribution of the known force or displacement of the end, and its
  /// rate.
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
