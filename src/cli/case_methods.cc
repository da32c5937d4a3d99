// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_methods.h"

#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/controlled_step.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/smooth/explicit_methods.h>

#include "function_resolution.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Smallest relative tolerance that may control steps.
constexpr double least_tolerance = 1e-13;

/// Powers of the step length h that the error of a step is proportional to.
constexpr double order_of_events = 8, order_of_controlled = 2;

using Make = decltype(IntegratorSettings::make);

ImpactLaw impact_law_of(const CaseSection& section) {
  const std::string name = section.text("impact_law");
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::sequential})
    if (name == name_of(law)) return law;
  return ImpactLaw::newton;
}

Make implicit_euler(const CaseSection&) {
  return [](const CaseFile& given, const Inclusions<Engine>& inclusions,
            const InclusionOutcome& outcome) -> CaseIntegrator {
    return {std::make_unique<NonsmoothEuler<Engine>>(inclusions, outcome, step_of(given)), {}};
  };
}

/// Creates a method with steps of one length, or with steps controlled by a tolerance.
Make with_steps(const ControlledStep<Engine>::Make& make) {
  return [make](const CaseFile& given, const Inclusions<Engine>& inclusions,
                const InclusionOutcome& outcome) -> CaseIntegrator {
    const bool is_controlled = given.settings.relative_tolerance.has_value();
    if (is_controlled && given.settings.step)
      given.integrator.fail("relative_tolerance", "is given in addition to step. Give only one of the two.");
    if (!is_controlled && !given.settings.step)
      given.integrator.fail("step", "is missing. Give the length of a step, or relative_tolerance instead.");
    if (!is_controlled) return {make(inclusions, outcome, step_of(given)), {}};
    ControlledStepOptions options;
    options.run_length = given.settings.end - given.begin;
    options.relative_tolerance = tolerance_of(given);
    options.functions = functions_of_loads(given);
    return {std::make_unique<ControlledStep<Engine>>(inclusions, outcome, make, options), {}};
  };
}

Make moreau_jean(const CaseSection& section) {
  MoreauJeanOptions options;
  options.theta = section.number("theta");
  options.impact_law = impact_law_of(section);
  options.corrects_positions = section.flag("position_correction");
  return with_steps([options](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
    return std::make_unique<MoreauJean<Engine>>(of, its, step, options);
  });
}

Make generalized_alpha(const CaseSection& section) {
  NonsmoothAlphaOptions options;
  options.spectral_radius = section.number("spectral_radius");
  return with_steps([options](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
    return std::make_unique<NonsmoothAlpha<Engine>>(of, its, step, options);
  });
}

/// Warns of steps of explicit methods with which the free motion grows.
std::vector<std::string> stability_warnings(const CaseFile& given, const ReducedSystem<Engine>& reduced) {
  const double step = step_of(given), limit = largest_stable_step(reduced);
  if (step <= limit) return {};
  std::ostringstream text;
  text << "A step of " << step << " s is above " << limit
       << " s, up to which the classical Runge-Kutta method is "
       << "stable for this model: rounding errors will grow. Take a shorter step, or an implicit method.";
  return {text.str()};
}

template <class Method>
Make set_valued(const CaseSection&) {
  return [](const CaseFile& given, const Inclusions<Engine>& inclusions,
            const InclusionOutcome& outcome) -> CaseIntegrator {
    return {std::make_unique<Method>(inclusions, outcome, step_of(given)),
            stability_warnings(given, inclusions.reduced())};
  };
}

Make paoli_schatzman(const CaseSection& section) {
  return [lambda = section.number("lambda")](const CaseFile& given, const Inclusions<Engine>& inclusions,
                                             const InclusionOutcome& outcome) -> CaseIntegrator {
    auto method = std::make_unique<YosidaPenalty<Engine>>(inclusions, outcome, step_of(given), lambda);
    std::vector<std::string> warnings = stability_warnings(given, inclusions.reduced());
    warnings.insert(warnings.end(), method->warnings().begin(), method->warnings().end());
    return {std::move(method), std::move(warnings)};
  };
}

Make event_driven(const CaseSection& section) {
  EventDrivenOptions options;
  options.absolute_tolerance = section.number("absolute_tolerance");
  if (section.has("largest_step")) options.largest_step = section.number("largest_step");
  if (section.has("shortest_flight")) options.shortest_flight = section.number("shortest_flight");
  options.max_states = static_cast<Index>(section.whole_number("max_states"));
  options.breakpoints = section.numbers("breakpoints");
  options.impact_law = impact_law_of(section);
  return [options](const CaseFile& given, const Inclusions<Engine>& inclusions,
                   const InclusionOutcome& outcome) -> CaseIntegrator {
    EventDrivenOptions of_run = options;
    of_run.relative_tolerance = tolerance_of(given);
    of_run.functions = functions_of_loads(given);
    of_run.run_length = std::max(given.settings.end - given.begin, 0.);
    return {std::make_unique<EventDriven<Engine>>(inclusions, outcome, of_run), {}};
  };
}

