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
 * The interface of set-valued laws (friction, contact). An inclusion acts on the structure through one, two
 * or three columns of H,
 * @f[ M\ddot q + C\dot q + K q = f(t) + H r, \qquad g = H^T q - h(t), \quad w = H^T\dot q - \dot h(t), @f]
 * and its law ties the reaction r to the rate w (friction) or to the gap g (contact), both measured from the
 * prescribed motion h of the support or obstacle. After elimination and discretization in time, the structure
 * is represented by an affine map with the Delassus matrix W, and the reactions r and rates or gaps w of one
 * step satisfy
 * @f[ w = W r + b, \qquad (w, r) \in \mathcal G(t). \qquad (1) @f]
 * where G(t) is the graph of the laws. Signs: a positive reaction acts along its column of H. Dry friction
 * has r in [lower, upper], r = lower where w > 0 and r = upper where w < 0; contact has g >= 0, r >= 0, g r =
 * 0.
 */
namespace halfdof {

/// The quantity of a column that the law constrains: rate w or gap g.
enum class LawLevel { rate, gap };

/// The contact state of an inclusion: whether it sticks, slips, is open or is closed.
enum class ContactState {
  stick,
  slip_forward,  ///< slip with w > 0
  slip_back,     ///< slip with w < 0
  slip,          ///< slip of a contact in space, in any tangential direction
  open,
  closed,  ///< a contact without friction whose gap is zero
};

/// Returns "stick", "slip forward", "slip back", "slip", "open" or "closed".
const char* name_of(ContactState state);

/// Parameters of a law at one instant, such as thresholds or a coefficient of friction. The documentation of
/// each law gives the order of the parameters.
using LawParameters = std::array<double, 6>;

/// Vectors and matrices of the d entries of one inclusion, d = 1, 2 or 3; stored on the stack.
using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using LocalMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using LocalConstView = const Eigen::Ref<const Vector>&;
using LocalView = Eigen::Ref<Vector>;

/// The interval in which a reaction lies; either bound may be infinite.
struct Interval {
  double lower, upper;
};

/// The reaction r(w) of an inclusion that slides, and its derivative.
struct SlidingReaction {
  double r;      ///< reaction [force]
  double slope;  ///< derivative dr/dw [force/rate]
};

/**
 * A set-valued law. A law contains no state: parameters() computes the data that change from step to step
 * (LawParameters), and the caller stores these data. Thus several inclusions may have the same law object,
 * and a step can be repeated.
 *
 * The central function of a law is its resolvent: for rho > 0 and a vector z, the resolvent is the reaction r
 * of the unique pair (w, r) that satisfies the law and
 * @f[ w = (r - z)/\rho. \qquad (2) @f]
 * The resolvent solves a scalar problem (1) exactly, with rho = 1/W and z = -b/W. A pair (w, r) satisfies the
 * law if and only if r = resolvent(rho, r - rho w), for any rho. All solvers of this library stop when the
 * difference of both sides, the natural map (Facchinei and Pang 2003, section 1.5; for Coulomb friction Alart
 * and Curnier 1991), is small enough.
 *
 * A user-defined law derives from Law, or from IntervalLaw if its reaction is confined to an interval. The
 * law overrides at least name(), dimension(), level(), parameters(), resolvent(), state(), and project(),
 * which defines the reactions that the law admits at rest. Runs that start in slip, prescribed motions and
 * explicit integrators also need reaction_at(), contacts that start sliding need cone_slope(), and a law
 * whose parameters depend on time must override is_autonomous().
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

  /// The least l >= 0 with (w_1 - w_2).(r_1 - r_2) <= l |w_1 - w_2|^2 for all pairs (w_1, r_1) and (w_2, r_2)
  /// that satisfy the law [force/rate]; infinity if no such l exists; zero if the law is monotone.
  virtual double one_sided_lipschitz_constant() const { return 0.; }

  /// Whether -r is a maximal monotone function of w. Then (1) has a unique rate w if W is symmetric, and a
  /// unique r if W is positive definite.
  virtual bool is_maximal_monotone() const { return one_sided_lipschitz_constant() == 0.; }

  /// Whether each r that the law admits at w is also admitted at alpha w, for every alpha > 0, so that the
  /// reaction does not depend on the magnitude of w. The law of a play must have this property.
  virtual bool is_positively_homogeneous() const { return true; }

  /// Whether the graph of the law is constant, with parameters() independent of time. Supports may move
  /// nevertheless.
  virtual bool is_autonomous() const { return true; }

  /// All functions of time that define the law. Integrators choose steps that resolve these functions. The
  /// base class returns the supports; laws whose parameters depend on time append the functions of the
  /// parameters.
  virtual std::vector<const ScalarFunction*> functions_of_time() const;

  /// The coefficient of restitution, 0 <= e <= 1, if the user gave one.
  virtual std::optional<double> restitution() const { return std::nullopt; }

  /// The motion h(t) of the obstacle or support of a column [unit of g].
  virtual const ScalarFunction& support(Index column) const;

  /// Returns the parameters of the law at a time. @param before state of the inclusion before the step
  /// @throws InvalidInput if a threshold or coefficient that depends on time has left its range
  virtual LawParameters parameters(double time, ContactState before) const = 0;

  /// The coefficient mu of a contact with friction, dimension() > 1, whose reactions fill the cone |r_t| <=
  /// mu r_n; nothing if the reactions fill another set, or mu is not known. The coefficient decides whether a
  /// massless contact may jam.
  virtual std::optional<double> cone_slope(const LawParameters& /*parameters*/) const { return std::nullopt; }

  /// The contact state that is assumed at the start of a motion, before which the contact state is not known.
  virtual ContactState initial_state() const;

  /// Computes the resolvent r of z, defined by equation (2). @param rho > 0 [force/rate] (above
  /// one_sided_lipschitz_constant()) @param r may be the same vector as z
  virtual void resolvent(const LawParameters& parameters, double rho, LocalConstView z,
                         LocalView r) const = 0;

  /// Returns the derivative of the resolvent with respect to z, d x d; at a kink, the derivative on one side.
  /// The default implementation uses central differences.
  virtual LocalMatrix resolvent_derivative(const LawParameters& parameters, double rho,
                                           LocalConstView z) const;

  /**
   * Solves (1) for a single inclusion with d directions. The default implementation uses the resolvent for d
   * = 1, which is exact, and for larger d Newton's method for the natural map, with fixed-point steps where
   * Newton's method makes no progress.
   * @param W d x d, its symmetric part positive definite
   * @param r on entry a guess, which selects one of several solutions
   * @throws NoConvergence, InvalidInput if W admits no solution
   */
  virtual void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                           LocalView r) const;

  /// Computes the nearest reaction r that the law admits at rest, w = 0 or g = 0. @param r may be the same
  /// vector as `reaction`
  virtual void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const = 0;

  /// Distance from r to the set of reactions that the law admits at rest [force].
  double distance(const LawParameters& parameters, LocalConstView r) const;

  /// Returns the reaction at a given w. If the law admits several reactions, the reaction nearest to
  /// `preferred` is returned.
  /// @throws InvalidInput if the law admits no reaction (penetration); NotAvailable if the law does not
  /// override this function
  virtual LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                                  LocalConstView preferred) const;

  /// The interval of reactions that a scalar law admits at rest, or nothing if they form no interval.
  /// Integrators that locate events require such an interval.
  virtual std::optional<Interval> rest_interval(const LawParameters& /*parameters*/) const {
    return std::nullopt;
  }

  /// Returns the reaction of an inclusion that slides forward or back, as a differentiable function of w, for
  /// a scalar law with a rest_interval(). The function is continued beyond w = 0, because steps that end with
  /// an event may end slightly beyond w = 0.
  /// @param state slip_forward or slip_back. @throws NotAvailable if the law does not override this function
  virtual SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const;

  /// The residual |r - resolvent(rho, r - rho w)| of the natural map, which is zero if and only if (w, r)
  /// satisfies the law [force].
  double natural_residual(const LawParameters& parameters, double rho, LocalConstView w,
                          LocalConstView r) const;

  /// Returns the contact state of an inclusion. @param tolerance the inclusion counts as at rest if |w| does
  /// not exceed this value [unit of w]
  virtual ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                             double tolerance) const = 0;

  /// The power -r.w that an inclusion dissipates, if all entries of w are rates [force rate]. Rates are
  /// relative to the support: a moving support does additional work on the structure.
  virtual double dissipated_power(LocalConstView w, LocalConstView r) const { return -r.dot(w); }

  /// Changes the parameters of a law that depends on its own solution within the step, for example if a
  /// static threshold is exceeded. The step is solved again after a change. The second argument is the
  /// contact state in the solution with the present parameters, where rates that may be rounding errors
  /// count as zero. @return whether the parameters were changed; a law may change its parameters only
  /// finitely many times in a step
  virtual bool reconsider(LawParameters& /*parameters*/, ContactState /*found*/) const { return false; }
  /// Whether reconsider() ever changes parameters.
  virtual bool may_reconsider() const { return false; }
};

