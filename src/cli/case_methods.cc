#include "case_methods.h"

#include <halfdof/integrators/controlled_step.h>
#include <halfdof/integrators/event_driven.h>
#include <halfdof/integrators/explicit_runge_kutta.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/integrators/nonsmooth_euler.h>
#include <halfdof/integrators/set_valued.h>
#include <halfdof/integrators/yosida.h>

#include "function_resolution.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof::cli {

namespace {

/// Of steps that are chosen by one.
constexpr double least_tolerance = 1e-13;

/// The error of a step of length h is about h to this power.
constexpr double order_of_events = 8, order_of_controlled = 2;

using Make = CaseIntegrator (*)(const CaseFile&, const Inclusions<Engine>&, const InclusionOutcome&);

ImpactLaw impact_law_of(const CaseFile& given) {
  const std::string name = given.integrator.text("impact_law");
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::sequential})
    if (name == name_of(law)) return law;
  return ImpactLaw::newton;
}

CaseIntegrator implicit_euler(const CaseFile& given, const Inclusions<Engine>& inclusions,
                              const InclusionOutcome& outcome) {
  return {std::make_unique<NonsmoothEuler<Engine>>(inclusions, outcome, step_of(given)), {}};
}

/// With steps of one length, or such that a tolerance is kept.
CaseIntegrator with_steps(const CaseFile& given, const Inclusions<Engine>& inclusions,
                          const InclusionOutcome& outcome, const ControlledStep<Engine>::Make& make) {
  const CaseSection& section = given.integrator;
  const bool is_controlled = section.has("relative_tolerance");
  if (is_controlled && section.has("step"))
    section.fail("relative_tolerance", "stands beside step. Give one of the two.");
  if (!is_controlled && !section.has("step"))
    section.fail("step", "is missing. Give the length of a step, or relative_tolerance instead.");
  if (!is_controlled) return {make(inclusions, outcome, step_of(given)), {}};
  ControlledStepOptions options;
  options.run_length = section.number("end") - given.initial.number("time");
  options.relative_tolerance = tolerance_of(given);
  options.functions = functions_of_loads(given);
  return {std::make_unique<ControlledStep<Engine>>(inclusions, outcome, make, options), {}};
}

CaseIntegrator moreau_jean(const CaseFile& given, const Inclusions<Engine>& inclusions,
                           const InclusionOutcome& outcome) {
  MoreauJeanOptions options;
  options.theta = given.integrator.number("theta");
  options.impact_law = impact_law_of(given);
  options.corrects_positions = given.integrator.flag("position_correction");
  return with_steps(given, inclusions, outcome,
                    [options](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
                      return std::make_unique<MoreauJean<Engine>>(of, its, step, options);
                    });
}

CaseIntegrator generalized_alpha(const CaseFile& given, const Inclusions<Engine>& inclusions,
                                 const InclusionOutcome& outcome) {
  NonsmoothAlphaOptions options;
  options.spectral_radius = given.integrator.number("spectral_radius");
  return with_steps(given, inclusions, outcome,
                    [options](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
                      return std::make_unique<NonsmoothAlpha<Engine>>(of, its, step, options);
                    });
}

/// Explicit methods with steps that let the free motion grow.
std::vector<std::string> stability_warnings(const CaseFile& given, const ReducedSystem<Engine>& reduced) {
  const double step = step_of(given), limit = largest_stable_step(reduced);
  if (step <= limit) return {};
  std::ostringstream text;
  text << "A step of " << step << " s is above " << limit
       << " s, up to which the classical Runge-Kutta method is "
       << "stable here: rounding errors will grow. Take a shorter one, or an implicit method.";
  return {text.str()};
}

template <class Method>
CaseIntegrator set_valued(const CaseFile& given, const Inclusions<Engine>& inclusions,
                          const InclusionOutcome& outcome) {
  return {std::make_unique<Method>(inclusions, outcome, step_of(given)),
          stability_warnings(given, inclusions.reduced())};
}

