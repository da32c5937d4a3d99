#pragma once

#include <halfdof/integrators/contact_transition.h>
#include <halfdof/integrators/event_location.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/smooth_motion.h>

#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

struct EventDrivenOptions {
  /// Error of a step in displacements, and in velocities, relative to the largest of each; of thresholds, and
  /// of loads that reactions balance, relative to them and to all other terms of the same reaction. What a
  /// state force does is known to NewtonOptions::tolerance, and errors are to no less.
  double relative_tolerance = 1e-10;
  double absolute_tolerance = 0;  ///< in the units of both
  /// [s]; never more than 100/rho(A). Loads and thresholds in C++ with short pulses need one.
  double largest_step = std::numeric_limits<double>::infinity();
  /// The sticking cutoff: a rebound that would come back within this time [s] ends at rest on the obstacle.
  /// With a constant pull and restitution e < 1 what is left out of a bounce to rest takes less than
  /// shortest_flight / (1 - e). 0: 1e-6 of the time scale 1/rho(A) of the structure; of a rigid one, of the
  /// run, or of what its functions of time are smooth for.
  double shortest_flight = 0;
  /// Times at which loads, thresholds, obstacles or prescribed motions jump or have a kink [s]. Tables and
  /// formulas of laws, and those of `functions`, tell theirs. Kinks of other obstacles and prescribed motions
  /// are found to rounding; other loads that are abrupt, and what jumps, by shorter and shorter steps.
  std::vector<double> breakpoints;
  /// Of what loads and prescribed motions are made: steps resolve these, as they do the functions of laws.
  std::vector<ScalarFunction> functions;
  /// [s], of all that will be run from the start, which time scales are no longer than. 0: as far as the
  /// first call of run() goes.
  double run_length = 0;
  Index max_states = 500;  ///< of the dense matrices
  ImpactLaw impact_law = ImpactLaw::newton;
};

/**
 * The event-driven integrator (Piiroinen and Kuznetsov 2008): between events the motion is smooth and
 * followed to high order, and the instants of stick, slip, impact and lift-off are located by root finding.
 * For few inclusions and reference accuracy.
 *
 * - Between events: SmoothMotion. Reactions of what sticks or is closed are eliminated as constraints through
 *   W; friction on viscous DoFs and contacts on algebraic ones are single valued by the same; plays keep
 *   their place while they stick, and have their reaction at its bound while they slide.
 * - Events: event_location.h. The loads at the nodes of a step, and so the reactions, and thresholds are
 *   interpolated to degree seven; steps are short enough for that, be there ever so little that moves.
 * - Kinks of obstacles and prescribed motions end a step: what a kink hits has an impact.
 * - At an event, what happens next is decided for all inclusions together: ContactTransition.
 *
 * Every change of state of an inclusion, and every impact, is one ContactEvent with equal begin and end. A
 * step ends at the first event in it. After a chain of events without progress the run stops with an error,
 * and so it does where noise of loads or thresholds, more than 1e-7 of them, lets no step be short enough.
 * The bounces of e = 1 with damping, whose speed falls like 1/n, make progress, however many they become:
 * shortest_flight lets them end. Plays that a jump of the loads moves dissipate with their reaction after it.
 *
 * With a StateForce the motion between events obeys the equations themselves: steps are solved by iteration
 * with tangents that are kept, and taken anew in the middle of steps where they are slow; steps that two
 * tangents do not suffice for are shortened. At every event the tangents are those of its state, whose mass
 * impulses act on.
 *
 * Laws: those with an interval of reactions at rest, Law::rest_interval() (dry, St-Venant, static-kinetic and
 * weakening friction, contact without friction), and Coulomb's cone on masses, on directions that one kind
 * of DoFs decides. One process only; the state space is written out, at most max_states. The memory of a
 * state is its proposed step, the number of events, and of steps as short as can be, without progress, and
 * the time scale of the run.
 */
