// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/laws.h>

#include <limits>

namespace halfdof {

using namespace internal;

UnilateralContact::UnilateralContact(ScalarFunction obstacle, std::optional<double> restitution)
    : obstacle_(std::move(obstacle)), restitution_(restitution) {
  law_checks::restitution(name(), restitution);
}

LawParameters UnilateralContact::parameters(double /*time*/, ContactState /*before*/) const {
  return {};
}

Interval UnilateralContact::reaction_interval(const LawParameters& /*parameters*/) const {
  return {0., std::numeric_limits<double>::infinity()};
}

ContactState UnilateralContact::state(const LawParameters& /*parameters*/, LocalConstView w, LocalConstView r,
                                      double tolerance) const {
  return r[0] > 0 || w[0] <= tolerance ? ContactState::closed : ContactState::open;
}

}  // namespace halfdof
