#pragma once

#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/integrators/prescribed_step.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Friction that weakens as it slips, with contacts whose rates reactions move at once: these must not jump,
 * l L^1(0+) < 1, l being the steepest decrease (joint_weakening()). @param W_C = L^1(0+), m x m
 * @throws NotAvailable where they would
 */
void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C);

/// What contacts do at a point of a run with memory. Shapes: m entries each; contacts one for each law.
struct ContactMotion {
  double time = 0;  ///< [s]
  Vector r;         ///< reactions
  Vector w;         ///< rates relative to the supports, as the laws saw them
  Vector g;         ///< displacements relative to the supports
  Vector u_a, u_b;  ///< reactions at the ends of the last step, lines in between
  Vector mean_w;    ///< of the last step: the change of g over its length
  std::vector<ContactState> contacts;
  bool settled = false;   ///< whether no contact changed its state in the last step
  Vector impulse;         ///< integral of r since the start [force s]
  double dissipated = 0;  ///< - int r.w dt since the start
  Vector dissipated_by;   ///< the same of each inclusion; empty: nothing yet

  /// Of the last step: what its impulse was.
  Vector mean_r() const { return (u_a + u_b) / 2; }
};

/// The displacements and rates of the contacts at the end of a step during which no reaction acts, less what
/// W_K r' adds to the rates.
struct FreeContacts {
  Vector s, v;
};

/// What reactions that change linearly during a step, from u_a to u_b, add to them. Shapes: m x m
struct StepResponse {
  MultiVector s_start, v_start;  ///< times u_a
  MultiVector s_end, v_end;      ///< times u_b
};

/**
 * The laws of contacts in one step of a structure that is known by its response alone: displacements and
 * rates at the end t_1 = t_0 + h are affine in the reactions (StepResponse), which change linearly during the
 * step, and the laws are met at its end. No event is located.
 *
 * While no contact changes its state, reactions are lines. With r_0 kept at the start of the next step,
 * those that inertia alone resists would alternate about their mean from then on, as they do with the
 * trapezoidal rule. So the line through a step is drawn by means,
 * @f[ \bar r_n = \tfrac13 \bar r_{n-1} + \tfrac23 r_1, \qquad u_a = \tfrac23 \bar r_{n-1} + \tfrac13 r_1,
 * \qquad
 *     u_b = r_1, \qquad (1) @f]
 * its slope being the difference of the means of two steps (that of the backward differentiation formula of
 * order two). In a step in which a contact changes its state, and in the next one, all reactions are
 * constant, u_a = u_b = r_1:
 * one that bends or jumps takes part in the rates of all others. Reactions of contacts that inertia decides
 * are always constant. Where slip stops against inertia alone, after a part theta of the step that its slope
 * tells, the reaction is r_0 before and r_1 behind, and acts as its mean,
 * @f[ \bar r = \theta r_0 + (1 - \theta)\,r_1, \qquad \theta = w_0/(w_0 - w_{\text{slip}}), \qquad (2) @f]
 * with w_slip the rate to which r_0 would have led. Then friction along a line is of second order, rest and
 * reversal alike.
 *
 * Each law meets what its reaction moves at once. Of all displacements of contacts, P takes the part that
 * reactions move without inertia (displaced_part(), by W_K and W_C), and Q = I - P the rest: contacts may
 * share massless DoFs, and be decided together with masses. With the mean rates of steps, v_1 the rates that
 * modes have at the end, and what is prescribed,
 * @f[ x = P\,(\tfrac32 \bar v_n - \tfrac12 \bar v_{n-1}) + Q\,v_1 - \tfrac32 \bar h_n' + \tfrac12 \bar
 * h_{n-1}'
 *     \ \text{ of laws on the rate}, \qquad x = P\,s_1 + Q\,(s_0 + h\,v_1) - h(t_1) \ \text{ on the gap};
 *     \qquad (3) @f]
 * in steps with constant reactions, the mean rates of this step alone. So laws on the rate and on the gap
 * meet the same motion, and what sticks is locked in place. Friction that meets masses alone obeys v_1 -
 * h'(t_1), and contact that does w_1 + e w_0 once the gap is about to close (Moreau 1988; Jean 1999). Impacts
 * are of first order, and so are stops against inertia of Coulomb friction and of friction beside massless
 * contacts.
 */
