#pragma once

#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/string_kernel.h>

#include <optional>
#include <vector>

namespace halfdof {

/**
 * The equation with memory of m contacts (MemoryEquation) by samples of its kernel, whose rows for the rates
 * are all that is not zero,
 * @f[ \ddot s + C_r \dot s + K_r s = L^\infty r + \int_{0^-} d[L^1(\tau)]\,\dot r(t - \tau) + g(t),
 *     \qquad (1) @f]
 * at tau = 0, h, 2 h, ..., and of its integral, with which reactions that are lines within each step are
 * convolved without error, wherever L^1 jumps. Behind the last sample L^1 is constant: the memory ends there.
 *
 * Shapes: m x m; of L^infinity, L^1 and L^2 m x (m + n_loads), with the kernels of loads elsewhere behind
 * those of reactions.
 */
struct SampledKernel {
  double step;           ///< h [s]
  MultiVector K_r, C_r;  ///< of the lifted modes
  MultiVector L_inf;
  std::vector<MultiVector> L_1;  ///< the first is the right limit; at jumps the mean of both sides
  std::vector<MultiVector> L_2;  ///< integrals of L^1 from 0

  /// Bound of what the end of the memory leaves out of y' for each unit of max |r'|, m x m, loads aside:
  /// memory_left_out(). Absent where nothing is known behind the samples.
  std::optional<MultiVector> left_out = {};

  Index n_contacts() const { return static_cast<Index>(L_inf.rows()); }
  Index n_loads() const { return static_cast<Index>(L_inf.cols() - L_inf.rows()); }
};

/// @throws InvalidInput if shapes differ, there is not one whole step, or a number is not finite
void check_sampled_kernel(const SampledKernel& kernel);

/// By one exact propagation from sample to sample. @param memory where it ends [s]: see memory_left_out()
/// @throws InvalidInput if the lifted modes have coordinates beyond the motion of the contacts, or W_K or W_f
///     are not zero
SampledKernel sampled_kernel(const MemoryEquation& equation, double step, double memory);
SampledKernel sampled_kernel(const StringKernel& string, double step, double memory);

/**
 * From a response that was measured or computed elsewhere: the displacements G(tau) at the contacts after a
 * unit impulse at each, at tau = 0, h, 2 h, .... With any K_r and C_r,
 * @f[ L^1 = G + C_r \int G + K_r \int\!\!\int G - \tau L^\infty, \qquad L^\infty = K_r \int_0^\infty G,
 *     \qquad (2) @f]
 * obeys (1); it decays soonest with those of the slowest mode. Integrals are those of the straight lines
 * between samples: where that of G misses the compliance, L^1 drifts like their difference times tau. Sample
 * finely, and end in time.
 *
 * @param G symmetric or not; the first is the right limit, W_C
 * @param compliance the displacements under a unit force at rest, the integral of G
 * @param frequency,damping_ratio of the mode that is lifted, K_r = omega^2, C_r = 2 D omega
 */
SampledKernel sampled_kernel(double step, const std::vector<MultiVector>& G, const MultiVector& compliance,
                             double frequency, double damping_ratio);

}  // namespace halfdof
