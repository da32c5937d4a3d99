#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/integrators/start_problem.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace halfdof {

namespace {

/// Inertial inclusions at rest are met as they will be after this time [s]: the rates are then this multiple
/// of the accelerations, so small that no law tells them from zero, and of the right sign.
constexpr double instant = 1e-18;

/// Accelerations that depend on time alone are differences of rates over the first of so many intervals [s],
/// each a quarter of the one before: down to 1e-13 s.
constexpr double longest_interval = 1e-2;
constexpr int n_intervals = 19;

/// Finds the reactions at the start, kind by kind.
template <class Engine>
class Starter {
 public:
  Starter(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, NonsmoothStart& start,
          const Vector& holding, const NonsmoothStartOptions& options)
      : inclusions_(inclusions),
        outcome_(outcome),
        start_(start),
        holding_(holding),
        options_(options),
        is_any_tied_(is_any_tied()) {
    for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
      parameters_.push_back(parameters_of(named(i), start.time, law(i).initial_state()));
  }

  /// On entry the reactions of plays are known, and those that hold the algebraic DoFs as they are given.
  void find_reactions() {
    meet_algebraic();
    start_.g = inclusions_.gaps(start_, start_.r);
    check_gaps();
    meet_viscous();
    meet_inertial();
    start_.w = without_algebraic(rates(start_, start_.r));
    recover();
    find_contacts();
  }

 private:
  DoFKind kind_of(std::size_t i) const {
    DoFKind lightest = DoFKind::constrained;
    const auto rank = [](DoFKind kind) { return kind == DoFKind::constrained ? -1 : static_cast<int>(kind); };
    for (const Index j : directions_of(i))
      for (const DoFKind kind : outcome_.directions[static_cast<std::size_t>(j)].decided_by)
        if (rank(kind) > rank(lightest)) lightest = kind;
    return lightest;
  }

  std::vector<Index> directions_of(std::size_t i) const {
    std::vector<Index> directions;
    for (Index k = 0; k < dimension(i); ++k)
      directions.push_back(inclusions_.first_direction(i) + k);
    return directions;
  }

  Index dimension(std::size_t i) const {
    return static_cast<Index>(inclusions_.acting()[i].directions.size());
  }
  const Law& law(std::size_t i) const { return *inclusions_.acting()[i].law; }
  NamedLaw named(std::size_t i) const { return {inclusions_.acting()[i].law, inclusions_.acting()[i].name}; }
  bool is_contact(std::size_t i) const { return law(i).level(0) == LawLevel::gap; }

  /// Whether a direction meets algebraic DoFs, which a constraint ties to the heavier ones that decide.
  bool is_tied(Index j) const {
    const DoFKind kind = kind_of(inclusions_.inclusion_of(j));
    return (kind == DoFKind::inertial || kind == DoFKind::viscous) && meets_algebraic(j);
  }
  bool meets_algebraic(Index j) const {
    return outcome_.directions[static_cast<std::size_t>(j)]
        .meets[static_cast<std::size_t>(DoFKind::algebraic)];
  }
  bool is_any_tied() const {
    for (Index j = 0; j < inclusions_.n_directions(); ++j)
      if (is_tied(j)) return true;
    return false;
  }

  /// Rates under reactions that stay as they are. Those of algebraic DoFs need F', and are left out where no
  /// law is met by them.
  Vector rates(const State& state, const Vector& r) const {
    if (!is_any_tied_) return inclusions_.state_rates(state, r);
    return inclusions_.rates(state, r, Vector::Zero(r.size()));
  }

  /// What the rates of tied directions are rounded by: the elimination finds them among those of all
  /// algebraic DoFs, multipliers too.
  double rounding_of_rates() const {
    if (!is_any_tied_) return 0;
    const ReducedSystem<Engine>& reduced = inclusions_.reduced();
    const MultiVector all = reduced.highest_derivatives(inclusions_.derivative(start_, start_.r),
                                                        reduced.free().load_rate(start_.time));
    const MultiVector algebraic = reduced.classification().algebraic().restrict(all);
    const double here = algebraic.size() > 0 ? algebraic.cwiseAbs().maxCoeff() : 0.;
    return 1e-13 * reduced.communicator().max(here);
  }

