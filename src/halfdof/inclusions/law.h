#pragma once

#include <halfdof/base/types.h>
#include <halfdof/inclusions/scalar_function.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * What a set-valued law is, whichever it is. An inclusion pushes on the structure through one, two or three
 * columns of H,
 * @f[ M\ddot q + C\dot q + K q = f(t) + H r, \qquad g = H^T q - h(t), \quad w = H^T\dot q - \dot h(t), @f]
 * and its law ties the reaction r to the rate w (friction) or to the gap g (contact), both measured from the
 * prescribed motion h of the support or obstacle. After elimination and discretization what is left of the
 * structure is one affine map, and the law is met in one step:
 * @f[ w = W r + b, \qquad (w, r) \in \mathcal G(t). \qquad (1) @f]
 * Signs: a reaction acts along its column. Dry friction has r in [lower, upper], r = lower where w > 0 and
 * r = upper where w < 0; contact has 0 <= g, r >= 0, g r = 0.
 */
namespace halfdof {

/// Which of the two quantities of a column the law constrains.
enum class LawLevel { rate, gap };

/// What an inclusion is doing.
enum class ContactState {
  stick,
  slip_forward,  ///< w > 0
  slip_back,     ///< w < 0
  slip,          ///< in the plane, in any direction
  open,
  closed,  ///< touches, without friction
};

/// "stick", "slip forward", "slip back", "slip", "open", "closed"
const char* name_of(ContactState state);

/// A law's numbers at one instant: thresholds, coefficient of friction. Each law says which are which.
using LawParameters = std::array<double, 6>;

/// The d entries of one inclusion, d = 1, 2 or 3; on the stack.
using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using LocalConstView = const Eigen::Ref<const Vector>&;
using LocalView = Eigen::Ref<Vector>;

/// A reaction between two bounds, either of which may be infinite.
struct Interval {
  double lower, upper;
};

/// The reaction r(w) of an inclusion that slides, and its derivative.
struct SlidingReaction {
  double r;      ///< [force]
  double slope;  ///< [force/rate]
};

/**
 * A set-valued law. It holds no state: what changes from step to step, LawParameters, is made by parameters()
 * and kept by the caller, so that one law may serve many inclusions and a step can be repeated.
 *
 * The heart of a law is its resolvent: for rho > 0 and z, the reaction r of the one (w, r) in the graph with
 * @f[ w = (r - z)/\rho. \qquad (2) @f]
 * A scalar problem (1) is solved by it exactly, with rho = 1/W and z = -b/W. A pair (w, r) obeys the law if
 * and only if r = resolvent(rho, r - rho w), for any rho: the natural map (Facchinei and Pang 2003, section
 * 1.5; for Coulomb friction Alart and Curnier 1991), by which every solver here is stopped.
 *
 * A law of one's own derives from Law, or from IntervalLaw where a reaction is confined to an interval, and
 * says at least its name(), dimension(), level(), parameters(), resolvent(), state(), and with project() the
 * reactions that it admits at rest; reaction_at(), for runs that start in slip, motions that are prescribed
 * and explicit integrators; cone_slope(), for contacts that start sliding; and that it is not autonomous, if
 * its parameters depend on time.
 */
class Law {
 public:
  virtual ~Law() = default;

  /// "dry friction"
  virtual std::string name() const = 0;

  /// Columns of H: 1, 2 or 3.
  virtual Index dimension() const = 0;

  /// What column 0 <= column < dimension() constrains. Contact with friction: the gap first, then rates.
  virtual LawLevel level(Index column) const = 0;

  /// The least l >= 0 with (w_1 - w_2).(r_1 - r_2) <= l |w_1 - w_2|^2 on the graph [force/rate]; infinity if
  /// there is none. Zero: monotone.
  virtual double one_sided_lipschitz_constant() const { return 0.; }

  /// Whether -r is a maximal monotone function of w. Then (1) has one rate w for a symmetric W, and one r if
  /// W is positive definite.
  virtual bool is_maximal_monotone() const { return one_sided_lipschitz_constant() == 0.; }

  /// Whether r in the set at w implies r in the set at a w for all a > 0. A play needs that.
  virtual bool is_positively_homogeneous() const { return true; }

  /// Whether the set stays the same, parameters() being those of any other time. Supports may move all the
  /// same.
  virtual bool is_autonomous() const { return true; }

  /// All that the law was given as a function of time, so that steps can resolve it. Here the supports: laws
  /// whose parameters depend on time add theirs.
  virtual std::vector<const ScalarFunction*> functions_of_time() const;

  /// The coefficient of restitution, where the user gave one: 0 <= e <= 1.
  virtual std::optional<double> restitution() const { return std::nullopt; }

  /// h(t) of a column: obstacle or support [unit of g].
  virtual const ScalarFunction& support(Index column) const;

  /// The numbers of the law at a time, for an inclusion that has been in this state.
  /// @throws InvalidInput if a threshold or coefficient that depends on time has left its range
  virtual LawParameters parameters(double time, ContactState before) const = 0;

  /// The mu of a contact with friction, dimension() > 1, whose reactions fill the cone |r_t| <= mu r_n;
  /// nothing where they do not, or it is not known. Whether a massless contact may jam is told by it.
  virtual std::optional<double> cone_slope(const LawParameters& /*parameters*/) const { return std::nullopt; }

