// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/reduction/consistent_state.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// Treatment of plays whose laws admit no reactions that hold the given displacements.
enum class InadmissibleReactions {
  refuse,
  project,  ///< The plays relax to the nearest admissible reactions in the metric of W_K.
};

/// A play that starts at displacements that differ from the given displacements.
struct ProjectedPlay {
  std::string name;
  Vector slip;   ///< Slip of the directions of the play at the start.
  Vector taken;  ///< Admissible reactions with which the play starts.
};

/// The initial state of a run with inclusions.
struct NonsmoothStart : NonsmoothState {
  ConsistencyReport report;              ///< Report on displacements and rates, see consistent_state().
  std::vector<ProjectedPlay> projected;  ///< Plays that start at displacements other than the given ones.
};

struct NonsmoothStartOptions {
  ConsistencyOptions consistency;
  InadmissibleReactions inadmissible = InadmissibleReactions::refuse;  ///< Treatment of plays.
  /// Rates up to this tolerance times the largest rate count as rest, and gaps up to this tolerance times the
  /// largest displacement count as closed.
  double tolerance = 1e-10;
};

/**
 * Computes the initial state of a run with inclusions. Displacements, rates and accelerations follow from a
 * state y and reactions r. Each law is enforced on a quantity that depends on the lightest kind of DoFs that
 * decides its direction:
 * - contacts on algebraic DoFs by their gaps, @f$ H^T q - h @f$ with @f$ q_K = q_{K,\text{free}}(y) +
 *   J_K (D^{-1})_K H r @f$;
 * - plays, whose reactions are states, by their slip s at the start from the given q_K(0):
 *   @f[ H^T J_K (q_{K,\text{free}} - q_K(0)) + W_K r = s, \qquad (s, r) \text{ in the law}. @f]
 *   Algebraic DoFs have no state of their own, so that their given displacements determine the reactions that
 *   hold them (Bastien and Lamarque 2009: r(0) = G(0) = K V(0) - F(0), which they assume to be admissible).
 *   Plays that slip, because no admissible reactions hold them, are refused. On request the reactions of
 *   these plays are projected onto the admissible reactions in the metric of W_K, as a sweeping process does
 *   at its first instant. If W_K is singular, only combinations of the reactions of plays are determined;
 * - friction and contacts on viscous DoFs by their rates;
 * - friction and contacts on inertial DoFs by their rates if these are not zero, and at rest by the
 *   acceleration under constant reactions.
 *
 * All laws are solved together, since with unsymmetric matrices reactions on DoFs of each kind immediately
 * move DoFs of all other kinds. Above DelassusOptions::max_dense directions the Delassus matrix is an
 * operator: each application costs one solve with D, or two or three if directions act on half DoFs.
 *
 * @param displacement,rate of all local assembled DoFs, including algebraic ones
 * @throws InvalidInput as consistent_state() does; if plays slip at the start and `inadmissible` is refuse;
 * if a contact starts inside its obstacle
 * @throws NoReactions if no reactions are found. Collective.
 */
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time = 0,
                               const NonsmoothStartOptions& options = {});

/// Computes the initial state from a state y and reactions r (n_directions() entries), which together
/// determine the displacements of algebraic DoFs.
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const State& state, const Vector& r,
                               const NonsmoothStartOptions& options = {});

enum class Check;

/**
 * Laws of impacts. At an instant at which contacts touch, impulses p change the relative rates from w- to
 * @f[ w^+ = w^- + W p, \qquad W = H^T M^{-1} H. \qquad (1) @f]
 * Normal impulses push, p_n >= 0, and tangential impulses obey Coulomb's law, |p_t| <= mu p_n,
 * p_t = -mu p_n w_t / |w_t| where w_t is not zero.
 *
 * - Newton: @f$ 0 \le w_n^+ + e\, w_n^- \perp p_n \ge 0 @f$ for all contacts together.
 * - Poisson (Glocker and Pfeiffer 1995, without tangential restitution): compression ends with
 *   @f$ 0 \le w_n^C \perp p_n^C \ge 0 @f$, w^C = w^- + W p^C; expansion gives back at least the part e,
 *   @f$ 0 \le w_n^+ \perp p_n^E - e\, p_n^C \ge 0 @f$, w^+ = w^C + W p^E, p = p^C + p^E. Coulomb's law
 *   holds in each phase.
 * - Sequential: contacts strike one after the other, each by Newton's law, until no contact approaches. The
 *   next contact is always the one that approaches fastest (the first of equally fast contacts). In Newton's
 *   cradle of equal balls the motion thus passes to the last ball. If contacts at one body have equal rates,
 *   the result depends on the order of the contacts.
 */
