// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spectrum_plot.h"

#include <halfdof/base/text_table.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace halfdof::cli {

namespace {

Curve points(const std::string& name, const std::vector<Complex>& eigenvalues) {
  constexpr double rounding = 1e-10;
  std::vector<double> real, imaginary;
  for (const Complex value : eigenvalues) {
    if (value.imag() < 0) continue;
    real.push_back(std::abs(value.real()) <= rounding * std::abs(value) ? 0 : value.real());
    imaginary.push_back(value.imag());
  }
  const auto n = static_cast<Eigen::Index>(real.size());
  return {name, Vector::Map(real.data(), n), Vector::Map(imaginary.data(), n), CurveStyle::points};
}

/// Returns an axis that suits the values of all curves.
Axis axis_of(const std::string& label, const std::vector<Curve>& curves, const Vector Curve::*coordinate) {
  constexpr double widest_linear = 1e3, widest = 1e9;
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Curve& curve : curves)
    for (const double value : curve.*coordinate) {
      if (value == 0) continue;
      least = std::min(least, std::abs(value));
      largest = std::max(largest, std::abs(value));
    }
  if (!(largest > widest_linear * least)) return {label};
  Axis axis{label, AxisScale::symmetric_logarithmic};
  axis.linear_up_to = std::max(least, largest / widest);
  axis.label += ", logarithmic beyond ±" + to_text(axis.linear_up_to, NumberStyle::general, 2);
  return axis;
}

Plot plot_of(const std::vector<Complex>& before, const std::vector<Complex>& after) {
  CurvePanel panel;
  panel.curves = {points("before", before), points("after", after)};
  panel.height = 280;
  panel.x = axis_of("Re λ [1/s]", panel.curves, &Curve::x);
  panel.y = axis_of("Im λ [1/s]", panel.curves, &Curve::y);
  Plot plot;
  plot.width = 520;
  plot.panels.emplace_back(std::move(panel));
  return plot;
}

}  // namespace

Plot spectrum_plot(const SpectrumComparison& comparison) {
  return plot_of(comparison.before.finite, comparison.after.finite);
}

Plot spectrum_plot(const SpectrumComparison& of_embedding, const StructurallyDampedModes& modes) {
  std::vector<Complex> before, after;
  std::vector<MatchedEigenvalues> pairs = of_embedding.matching.pairs;
  for (const StructurallyDampedMode& one : modes.modes) {
    const Complex value = one.mode.eigenvalue;
    after.push_back(value);
    // A real mode is listed by the real part of its eigenvalue.
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const MatchedEigenvalues& other) {
      const Complex found = of_embedding.after.finite[other.place_after];
      return value.imag() == 0 ? found.real() == value.real() : found == value;
    });
    if (pair == pairs.end()) continue;
    before.push_back(of_embedding.before.finite[pair->place_before]);
    pairs.erase(pair);
  }
  return plot_of(before, after);
}

}  // namespace halfdof::cli
