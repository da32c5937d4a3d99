// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/law_at_rest.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/nonsmooth/start_motion.h>
#include <halfdof/integrators/nonsmooth/start_problem.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// A direction whose law is enforced on masses may also act on half DoFs, and a direction whose law is
/// enforced on viscous DoFs may also act on algebraic DoFs. In these cases motion and reactions are computed
/// alternately (a fixed-point iteration), until the reactions change by no more than `reaction_tolerance`
/// relative to their size.
constexpr int max_iterations = 20;
constexpr double reaction_tolerance = 1e-12;

/// Computes the reactions of all inclusions at the start of a run.
template <class Engine>
class InitialReactionSolver {
 public:
  /// @param given the gaps and slips at the given displacements
  InitialReactionSolver(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                        NonsmoothStart& start, const Vector& given, const NonsmoothStartOptions& options)
      : inclusions_(inclusions),
        outcome_(outcome),
        start_(start),
        given_(given),
        options_(options),
        motion_(inclusions, outcome),
        gap_tolerances_(options.tolerance * sizes_of_gaps()) {
    for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
      parameters_.push_back(parameters_of(named(i), start.time, law(i).initial_state()));
  }

  void compute() {
    start_.r = Vector::Zero(inclusions_.n_directions());
    for (int iteration = 1;; ++iteration) {
      const Vector before = start_.r;
      update_gaps_and_rates();
      solve_laws(laws_to_solve(), before);
      if (!motion_.is_any_mixed() || (start_.r - before).norm() <= reaction_tolerance * start_.r.norm())
        break;
      if (iteration == max_iterations) fail((start_.r - before).norm() / start_.r.norm());
    }
    update_gaps_and_rates();
    check_gaps();
    check_plays();
    set_contact_states();
  }

 private:
  /// Computes the gaps and rates under the present reactions.
  void update_gaps_and_rates() {
    start_.g = inclusions_.gaps(start_, start_.r);
    start_.w = motion_.rates(start_, start_.r);
    rest_tolerance_ = motion_.rest_tolerance(start_, start_.r, start_.w, options_.tolerance);
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

  /// Checks that a law is positively homogeneous if it is enforced on quantities of several units
  /// (displacements, rates, accelerations). @throws NotAvailable otherwise
  void check_units(std::size_t i) const {
    for (const Index j : directions_of(i))
      if (motion_.kind_of(j) != kind_of(i) && !law(i).is_positively_homogeneous())
        throw NotAvailable(
            "The reactions of \"" + named(i).name + "\" move " + name_of(kind_of(i)) +
            " degrees of freedom in some of its directions and " + name_of(motion_.kind_of(j)) +
            " degrees of freedom in others, and its law \"" + law(i).name() +
            "\" is not positively homogeneous, so that the law cannot be enforced at the start. Give mass to "
            "all of these degrees of freedom, or to none of them.");
  }

  /// Adds an inclusion to the laws that are solved together. If the law of an inclusion on masses is not
  /// positively homogeneous, it is replaced by its LawAtRest.
  void add(std::size_t i, StartLaws& some) const {
    const bool begins_to_move = kind_of(i) == DoFKind::inertial && !law(i).is_positively_homogeneous();
    check_units(i);
    const std::shared_ptr<const Law>& own = inclusions_.acting()[i].law;
    some.inclusions.push_back(i);
    some.laws.push_back({begins_to_move ? std::make_shared<const LawAtRest>(own) : own, named(i).name});
    for (const Index j : directions_of(i)) {
      some.reaction_entries.emplace_back(j, static_cast<Index>(some.enforced_on.size()), 1.);
      some.enforced_on.push_back(j);
      some.kinds.push_back(motion_.kind_of(j));
    }
  }

  /// Returns the laws that have to be solved together. The reactions of inclusions that slip on masses, and
  /// of inclusions whose reactions move no DoF, follow from their rates and are set here.
  StartLaws laws_to_solve() {
    StartLaws some;
    start_.r.setZero();
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      const DoFKind kind = kind_of(i);
      const bool can_move = kind != DoFKind::constrained;
      if (is_contact(i) && (!can_move || (!gap_depends_on_reaction(i) && is_open(i)))) continue;
      if (can_move && is_at_rest(i))
        add(i, some);
      else if (is_contact(i))
        add_sliding_contact(i, some);
      else
        set_reaction_of_rate(i);
    }
    return some;
  }

