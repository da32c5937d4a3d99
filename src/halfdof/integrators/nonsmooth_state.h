#pragma once

#include <halfdof/inclusions/law.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/reduction/reduced_system.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * A point of a trajectory with inclusions,
 * @f[ M \ddot q + C \dot q + K q = f(t) + H r, \qquad (w, r) \in \mathcal G \ \text{or}\
 *     (g, r) \in \mathcal G. @f]
 * The state y alone does not tell the reactions: those of plays are states themselves, and every other
 * r, w and g is what the laws were met with last. It holds all that the next step needs, so that a run may be
 * stopped, saved and resumed at any step without a difference in the last digit.
 *
 * Shapes: r, w, g and impulse have Inclusions::n_directions() entries, whole on every process; contacts one
 * for each acting inclusion. nonsmooth_start() makes one.
 */
struct NonsmoothState : State {
  Vector r;  ///< reactions; where they are impulses, the impulse of the last step over its length [force]
  Vector w;  ///< rates H^T q' less those of the supports, as the laws of the last step saw them
  Vector g;  ///< gaps H^T q - h(t) at this time, for laws on the rate their slip since q = 0
  Vector impulse;  ///< integral of r since the start, jumps included: what momentum has seen [force s]
  std::vector<ContactState> contacts;
  double dissipated = 0;  ///< -int r.w dt since the start: heat, w relative to supports that work too
  Vector dissipated_by;   ///< the same of each acting inclusion, whose sum it is; empty: nothing yet
  TimeGrid grid;          ///< of methods with a fixed step
  Vector memory;          ///< what `method` remembers beyond this, local; empty: it starts afresh
  std::string method;     ///< NonsmoothIntegrator::name() of the last step; others leave its memory alone

  /// Adds what an acting inclusion has dissipated.
  void dissipate(std::size_t inclusion, double energy) {
    if (dissipated_by.size() == 0) dissipated_by.setZero(static_cast<Index>(contacts.size()));
    dissipated_by[static_cast<Index>(inclusion)] += energy;
    dissipated += energy;
  }
};

/// What happened to one inclusion at an instant, or within a step that does not look closer.
struct ContactEvent {
  double begin, end;              ///< t-, t+ [s]: equal where the instant is located
  std::size_t inclusion;          ///< among the acting ones
  LocalVector w_before, w_after;  ///< relative rates of its directions, v- and v+
  LocalVector impulse;            ///< zero where velocities do not jump [force s]
  ContactState before, after;
};

}  // namespace halfdof
