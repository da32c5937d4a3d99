#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>
#include <halfdof/integrators/support_motion.h>
#include <halfdof/linear_algebra/dense_solves.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Coulomb friction that slides presses its contact on by more than it follows from: no finite reaction
/// moves it on, and what happens is not known.
class PainleveState : public NotAvailable {
 public:
  /// @param time [s]
  PainleveState(const std::string& contact, double time);
};

/// A step of the motion between two events: values at the eight RadauNodes, one column each.
struct SmoothStep {
  double begin, length;      ///< [s]
  MultiVector y, r, w, g;    ///< states; reactions, rates and gaps of all directions
  MultiVector lower, upper;  ///< bounds of reactions of friction; of tangents of Coulomb's upper is mu
  /// What held directions move by although they are held, and what rounding of that is relative to: others,
  /// which depend on them, are held elsewhere.
  MultiVector defect, defect_scale;
  double error = 0;     ///< estimate, in units of the tolerance
  Vector forward = {};  ///< where tangents that slip begin to: unit vectors of each contact, zero elsewhere
  /// [s] Longer ones would take more tangents of a state force than one.
  double longest_next = std::numeric_limits<double>::infinity();
  /// An obstacle or a support takes another course at once, and what it held does not.
  bool begins_with_kink = false;
};

/**
 * The motion while no inclusion changes what it is doing. Reactions of directions that slip or are open are
 * at their bounds; those of directions that stick or are closed hold a constraint, at the level of the
 * lightest kind that the direction meets:
 * @f[ g = g_* \ (\text{algebraic}), \qquad w = 0 \ (\text{viscous}), \qquad \dot w = 0 \ (\text{inertial}).
 * \qquad (1) @f] Each of these is affine in r with a row of W_K, W_C or W_I, so that the reactions are
 * eliminated through W and @f$ \dot y = A_\text{mode}\,y + b(t) @f$ is left, linear with constant
 * coefficients. Steps are those of RadauNodes (order 13, stiffly accurate) in the coordinates of a Schur form
 * of A_mode, computed once for each set of held directions: a step of any length costs triangular solves.
 *
 * Friction that slips in the plane, r = -mu r_n w/|w|, or whose force depends on the speed, has the
 * reaction of the motion that it leads to: b depends on the motion, and all nodes of a step are solved
 * together by Newton's method.
 *
 * With a StateForce b depends on the motion, too. The same linear step then is an iteration for the
 * collocation polynomial of the equations themselves, and for the reactions at all nodes (ForcedIteration).
 */
class SmoothMotion {
 public:
  SmoothMotion(CondensedInclusions condensed, double relative_tolerance, double absolute_tolerance);

  const CondensedInclusions& condensed() const { return condensed_; }
  /// 1/rho(A) of the free structure [s], but no more than the length of the run; run_scale() where nothing
  /// oscillates or decays. The smallest of all tangents so far, but for those by which a mass or damping all
  /// but vanishes: no less than 1e-4 of the largest.
  double time_scale() const;
  /// @param scale [s] for a structure where nothing oscillates or decays
  void set_run_scale(double scale) { run_scale_ = scale; }
  double run_scale() const { return run_scale_; }
  /// @param length [s]; infinite where it is not known
  void set_run_length(double length) { run_length_ = length; }
  double run_length() const { return run_length_; }
  /// @param smooth_until Where, between two times, what is given as a ScalarFunction has its first kink
  void set_kinks(std::function<double(double begin, double end)> smooth_until) {
    smooth_until_ = std::move(smooth_until);
  }
  /// Goes on with other tangents of the same system.
  void renew(CondensedInclusions condensed);

  /// Whether held directions depend on each other, so that only combinations of their reactions are
  /// determined.
  bool are_dependent(const std::vector<ContactState>& states) const {
    return held(states).W.rank() < static_cast<Index>(held(states).directions.size());
  }
  /// Whether the reaction of a held direction may balance those of others.
  bool is_shared(const std::vector<ContactState>& states, Index j) const;
  /// Whether dependent directions that are held move together: m^T w = 0 for all m of W^T m = 0.
  /// @param w displacements, rates or accelerations, as DoFs of the kind of each direction decide
  /// @param uncertainty of w
  bool are_compatible(const std::vector<ContactState>& states, const Vector& w,
                      const Vector& uncertainty) const;
  /// Whether a direction that is not held moves only as those that are held let it: its own reaction moves
  /// nothing.
  bool follows_held(const std::vector<ContactState>& states, Index j) const;

  /// What is asked for in a mode.
  struct Mode {
    std::vector<ContactState> states;  ///< one for each direction
    Vector targets;                    ///< g_* of plays that stick
    Vector reactions;  ///< near those to come; they tell where friction in the plane begins to slip
  };

  /// What rounding leaves in each state within a step, as its Schur form mixes all states.
  Vector rounding_of_states(const Mode& mode, const SmoothStep& step) const;

