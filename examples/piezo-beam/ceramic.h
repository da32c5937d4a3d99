// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * The piezoelectric ceramic PZT-5A, poled along y. In the indices of the constants, direction 3 is y and
 * direction 1 is x. The constitutive equations are
 * @f[ S = s\,T + d^T E, \qquad D = d\,T + \epsilon\,E. @f]
 * with strain S, stress T, electric field E and electric displacement D. The values are from Jaffe, Cook,
 * Jaffe, Piezoelectric Ceramics, 1971.
 */
struct Ceramic {
  double s_11 = 16.4e-12, s_13 = -7.22e-12, s_33 = 18.8e-12,
         s_55 = 47.5e-12;                                  ///< compliances at constant field [1/Pa]
  double d_31 = -171e-12, d_33 = 374e-12, d_15 = 584e-12;  ///< [C/N] = [m/V]
  double epsilon_11 = 1730 * 8.8542e-12,
         epsilon_33 = 1700 * 8.8542e-12;  ///< permittivities at constant stress [F/m]
  double density = 7750;                  ///< [kg/m^3]
};
