// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/spectrum/forced_vibration.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the distance of the two given frequencies around f.
double distance_around(const std::vector<double>& frequencies, double f) {
  const auto above = std::upper_bound(frequencies.begin() + 1, frequencies.end() - 1, f);
  return *above - *(above - 1);
}

/// A frequency and the distance of its neighbours for the sake of which it was chosen [Hz]; zero: it was
/// given.
struct ChosenFrequency {
  double at, distance;
};

/// Sorts frequencies and omits chosen ones that are much nearer to another one than their distance: repeated
/// eigenvalues, and those of conjugate systems, differ by rounding only, and differences over such short
/// intervals would be rounding, too.
std::vector<double> without_near_copies(std::vector<ChosenFrequency> all) {
  constexpr double near = 1e-2;
  std::sort(all.begin(), all.end(),
            [](const ChosenFrequency& a, const ChosenFrequency& b) { return a.at < b.at; });
  std::vector<ChosenFrequency> kept;
  for (const ChosenFrequency& next : all) {
    if (!kept.empty() && next.at - kept.back().at <= near * next.distance) continue;
    while (!kept.empty() && next.at - kept.back().at < near * kept.back().distance)
      kept.pop_back();
    kept.push_back(next);
  }
  std::vector<double> frequencies;
  for (const ChosenFrequency& one : kept)
    frequencies.push_back(one.at);
  return frequencies;
}

/// An integral by the trapezoidal rule, and a bound of its error.
struct Integral {
  double value = 0, error = 0;
};

/// The error of an interval is bounded by three times h^3 |y''| / 12, with y'' by divided differences on both
/// sides; the smaller one counts, since a density may have a kink at an end of the interval.
Integral integral(const std::vector<double>& x, const Vector& y) {
  Integral sum;
  const auto n = static_cast<Index>(x.size());
  const auto h = [&](Index k) { return x[static_cast<std::size_t>(k) + 1] - x[static_cast<std::size_t>(k)]; };
  const auto curvature = [&](Index k) {
    if (k < 1 || k + 1 >= n) return std::numeric_limits<double>::infinity();
    return std::abs(2 * ((y[k + 1] - y[k]) / h(k) - (y[k] - y[k - 1]) / h(k - 1)) / (h(k) + h(k - 1)));
  };
  for (Index k = 0; k + 1 < n; ++k) {
    sum.value += (y[k] + y[k + 1]) / 2 * h(k);
    sum.error += std::pow(h(k), 3) / 4 * std::min(curvature(k), curvature(k + 1));
  }
  return sum;
}

}  // namespace

std::vector<double> with_resonances(const std::vector<double>& frequencies,
                                    const std::vector<Complex>& eigenvalues, double step) {
  constexpr double least = 1e-6;
  if (!(step > 0) || !(step < 10))
    throw InvalidInput("The steps of frequencies around resonances are " + number_text(step) +
                       " half widths. Give a positive number below 10.");
  if (frequencies.size() < 2) return frequencies;
  std::vector<ChosenFrequency> all;
  for (const double frequency : frequencies)
    all.push_back({frequency, 0});
  const double first = frequencies.front(), last = frequencies.back();
  for (const Complex value : eigenvalues) {
    const double f = value.imag() / (2 * pi), decay = std::abs(value.real()) / (2 * pi),
                 width = std::max(decay, least * f);
    if (!(f > 0)) continue;
    const double distance = distance_around(frequencies, f);
    if (decay >= least * f && f >= first && f <= last) all.push_back({f, step * width});
    for (int k = 1; step * width * std::cosh(step * k) < distance; ++k)
      for (const double neighbour : {f - width * std::sinh(step * k), f + width * std::sinh(step * k)})
        if (neighbour > first && neighbour < last)
          all.push_back({neighbour, step * width * std::cosh(step * k)});
  }
  return without_near_copies(std::move(all));
}

