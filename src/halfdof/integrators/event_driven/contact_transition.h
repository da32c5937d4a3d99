// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/state_force_iteration.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/// The look ahead: the states of inclusions after an event are determined a short time after it.
struct LookAhead {
  double time;  ///< Time after the event [s].
  /// Number of sweeps of the trapezoidal rule. Each adds one more power of `time` to the motion. Its
  /// coefficient is not exact, but has the right sign if all terms of that power have the same sign.
  Index n_sweeps;
};

/// The motion just before an instant at which inclusions may change their states.
struct BeforeTransition {
  double time;
  Vector y, r, w, g;
  std::vector<ContactState> states;
  /// The direction whose event was located; without one, loads or obstacles may jump or have a kink here.
  std::optional<Index> triggered;
  LookAhead ahead;
  Vector guess;  ///< Estimate of the reactions after the instant, for the state force.

  bool is_abrupt() const { return !triggered; }
};

/// The motion just after such an instant.
struct AfterTransition {
  Vector w_before;  ///< Rates before the instant, relative to the supports as they move after it.
  Vector y, r, w, g;
  std::vector<ContactState> states;
  Vector impulses;    ///< Impulses of impacts.
  Vector dissipated;  ///< Energy dissipated in each direction, by impacts and by plays that jump.
};

/**
 * Computes the impacts at an instant and the states of all inclusions after it, all of them together.
 *
 * 1. Contacts with mass that touch and approach obey an ImpactLaw, @f$ w^+ = w^- + W_I p @f$. If the flight
 *    of a rebound would take less than shortest_flight [s], as estimated by the acceleration that brings it
 *    back, the contact has @f$ w^+ = 0 @f$ instead. Without this sticking cutoff the impacts of a ball that
 *    comes to rest would accumulate.
 * 2. The laws of all directions on algebraic DoFs, of all on viscous DoFs, and of those at rest on inertial
 *    DoFs are solved together (see InstantaneousLawProblem): with displacements and W_K, rates and W_C, and
 *    accelerations and W_I, in this order. At the instant itself an inclusion is at the boundary between two
 *    states, so the laws are solved again at a time a little `ahead`, where every inclusion has left that
 *    boundary.
 *
 * Coulomb friction has impulses in its tangents in impacts. At rest its whole law is solved; while it slides,
 * only the law of its normal, and the reactions of the tangents are proportional to the normal one.
 *
 * With a StateForce the caller has to take the tangents at the state before the instant, because impulses
 * change velocities through the tangent mass. The laws of step 2 are solved by iteration, with the state
 * force at the reactions that are found (StateForceIteration).
 */
class ContactTransition {
 public:
  /// @param shortest_flight [s]; 0: 1e-6 of SmoothMotion::time_scale()
  /// @throws NotAvailable if impulses of contacts with mass would immediately move inclusions on half DoFs
  ContactTransition(const SmoothMotion& motion, double shortest_flight,
                    ImpactLaw impact_law = ImpactLaw::newton);

  double shortest_flight() const {
    return shortest_flight_ > 0 ? shortest_flight_ : default_flight_in_time_scales * motion_.time_scale();
  }
  ContactTransition(const ContactTransition&) = delete;
  ContactTransition& operator=(const ContactTransition&) = delete;

  /// Computes the motion after an instant. @throws SlowTangents; PainleveState
  AfterTransition operator()(const BeforeTransition& before) const;

  /// Checks whether the model is supported. @throws as the constructor
  static void check(const CondensedInclusions& condensed);

  /// Computes reactions and states of inclusions whose reactions move nothing. @throws InvalidInput if a
  /// contact that cannot move has a negative gap
  void recover(double time, const Vector& w, const Vector& g, Vector& r,
               std::vector<ContactState>& states) const;

