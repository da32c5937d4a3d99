#include "case_methods.h"

#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/integrators/nonsmooth_euler.h>

#include <algorithm>

namespace halfdof::cli {

namespace {

using Make = CaseIntegrator (*)(const CaseSection&, const Inclusions<Engine>&, const InclusionOutcome&);

CaseIntegrator implicit_euler(const CaseSection& section, const Inclusions<Engine>& inclusions,
                              const InclusionOutcome& outcome) {
  return std::make_unique<NonsmoothEuler<Engine>>(inclusions, outcome, section.number("step"));
}

CaseIntegrator moreau_jean(const CaseSection& section, const Inclusions<Engine>& inclusions,
                           const InclusionOutcome& outcome) {
  MoreauJeanOptions options;
  options.theta = section.number("theta");
  return std::make_unique<MoreauJean<Engine>>(inclusions, outcome, section.number("step"), options);
}

CaseIntegrator generalized_alpha(const CaseSection& section, const Inclusions<Engine>& inclusions,
                                 const InclusionOutcome& outcome) {
  NonsmoothAlphaOptions options;
  options.spectral_radius = section.number("spectral_radius");
  return std::make_unique<NonsmoothAlpha<Engine>>(inclusions, outcome, section.number("step"), options);
}

struct Method {
  std::string name;
  Make make;
  std::vector<Check> exact;  ///< see kept_exactly()
};

/// Every integrator that a case can name. Its keys stand in case_keys.cc.
const std::vector<Method>& methods() {
  static const std::vector<Check> laws = {Check::reaction, Check::kinematics, Check::law, Check::variational};
  static const std::vector<Method> all = [] {
    std::vector<Check> and_balance = laws, and_impacts = laws;
    and_balance.push_back(Check::balance);
    and_impacts.push_back(Check::impact);
    std::vector<Check> both = and_balance;
    both.push_back(Check::impact);
    return std::vector<Method>{{"implicit-euler", implicit_euler, and_balance},
                               {"moreau-jean", moreau_jean, both},
                               {"generalized-alpha", generalized_alpha, and_impacts}};
  }();
  return all;
}

const Method& method(const std::string& name) {
  return *std::find_if(methods().begin(), methods().end(), [&](const Method& m) { return m.name == name; });
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    names.push_back(method.name);
  return names;
}

CaseIntegrator make_integrator(const CaseSection& section, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome) {
  return section.with_line("method",
                           [&] { return method(section.text("method")).make(section, inclusions, outcome); });
}

std::vector<Check> kept_exactly(const std::string& name) {
  return method(name).exact;
}

}  // namespace halfdof::cli
