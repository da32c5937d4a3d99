#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * A rate [1/s] typical of @f$ \lambda^2 M + \lambda C + K @f$, from norms alone:
 * @f$\sqrt{\|K\| / \|M\|}@f$, or what remains of it where a matrix is zero (@f$\|K\| / \|C\|@f$ without mass,
 * @f$\|C\| / \|M\|@f$ without stiffness, one without both).
 */
double characteristic_rate(double norm_M, double norm_C, double norm_K);

/// Eigenvalues slower than this part of a typical rate are held to that rate instead of their own.
constexpr double smallest_relative_rate = 1e-4;

/**
 * The modulus below which eigenvalues of one spectrum are compared absolutely, so that exact zeros (rigid
 * bodies, viscous DoFs without stiffness) make no nonsense: smallest_relative_rate times the median modulus. Moduli below 1e-8
 * of the largest count as zeros and take no part in the median.
 *
 * @param rate Stands for the median where all eigenvalues are zero.
 */
double zero_scale(const std::vector<Complex>& eigenvalues, double rate = 1);

}  // namespace halfdof
