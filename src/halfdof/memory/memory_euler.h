#pragma once

#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/sampled_kernel.h>

namespace halfdof {

/// A point of a run of MemoryEuler.
struct EulerPoint {
  double time = 0;  ///< [s]
  double s = 0;     ///< displacement of the contact
  double w = 0;     ///< its rate relative to the support
  double r = 0;     ///< the reaction that acts from here on
  ContactState contact = ContactState::stick;
};

/**
 * The explicit Euler method for one contact with friction (Szalai 2014, Eqs. (5.2) to (5.4)), of first order:
 * for comparison with the paper,
 * @f[ y_{q+1} = y_q + h\,(A y_q + L^\infty r_q)
 *       + \sum_{p=0}^q [L^1((p+1)h) - L^1(p h)]\,(r_{q-p} - r_{q-p-1}),
 *     \qquad r_{-1} = 0, \qquad (1) @f]
 * L^1(0) = 0 being that before its jump. While the contact slips r_q is that of its rate; where the rate
 * changes its sign within the step, and while it sticks, it is
 * @f[ r_q = \frac{h'(t_{q+1}) - w_\text{free} + L^1(h)\,r_{q-1}}{h L^\infty + L^1(h)}, \qquad (2) @f]
 * which lets it stick, if the law admits that. The paper sums all of the history; here this is
 * OnlineConvolution.
 */
class MemoryEuler {
 public:
  /// @param law of one direction, on the rate @throws InvalidInput if the kernel or the law has another
  /// number of
  ///     contacts, or the kernel has loads; as check_weakening()
  MemoryEuler(SampledKernel kernel, NamedLaw law, double start_time, double s, double w);

  const EulerPoint& point() const { return point_; }
  void step();

 private:
  double reaction_at(double time, double w, double wish) const;
  bool admits_rest(double time, double r) const;
  static std::vector<MultiVector> increments(const SampledKernel& kernel);

  SampledKernel kernel_;
  NamedLaw law_;
  OnlineConvolution history_;
  double start_time_;
  std::int64_t n_steps_ = 0;
  double r_before_ = 0;
  EulerPoint point_;
};

}  // namespace halfdof
