// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/memory/memory_integrator.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * Checks friction that weakens as it slips at contacts whose rates respond immediately to reactions. The
 * rates must not jump: l L^1(0+) < 1, where l is the steepest decrease of friction with the slip rate
 * (joint_weakening()).
 * @param W_C = L^1(0+), m x m
 * @throws NotAvailable if they would jump
 */
void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C);

/// The displacements and rates of the contacts at the end of a step if no reaction acted during it, without
/// the part W_K r' of the rates.
struct FreeContacts {
  Vector s, v;
};

/// The effect of reactions, which change linearly during a step from u_a to u_b, on the displacements s and
/// rates v of the contacts at its end. Shapes: m x m
struct StepResponse {
  MultiVector s_start, v_start;  ///< factors of u_a
  MultiVector s_end, v_end;      ///< factors of u_b
};

/**
 * Enforces the laws of contacts in one time step of a structure that is given by its response only:
 * displacements and rates at the end t_1 = t_0 + h are affine functions of the reactions (StepResponse).
 * Reactions change linearly during the step, and the laws are satisfied at its end. Events are not located
 * within a step.
 *
 * While no contact changes its state, reactions are linear functions of time within a step. If u_a were equal
 * to the last reaction r_0, reactions that act on inertia only would alternate about their mean, as in the
 * trapezoidal rule. So the linear function of a step follows from means,
 * @f[ \bar r_n = \tfrac13 \bar r_{n-1} + \tfrac23 r_1, \qquad u_a = \tfrac23 \bar r_{n-1} + \tfrac13 r_1,
 *     \qquad u_b = r_1, \qquad (1) @f]
 * and its slope is the difference of the means of two steps (as in the backward differentiation formula of
 * order two). In a step in which a contact changes its state, and in the next one, all reactions are
 * constant, u_a = u_b = r_1, since a reaction with a kink or a jump acts on the rates of all contacts. The
 * reactions of contacts whose gaps depend on inertia are always constant within a step. Where slip stops and
 * only inertia resists, the contact slips during a part theta of the step, which follows from the
 * deceleration; the reaction is r_0 before and r_1 after the stop, and acts by its mean,
 * @f[ \bar r = \theta r_0 + (1 - \theta)\,r_1, \qquad \theta = w_0/(w_0 - w_{\text{slip}}), \qquad (2) @f]
 * where w_slip is the rate at the end of the step under r_0. Then friction in one direction is of second
 * order, both for a stop and for a reversal of slip.
 *
 * Each law is enforced on the quantity that its reaction changes first. The projector P selects the part of
 * the displacements of contacts that reactions move without inertia (displaced_part(), by W_K and W_C), and Q
 * = I - P the rest: contacts may share massless DoFs, and may move massless DoFs and masses together. With
 * the mean rates @f$\bar v@f$ of steps, the rates v_1 of the modes at the end, and the motion h of the
 * supports, the law of a direction acts on
 * @f[ x = P\,(\tfrac32 \bar v_n - \tfrac12 \bar v_{n-1}) + Q\,v_1 - \tfrac32 \bar h_n' + \tfrac12 \bar
 * h_{n-1}'
 *     \ \text{ for laws on the rate}, \qquad
 *     x = P\,s_1 + Q\,(s_0 + h\,v_1) - h(t_1) \ \text{ for laws on the gap}; \qquad (3) @f]
 * in steps with constant reactions, only the mean rates of the present step are used. So laws on the rate and
 * laws on the gap act on the same motion, and a sticking contact does not creep. Friction that acts on masses
 * only is enforced on v_1 - h'(t_1), and a contact that acts on masses only on w_1 + e w_0 as soon as the gap
 * is about to close (Moreau 1988; Jean 1999). Impacts are of first order, and so are stops, resisted by
 * inertia, of Coulomb friction and of friction together with massless contacts.
 */
