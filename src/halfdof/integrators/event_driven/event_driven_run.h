// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/event_driven/contact_transition.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/event_driven/event_location.h>
#include <halfdof/integrators/event_driven/smooth_motion.h>

#include <exception>
#include <optional>
#include <vector>

namespace halfdof {

using namespace internal;

/// The data of a run, and the computation of the pieces of smooth motion between events.
template <class Engine>
struct EventDriven<Engine>::Implementation {
  Implementation(EventDriven& owner, const EventDrivenOptions& options)
      : owner_(owner),
        options_(options),
        motion_(condensed(owner.inclusions(), owner.outcome()), options.relative_tolerance,
                options.absolute_tolerance),
        transition_(motion_, options.shortest_flight, options.impact_law) {
    motion_.set_kinks([this](double begin, double end) { return smooth_interval(begin, end).end; });
  }

  CondensedInclusions condensed(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) const {
    return condense(inclusions, outcome, options_.max_states, owner_.name());
  }
  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events);
  /// Returns the dense output of the last step, or nothing if the states belong to another step.
  std::optional<NonsmoothState> interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                                 double theta) const;

  /// The last smooth step, from which dense output is computed.
  struct LastStep {
    SmoothStep step;
    std::vector<ContactState> states;
    double end = 0;  ///< End of the step [s].
    /// Impulses of the reactions since the start of the run up to the beginning of the step, including the
    /// impacts at the beginning.
    Vector impulse;
    double dissipated;     ///< Energy dissipated since the start of the run up to the beginning of the step.
    Vector dissipated_by;  ///< The part of each acting inclusion in this energy.
    bool contains_jump;    ///< See Piece::contains_jump.
  };
  /// The data for the next step, which are stored in NonsmoothState::carried.
  struct StepHistory {
    double proposed_length;     ///< Proposed length of the next step [s].
    double n_without_progress;  ///< Number of events and of smallest steps without progress in time.
  };
  /// A piece of smooth motion, and the cause of its end.
  struct Piece {
    SmoothStep step;
    double end;  ///< End of the step [s].
    /// Whether the piece is accepted whatever its error, because functions of time jump in it or because it
    /// has the smallest length; its dense output then has degree 0.
    bool contains_jump = false;
    bool ends_abruptly = false;  ///< Whether the piece ends at a kink or a jump.
    std::optional<LocatedEvent> event = {};
    std::exception_ptr failure = {};  ///< The exception of a step with a state force that was not solved.

    bool is_accurate() const { return !failure && step.error <= 1; }
    double tau() const { return event ? event->tau : 1.; }
  };
  double smallest_step_at(double time) const;
  void set_run_scale(double begin, double end);
  /// Returns the interval from `begin` in which functions of time are smooth and no breakpoint lies.
  SmoothInterval smooth_interval(double begin, double end) const;
  SmoothInterval next_interval(double begin, double limit, double proposed) const;
  Piece next_piece(const NonsmoothState& from, double limit, StepHistory& history);
  /// Computes a piece of smooth motion that begins at a state, whatever its error.
  /// @param end time at which the piece ends, from.time + length up to rounding [s]
  Piece compute_piece(const SmoothMotion::Mode& mode, const NonsmoothState& from, double length, double end);
  /// Makes the state constant in a piece whose step failed with NoConvergence. @throws the stored exception
  /// of the piece if it is not NoConvergence
  void keep_state_constant(const NonsmoothState& from, Piece& piece) const;
  /// Returns a piece up to `end`, or a shorter piece if its accuracy requires that. A piece of the smallest
  /// length is accepted with any error.
  Piece accepted_piece(const SmoothMotion::Mode& mode, const NonsmoothState& from, double end);
  Piece piece_across_jump(const SmoothMotion::Mode& mode, const NonsmoothState& from,
                          const SmoothInterval& interval);
  void locate_event(const SmoothMotion::Mode& mode, const NonsmoothState& from, Piece& piece);
  /// Advances a state to the end of a piece.
  void advance_over(const Piece& piece, NonsmoothState& to);
  [[noreturn]] void fail(const Piece& piece, double time) const;
  /// Lets friction that sticks on a prescribed motion slip from the beginning of a step if it would slip at
  /// the end of the step, because its reaction at rest is arbitrary. The function changes the state and
  /// appends the events.
  /// @return whether such friction exists
  bool start_slip_on_prescribed_motion(const SmoothStep& step, NonsmoothState& state,
                                       std::vector<ContactEvent>& events) const;
  /// Determines the contact states of all inclusions after a piece.
  void determine_states_after(const Piece& piece, NonsmoothState& to, StepHistory& history,
                              std::vector<ContactEvent>& events);
  /// Adds the impulses of the reactions from the beginning of a step to the time tau, and the energy that
  /// friction dissipates in this time.
  void add_integrals(const SmoothStep& step, double tau, NonsmoothState& to) const;
  /// Appends the events of an instant.
  /// @param before,states contact states of the inclusions before and after the instant
  void append_events(double time, const std::vector<ContactState>& before,
                     const std::vector<ContactState>& states, const AfterTransition& after,
                     std::vector<ContactEvent>& events) const;
  /// Computes the motion after a contact transition, and updates the tangents if necessary.
  AfterTransition transition(BeforeTransition before);
  void apply_transition(NonsmoothState& state, std::optional<Index> triggered, LookAhead ahead,
                        std::vector<ContactEvent>& events);

  /// Length of the first step, relative to the time scale.
  static constexpr double first_step = 0.1;

  EventDriven& owner_;
  EventDrivenOptions options_;
  SmoothMotion motion_;
  ContactTransition transition_;
  std::optional<LastStep> last_ = {};
};

}  // namespace halfdof
