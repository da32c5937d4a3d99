// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace halfdof {

/// Motion and reactions of the contacts at one point of a run with memory. Shapes: m entries each, but one
/// entry of `contacts` for each law.
struct ContactMotion {
  double time = 0;  ///< [s]
  Vector r;         ///< reactions
  Vector w;         ///< rates relative to the supports, as used by the laws
  Vector g;         ///< displacements relative to the supports
  Vector u_a, u_b;  ///< reactions at the beginning and at the end of the last step, linear in between
  Vector mean_w;    ///< mean rates of the last step: the change of g over its length
  std::vector<ContactState> contacts;
  bool has_same_contacts = false;  ///< whether no contact changed its state in the last step
  Vector impulse;                  ///< integral of r since the start [force s]
  double dissipated = 0;           ///< energy dissipated since the start, - int r.w dt
  Vector dissipated_by;            ///< dissipated energy of each inclusion; empty before the first step

  /// Mean reactions of the last step: its impulse over its length.
  Vector mean_r() const { return (u_a + u_b) / 2; }
};

/// The past inputs of a convolution and what they contribute to its next results (OnlineConvolution), in ring
/// buffers with one row for each input or result.
struct ConvolutionHistory {
  MultiVector inputs, results;
  std::int64_t n_inputs = 0;  ///< number of inputs since the start
};

/// One point of a run with memory, with all data that the next step needs.
struct MemoryState : ContactMotion {
  Vector x;                    ///< coordinates of the integrator: see MemoryIntegrator::start()
  TimeGrid grid;               ///< the times at which steps of equal length end
  ConvolutionHistory history;  ///< empty for integrators that need only x
};

/// Function that is called with the initial point and with the end of every step.
using MemoryObserver = std::function<void(const MemoryState&)>;

/**
 * Base class of the integrators of the equation with memory (MemoryEquation), which move only the contacts of
 * a structure. Like NonsmoothIntegrator, it advances a state that belongs to the caller, but this state
 * consists of the contacts and of their memory: there need not be a reduced system whose state it is. For the
 * modes of a reduced system MemoryMethod is a NonsmoothIntegrator.
 *
 * @code
 * ModalMemory method(modes, {{law, "pad"}}, time_step);
 * MemoryState state = method.start(0, Vector::Zero(modes.n_coordinates()));
 * method.run(state, end_time, [](const MemoryState& now) { plot(now.time, now.r[0]); });
 * @endcode
 */
class MemoryIntegrator {
 public:
  virtual ~MemoryIntegrator() = default;

  /// The step length h [s].
  virtual double time_step() const = 0;

  /// Returns an initial state, before any reaction acts. @param x coordinates, as the integrator defines them
  /// @throws InvalidInput if sizes do not fit, or an entry is not finite
  virtual MemoryState start(double time, Vector x) const = 0;

  /// Advances the state by one step, which ends at the limit at the latest. @throws NoReactions, BlowUp: the
  /// state is then unchanged; InvalidInput if the length of steps is fixed, and the limit does not admit it
  virtual void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) = 0;

  /// Advances the state to end_time, which is reached exactly. If the length of steps is fixed, the run ends
  /// with the step that reaches end_time up to rounding. @throws as step(); InvalidInput if end_time is not
  /// finite or before the time of the state
  void run(MemoryState& state, double end_time, const MemoryObserver& observer = {});

  /// Returns the events of a step: changes of states of contacts, and impacts.
  virtual std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const = 0;

 protected:
  MemoryIntegrator() = default;
  MemoryIntegrator(MemoryIntegrator&&) = default;
  MemoryIntegrator& operator=(MemoryIntegrator&&) = default;

  /// Whether all steps have the length h. Other integrators shorten a step that would pass its limit.
  virtual bool has_fixed_steps() const { return false; }
  /// Returns the end of the next step of the length h. @throws InvalidInput if it is after the limit
  double next_time(const MemoryState& state, double limit) const;
};

}  // namespace halfdof