  /// Solves some laws together, and adds their reactions to start_.r. @param guess initial guess of all
  /// reactions
  void solve_laws(const StartLaws& some, const Vector& guess) {
    if (some.enforced_on.empty()) return;
    const std::unique_ptr<InstantaneousLawProblem> problem = start_problem(inclusions_, outcome_, some);
    LawsAtTime now = problem->problem().laws_at(start_.time);
    Vector r = guess(some.enforced_on), x(r.size());
    try {
      problem->solve(now, law_quantities(some), r, x);
    } catch (const NoReactions& error) {
      throw NoReactions(
          "The computation of the initial reactions at " + seconds(start_.time) + " failed: " + error.what(),
          error.residual(), error.inclusion());
    }
    start_.r += some.reaction_matrix(inclusions_.n_directions()) * r;
    for (std::size_t k = 0; k < some.inclusions.size(); ++k)
      if (some.laws[k].law == inclusions_.acting()[some.inclusions[k]].law)
        parameters_[some.inclusions[k]] = now.parameters[k];
  }

  /// Returns the quantity on which each law is enforced without the unknown reactions. The quantity is a gap,
  /// the slip of a play from the given displacements, a rate, or an acceleration.
  Vector law_quantities(const StartLaws& some) const {
    const auto has = [&](DoFKind kind) {
      return std::find(some.kinds.begin(), some.kinds.end(), kind) != some.kinds.end();
    };
    Vector slips, w, a;
    if (has(DoFKind::algebraic)) slips = slips_of_plays(inclusions_.gaps(start_, start_.r));
    if (has(DoFKind::viscous)) w = motion_.rates(start_, start_.r);
    if (has(DoFKind::inertial)) a = motion_.accelerations(start_, start_.r);
    Vector b(static_cast<Index>(some.enforced_on.size()));
    for (std::size_t k = 0; k < some.enforced_on.size(); ++k)
      b[static_cast<Index>(k)] = (some.kinds[k] == DoFKind::algebraic ? slips
                                  : some.kinds[k] == DoFKind::viscous ? w
                                                                      : a)[some.enforced_on[k]];
    return b;
  }

  /// Replaces the gaps of plays by their slips from the given displacements. Gaps of other directions do not
  /// change.
  Vector slips_of_plays(Vector g) const {
    for (Index j = 0; j < g.size(); ++j)
      if (is_play(j)) g[j] -= given_[j];
    return g;
  }
  bool is_play(Index j) const {
    return inclusions_.level(j) == LawLevel::rate && motion_.kind_of(j) == DoFKind::algebraic;
  }

  [[noreturn]] void fail(double change) const {
    throw NoReactions("The computation of the initial reactions at " + seconds(start_.time) +
                          " failed: after " + std::to_string(max_iterations) +
                          " iterations the reactions still change by " + number_text(change) +
                          " times their size. Some inclusions act on masses and also on degrees of freedom "
                          "without mass, or on viscous and also on algebraic degrees of freedom, and no "
                          "reactions were found that satisfy all laws. Change the initial rates.",
                      change, inclusions_.acting().front().name);
  }

  /// Returns the lightest kind of DoFs that decides a direction of an inclusion, or `constrained` if no
  /// reaction moves the inclusion.
  DoFKind kind_of(std::size_t i) const {
    DoFKind lightest = DoFKind::constrained;
    for (const Index j : directions_of(i))
      if (const DoFKind kind = motion_.kind_of(j);
          lightest == DoFKind::constrained || (kind != DoFKind::constrained && kind > lightest))
        lightest = kind;
    return lightest;
  }

  /// Returns |H|^T |q| plus the size of prescribed motions. The rounding errors of gaps are relative to this
  /// size.
  Vector sizes_of_gaps() const {
    const Vector q = inclusions_.reduced().lift(start_).displacement;
    Vector sizes =
        inclusions_.H().free().cwiseAbs().transpose() * inclusions_.reduced().free().restrict(q).cwiseAbs();
    inclusions_.reduced().communicator().sum(sizes.data(), static_cast<int>(sizes.size()));
    return sizes + prescribed_size(inclusions_, start_.time);
  }

  double length_scale() const {
    const double here =
        start_.y.size() > 0 ? displacement_states(inclusions_.reduced(), start_.y).cwiseAbs().maxCoeff() : 0.;
    const Vector prescribed = prescribed_size(inclusions_, start_.time);
    return std::max(inclusions_.reduced().communicator().max(here),
                    prescribed.size() > 0 ? prescribed.maxCoeff() : 0.);
  }

