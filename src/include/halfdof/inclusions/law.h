// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/functions/scalar_function.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * The interface of set-valued laws. An inclusion acts on the structure through one, two or three columns of
 * H,
 * @f[ M\ddot q + C\dot q + K q = f(t) + H r, \qquad g = H^T q - h(t), \quad w = H^T\dot q - \dot h(t), @f]
 * and its law ties the reaction r to the rate w (friction) or to the gap g (contact), both measured from the
 * prescribed motion h of the support or obstacle. After elimination and discretization in time, the structure
 * is represented by an affine map, and the unknowns of one step satisfy
 * @f[ w = W r + b, \qquad (w, r) \in \mathcal G(t). \qquad (1) @f]
 * Signs: a reaction acts along its column. Dry friction has r in [lower, upper], r = lower where w > 0 and
 * r = upper where w < 0; contact has 0 <= g, r >= 0, g r = 0.
 */
namespace halfdof {

/// The quantity of a column that the law constrains: rate w or gap g.
enum class LawLevel { rate, gap };

/// The state of an inclusion.
enum class ContactState {
  stick,
  slip_forward,  ///< slip with w > 0
  slip_back,     ///< slip with w < 0
  slip,          ///< slip of a contact in space, in any tangential direction
  open,
  closed,  ///< contact without friction that touches
};

/// Returns "stick", "slip forward", "slip back", "slip", "open" or "closed".
const char* name_of(ContactState state);

/// Parameters of a law at one instant, such as thresholds or a coefficient of friction. Each law documents
/// their order.
using LawParameters = std::array<double, 6>;

/// Vectors and matrices of the d entries of one inclusion, d = 1, 2 or 3; stored on the stack.
using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using LocalConstView = const Eigen::Ref<const Vector>&;
using LocalView = Eigen::Ref<Vector>;

/// The interval of a reaction; either bound may be infinite.
struct Interval {
  double lower, upper;
};

/// The reaction r(w) of an inclusion that slides, and its derivative.
struct SlidingReaction {
  double r;      ///< reaction [force]
  double slope;  ///< derivative dr/dw [force/rate]
};

/**
 * A set-valued law. A law contains no state: parameters() computes the data that change from step to step,
 * LawParameters, and the caller keeps them. Thus one law may serve many inclusions, and a step can be
 * repeated.
 *
 * The central function of a law is its resolvent: for rho > 0 and z, the reaction r of the unique pair (w, r)
 * in the graph with
 * @f[ w = (r - z)/\rho. \qquad (2) @f]
 * The resolvent solves a scalar problem (1) exactly, with rho = 1/W and z = -b/W. A pair (w, r) satisfies the
 * law if and only if r = resolvent(rho, r - rho w), for any rho. This natural map (Facchinei and Pang 2003,
 * section 1.5; for Coulomb friction Alart and Curnier 1991) is the stopping criterion of all solvers of this
 * library.
 *
 * A user-defined law derives from Law, or from IntervalLaw if its reaction is confined to an interval. It
 * overrides at least name(), dimension(), level(), parameters(), resolvent(), state(), and project(), which
 * defines the reactions that the law admits at rest. It also overrides reaction_at() for runs that start in
 * slip, prescribed motions and explicit integrators; cone_slope() for contacts that start sliding; and
 * is_autonomous() if its parameters depend on time.
 */
class Law {
 public:
  virtual ~Law() = default;

  /// Name for messages, such as "dry friction".
  virtual std::string name() const = 0;

  /// Number of columns of H: 1, 2 or 3.
  virtual Index dimension() const = 0;

  /// The quantity that the law constrains in a column, 0 <= column < dimension(). A contact with friction
  /// constrains the gap of column 0 and the rates of the others.
  virtual LawLevel level(Index column) const = 0;

  /// The least l >= 0 with (w_1 - w_2).(r_1 - r_2) <= l |w_1 - w_2|^2 on the graph [force/rate]; infinity if
  /// no such l exists; zero if the law is monotone.
  virtual double one_sided_lipschitz_constant() const { return 0.; }

  /// Whether -r is a maximal monotone function of w. Then (1) has a unique rate w if W is symmetric, and a
  /// unique r if W is positive definite.
  virtual bool is_maximal_monotone() const { return one_sided_lipschitz_constant() == 0.; }

  /// Whether each r that the law admits at w is also admitted at alpha w, for every alpha > 0. A play
  /// requires this.
  virtual bool is_positively_homogeneous() const { return true; }

  /// Whether the graph of the law is constant, with parameters() independent of time. Supports may move
  /// nevertheless.
  virtual bool is_autonomous() const { return true; }

  /// All functions of time that the law was given, so that the steps of an integrator can resolve them. The
  /// base class returns the supports; laws whose parameters depend on time append their functions.
  virtual std::vector<const ScalarFunction*> functions_of_time() const;

  /// The coefficient of restitution, 0 <= e <= 1, if the user gave one.
  virtual std::optional<double> restitution() const { return std::nullopt; }

  /// The motion h(t) of the obstacle or support of a column [unit of g].
  virtual const ScalarFunction& support(Index column) const;

  /// Returns the parameters of the law at a time. @param before state of the inclusion before the step
  /// @throws InvalidInput if a threshold or coefficient that depends on time has left its range
  virtual LawParameters parameters(double time, ContactState before) const = 0;

  /// The coefficient mu of a contact with friction, dimension() > 1, whose reactions fill the cone |r_t| <=
  /// mu r_n; nothing if they fill another set, or mu is not known. Used to check whether a massless contact
  /// may jam.
  virtual std::optional<double> cone_slope(const LawParameters& /*parameters*/) const { return std::nullopt; }