template <class Engine>
class EventDriven final : public NonsmoothIntegrator<Engine> {
 public:
  /// @throws InvalidInput if an option is out of range; NotAvailable as condense() and ContactTransition say;
  ///     runs throw PainleveState where friction jams what slides
  EventDriven(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
              const EventDrivenOptions& options = {});
  EventDriven(const EventDriven&) = delete;
  EventDriven& operator=(const EventDriven&) = delete;

  std::string name() const override { return "event-driven"; }
  std::vector<Check> kept_exactly() const override;
  int dense_output_degree() const override { return last_ && last_->holds_jump ? 0 : RadauNodes::n_stages; }
  double shortest_flight() const override { return transition_.shortest_flight(); }
  ImpactLaw impact_law() const override { return options_.impact_law; }

 protected:
  bool is_implicit() const override { return false; }
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override;
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                  double theta) const override;
  std::string advice() const override {
    return "The structure itself grows without bound: check the signs of its matrices and loads.";
  }

 private:
  /// The last smooth step, for its dense output.
  struct Last {
    SmoothStep step;
    std::vector<ContactState> states;
    double end = 0;     ///< [s]
    Vector impulse;     ///< where it begins, behind the impacts there
    double dissipated;  ///< likewise
    Vector dissipated_by;
    bool holds_jump;
  };
  /// What a state remembers.
  struct Pace {
    double proposed;  ///< step [s]
    double chain;     ///< events and smallest steps without progress
  };
  /// A piece of smooth motion, and what ends it.
  struct Piece {
    SmoothStep step;
    double end;  ///< [s], of the step
    bool is_forced = false, ends_abruptly = false;
    std::optional<LocatedEvent> event = {};
    std::exception_ptr failure = {};  ///< why a state force leaves the step unknown

    bool is_accurate() const { return !failure && step.error <= 1; }
    double tau() const { return event ? event->tau : 1.; }
  };
  double smallest_at(double time) const;
  void set_run_scale(double begin, double end);
  /// How far functions of time are smooth, and no breakpoint is met.
  SmoothInterval smooth_interval(double begin, double end) const;
  SmoothInterval next_interval(double begin, double limit, double proposed) const;
  Piece next_piece(const NonsmoothState& from, double limit, Pace& pace);
  /// @param end [s] What the piece ends at, its length later but for rounding
  Piece attempt(const SmoothMotion::Mode& mode, const NonsmoothState& from, double length, double end);
  /// @throws what a piece as short as can be failed with, but that it does not converge
  void stay(const NonsmoothState& from, Piece& piece) const;
  /// To an instant, or not so far; with an error that is small enough, or as short as can be.
  Piece accepted(const SmoothMotion::Mode& mode, const NonsmoothState& from, double end);
  Piece across(const SmoothMotion::Mode& mode, const NonsmoothState& from, const SmoothInterval& interval);
  void locate_event(const SmoothMotion::Mode& mode, const NonsmoothState& from, Piece& piece);
  /// Advances a state to the end of a piece.
  void follow(const Piece& piece, NonsmoothState& to);
  [[noreturn]] void fail(const Piece& piece, double time) const;
  bool leaves_rest(const SmoothStep& step, NonsmoothState& state, std::vector<ContactEvent>& events) const;
  /// The states of all inclusions after a piece.
  void conclude(const Piece& piece, NonsmoothState& to, Pace& pace, std::vector<ContactEvent>& events);
  /// Impulses of the reactions up to tau, and what friction takes.
  void account(const SmoothStep& step, double tau, NonsmoothState& to) const;
  /// @param before, states of inclusions
  void report(double time, const std::vector<ContactState>& before, const std::vector<ContactState>& states,
              const AfterTransition& after, std::vector<ContactEvent>& events) const;
  /// With the tangents that it takes.
  AfterTransition transition(BeforeTransition before);
  void change(NonsmoothState& state, std::optional<Index> triggered, LookAhead ahead,
              std::vector<ContactEvent>& events);

  EventDrivenOptions options_;
  SmoothMotion motion_;
  ContactTransition transition_;
  std::optional<Last> last_;
};

}  // namespace halfdof
