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

constexpr double equality_tolerance =
    1e-12;  ///< relative difference up to which two thresholds count as equal

/// Returns the sign of the slip rate in a contact state: 1, -1, or 0 if the inclusion sticks.
double slip_sign(ContactState state) {
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
  // A kinetic threshold that exceeds the static threshold by a rounding error is set to the static threshold.
  if (kinetic <= threshold * (1 + equality_tolerance)) kinetic = std::min(kinetic, threshold);
  if (kinetic > threshold) {
    std::ostringstream message;
    message << "The thresholds of the " << name() << " are static = " << threshold
            << " and slipping = " << kinetic << " at t = " << time
            << " s. The slipping threshold must not exceed the static threshold: check whether they were "
               "exchanged.";
    throw InvalidInput(message.str());
  }
  const double current_threshold = before == ContactState::stick ? threshold : kinetic;
  return {-current_threshold, current_threshold, kinetic, threshold, slip_sign(before)};
}

bool StaticKineticFriction::reconsider(LawParameters& parameters, ContactState found) const {
  const double current_threshold = parameters[1], kinetic = parameters[2], threshold = parameters[3];
  if (found == ContactState::stick || kinetic == threshold) return false;
  const bool comes_to_rest = slip_sign(found) * parameters[4] < 0;
  if (!comes_to_rest && current_threshold == kinetic) return false;
  const double next = comes_to_rest ? threshold : kinetic;
  parameters = {-next, next, kinetic, threshold, 0.};
  return true;
}

}  // namespace halfdof
