#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/// Eigenvalues slower than this part of a typical rate are held to that rate instead of their own.
constexpr double smallest_relative_rate = 1e-4;

/**
 * The modulus below which eigenvalues of one spectrum are compared absolutely, so that exact zeros (rigid
 * bodies, viscous DoFs without stiffness) make no nonsense: smallest_relative_rate times the median modulus.
 * Moduli below 1e-8 of the largest count as zeros and take no part in the median.
 *
 * @param rate Stands for the median where all eigenvalues are zero.
 */
double zero_scale(const std::vector<Complex>& eigenvalues, double rate = 1);

}  // namespace halfdof
