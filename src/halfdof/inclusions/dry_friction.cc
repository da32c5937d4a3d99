// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>

#include <algorithm>
#include <sstream>

namespace halfdof {

DryFriction::DryFriction(ScalarFunction lower, ScalarFunction upper, ScalarFunction support)
    : lower_(std::move(lower)), upper_(std::move(upper)), support_(std::move(support)) {
  if (lower_.is_constant() && upper_.is_constant()) parameters(0., ContactState::stick);
}

std::vector<const ScalarFunction*> DryFriction::functions_of_time() const {
  std::vector<const ScalarFunction*> all = Law::functions_of_time();
  all.insert(all.end(), {&lower_, &upper_});
  return all;
}

LawParameters DryFriction::parameters(double time, ContactState /*before*/) const {
  const double lower = lower_(time), upper = upper_(time);
  if (lower > 0 || upper < 0) {
    std::ostringstream message;
    message << "The thresholds of the dry friction are lower = " << lower << " and upper = " << upper
            << " at t = " << time
            << " s. They must obey lower <= 0 <= upper: lower is the reaction while the slip rate is "
               "positive, upper the reaction while it is negative. Add a constant force to the load instead.";
    throw InvalidInput(message.str());
  }
  return {lower, upper};
}

}  // namespace halfdof