  /// @param r Reactions near those that the step begins with, for the state force @throws SlowTangents
  SmoothStep attempt(const Mode& mode, double begin, double length, const Vector& y, const Vector& r) const;

  /// The reactions of a mode at an instant. Those that are not determined alone are near the ones of the
  /// mode, see share_within_bounds(). @param guess Reactions near them, for the state force
  /// @throws SlowTangents
  Vector reactions(const Mode& mode, double time, const Vector& y, const SupportDerivatives& p,
                   const Vector& guess) const;

  /// Moves reactions that are not determined alone within the bounds of the laws, by the least change in
  /// units that equilibrate W: r + D N z with W D N = 0 and the least |z| for which
  /// lower + margin (upper - lower) <= r + D N z <= upper - margin (upper - lower),
  /// with the largest margin that is found among 1/4, 1/16, ..., 1e-9 and 0. Friction stays so far from its
  /// bounds that none gives way before all have to. Where nothing is admitted, reactions stay as they are.
  /// @return margin; none where nothing is admitted, or all reactions are determined
  std::optional<double> share_within_bounds(const Mode& mode, double time, Vector& r) const;

  /// y with velocities that obey (1) for held inertial directions, where they are away by rounding or
  /// interpolation.
  Vector on_constraints(const Mode& mode, const Vector& y, const Vector& p_rate) const;

  /// By how much all directions move with some that algebraic DoFs decide, and that reactions move by s.
  Vector moved_with(const std::vector<Index>& algebraic, const Vector& s) const;

  /// What rates of inertial directions are measured by: their terms, and what accelerations, reactions among
  /// them, make in one time scale.
  Vector rate_scale(double time, const Vector& y, const CondensedInclusions::Forced& forced, const Vector& r,
                    const Vector& p_rate) const;
  /// The same of a step: the largest of its nodes, without loads, which reactions balance or rates follow.
  Vector rate_scale_within(const SmoothStep& step) const;
  /// Rates of held inertial directions that are no impact, but what short steps and rounding have left.
  Vector kink_tolerance(double time, const Vector& y, const CondensedInclusions::Forced& forced,
                        const Vector& r, const Vector& p_rate, const Vector& p_second) const;
  /// p and its derivatives, from the right.
  SupportDerivatives support_at(double time) const;
  /// The first kink of a prescribed motion in between, see first_kink().
  std::optional<Kink> kink_between(double begin, double end) const;

  static bool is_held(ContactState state) {
    return state == ContactState::stick || state == ContactState::closed;
  }

 private:
  /// Reactions that make up for W r + b = 0, of the smallest norm. Rows and columns are scaled to largest
  /// entries of one:
  /// each kind has a unit of its own.
  class HeldReactions {
   public:
    HeldReactions() = default;
    explicit HeldReactions(const MultiVector& W);
    Index rank() const { return W_.rank(); }
    const Vector& units() const { return columns_; }
    /// Orthonormal basis of W r = 0 with r in units().
    MultiVector balanced() const { return W_.kernel(); }
    /// Basis of W^T m = 0, with rows scaled as in solve().
    MultiVector parting() const { return rows_.asDiagonal() * W_.left_kernel(); }
    /// W^{-1} b
    MultiVector solve(const MultiVector& b) const;
    /// What solving leaves of W r + b = 0 in each row, relative to rounding: all rows are solved together.
    Vector left_by_rounding(const Vector& r) const;

