// SPDX-License-Identifier: LGPL-2.1-or-later
// What one step with inclusions costs: an implicit one in pairs of triangular solves with the step matrix,
// timed in turn. The small problem of the reactions is timed by itself. An explicit step is counted in
// evaluations of y' without reactions. Usage: benchmark_nonsmooth_step [cells] [inclusions]
#include <halfdof/assembled/free_system.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/nonsmooth/stage_problem.h>

#include "piezoelectric_body.h"
#include "report.h"
#include "timing.h"
#include <cstdlib>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::quartile;
using benchmark::seconds;

namespace {

constexpr int n_timed = 200;
constexpr const char* pair_of_solves = "a pair of triangular solves";

struct Timed {
  std::vector<double> units, steps;
};

/// Steps and what they are counted in, in turn. @param between is not timed
Timed timed(
    const std::function<void()>& unit, const std::function<void()>& step,
    const std::function<void()>& between = [] {}) {
  step();  // factorizes
  Timed times;
  for (int k = 0; k < n_timed; ++k) {
    between();
    times.units.push_back(seconds(unit));
    times.steps.push_back(seconds(step));
  }
  return times;
}

/// @param model "Moreau-Jean, 15067 free DoFs, 10 inclusions" @param small the time of the small problem in a
/// step [s]
void add_to(benchmark::Report& table, const std::string& model, const Timed& times, double small) {
  const double step = quartile(times.steps), one = quartile(times.units);
  table.add({"a step with inclusions", model, pair_of_solves, step, one, 0.});
  table.add(
      {"a step with inclusions, without the small problem", model, pair_of_solves, step - small, one, 0.});
}

template <class Method>
std::string model_of(const Method& method, const Inclusions<EigenEngine>& inclusions) {
  return method.name() + ", " + std::to_string(inclusions.reduced().free().dofs().n_local()) +
         " free DoFs, " + std::to_string(inclusions.acting().size()) + " inclusions";
}

/// Contacts and pads in turn, one a node: along the free edge, then along the columns of nodes behind it.
std::vector<Inclusion> along_the_edge(int n_cells, int n_inclusions, bool with_contacts) {
  const int n_nodes = n_cells + 1;
  std::vector<Inclusion> all;
  for (int i = 0; i < n_inclusions; ++i) {
    const bool is_sparse = n_inclusions <= n_nodes;
    const int y = is_sparse ? i * n_nodes / n_inclusions : i % n_nodes, x = n_cells - i / n_nodes;
    const int node = y * n_nodes + x;
    const std::string name = "inclusion " + std::to_string(i);
    if (with_contacts && i % 2 == 0)
      all.push_back(
          inclusion(name, std::make_shared<UnilateralContact>(0., 0.), Direction({{3 * node, -1.}})));
    else
      all.push_back(
          inclusion(name, std::make_shared<DryFriction>(-0.01, 0.01), Direction({{3 * node + 1, 1.}})));
  }
  return all;
}

/// A step before and after, for the small problem to be solved again.
struct Recorded {
  NonsmoothState from, to;
};

/// The time of the small problems of some steps [s], each after what comes before it in a step.
double small_problems(const Inclusions<EigenEngine>& inclusions, const InclusionOutcome& outcome,
                      const std::vector<DirectionRule>& rules, const StageWeights& weights,
                      const std::vector<Recorded>& steps) {
  const double a = weights.sigma;
  const auto step_matrix = inclusions.reduced().factorize_pencil(a * a, a, 1.);
  const Vector load = Vector::Random(inclusions.H().free().rows());
  StageProblem problem(inclusions.acting(), outcome, rules, step_delassus(inclusions, step_matrix), weights);
  std::vector<double> times;
  for (const Recorded& step : steps) {
    const Vector acting = problem.column_weights().cwiseProduct(step.to.r);
    const Vector moved = problem.delassus().apply(acting);
    Vector b(moved.size()), r = step.from.r, met = b;
    std::vector<bool> is_active(inclusions.acting().size(), true);
    for (Index j = 0; j < b.size(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const bool is_gap = rules[at].enforced_on == EnforcedOn::end_gap;
      const double factor =
          is_gap ? 1. : (rules[at].enforced_on == EnforcedOn::mean_rate ? 1 / weights.step : weights.sigma);
      b[j] = (is_gap ? step.to.g[j] : step.to.w[j]) - factor / weights.theta * moved[j];
      if (rules[at].enforced_on == EnforcedOn::impact)
        is_active[at] = step.to.contacts[at] != ContactState::open;
    }
    std::vector<ContactState> contacts = step.from.contacts;
    step_matrix->solve(load);
    times.push_back(seconds([&] {
      problem.solve({step.from.time, step.to.time}, b, is_active, r, met, contacts,
                    [&] { return Vector(Vector::Zero(b.size())); });
    }));
  }
  return quartile(times);
}

template <class Method>
void report(const Inclusions<EigenEngine>& inclusions, const InclusionOutcome& outcome,
            const std::vector<DirectionRule>& rules, const StageWeights& weights, benchmark::Report& table) {
  const ReducedSystem<EigenEngine>& reduced = inclusions.reduced();
  const auto step_matrix = reduced.factorize_pencil(weights.sigma * weights.sigma, weights.sigma, 1.);
  const Vector zero = Vector::Zero(reduced.assembled().n_dofs()),
               b = Vector::Random(reduced.free().dofs().n_local());
  NonsmoothState state = nonsmooth_start(inclusions, outcome, zero, zero), then = state;
  Method method(inclusions, outcome, weights.step);
  std::vector<Recorded> steps;
  const auto record = [&] {
    steps.push_back({state, then});
    state = then;
  };
  const Timed times = timed([&] { step_matrix->solve(b); }, [&] { method.step(then); }, record);
  add_to(table, model_of(method, inclusions), times,
         small_problems(inclusions, outcome, rules, weights, steps));
}

/// Pads alone, since contacts with mass are no business of these methods.
template <class Method>
void report_explicit(const Inclusions<EigenEngine>& inclusions, const InclusionOutcome& outcome, double h,
                     benchmark::Report& table) {
  const ReducedSystem<EigenEngine>& reduced = inclusions.reduced();
  const Vector zero = Vector::Zero(reduced.assembled().n_dofs());
  NonsmoothState state = nonsmooth_start(inclusions, outcome, zero, zero);
  Method method(inclusions, outcome, h);
  const Timed times = timed([&] { reduced.apply(state); }, [&] { method.step(state); });
  table.add({"a step with inclusions", model_of(method, inclusions), "an evaluation of y'",
             quartile(times.steps), quartile(times.units), 0.});
}

}  // namespace

int main(int argc, char** argv) {
  const int n_cells = argc > 1 ? std::atoi(argv[1]) : 61;
  const int n_inclusions = argc > 2 ? std::atoi(argv[2]) : 10;
  const double h = 1e-2;
  const auto reduced = reduce(benchmark::PiezoelectricBody<2>(n_cells).assemble());
  benchmark::Report table;

  const Inclusions<EigenEngine> both(reduced, along_the_edge(n_cells, n_inclusions, true));
  const InclusionOutcome outcome = classify_inclusions(both);
  report<NonsmoothEuler<EigenEngine>>(both, outcome, mean_rules(outcome), {h, 1 / h, 1.}, table);
  report<MoreauJean<EigenEngine>>(both, outcome, velocity_rules(outcome), {h, 2 / h, 0.5}, table);
  report<NonsmoothAlpha<EigenEngine>>(both, outcome, velocity_rules(outcome),
                                      {h, 2.2 * 1.8 / (2 * h), 1 / 1.8}, table);

  const Inclusions<EigenEngine> pads(reduced, along_the_edge(n_cells, n_inclusions, false));
  const InclusionOutcome of_pads = classify_inclusions(pads);
  report_explicit<SetValuedEuler<EigenEngine>>(pads, of_pads, 1e-7, table);
  report_explicit<SetValuedRungeKutta<EigenEngine>>(pads, of_pads, 1e-7, table);
}