enum class ImpactLaw { newton, poisson, sequential };

/// Returns "newton", "poisson" or "sequential".
const char* name_of(ImpactLaw law);

/**
 * Base class of the integrators for systems with inclusions,
 * @f[ \dot y = A y + B (F(t) + H r), \qquad (w, r) \ \text{or}\ (g, r) \ \text{in the graph of each law}. @f]
 * Like Integrator, a NonsmoothIntegrator advances a state that belongs to the caller, here a NonsmoothState.
 * From one step to the next the integrator keeps only data that can be computed again to the last digit
 * (factorizations, loads), so that a run that is resumed from a saved state gives exactly the same result. A
 * step either succeeds, or throws and leaves the state unchanged.
 *
 * @code
 * const auto pad = std::make_shared<DryFriction>(-3., 3.);
 * const Inclusions model(reduced, {inclusion("brake", pad, Direction({{7, 1.}}))});
 * const InclusionOutcome outcome = classify_inclusions(model);
 * NonsmoothState state = nonsmooth_start(model, outcome, displacement, rate);
 * MoreauJean integrator(model, outcome, time_step);
 * integrator.run(state, end_time, [](const auto& now) { plot(now.time(), now.reactions()[0]); });
 * @endcode
 *
 * For a system with a StateForce the nonlinear equations are integrated, see Integrator; inclusions() and
 * outcome() then belong to the present tangents. These depend on the previous steps, so that a run resumed
 * from a saved state agrees with the original run only up to NewtonOptions::tolerance.
 *
 * Functions are collective.
 */
template <class Engine>
class NonsmoothIntegrator {
 public:
  virtual ~NonsmoothIntegrator();

  /// Returns the name of the method in messages, such as "Moreau-Jean".
  virtual std::string name() const = 0;
  const Inclusions<Engine>& inclusions() const { return inclusions_; }
  const ReducedSystem<Engine>& reduced() const { return inclusions_.reduced(); }
  const InclusionOutcome& outcome() const { return outcome_; }
  /// The result on existence and uniqueness of solutions that holds for the system.
  const Statement& statement() const { return outcome_.statement; }

  /// Returns the weight theta of the forces at the end of a step in the balance of momentum of this step,
  /// M dv + C dq + h K ((1 - theta) q_n + theta q_{n+1}) = ..., or 1/2 if the method has no such weight.
  virtual double end_weight() const { return 0.5; }

  /// Returns the degree of the polynomials in the dense output of the last step. The degree is 1 unless the
  /// method overrides this function. The degree is 0 if there is a jump within the step and the state is
  /// constant until the end of the step, and `no_polynomial` if the dense output is the exact motion under
  /// the given loads and prescribed motions, which may have kinks within the step.
  virtual int dense_output_degree() const { return 1; }
  static constexpr int no_polynomial = std::numeric_limits<int>::max();

  /// Returns the shortest flight [s]. A rebound that would end within this time is replaced by rest. If the
  /// result is 0, no rebound is replaced.
  virtual double shortest_flight() const { return 0; }

  /// Returns the law by which contacts with mass rebound.
  virtual ImpactLaw impact_law() const { return ImpactLaw::newton; }

  /// Returns the dense output at begin + theta (end - begin), 0 <= theta <= 1, of a step that this integrator
  /// has taken, which must be the last step if dense output is not linear. A run cannot be continued from the
  /// result. Contact states are those within the step. Collective.
  NonsmoothState interpolate(const NonsmoothState& begin, const NonsmoothState& end, double theta) const;

