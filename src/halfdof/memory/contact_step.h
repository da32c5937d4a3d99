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
 * Checks that the rates of contacts whose friction weakens with the slip rate cannot jump. For a single
 * contact the condition is l L^1(0+) < 1, where l is the steepest decrease of the friction with the slip rate
 * and L^1(0+) the immediate response of the rate to a unit reaction; for several contacts see
 * joint_weakening().
 * @param W_C = L^1(0+), m x m
 * @throws NotAvailable if a rate would jump
 */
void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C);

/// The displacements s and rates v of the contacts at the end of a step in which all reactions are zero. The
/// rates do not include the term W_K r'.
struct FreeContacts {
  Vector s, v;
};

/// The response of the displacements s and rates v of the contacts at the end of a step to reactions that
/// change linearly from u_a to u_b during the step. Shapes: m x m
struct StepResponse {
  MultiVector s_start, v_start;  ///< factors of u_a
  MultiVector s_end, v_end;      ///< factors of u_b
};

/**
 * Enforces the laws of contacts in one time step of a structure of which only the response at the contacts is
 * given: displacements and rates at the end t_1 = t_0 + h are affine functions of the reactions
 * (StepResponse). Reactions change linearly during the step, and the laws are satisfied at the end of the
 * step. Events are not located within a step.
 *
 * While no contact changes its contact state, reactions are linear functions of time within a step, with the
 * value u_a at the beginning and u_b at the end. If u_a were equal to the reaction r_0 at the end of the last
 * step, reactions that act on masses only would alternate about their mean, as in the trapezoidal rule.
 * Therefore the linear function follows from the mean reactions of steps,
 * @f[ \bar r_n = \tfrac13 \bar r_{n-1} + \tfrac23 r_1, \qquad u_a = \tfrac23 \bar r_{n-1} + \tfrac13 r_1,
 *     \qquad u_b = r_1, \qquad (1) @f]
 * and its slope is the difference of the means of two steps (as in the backward differentiation formula of
 * order two). In a step in which a contact changes its contact state, and in the next step, all reactions are
 * constant, u_a = u_b = r_1, since a reaction with a kink or a jump acts on the rates of all contacts. The
 * reactions of contacts whose gaps depend on inertia are always constant within a step. If a contact on
 * masses stops slipping, the contact slips during a part theta of the step, which follows from the
 * deceleration; the reaction is r_0 before and r_1 after the stop, and its mean acts during the step,
 * @f[ \bar r = \theta r_0 + (1 - \theta)\,r_1, \qquad \theta = w_0/(w_0 - w_{\text{slip}}), \qquad (2) @f]
 * where w_0 is the rate at the beginning of the step, and w_slip the rate at the end of the step under the
 * reaction r_0. Thus the method is of second order for friction in one direction, both for a stop and for a
 * reversal of slip.
 *
 * Each law is enforced on the quantity that its reaction changes at once. The projector P selects the part of
 * the displacements of contacts that reactions change without inertia (massless_projector(), from W_K and
 * W_C), and Q = I - P the remaining part; several contacts may act on the same massless DoFs, and a contact
 * may act on massless DoFs and masses. With the displacements s_0 and s_1 at the beginning and the end of the
 * step, the mean rates @f$\bar v@f$ of steps, the rates v_1 of the modes at the end, and the motion h(t) of
 * the supports, the law of a direction acts on
 * @f[ x = P\,(\tfrac32 \bar v_n - \tfrac12 \bar v_{n-1}) + Q\,v_1 - \tfrac32 \bar h_n' + \tfrac12 \bar
 * h_{n-1}'
 *     \ \text{ for laws on the rate}, \qquad
 *     x = P\,s_1 + Q\,(s_0 + h\,v_1) - h(t_1) \ \text{ for laws on the gap}; \qquad (3) @f]
 * in steps with constant reactions, only the mean rates of the present step are used. Thus laws on the rate
 * and laws on the gap constrain the same motion, and a sticking contact does not creep. Friction that acts on
 * masses only is enforced on v_1 - h'(t_1). A contact that acts on masses only is enforced on w_1 + e w_0,
 * with the coefficient of restitution e, if the gap would close within the step (Moreau 1988; Jean 1999). The
 * method is of first order for impacts, and for contacts on masses that stop slipping under Coulomb friction
 * or together with massless contacts.
 */