 private:
  /// The solution of all laws at one instant.
  struct LawSolution {
    Vector r, w;
    std::vector<ContactState> states;
    Vector s;  ///< Displacements without reactions, relative to the supports.
    CondensedInclusions::LoadTerms load_terms;
  };
  /// The state just after the impacts of an instant, or a short time ahead of it; which contacts touch, and
  /// in which directions the motion is at rest.
  struct Situation {
    double time;
    Vector y;
    std::vector<ContactState> states;
    Vector targets;  ///< Gaps from which plays move.
    std::vector<bool> touches, rests;
    Vector w;                           ///< Rates of the inertial directions that slip.
    Vector guess;                       ///< Estimate of the reactions.
    const LawSolution* here = nullptr;  ///< For a look ahead, the solution at the instant itself.
  };

  std::vector<bool> touching_contacts(const BeforeTransition& before,
                                      const CondensedInclusions::LoadTerms& load_terms,
                                      const SupportDerivatives& p) const;
  Vector rate_tolerances(const BeforeTransition& before, const Vector& y,
                         const CondensedInclusions::LoadTerms& load_terms, const SupportDerivatives& p) const;
  bool impact(const BeforeTransition& before, const CondensedInclusions::LoadTerms& load_terms,
              const SupportDerivatives& p, const std::vector<bool>& touches, AfterTransition& after) const;
  Impact impact_of(double time, const std::vector<Index>& touching, const Vector& w, const Vector& e) const;
  bool exceeds_shortest_flight(double time, Index j, double w, double a, double p) const;
  Vector accelerations(const Vector& y, const CondensedInclusions::LoadTerms& load_terms, const Vector& r,
                       const SupportDerivatives& p) const;
  LawSolution solve_all_laws(const Situation& now) const;
  LawSolution solve_all_laws_with_loads(const CondensedInclusions::LoadTerms& loads,
                                        const Situation& now) const;
  Vector gaps_of_plays(const Vector& g, const std::vector<bool>& touches) const;
  Situation situation(const BeforeTransition& before, const SupportDerivatives& p,
                      AfterTransition& after) const;
  LawSolution look_ahead(const BeforeTransition& before, const LookAhead& look, const Situation& now,
                         const LawSolution& here, const Vector& g) const;
  bool may_open_or_slip(Index j, const Situation& now, const LawSolution& here, const Vector& uncertainty,
                        ContactState to) const;
  bool threshold_drops(Index j, double time, ContactState slips) const;
  std::optional<SmoothMotion::Mode> mode_with_shared_friction(const BeforeTransition& before,
                                                              const Situation& now, const LawSolution& here,
                                                              const Vector& g) const;
  bool shared_friction_slips(const SmoothMotion::Mode& shared, const Vector& uncertainty,
                             const LawSolution& ahead) const;
  bool others_keep_states(const SmoothMotion::Mode& shared, const LawSolution& ahead) const;
  LawSolution shortened_look_ahead(const BeforeTransition& before, const Situation& now,
                                   const LawSolution& here, const Vector& g, const Vector& uncertainty,
                                   LookAhead& look) const;
  void release_redundant(double time, const Vector& r, std::vector<ContactState>& states) const;
  std::vector<ContactState> without_friction(std::vector<ContactState> states) const;
  Vector dissipated_by_jumps(const BeforeTransition& before, const Vector& slip, const Vector& r) const;
  Vector uncertainty(const Situation& now, const CondensedInclusions::LoadTerms& load_terms,
                     const SupportDerivatives& p) const;
  LawsAtTime solve_laws(const Situation& now, const std::vector<Index>& directions, const Vector& b,
                        const Vector& uncertainty, LawSolution& solution) const;
  bool slides(const Situation& now, Index j) const;
  Vector sliding_reaction(const Situation& now, Index normal) const;
  void check_no_painleve_state(double time, Index normal, double W) const;
  void set_states(Index j, bool slides, ContactState found, std::vector<ContactState>& states) const;
  void decide_plays(const std::vector<Index>& directions, const LawsAtTime& laws, const LawSolution& here,
                    LawSolution& ahead) const;

  static constexpr double default_flight_in_time_scales = 1e-6;

  const SmoothMotion& motion_;
  const CondensedInclusions& condensed_;
  double shortest_flight_;
  ImpactLaw impact_law_;
};

}  // namespace halfdof::internal
