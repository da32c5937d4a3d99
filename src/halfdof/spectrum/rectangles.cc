// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/spectrum/rectangles.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

Rectangle rectangle_of(const FrequencyBand& band) {
  const double decay = band.largest_decay();
  return {{-decay, 2 * pi * band.from}, {decay, 2 * pi * band.to}};
}

void check_rectangle(const Rectangle& region) {
  const Complex diagonal = region.upper_right - region.lower_left;
  if (diagonal.real() > 0 && diagonal.imag() > 0 && std::isfinite(std::norm(region.lower_left)) &&
      std::isfinite(std::norm(region.upper_right)))
    return;
  throw InvalidInput("The region from " + number_text(region.lower_left) + " to " +
                     number_text(region.upper_right) +
                     " is no rectangle. Give two finite corners, the second one above and to the right of "
                     "the first one.");
}

Rectangle upper_half(const Rectangle& region) {
  const double low = region.lower_left.imag(), high = region.upper_right.imag();
  const double from = low < 0 && high > 0 ? 0 : std::min(std::abs(low), std::abs(high));
  return {{region.lower_left.real(), from},
          {region.upper_right.real(), std::max(std::abs(low), std::abs(high))}};
}

Rectangle widened(const Rectangle& region, double part) {
  constexpr double most = 1e-3;
  const Complex diagonal = region.upper_right - region.lower_left;
  const auto farthest = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
  const double reach = std::hypot(farthest(region.lower_left.real(), region.upper_right.real()),
                                  farthest(region.lower_left.imag(), region.upper_right.imag())),
               margin = std::min(part * reach, most * std::min(diagonal.real(), diagonal.imag()));
  const Complex lower_left = region.lower_left - Complex(margin, margin),
                upper_right = region.upper_right + Complex(margin, margin);
  const double low = region.lower_left.imag(), high = region.upper_right.imag();
  return {{lower_left.real(), low > 0 ? std::max(lower_left.imag(), low / 2) : lower_left.imag()},
          {upper_right.real(), high < 0 ? std::min(upper_right.imag(), high / 2) : upper_right.imag()}};
}

double distance_from_rim(const Rectangle& region, Complex value) {
  const double beside = std::max(region.lower_left.real() - value.real(),
                                 value.real() - region.upper_right.real()),
               above = std::max(region.lower_left.imag() - value.imag(),
                                value.imag() - region.upper_right.imag());
  return beside > 0 || above > 0 ? std::hypot(std::max(beside, 0.), std::max(above, 0.))
                                 : -std::max(beside, above);
}

}  // namespace halfdof::internal
