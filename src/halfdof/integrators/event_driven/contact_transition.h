// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/state_force_iteration.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace halfdof::internal {

inline std::size_t at(Index j) {
  return static_cast<std::size_t>(j);
}

/// The short time after an event at which the laws are solved to determine the contact states after the
/// event.
struct LookAhead {
  double time;  ///< Time after the event [s].
  /// Number of iterations of the trapezoidal rule. Each iteration adds one more power of `time` to the
  /// motion. The coefficient of this power is not exact, but has the right sign if all its terms have the
  /// same sign.
  Index n_sweeps;
};

/// The motion just before an instant at which inclusions may change their contact states.
struct BeforeTransition {
  double time;
  Vector y, r, w, g;
  std::vector<ContactState> states;
  /// The direction whose event was located. Without a value, loads or obstacles may jump or have a kink at
  /// this instant.
  std::optional<Index> triggered;
  LookAhead ahead;
  Vector
      guess;  ///< Estimate of the reactions after the instant, with which the state force is evaluated first.

  bool is_abrupt() const { return !triggered; }
};

/// The motion just after an instant at which inclusions may change their contact states.
struct AfterTransition {
  Vector w_before;  ///< Rates before the instant, relative to the motion of the supports after the instant.
  Vector y, r, w, g;
  std::vector<ContactState> states;
  Vector impulses;    ///< Impulses of impacts.
  Vector dissipated;  ///< Energy dissipated in each direction, by impacts and by plays that jump.
};

/**
 * Computes the impacts at an instant, and the contact states of all inclusions after this instant.
 *
 * 1. Contacts with mass that touch and approach obey an ImpactLaw, @f$ w^+ = w^- + W_I p @f$. If the flight
 *    of a rebound would take less than shortest_flight [s], as estimated by the acceleration towards the
 *    obstacle, the contact has @f$ w^+ = 0 @f$ instead. Without this sticking cutoff the impacts of a ball
 *    that comes to rest would accumulate.
 * 2. The laws of all directions on algebraic DoFs, of all on viscous DoFs, and of those at rest on inertial
 *    DoFs are solved together (see InstantaneousLawProblem). The laws on algebraic DoFs are enforced on
 *    displacements with W_K, on viscous DoFs on rates with W_C, and on inertial DoFs on accelerations with
 *    W_I. At the instant itself an inclusion is at the boundary between two contact states. The laws are
 *    therefore solved again a short time later (BeforeTransition::ahead), when every inclusion has left this
 *    boundary.
 *
 * In impacts Coulomb friction has tangential impulses. At rest the whole law of Coulomb friction is solved.
 * While Coulomb friction slips, only the law of the normal direction is solved, and the tangential reactions
 * are proportional to the normal reaction.
 *
 * With a StateForce the caller has to take the tangents at the state before the instant, because impulses
 * change velocities through the tangent mass. The laws of step 2 are solved by iteration
 * (StateForceIteration), so that the state force belongs to the reactions that are found.
 */
class ContactTransition {
 public:
  /// @param shortest_flight EventDrivenOptions::shortest_flight [s]; 0 stands for 1e-6 of
  /// SmoothMotion::time_scale()
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

  /// Computes the reactions and contact states of inclusions whose reactions move no DoF. @throws
  /// InvalidInput if such a contact has a negative gap
  void recover_immobile_reactions(double time, const Vector& w, const Vector& g, Vector& r,
                                  std::vector<ContactState>& states) const;

 private:
  /// The solution of all laws at one instant.
  struct LawSolution {
    Vector r, w;
    std::vector<ContactState> states;
    Vector s;  ///< Displacements without reactions, relative to the supports.
    CondensedInclusions::LoadTerms load_terms;
  };
  /// The state just after the impacts of an instant, or a short time later, with the contacts that touch and
  /// the directions that are at rest.
  struct TransitionState {
    double time;
    Vector y;
    std::vector<ContactState> states;
    Vector targets;  ///< Gaps of plays before they move.
    std::vector<bool> touches, rests;
    Vector w;      ///< Rates of the inertial directions that slip.
    Vector guess;  ///< Estimate of the reactions.
    const LawSolution* here =
        nullptr;  ///< The solution at the instant itself; null unless the time is later.
  };

  std::vector<bool> touching_contacts(const BeforeTransition& before,
                                      const CondensedInclusions::LoadTerms& load_terms,
                                      const SupportDerivatives& p) const;
  Vector rate_tolerances(const BeforeTransition& before, const Vector& y,
                         const CondensedInclusions::LoadTerms& load_terms, const SupportDerivatives& p) const;
  bool impact(const BeforeTransition& before, const CondensedInclusions::LoadTerms& load_terms,
              const SupportDerivatives& p, const std::vector<bool>& touches, AfterTransition& after) const;
  Impact solve_impact(double time, const std::vector<Index>& touching, const Vector& w,
                      const Vector& e) const;
  bool exceeds_shortest_flight(double time, Index j, double w, double a, double p) const;
  Vector accelerations(const Vector& y, const CondensedInclusions::LoadTerms& load_terms, const Vector& r,
                       const SupportDerivatives& p) const;
  LawSolution solve_all_laws(const TransitionState& now) const;
  LawSolution solve_all_laws_with_loads(const CondensedInclusions::LoadTerms& loads,
                                        const TransitionState& now) const;
  Vector gaps_of_plays(const Vector& g, const std::vector<bool>& touches) const;
  TransitionState state_after_impacts(const BeforeTransition& before, const SupportDerivatives& p,
                                      AfterTransition& after) const;
  LawSolution look_ahead(const BeforeTransition& before, const LookAhead& look, const TransitionState& now,
                         const LawSolution& here, const Vector& g) const;
  bool may_open_or_slip(Index j, const TransitionState& now, const LawSolution& here,
                        const Vector& uncertainty, ContactState to) const;
  bool threshold_drops(Index j, double time, ContactState slips) const;
  std::optional<SmoothMotion::Mode> mode_with_shared_friction(const BeforeTransition& before,
                                                              const TransitionState& now,
                                                              const LawSolution& here, const Vector& g) const;
  bool shared_friction_slips(const SmoothMotion::Mode& shared, const Vector& uncertainty,
                             const LawSolution& ahead) const;
  bool others_keep_states(const SmoothMotion::Mode& shared, const LawSolution& ahead) const;
  LawSolution shortened_look_ahead(const BeforeTransition& before, const TransitionState& now,
                                   const LawSolution& here, const Vector& g, const Vector& uncertainty,
                                   LookAhead& look) const;
  void release_redundant(double time, const Vector& r, std::vector<ContactState>& states) const;
  std::vector<ContactState> without_friction(std::vector<ContactState> states) const;
  Vector dissipated_by_jumps(const BeforeTransition& before, const Vector& slip, const Vector& r) const;
  Vector uncertainty(const TransitionState& now, const CondensedInclusions::LoadTerms& load_terms,
                     const SupportDerivatives& p) const;
  LawsAtTime solve_laws(const TransitionState& now, const std::vector<Index>& directions, const Vector& b,
                        const Vector& uncertainty, LawSolution& solution) const;
  bool is_sliding_normal(const TransitionState& now, Index j) const;
  Vector sliding_reaction(const TransitionState& now, Index normal) const;
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