  /// One law as it is.
  void add(std::size_t i, StartMembers& some) const {
    some.inclusions.push_back(i);
    some.laws.push_back(named(i));
    for (const Index j : directions_of(i)) {
      some.pushes.emplace_back(j, static_cast<Index>(some.met.size()), 1.);
      some.met.push_back(j);
    }
  }

  template <class Condition>
  StartMembers members(const Condition& condition) const {
    StartMembers found;
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
      if (condition(i)) add(i, found);
    return found;
  }

  /// The reactions of some inclusions, with the W of one kind and b.
  void meet(const StartMembers& some, DoFKind kind, const Vector& b, double scale) {
    OneStepSolver solver(start_problem(inclusions_, outcome_, some, kind, scale));
    LawsAtTime now = solver.problem().laws_at(start_.time);
    Vector r = start_.r(some.met), w(r.size());
    try {
      solver.solve(now, scale * b(some.met), r, w);
    } catch (const NoReactions& error) {
      throw NoReactions("The start at " + seconds(start_.time) + " failed: " + error.what(), error.residual(),
                        error.inclusion());
    }
    const Vector all = some.push_matrix(inclusions_.n_directions()) * r;
    for (std::size_t k = 0; k < some.inclusions.size(); ++k) {
      const std::size_t i = some.inclusions[k];
      const Index first = inclusions_.first_direction(i);
      start_.r.segment(first, dimension(i)) = all.segment(first, dimension(i));
      if (some.laws[k].law == inclusions_.acting()[i].law) parameters_[i] = now.parameters[k];
    }
  }

  /// Contacts; plays stick where they are, with the reactions of contacts on the same DoFs.
  void meet_algebraic() {
    const StartMembers some = members([&](std::size_t i) { return kind_of(i) == DoFKind::algebraic; });
    if (some.inclusions.empty()) return;
    Vector b = inclusions_.gaps(start_, Vector::Zero(inclusions_.n_directions()));
    const Vector held = responses_at_once(inclusions_, outcome_, DoFKind::algebraic, holding_);
    for (const Index j : some.met)
      if (inclusions_.level(j) == LawLevel::rate) b[j] = -held[j];
    meet(some, DoFKind::algebraic, b, 1.);
  }

  double length_scale() const {
    const double here =
        start_.y.size() > 0 ? inclusions_.reduced().displacement_states(start_.y).cwiseAbs().maxCoeff() : 0.;
    const Vector prescribed = prescribed_size(inclusions_, start_.time);
    return std::max(inclusions_.reduced().communicator().max(here),
                    prescribed.size() > 0 ? prescribed.maxCoeff() : 0.);
  }

  void check_gaps() {
    touching_ = options_.tolerance * length_scale();
    for (Index j = 0; j < start_.g.size(); ++j) {
      if (inclusions_.level(j) != LawLevel::gap || kind_of(inclusions_.inclusion_of(j)) == DoFKind::algebraic)
        continue;
      if (start_.g[j] >= -touching_) continue;
      throw InvalidInput("The contact \"" + inclusions_.direction_name(j) +
                         "\" starts behind its obstacle: " + "its gap at " + seconds(start_.time) + " is " +
                         number_text(start_.g[j]) +
                         ". Move the initial displacements or the obstacle until no gap is negative.");
    }
  }

  bool is_open(std::size_t i) const {
    return is_contact(i) && start_.g[inclusions_.first_direction(i)] > touching_;
  }

  void meet_viscous() {
    const StartMembers some =
        members([&](std::size_t i) { return kind_of(i) == DoFKind::viscous && !is_open(i); });
    if (some.inclusions.empty()) return;
    meet(some, DoFKind::viscous, rates(start_, start_.r), 1.);
  }