   private:
    Vector rows_, columns_;
    LeastSquares W_;
  };
  /// What depends on the set of held directions alone.
  struct Held {
    std::vector<Index> directions;
    MultiVector S;  ///< rows of (1)
    HeldReactions W;
    /// Where W is singular: the directions whose reactions may balance one another, their units, and an
    /// orthonormal basis of the reactions in these units that move nothing. Shapes: k, k, k x dim ker W
    std::vector<Index> sharing;
    Vector units;
    MultiVector balanced;
    MultiVector parting;  ///< m of m^T w = 0 where held directions depend on each other
    MultiVector A;
    ComplexMultiVector U, T, U_inverse;  ///< A = U T U^{-1} with an upper triangle T
  };
  /// Loads, prescribed motions, and reactions of what slips, at the nodes of a step.
  struct Given {
    std::vector<CondensedInclusions::Forced> forced;
    SupportMotion p;
    MultiVector slipping = {};
  };
  /// What time prescribes for each direction, at the nodes, and how well polynomials have to meet it.
  struct Prescribed {
    MultiVector loads;
    Vector motion_error, load_error, lower_error, upper_error;  ///< that are allowed; 0 where any is
  };
  struct Defect {
    double value, scale;
  };
  const Held& held(const std::vector<ContactState>& states) const;
  MultiVector moved_by(const std::vector<Index>& directions, const std::vector<Index>& by) const;
  std::vector<Index> sharing(const std::vector<Index>& held, const HeldReactions& W) const;
  std::vector<Index> held_directions(const std::vector<ContactState>& states) const;
  /// The bounds of a reaction of friction, of Coulomb's 0 and mu; nothing for contacts.
  Interval friction_bounds(const Mode& mode, Index j, double time) const;
  Given prescribed_at_nodes(double begin, double length) const;
  NumericalDifferentiation differentiation(double time) const;
  /// What acts at an instant, and the prescribed motion.
  struct Acting {
    const CondensedInclusions::Forced& forced;
    Vector p, p_rate, p_second;
  };
  Acting acting_at(const Given& given, Index node) const;
  /// Directions that slip with a reaction that follows from their rates and, in the plane, from a normal one.
  struct Sliding {
    Index first, n;
    std::optional<Index> normal;
  };
  std::vector<Sliding> sliding(const Mode& mode) const;
  static std::vector<Index> directions_of(const std::vector<Sliding>& all);
  void add_seen(const Sliding& one, const Vector& w, const Vector& r, std::vector<double>& z) const;
  /// The direction of Coulomb friction that slips.
  struct Course {
    Vector s;        ///< speeds so small that they count only where there is no other
    Vector forward;  ///< unit vectors: friction that has turned back slips on as it did until this is seen
  };
  void slide(const Mode& mode, const Sliding& one, double time, const Course& course, const Vector& z,
             Eigen::Ref<Vector> r, Eigen::Ref<MultiVector> derivative) const;
  Course course_of(const Mode& mode, const std::vector<Sliding>& all, double time, const Vector& y,
                   const Acting& acting, const Vector& w, const Vector& noise) const;
  void check_pressing(const std::vector<Sliding>& all, double time, const Vector& r,
                      const MultiVector& response) const;
  Vector bounds(const Mode& mode, double time) const;
  Vector slipping(const Mode& mode, double time, const Vector& y, const Acting& acting) const;
  template <class Seen>
  MultiVector response_of_slipping(const Mode& mode, const std::vector<Index>& directions,
                                   const SmoothStep& step, const Seen& seen) const;
  /// Of reactions that are not determined alone, those of least norm become the nearest ones to reactions
  /// that the laws admit. Those of Coulomb friction keep the least norm: the motion depends on how they are
  /// shared. Within a step all of them are as smooth as loads, so that bounds are met at an event.
  void share(const Mode& mode, const Vector& admitted, Vector& r) const;
  /// What the law of a direction that is held admits for its reaction, with the normal reaction among r.
  Interval admitted(const Mode& mode, double time, Index j, const Vector& r) const;
  /// All of them, those of what is held by (1). @param slipping Those of what slips
  Vector reactions(const Mode& mode, const Vector& slipping, const Vector& y, const Acting& acting) const;
  Vector friction_scale(double time) const;
  bool begins_with_kink(const Mode& mode, double begin, const Vector& y, const Given& given) const;
  /// States and reactions under what acts, with the reactions that belong to the speeds.
  void solve(const Mode& mode, const Vector& y, Given& given, SmoothStep& step) const;
  /// States at the nodes, and their error.
  void follow(const Mode& mode, const Vector& y, const Given& given, SmoothStep& step) const;
  /// K of the stages, and the filtered defect.
  void solve_stages(const Held& held, double length, const Vector& y, const MultiVector& b, MultiVector& K,
                    Vector& defect) const;
  /// What the constraint (1) of a held direction is off by, and its terms.
  Defect constraint_defect(const Mode& mode, const SmoothStep& step, const Given& given, Index node,
                           Index j) const;
  /// Reactions, gaps and rates at the nodes.
  void recover(const Mode& mode, const Given& given, SmoothStep& step) const;
  /// The largest terms of the rates of states at the nodes, and those of them that loads make.
  struct Terms {
    Vector all, of_loads;
  };
  double error_of(const SmoothStep& step, const Vector& defect, const Terms& terms, const Given& given) const;
  double noise_of_loads(double length) const;
  Vector deciding_part(const CondensedInclusions::Forced& forced) const;
  double terms_of_reaction(const Mode& mode, const SmoothStep& step, const SupportMotion& p,
                           const MultiVector& loads, Index j) const;
  Prescribed prescribed_within(const Mode& mode, const SmoothStep& step, const Given& given) const;
  double slip_error(const Mode& mode, const SmoothStep& step, double tau) const;
  double interpolation_error(const Mode& mode, const SmoothStep& step, const Given& given) const;

  CondensedInclusions condensed_;
  double relative_tolerance_, absolute_tolerance_;
  std::optional<double> smallest_time_scale_, largest_time_scale_;  ///< nothing oscillates or decays: none
  double run_scale_ = 1;                                            ///< [s]
  std::function<double(double, double)> smooth_until_;
  double run_length_ = std::numeric_limits<double>::infinity();  ///< [s]
  mutable std::map<std::vector<Index>, std::unique_ptr<Held>> cache_;
};

}  // namespace halfdof
