// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/differentiated_right_sides.h>
#include <halfdof/base/errors.h>

#include <algorithm>
#include <string>

namespace halfdof::internal {

PrescribedMotion with_derivatives(const PrescribedMotion& b,
                                  const std::vector<RightSideDerivative>& derivatives) {
  if (!b.moves()) return b;
  const std::vector<TimeFunction> all = {b.value, b.rate, b.acceleration, b.jerk};
  int highest = 0;
  for (const RightSideDerivative& derivative : derivatives)
    if (derivative.entry >= 0) highest = std::max(highest, derivative.order);
  for (int k = 0; k <= highest; ++k)
    if (!all[static_cast<std::size_t>(k)])
      throw InvalidInput("Constraints with a right side b(t) need its derivatives up to b" +
                         std::string(static_cast<std::size_t>(highest), '\'') + ", but b" +
                         std::string(static_cast<std::size_t>(k), '\'') +
                         " was not given. Give this function, too, as an analytic derivative.");
  const auto from = [&](std::size_t order) -> TimeFunction {
    if (order + static_cast<std::size_t>(highest) >= all.size()) return {};
    for (std::size_t k = order; k <= order + static_cast<std::size_t>(highest); ++k)
      if (!all[k]) return {};
    return [all, derivatives, order](double time) {
      const Vector of_b = all[order](time);
      Vector result = Vector::Zero(of_b.size() + static_cast<Index>(derivatives.size()));
      result.head(of_b.size()) = of_b;
      for (std::size_t k = 0; k < derivatives.size(); ++k)
        if (derivatives[k].entry >= 0)
          result[of_b.size() + static_cast<Index>(k)] =
              all[order + static_cast<std::size_t>(derivatives[k].order)](time)[derivatives[k].entry];
      return result;
    };
  };
  return {from(0), from(1), from(2), from(3)};
}

TimeFunction checked_load(const TimeFunction& load, const std::vector<Index>& multipliers,
                          const DoFLabels& labels) {
  if (!load) return load;
  return [load, multipliers, labels](double time) {
    Vector f = load(time);
    for (const Index j : multipliers)
      if (j < f.size() && f[j] != 0)
        throw NotAvailable(
            "A load acts on the equation of the multiplier " + labels.describe(j, j) +
            ". Such a load is the right side of a constraint, and its time derivatives are needed. "
            "Give the load and its derivatives as right side b(t) of the constraint "
            "(SystemDescription::right_sides).");
    return f;
  };
}

}  // namespace halfdof::internal