class ContactStep {
 public:
  /**
   * @param W_C,W_K What reactions add to rates and displacements at once. Shapes: m x m
   * @param step,response of all steps that are `regular` @param method As messages call it.
   * @throws InvalidInput if there is no law, their dimensions are not m, or the step is too long for its
   * response to oppose
   *     the reactions; NotAvailable for laws that weaken where the rate would have to jump, l L^1(0+) >= 1
   *     (joint_weakening()), and where W_K moves them; for coefficients of restitution where inertia does
   *     not decide alone
   */
  ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, double step,
              StepResponse response, std::string method);

  const std::vector<NamedLaw>& laws() const { return laws_; }
  Index n_directions() const { return static_cast<Index>(W_C_.rows()); }

  /// Contacts at rest in themselves: r as given or zero. @param s,v displacements and rates at that time
  ContactMotion start(double time, const Vector& s, const Vector& v,
                      const std::optional<Vector>& r = {}) const;

  /// Rates of the last step that laws meet then: mean rates of what reactions move without inertia, rates at
  /// its end of others.
  Vector kept_rates(const ContactMotion& motion) const;

  /// h(t) of the directions.
  Vector supports(double time) const;

  /// What has changed in a step: states of contacts, and impacts, which are those of contacts with mass that
  /// close, or that an obstacle whose rate jumps strikes.
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const;

  /// @throws InvalidInput if the obstacle of a contact with mass has jumped into it in the step
  void require_obstacles_without_jumps(const ContactMotion& from, const ContactMotion& to) const;

  /// The motion at the end of a step. @throws NoReactions
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free);
  /// A step of another length. @throws NoReactions; as the constructor
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free, double step,
                      const StepResponse& response) const;

 private:
  /// What a direction obeys: see (3).
  enum class Met { end_rate, mean_rate, end_gap, impact };
  /// How the reaction of a law goes through a step: along a line, constant, or constant from theta on.
  struct Course {
    bool is_line = false;
    double theta = 0;
  };
  using Courses = std::vector<Course>;
  /// A step of one length, and which part of the displacements of directions is moved without inertia.
  struct Length {
    double step;
    StepResponse response;
    MultiVector s_whole;            ///< displacements by a reaction that is constant in a step
    MultiVector Q;                  ///< I - P. Shape: m x m
    std::vector<Met> met;           ///< of directions
    std::vector<bool> may_be_line;  ///< of laws: all but those with gaps that inertia has a part in
  };
  /// For one length and one choice of courses.
  struct Prepared {
    std::unique_ptr<OneStepSolver> solver;
    Vector scale;  ///< of rows, to rates
  };

  Length length_of(double step, StepResponse response) const;
  void check_opposes(Index j, double moved) const;
  ContactMotion solve(const ContactMotion& from, double end, const FreeContacts& free, const Length& of,
                      Prepared& smooth, Prepared& constant) const;
  /// Mean rates of the directions, without what is prescribed, as (3) has them. @param is_line of the law
  /// that meets them
  Vector mean_rates(const ContactMotion& from, const Vector& s, double step, bool is_line) const;
  MultiVector met_by_reactions(const Length& of, const Courses& courses, const Vector& scale) const;
  Prepared prepare(const Length& of, const Courses& courses) const;
  Vector met_by_laws(const ContactMotion& from, double end, const std::vector<EndRates>& rates,
                     const FreeContacts& free, const Length& of, const Courses& courses,
                     const Vector& scale) const;
  Vector rounding_of_met(const ContactMotion& from, const FreeContacts& free, const Length& of,
                         const Courses& courses, const Vector& scale) const;
  void end_motion(const ContactMotion& from, const std::vector<EndRates>& rates, const FreeContacts& at_end,
                  const Length& of, const Vector& x, ContactMotion& to) const;
  ContactMotion attempt(const ContactMotion& from, double end, const FreeContacts& free, const Length& of,
                        const Courses& courses, Prepared& small) const;
  void check_directions(const Length& of, const MultiVector& W) const;
  Vector start_known(const ContactMotion& from, const Courses& courses) const;
  bool revise(const ContactMotion& from, const Length& of, const ContactMotion& to, Courses& courses) const;
  bool slip_directions_agree(const Length& of, const ContactMotion& to) const;
  std::size_t law_of(Index j) const { return places_[static_cast<std::size_t>(j)].law; }
  const Course& course_of(const Courses& courses, Index j) const { return courses[law_of(j)]; }
  double rounding_of_rates(const ContactMotion& from, const Length& of) const;
  double rate_by_reaction(Index j, const ContactMotion& from, const Length& of) const;
  std::vector<bool> that_take_part(const ContactMotion& from, const std::vector<EndRates>& rates,
                                   const Length& of, const Vector& b) const;
  const Law& law(std::size_t i) const { return *laws_[i].law; }
  double support(Index j, double time) const;
  double support_rate(Index j, double time) const;
  double rate_before(Index j, const ContactMotion& from, const EndRates& rates) const;
  EndRates support_rates(Index j, double begin, double end) const;
  /// Of directions with impacts, zero of others; empty without any.
  std::vector<EndRates> support_rates(const ContactMotion& from, double end, const Length& of) const;

  struct Place {
    std::size_t law;
    Index column;
  };
  std::vector<NamedLaw> laws_;
  std::vector<Place> places_;  ///< of directions
  std::vector<Index> first_;   ///< direction of each law
  std::vector<Index> moving_;  ///< directions whose supports move
  MultiVector W_C_, W_K_;
  std::string method_;
  Length regular_;
  Prepared smooth_, constant_;  ///< of regular steps
};

}  // namespace halfdof