  /// What slips has the reaction of its rate; what rests is met as it will move an instant later, and so are
  /// contacts that slide.
  void meet_inertial() {
    const Vector w = rates(start_, start_.r);
    at_rest_ = std::max(options_.tolerance * rate_scale(w), rounding_of_rates());
    const auto rests = [&](std::size_t i) {
      return w.segment(inclusions_.first_direction(i), dimension(i)).norm() <= at_rest_;
    };
    StartMembers some;
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      if (kind_of(i) != DoFKind::inertial || is_open(i)) continue;
      if (rests(i))
        add(i, some);
      else if (is_contact(i))
        add_sliding(i, w, some);
      else
        react(i, w);
    }
    if (!some.met.empty()) meet(some, DoFKind::inertial, accelerations(), instant);
  }

  /// A contact whose gap stays closed while it slides, w_t != 0, pushes along the edge of its cone: it is one
  /// without friction, r = (1, -mu w_t/|w_t|) r_n. One that is about to hit or to leave has no reaction.
  void add_sliding(std::size_t i, const Vector& w, StartMembers& some) const {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const std::optional<double> slope = law(i).cone_slope(parameters_[i]);
    if (std::abs(w[first]) > at_rest_ || d == 1 || !slope) return;
    const auto column = static_cast<Index>(some.met.size());
    const Vector w_t = w.segment(first + 1, d - 1);
    some.inclusions.push_back(i);
    some.laws.push_back({std::make_shared<const UnilateralContact>(), named(i).name});
    some.met.push_back(first);
    some.pushes.emplace_back(first, column, 1.);
    for (Index k = 0; k < d - 1; ++k)
      some.pushes.emplace_back(first + 1 + k, column, -*slope * w_t[k] / w_t.norm());
  }

  /// The largest of what relative rates are differences of, |H_f|^T |v|, |H_D|^T |q_D'| and |h'|: where
  /// everything moves along with its support, they are the rounding of these.
  double rate_scale(const Vector& w) const {
    const ReducedSystem<Engine>& reduced = inclusions_.reduced();
    const MultiVector speed = reduced.velocity_states(start_.y).cwiseAbs();
    Vector size = inclusions_.H().free().cwiseAbs().transpose() * speed.col(0);
    const TimeFunction& motion = reduced.assembled().prescribed().rate;
    if (inclusions_.meets(DoFKind::constrained) && motion)
      size += inclusions_.H().constrained().cwiseAbs().transpose() * motion(start_.time).cwiseAbs();
    reduced.communicator().sum(size.data(), static_cast<int>(size.size()));
    double largest = 0;
    for (Index j = 0; j < size.size(); ++j) {
      const std::size_t i = inclusions_.inclusion_of(j);
      const double support = law(i).support(j - inclusions_.first_direction(i)).derivative(start_.time);
      largest = std::max({largest, size[j] + std::abs(support), std::abs(w[j])});
    }
    return largest;
  }

  /// Of the directions, under reactions that stay as they are: rates are affine in the state, and what loads,
  /// supports and prescribed motions add to them depends on time alone.
  Vector accelerations() const {
    const Vector none = Vector::Zero(start_.r.size());
    const State moving{start_.time, inclusions_.derivative(start_, start_.r)};
    const State resting{start_.time, Vector::Zero(start_.y.size())};
    return rates(moving, none) - rates(resting, none) + accelerations_in_time();
  }

