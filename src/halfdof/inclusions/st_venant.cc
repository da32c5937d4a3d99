// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/laws.h>

#include <algorithm>

namespace halfdof {

using namespace internal;

StVenantElement::StVenantElement(ScalarFunction alpha, ScalarFunction support)
    : alpha_(std::move(alpha)), support_(std::move(support)) {
  if (alpha_.is_constant()) parameters(0., ContactState::stick);
}

std::vector<const ScalarFunction*> StVenantElement::functions_of_time() const {
  std::vector<const ScalarFunction*> all = Law::functions_of_time();
  all.insert(all.end(), {&alpha_});
  return all;
}

LawParameters StVenantElement::parameters(double time, ContactState /*before*/) const {
  const double alpha = law_checks::not_negative(name(), "threshold", alpha_, time);
  return {-alpha, alpha};
}

}  // namespace halfdof
