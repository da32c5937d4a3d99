#pragma once

#include <halfdof/integrators/mixed_levels.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/reaction_input.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// A Runge-Kutta method each of whose stages starts from the one before: at t + c h with weight b.
struct ChainedStage {
  double c, b;
};

/// The classical Runge-Kutta method of fourth order.
inline std::vector<ChainedStage> four_stages() {
  return {{0., 1. / 6}, {0.5, 1. / 3}, {0.5, 1. / 3}, {1., 1. / 6}};
}

/**
 * Explicit methods with steps of one length for
 * @f[ \dot y \in A y + B (F(t) + H\,\mathcal R(t, y)), \qquad
 *     k_i = A Y_i + B (F(t + c_i h) + H r_i), \quad Y_i = y_n + c_i h\,k_{i-1}, \quad
 *     y_{n+1} = y_n + h \sum_i b_i k_i, @f]
 * with a reaction r_i from the set of the laws at each stage (Dumont et al. 2001, Eqs. (1.3)-(1.6); in the
 * printed Runge-Kutta method (1.6) the increments lack their h/2, h/2 and h). Which one is the selection:
 * - where the laws are single valued (contacts on algebraic DoFs, friction on viscous ones), that value;
 * - friction on inertial DoFs that slides on, @f$ |h\,\dot w| < 0.3\,|w| @f$: the one value at w;
 * - friction on inertial DoFs near rest: the r which brings the rate nearest to it,
 *   @f$ (w + h\,\dot w(r), r) @f$ in the graph: sliding on the surface w = 0 instead of chattering about it.
 *   For h to 0 it is the slow solution, of least acceleration;
 * - all of these together, as reactions on each kind of DoFs may move the others at once (see MixedLevels);
 * - contacts on viscous DoFs (a massless contact layer with damping), whose gaps are states: the step is made
 *   with the reaction of the last one, and its end caught up with the obstacle (Moreau 1977),
 *   @f[ g_{n+1} = \tilde g_{n+1} + W_C (P - h r_n), \qquad 0 \le g_{n+1} \perp P \ge 0, \qquad
 *       y_{n+1} = \tilde y_{n+1} + B H (P - h r_n), \qquad r_{n+1} = P/h, @f]
 *   of first order whatever the method.
 *
 * Plays, whose reactions are states, are refused.
 *
 * A stage costs one solve with D, for the motion without reactions: what these add is W r and B H r (a second
 * one where friction decided by masses meets viscous DoFs too). The selection at the end of a step is that of
 * the first stage of the next.
 */
template <class Engine>
class ExplicitInclusions : public NonsmoothIntegrator<Engine> {
 public:
  /// h [s]
  double time_step() const { return time_step_; }
  std::vector<Check> kept_exactly() const override {
    return {Check::gap, Check::reaction, Check::kinematics, Check::complementarity};
  }

 protected:
  /// @param others Further cells that the method itself takes care of, by its contact_reactions().
  /// @throws InvalidInput unless the step is positive; NotAvailable where a law has become none of the above
  ExplicitInclusions(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, const char* name,
                     double time_step, std::vector<ChainedStage> stages, std::vector<Cell> others = {});

  /// Writes the reactions of contacts with mass from gaps and rates of all directions (rates of those on
  /// inertial DoFs count), and from which contacts are closed: constant within a smooth part of a step.
  virtual void contact_reactions(const Vector& /*g*/, const Vector& /*w*/,
                                 const std::vector<ContactState>& /*contacts*/, Vector& /*r*/) const {}
  /// A state whose reactions and contacts are those of the selection, and y' there.
  struct Point {
    NonsmoothState state;
    Vector y_rate;
  };
  /// Selects the reactions of a point anew, for its contacts as they are.
  void select_at(Point& point) const;
  /// What a part of a step leads to, and its mean reactions.
  struct Part {
    Point to;
    Vector r;
  };
  /// One smooth part of a step: all of it, unless contacts open or close on the way. Its end is
  /// from.state.time + length, but for rounding.
  Part part(const Point& from, double length, double end) const;
  /// From one end of the step to the other; contacts with mass tell what happens to them.
  virtual Point parts(const Point& from, const TimeGrid::Step& step, std::vector<ContactEvent>& /*events*/) {
    return part(from, step.length, step.end).to;
  }

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events) final;
  bool is_implicit() const override { return false; }
  /// Contacts on viscous DoFs take their next reactions from what the tangents say of rates: that is right by
  /// half.
  bool tangents_serve(const NonsmoothState& begin, const NonsmoothState& end) const override;
  std::string advice() const override;

  std::vector<Index> directions_of(Cell cell) const;

 private:
  /// Inclusions that are met together.
  struct Group {
    std::vector<std::size_t> inclusions;
    std::vector<NamedLaw> laws;
    std::vector<Index> directions;
    std::vector<DoFKind> kinds;  ///< that decide the directions
    std::unique_ptr<MixedLevels> solver;
  };
  /// The reactions of a stage, and what they lead to.
  struct Selected {
    Vector r, gaps, rates, y_rate;
    std::vector<ContactState> contacts;
  };
  Group group_of(const std::vector<Cell>& cells) const;
  static void solve_with(const MultiVector& W, Group& group);
  MultiVector responses_of_a_stage() const;
  LawsAtTime laws_of(const Group& group, double time, const std::vector<ContactState>& contacts) const;
  void meet(const Group& group, double time, const Vector& b, Vector& reactions,
            std::vector<ContactState>& contacts) const;
  void meet_at_once(const State& state, const FreeMotion& free, Selected& selected) const;
  void slide_on(const Vector& w_here, LawsAtTime& laws, Vector& b, Vector& r, Vector& x) const;
  Vector what_is_met(const State& state, const FreeMotion& free, const Vector& r) const;
  Vector rates_ahead(const State& state, const FreeMotion& free, const Vector& r) const;
  void catch_up(double length, Part& part) const;
  Selected select(const State& state, const Vector& r_before,
                  const std::vector<ContactState>& contacts) const;
  Selected select_with(const FreeMotion& free, const State& state, const Vector& r_before,
                       const std::vector<ContactState>& contacts) const;
  void recover(double time, const FreeMotion& free, Selected& selected) const;
  Vector gaps(const FreeMotion& free, const Vector& r) const;
  Vector rates(const FreeMotion& free, const Vector& r) const;
  Point begin_at(const NonsmoothState& from) const;
  void report(const NonsmoothState& from, const NonsmoothState& to, std::vector<ContactEvent>& events) const;

  double time_step_;
  std::vector<ChainedStage> stages_;
  Group at_once_, sweeping_;
  std::vector<Index> impacts_;
  std::vector<std::size_t> held_;  ///< inclusions that move nothing
  bool friction_on_masses_meets_viscous_ = false;
  ReactionInput<Engine> input_;
  std::optional<Point> last_;  ///< where the last step ended
};

}  // namespace halfdof
