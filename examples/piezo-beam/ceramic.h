// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * PZT-5A, poled along y, which the tables call direction 3 (x is their 1). Strain and electric displacement
 * from stress and field,
 * @f[ S = s\,T + d^T E, \qquad D = d\,T + \epsilon\,E. @f]
 * Values of Jaffe, Cook, Jaffe, Piezoelectric Ceramics, 1971.
 */
struct Ceramic {
  double s_11 = 16.4e-12, s_13 = -7.22e-12, s_33 = 18.8e-12,
         s_55 = 47.5e-12;                                  ///< compliances at constant field [1/Pa]
  double d_31 = -171e-12, d_33 = 374e-12, d_15 = 584e-12;  ///< [C/N] = [m/V]
  double epsilon_11 = 1730 * 8.8542e-12,
         epsilon_33 = 1700 * 8.8542e-12;  ///< permittivities at constant stress [F/m]
  double density = 7750;                  ///< [kg/m^3]
};