enum class Steps { fixed, fixed_or_controlled, free };

}  // namespace

struct CaseMethod {
  Explained what;
  Steps steps;
  Make (*read)(const CaseSection&);  ///< reads the keys that only this method has; null for "memory"
};

namespace {

/// All integrators of cases. Their keys are in case_key_table.cc.
const std::vector<CaseMethod>& methods() {
  static const std::vector<CaseMethod> all = {
      {{"implicit-euler", "inclusions of every kind, but no rebounds; of first order, dissipates most"},
       Steps::fixed,
       implicit_euler},
      {{"moreau-jean",
        "inclusions of every kind; balances momentum, and with theta = 0.5 energy, to rounding"},
       Steps::fixed_or_controlled,
       moreau_jean},
      {{"generalized-alpha",
        "inclusions of every kind; damps only high frequencies, for flexible structures"},
       Steps::fixed_or_controlled,
       generalized_alpha},
      {{"event-driven", "few inclusions, Coulomb friction only on masses; exact instants of all events"},
       Steps::free,
       event_driven},
      {{"set-valued-euler", "explicit, without impacts and plays; of first order"},
       Steps::fixed,
       set_valued<SetValuedEuler<Engine>>},
      {{"set-valued-runge-kutta", "explicit, without impacts and plays; of fourth order between events"},
       Steps::fixed,
       set_valued<SetValuedRungeKutta<Engine>>},
      {{"paoli-schatzman", "explicit, with impacts by a penalty in the metric of the mass; without plays"},
       Steps::fixed,
       paoli_schatzman},
      {{"memory",
        "few inclusions on a linear structure, given by its eigenvalues: the cost of a step does not depend "
        "on the number of DoFs"},
       Steps::fixed,
       nullptr}};
  return all;
}

std::vector<std::string> names_of(Steps steps) {
  std::vector<std::string> names;
  for (const CaseMethod& method : methods())
    if (method.steps == steps) names.push_back(method.what.name);
  return names;
}

}  // namespace

std::vector<Explained> explained_methods() {
  std::vector<Explained> all;
  for (const CaseMethod& method : methods())
    all.push_back(method.what);
  return all;
}

std::vector<std::string> methods_with_a_step() {
  return names_of(Steps::fixed);
}

std::vector<std::string> controlled_methods() {
  return names_of(Steps::fixed_or_controlled);
}

const std::string& name_of(const CaseMethod& method) {
  return method.what.name;
}

IntegratorSettings integrator_settings(const CaseSection& section) {
  const CaseMethod& method =
      *std::find_if(methods().begin(), methods().end(),
                    [name = section.text("method")](const CaseMethod& m) { return m.what.name == name; });
  const auto if_given = [&](const char* key) {
    return section.has(key) ? std::optional(section.number(key)) : std::nullopt;
  };
  return {&method,
          section.number("end"),
          if_given("step"),
          method.steps == Steps::free ? section.number("relative_tolerance") : if_given("relative_tolerance"),
          if_given("law_tolerance"),
          method.read ? method.read(section) : nullptr};
}

double tolerance_of(const CaseFile& given) {
  const double order = given.settings.method->steps == Steps::free ? order_of_events : order_of_controlled;
  return std::max(least_tolerance,
                  given.settings.relative_tolerance.value() / std::pow(given.refinement, order));
}

CaseIntegrator make_integrator(const CaseFile& given, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome) {
  const std::optional<double>& step = given.settings.step;
  if (given.output.has("interval") && step)
    given.output.fail(
        "interval",
        "needs the event-driven method, or steps controlled by relative_tolerance, but the steps of " +
            name_of(*given.settings.method) +
            " have one length: give every, the number of steps from row to row.");
  CaseIntegrator made =
      given.integrator.with_line("method", [&] { return given.settings.make(given, inclusions, outcome); });
  const std::vector<std::string> unresolved =
      step ? resolution_warnings(given, inclusions, *step) : resolution_warnings(given, inclusions);
  made.warnings.insert(made.warnings.end(), unresolved.begin(), unresolved.end());
  return made;
}

}  // namespace halfdof::cli