  /// Differences over shorter and shorter intervals, extrapolated to none; of each direction the pair that
  /// agrees best, so that fast motions are resolved and slow ones not lost in rounding.
  Vector accelerations_in_time() const {
    Vector best = Vector::Zero(start_.r.size());
    if (!inclusions_.has_moving_supports() && !inclusions_.meets(DoFKind::viscous) && !is_any_tied_)
      return best;
    const Vector here = rates(start_, start_.r);
    Vector change = Vector::Constant(best.size(), std::numeric_limits<double>::infinity());
    Vector last, last_extrapolated;
    double interval = longest_interval;
    for (int k = 0; k < n_intervals; ++k, interval /= 4) {
      const State then{start_.time + interval, start_.y};
      if (then.time == start_.time) break;
      const Vector difference = (rates(then, start_.r) - here) / (then.time - start_.time);
      const Vector extrapolated = k > 0 ? Vector((4 * difference - last) / 3) : difference;
      for (Index j = 0; k > 1 && j < best.size(); ++j) {
        const double now = std::abs(extrapolated[j] - last_extrapolated[j]);
        if (!(now < change[j])) continue;
        change[j] = now;
        best[j] = extrapolated[j];
      }
      last = difference;
      last_extrapolated = extrapolated;
    }
    return best;
  }

  void react(std::size_t i, const Vector& w) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    start_.r.segment(first, d) =
        settled_reaction(law(i), parameters_[i], w.segment(first, d), Vector::Zero(d));
  }

  /// Rates of directions that algebraic DoFs decide are not known yet.
  Vector without_algebraic(Vector w) const {
    for (Index j = 0; j < w.size(); ++j)
      if (meets_algebraic(j) && !is_tied(j)) w[j] = 0;
    return w;
  }

  /// Friction that moves nothing.
  void recover() {
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
      if (kind_of(i) == DoFKind::constrained && !is_contact(i)) react(i, start_.w);
  }

  void find_contacts() {
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      const Index first = inclusions_.first_direction(i), d = dimension(i);
      Vector w = start_.w.segment(first, d);
      for (Index k = 0; k < d; ++k)
        if (inclusions_.level(first + k) == LawLevel::gap) w[k] = start_.g[first + k];
      start_.contacts.push_back(
          law(i).state(parameters_[i], w, start_.r.segment(first, d), is_contact(i) ? touching_ : at_rest_));
    }
  }

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  NonsmoothStart& start_;
  const Vector& holding_;
  const NonsmoothStartOptions& options_;
  bool is_any_tied_;
  std::vector<LawParameters> parameters_;  ///< of each law, once it is met those of what it then does
  double touching_ = 0, at_rest_ = 0;
};

}  // namespace

template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time,
                               const NonsmoothStartOptions& options) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  check_initial_values(reduced, displacement, rate, options.consistency);
  NonsmoothStart start;
  start.time = time;
  start.y = reduced.restrict(displacement, rate);
  start.grid = {time, 0};
  start.impulse = Vector::Zero(inclusions.n_directions());
  InitialReactions plays = initial_reactions(inclusions, outcome, displacement, rate, time, options.outside);
  start.r = std::move(plays.r);
  start.projected = std::move(plays.projected);
  Starter<Engine>(inclusions, outcome, start, plays.holding, options).find_reactions();
  start.report = consistency_report(reduced, displacement, rate, time, inclusions.lift(start, start.r),
                                    options.consistency);
  return start;
}

template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const State& state, const Vector& r, const NonsmoothStartOptions& options) {
  check_size("nonsmooth_start", inclusions.reduced(), state);
  check_finite("nonsmooth_start", inclusions.reduced(), state);
  if (r.size() != inclusions.n_directions() || !r.allFinite())
    throw InvalidInput("A start was asked for with " + std::to_string(r.size()) +
                       " reactions, or some that are not finite, but the model has " +
                       std::to_string(inclusions.n_directions()) +
                       " directions. Give a finite reaction for each; zero where nothing is known.");
  const LiftedState lifted = inclusions.lift(state, r);
  return nonsmooth_start(inclusions, outcome, lifted.displacement, lifted.rate, state.time, options);
}

template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const Vector&, const Vector&, double, const NonsmoothStartOptions&);
template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const State&, const Vector&, const NonsmoothStartOptions&);

}  // namespace halfdof
