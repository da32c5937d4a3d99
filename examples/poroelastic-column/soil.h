// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/// A saturated soil, in metres, megapascals and years: numbers of about one, which kernels want, since they
/// mix displacements and pressures.
struct Soil {
  double shear_modulus = 4;  ///< G [MPa]
  double lame = 4;           ///< lambda [MPa]
  double biot = 1;           ///< alpha [-]: solid grains do not yield
  double storage = 0;        ///< S [1/MPa]: of air in the water
  double mobility = 0.3;     ///< permeability over viscosity [m^2 / (MPa a)]

  /// lambda + 2 G: stress over strain where nothing moves sideways [MPa].
  double confined_modulus() const { return lame + 2 * shear_modulus; }
};
