#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/law_at_rest.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/integrators/start_motion.h>
#include <halfdof/integrators/start_problem.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

/// Where directions look at lighter DoFs than those that decide them, what they do and the reactions are
/// found in turns, until these change no more than this.
constexpr int most_turns = 20;
constexpr double settled = 1e-12;

/// Finds the reactions at the start, those of all kinds together.
template <class Engine>
class Starter {
 public:
  /// @param given the gaps and slips at the given displacements
  Starter(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, NonsmoothStart& start,
          const Vector& given, const NonsmoothStartOptions& options)
      : inclusions_(inclusions),
        outcome_(outcome),
        start_(start),
        given_(given),
        options_(options),
        motion_(inclusions, outcome),
        touching_(options.tolerance * sizes_of_gaps()) {
    for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
      parameters_.push_back(parameters_of(named(i), start.time, law(i).initial_state()));
  }

  void find_reactions() {
    start_.r = Vector::Zero(inclusions_.n_directions());
    for (int turn = 1;; ++turn) {
      const Vector before = start_.r;
      look();
      meet(members(), before);
      if (!motion_.is_any_mixed() || (start_.r - before).norm() <= settled * start_.r.norm()) break;
      if (turn == most_turns) fail((start_.r - before).norm() / start_.r.norm());
    }
    look();
    check_gaps();
    check_plays();
    find_contacts();
  }

 private:
  /// Gaps and rates under the reactions so far.
  void look() {
    start_.g = inclusions_.gaps(start_, start_.r);
    start_.w = motion_.rates(start_, start_.r);
    at_rest_ = motion_.rest(start_, start_.r, start_.w, options_.tolerance);
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

  /// Displacements, rates and accelerations are met together by laws that mind no units.
  void check_units(std::size_t i) const {
    for (const Index j : directions_of(i))
      if (motion_.kind_of(j) != kind_of(i) && !law(i).is_positively_homogeneous())
        throw NotAvailable(
            "The directions of \"" + named(i).name + "\" are decided by " + name_of(kind_of(i)) + " and by " +
            name_of(motion_.kind_of(j)) + " degrees of freedom, and its law \"" + law(i).name() +
            "\" is not positively homogeneous: it cannot be met at the start. Give all of them "
            "mass, or none.");
  }

  /// A law by its kind. What rests on masses is met as it begins to move.
  void add(std::size_t i, StartMembers& some) const {
    const bool begins_to_move = kind_of(i) == DoFKind::inertial && !law(i).is_positively_homogeneous();
    check_units(i);
    const std::shared_ptr<const Law>& own = inclusions_.acting()[i].law;
    some.inclusions.push_back(i);
    some.laws.push_back({begins_to_move ? std::make_shared<const LawAtRest>(own) : own, named(i).name});
    for (const Index j : directions_of(i)) {
      some.pushes.emplace_back(j, static_cast<Index>(some.met.size()), 1.);
      some.met.push_back(j);
      some.kinds.push_back(motion_.kind_of(j));
    }
  }

  /// Those whose reactions are to be found. What slips on masses, or moves nothing, gets that of its rate.
  StartMembers members() {
    StartMembers some;
    start_.r.setZero();
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      const DoFKind kind = kind_of(i);
      const bool can_move = kind != DoFKind::constrained;
      if (is_contact(i) && (!can_move || (!decides_gap_at_once(i) && is_open(i)))) continue;
      if (can_move && rests(i))
        add(i, some);
      else if (is_contact(i))
        add_sliding(i, some);
      else
        react(i);
    }
    return some;
  }

  /// Adds the reactions of some inclusions to those of the others. @param guess to start from
  void meet(const StartMembers& some, const Vector& guess) {
    if (some.met.empty()) return;
    const std::unique_ptr<MixedLevels> problem = start_problem(inclusions_, outcome_, some);
    LawsAtTime now = problem->problem().laws_at(start_.time);
    Vector r = guess(some.met), x(r.size());
    try {
      problem->solve(now, what_is_met(some), r, x);
    } catch (const NoReactions& error) {
      throw NoReactions("The start at " + seconds(start_.time) + " failed: " + error.what(), error.residual(),
                        error.inclusion());
    }
    start_.r += some.push_matrix(inclusions_.n_directions()) * r;
    for (std::size_t k = 0; k < some.inclusions.size(); ++k)
      if (some.laws[k].law == inclusions_.acting()[some.inclusions[k]].law)
        parameters_[some.inclusions[k]] = now.parameters[k];
  }

