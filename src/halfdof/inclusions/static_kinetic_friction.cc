// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/laws.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

constexpr double equal = 1e-12;  ///< relative difference of thresholds that count as equal

double direction_of(ContactState state) {
  return state == ContactState::slip_forward ? 1. : state == ContactState::slip_back ? -1. : 0.;
}

}  // namespace

StaticKineticFriction::StaticKineticFriction(ScalarFunction static_threshold,
                                             ScalarFunction kinetic_threshold, ScalarFunction support)
    : static_(std::move(static_threshold)),
      kinetic_(std::move(kinetic_threshold)),
      support_(std::move(support)) {
  if (static_.is_constant() && kinetic_.is_constant()) parameters(0., ContactState::stick);
}

double StaticKineticFriction::one_sided_lipschitz_constant() const {
  return is_dry() ? 0. : std::numeric_limits<double>::infinity();
}

bool StaticKineticFriction::is_dry() const {
  return kinetic_.is_multiple_of(static_, 1.);
}

std::vector<const ScalarFunction*> StaticKineticFriction::functions_of_time() const {
  std::vector<const ScalarFunction*> all = Law::functions_of_time();
  all.insert(all.end(), {&static_, &kinetic_});
  return all;
}

LawParameters StaticKineticFriction::parameters(double time, ContactState before) const {
  double kinetic = law_checks::not_negative(name(), "slipping threshold", kinetic_, time);
  const double threshold = law_checks::not_negative(name(), "static threshold", static_, time);
  // Thresholds from tables that coincide differ by rounding.
  if (kinetic <= threshold * (1 + equal)) kinetic = std::min(kinetic, threshold);
  if (kinetic > threshold) {
    std::ostringstream message;
    message << "The thresholds of the " << name() << " are static = " << threshold
            << " and slipping = " << kinetic << " at t = " << time
            << " s. The one while it slips must not exceed the one while it sticks: are they exchanged?";
    throw InvalidInput(message.str());
  }
  const double in_force = before == ContactState::stick ? threshold : kinetic;
  return {-in_force, in_force, kinetic, threshold, direction_of(before)};
}

bool StaticKineticFriction::reconsider(LawParameters& parameters, ContactState found) const {
  const double in_force = parameters[1], kinetic = parameters[2], threshold = parameters[3];
  if (found == ContactState::stick || kinetic == threshold) return false;
  const bool comes_to_rest = direction_of(found) * parameters[4] < 0;
  if (!comes_to_rest && in_force == kinetic) return false;
  const double next = comes_to_rest ? threshold : kinetic;
  parameters = {-next, next, kinetic, threshold, 0.};
  return true;
}

}  // namespace halfdof
