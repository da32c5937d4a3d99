// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law_checks.h>

#include <sstream>

namespace halfdof::law_checks {

double not_negative(const std::string& law, const std::string& quantity, const ScalarFunction& function,
                    double time) {
  const double value = function(time);
  if (value < 0) {
    std::ostringstream message;
    message << "The " << quantity << " of the " << law << " is " << value << " at t = " << time
            << " s, but must never be negative, because the law would add energy to the structure: give the "
               "magnitude, without a sign.";
    throw InvalidInput(message.str());
  }
  return value;
}

void restitution(const std::string& law, std::optional<double> value) {
  if (value && !(*value >= 0 && *value <= 1)) {
    std::ostringstream message;
    message << "The coefficient of restitution of the " << law << " is " << *value
            << ". The coefficient must lie between 0 (the bodies stay together) and 1 (no energy is lost).";
    throw InvalidInput(message.str());
  }
}

}  // namespace halfdof::law_checks
