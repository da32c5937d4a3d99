// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/sampled_memory.h>

#include <limits>
#include <vector>

namespace halfdof::internal {

/**
 * The explicit Euler method for one contact with friction (Szalai 2014, Eqs. (5.2) to (5.4)), of first order.
 * It serves for comparison with the paper,
 * @f[ y_{q+1} = y_q + h\,(A y_q + L^\infty r_q)
 *       + \sum_{p=0}^q [L^1((p+1)h) - L^1(p h)]\,(r_{q-p} - r_{q-p-1}),
 *     \qquad r_{-1} = 0, \qquad (1) @f]
 * where L^1(0) = 0 is the value before the jump. While the contact slips, r_q follows from its rate; while it
 * sticks, and where the rate changes its sign within the step,
 * @f[ r_q = \frac{h'(t_{q+1}) - w_\text{free} + L^1(h)\,r_{q-1}}{h L^\infty + L^1(h)}, \qquad (2) @f]
 * which keeps the contact at rest relative to the support, if the law admits this reaction. The paper sums
 * over the whole history; here OnlineConvolution computes the sum.
 */
class MemoryEuler final : public MemoryIntegrator {
 public:
  /// @param law law on the rate, of one direction
  /// @throws InvalidInput if the kernel or the law has more than one contact, or the kernel has loads; as
  ///     check_weakening()
  MemoryEuler(SampledKernel kernel, NamedLaw law);

  double time_step() const override { return kernel_.step; }
  /// @param x (s, w), displacement and rate of the contact
  MemoryState start(double time, Vector x) const override;
  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

 private:
  bool has_fixed_steps() const override { return true; }
  double reaction_at(double time, ContactState contact, double w, double wish) const;
  bool admits_rest(double time, double r) const;

  SampledKernel kernel_;
  NamedLaw law_;
  OnlineConvolution convolution_;
};

}  // namespace halfdof::internal
