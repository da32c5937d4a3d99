// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>

/**
 * @file
 * Geometry of the rectangles of the complex plane whose eigenvalues are listed and counted.
 */
namespace halfdof::internal {

/// Returns the rectangle of the eigenvalues in a band (FrequencyBand::contains()).
Rectangle rectangle_of(const FrequencyBand& band);

/// @throws InvalidInput unless both corners and their squares are finite, and the second corner lies above
/// and to the right of the first one
void check_rectangle(const Rectangle& region);

/// Returns the rectangle of the upper half plane that contains each value of a rectangle, or its conjugate.
Rectangle upper_half(const Rectangle& region);

/// Returns the rectangle, wider on all sides by a part of its farthest corner's modulus, but at most by a
/// thousandth of its shorter side. A side that does not lie on the real axis moves by at most half of its
/// distance from the axis.
Rectangle widened(const Rectangle& region, double part);

/// Returns the distance of a value inside or outside a rectangle from the rim.
double distance_from_rim(const Rectangle& region, Complex value);

}  // namespace halfdof::internal
