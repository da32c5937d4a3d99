#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/check.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth_observation.h>
#include <halfdof/integrators/trial_load.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * The step contract of every integrator that carries inclusions,
 * @f[ \dot y = A y + B (F(t) + H r), \qquad (w, r) \ \text{or}\ (g, r) \ \text{in the graph of each law}. @f]
 * As Integrator, with reactions: it advances a NonsmoothState that belongs to the caller, and keeps nothing
 * from one step to the next but what it would find again to the last digit (factorizations, loads), so that a
 * state that was saved goes on as if nothing had happened. A step either succeeds or throws and leaves the
 * state as it was: the last good one.
 *
 * @code
 * const auto pad = std::make_shared<DryFriction>(-3., 3.);
 * const Inclusions model(reduced, {inclusion("brake", pad, Direction({{7, 1.}}))});
 * const InclusionOutcome outcome = what_becomes(model);
 * NonsmoothState state = nonsmooth_start(model, outcome, displacement, rate);
 * MoreauJean integrator(model, outcome, time_step);
 * integrator.run(state, end_time, [](const auto& now) { plot(now.time(), now.reactions()[0]); });
 * @endcode
 *
 * Of a system with a StateForce the equations themselves are integrated, as Integrator says; inclusions() and
 * outcome() then are those of the present tangents. Which these are depends on the steps before: a saved
 * state goes on to NewtonOptions::tolerance.
 *
 * Functions are collective.
 */
template <class Engine>
class NonsmoothIntegrator {
 public:
  virtual ~NonsmoothIntegrator() = default;

  /// "Moreau-Jean", ... as messages call it.
  virtual std::string name() const = 0;
  const Inclusions<Engine>& inclusions() const { return inclusions_; }
  const ReducedSystem<Engine>& reduced() const { return inclusions_.reduced(); }
  const InclusionOutcome& outcome() const { return outcome_; }
  /// Which result of existence and uniqueness covers the runs.
  const Statement& statement() const { return outcome_.statement; }

  /// The weight theta with which the forces at the end of a step count in its balance of momentum,
  /// M dv + C dq + h K ((1 - theta) q_n + theta q_{n+1}) = ...; 1/2 where the method has no such rule.
  virtual double end_weight() const { return 0.5; }

  /// The degree of the polynomials that dense output of the last step is made of: 1 unless the method knows
  /// better; 0 where something jumps within the step, and all stays until its end; `no_polynomial` where it
  /// is the motion under loads and prescribed motions as they are, which may have kinks within the step.
  virtual int dense_output_degree() const { return 1; }
  static constexpr int no_polynomial = std::numeric_limits<int>::max();

  /// Rebounds that would come back within this time [s] end at rest; 0: none does.
  virtual double shortest_flight() const { return 0; }

  /// By which contacts with mass rebound.
  virtual ImpactLaw impact_law() const { return ImpactLaw::newton; }

  /// Dense output of a step that this integrator has taken, the last one if the method knows better than
  /// linear. No state to go on from: begin + theta (end - begin), 0 <= theta <= 1. Contact states are those
  /// within the step. Collective.
  NonsmoothState interpolate(const NonsmoothState& begin, const NonsmoothState& end, double theta) const;

  /// The largest relative residual to which laws were taken to hold beyond the tolerance asked for; 0: none.
  virtual double largest_residual() const { return 0; }
  /// Whether contacts at rest are put back to their obstacles, beside the balance of momentum.
  virtual bool corrects_positions() const { return false; }

  /// What Verification finds violated by rounding alone, seeing every step. What else it measures is the
  /// error of the steps.
  virtual std::vector<Check> kept_exactly() const = 0;

  /// Advances the state by one step of the integrator's own length. @param events Where to append what
  /// happened.
  /// @throws InvalidInput if the state has another size or is not finite; NoReactions; BlowUp;
  /// SingularMatrix; with a StateForce NoConvergence and KindChange
  void step(NonsmoothState& state, std::vector<ContactEvent>& events);
  void step(NonsmoothState& state);

  /**
   * Advances the state to end_time, which is hit exactly. The observer sees the initial point and the end of
   * every step.
   * @param end_time Finite, not before state.time. @throws as step()
   */
  void run(NonsmoothState& state, double end_time, const NonsmoothObserver<Engine>& observer = {});

  /**
   * Advances the state to the last output time. The steps are those of run() to that time; in between the
   * observer sees the dense output at the output times, and nothing else.
   * @param output_times Ascending, none before state.time. @throws as step()
   */
  void run(NonsmoothState& state, const std::vector<double>& output_times,
           const NonsmoothObserver<Engine>& observer);

 protected:
  NonsmoothIntegrator(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome)
      : inclusions_(inclusions), outcome_(outcome) {}
  NonsmoothIntegrator(const NonsmoothIntegrator&) = default;
  NonsmoothIntegrator& operator=(const NonsmoothIntegrator&) = default;

  /// The state after one step, at most at `limit` (infinite for a step of free length), and what happened on
  /// the way, by time. A result that is not finite is found by the caller.
  virtual NonsmoothState advance(const NonsmoothState& from, double limit,
                                 std::vector<ContactEvent>& events) = 0;
  /// Dense output of the last step at begin + theta (end - begin), 0 < theta < 1. Linear unless the method
  /// knows better, contact states those of the end; no state to go on from.
  virtual NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                          double theta) const;
  /// A state to write the end of a step into: any, in the memory of one that nobody needs any more.
  NonsmoothState recycled() { return std::move(spent_); }
  /// What to do when the state blows up: the last sentence of the message.
  virtual std::string advice() const = 0;
  /// Whether advance() asks for load().
  virtual bool is_implicit() const { return true; }
  /// Reactions under which a StateForce is met at a state of a trial, whose reactions are r.
  virtual Vector met_reactions(const NonsmoothState& at, const Vector& /*r*/) const { return at.r; }
  /// Whether a trial holds for tangents of its own step alone.
  virtual bool needs_own_tangents(const NonsmoothState& /*trial*/) const { return false; }
  /// Whether the next step may keep the tangents of this one.
  virtual bool tangents_serve(const NonsmoothState& /*begin*/, const NonsmoothState& /*end*/) const {
    return true;
  }
  /// F at a time of the step: of a system with a StateForce, at the state and reactions of the last trial.
  Vector load(double time);
  /// Goes on as if made with these, which have other tangents.
  virtual void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) = 0;
  /// Takes the tangents of a state where reactions act. @throws KindChange if they are not of the kinds
  /// declared
  void renew_at(const State& state, const Vector& r);

 private:
  NonsmoothState solve_step(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events);
  NonsmoothState advance_with_other_rounding(const NonsmoothState& from, double limit,
                                             const std::optional<NonsmoothState>& before);
  NonsmoothState advance_explicitly(const NonsmoothState& from, double limit,
                                    std::vector<ContactEvent>& events);
  void monitor(const NonsmoothState& begin, const NonsmoothState& end);
  void require_obstacles_without_jumps(const NonsmoothState& begin, const NonsmoothState& end) const;
  void check(const NonsmoothState& state) const;
  NonsmoothState next(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events);

  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  TrialLoad<Engine> trial_load_;
  ColumnsSoFar columns_;               ///< at the ends of steps
  NonsmoothState begin_;               ///< of the step
  std::optional<NonsmoothState> end_;  ///< of the step, as the last trial had it
  bool rounds_otherwise_ = false;      ///< load(), to measure what rounding does
  NonsmoothState spent_;               ///< see recycled()
};

}  // namespace halfdof
