// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/functions/scalar_function.h>
#include <halfdof/inclusions/law.h>
#include <halfdof/memory/memory_integrator.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace halfdof {

/**
 * The memory kernel of a pre-tensed string (string_modes()) with one contact at the position xi. All modes of
 * the string are included and have the damping ratio D < 1; mode 1 is resolved (Szalai 2014, Eqs. (3.27) to
 * (3.29)):
 * @f[ [L^1]_2(\tau) = \sum_k \frac{n_k^2}{\omega_{d,k}}\,\Im\left[\left(1 + \frac{C_r}{k\lambda} +
 *     \frac{K_r}{k^2\lambda^2}\right)(e^{k\lambda\tau} - 1)\right], \qquad
 *     \lambda = \pi c\,(-D + i\sqrt{1 - D^2}), @f]
 * K_r = omega_1^2, C_r = 2 D omega_1. With @f$ n_k^2 = 1 - \cos 2\pi k\xi @f$ these sums are polylogarithms
 * of order one to three, and of order four in the integral of L^1. At tau = 0, L^1 jumps to its right limit
 * arccos(D)/(pi c sqrt(1 - D^2)); without damping L^1 jumps at each reflection and has the period 2/c.
 */
class StringKernel {
 public:
  /// @param wave_speed c > 0 [1/s] @param contact 0 < xi < 1 @param damping_ratio 0 <= D < 1
  /// @throws InvalidInput if a number is out of its range
  StringKernel(double wave_speed, double contact, double damping_ratio);

  /// Returns the limit of the memory kernel for long times, [L^infinity]_2 = pi^2 xi (1 - xi).
  double L_inf() const;
  /// Returns the kernel [L^1]_2(tau). At tau = 0 the result is the right limit, at jumps the mean of both
  /// limits.
  double L_1(double tau) const;
  /// Returns the integral of the kernel [L^1]_2 from 0 to tau.
  double L_2(double tau) const;
  /**
   * Returns a bound of the error of the rate y' of the contact motion if the memory kernel is cut off after
   * the time T, per unit of max |r'|,
   * @f[ \int_T^\infty |[L^0]_2|\,d\tau \le \frac{2}{\pi c\,D \sqrt{1 - D^2}} \left(\tfrac54 + D\right)
   *     \left(-\ln(1 - x) - x\right), \qquad x = e^{-D \pi c T}; @f]
   * the bound is infinite without damping. @param memory length T of the memory [s]
   */
  double omitted_memory(double memory) const;
  /// Returns the stiffness K_r of the resolved mode in A = [0, 1; -K_r, -C_r].
  double stiffness() const;
  /// Returns the damping C_r of the resolved mode.
  double damping() const;

 private:
  /// Returns the sum over all modes of n_k^2 q^k/k^s with q = e^{lambda tau}. At a jump of the sum of order s
  /// = 1, the result is the mean of both limits.
  Complex mode_sum(int s, double tau) const;

  double c_, xi_, D_;
  Complex lambda_;
};

class MemoryEquation;
class StringKernel;

/**
 * The equation with memory of m contacts (MemoryEquation) with samples of its kernels. Only the rows of the
 * rates are stored, since all other rows of the kernels are zero,
 * @f[ \ddot s + C_r \dot s + K_r s = L^\infty r + \int_{0^-} d[L^1(\tau)]\,\dot r(t - \tau) + g(t),
 *     \qquad (1) @f]
 * L^1 and its integral L^2 are sampled at tau = 0, h, 2 h, .... With both samples the convolution is exact
 * for reactions that are linear within each step, also at jumps of L^1. After the last sample L^1 counts as
 * constant, so that the memory ends at the last sample.
 *
 * Shapes: m x m, but L^infinity, L^1 and L^2 m x (m + n_loads), where the kernels of loads follow those of
 * reactions.
 */
struct SampledKernel {
  double step;           ///< distance h of the samples [s]
  MultiVector K_r, C_r;  ///< stiffness and damping of the resolved modes
  MultiVector L_inf;     ///< limit L^infinity of the memory kernel for long times
  /// Samples of L^1: the right limit at tau = 0, and the mean of both limits at jumps.
  std::vector<MultiVector> L_1;
  std::vector<MultiVector> L_2;  ///< samples of the integral of L^1 from 0 to tau

