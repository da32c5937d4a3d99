#pragma once

#include <halfdof/inclusions/one_step_solver.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * Friction that weakens as it slips, with contacts whose rates reactions move at once: these must not jump, l L^1(0+) < 1,
 * l being the steepest decrease (joint_weakening()). @param W_C = L^1(0+), m x m
 * @throws NotAvailable where they would
 */
void check_weakening(const std::vector<NamedLaw>& laws, const MultiVector& W_C);

/// What contacts do at a point of a run with memory. Shapes: m entries each; contacts and settled one for each law.
struct ContactMotion {
  double time = 0;  ///< [s]
  Vector r;         ///< reactions
  Vector w;         ///< rates relative to the supports, as the laws saw them
  Vector g;         ///< displacements relative to the supports
  Vector mean_r;    ///< of the last step: what its impulse was
  Vector mean_w;    ///< of the last step: the change of g over its length
  std::vector<ContactState> contacts;
  std::vector<bool> settled;  ///< whether no reaction jumped in the last step
  Vector impulse;             ///< integral of r since the start [force s]
  double dissipated = 0;      ///< - int r.w dt since the start
};

/// The displacements and rates of the contacts at the end of a step during which no reaction acts, less what W_K r'
/// adds to the rates.
struct FreeContacts {
  Vector s, v;
};

/// What reactions that change linearly during a step, from u_a to u_b, add to them. Shapes: m x m
struct StepResponse {
  MultiVector s_start, v_start;  ///< times u_a
  MultiVector s_end, v_end;      ///< times u_b
};

/**
 * The laws of contacts in one step of a structure that is known by its response alone: displacements and rates
 * at the end t_1 = t_0 + h are affine in the reactions (StepResponse), which change linearly during the step, and
 * the laws are met at its end. No event is located.
 *
 * Reactions jump where inertia alone resists: with r_0 kept at the start of the next step, they would alternate
 * about their mean from then on, as they do with the trapezoidal rule. So the line through a step is drawn by means,
 * @f[ \bar r_n = \tfrac13 \bar r_{n-1} + \tfrac23 r_1, \qquad u_a = \tfrac23 \bar r_{n-1} + \tfrac13 r_1, \qquad
 *     u_b = r_1, \qquad (1) @f]
 * its slope being the difference of the means of two steps (that of the backward differentiation formula of order
 * two). A law that changes its state, or has just done so, has a constant reaction in that step: u_a = r_1. So have all
 * others whose reactions inertia alone resists, since these jump with it. Where slip stops against inertia alone, after
 * a part theta of the step that its slope tells, the reaction is r_0 before and r_1 behind, and acts as its mean,
 * @f[ \bar r = \theta r_0 + (1 - \theta)\,r_1, \qquad \theta = w_0/(w_0 - w_{\text{slip}}), \qquad (2) @f]
 * with w_slip the rate to which r_0 would have led. Then friction along a line is of second order, rest and reversal alike.
 *
 * Each direction is met by what its reaction moves at once: friction by the rate at the end, w_1 = v_1 - h'(t_1);
 * where W_K moves it, by the rate of the same formula, @f$ \tfrac32 \bar w_n - \tfrac12 \bar w_{n-1} @f$ with the mean
 * rates of steps, which lock in place what sticks; contact by its gap at the end; contact that meets masses alone by
 * w_1 + e w_0 once the gap is about to close (Moreau 1988; Jean 1999), which is of first order, as stops of Coulomb friction
 * against inertia alone are.
 */
class ContactStep {
 public:
  /**
   * @param W_C,W_K What reactions add to rates and displacements at once. Shapes: m x m
   * @param method As messages call it.
   * @throws InvalidInput if there is no law, or their dimensions are not m; NotAvailable for laws that weaken where
   *     the rate would have to jump, l L^1(0+) >= 1 (joint_weakening()), and where W_K moves them;
   *     for coefficients of restitution where it does
   */
  ContactStep(std::vector<NamedLaw> laws, MultiVector W_C, MultiVector W_K, std::string method);

  const std::vector<NamedLaw>& laws() const { return laws_; }
  Index n_directions() const { return static_cast<Index>(W_C_.rows()); }

  /// Contacts at rest in themselves: r as given or zero. @param s,v displacements and rates at that time
  ContactMotion start(double time, const Vector& s, const Vector& v,
                      const std::optional<Vector>& r = {}) const;

  /// The reactions of a step, at its two ends, and the motion at its end.
  struct Solution {
    ContactMotion end;
    Vector u_a, u_b;
  };
  /**
   * @param response The same for all steps that are `regular`: what is made for it is kept
   * @throws NoReactions; InvalidInput if the step is too long for its response to oppose the reactions
   */
  Solution solve(const ContactMotion& from, double step, double end, const FreeContacts& free,
                 const StepResponse& response, bool regular);

 private:
  enum class Met { end_rate, mean_rate, end_gap, impact };
  struct Place {
    std::size_t law;
    Index column;
    Met met;
  };
  /// How the reaction of a law goes through a step: along a line, constant, or constant from theta on.
  struct Course {
    bool is_line = false;
    double theta = 0;
  };
  using Courses = std::vector<Course>;
  /// For one length of step and one choice of courses.
  struct Prepared {
    std::unique_ptr<OneStepSolver> solver;
    Vector scale;  ///< of rows, to rates
  };

  MultiVector met_by_reactions(double step, const StepResponse& response, const Courses& courses,
                               const Vector& scale) const;
  Prepared prepare(double step, const StepResponse& response, const Courses& courses) const;
  Vector met_by_laws(const ContactMotion& from, double step, double end, const FreeContacts& free,
                     const Courses& courses, const Vector& scale) const;
  void end_motion(const ContactMotion& from, double step, const FreeContacts& at_end, const Vector& x,
                  ContactMotion& to) const;
  Solution attempt(const ContactMotion& from, double step, double end, const FreeContacts& free,
                   const StepResponse& response, const Courses& courses, Prepared& small) const;
  void check_directions(double step, const MultiVector& W) const;
  Vector start_known(const ContactMotion& from, const Courses& courses) const;
  bool revise(const ContactMotion& from, const StepResponse& response, Solution& solution,
              Courses& courses) const;
  const Course& course_of(const Courses& courses, Index j) const {
    return courses[places_[static_cast<std::size_t>(j)].law];
  }
  std::vector<bool> that_take_part(const ContactMotion& from, double step) const;
  const Law& law(std::size_t i) const { return *laws_[i].law; }
  double support(Index j, double time) const;
  double support_rate(Index j, double time) const;

  std::vector<NamedLaw> laws_;
  std::vector<Place> places_;   ///< of directions
  std::vector<Index> first_;    ///< direction of each law
  std::vector<bool> may_jump_;  ///< of laws: whether inertia alone resists a reaction
  MultiVector W_C_, W_K_;
  std::string method_;
  std::map<std::vector<bool>, Prepared> regular_;  ///< by the laws whose reactions are lines
};

}  // namespace halfdof
