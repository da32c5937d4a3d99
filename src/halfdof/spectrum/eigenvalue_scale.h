// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// Fraction of a typical rate. Residuals of eigenvalues slower than this rate are relative to it instead of
/// their modulus.
constexpr double smallest_relative_rate = 1e-4;

/**
 * Returns the modulus below which eigenvalues of one spectrum are compared absolutely, so that exact zeros
 * (rigid bodies, viscous DoFs without stiffness) cause no division by zero: smallest_relative_rate times the
 * median modulus. Moduli below 1e-8 of the largest count as zeros and are excluded from the median.
 *
 * @param rate Replaces the median if all eigenvalues are zero.
 */
double zero_scale(const std::vector<Complex>& eigenvalues, double rate = 1);

}  // namespace halfdof::internal
