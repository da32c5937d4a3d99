#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

/// Inertial inclusions at rest are met as they will be after this time [s]: the rates are then this multiple
/// of the accelerations, so small that no law tells them from zero, and of the right sign.
constexpr double instant = 1e-9;

/// Accelerations of supports are differences of their rates over this time [s], relative to 1 s or the time:
/// those of formulas are exact to about 1e-12.
constexpr double look_ahead = 1e-5;

/// Some of the acting inclusions, and their directions.
struct Members {
  std::vector<std::size_t> inclusions;
  std::vector<Index> directions;
};

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
        is_any_tied_(is_any_tied()) {}

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

  template <class Condition>
  Members members(const Condition& condition) const {
    Members found;
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      if (!condition(i)) continue;
      found.inclusions.push_back(i);
      for (const Index j : directions_of(i))
        found.directions.push_back(j);
    }
    return found;
  }

  LawParameters parameters(std::size_t i) const {
    return parameters_of(named(i), start_.time, law(i).initial_state());
  }

  /// The reactions of some inclusions with W and b at one level; w is returned.
  Vector meet(const Members& some, const MultiVector& W, const Vector& b, double scale) {
    std::vector<NamedLaw> laws;
    for (const std::size_t i : some.inclusions)
      laws.push_back(named(i));
    OneStepSolver solver(OneStepProblem(std::move(laws), scale * W(some.directions, some.directions)));
    LawsAtTime now = solver.problem().laws_at(start_.time);
    Vector r = start_.r(some.directions), w(r.size());
    try {
      solver.solve(now, scale * b(some.directions), r, w);
    } catch (const NoReactions& error) {
      throw NoReactions("The start at " + seconds(start_.time) + " failed: " + error.what(), error.residual(),
                        error.inclusion());
    }
    start_.r(some.directions) = r;
    return w;
  }

  void require_dense() const {
    require_delassus(outcome_.W.K, inclusions_.n_directions(), "Starts with laws on DoFs without inertia",
                     "W_K");
  }

  /// Contacts; plays stick where they are, with the reactions of contacts on the same DoFs.
  void meet_algebraic() {
    const Members some = members([&](std::size_t i) { return kind_of(i) == DoFKind::algebraic; });
    if (some.inclusions.empty()) return;
    require_dense();
    Vector b = inclusions_.gaps(start_, Vector::Zero(inclusions_.n_directions()));
    const Vector held = outcome_.W.K * holding_;
    for (const Index j : some.directions)
      if (inclusions_.level(j) == LawLevel::rate) b[j] = -held[j];
    meet(some, outcome_.W.K, b, 1.);
  }

  double length_scale() const {
    const double here =
        start_.y.size() > 0 ? inclusions_.reduced().displacement_states(start_.y).cwiseAbs().maxCoeff() : 0.;
    double scale = inclusions_.reduced().communicator().max(here);
    for (Index j = 0; j < start_.g.size(); ++j) {
      const std::size_t i = inclusions_.inclusion_of(j);
      const double support = law(i).support(j - inclusions_.first_direction(i))(start_.time);
      scale = std::max(scale, std::abs(support));
    }
    return scale;
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
    const Members some =
        members([&](std::size_t i) { return kind_of(i) == DoFKind::viscous && !is_open(i); });
    if (some.inclusions.empty()) return;
    require_dense();
    meet(some, outcome_.at_once.C, rates(start_, start_.r), 1.);
  }

  /// What slips has the reaction of its rate; what rests is met as it will move an instant later.
  void meet_inertial() {
    const Vector w = rates(start_, start_.r);
    at_rest_ =
        std::max(options_.tolerance * (w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.), rounding_of_rates());
    const auto rests = [&](std::size_t i) {
      return w.segment(inclusions_.first_direction(i), dimension(i)).norm() <= at_rest_;
    };
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
      if (kind_of(i) == DoFKind::inertial && !rests(i) && !is_contact(i)) react(i, w);
    const Members resting =
        members([&](std::size_t i) { return kind_of(i) == DoFKind::inertial && rests(i) && !is_open(i); });
    if (resting.inclusions.empty() || outcome_.at_once.I.rows() != inclusions_.n_directions()) return;
    meet(resting, outcome_.at_once.I, accelerations(), instant);
  }

  /// Of the directions, under reactions that stay as they are: rates are affine in the state, and what loads,
  /// supports and prescribed motions add to them depends on time alone.
  Vector accelerations() const {
    const double length = look_ahead * (1 + std::abs(start_.time));
    const Vector none = Vector::Zero(start_.r.size());
    const State moving{start_.time, inclusions_.derivative(start_, start_.r)};
    const State resting{start_.time, Vector::Zero(start_.y.size())};
    const State then{start_.time + length, start_.y};
    return rates(moving, none) - rates(resting, none) +
           (rates(then, start_.r) - rates(start_, start_.r)) / length;
  }

  void react(std::size_t i, const Vector& w) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    start_.r.segment(first, d) = law(i).reaction_at(parameters(i), w.segment(first, d), Vector::Zero(d));
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
          law(i).state(parameters(i), w, start_.r.segment(first, d), is_contact(i) ? touching_ : at_rest_));
    }
  }

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  NonsmoothStart& start_;
  const Vector& holding_;
  const NonsmoothStartOptions& options_;
  bool is_any_tied_;
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