  /// Of each row without the reactions that are to be found: gaps, the slip of plays from where the given
  /// displacements put them, rates, accelerations.
  Vector what_is_met(const StartMembers& some) const {
    const auto has = [&](DoFKind kind) {
      return std::find(some.kinds.begin(), some.kinds.end(), kind) != some.kinds.end();
    };
    Vector slips, w, a;
    if (has(DoFKind::algebraic)) slips = slips_of_plays(inclusions_.gaps(start_, start_.r));
    if (has(DoFKind::viscous)) w = motion_.rates(start_, start_.r);
    if (has(DoFKind::inertial)) a = motion_.accelerations(start_, start_.r);
    Vector b(static_cast<Index>(some.met.size()));
    for (std::size_t k = 0; k < some.met.size(); ++k)
      b[static_cast<Index>(k)] = (some.kinds[k] == DoFKind::algebraic ? slips
                                  : some.kinds[k] == DoFKind::viscous ? w
                                                                      : a)[some.met[k]];
    return b;
  }

  /// Takes where plays are given from their places; gaps stay as they are.
  Vector slips_of_plays(Vector g) const {
    for (Index j = 0; j < g.size(); ++j)
      if (is_play(j)) g[j] -= given_[j];
    return g;
  }
  bool is_play(Index j) const {
    return inclusions_.level(j) == LawLevel::rate && motion_.kind_of(j) == DoFKind::algebraic;
  }

  [[noreturn]] void fail(double change) const {
    throw NoReactions(
        "The start at " + seconds(start_.time) + " failed: after " + std::to_string(most_turns) +
            " turns the reactions still change by " + number_text(change) +
            " of their size. Directions look at lighter degrees of freedom than those that decide "
            "them there, and have no reactions on which they agree: change the initial rates.",
        change, inclusions_.acting().front().name);
  }

  /// The lightest kind that decides a direction of an inclusion; constrained: nothing moves.
  DoFKind kind_of(std::size_t i) const {
    DoFKind lightest = DoFKind::constrained;
    for (const Index j : directions_of(i))
      if (const DoFKind kind = motion_.kind_of(j);
          lightest == DoFKind::constrained || (kind != DoFKind::constrained && kind > lightest))
        lightest = kind;
    return lightest;
  }

  /// |H|^T |q| and prescribed parts: what rounding of each gap is relative to.
  Vector sizes_of_gaps() const {
    const Vector q = inclusions_.reduced().lift(start_).displacement;
    Vector sizes =
        inclusions_.H().free().cwiseAbs().transpose() * inclusions_.reduced().free().restrict(q).cwiseAbs();
    inclusions_.reduced().communicator().sum(sizes.data(), static_cast<int>(sizes.size()));
    return sizes + prescribed_size(inclusions_, start_.time);
  }

  double length_scale() const {
    const double here =
        start_.y.size() > 0 ? inclusions_.reduced().displacement_states(start_.y).cwiseAbs().maxCoeff() : 0.;
    const Vector prescribed = prescribed_size(inclusions_, start_.time);
    return std::max(inclusions_.reduced().communicator().max(here),
                    prescribed.size() > 0 ? prescribed.maxCoeff() : 0.);
  }

  void check_gaps() const {
    for (Index j = 0; j < start_.g.size(); ++j) {
      if (inclusions_.level(j) != LawLevel::gap || motion_.kind_of(j) == DoFKind::algebraic) continue;
      if (start_.g[j] >= -touching_[j]) continue;
      throw InvalidInput("The contact \"" + inclusions_.direction_name(j) +
                         "\" starts behind its obstacle: " + "its gap at " + seconds(start_.time) + " is " +
                         number_text(start_.g[j]) +
                         ". Move the initial displacements or the obstacle until no gap is negative.");
    }
  }