CaseIntegrator paoli_schatzman(const CaseFile& given, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome) {
  auto method = std::make_unique<YosidaPenalty<Engine>>(inclusions, outcome, step_of(given),
                                                        given.integrator.number("lambda"));
  std::vector<std::string> warnings = stability_warnings(given, inclusions.reduced());
  warnings.insert(warnings.end(), method->warnings().begin(), method->warnings().end());
  return {std::move(method), std::move(warnings)};
}

CaseIntegrator event_driven(const CaseFile& given, const Inclusions<Engine>& inclusions,
                            const InclusionOutcome& outcome) {
  const CaseSection& section = given.integrator;
  EventDrivenOptions options;
  options.relative_tolerance = tolerance_of(given);
  options.absolute_tolerance = section.number("absolute_tolerance");
  if (section.has("largest_step")) options.largest_step = section.number("largest_step");
  if (section.has("shortest_flight")) options.shortest_flight = section.number("shortest_flight");
  options.max_states = static_cast<Index>(section.whole_number("max_states"));
  options.breakpoints = section.numbers("breakpoints");
  options.functions = functions_of_loads(given);
  options.run_length = std::max(section.number("end") - given.initial.number("time"), 0.);
  options.impact_law = impact_law_of(given);
  return {std::make_unique<EventDriven<Engine>>(inclusions, outcome, options), {}};
}

/// Runs of their own: see memory_simulation.h.
CaseIntegrator memory(const CaseFile& given, const Inclusions<Engine>&, const InclusionOutcome&) {
  given.integrator.fail("method", "has no steps of the full model.");
}

enum class Steps { fixed, fixed_or_controlled, free };

struct Method {
  Explained what;
  Steps steps;
  Make make;
};

/// Every integrator that a case can name. Its keys stand in case_key_table.cc.
const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      {{"implicit-euler", "inclusions of every kind, but no rebounds; of first order, dissipates most"},
       Steps::fixed,
       implicit_euler},
      {{"moreau-jean",
        "inclusions of every kind; balances momentum, and with theta = 0.5 energy, to rounding"},
       Steps::fixed_or_controlled,
       moreau_jean},
      {{"generalized-alpha",
        "inclusions of every kind; damps high frequencies alone, for flexible structures"},
       Steps::fixed_or_controlled,
       generalized_alpha},
      {{"event-driven", "few inclusions, Coulomb friction on masses alone; exact instants of all events"},
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
        "few inclusions on a linear structure, known by its eigenvalues alone: a step costs nothing for each "
        "DoF"},
       Steps::fixed,
       memory}};
  return all;
}

const Method& method(const std::string& name) {
  return *std::find_if(methods().begin(), methods().end(),
                       [&](const Method& m) { return m.what.name == name; });
}

std::vector<std::string> names_of(Steps steps) {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.steps == steps) names.push_back(method.what.name);
  return names;
}

}  // namespace

std::vector<Explained> explained_methods() {
  std::vector<Explained> all;
  for (const Method& method : methods())
    all.push_back(method.what);
  return all;
}

std::vector<std::string> methods_with_a_step() {
  return names_of(Steps::fixed);
}

std::vector<std::string> controlled_methods() {
  return names_of(Steps::fixed_or_controlled);
}

double tolerance_of(const CaseFile& given) {
  const double order =
      given.integrator.text("method") == "event-driven" ? order_of_events : order_of_controlled;
  return std::max(least_tolerance,
                  given.integrator.number("relative_tolerance") / std::pow(given.refinement, order));
}

CaseIntegrator make_integrator(const CaseFile& given, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome) {
  const Method& chosen = method(given.integrator.text("method"));
  const bool has_one_length = given.integrator.has("step");
  if (given.output.has("interval") && has_one_length)
    given.output.fail("interval",
                      "is for event-driven and for steps by relative_tolerance, and the steps of " +
                          chosen.what.name + " have one length: give every, the steps from row to row.");
  CaseIntegrator made =
      given.integrator.with_line("method", [&] { return chosen.make(given, inclusions, outcome); });
  const std::vector<std::string> unresolved =
      has_one_length ? resolution_warnings(given, inclusions, given.integrator.number("step"))
                     : resolution_warnings(given, inclusions);
  made.warnings.insert(made.warnings.end(), unresolved.begin(), unresolved.end());
  return made;
}

}  // namespace halfdof::cli
