// SPDX-License-Identifier: LGPL-2.1-or-later
#include "response_plot.h"

#include <halfdof/base/constants.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Magnitude and phase of one entry; phases go on without jumps of 360 degrees.
struct Polar {
  Vector magnitude, phase;
};

Polar polar_of(const std::vector<ComplexMultiVector>& response, const Transfer& H) {
  const auto n = static_cast<Eigen::Index>(response.size());
  Polar polar{Vector(n), Vector(n)};
  std::optional<double> last;
  for (Eigen::Index k = 0; k < n; ++k) {
    const Complex value = response[static_cast<std::size_t>(k)](H.output, H.input);
    polar.magnitude[k] = std::abs(value);
    polar.phase[k] = degrees(value);
    if (std::isnan(polar.phase[k])) continue;
    if (last) polar.phase[k] -= 360 * std::round((polar.phase[k] - *last) / 360);
    last = polar.phase[k];
  }
  return polar;
}

/// Returns the entries at some frequencies, so that points do not cover a line.
Vector some_of(const Vector& all) {
  constexpr Eigen::Index n_points = 30;
  const Eigen::Index stride = std::max<Eigen::Index>(1, all.size() / n_points);
  return all(Eigen::seq(0, all.size() - 1, stride));
}

}  // namespace

double degrees(Complex value) {
  return std::arg(Complex(value.real(), value.imag() + 0.)) * 180 / pi;
}

Plot response_plot(const std::vector<DrawnEntries>& all, const std::string& magnitude,
                   AxisScale frequency_scale, DrawnResponse drawn) {
  const Axis x{"frequency [Hz]", frequency_scale};
  CurvePanel magnitudes{"", x, {magnitude, AxisScale::logarithmic}}, phases{"", x, {"phase [deg]"}};
  const bool draws_before = drawn == DrawnResponse::before_and_after;
  for (const auto& [response, transfers, point] : all) {
    const Vector f =
        Vector::Map(response.frequencies.data(), static_cast<Eigen::Index>(response.frequencies.size()));
    const CurveStyle style = f.size() > 1 ? CurveStyle::line : CurveStyle::points;
    for (const Transfer& H : transfers) {
      const Polar after = polar_of(response.after, H);
      const std::string legend =
          H.legend + (point.empty() ? "" : ", " + point) + (draws_before ? ", after" : "");
      magnitudes.curves.push_back({legend, f, after.magnitude, style});
      phases.curves.push_back({legend, f, after.phase, style});
      if (!draws_before) continue;
      const Polar before = polar_of(response.before, H);
      magnitudes.curves.push_back({"before", some_of(f), some_of(before.magnitude), CurveStyle::points});
      phases.curves.push_back({"before", some_of(f), some_of(before.phase), CurveStyle::points});
    }
  }
  Plot plot;
  plot.panels = {magnitudes, phases};
  return plot;
}

}  // namespace halfdof::cli
