// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "soil.h"

/**
 * Terzaghi's theory of consolidation with Biot's storage term, for a layer of height H on rock, which is
 * drained at the surface and loaded by sigma from t = 0 on (Verruijt 2013, sections 2.1 and 2.2). With @f$ M
 * = \lambda + 2G @f$,
 * @f[ p_0 = \frac{\alpha \sigma}{\alpha^2 + S M}, \qquad c = \frac{k M}{\alpha^2 + S M}, \qquad
 *     p = p_0 \sum_{j=0}^{\infty} \frac{2}{a_j} \sin(a_j z / H)\, e^{-a_j^2 c t / H^2}, \qquad
 *     a_j = (j + \tfrac12) \pi, @f]
 * where z is the depth below the surface. The settlement of the surface is @f$ (\sigma H - \alpha \int p\,dz)
 * / M @f$.
 */
struct Terzaghi {
  Soil soil;
  double height, load;  ///< [m], [MPa]

  double undrained_pressure() const;          ///< p_0 [MPa]
  double diffusivity() const;                 ///< c [m^2 / a]
  double rate(int j) const;                   ///< -a_j^2 c / H^2, an eigenvalue [1/a]
  double pressure(double z, double t) const;  ///< p for t > 0 [MPa]
  double settlement(double t) const;          ///< [m]

 private:
  /// Returns the sum of e^(-a_j^2 c t / H^2) term(a_j) over j, until the exponential is below rounding.
  template <class Term>
  double sum(double t, const Term& term) const;
};