  /// Plays that slip at once.
  void check_plays() {
    const Vector slips = slips_of_plays(start_.g);
    double size = length_scale();
    for (Index j = 0; j < slips.size(); ++j)
      if (is_play(j))
        size = std::max({size, std::abs(given_[j]), std::abs(start_.g[j]),
                         std::abs(outcome_.directions[static_cast<std::size_t>(j)].W * start_.r[j])});
    double largest = options_.tolerance * size;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      Vector slip = slips.segment(inclusions_.first_direction(i), dimension(i));
      for (Index k = 0; k < dimension(i); ++k)
        if (!is_play(inclusions_.first_direction(i) + k)) slip[k] = 0;
      if (slip.norm() <= options_.tolerance * size) continue;
      start_.projected.push_back(
          {named(i).name, slip, start_.r.segment(inclusions_.first_direction(i), dimension(i))});
      if (slip.norm() <= largest) continue;
      largest = slip.norm();
      worst = start_.projected.size() - 1;
    }
    if (!start_.projected.empty() && options_.outside == OutsideSet::refuse) refuse(start_.projected[worst]);
  }

  [[noreturn]] static void refuse(const ProjectedPlay& play) {
    std::ostringstream message;
    message
        << "The initial displacements of the algebraic degrees of freedom need a reaction of \"" << play.name
        << "\" that its law does not admit: with " << play.taken.transpose() << " it slips by "
        << play.slip.transpose()
        << " at once. Correct the initial displacements or the load at the start, or ask for the reactions "
           "to be projected.";
    throw InvalidInput(message.str());
  }

  bool is_open(std::size_t i) const {
    const Index first = inclusions_.first_direction(i);
    return is_contact(i) && start_.g[first] > touching_[first];
  }
  /// Whether masses along its directions rest.
  bool rests(std::size_t i) const {
    Vector w = start_.w.segment(inclusions_.first_direction(i), dimension(i));
    for (Index k = 0; k < w.size(); ++k)
      if (motion_.kind_of(inclusions_.first_direction(i) + k) != DoFKind::inertial) w[k] = 0;
    return w.norm() <= at_rest_;
  }
  /// Whether a gap follows from the reactions, so that it may be closed wherever it is given.
  bool decides_gap_at_once(std::size_t i) const {
    return motion_.kind_of(inclusions_.first_direction(i)) == DoFKind::algebraic;
  }

  /// A contact whose gap stays closed while it slides, w_t != 0, pushes along the edge of its cone: it is one
  /// without friction, r = (1, -mu w_t/|w_t|) r_n. One that is about to hit or to leave has no reaction.
  void add_sliding(std::size_t i, StartMembers& some) const {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const std::optional<double> slope = law(i).cone_slope(parameters_[i]);
    const DoFKind kind = motion_.kind_of(first);
    if ((kind == DoFKind::inertial && std::abs(start_.w[first]) > at_rest_) || d == 1) return;
    if (!slope && kind != DoFKind::inertial)
      throw NotAvailable(
          "The contact \"" + named(i).name +
          "\" slides at the start, its gap is decided by half degrees of freedom, and its law \"" +
          law(i).name() + "\" names no cone_slope(): how it pushes is not known. Start from rest.");
    if (!slope) return;
    check_sliding(i, *slope);
    const auto column = static_cast<Index>(some.met.size());
    const Vector w_t = start_.w.segment(first + 1, d - 1);
    some.inclusions.push_back(i);
    some.laws.push_back({std::make_shared<const UnilateralContact>(), named(i).name});
    some.met.push_back(first);
    some.kinds.push_back(kind);
    some.pushes.emplace_back(first, column, 1.);
    for (Index k = 0; k < d - 1; ++k)
      some.pushes.emplace_back(first + 1 + k, column, -*slope * w_t[k] / w_t.norm());
  }

  /// Where the reaction of a contact that slides accelerates it into the obstacle, no reaction keeps it out.
  void check_sliding(std::size_t i, double slope) const {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const MultiVector& W = motion_.kind_of(first) == DoFKind::inertial    ? outcome_.at_once.I
                           : motion_.kind_of(first) == DoFKind::algebraic ? outcome_.at_once.K
                                                                          : outcome_.at_once.C;
    if (W.size() == 0) return;
    const Vector w_t = start_.w.segment(first + 1, d - 1);
    const double effect =
        W(first, first) - slope * W.row(first).segment(first + 1, d - 1).dot(w_t) / w_t.norm();
    if (effect > 0) return;
    throw InvalidInput(
        "The contact \"" + named(i).name +
        "\" slides at the start in a Painleve state: a unit normal reaction and its friction, mu = " +
        number_text(slope) + ", accelerate its gap by " + number_text(effect) +
        ", W_nn less mu W_nt along the slip, so that the reaction drives it into the obstacle. No "
        "reaction is consistent there, or several are. Take less friction, another direction of slip, "
        "or start from rest.");
  }

  void react(std::size_t i) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    start_.r.segment(first, d) =
        settled_reaction(law(i), parameters_[i], start_.w.segment(first, d), Vector::Zero(d));
  }

  void find_contacts() {
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      const Index first = inclusions_.first_direction(i), d = dimension(i);
      Vector w = start_.w.segment(first, d);
      for (Index k = 0; k < d; ++k)
        if (inclusions_.level(first + k) == LawLevel::gap) w[k] = start_.g[first + k];
      start_.contacts.push_back(law(i).state(parameters_[i], w, start_.r.segment(first, d),
                                             is_contact(i) ? touching_[first] : at_rest_));
    }
  }

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  NonsmoothStart& start_;
  const Vector& given_;
  const NonsmoothStartOptions& options_;
  StartMotion<Engine> motion_;
  Vector touching_;  ///< gaps that are rounding, of each direction [length]
  double at_rest_ = 0;
  std::vector<LawParameters> parameters_;  ///< of each law, once it is met those of what it then does
};

