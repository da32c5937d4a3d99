// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>
#include <halfdof/integrators/event_driven/support_motion.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/// The exception for a Painleve state: Coulomb friction that slips increases the normal reaction by more than
/// the normal reaction that causes this friction, so that no finite reaction is consistent and the motion is
/// not defined.
class PainleveState : public NotAvailable {
 public:
  /// @param contact name of the contact @param time time of the state [s]
  PainleveState(const std::string& contact, double time);
};

/// A step of the smooth motion between two events. Matrices contain one column for each of the eight
/// RadauNodes.
struct SmoothStep {
  double begin, length;      ///< Time at the beginning, and length of the step [s].
  MultiVector y, r, w, g;    ///< States; reactions, rates and gaps of all directions.
  MultiVector lower, upper;  ///< Bounds of friction; `upper` is mu for tangents of Coulomb friction.
  /// Violations of the constraints of held directions, which occur if held directions depend on each other,
  /// and the sizes to which their rounding errors are relative.
  MultiVector defect, defect_scale;
  double error = 0;  ///< Estimated error in units of the tolerance.
  /// Unit vectors of the initial slip directions of the tangents of each contact; zero for other directions.
  Vector forward = {};
  /// Longest length of the next step [s] for which one set of tangents of a state force is expected to
  /// suffice.
  double longest_next = std::numeric_limits<double>::infinity();
  /// Whether a held direction on inertial DoFs has a rate relative to its obstacle or support at the
  /// beginning, because the motion of that obstacle or support has a kink there.
  bool begins_with_kink = false;
};

/**
 * The smooth motion between events, in which no inclusion changes its contact state. Reactions of directions
 * that slip or are open are at their bounds. Reactions of held directions, which stick or are closed, follow
 * from constraints at the level of the lightest kind of DoFs on which the direction acts:
 * @f[ g = g_* \ (\text{algebraic}), \qquad w = 0 \ (\text{viscous}), \qquad \dot w = 0 \ (\text{inertial}).
 * \qquad (1) @f]
 * Each of these constraints is affine in r with a row of W_K, W_C or W_I. The elimination of the reactions
 * through W gives @f$ \dot y = A_\text{mode}\,y + b(t) @f$, linear with constant coefficients. Steps use the
 * Radau method of RadauNodes (order 13, stiffly accurate) in the coordinates of a Schur form of A_mode, which
 * is computed once for each set of held directions: a step of any length costs triangular solves.
 *
 * If friction slips in the plane with r = -mu r_n w/|w|, or the force of friction depends on the speed, b
 * depends on the motion, and all nodes of a step are solved together by Newton's method.
 *
 * With a StateForce b also depends on the motion. The linear step is then repeated as an iteration for the
 * collocation polynomial of the nonlinear equations, and for the reactions at all nodes
 * (StateForceIteration).
 */
class SmoothMotion {
 public:
  SmoothMotion(CondensedInclusions condensed, double relative_tolerance, double absolute_tolerance);

  const CondensedInclusions& condensed() const { return condensed_; }
  /// Returns the time scale 1/rho(A) [s] of the structure without reactions, where rho(A) is the spectral
  /// radius. The result is at most the length of the run, and run_scale() if no motion oscillates or decays.
  /// With a state force the result is the smallest time scale of all tangents so far, but at least 1e-4 times
  /// the largest one, to exclude tangents whose mass or damping nearly vanishes.
  double time_scale() const;
  /// Sets the time scale [s] of a structure in which no motion oscillates or decays.
  void set_run_scale(double scale) { run_scale_ = scale; }
  double run_scale() const { return run_scale_; }
  /// Sets the length of the run [s], which is infinite if it is not known.
  void set_run_length(double length) { run_length_ = length; }
  double run_length() const { return run_length_; }
  /// Sets the function that locates known kinks.
  /// @param smooth_until returns the time of the first kink between two times, over all functions of time
  /// that are given as a ScalarFunction
  void set_kinks(std::function<double(double begin, double end)> smooth_until) {
    smooth_until_ = std::move(smooth_until);
  }
  /// Replaces the tangents by tangents of the same system at another state.
  void set_tangents(CondensedInclusions condensed);

