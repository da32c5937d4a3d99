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
 * The memory kernel of a pre-tensed string (string_modes()) with one contact at xi, with all its modes, the
 * damping ratio D < 1 of every mode, and mode 1 resolved (Szalai 2014, Eqs. (3.27) to (3.29)):
 * @f[ [L^1]_2(\tau) = \sum_k \frac{n_k^2}{\omega_{d,k}}\,\Im\left[\left(1 + \frac{C_r}{k\lambda} +
 *     \frac{K_r}{k^2\lambda^2}\right)(e^{k\lambda\tau} - 1)\right], \qquad
 *     \lambda = \pi c\,(-D + i\sqrt{1 - D^2}), @f]
 * K_r = omega_1^2, C_r = 2 D omega_1. With @f$ n_k^2 = 1 - \cos 2\pi k\xi @f$ these sums are polylogarithms
 * of order one to three, and of order four in the integral of L^1. L^1 jumps to its right limit arccos(D)/(pi
 * c sqrt(1 - D^2)); without damping it jumps at each reflection and has the period 2/c.
 */
class StringKernel {
 public:
  /// @param wave_speed c > 0 [1/s] @param contact 0 < xi < 1 @param damping_ratio 0 <= D < 1
  /// @throws InvalidInput
  StringKernel(double wave_speed, double contact, double damping_ratio);

  /// [L^infinity]_2 = pi^2 xi (1 - xi).
  double L_inf() const;
  /// [L^1]_2(tau): at tau = 0 the right limit, and where it jumps the mean of both limits.
  double L_1(double tau) const;
  /// The integral of [L^1]_2 from 0 to tau.
  double L_2(double tau) const;
  /**
   * Bound of the error in y' of a memory that ends at T, for each unit of max |r'| (omitted_memory()),
   * @f[ \int_T^\infty |[L^0]_2|\,d\tau \le \frac{2}{\pi c\,D \sqrt{1 - D^2}} \left(\tfrac54 + D\right)
   *     \left(-\ln(1 - x) - x\right), \qquad x = e^{-D \pi c T}; @f]
   * it is infinite without damping.
   */
  double omitted_memory(double memory) const;
  /// K_r and C_r in A = [0, 1; -K_r, -C_r].
  double stiffness() const;
  double damping() const;

 private:
  /// Returns sum_k n_k^2 q^k/k^s with q = e^{lambda tau}; where the sum of order one jumps, the mean of both
  /// limits.
  Complex sum(int s, double tau) const;

  double c_, xi_, D_;
  Complex lambda_;
};

class MemoryEquation;
class StringKernel;

/**
 * The equation with memory of m contacts (MemoryEquation) with samples of its kernel. Only the rows of the
 * rates are not zero,
 * @f[ \ddot s + C_r \dot s + K_r s = L^\infty r + \int_{0^-} d[L^1(\tau)]\,\dot r(t - \tau) + g(t),
 *     \qquad (1) @f]
 * L^1 and its integral L^2 are sampled at tau = 0, h, 2 h, .... With them the convolution is exact for
 * reactions that are linear within each step, also where L^1 jumps. After the last sample L^1 is constant:
 * the memory ends there.
 *
 * Shapes: m x m, but L^infinity, L^1 and L^2 m x (m + n_loads), where the kernels of loads follow those of
 * reactions.
 */
struct SampledKernel {
  double step;           ///< distance h of the samples [s]
  MultiVector K_r, C_r;  ///< stiffness and damping of the resolved modes
  MultiVector L_inf;
  /// Samples of L^1: the right limit at 0, and the mean of both limits at jumps.
  std::vector<MultiVector> L_1;
  std::vector<MultiVector> L_2;  ///< samples of the integral of L^1 from 0

  /// Bound of the error in y' caused by the end of the memory, for each unit of max |r'|, m x m, without
  /// loads: omitted_memory(). It is absent where the kernel after the last sample is unknown.
  std::optional<MultiVector> omitted_memory = {};

