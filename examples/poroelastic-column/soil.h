// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/// A saturated soil. The units are metres, megapascals and years, so that all constants are about one: the
/// computation of kernels combines displacements and pressures.
struct Soil {
  double shear_modulus = 4;  ///< G [MPa]
  double lame = 4;           ///< lambda [MPa]
  double biot = 1;           ///< alpha [-], which is 1 for incompressible grains
  double storage = 0;        ///< S [1/MPa], storage by the compressibility of the pore water
  double mobility = 0.3;     ///< k, permeability divided by viscosity [m^2 / (MPa a)]

  /// Returns the constrained modulus lambda + 2 G, the ratio of stress and strain without lateral strain
  /// [MPa].
  double confined_modulus() const { return lame + 2 * shear_modulus; }
};
