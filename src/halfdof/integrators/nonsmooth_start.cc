#include <halfdof/base/errors.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <Eigen/QR>

#include <algorithm>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

/// Inertial inclusions at rest are met as they will be after this time [s]: the rates are then this multiple of the
/// accelerations, so small that no law tells them from zero, and of the right sign.
constexpr double instant = 1e-9;

std::string text_of(const Vector& r) {
  std::ostringstream text;
  for (Index i = 0; i < r.size(); ++i)
    text << (i > 0 ? ", " : "") << r[i];
  return text.str();
}

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
          const NonsmoothStartOptions& options)
      : inclusions_(inclusions), outcome_(outcome), start_(start), options_(options) {}

  void find_reactions(const Vector& given_s, const Vector& given_r) {
    meet_algebraic(given_s, given_r);
    start_.g = inclusions_.gaps(start_, start_.r);
    check_gaps();
    meet_viscous();
    meet_inertial();
    start_.w = without_algebraic(inclusions_.state_rates(start_, start_.r));
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
  bool is_contact(std::size_t i) const { return law(i).level(0) == LawLevel::gap; }

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
    return law(i).parameters(start_.time, law(i).initial_state());
  }

  /// The reactions of some inclusions with W and b at one level; w is returned.
  Vector meet(const Members& some, const MultiVector& W, const Vector& b, double scale) {
    std::vector<NamedLaw> laws;
    for (const std::size_t i : some.inclusions)
      laws.push_back({inclusions_.acting()[i].law, inclusions_.acting()[i].name});
    OneStepSolver solver(OneStepProblem(std::move(laws), scale * W(some.directions, some.directions)));
    LawsAtTime now = solver.problem().laws_at(start_.time);
    Vector r = start_.r(some.directions), w(r.size());
    solver.solve(now, scale * b(some.directions), r, w);
    start_.r(some.directions) = r;
    return w;
  }

  void require_dense() const {
    if (outcome_.W.K.rows() != inclusions_.n_directions())
      check_dense_delassus(inclusions_.n_directions(), 0);
  }

  /// A step of no duration from the given displacements: plays stick there, unless their reactions are outside their sets.
  void meet_algebraic(const Vector& given_s, const Vector& given_r) {
    const Members some = members([&](std::size_t i) { return kind_of(i) == DoFKind::algebraic; });
    if (some.inclusions.empty()) return;
    require_dense();
    const auto& K = some.directions;
    const MultiVector W = outcome_.W.K(K, K);
    Vector b = inclusions_.gaps(start_, Vector::Zero(inclusions_.n_directions()));
    const Vector free_s = b;
    Vector r_given = Vector::Zero(b.size());
    if (given_s.size() > 0) {
      const Vector moved = (given_s - free_s)(K);
      const Vector of_K = W.completeOrthogonalDecomposition().solve(moved);
      r_given(K) = of_K;
    } else {
      r_given = given_r;
    }
    Vector at = free_s;
    at(K) += W * r_given(K);
    for (const Index j : K)
      if (inclusions_.level(j) == LawLevel::rate) b[j] -= at[j];
    meet(some, outcome_.W.K, b, 1.);
    for (const std::size_t i : some.inclusions)
      compare(i, r_given);
  }

  /// Refuses or reports what was outside its set.
  void compare(std::size_t i, const Vector& r_given) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const Vector given = r_given.segment(first, d), admitted = start_.r.segment(first, d);
    if (is_contact(i) && admitted[0] == 0) return;
    Index first_rate = is_contact(i) ? 1 : 0;
    if (first_rate == d) return;
    const Vector change = (given - admitted).tail(d - first_rate);
    if (change.norm() <= options_.tolerance * std::max(given.norm(), admitted.norm())) return;
    const std::string& name = inclusions_.acting()[i].name;
    if (options_.outside == NonsmoothStartOptions::Outside::refuse)
      throw InvalidInput("The initial displacements of the algebraic DoFs at \"" + name + "\" (" +
                         law(i).name() + ") ask for the reaction " + text_of(given) +
                         ", which is outside its set; the nearest that the law admits is " +
                         text_of(admitted) +
                         ". Start from displacements in equilibrium with an admitted reaction, or let the "
                         "library project it (NonsmoothStartOptions::Outside::project).");
    start_.projected.push_back({name, given, admitted});
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
                         std::to_string(start_.g[j]) +
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
    meet(some, outcome_.W.C, inclusions_.state_rates(start_, start_.r), 1.);
  }

  /// What slips has the reaction of its rate; what rests is met as it will move an instant later.
  void meet_inertial() {
    const Vector w = inclusions_.state_rates(start_, start_.r);
    at_rest_ = options_.tolerance * (w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.);
    const auto rests = [&](std::size_t i) {
      return w.segment(inclusions_.first_direction(i), dimension(i)).norm() <= at_rest_;
    };
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i)
      if (kind_of(i) == DoFKind::inertial && !rests(i) && !is_contact(i)) react(i, w);
    const Members resting =
        members([&](std::size_t i) { return kind_of(i) == DoFKind::inertial && rests(i) && !is_open(i); });
    if (resting.inclusions.empty() || outcome_.W.I.rows() != inclusions_.n_directions()) return;
    const Classification& kinds = inclusions_.reduced().classification();
    const MultiVector x =
        inclusions_.reduced().highest_derivatives(start_.y, inclusions_.load(start_.time, start_.r));
    MultiVector a = MultiVector::Zero(x.rows(), 1);
    kinds.inertial().add_to(kinds.inertial().restrict(x), a);
    meet(resting, outcome_.W.I, inclusions_.H().components(a), instant);
  }

  void react(std::size_t i, const Vector& w) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    start_.r.segment(first, d) = law(i).reaction_at(parameters(i), w.segment(first, d), Vector::Zero(d));
  }

  /// Rates of directions on algebraic DoFs are not states: none is known yet.
  Vector without_algebraic(Vector w) const {
    for (Index j = 0; j < w.size(); ++j)
      if (outcome_.directions[static_cast<std::size_t>(j)]
              .meets[static_cast<std::size_t>(DoFKind::algebraic)])
        w[j] = 0;
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
  const NonsmoothStartOptions& options_;
  double touching_ = 0, at_rest_ = 0;
};