  void check_gaps() const {
    for (Index j = 0; j < start_.g.size(); ++j) {
      if (inclusions_.level(j) != LawLevel::gap || motion_.kind_of(j) == DoFKind::algebraic) continue;
      if (start_.g[j] >= -gap_tolerances_[j]) continue;
      throw InvalidInput("The contact \"" + inclusions_.direction_name(j) +
                         "\" starts inside its obstacle: " + "its gap at " + seconds(start_.time) + " is " +
                         number_text(start_.g[j]) +
                         ". Move the initial displacements or the obstacle until no gap is negative.");
    }
  }

  /// Records the plays that slip at the start. @throws InvalidInput if such a play exists and the options do
  /// not allow the projection
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
    if (!start_.projected.empty() && options_.inadmissible == InadmissibleReactions::refuse)
      throw_slipping_play(start_.projected[worst]);
  }

  [[noreturn]] static void throw_slipping_play(const ProjectedPlay& play) {
    std::ostringstream message;
    message << "The initial displacements of the algebraic degrees of freedom need a reaction of \""
            << play.name << "\" that its law does not admit: with the nearest admissible reaction "
            << play.taken.transpose() << " the inclusion slips by " << play.slip.transpose()
            << " immediately. Correct the initial displacements or the load at the start, or choose the "
               "option to project reactions.";
    throw InvalidInput(message.str());
  }

  bool is_open(std::size_t i) const {
    const Index first = inclusions_.first_direction(i);
    return is_contact(i) && start_.g[first] > gap_tolerances_[first];
  }
  /// Returns whether the masses are at rest in all directions of an inclusion.
  bool is_at_rest(std::size_t i) const {
    Vector w = start_.w.segment(inclusions_.first_direction(i), dimension(i));
    for (Index k = 0; k < w.size(); ++k)
      if (motion_.kind_of(inclusions_.first_direction(i) + k) != DoFKind::inertial) w[k] = 0;
    return w.norm() <= rest_tolerance_;
  }
  /// Returns whether the gap of a contact depends on the reactions at the same instant, so that the contact
  /// may be closed for any given displacements.
  bool gap_depends_on_reaction(std::size_t i) const {
    return motion_.kind_of(inclusions_.first_direction(i)) == DoFKind::algebraic;
  }

  /// Adds a closed contact that slips (w_t != 0) to the laws that are solved together. The reaction lies on
  /// the boundary of the friction cone, r = (1, -mu w_t/|w_t|) r_n, so that the normal reaction r_n obeys the
  /// law of a contact without friction. A contact that approaches or separates has no reaction and is not
  /// added.
  void add_sliding_contact(std::size_t i, StartLaws& some) const {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const std::optional<double> slope = law(i).cone_slope(parameters_[i]);
    const DoFKind kind = motion_.kind_of(first);
    if ((kind == DoFKind::inertial && std::abs(start_.w[first]) > rest_tolerance_) || d == 1) return;
    if (!slope && kind != DoFKind::inertial)
      throw NotAvailable(
          "The contact \"" + named(i).name +
          "\" slips at the start on half degrees of freedom, and its law \"" + law(i).name() +
          "\" is not Coulomb friction (it has no cone_slope()), so that the direction of its reaction is not "
          "known. Start from rest.");
    if (!slope) return;
    check_sliding(i, *slope);
    const auto column = static_cast<Index>(some.enforced_on.size());
    const Vector w_t = start_.w.segment(first + 1, d - 1);
    some.inclusions.push_back(i);
    some.laws.push_back({std::make_shared<const UnilateralContact>(), named(i).name});
    some.enforced_on.push_back(first);
    some.kinds.push_back(kind);
    some.reaction_entries.emplace_back(first, column, 1.);
    for (Index k = 0; k < d - 1; ++k)
      some.reaction_entries.emplace_back(first + 1 + k, column, -*slope * w_t[k] / w_t.norm());
  }

  /// Refuses a slipping contact whose reaction accelerates it into the obstacle (a Painleve state).
  void check_sliding(std::size_t i, double slope) const {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    const MultiVector& W = motion_.kind_of(first) == DoFKind::inertial ? outcome_.instantaneous_responses.I
                           : motion_.kind_of(first) == DoFKind::algebraic
                               ? outcome_.instantaneous_responses.K
                               : outcome_.instantaneous_responses.C;
    if (W.size() == 0) return;
    const Vector w_t = start_.w.segment(first + 1, d - 1);
    const double effect =
        W(first, first) - slope * W.row(first).segment(first + 1, d - 1).dot(w_t) / w_t.norm();
    if (effect > 0) return;
    throw InvalidInput(
        "The contact \"" + named(i).name +
        "\" slides at the start in a Painleve state: a unit normal reaction and its friction, mu = " +
        number_text(slope) + ", accelerate its gap by " + number_text(effect) +
        " (W_nn minus mu times W_nt in the direction of slip), so that the reaction drives the contact into "
        "the obstacle. No reaction is consistent, or several are. Give less friction or another direction of "
        "slip, or start from rest.");
  }

  void set_reaction_of_rate(std::size_t i) {
    const Index first = inclusions_.first_direction(i), d = dimension(i);
    start_.r.segment(first, d) =
        consistent_reaction(law(i), parameters_[i], start_.w.segment(first, d), Vector::Zero(d));
  }

  void set_contact_states() {
    for (std::size_t i = 0; i < inclusions_.acting().size(); ++i) {
      const Index first = inclusions_.first_direction(i), d = dimension(i);
      Vector w = start_.w.segment(first, d);
      for (Index k = 0; k < d; ++k)
        if (inclusions_.level(first + k) == LawLevel::gap) w[k] = start_.g[first + k];
      start_.contacts.push_back(law(i).state(parameters_[i], w, start_.r.segment(first, d),
                                             is_contact(i) ? gap_tolerances_[first] : rest_tolerance_));
    }
  }

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  NonsmoothStart& start_;
  const Vector& given_;
  const NonsmoothStartOptions& options_;
  StartMotion<Engine> motion_;
  Vector gap_tolerances_;  ///< Largest gap of each direction that counts as closed [length].
  double rest_tolerance_ = 0;
  /// The parameters of each law, which belong to the new contact state after the law has been solved.
  std::vector<LawParameters> parameters_;
};

