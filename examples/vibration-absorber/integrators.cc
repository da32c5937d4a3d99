// SPDX-License-Identifier: LGPL-2.1-or-later
#include "integrators.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/plots/plot.h>

#include "absorber.h"
#include "exact.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

/// A model whose exact motion is known.
struct Task {
  explicit Task(const Absorber& absorber)
      : model(eliminated_by_null_columns(absorber)), exact(absorber), end(absorber.end) {}

  RubbingModel model;
  ExactMotion exact;
  double end;  ///< [s]
};

Absorber falling_on_a_stop(double e) {
  Absorber absorber = absorbers_of_the_paper()[2];
  absorber.stop = Absorber::Stop{-1.5, e};
  absorber.end = 1.5;
  return absorber;
}

enum TaskNumber { shaken, landing, bouncing };

std::array<Task, 3> all_tasks() {
  return {Task(absorbers_of_the_paper()[0]), Task(falling_on_a_stop(0.)), Task(falling_on_a_stop(0.5))};
}

using Integrator = NonsmoothIntegrator<EigenEngine>;

struct Method {
  std::string name;
  std::function<std::unique_ptr<Integrator>(const RubbingModel&, double step)> make;
  std::vector<TaskNumber> tasks;
  std::vector<double> steps = {1e-3, 3e-4, 1e-4};  ///< [s]
};

template <class Method>
std::unique_ptr<Integrator> with_step(const RubbingModel& model, double step) {
  return std::make_unique<Method>(model.inclusions, model.outcome, step);
}

std::unique_ptr<Integrator> with_its_own_step(const RubbingModel& model, double /*step*/) {
  return std::make_unique<EventDriven<EigenEngine>>(model.inclusions, model.outcome);
}

/// Returns an integrator with the penalty method, whose contact has the largest stiffness that the step
/// resolves, h = 0.1 sqrt(lambda).
std::unique_ptr<Integrator> with_penalty(const RubbingModel& model, double step) {
  return std::make_unique<YosidaPenalty<EigenEngine>>(model.inclusions, model.outcome, step,
                                                      100 * step * step);
}

std::vector<Method> all_methods() {
  return {
      {"event-driven", with_its_own_step, {shaken, landing, bouncing}, {0.}},
      {"Moreau-Jean", with_step<MoreauJean<EigenEngine>>, {shaken, landing, bouncing}},
      {"nonsmooth generalized-alpha", with_step<NonsmoothAlpha<EigenEngine>>, {shaken, landing, bouncing}},
      {"implicit Euler", with_step<NonsmoothEuler<EigenEngine>>, {shaken, landing}},
      {"Yosida (Paoli-Schatzman)", with_penalty, {shaken, landing, bouncing}},
      {"set-valued Runge-Kutta", with_step<SetValuedRungeKutta<EigenEngine>>, {shaken}},
      {"set-valued Euler", with_step<SetValuedEuler<EigenEngine>>, {shaken}}};
}

/// Returns the largest error of q_3 at 101 times, relative to the largest q_3.
double error_of(const Method& method, const Task& task, double step) {
  std::vector<double> times;
  for (int n = 0; n <= 100; ++n)
    times.push_back(task.end * n / 100);
  double error = 0, scale = 0;
  NonsmoothState state = task.model.start;
  method.make(task.model, step)->run(state, times, [&](const auto& now) {
    const double exact = task.exact.at(now.time()).q;
    error = std::max(error, std::abs(now.lift().displacement[2] - exact));
    scale = std::max(scale, std::abs(exact));
  });
  return error / scale;
}

/// The cost of a run.
struct Cost {
  int n_steps = 0;
  /// Processor time, factorizations included [ms]
  double milliseconds = std::numeric_limits<double>::infinity();
};

/// Measures the cost of one run. The processor time is the smaller one of two runs.
Cost cost_of(const Method& method, const Task& task, double step) {
  Cost cost;
  for (int repetition = 0; repetition < 2; ++repetition) {
    NonsmoothState state = task.model.start;
    cost.n_steps = -1;  // the initial state does not count as a step
    const std::clock_t begin = std::clock();
    method.make(task.model, step)->run(state, task.end, [&](const auto&) { ++cost.n_steps; });
    cost.milliseconds =
        std::min(cost.milliseconds, 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return cost;
}

/// The costs and errors of one method for one task, for all step sizes.
struct CostsAndErrors {
  std::vector<Cost> costs;
  std::vector<double> errors;
};

CostsAndErrors measure(const Method& method, const Task& task) {
  CostsAndErrors measured;
  for (const double step : method.steps) {
    measured.costs.push_back(cost_of(method, task, step));
    measured.errors.push_back(error_of(method, task, step));
  }
  const double coarse = measured.errors.front(), fine = measured.errors.back();
  const bool converges = method.steps.size() == 1 ? fine < 1e-9 : fine < 1e-2 && fine < 0.2 * coarse;
  if (!converges)
    throw Error(method.name + ": the relative error of q_3 is " + to_text(fine) + ", larger than expected.");
  return measured;
}

Curve curve_of(const std::string& name, const CostsAndErrors& measured) {
  const auto n = static_cast<Index>(measured.errors.size());
  Curve curve{name, Vector(n), Vector(n), CurveStyle::line_with_points};
  for (Index i = 0; i < n; ++i) {
    curve.x[i] = measured.costs[static_cast<std::size_t>(i)].milliseconds;
    curve.y[i] = measured.errors[static_cast<std::size_t>(i)];
  }
  return curve;
}

}  // namespace

void compare_integrators(const std::filesystem::path& picture) {
  const Axis time{"processor time of one run [ms]", AxisScale::logarithmic},
      error{"error of q_3, relative [-]", AxisScale::logarithmic};
  CurvePanel of_shaken{"Fig. 5.2: 21 turns between stick and slip", time, error, {}, 280};
  CurvePanel of_bouncing{"Fig. 5.4 onto a stop, e = 1/2: one impact", time, error, {}, 280};
  TextTable table({"integrator",
                   "step [ms]",
                   "steps",
                   {"time [ms]", NumberStyle::fixed, 1},
                   {"error: shaken", NumberStyle::scientific, 1},
                   {"onto a stop, e = 0", NumberStyle::scientific, 1},
                   {"e = 1/2", NumberStyle::scientific, 1}});

  const std::array<Task, 3> tasks = all_tasks();
  for (const Method& method : all_methods()) {
    std::array<CostsAndErrors, 3> measured;
    for (const TaskNumber task : method.tasks)
      measured[task] = measure(method, tasks[task]);
    for (std::size_t i = 0; i < method.steps.size(); ++i) {
      if (i > 0 && i + 1 < method.steps.size()) continue;
      const auto error_in = [&](TaskNumber task) {
        return measured[task].errors.empty() ? TableCell("-") : TableCell(measured[task].errors[i]);
      };
      const Cost& cost = measured[shaken].costs[i];
      table.add_row({method.name, method.steps.size() == 1 ? "its own" : TableCell(1e3 * method.steps[i]),
                     cost.n_steps, cost.milliseconds, error_in(shaken), error_in(landing),
                     error_in(bouncing)});
    }
    of_shaken.curves.push_back(curve_of(method.name, measured[shaken]));
    if (!measured[bouncing].errors.empty())
      of_bouncing.curves.push_back(curve_of(method.name, measured[bouncing]));
  }
  std::cout << table;

  Plot plot;
  plot.title = "Integrators with inclusions: error over cost";
  plot.panels = {of_shaken, of_bouncing};
  plot.width = 760;
  write_png(plot, picture);
  std::cout << "\nWritten: " << picture.string() << '\n';
}