class ContactStep {
 public:
  /**
   * @param W_C,W_K immediate response of rates (W_C) and displacements (W_K) to reactions. Shapes: m x m
   * @param step,response length of all regular steps, and their response
   * @param method name of the method in messages
   * @throws InvalidInput if there is no law, the dimensions of the laws do not add up to m, or the step is so
   *     long that a contact moves against its reaction
   * @throws NotAvailable if friction weakens with the rate so that the rate would have to jump, l L^1(0+) >=
   *     1 (joint_weakening()), or weakens although W_K moves the contact; if a contact has a coefficient of
   *     restitution, but its reaction displaces it without inertia
   */
  ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, double step,
              StepResponse response, std::string method);

  Index n_directions() const { return static_cast<Index>(W_C_.rows()); }
  std::size_t n_laws() const { return laws_.size(); }

  /// Returns the motion at the start of a run, with contacts in their initial contact states and the
  /// reactions r, or zero reactions if r is absent. @param s,v displacements and rates of the contacts at
  /// this time
  ContactMotion start(double time, const Vector& s, const Vector& v,
                      const std::optional<Vector>& r = {}) const;

  /// Returns the rates of the last step on which the laws act: mean rates for directions that reactions move
  /// without inertia, rates at the end of the step for all other directions.
  Vector rates_of_laws(const ContactMotion& motion) const;

  /// Returns the prescribed motions h(t) of the supports, one for each direction.
  Vector supports(double time) const;

  /// Returns the events of a step: changes of contact states, and impacts. An impact occurs if a contact on
  /// masses closes, or if the rate of its obstacle jumps towards the contact.
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const;

  /// Checks the obstacles of contacts on masses. @throws InvalidInput if the position of an obstacle jumps
  /// into its contact within the step
  void require_obstacles_without_jumps(const ContactMotion& from, const ContactMotion& to) const;

  /// Returns the motion at the end of a regular step. @throws NoReactions
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free);
  /// Returns the motion at the end of a step whose length differs from regular steps. @throws NoReactions; as
  /// the constructor
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free, double step,
                      const StepResponse& response) const;

 private:
  /// The quantity of a direction on which its law is enforced, see equation (3).
  enum class EnforcedOn { end_rate, mean_rate, end_gap, impact };
  /// The time course of the reaction of a law within a step: linear, constant, or constant before and after a
  /// stop of slip at the part theta of the step.
  struct ReactionCourse {
    bool is_linear = false;
    /// Part of the step before the stop of slip, in which the last reaction r_0 acts, see equation (2).
    double theta = 0;
  };
  using Courses = std::vector<ReactionCourse>;
  /// Returns the weight of the mean rate of the present step in equation (3). The mean rate of the step
  /// before has the weight 1 minus this value.
  static double mean_rate_weight(bool is_linear) { return is_linear ? 1.5 : 1.; }
  /// Data of all steps of one length.
  struct StepData {
    double step;
    StepResponse response;
    MultiVector s_of_constant;  ///< displacements at the end of a step by reactions that are constant in it
    MultiVector Q;              ///< I - P, the part of displacements that inertia resists. Shape: m x m
    std::vector<EnforcedOn> enforced_on;  ///< one for each direction
    std::vector<bool> may_be_linear;      ///< for each law, whether no gap of the law depends on inertia
  };
  /// Solver for one length of steps and one choice of the courses of reactions.
  struct PreparedSolver {
    std::unique_ptr<OneStepSolver> solver;
    Vector scale;  ///< factor of each row, which converts gaps to rates
  };

  StepData step_data_of(double step, StepResponse response) const;
  void check_own_response(Index j, double moved) const;
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free,
                      const StepData& step_data, PreparedSolver& smooth, PreparedSolver& constant) const;
  /// Returns the mean rates of the directions in equation (3), without the motion of the supports. @param
  /// is_linear whether the reaction of the law is linear within the step
  Vector mean_rates(const ContactMotion& from, const Vector& s, double step, bool is_linear) const;
  MultiVector responses_of_laws(const StepData& step_data, const Courses& courses, const Vector& scale) const;
  PreparedSolver prepare(const StepData& step_data, const Courses& courses) const;
  Vector quantities_of_laws(const ContactMotion& from, double end, const std::vector<EndRates>& rates,
                            const FreeContacts& free, const StepData& step_data, const Courses& courses,
                            const Vector& scale) const;
  Vector rounding_of_quantities(const ContactMotion& from, const FreeContacts& free,
                                const StepData& step_data, const Courses& courses, const Vector& scale) const;
  void compute_end_motion(const ContactMotion& from, const std::vector<EndRates>& rates,
                          const FreeContacts& at_end, const StepData& step_data, const Vector& x,
                          ContactMotion& to) const;
  ContactMotion solve_with_courses(const ContactMotion& from, double end, const FreeContacts& free,
                                   const StepData& step_data, const Courses& courses,
                                   PreparedSolver& small) const;
  void check_monotone_response(const StepData& step_data, const MultiVector& W) const;
  /// Returns the part of the reactions u_a at the beginning of the step that does not depend on r_1.
  Vector known_part_of_u_a(const ContactMotion& from, const Courses& courses) const;
  bool revise_courses(const ContactMotion& from, const StepData& step_data, const ContactMotion& to,
                      Courses& courses) const;
  bool slip_directions_agree(const StepData& step_data, const ContactMotion& to) const;
  std::size_t law_of(Index j) const { return directions_[static_cast<std::size_t>(j)].law; }
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
  /// Returns the rates of the supports of directions with impacts, and zeros for all other directions. The
  /// result is empty if no direction has impacts.
  std::vector<EndRates> support_rates(const ContactMotion& from, double end, const StepData& step_data) const;

  struct DirectionOfLaw {
    std::size_t law;
    Index column;
  };
  std::vector<NamedLaw> laws_;
  std::vector<DirectionOfLaw> directions_;  ///< law and column of each direction
  std::vector<Index> first_;                ///< first direction of each law
  std::vector<Index> moving_supports_;      ///< directions whose supports move
  MultiVector W_C_, W_K_;
  std::string method_;
  StepData regular_;
  PreparedSolver linear_solver_,
      constant_solver_;  ///< solvers of regular steps, for linear and for constant reactions
};

}  // namespace halfdof::internal
