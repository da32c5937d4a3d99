#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/forced_iteration.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/integrators/smooth_motion.h>

#include <optional>
#include <vector>

namespace halfdof {

/// How states of contacts are determined a little after an event.
struct LookAhead {
  double time;  ///< after the event [s]
  /// Of the trapezoidal rule. Each shows one more power of `time`, whose coefficient is not exact: enough for
  /// the sign where all terms of that power have the same one.
  Index n_sweeps;
};

/// What is known at an instant at which inclusions may change what they do.
struct BeforeTransition {
  double time;
  Vector y, r, w, g;
  std::vector<ContactState> states;
  /// The direction whose event was located; without one, loads or obstacles may jump or have a kink here.
  std::optional<Index> triggered;
  LookAhead ahead;
  Vector guess;  ///< reactions near those to come, for the state force

  bool is_abrupt() const { return !triggered; }
};

struct AfterTransition {
  Vector w_before;  ///< relative to supports as they move from now on
  Vector y, r, w, g;
  std::vector<ContactState> states;
  Vector impulses;    ///< of impacts
  Vector dissipated;  ///< by each inclusion: by impacts, and by plays that jump
};

/**
 * Impacts, and what every inclusion does from an instant on; all of them together.
 *
 * 1. Contacts with mass that touch and approach: an ImpactLaw, @f$ w^+ = w^- + W_I p @f$. A rebound whose
 * flight would take less than shortest_flight [s], judged by
 *    the acceleration that brings it back, ends with @f$ w^+ = 0 @f$ instead: the sticking cutoff, without
 *    which the impacts of a ball that comes to rest would accumulate.
 * 2. Directions on algebraic DoFs, on viscous ones, and those at rest on inertial ones, met together by
 *    displacements and W_K, rates and W_C, accelerations and W_I (see MixedLevels). At the instant itself an
 *    inclusion is at the edge of what it does; so they are met again a little `ahead`, where every inclusion
 *    has moved off that edge.
 *
 * Coulomb friction takes part in impacts with its tangents, and where it rests by its whole law; where it
 * slides, by its normal, whose reaction brings that of the tangents along.
 *
 * With a StateForce the present tangents have to be those of the state: velocities jump by their mass. The
 * rest is met under what acts with the reactions that are found (ForcedIteration).
 */
class ContactTransition {
 public:
  /// @param shortest_flight [s]; 0: a part of the time scale
  /// @throws NotAvailable if impulses of contacts with mass would move inclusions on half DoFs at once; later
  ///     PainleveState
  ContactTransition(const SmoothMotion& motion, double shortest_flight,
                    ImpactLaw impact_law = ImpactLaw::newton);

  double shortest_flight() const {
    return shortest_flight_ > 0 ? shortest_flight_ : flight_in_scale * motion_.time_scale();
  }
  ContactTransition(const ContactTransition&) = delete;
  ContactTransition& operator=(const ContactTransition&) = delete;

  /// @throws SlowTangents
  AfterTransition operator()(const BeforeTransition& before) const;

  /// Whether a model can be followed. @throws as the constructor
  static void check(const CondensedInclusions& condensed);

  /// Reactions and states of friction that moves nothing. @throws InvalidInput if a contact that cannot move
  /// is pushed away
  void recover(double time, const Vector& w, const Vector& g, Vector& r,
               std::vector<ContactState>& states) const;

 private:
  /// Answers of all at one instant.
  struct Answer {
    Vector r, w;
    std::vector<ContactState> states;
    Vector s;  ///< displacements without reactions
    CondensedInclusions::Forced forced;
  };
  struct Situation {
    double time;
    Vector y;
    std::vector<ContactState> states;
    Vector targets;  ///< gaps from which plays move
    std::vector<bool> touches, rests;
    Vector w;                      ///< of inertial directions, those that slip
    Vector guess;                  ///< of reactions
    const Answer* here = nullptr;  ///< at the instant itself, for a look ahead
  };

  std::vector<bool> touching_contacts(const BeforeTransition& before,
                                      const CondensedInclusions::Forced& forced,
                                      const SupportDerivatives& p) const;
  Vector rest_of_rates(const BeforeTransition& before, const Vector& y,
                       const CondensedInclusions::Forced& forced, const SupportDerivatives& p) const;
  bool impact(const BeforeTransition& before, const CondensedInclusions::Forced& forced,
              const SupportDerivatives& p, const std::vector<bool>& touches, AfterTransition& after) const;
  Impact impact_of(double time, const std::vector<Index>& touching, const Vector& w, const Vector& e) const;
  bool flies_on(double time, Index j, double w, double a, double p) const;
  Vector accelerations(const Vector& y, const CondensedInclusions::Forced& forced, const Vector& r,
                       const SupportDerivatives& p) const;
  Answer answer(const Situation& situation) const;
  Answer answer_under(const CondensedInclusions::Forced& forced, const Situation& situation) const;
  Vector places_of_plays(const Vector& g, const std::vector<bool>& touches) const;
  Situation situation(const BeforeTransition& before, const SupportDerivatives& p,
                      AfterTransition& after) const;
  Answer look_ahead(const BeforeTransition& before, const LookAhead& look, const Situation& now,
                    const Answer& here, const Vector& g) const;
  bool may_let_go(Index j, const Situation& now, const Answer& here, const Vector& uncertainty,
                  ContactState to) const;
  bool drops(Index j, double time, ContactState slips) const;
  std::optional<SmoothMotion::Mode> mode_with_shared_friction(const BeforeTransition& before,
                                                              const Situation& now, const Answer& here,
                                                              const Vector& g) const;
  bool shared_friction_slips(const SmoothMotion::Mode& shared, const Vector& uncertainty,
                             const Answer& ahead) const;
  bool others_keep_states(const SmoothMotion::Mode& shared, const Answer& ahead) const;
  Answer shortened_look_ahead(const BeforeTransition& before, const Situation& now, const Answer& here,
                              const Vector& g, const Vector& uncertainty, LookAhead& look) const;
  void release_redundant(double time, const Vector& r, std::vector<ContactState>& states) const;
  std::vector<ContactState> without_friction(std::vector<ContactState> states) const;
  Vector dissipated_by_jumps(const BeforeTransition& before, const Vector& slip, const Vector& r) const;
  Vector uncertainty(const Situation& now, const CondensedInclusions::Forced& forced,
                     const SupportDerivatives& p) const;
  LawsAtTime meet(const Situation& now, const std::vector<Index>& directions, const Vector& b,
                  const Vector& uncertainty, Answer& answer) const;
  bool slides(const Situation& now, Index j) const;
  Vector sliding_reaction(const Situation& now, Index normal) const;
  void check_pressing(double time, Index normal, double W) const;
  void set_states(Index j, bool slides, ContactState found, std::vector<ContactState>& states) const;
  void decide_plays(const std::vector<Index>& directions, const LawsAtTime& laws, const Answer& here,
                    Answer& ahead) const;

  static constexpr double flight_in_scale = 1e-6;

  const SmoothMotion& motion_;
  const CondensedInclusions& condensed_;
  double shortest_flight_;
  ImpactLaw impact_law_;
};

}  // namespace halfdof