class ContactStep {
 public:
  /**
   * @param W_C,W_K immediate effect of reactions on rates and displacements. Shapes: m x m
   * @param step,response length and response of all `regular` steps
   * @param method name of the method in messages
   * @throws InvalidInput if there is no law, the dimensions of the laws do not add up to m, or the step is so
   *     long that a contact moves against its reaction
   * @throws NotAvailable for laws that weaken where the rate would have to jump, l L^1(0+) >= 1
   *     (joint_weakening()), or where W_K moves the contact; for coefficients of restitution where not only
   *     inertia resists
   */
  ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, double step,
              StepResponse response, std::string method);

  Index n_directions() const { return static_cast<Index>(W_C_.rows()); }
  std::size_t n_laws() const { return laws_.size(); }

  /// Returns a motion with contacts in their initial states and the reactions r, or zero reactions if r is
  /// absent. @param s,v displacements and rates at that time
  ContactMotion start(double time, const Vector& s, const Vector& v,
                      const std::optional<Vector>& r = {}) const;

  /// Returns the rates of the last step that enter the laws: mean rates of directions that reactions move
  /// without inertia, rates at its end of all others.
  Vector rates_of_laws(const ContactMotion& motion) const;

  /// Returns the prescribed motions h(t) of the supports, one for each direction.
  Vector supports(double time) const;

  /// Returns the events of a step: changes of states of contacts, and impacts. An impact occurs where a
  /// contact with mass closes, or where the rate of its obstacle jumps towards it.
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const;

  /// Checks the obstacles of contacts with mass. @throws InvalidInput if one has jumped into the contact in
  /// the step
  void require_obstacles_without_jumps(const ContactMotion& from, const ContactMotion& to) const;

  /// Returns the motion at the end of a regular step. @throws NoReactions
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free);
  /// Returns the motion at the end of a step of another length. @throws NoReactions; as the constructor
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free, double step,
                      const StepResponse& response) const;

 private:
  /// The quantity of a direction on which its law is enforced: see (3).
  enum class EnforcedOn { end_rate, mean_rate, end_gap, impact };
  /// The reaction of a law within a step: linear, constant, or constant before and after the part theta of
  /// the step.
  struct ReactionCourse {
    bool is_linear = false;
    /// Part of the step, from its beginning, in which the last reaction r_0 still acts: see (2).
    double theta = 0;
  };
  using Courses = std::vector<ReactionCourse>;
  /// Weight of the present step in the mean rates of a law; weight - 1 is subtracted times the mean rate of the
  /// step before.
  static double weight_of(bool is_linear) { return is_linear ? 1.5 : 1.; }
  /// Data of all steps of one length.
  struct StepData {
    double step;
    StepResponse response;
    MultiVector s_whole;  ///< displacements at the end of a step by reactions that are constant in it
    MultiVector Q;        ///< I - P, the part of displacements that inertia resists. Shape: m x m
    std::vector<EnforcedOn> enforced_on;  ///< one for each direction
    std::vector<bool> may_be_linear;      ///< one for each law: false if it has a gap that depends on inertia
  };
  /// Solver for one length and one choice of courses.
  struct Prepared {
    std::unique_ptr<OneStepSolver> solver;
    Vector scale;  ///< factor of each row, from gaps to rates
  };

  StepData data_of_steps(double step, StepResponse response) const;
  void check_opposes(Index j, double moved) const;
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free,
                      const StepData& step_data, Prepared& smooth, Prepared& constant) const;
  /// Returns the mean rates of the directions as used in (3), without the motion of supports. @param
  /// is_linear whether the reaction of the law is linear within the step
  Vector mean_rates(const ContactMotion& from, const Vector& s, double step, bool is_linear) const;
  MultiVector law_responses(const StepData& step_data, const Courses& courses, const Vector& scale) const;
  Prepared prepare(const StepData& step_data, const Courses& courses) const;
  Vector law_quantities(const ContactMotion& from, double end, const std::vector<EndRates>& rates,
                        const FreeContacts& free, const StepData& step_data, const Courses& courses,
                        const Vector& scale) const;
  Vector rounding_of_quantities(const ContactMotion& from, const FreeContacts& free,
                                const StepData& step_data, const Courses& courses, const Vector& scale) const;
  void end_motion(const ContactMotion& from, const std::vector<EndRates>& rates, const FreeContacts& at_end,
                  const StepData& step_data, const Vector& x, ContactMotion& to) const;
  ContactMotion attempt(const ContactMotion& from, double end, const FreeContacts& free,
                        const StepData& step_data, const Courses& courses, Prepared& small) const;
  void check_directions(const StepData& step_data, const MultiVector& W) const;
  /// Returns the part of u_a that does not depend on r_1.
  Vector known_part_of_u_a(const ContactMotion& from, const Courses& courses) const;
  bool revise(const ContactMotion& from, const StepData& step_data, const ContactMotion& to,
              Courses& courses) const;
  bool slip_directions_agree(const StepData& step_data, const ContactMotion& to) const;
  std::size_t law_of(Index j) const { return places_[static_cast<std::size_t>(j)].law; }
  const ReactionCourse& course_of(const Courses& courses, Index j) const { return courses[law_of(j)]; }
  double rounding_of_rates(const ContactMotion& from, const StepData& step_data) const;
  double rate_by_reaction(Index j, const ContactMotion& from, const StepData& step_data) const;
  std::vector<bool> active_laws(const ContactMotion& from, const std::vector<EndRates>& rates,
                                const StepData& step_data, const Vector& b) const;
  const Law& law(std::size_t i) const { return *laws_[i].law; }
  double support(Index j, double time) const;
  double support_rate(Index j, double time) const;
  double rate_before(Index j, const ContactMotion& from, const EndRates& rates) const;
  EndRates support_rates(Index j, double begin, double end) const;
  /// Returns rates of the supports of directions with impacts, and zeros for the others; empty if no
  /// direction has impacts.
  std::vector<EndRates> support_rates(const ContactMotion& from, double end, const StepData& step_data) const;

  struct Place {
    std::size_t law;
    Index column;
  };
  std::vector<NamedLaw> laws_;
  std::vector<Place> places_;  ///< law and column of each direction
  std::vector<Index> first_;   ///< first direction of each law
  std::vector<Index> moving_;  ///< directions whose supports move
  MultiVector W_C_, W_K_;
  std::string method_;
  StepData regular_;
  Prepared smooth_, constant_;  ///< solvers of regular steps, for linear and for constant reactions
};

}  // namespace halfdof::internal