/// That of a system with a StateForce: of its tangents at the start, until these are taken under the
/// reactions that they lead to.
template <class Engine>
NonsmoothStart start_by_tangents(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                 const Vector& displacement, const Vector& rate, double time,
                                 const NonsmoothStartOptions& options) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const State state{time, reduced.restrict(displacement, rate)};
  NonsmoothStartOptions lenient = options;
  lenient.consistency.mode = ConsistencyOptions::Mode::adjust;
  lenient.outside = OutsideSet::project;
  Vector r = Vector::Zero(inclusions.n_directions());
  const auto what = [&] { return "The start at " + seconds(time) + ", with the reactions there,"; };
  StepIteration iteration(reduced.state_dependence()->options.newton, reduced.communicator(), what, {r});
  const auto start_with = [&](const Vector& q, const Vector& v, const NonsmoothStartOptions& chosen) {
    const Inclusions<Engine> there(reduced.tangent(state, inclusions.H().force(r)), inclusions.given());
    return nonsmooth_start(there, what_becomes(there, outcome.options), q, v, time, chosen);
  };
  while (true) {
    const Vector next = start_with(displacement, rate, lenient).r;
    const StepIteration::Verdict verdict = iteration.judge({next});
    if (verdict == StepIteration::Verdict::measure_rounding)
      iteration.judge_rounding(
          {start_with(with_other_rounding(displacement), with_other_rounding(rate), lenient).r});
    r = next;
    if (verdict == StepIteration::Verdict::converged) break;
  }
  return start_with(displacement, rate, options);
}

}  // namespace

template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time,
                               const NonsmoothStartOptions& options) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  check_initial_values(reduced, displacement, rate, options.consistency);
  if (reduced.depends_on_state())
    return start_by_tangents(inclusions, outcome, displacement, rate, time, options);
  NonsmoothStart start;
  start.time = time;
  start.y = reduced.project(displacement, rate, time);
  start.grid = {time, 0};
  start.impulse = Vector::Zero(inclusions.n_directions());
  const MultiVector q = reduced.free().restrict(displacement);
  const Vector given = inclusions.H().components(q) + inclusions.prescribed(time);
  Starter<Engine>(inclusions, outcome, start, given, options).find_reactions();
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