  /// Bound of the error of the rates of the motion that the end of the memory causes, per unit of max |r'|,
  /// for reactions only. The bound is absent if the kernel after the last sample is not known. Shape: m x m
  std::optional<MultiVector> omitted_memory = {};

  Index n_contacts() const { return static_cast<Index>(L_inf.rows()); }
  Index n_loads() const { return static_cast<Index>(L_inf.cols() - L_inf.rows()); }
};

/// Checks the shapes and entries of a sampled kernel. @throws InvalidInput if shapes differ, there are fewer
/// than two samples, or a number is not finite
void check_sampled_kernel(const SampledKernel& kernel);

/// Computes samples of the kernel of an equation with memory by exact propagation from sample to sample.
/// @param memory length of the memory [s]
/// @throws InvalidInput if the resolved modes have coordinates in addition to the motion of the contacts, or
///     W_K or W_f are not zero
SampledKernel sampled_kernel(const MemoryEquation& equation, double step, double memory);
/// Computes samples of the kernel of a string. @param memory length of the memory [s]
SampledKernel sampled_kernel(const StringKernel& string, double step, double memory);

/**
 * Computes the kernel from a response that was measured or computed with another program: the displacements
 * G(tau) of the contacts after a unit impulse at each contact, at tau = 0, h, 2 h, .... For any K_r and C_r,
 * @f[ L^1 = G + C_r \int G + K_r \int\!\!\int G - \tau L^\infty, \qquad L^\infty = K_r \int_0^\infty G,
 *     \qquad (2) @f]
 * satisfies (1); L^1 reaches its limit soonest with K_r and C_r of the slowest mode. G is integrated as a
 * piecewise linear function: if the integral of G differs from the compliance, L^1 has an error of K_r tau
 * times this difference. Therefore the samples should be dense, and the memory not longer than necessary.
 *
 * @param G samples of the response, symmetric or not; the first sample is the right limit W_C
 * @param compliance displacements under unit forces at rest, the integral of G
 * @param frequency,damping_ratio of the resolved mode, K_r = omega^2, C_r = 2 D omega
 */
SampledKernel sampled_kernel(double step, const std::vector<MultiVector>& G, const MultiVector& compliance,
                             double frequency, double damping_ratio);

/**
 * Integrates the equation with memory of some contacts with a sampled kernel (SampledKernel), for kernels
 * that are no finite sum of exponentials, such as the kernel of a string with all its modes, or a measured
 * kernel. With the convolution @f$ Q = \int_{0^-} d[L^1(\tau)]\,r(t - \tau) @f$,
 * @f[ y = \tilde y + (0; Q), \qquad \dot{\tilde y} = A \tilde y + (0; L^\infty r) + A\,(0; Q) + (0; g), @f]
 * so that no function is differentiated. Reactions are linear within each step, so that Q is exact at the
 * ends of steps; within a step, Q and g are approximated by linear functions. The laws are enforced as in
 * ModalMemory. The method is of second order. A step takes O(log^2 n) operations, where n is the number of
 * previous steps, at most the number of steps of the memory. All steps are as long as the distance of the
 * samples.
 */
class SampledMemory final : public MemoryIntegrator {
 public:
  /// Function g(t), an additional acceleration of the contacts: the contribution of the part of the initial
  /// state outside the range of W, and of loads that the memory kernel does not contain. Shape: m
  using Forcing = std::function<Vector(double time)>;

  /// @param loads one function of time for each load of the kernel, approximated by a linear function within
  /// each step
  /// @throws InvalidInput as check_sampled_kernel(), if the number of loads differs from that of the kernel,
  ///     or as ModalMemory for laws
  SampledMemory(SampledKernel kernel, std::vector<NamedLaw> laws, Forcing forcing = {},
                std::vector<ScalarFunction> loads = {});
  ~SampledMemory() override;
  SampledMemory(SampledMemory&&) noexcept;
  SampledMemory& operator=(SampledMemory&&) noexcept;

  double time_step() const override;
  /// @param x displacements and rates (s, w) of the contacts, before any reaction or load acts. Shape: 2 m.
  /// @return the initial state; its coordinates are y~ and the part of Q without the immediate response
  ///     L^1(0+) r. Shape: 3 m
  MemoryState start(double time, Vector x) const override;
  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

 private:
  bool has_fixed_steps() const override { return true; }

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
