// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/sampled_memory.h>

#include <limits>
#include <vector>

namespace halfdof::internal {

/**
 * The explicit Euler method, of first order, for the equation with memory of one contact with friction
 * (Szalai 2014, Eqs. (5.2) to (5.4)). The method serves for comparison with the paper,
 * @f[ y_{q+1} = y_q + h\,(A y_q + L^\infty r_q)
 *       + \sum_{p=0}^q [L^1((p+1)h) - L^1(p h)]\,(r_{q-p} - r_{q-p-1}),
 *     \qquad r_{-1} = 0, \qquad (1) @f]
 * where L^1(0) = 0 is the value of the kernel before its jump. While the contact slips, its law gives r_q
 * from the slip rate; while the contact sticks, or if the rate changes its sign within the step,
 * @f[ r_q = \frac{h'(t_{q+1}) - w_\text{free} + L^1(h)\,r_{q-1}}{h L^\infty + L^1(h)}, \qquad (2) @f]
 * with the prescribed motion h'(t) of the support and the rate w_free without r_q. This reaction keeps the
 * contact at rest relative to the support, and is used if the law admits it. The paper sums over the whole
 * history; here OnlineConvolution computes the sum.
 */
class MemoryEuler final : public MemoryIntegrator {
 public:
  /// @param law law on the rate, of one direction
  /// @throws InvalidInput if the kernel or the law has more than one contact, or the kernel has loads
  /// @throws NotAvailable as check_weakening()
  MemoryEuler(SampledKernel kernel, NamedLaw law);

  double time_step() const override { return kernel_.step; }
  /// @param x displacement and rate (s, w) of the contact
  MemoryState start(double time, Vector x) const override;
  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

 private:
  bool has_fixed_steps() const override { return true; }
  double reaction_at(double time, ContactState contact, double w, double preferred) const;
  bool admits_rest(double time, double r) const;

  SampledKernel kernel_;
  NamedLaw law_;
  OnlineConvolution convolution_;
};

}  // namespace halfdof::internal
