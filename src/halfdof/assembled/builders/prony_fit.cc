// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/dense/nearest_point.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

constexpr Index most_branches = 40;
constexpr Index points_per_fit = 400;
constexpr Index points_of_errors = 4000;
constexpr Index n_margins = 13;
constexpr double widest_margin = 10;  ///< factor between an end of the band and the nearest rate
constexpr int n_reweightings = 3;

void check(const LossFactorBand& band, Index n_branches) {
  const double omega = 2 * pi * band.to;
  if (!(band.loss_factor > 0) || !std::isfinite(band.loss_factor))
    throw InvalidInput("The loss factor is " + number_text(band.loss_factor) +
                       ". Give a positive, finite number such as 0.02.");
  if (!(band.from > 0) || !(band.to > band.from) || !std::isfinite(omega * omega))
    throw InvalidInput("The band goes from " + number_text(band.from) + " to " + number_text(band.to) +
                       " Hz. Its lower limit must be positive, and its upper limit larger and finite.");
  if (n_branches < 1 || n_branches > most_branches)
    throw InvalidInput(std::to_string(n_branches) + " branches were asked for. Give 1 to " +
                       std::to_string(most_branches) + "; two for each decade of frequencies are common.");
}

/// Returns n angular frequencies, evenly spaced on a logarithmic scale [1/s].
Vector logarithmic(double from, double to, Index n) {
  if (n == 1) return Vector::Constant(1, std::sqrt(from) * std::sqrt(to));
  return Vector::LinSpaced(n, std::log(from), std::log(to)).array().exp();
}

double loss_factor_of(const PronySeries& series, double omega) {
  const Complex K = relative_stiffness(1, series, Complex(0, omega));
  return K.imag() / K.real();
}

/// Returns the largest relative error of the loss factor. Between the points, the error changes by much less
/// than its largest value.
double largest_error(const LossFactorBand& band, const PronySeries& series, Index n_points) {
  double largest = 0;
  for (const double omega : logarithmic(2 * pi * band.from, 2 * pi * band.to, n_points))
    largest = std::max(largest, std::abs(loss_factor_of(series, omega) / band.loss_factor - 1));
  return largest;
}

/// Returns the terms of the series with these rates that minimize the relative errors of the loss factor.
PronySeries fitted(const LossFactorBand& band, const Vector& rates) {
  const Vector omega = logarithmic(2 * pi * band.from, 2 * pi * band.to, points_per_fit);
  const double eta = band.loss_factor;
  MultiVector A(omega.size(), rates.size()), storage(omega.size(), rates.size());
  for (Eigen::Index j = 0; j < omega.size(); ++j)
    for (Eigen::Index k = 0; k < rates.size(); ++k) {
      const Complex branch = Complex(0, omega[j]) / Complex(rates[k], omega[j]);
      A(j, k) = branch.imag() / eta - branch.real();
      storage(j, k) = branch.real();
    }
  Vector g = Vector::Zero(rates.size());
  for (int i = 0; i < n_reweightings; ++i) {
    const Vector weights = (1 + (storage * g).array()).inverse();
    MultiVector E = weights.asDiagonal() * A;
    const Vector sizes = E.colwise().norm();
    E = E * sizes.cwiseInverse().asDiagonal();
    g = (nonnegative_least_squares(E, weights / weights.norm()).array() * weights.norm() / sizes.array());
  }
  PronySeries series;
  for (Eigen::Index k = 0; k < rates.size(); ++k)
    if (g[k] > 0) series.push_back({g[k], 1 / rates[k]});
  return series;
}

}  // namespace

Complex relative_stiffness(double long_term, const PronySeries& series, Complex s) {
  Complex sum = 1;
  for (const PronyTerm& term : series)
    sum += term.g * s * term.tau / (1. + s * term.tau);
  return long_term * sum;
}

PronyFit fit_loss_factor(const LossFactorBand& band, Index n_branches) {
  check(band, n_branches);
  PronyFit best;
  best.largest_loss_factor_error = std::numeric_limits<double>::infinity();
  double first = 2 * pi * band.from, last = 2 * pi * band.to;
  for (const double widest : {widest_margin, std::pow(widest_margin, 2. / (n_margins - 1))}) {
    const Vector margins = logarithmic(1 / widest, widest, n_margins);
    const double first_before = first, last_before = last;
    for (const double a : margins)
      for (const double b : margins) {
        if (first_before * a >= last_before * b) continue;
        const PronySeries series = fitted(band, logarithmic(first_before * a, last_before * b, n_branches));
        const double error = series.empty() ? std::numeric_limits<double>::infinity()
                                            : largest_error(band, series, points_per_fit);
        if (error >= best.largest_loss_factor_error) continue;
        best.largest_loss_factor_error = error;
        best.series = series;
        first = first_before * a;
        last = last_before * b;
      }
  }
  if (best.series.empty())
    throw InvalidInput("No Prony series of " + std::to_string(n_branches) +
                       " branches comes near to the loss factor " + number_text(band.loss_factor) +
                       " between " + number_text(band.from) + " and " + number_text(band.to) +
                       " Hz. Ask for more branches, or for a narrower band.");
  std::sort(best.series.begin(), best.series.end(),
            [](const PronyTerm& a, const PronyTerm& b) { return a.tau > b.tau; });
  best.largest_loss_factor_error = largest_error(band, best.series, points_of_errors);
  // The storage stiffness of a series rises with the frequency.
  const double low = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.from)).real(),
               high = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.to)).real();
  best.long_term = 2 / (low + high);
  best.largest_storage_error = (high - low) / (high + low);
  return best;
}

}  // namespace halfdof
