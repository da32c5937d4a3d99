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

constexpr Index max_branches = 40;
constexpr Index points_per_fit = 400;
constexpr Index points_for_errors = 4000;
constexpr Index n_margins = 13;
constexpr double widest_margin = 10;  ///< factor between an end of the band and the nearest rate
constexpr int n_reweightings = 3;

void check(const LossFactorBand& band, Index n_branches) {
  const double omega = 2 * pi * band.to;
  if (!(band.loss_factor > 0) || !std::isfinite(band.loss_factor))
    throw InvalidInput("The loss factor is " + number_text(band.loss_factor) +
                       ". Give a positive, finite number such as 0.02.");
  if (!(band.from > 0) || !(band.to > band.from) || !std::isfinite(omega * omega))
    throw InvalidInput(
        "The frequency band goes from " + number_text(band.from) + " to " + number_text(band.to) +
        " Hz. The lower limit must be positive, and the upper limit must be larger and finite.");
  if (n_branches < 1 || n_branches > max_branches)
    throw InvalidInput("The number of Prony branches is " + std::to_string(n_branches) +
                       ". Give a number from 1 to " + std::to_string(max_branches) +
                       "; two branches for each decade of frequencies are common.");
}

/// Returns n angular frequencies, evenly spaced on a logarithmic scale [1/s].
Vector logarithmically_spaced(double from, double to, Index n) {
  if (n == 1) return Vector::Constant(1, std::sqrt(from) * std::sqrt(to));
  return Vector::LinSpaced(n, std::log(from), std::log(to)).array().exp();
}

double loss_factor_of(const PronySeries& series, double omega) {
  const Complex K = relative_stiffness(1, series, Complex(0, omega));
  return K.imag() / K.real();
}

/// Returns the largest relative error of the loss factor at n_points frequencies. The points are so dense
/// that the error between two of them is hardly larger.
double largest_error(const LossFactorBand& band, const PronySeries& series, Index n_points) {
  double largest = 0;
  for (const double omega : logarithmically_spaced(2 * pi * band.from, 2 * pi * band.to, n_points))
    largest = std::max(largest, std::abs(loss_factor_of(series, omega) / band.loss_factor - 1));
  return largest;
}

/// Computes the series with the given rates that minimizes the sum of the squared relative errors of the loss
/// factor, by nonnegative least squares with a few reweightings. Terms with g = 0 are omitted.
PronySeries fit_terms(const LossFactorBand& band, const Vector& rates) {
  const Vector omega = logarithmically_spaced(2 * pi * band.from, 2 * pi * band.to, points_per_fit);
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
    const Vector margins = logarithmically_spaced(1 / widest, widest, n_margins);
    const double first_before = first, last_before = last;
    for (const double a : margins)
      for (const double b : margins) {
        if (first_before * a >= last_before * b) continue;
        const PronySeries series =
            fit_terms(band, logarithmically_spaced(first_before * a, last_before * b, n_branches));
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
                       " branches approximates the loss factor " + number_text(band.loss_factor) +
                       " between " + number_text(band.from) + " and " + number_text(band.to) +
                       " Hz. Use more branches, or a narrower band.");
  std::sort(best.series.begin(), best.series.end(),
            [](const PronyTerm& a, const PronyTerm& b) { return a.tau > b.tau; });
  best.largest_loss_factor_error = largest_error(band, best.series, points_for_errors);
  // The storage stiffness of a series rises with the frequency.
  const double low = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.from)).real(),
               high = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.to)).real();
  best.long_term = 2 / (low + high);
  best.largest_storage_error = (high - low) / (high + low);
  return best;
}

}  // namespace halfdof
