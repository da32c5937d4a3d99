// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_laws.h"

#include <halfdof/inclusions/laws.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace halfdof::cli {

namespace {

using LawPtr = std::shared_ptr<const Law>;

/// Returns the entry of this name in a list.
template <class Known>
const Known& named(const std::vector<Known>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Known& known) { return known.what.name == name; });
}

template <class Known>
std::vector<Explained> explained(const std::vector<Known>& all) {
  std::vector<Explained> choices;
  for (const Known& known : all)
    choices.push_back(known.what);
  return choices;
}

std::optional<double> restitution(const CaseSection& section) {
  return section.has("restitution") ? std::optional(section.number("restitution")) : std::nullopt;
}

LawPtr dry_friction(const CaseSection& section) {
  return std::make_shared<DryFriction>(section.function("lower"), section.function("upper"),
                                       section.function("support"));
}

LawPtr st_venant(const CaseSection& section) {
  return std::make_shared<StVenantElement>(section.function("threshold"), section.function("support"));
}

LawPtr unilateral(const CaseSection& section) {
  return std::make_shared<UnilateralContact>(section.function("obstacle"), restitution(section));
}

struct KnownCurve {
  Explained what;
  FrictionCurve (*make)(double at_rest, double kinetic, double speed);
};

const std::vector<KnownCurve>& curves() {
  static const std::vector<KnownCurve> all = {
      {{"exponential", "c = exp(-v/speed)"}, FrictionCurve::exponential},
      {{"hyperbolic", "c = 1/(1 + v/speed)"}, FrictionCurve::hyperbolic},
      {{"gaussian", "c = exp(-(v/speed)^2), flat at rest (Stribeck)"}, FrictionCurve::gaussian}};
  return all;
}

LawPtr weakening(const CaseSection& section) {
  const KnownCurve& curve = named(curves(), section.text("curve"));
  return std::make_shared<WeakeningFriction>(
      curve.make(section.number("at_rest"), section.number("kinetic"), section.number("speed")),
      section.function("support"));
}

LawPtr static_kinetic(const CaseSection& section) {
  return std::make_shared<StaticKineticFriction>(section.function("static"), section.function("slipping"),
                                                 section.function("support"));
}

/// Creates a law with as many tangents as the inclusion has directions in addition to its normal.
LawPtr coulomb(const CaseSection& section, std::size_t n_tangents) {
  std::vector<ScalarFunction> supports(n_tangents);
  if (section.has("supports")) supports = section.functions("supports");
  if (supports.size() != n_tangents)
    section.fail("supports", "has " + std::to_string(supports.size()) + " functions for " +
                                 std::to_string(n_tangents) + " tangents. Give one for each.");
  return std::make_shared<CoulombFriction>(section.function("friction"), section.function("obstacle"),
                                           std::move(supports), restitution(section));
}

Inclusion read_coulomb(const CaseSection& section, const ModelDoFs& dofs) {
  std::vector<Direction> directions = section.directions("tangents", dofs);
  const std::size_t n_tangents = directions.size();
  if (n_tangents < 1 || n_tangents > 2)
    section.fail("tangents",
                 "has " + std::to_string(n_tangents) + " directions. Give one in the plane, two in space.");
  directions.insert(directions.begin(), section.direction("normal", dofs));
  return {section.text("name"), coulomb(section, n_tangents), std::move(directions)};
}

using Read = Inclusion (*)(const CaseSection&, const ModelDoFs&);

template <LawPtr make(const CaseSection&)>
Inclusion read_scalar(const CaseSection& section, const ModelDoFs& dofs) {
  return inclusion(section.text("name"), make(section), section.direction("direction", dofs));
}

struct KnownLaw {
  Explained what;
  Read read;
};

/// All laws of cases. Their keys are in case_key_table.cc.
const std::vector<KnownLaw>& laws() {
  static const std::vector<KnownLaw> all = {
      {{"dry-friction", "lower <= r <= upper at rest, r = lower or r = upper in slip"},
       read_scalar<dry_friction>},
      {{"st-venant", "dry friction with |r| <= threshold"}, read_scalar<st_venant>},
      {{"unilateral", "contact: g >= 0, r >= 0, g r = 0"}, read_scalar<unilateral>},
      {{"coulomb", "contact with friction: |r_t| <= mu r_n"}, read_coulomb},
      {{"weakening", "friction that decreases with the speed of slip"}, read_scalar<weakening>},
      {{"static-kinetic", "friction whose threshold at rest is larger than that in slip"},
       read_scalar<static_kinetic>}};
  return all;
}

}  // namespace

std::vector<Explained> explained_laws() {
  return explained(laws());
}

std::vector<Explained> explained_curves() {
  return explained(curves());
}

Inclusion read_inclusion(const CaseSection& section, const ModelDoFs& dofs, double start) {
  if (section.text("name").find_first_of(",\"[]\n\r") != std::string::npos)
    section.fail("name",
                 "must not contain commas, quotes, brackets and line ends, since it becomes part of the name "
                 "of a column.");
  section.check_functions(start);
  const KnownLaw& law = named(laws(), section.text("law"));
  return section.with_line("law", [&] { return law.read(section, dofs); });
}

}  // namespace halfdof::cli
