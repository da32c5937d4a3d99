// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace halfdof {

/// Motion and reactions of the m contacts at one time of a run with memory. Shapes: m entries each, but one
/// entry of `contacts` and `dissipated_by` for each law.
struct ContactMotion {
  double time = 0;  ///< [s]
  Vector r;         ///< reactions
  Vector w;         ///< rates relative to the supports
  Vector g;         ///< displacements relative to the supports
  Vector u_a, u_b;  ///< reactions at the beginning and at the end of the last step, linear in between
  Vector mean_w;    ///< mean rates of the last step: the change of g over its length
  std::vector<ContactState> contacts;
  bool has_same_contacts = false;  ///< whether no contact changed its contact state in the last step
  Vector impulse;                  ///< integral of r since the start [force s]
  double dissipated = 0;           ///< energy dissipated since the start, - int r.w dt
  Vector dissipated_by;            ///< dissipated energy of each inclusion; empty before the first step

  /// Mean reactions of the last step: its impulse over its length.
  Vector mean_r() const { return (u_a + u_b) / 2; }
};

/// The past inputs of a convolution (OnlineConvolution) and their contributions to its next results, stored
/// in ring buffers with one row for each input or result.
struct ConvolutionHistory {
  MultiVector inputs, results;
  std::int64_t n_inputs = 0;  ///< number of inputs since the start
};

/// State of an integrator with memory at one time: motion, reactions and all data that the next step needs.
struct MemoryState : ContactMotion {
  Vector x;                    ///< coordinates that each integrator defines, see MemoryIntegrator::start()
  TimeGrid grid;               ///< the times at which steps of equal length end
  ConvolutionHistory history;  ///< past inputs of the convolution; empty for integrators without convolution
};

/// A function that is called with the initial state and with the state at the end of every step.
using MemoryObserver = std::function<void(const MemoryState&)>;

/**
 * Base class of the integrators of the equation with memory (MemoryEquation), which compute only the motion
 * of the contacts of a structure. Like a NonsmoothIntegrator, a MemoryIntegrator advances a state that
 * belongs to the caller, but this state consists only of the motion of the contacts and of its history, so
 * that no reduced system is needed. For the modes of a reduced system, MemoryMethod is a NonsmoothIntegrator
 * with the same method.
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

  /// Returns an initial state with zero reactions. @param x coordinates, which each integrator defines
  /// @throws InvalidInput if sizes do not fit, or an entry is not finite
  virtual MemoryState start(double time, Vector x) const = 0;

  /// Advances the state by one step, which ends at the limit at the latest. @throws NoReactions, BlowUp if
  /// the step fails; the state is unchanged then. @throws InvalidInput if all steps have one length, and the
  /// step would end after the limit
  virtual void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) = 0;

  /// Advances the state to end_time. If all steps have one length, the run ends with the first step that
  /// reaches end_time up to rounding; otherwise the last step ends exactly at end_time. @throws as step();
  /// InvalidInput if end_time is not finite or before the time of the state
  void run(MemoryState& state, double end_time, const MemoryObserver& observer = {});

  /// Returns the events of a step: changes of contact states, and impacts.
  virtual std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const = 0;

 protected:
  MemoryIntegrator() = default;
  MemoryIntegrator(MemoryIntegrator&&) = default;
  MemoryIntegrator& operator=(MemoryIntegrator&&) = default;

  /// Whether all steps have the length h. Otherwise a step that would end after its limit is shortened.
  virtual bool has_fixed_steps() const { return false; }
  /// Returns the end of the next step of the length h. @throws InvalidInput if it is after the limit
  double next_time(const MemoryState& state, double limit) const;
};

}  // namespace halfdof