  /// The state that is assumed when the past is not known.
  virtual ContactState initial_state() const;

  /// Computes r by equation (2). @param rho > 0 [force/rate] (above one_sided_lipschitz_constant()) @param r
  /// may be z itself
  virtual void resolvent(const LawParameters& parameters, double rho, LocalConstView z,
                         LocalView r) const = 0;

  /// Returns the derivative of the resolvent with respect to z, d x d; at a kink, the derivative on one side.
  /// The default uses central differences.
  virtual LocalMatrix resolvent_derivative(const LawParameters& parameters, double rho,
                                           LocalConstView z) const;

  /**
   * Solves (1) for a single inclusion. The default uses the resolvent for d = 1, which is exact; for larger d
   * it iterates Newton's method on the natural map, with fixed-point steps where Newton's method makes no
   * progress.
   * @param W d x d, its symmetric part positive definite
   * @param r on entry a guess, which selects one of several solutions
   * @throws NoConvergence, InvalidInput if W admits no solution
   */
  virtual void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                           LocalView r) const;

  /// Computes the nearest reaction r that the law admits at rest, w = 0 or g = 0. @param r may be `reaction`
  /// itself
  virtual void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const = 0;

  /// Distance from r to the set of reactions that the law admits at rest [force].
  double distance(const LawParameters& parameters, LocalConstView r) const;

  /// Returns the reaction at a given w; if the law admits several, the one nearest to `wish`.
  /// @throws InvalidInput if the law admits no reaction (penetration); NotAvailable if the law does not
  /// override this function
  virtual LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                                  LocalConstView wish) const;

  /// The interval of reactions that a scalar law admits at rest, or nothing if they form no interval.
  /// Integrators that locate events require such an interval.
  virtual std::optional<Interval> rest_interval(const LawParameters& /*parameters*/) const {
    return std::nullopt;
  }

  /// Returns the reaction of a scalar law with a rest_interval() that slides forward or back, as a
  /// differentiable function of w. The function is continued beyond w = 0, because steps that end with an
  /// event go slightly beyond it.
  /// @param state slip_forward or slip_back. @throws NotAvailable if the law does not override this function
  virtual SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const;

  /// |r - resolvent(rho, r - rho w)|: zero if and only if (w, r) satisfies the law [force].
  double natural_residual(const LawParameters& parameters, double rho, LocalConstView w,
                          LocalConstView r) const;

  /// Returns the state of an inclusion. @param tolerance |w| up to this counts as rest [unit of w]
  virtual ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                             double tolerance) const = 0;

  /// The power -r.w that an inclusion dissipates, for an w whose entries are all rates [force rate]. Rates
  /// are relative to the support: a moving support does additional work on the structure.
  virtual double dissipated_power(LocalConstView w, LocalConstView r) const { return -r.dot(w); }

  /// Replaces the parameters of a law whose graph depends on what happens within the step, for example
  /// because a static threshold was exceeded. `found` is the state in the solution with the present
  /// parameters. Returns whether they changed; then the step is solved again. A law may change its parameters
  /// only finitely many times in a step. Rates that may be rounding errors count as rest in `found`.
  virtual bool reconsider(LawParameters& /*parameters*/, ContactState /*found*/) const { return false; }
  /// Whether reconsider() ever changes parameters.
  virtual bool may_reconsider() const { return false; }
};

/// Returns the mean reaction with which an inclusion without inertia slips while a load or its threshold
/// jumps. Either it sticks until the reaction has its final value `after`, or, if its threshold falls below
/// the reaction `before`, it slips from the beginning.
inline double reaction_in_jump(double before, double after) {
  const bool falls = before * after > 0 && std::abs(before) > std::abs(after);
  return falls ? 0.5 * (before + after) : after;
}

/// Returns the reaction with which friction on inertial or viscous DoFs slides by `slip` when its support
/// jumps: the reaction of a slow slip in this direction.
inline double reaction_in_jump_of_support(const Law& law, double time, double slip) {
  const ContactState state = slip > 0 ? ContactState::slip_forward : ContactState::slip_back;
  return law.sliding(law.parameters(time, state), state, 0.).r;
}

/// Returns the mean reaction with which an inclusion without inertia slips in a step: reaction_in_jump() if
/// its state changes while it touches, otherwise `mean`, because the reaction varies with the loads.
/// @param mean mean reaction of the step
inline double reaction_in_slip(ContactState state_before, ContactState state_after, double before,
                               double after, double mean) {
  const bool touches = state_before != ContactState::open && state_after != ContactState::open;
  return touches && state_before != state_after ? reaction_in_jump(before, after) : mean;
}

/**
 * A scalar law whose reaction lies in an interval: r = lower where w > 0, r = upper where w < 0, and lower <=
 * r <= upper where w = 0. The resolvent is the projection onto the interval, for every rho. With several such
 * laws, (1) is a complementarity problem with bounds, which finitely many factorizations solve exactly.
 */
class IntervalLaw : public Law {
 public:
  Index dimension() const final { return 1; }
  virtual Interval reaction_interval(const LawParameters& parameters) const {
    return {parameters[0], parameters[1]};
  }
  /// Whether several inclusions along one line act as one whose interval is the sum of their intervals. This
  /// holds if the interval depends only on time, reconsider() changes nothing, and state() is that of this
  /// class or of a contact.
  virtual bool is_summable() const { return false; }

  std::optional<Interval> rest_interval(const LawParameters& parameters) const final {
    return reaction_interval(parameters);
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

/// The law of one inclusion, and the name of the inclusion in messages.
struct NamedLaw {
  std::shared_ptr<const Law> law;
  std::string name;
};

}  // namespace halfdof