  /// What to start from when nothing is known of the past.
  virtual ContactState initial_state() const;

  /// Equation (2). @param rho > 0 [force/rate] (above one_sided_lipschitz_constant()) @param r may be z
  /// itself
  virtual void resolvent(const LawParameters& parameters, double rho, LocalConstView z,
                         LocalView r) const = 0;

  /// The derivative of the resolvent by z, d x d; where it has a kink, that of one side. By central
  /// differences in general.
  virtual LocalMatrix resolvent_derivative(const LawParameters& parameters, double rho,
                                           LocalConstView z) const;

  /**
   * The exact solution of (1) for one inclusion alone. In general the resolvent does it for d = 1; for larger
   * d it is iterated by Newton's method on the natural map, and by its fixed point where that does not help.
   * @param W d x d, its symmetric part positive definite
   * @param r on entry a guess, which decides where there are several solutions
   * @throws NoConvergence, InvalidInput if W admits no solution
   */
  virtual void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                           LocalView r) const;

  /// The nearest reaction that the law admits at rest, w = 0 or g = 0. @param r may be `reaction` itself
  virtual void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const = 0;

  /// Distance of a reaction to those that the law admits at rest [force].
  double distance(const LawParameters& parameters, LocalConstView r) const;

  /// The reaction at a given w: the nearest to a wish where there are several.
  /// @throws InvalidInput where the law admits none (penetration); NotAvailable if the law does not know
  virtual LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                                  LocalConstView wish) const;

  /// The reactions that a scalar law admits at rest, if they fill an interval. Integrators that locate events
  /// follow such laws alone.
  virtual std::optional<Interval> rest_interval(const LawParameters& /*parameters*/) const {
    return std::nullopt;
  }

  /// The reaction of a scalar law with a rest_interval() that slides forward or back, as a differentiable
  /// function of w, continued beyond rest: steps that end with an event go a little further.
  /// @param state slip_forward or slip_back. @throws NotAvailable if the law does not know
  virtual SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const;

  /// |r - resolvent(rho, r - rho w)|: zero if and only if (w, r) obeys the law [force].
  double natural_residual(const LawParameters& parameters, double rho, LocalConstView w,
                          LocalConstView r) const;

  /// @param tolerance the |w| that counts as rest [unit of w]
  virtual ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                             double tolerance) const = 0;

  /// The power -r.w that a pair of the law dissipates, with rates in both columns. They are relative to the
  /// support: one that moves works on the structure besides [force rate].
  virtual double dissipated_power(LocalConstView w, LocalConstView r) const { return -r.dot(w); }

  /// A law whose set depends on what happens within the step (a static threshold once broken) may replace its
  /// parameters in view of what a solution lets it do; then the step is solved again. It may do so finitely
  /// many times. Rates that may be rounding count as rest in that state.
  virtual bool reconsider(LawParameters& /*parameters*/, ContactState /*found*/) const { return false; }
  /// Whether reconsider() may ever do so.
  virtual bool may_reconsider() const { return false; }
};

/// The mean reaction with which an inclusion without inertia slips while a load or its threshold jumps: it
/// sticks until it has the reaction of the end, or slips from the beginning on if its threshold falls below
/// the reaction that it had.
inline double reaction_in_jump(double before, double after) {
  const bool falls = before * after > 0 && std::abs(before) > std::abs(after);
  return falls ? 0.5 * (before + after) : after;
}

/// The reaction with which friction on mass or damping slides by `slip` at once, where its support jumps:
/// that of a slow slip in this direction.
inline double reaction_in_jump_of_support(const Law& law, double time, double slip) {
  const ContactState state = slip > 0 ? ContactState::slip_forward : ContactState::slip_back;
  return law.sliding(law.parameters(time, state), state, 0.).r;
}

/// The mean reaction with which an inclusion without inertia slips in a step: that of a jump if its state
/// changes while it touches; otherwise the reaction varies as the loads do. @param mean of the step
inline double reaction_in_slip(ContactState state_before, ContactState state_after, double before,
                               double after, double mean) {
  const bool touches = state_before != ContactState::open && state_after != ContactState::open;
  return touches && state_before != state_after ? reaction_in_jump(before, after) : mean;
}

/**
 * A scalar law whose reaction lies in an interval: r = lower where w > 0, r = upper where w < 0, anything
 * between where w = 0. The resolvent is the projection onto the interval, whatever rho. Several such laws
 * make (1) a complementarity problem with bounds, which finitely many factorizations solve exactly.
 */
class IntervalLaw : public Law {
 public:
  Index dimension() const final { return 1; }
  virtual Interval interval(const LawParameters& parameters) const { return {parameters[0], parameters[1]}; }
  /// Whether several along one line act as one whose interval is the sum of theirs: where the interval
  /// follows from the time alone, reconsider() does nothing, and state() is that of this class or of a
  /// contact.
  virtual bool is_summable() const { return false; }

  std::optional<Interval> rest_interval(const LawParameters& parameters) const final {
    return interval(parameters);
  }
  SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const final;
  void resolvent(const LawParameters& parameters, double rho, LocalConstView z, LocalView r) const final;
  LocalMatrix resolvent_derivative(const LawParameters& parameters, double rho, LocalConstView z) const final;
  void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                   LocalView r) const final;
  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const final;
  LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                          LocalConstView wish) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;
};

}  // namespace halfdof