/// Computes the initial state of a system with a StateForce by iteration. The tangents of each iteration are
/// computed under the reactions of the iteration before, until the reactions no longer change.
template <class Engine>
NonsmoothStart start_with_state_force(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                      const Vector& displacement, const Vector& rate, double time,
                                      const NonsmoothStartOptions& options) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const State state{time, reduced.restrict(displacement, rate)};
  NonsmoothStartOptions lenient = options;
  lenient.consistency.mode = ConsistencyOptions::Mode::adjust;
  lenient.inadmissible = InadmissibleReactions::project;
  Vector r = Vector::Zero(inclusions.n_directions());
  const auto what = [&] { return "The initial state at " + seconds(time) + " with its reactions"; };
  StepIteration iteration(reduced.linearized_state_force()->options.newton, reduced.communicator(), what,
                          {r});
  const auto start_with = [&](const Vector& q, const Vector& v, const NonsmoothStartOptions& chosen) {
    const Inclusions<Engine> there(reduced.tangent(state, inclusions.H().force(r)), inclusions.given());
    return nonsmooth_start(there, classify_inclusions(there, outcome.options), q, v, time, chosen);
  };
  while (true) {
    const Vector next = start_with(displacement, rate, lenient).r;
    const StepIteration::Decision decision = iteration.decide_after_trial({next});
    if (decision == StepIteration::Decision::measure_rounding)
      iteration.decide_after_rounding_trial(
          {start_with(perturbed_by_rounding(displacement), perturbed_by_rounding(rate), lenient).r});
    r = next;
    if (decision == StepIteration::Decision::converged) break;
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
    return start_with_state_force(inclusions, outcome, displacement, rate, time, options);
  NonsmoothStart start;
  start.time = time;
  start.y = reduced.project(displacement, rate, time);
  start.grid = {time, 0};
  start.impulse = Vector::Zero(inclusions.n_directions());
  const MultiVector q = reduced.free().restrict(displacement);
  const Vector given = inclusions.H().components(q) + inclusions.prescribed(time);
  InitialReactionSolver<Engine>(inclusions, outcome, start, given, options).compute();
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
    throw InvalidInput(
        "The given initial reactions have " + std::to_string(r.size()) +
        " entries, or entries that are not finite, but the model has " +
        std::to_string(inclusions.n_directions()) +
        " directions. Give one finite reaction for each direction, and zero if it is unknown.");
  const AssembledMotion lifted = inclusions.lift(state, r);
  return nonsmooth_start(inclusions, outcome, lifted.displacement, lifted.rate, state.time, options);
}

template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const Vector&, const Vector&, double, const NonsmoothStartOptions&);
template NonsmoothStart nonsmooth_start(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                        const State&, const Vector&, const NonsmoothStartOptions&);

}  // namespace halfdof