  /// Returns whether held directions depend on each other, so that only combinations of their reactions are
  /// determined.
  bool are_dependent(const std::vector<ContactState>& states) const {
    return held_system(states).W.rank() < static_cast<Index>(held_system(states).directions.size());
  }
  /// Returns whether the reaction of a held direction may balance reactions of other held directions.
  bool is_shared(const std::vector<ContactState>& states, Index j) const;
  /// Returns whether held directions that depend on each other have compatible motions: m^T w = 0 for all
  /// vectors m with W^T m = 0.
  /// @param w the displacement, rate or acceleration of each direction, according to the kind that decides it
  /// @param uncertainty uncertainty of w
  bool are_compatible(const std::vector<ContactState>& states, const Vector& w,
                      const Vector& uncertainty) const;
  /// Returns whether the held directions determine the motion of another direction, so that the reaction of
  /// this direction has no effect.
  bool follows_held(const std::vector<ContactState>& states, Index j) const;

  /// The contact states of all directions, and data for their reactions.
  struct Mode {
    std::vector<ContactState> states;  ///< One contact state for each direction.
    Vector targets;                    ///< The gaps g_* of (1) of plays that stick.
    /// Estimate of the reactions, which determines the direction in which friction in the plane begins to
    /// slip.
    Vector reactions;
  };

  /// Returns the rounding error of each state within a step; the Schur form mixes the errors of all states.
  Vector rounding_of_states(const Mode& mode, const SmoothStep& step) const;

  /// Computes a step with an estimate of its error.
  /// @param r estimate of the reactions at the beginning of the step, for the state force
  /// @throws SlowTangents
  SmoothStep attempt(const Mode& mode, double begin, double length, const Vector& y, const Vector& r) const;

  /// Returns the reactions of a mode at an instant. Shared reactions, of which only combinations are
  /// determined, are as near as possible to the reactions of the mode, see share_within_bounds().
  /// @param guess estimate of the reactions, for the state force @throws SlowTangents
  Vector reactions(const Mode& mode, double time, const Vector& y, const SupportDerivatives& p,
                   const Vector& guess) const;

  /// Moves shared reactions, of which only combinations are determined, within the bounds of the laws. The
  /// result is r + D N z, where D contains units that equilibrate W, N is a basis of the null space with W D
  /// N = 0, and z is the vector of least norm for which
  /// lower + margin (upper - lower) <= r + D N z <= upper - margin (upper - lower),
  /// with the largest feasible margin among 1/4, 1/16, ..., 1e-9 and 0. With this distance from the bounds no
  /// friction slips before all friction that shares the load has to slip. If no reactions are admissible, r
  /// does not change.
  /// @return the margin; nothing if no reactions are admissible, or if all reactions are determined
  std::optional<double> share_within_bounds(const Mode& mode, double time, Vector& r) const;

  /// Returns the state y with velocities corrected for rounding and interpolation errors, so that held
  /// directions on inertial DoFs have the rate zero.
  Vector projected_on_constraints(const Mode& mode, const Vector& y, const Vector& p_rate) const;

  /// Returns the displacements of all directions under reactions in the directions `algebraic` that displace
  /// these directions by s. Algebraic DoFs decide these directions.
  Vector displacements_with(const std::vector<Index>& algebraic, const Vector& s) const;

  /// Returns the scale of the rates of directions on inertial DoFs, to which tolerances are relative. The
  /// scale is the sum of the sizes of the terms of the rate, and of the changes that accelerations (including
  /// those by reactions) cause within the time scale.
  Vector rate_scale(double time, const Vector& y, const CondensedInclusions::LoadTerms& load_terms,
                    const Vector& r, const Vector& p_rate) const;
  /// Returns the largest scale of rates at the nodes of a step. This scale contains no loads, because
  /// reactions balance loads or rates follow loads.
  Vector rate_scale_within(const SmoothStep& step) const;
  /// Returns the rate of each held direction on inertial DoFs up to which it counts as an error of short
  /// steps and rounding. Larger rates are impacts.
  Vector kink_tolerance(double time, const Vector& y, const CondensedInclusions::LoadTerms& load_terms,
                        const Vector& r, const Vector& p_rate, const Vector& p_second) const;
  /// Returns the prescribed motion p and its derivatives from the right.
  SupportDerivatives support_at(double time) const;
  /// Returns the first kink of a prescribed motion between two times, see first_kink().
  std::optional<Kink> kink_between(double begin, double end) const;

  static bool is_held(ContactState state) {
    return state == ContactState::stick || state == ContactState::closed;
  }