template <class Engine>
NonsmoothStart prepared(const Inclusions<Engine>& inclusions, const State& state) {
  NonsmoothStart start;
  start.time = state.time;
  start.y = state.y;
  start.r = start.w = start.g = Vector::Zero(inclusions.n_directions());
  start.grid = {state.time, 0};
  return start;
}

}  // namespace

template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time,
                               const NonsmoothStartOptions& options) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  check_initial_values(reduced, displacement, rate, options.consistency);
  NonsmoothStart start = prepared(inclusions, {time, reduced.restrict(displacement, rate)});

  // H^T q - h of the displacements as they were given; constrained DoFs are where they are prescribed to be.
  const Classification& kinds = reduced.classification();
  const MultiVector q = reduced.assembled().free().restrict(displacement);
  MultiVector q_K = MultiVector::Zero(q.rows(), 1);
  kinds.algebraic().add_to(kinds.algebraic().restrict(q), q_K);
  const Vector zero = Vector::Zero(inclusions.n_directions());
  const MultiVector x = reduced.highest_derivatives(start.y, inclusions.load(time, zero));
  MultiVector free_q_K = MultiVector::Zero(q.rows(), 1);
  kinds.algebraic().add_to(kinds.algebraic().restrict(x), free_q_K);
  const Vector given_s = inclusions.gaps(start, zero) + inclusions.H().components(q_K - free_q_K);

  Starter<Engine>(inclusions, outcome, start, options).find_reactions(given_s, {});
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
  NonsmoothStart start = prepared(inclusions, state);
  Starter<Engine>(inclusions, outcome, start, options).find_reactions({}, r);
  return start;
}

template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const Vector&, const Vector&, double, const NonsmoothStartOptions&);
template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const State&, const Vector&, const NonsmoothStartOptions&);

}  // namespace halfdof