PowerSpectralDensity::PowerSpectralDensity(std::vector<double> frequencies, std::vector<double> values)
    : frequencies_(std::move(frequencies)), values_(std::move(values)) {
  if (frequencies_.empty() || frequencies_.size() != values_.size())
    throw InvalidInput("A power spectral density has " + std::to_string(frequencies_.size()) +
                       " frequencies and " + std::to_string(values_.size()) +
                       " values. Give at least one frequency, and a value for each.");
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (!(frequencies_[k] >= 0) || !std::isfinite(frequencies_[k]) ||
        (k > 0 && !(frequencies_[k] > frequencies_[k - 1])))
      throw InvalidInput(
          "The frequencies of a power spectral density must be finite, not negative, and "
          "ascend, but number " +
          std::to_string(k) + " (counted from zero) is " + number_text(frequencies_[k]) + ".");
    if (!(values_[k] >= 0) || !std::isfinite(values_[k]))
      throw InvalidInput("A power spectral density is " + number_text(values_[k]) + " at " +
                         number_text(frequencies_[k]) + " Hz. It must be finite and not negative.");
  }
}

double PowerSpectralDensity::operator()(double frequency) const {
  if (frequencies_.size() == 1) return values_.front();
  if (!(frequency >= frequencies_.front() && frequency <= frequencies_.back()))
    throw InvalidInput("A power spectral density is given from " + number_text(frequencies_.front()) +
                       " to " + number_text(frequencies_.back()) + " Hz, but was asked for at " +
                       number_text(frequency) + " Hz. Give it for the whole range of the response.");
  const auto above = std::upper_bound(frequencies_.begin() + 1, frequencies_.end() - 1, frequency);
  const auto k = static_cast<std::size_t>(above - frequencies_.begin());
  const double f_0 = frequencies_[k - 1], f_1 = frequencies_[k], S_0 = values_[k - 1], S_1 = values_[k];
  if (S_0 > 0 && S_1 > 0 && f_0 > 0)
    return S_0 * std::pow(S_1 / S_0, std::log(frequency / f_0) / std::log(f_1 / f_0));
  return S_0 + (S_1 - S_0) * (frequency - f_0) / (f_1 - f_0);
}

RandomResponse random_response(const FrequencyResponse& response,
                               const std::vector<PowerSpectralDensity>& inputs) {
  RandomResponse random;
  const auto n_inputs = static_cast<Index>(inputs.size());
  std::vector<Vector> rows;
  for (std::size_t k = 0; k < response.frequencies.size(); ++k) {
    const ComplexMultiVector& H = response.after[k];
    if (H.cols() != n_inputs)
      throw InvalidInput("The response has " + std::to_string(H.cols()) + " inputs, but " +
                         std::to_string(n_inputs) +
                         " power spectral densities were given. Give one for each input.");
    if (response.rounding[k].size() == 0) continue;  // there is no response
    Vector densities(n_inputs);
    for (Index i = 0; i < n_inputs; ++i)
      densities[i] = inputs[static_cast<std::size_t>(i)](response.frequencies[k]);
    random.frequencies.push_back(response.frequencies[k]);
    rows.push_back(H.cwiseAbs2() * densities);
  }
  const Index n_outputs = rows.empty() ? 0 : static_cast<Index>(rows.front().size());
  random.densities.resize(static_cast<Index>(rows.size()), n_outputs);
  for (std::size_t k = 0; k < rows.size(); ++k)
    random.densities.row(static_cast<Index>(k)) = rows[k];
  random.rms = Vector::Zero(n_outputs);
  random.rms_error = Vector::Constant(n_outputs, std::numeric_limits<double>::quiet_NaN());
  for (Index o = 0; o < n_outputs; ++o) {
    const Integral mean_square = integral(random.frequencies, random.densities.col(o));
    random.rms[o] = std::sqrt(mean_square.value);
    if (rows.size() > 2)
      random.rms_error[o] = random.rms[o] > 0 ? mean_square.error / (2 * random.rms[o]) : 0.;
  }
  return random;
}

}  // namespace halfdof