  /// Returns the largest relative residual of the laws that was accepted although it exceeded the tolerance,
  /// or 0 if no residual exceeded the tolerance.
  virtual double largest_residual() const { return 0; }
  /// Returns whether contacts at rest that penetrate are moved back onto their obstacles, which violates the
  /// balance of momentum.
  virtual bool corrects_positions() const { return false; }

  /// Returns the checks of Verification that the method satisfies up to rounding if every step is checked.
  /// The other checks measure the error of the steps.
  virtual std::vector<Check> kept_exactly() const = 0;

  /// Advances the state by one step of the integrator's own length.
  /// @param events the events of the step are appended to this vector
  /// @throws InvalidInput if the state has another size or is not finite; NoReactions; BlowUp;
  /// SingularMatrix; with a StateForce NoConvergence and KindChange
  void step(NonsmoothState& state, std::vector<ContactEvent>& events);
  void step(NonsmoothState& state);

  /**
   * Advances the state to end_time, which is hit exactly. The observer is called at the initial point and at
   * the end of every step.
   * @param end_time finite, not before state.time @throws as step()
   */
  void run(NonsmoothState& state, double end_time, const NonsmoothObserver<Engine>& observer = {});

  /**
   * Advances the state to the last output time, with the steps that run() to this time would take. The
   * observer is called only at the output times, with the dense output.
   * @param output_times ascending, none before state.time @throws as step()
   */
  void run(NonsmoothState& state, const std::vector<double>& output_times,
           const NonsmoothObserver<Engine>& observer);

 protected:
  NonsmoothIntegrator(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome);
  /// Moves from an integrator of the same system with tangents at another state; rebuild() uses it.
  NonsmoothIntegrator& operator=(NonsmoothIntegrator&&) noexcept;

  /// Returns the state after one step, which ends at or before the time `limit`, and appends the events of
  /// the step in the order of time. The limit is infinite if the step length is not limited. The caller
  /// checks whether the result is finite.
  virtual NonsmoothState advance(const NonsmoothState& from, double limit,
                                 std::vector<ContactEvent>& events) = 0;
  /// Returns the dense output of the last step at begin + theta (end - begin), 0 < theta < 1. The dense
  /// output is linear with the contact states of the end, unless the method overrides this function. A run
  /// cannot be continued from the result.
  virtual NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                          double theta) const;
  /// Returns a state with arbitrary values whose storage can be reused for the end of a step.
  NonsmoothState recycled() { return std::move(recycled_); }
  /// Returns the last sentence of the error message for a state that grows beyond all bounds. The sentence
  /// says what the user can do.
  virtual std::string advice() const = 0;
  /// Returns whether advance() uses load().
  virtual bool is_implicit() const { return true; }
  /// Returns the reactions with which a StateForce is evaluated at a state `at` of a trial step. The second
  /// argument contains the reactions at the end of the trial step.
  virtual Vector reactions_for_state_force(const NonsmoothState& at, const Vector& /*r*/) const {
    return at.r;
  }
  /// Returns whether the result of a trial is valid only if the tangents were computed in the same step.
  virtual bool needs_own_tangents(const NonsmoothState& /*trial*/) const { return false; }
  /// Returns whether the next step may use the tangents of the step from `begin` to `end`.
  virtual bool may_keep_tangents(const NonsmoothState& /*begin*/, const NonsmoothState& /*end*/) const {
    return true;
  }
  /// Returns the load F at a time of the step. With a StateForce, F is evaluated at the state and the
  /// reactions of the last trial.
  Vector load(double time);
  /// Replaces the inclusions and their outcome by the inclusions and the outcome for other tangents of the
  /// same system.
  virtual void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) = 0;
  /// Replaces the tangents by the tangents at a state under the reactions r. @throws KindChange if DoFs then
  /// have other kinds than the declared kinds
  void relinearize_at(const State& state, const Vector& r);

 private:
  struct Implementation;

  void check(const NonsmoothState& state) const;
  NonsmoothState next(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events);

  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  std::unique_ptr<Implementation> implementation_;
  NonsmoothState recycled_;  ///< A former state, whose storage recycled() returns.
};

}  // namespace halfdof