  Index n_contacts() const { return static_cast<Index>(L_inf.rows()); }
  Index n_loads() const { return static_cast<Index>(L_inf.cols() - L_inf.rows()); }
};

/// Checks the kernel. @throws InvalidInput if shapes differ, there is not at least one step, or a number is
/// not finite
void check_sampled_kernel(const SampledKernel& kernel);

/// Samples a kernel by exact propagation from sample to sample. @param memory end of the memory [s]: see
/// omitted_memory()
/// @throws InvalidInput if the resolved modes have coordinates in addition to the motion of the contacts, or
///     W_K or W_f are not zero
SampledKernel sampled_kernel(const MemoryEquation& equation, double step, double memory);
SampledKernel sampled_kernel(const StringKernel& string, double step, double memory);

/**
 * Returns the kernel of a response that was measured or computed elsewhere: the displacements G(tau) of the
 * contacts after a unit impulse at each contact, at tau = 0, h, 2 h, .... With any K_r and C_r,
 * @f[ L^1 = G + C_r \int G + K_r \int\!\!\int G - \tau L^\infty, \qquad L^\infty = K_r \int_0^\infty G,
 *     \qquad (2) @f]
 * satisfies (1); L^1 reaches its limit soonest with K_r and C_r of the slowest mode. G is integrated as a
 * piecewise linear function: if its integral differs from the compliance, L^1 has an error of their
 * difference times tau. So the samples should be dense, and the memory not longer than necessary.
 *
 * @param G symmetric or not; the first sample is the right limit, W_C
 * @param compliance displacements under unit forces at rest, the integral of G
 * @param frequency,damping_ratio of the resolved mode, K_r = omega^2, C_r = 2 D omega
 */
SampledKernel sampled_kernel(double step, const std::vector<MultiVector>& G, const MultiVector& compliance,
                             double frequency, double damping_ratio);

/**
 * Integrates contacts with samples of their memory (SampledKernel), for kernels that are no finite sum of
 * exponentials, such as that of a string with all its modes, or a measured one. With the convolution
 * @f$ Q = \int_{0^-} d[L^1(\tau)]\,r(t - \tau) @f$,
 * @f[ y = \tilde y + (0; Q), \qquad \dot{\tilde y} = A \tilde y + (0; L^\infty r) + A\,(0; Q) + (0; g), @f]
 * so that no function is differentiated. Reactions are linear within each step, so that Q at the ends of
 * steps is exact; in between, Q and g are taken as linear. The laws are enforced as in ModalMemory. The
 * method is of second order. A step costs O(log^2 n) for n steps so far; the steps of the memory are an upper
 * limit of n. All steps have the length of the samples.
 */
class SampledMemory final : public MemoryIntegrator {
 public:
  /// Function g(t): the effect on the accelerations of the part of the initial state outside the range of W,
  /// and of loads that the memory kernel does not contain. Shape: m
  using Forcing = std::function<Vector(double time)>;

  /// @param loads one for each load of the kernel; they are taken as linear within each step
  /// @throws InvalidInput as check_sampled_kernel(), or if the number of loads does not fit; as ModalMemory
  ///     for laws
  SampledMemory(SampledKernel kernel, std::vector<NamedLaw> laws, Forcing forcing = {},
                std::vector<ScalarFunction> loads = {});
  ~SampledMemory() override;
  SampledMemory(SampledMemory&&) noexcept;
  SampledMemory& operator=(SampledMemory&&) noexcept;

  double time_step() const override;
  /// @param x displacements and rates (s, w) of the contacts, before any reaction or load acts. Shape: 2 m.
  ///     Those of the returned state are y~ and Q without its immediate part L^1(0+) r. Shape: 3 m
  MemoryState start(double time, Vector x) const override;
  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

 private:
  bool has_fixed_steps() const override { return true; }

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