 private:
  /// The factorized Delassus matrix W of held directions. Rows and columns are scaled so that their largest
  /// entries are one, because each kind of DoFs has its own unit.
  class HeldDelassus {
   public:
    HeldDelassus() = default;
    explicit HeldDelassus(const MultiVector& W);
    Index rank() const { return W_.rank(); }
    const Vector& units() const { return columns_; }
    /// Returns an orthonormal basis of the null space of W, with reactions in units(). Reactions of the null
    /// space move no held direction.
    MultiVector null_space() const { return W_.kernel(); }
    /// Returns a basis of the left null space of W, W^T m = 0, with rows scaled as in solve().
    MultiVector left_null_space() const { return rows_.asDiagonal() * W_.left_kernel(); }
    /// Returns W^{-1} b; if W is singular, the least-squares solution of smallest norm.
    MultiVector solve(const MultiVector& b) const;
    /// Returns, for each row, the size to which rounding errors of the solution r of W r = b are relative.
    /// The size depends on all rows, because the rows are solved together.
    Vector rounding_scale(const Vector& r) const;

   private:
    Vector rows_, columns_;
    LeastSquares W_;
  };
  /// Data that depend only on the set of held directions.
  struct HeldSystem {
    std::vector<Index> directions;
    MultiVector S;  ///< The rows of S_K, S_C and S_I in the constraints (1).
    HeldDelassus W;
    /// If W is singular, the directions whose reactions may balance one another, the units of these
    /// reactions, and an orthonormal basis of the reactions in these units that have no effect. Shapes: k, k,
    /// k x dim ker W
    std::vector<Index> sharing;
    Vector units;
    MultiVector null_space;
    MultiVector left_null_space;  ///< The vectors m with W^T m = 0 if held directions depend on each other.
    MultiVector A;                ///< The matrix A_mode of the motion under the constraints (1).
    ComplexMultiVector U, T, U_inverse;  ///< Schur form A = U T U^{-1} with the upper triangular matrix T.
  };
  /// The terms of the loads, the prescribed motions, and the reactions of slipping directions at the nodes of
  /// a step.
  struct NodeInputs {
    std::vector<CondensedInclusions::LoadTerms> load_terms;
    SupportMotion p;
    MultiVector slipping = {};
  };
  /// The responses of each direction to the loads at the nodes of a step, and the allowed interpolation
  /// errors of functions of time.
  struct InterpolationTolerances {
    MultiVector responses_to_loads;
    /// Allowed interpolation errors; an error with the allowed value 0 is not checked.
    Vector motion_error, load_error, lower_error, upper_error;
  };
  /// The violation of a constraint, and the size of its terms.
  struct Defect {
    double value, scale;
  };
  const HeldSystem& held_system(const std::vector<ContactState>& states) const;
  MultiVector block_of_W(const std::vector<Index>& directions, const std::vector<Index>& by) const;
  std::vector<Index> shareable_directions(const std::vector<Index>& held, const HeldDelassus& W) const;
  std::vector<Index> held_directions(const std::vector<ContactState>& states) const;
  /// Returns the bounds of a reaction of friction. The result is 0 and mu for tangents of Coulomb friction,
  /// and 0 and 0 for contacts.
  Interval friction_bounds(const Mode& mode, Index j, double time) const;
  NodeInputs prescribed_at_nodes(double begin, double length) const;
  NumericalDifferentiation differentiation(double time) const;
  /// The terms of the load, and the prescribed motion with its derivatives, at one instant.
  struct LoadsAtInstant {
    const CondensedInclusions::LoadTerms& load_terms;
    Vector p, p_rate, p_second;
  };
  LoadsAtInstant loads_at_node(const NodeInputs& given, Index node) const;
  /// The directions of one inclusion that slips with a reaction that depends on its rates and, for Coulomb
  /// friction, on the normal reaction.
  struct SlidingFriction {
    Index first, n;  ///< Number of the first direction, and number of directions.
    std::optional<Index> normal;
  };
  std::vector<SlidingFriction> sliding_friction(const Mode& mode) const;
  static std::vector<Index> directions_of(const std::vector<SlidingFriction>& all);
  void append_arguments(const SlidingFriction& one, const Vector& w, const Vector& r,
                        std::vector<double>& z) const;
  /// The directions in space in which Coulomb friction slips.
  struct SlipDirections {
    Vector s;        ///< Very small rates, which define the direction if the actual rates are zero.
    Vector forward;  ///< Unit vectors of slip, which are kept until a reversal is located.
  };
  void evaluate_sliding(const Mode& mode, const SlidingFriction& one, double time,
                        const SlipDirections& slip_along, const Vector& z, Eigen::Ref<Vector> r,
                        Eigen::Ref<MultiVector> derivative) const;
  SlipDirections slip_directions(const Mode& mode, const std::vector<SlidingFriction>& all, double time,
                                 const Vector& y, const LoadsAtInstant& acting, const Vector& w,
                                 const Vector& noise) const;
  void check_no_painleve_state(const std::vector<SlidingFriction>& all, double time, const Vector& r,
                               const MultiVector& response) const;
  Vector reactions_at_bounds(const Mode& mode, double time) const;
  Vector slipping_reactions(const Mode& mode, double time, const Vector& y,
                            const LoadsAtInstant& acting) const;
  template <class Arguments>
  MultiVector response_of_slipping(const Mode& mode, const std::vector<Index>& directions,
                                   const SmoothStep& step, const Arguments& arguments) const;
  /// Replaces shared reactions, which have the least norm, by the equivalent reactions that are nearest to
  /// `admitted`. Other reactions of Coulomb friction keep the least norm, because the motion depends on their
  /// distribution. Within a step shared reactions are as smooth as the loads, so that an event shows that
  /// they reach a bound.
  void project_shared_reactions(const Mode& mode, const Vector& admitted, Vector& r) const;
  /// Returns the interval of reactions that the law of a held direction admits. The normal reaction of
  /// Coulomb friction is an entry of r.
  Interval admitted(const Mode& mode, double time, Index j, const Vector& r) const;
  /// Returns the reactions of all directions. The reactions of held directions follow from (1).
  /// @param slipping the reactions of slipping directions
  Vector reactions(const Mode& mode, const Vector& slipping, const Vector& y,
                   const LoadsAtInstant& acting) const;
  Vector friction_scale(double time) const;
  bool begins_with_kink(const Mode& mode, double begin, const Vector& y, const NodeInputs& given) const;
  /// Computes the states and reactions of a step for given loads, including reactions that depend on the
  /// speed.
  void solve(const Mode& mode, const Vector& y, NodeInputs& given, SmoothStep& step) const;
  /// Computes the states at the nodes of a step, and their error.
  void integrate(const Mode& mode, const Vector& y, const NodeInputs& given, SmoothStep& step) const;
  /// Computes the derivatives of the states at the stages, one column each, and the filtered defect (Hairer
  /// and Wanner 1996, Eq. (IV.8.19)).
  void solve_stages(const HeldSystem& held, double length, const Vector& y, const MultiVector& b,
                    MultiVector& stage_rates, Vector& defect) const;
  /// Returns the violation of the constraint (1) of a held direction, and the size of its terms.
  Defect constraint_defect(const Mode& mode, const SmoothStep& step, const NodeInputs& given, Index node,
                           Index j) const;
  /// Computes the reactions, gaps and rates of all directions at the nodes of a step.
  void compute_node_values(const Mode& mode, const NodeInputs& given, SmoothStep& step) const;
  /// The largest terms of the derivatives of the states at the nodes, and the largest of the terms that loads
  /// cause.
  struct Terms {
    Vector all, of_loads;
  };
  double state_error(const SmoothStep& step, const Vector& defect, const Terms& terms,
                     const NodeInputs& given) const;
  double noise_of_loads(double length) const;
  Vector responses_to_load(const CondensedInclusions::LoadTerms& load_terms) const;
  double terms_of_reaction(const Mode& mode, const SmoothStep& step, const SupportMotion& p,
                           const MultiVector& loads, Index j) const;
  InterpolationTolerances interpolation_tolerances(const Mode& mode, const SmoothStep& step,
                                                   const NodeInputs& given) const;
  double slip_error(const Mode& mode, const SmoothStep& step, double tau) const;
  double interpolation_error(const Mode& mode, const SmoothStep& step, const NodeInputs& given) const;

  CondensedInclusions condensed_;
  double relative_tolerance_, absolute_tolerance_;
  /// The smallest and the largest time scale [s] of all tangents so far; no value if no motion oscillates or
  /// decays.
  std::optional<double> smallest_time_scale_, largest_time_scale_;
  double run_scale_ = 1;  ///< Time scale of a structure in which no motion oscillates or decays [s].
  std::function<double(double, double)> smooth_until_;
  double run_length_ = std::numeric_limits<double>::infinity();  ///< Length of the run [s].
  mutable std::map<std::vector<Index>, std::unique_ptr<HeldSystem>> cache_;
};

}  // namespace halfdof::internal
