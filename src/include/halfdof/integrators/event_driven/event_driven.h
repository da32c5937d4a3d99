// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

struct EventDrivenOptions {
  /// Allowed error of a step. Errors of displacements and of velocities are relative to the largest
  /// displacement and velocity. Errors of thresholds, and of loads that reactions balance, are relative to
  /// all terms of the reaction. With a state force the accuracy is limited by NewtonOptions::tolerance.
  double relative_tolerance = 1e-10;
  /// Allowed absolute error of a step, in the units of displacements and of velocities.
  double absolute_tolerance = 0;
  /// Longest step [s]. No step is longer than 100/rho(A), where rho(A) is the spectral radius of the state
  /// matrix. If loads or thresholds are C++ functions with short pulses, the longest step has to be shorter
  /// than a pulse, so that no step misses a pulse.
  double largest_step = std::numeric_limits<double>::infinity();
  /// The sticking cutoff: a contact that would return to its obstacle within this time [s] after an impact
  /// comes to rest on the obstacle instead. With a constant force towards the obstacle and restitution e < 1,
  /// the omitted impacts take less than shortest_flight / (1 - e). The value 0 stands for 1e-6 of the time
  /// scale 1/rho(A) of the structure. The time scale of a rigid structure is the length of the run, or that
  /// of the intervals in which its functions of time are smooth.
  double shortest_flight = 0;
  /// Times at which loads, thresholds, obstacles or prescribed motions jump or have a kink [s]. The kinks and
  /// jumps of tables and formulas in laws and in `functions` need not be given. Kinks of other obstacles and
  /// prescribed motions are located up to rounding. All other kinks and jumps that are not given are passed
  /// with shorter and shorter steps.
  std::vector<double> breakpoints;
  /// The functions of time from which loads and prescribed motions are computed. Steps resolve these
  /// functions, and likewise the functions of the laws.
  std::vector<ScalarFunction> functions;
  /// Total length of all calls of run() [s], which is used as an upper bound of time scales. The value 0
  /// stands for the length of the first call.
  double run_length = 0;
  Index max_states = 500;  ///< Largest number of states for the dense matrices.
  ImpactLaw impact_law = ImpactLaw::newton;
};

/**
 * The event-driven integrator (Piiroinen and Kuznetsov 2008): between events the smooth motion is integrated
 * with high order, and the instants of stick, slip, impact and lift-off are located by root finding. The
 * integrator is meant for few inclusions and for solutions of reference accuracy.
 *
 * - The motion between events is smooth. Reactions of inclusions that stick or are closed are eliminated
 *   through the Delassus matrices W like the multipliers of constraints. Single-valued reactions, of friction
 *   on viscous DoFs and of contacts on algebraic DoFs, are eliminated in the same way. Plays keep their
 *   position while they stick, and have their reaction at its bound while they slide.
 * - Events are roots of reactions, rates and gaps within a step. Loads, reactions and thresholds at the
 *   nodes of a step are interpolated by polynomials of degree seven. Steps are short enough for this
 *   interpolation, even if hardly anything moves.
 * - A step ends at each kink of an obstacle or of a prescribed motion. A kink towards a contact causes an
 *   impact.
 * - At an event the next contact states of all inclusions are determined together.
 *
 * Every change of state of an inclusion, and every impact, is one ContactEvent with equal begin and end. A
 * step ends at its first event. The run stops with an error after many events without progress in time, and
 * also if noise of loads or thresholds of more than 1e-7 of their size makes every step too inaccurate.
 * Bounces with e = 1 and damping, whose speed decreases like 1/n, count as progress, however many there are;
 * shortest_flight ends them. If a jump of the loads moves a play, the dissipated energy is computed with the
 * reaction after the jump.
 *
 * With a StateForce the motion between events obeys the nonlinear equations: steps are solved by iteration
 * with constant tangents, which are updated in the middle of a step if the iteration is slow. Steps for which
 * two sets of tangents do not suffice are shortened. At every event the tangents are those at its state,
 * since impulses act on its mass.
 *
 * Supported laws are those with an interval of reactions at rest, Law::rest_interval() (dry, St-Venant,
 * static-kinetic and weakening friction, contact without friction), and Coulomb's cone on masses, on
 * directions that one kind of DoFs decides. The integrator runs on one process only, with dense matrices of
 * at most max_states states. NonsmoothState::carried contains the proposed step, the number of events and of
 * shortest steps without progress, and the time scale and length of the run.
 */
template <class Engine>
class EventDriven final : public NonsmoothIntegrator<Engine> {
 public:
  /// @throws InvalidInput if an option is out of range; NotAvailable on several processes, with more than
  ///     max_states states, or with laws that are not supported. Runs throw NotAvailable if friction jams a
  ///     sliding contact (Painleve).
  EventDriven(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
              const EventDrivenOptions& options = {});
  ~EventDriven() override;

  std::string name() const override { return "event-driven"; }
  std::vector<Check> kept_exactly() const override;
  int dense_output_degree() const override;
  double shortest_flight() const override;
  ImpactLaw impact_law() const override;

 protected:
  bool is_implicit() const override { return false; }
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override;
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                  double theta) const override;
  std::string advice() const override {
    return "The motion of the structure grows without bound: check the signs of its matrices and loads.";
  }

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