/// Returns the mean reaction with which an inclusion without inertia slips while a load or its threshold
/// jumps. The inclusion sticks until the reaction has its final value `after`, or slips from the beginning of
/// the jump if its threshold falls below the reaction `before`.
inline double reaction_in_jump(double before, double after) {
  const bool falls = before * after > 0 && std::abs(before) > std::abs(after);
  return falls ? 0.5 * (before + after) : after;
}

/// Returns the reaction of friction on inertial or viscous DoFs while its support jumps and the inclusion
/// slides by the length `slip`. The reaction is the limit for low slip rates in this direction.
inline double reaction_in_jump_of_support(const Law& law, double time, double slip) {
  const ContactState state = slip > 0 ? ContactState::slip_forward : ContactState::slip_back;
  return law.sliding(law.parameters(time, state), state, 0.).r;
}

/// Returns the mean reaction with which an inclusion without inertia slips in a step. The result is
/// reaction_in_jump() if the contact state changes without opening or closing, and otherwise `mean`, because
/// the reaction varies with the loads. @param mean mean reaction of the step
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
  /// The interval in which the reaction lies. The default implementation takes the first two parameters as
  /// bounds.
  virtual Interval reaction_interval(const LawParameters& parameters) const {
    return {parameters[0], parameters[1]};
  }
  /// Whether several inclusions with this law along one line may be replaced by one inclusion whose interval
  /// is the sum of their intervals. The replacement is exact if the interval depends only on time,
  /// reconsider() changes nothing, and state() is the implementation of IntervalLaw or of UnilateralContact.
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
                          LocalConstView preferred) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;
};

/// The law of one inclusion, and the name of the inclusion in messages.
struct NamedLaw {
  std::shared_ptr<const Law> law;
  std::string name;
};

}  // namespace halfdof
