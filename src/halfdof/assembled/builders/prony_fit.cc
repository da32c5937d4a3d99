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
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr Index most_branches = 40;
constexpr Index points_per_fit = 400;
constexpr Index points_of_errors = 4000;
constexpr Index n_margins = 13;
constexpr double widest_margin = 10;  ///< largest factor between an end of the band and the nearest rate
constexpr int n_reweightings = 3;

void check(Index n_branches) {
  if (n_branches < 1 || n_branches > most_branches)
    throw InvalidInput("The number of Prony branches is " + std::to_string(n_branches) +
                       ". Give a number from 1 to " + std::to_string(most_branches) +
                       "; two branches for each decade of frequencies are common.");
}

void check(const LossFactorBand& band, Index n_branches) {
  const double omega = 2 * pi * band.to;
  if (!(band.loss_factor > 0) || !std::isfinite(band.loss_factor))
    throw InvalidInput("The loss factor is " + number_text(band.loss_factor) +
                       ". Give a positive, finite number such as 0.02.");
  if (!(band.from > 0) || !(band.to > band.from) || !std::isfinite(omega * omega))
    throw InvalidInput(
        "The frequency band goes from " + number_text(band.from) + " to " + number_text(band.to) +
        " Hz. The lower limit must be positive, and the upper limit must be larger and finite.");
  check(n_branches);
}

void check(const ModulusTable& table, Index n_branches) {
  const Eigen::Index n = table.frequencies.size();
  if (n < 2 || table.moduli.size() != n)
    throw InvalidInput("The table has " + std::to_string(n) + " frequencies and " +
                       std::to_string(table.moduli.size()) +
                       " moduli. Give at least two frequencies, and one modulus for each.");
  for (Eigen::Index j = 0; j < n; ++j) {
    const double f = table.frequencies[j], before = j > 0 ? table.frequencies[j - 1] : 0;
    const Complex K = table.moduli[j];
    if (!(f > before) || !std::isfinite(f * f))
      throw InvalidInput("Frequency " + std::to_string(j + 1) + " of the table is " + number_text(f) +
                         " Hz. Frequencies must be positive, finite and strictly ascending.");
    if (!(K.real() > 0) || !(K.imag() >= 0) || !std::isfinite(std::norm(K)))
      throw InvalidInput(
          "At " + number_text(f) + " Hz, the storage modulus is " + number_text(K.real()) +
          " and the loss modulus " + number_text(K.imag()) +
          ". The first one must be positive, the second one zero or positive, and both finite.");
  }
  if (table.moduli.imag().isZero(0))
    throw InvalidInput(
        "The table has no loss: its loss moduli are zero. An elastic material needs no Prony series.");
  check(n_branches);
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

/// Returns g >= 0 that minimizes @f$|W (A g - b)|@f$ with the diagonal matrix W of the weights.
Vector weighted_least_squares(const MultiVector& A, const Vector& b, const Vector& weights) {
  MultiVector E = weights.asDiagonal() * A;
  const Vector sizes = E.colwise().norm(), f = weights.cwiseProduct(b);
  E = E * sizes.cwiseInverse().asDiagonal();
  return nonnegative_least_squares(E, f / f.norm()).array() * f.norm() / sizes.array();
}

/// A series and the largest error by which series are compared; infinite if there is no series.
struct Candidate {
  double long_term = 1;
  PronySeries series = {};
  double error = std::numeric_limits<double>::infinity();
};

/// Returns the series with these rates that minimizes the relative errors of the loss factor.
Candidate fitted(const LossFactorBand& band, const Vector& rates) {
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
  for (int i = 0; i < n_reweightings; ++i)
    g = weighted_least_squares(A, Vector::Ones(omega.size()), (1 + (storage * g).array()).inverse());
  Candidate result;
  for (Eigen::Index k = 0; k < rates.size(); ++k)
    if (g[k] > 0) result.series.push_back({g[k], 1 / rates[k]});
  if (!result.series.empty()) result.error = largest_error(band, result.series, points_per_fit);
  return result;
}

double largest_relative_error(const ModulusTable& table, double long_term, const PronySeries& series) {
  double largest = 0;
  for (Eigen::Index j = 0; j < table.moduli.size(); ++j) {
    const Complex K = relative_stiffness(long_term, series, Complex(0, 2 * pi * table.frequencies[j]));
    largest = std::max(largest, std::abs(K / table.moduli[j] - 1.));
  }
  return largest;
}

/// Returns the series with these rates that minimizes the relative errors of the moduli.
Candidate fitted(const ModulusTable& table, const Vector& rates) {
  const Eigen::Index n = table.moduli.size(), m = rates.size();
  MultiVector A(2 * n, m + 1);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Complex s(0, 2 * pi * table.frequencies[j]);
    for (Eigen::Index k = 0; k <= m; ++k) {
      const Complex entry = (k < m ? s / (s + rates[k]) : 1.) / table.moduli[j];
      A(j, k) = entry.real();
      A(n + j, k) = entry.imag();
    }
  }
  Vector b = Vector::Zero(2 * n);
  b.head(n).setOnes();
  const Vector stiffnesses = weighted_least_squares(A, b, Vector::Ones(2 * n));
  Candidate result;
  result.long_term = stiffnesses[m];
  if (!(result.long_term > 0)) return result;
  for (Eigen::Index k = 0; k < m; ++k)
    if (stiffnesses[k] > 0) result.series.push_back({stiffnesses[k] / result.long_term, 1 / rates[k]});
  result.error = largest_relative_error(table, result.long_term, result.series);
  return result;
}

/// Returns the best of the series whose rates are evenly spaced between ends near those of the frequencies.
/// The ends are varied twice, the second time more finely.
template <class Target>
Candidate best_series(const Target& target, double from, double to, Index n_branches) {
  Candidate best;
  double first = 2 * pi * from, last = 2 * pi * to;
  for (const double widest : {widest_margin, std::pow(widest_margin, 2. / (n_margins - 1))}) {
    const Vector margins = logarithmic(1 / widest, widest, n_margins);
    const double first_before = first, last_before = last;
    for (const double a : margins)
      for (const double b : margins) {
        if (first_before * a >= last_before * b) continue;
        Candidate candidate = fitted(target, logarithmic(first_before * a, last_before * b, n_branches));
        if (candidate.error >= best.error) continue;
        best = std::move(candidate);
        first = first_before * a;
        last = last_before * b;
      }
  }
  std::sort(best.series.begin(), best.series.end(),
            [](const PronyTerm& a, const PronyTerm& b) { return a.tau > b.tau; });
  return best;
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
  best.series = best_series(band, band.from, band.to, n_branches).series;
  if (best.series.empty())
    throw InvalidInput("No Prony series of " + std::to_string(n_branches) +
                       " branches approximates the loss factor " + number_text(band.loss_factor) +
                       " between " + number_text(band.from) + " and " + number_text(band.to) +
                       " Hz. Use more branches, or a narrower band.");
  best.largest_loss_factor_error = largest_error(band, best.series, points_of_errors);
  // The storage stiffness of a series rises with the frequency.
  const double low = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.from)).real(),
               high = relative_stiffness(1, best.series, Complex(0, 2 * pi * band.to)).real();
  best.long_term = 2 / (low + high);
  best.largest_storage_error = (high - low) / (high + low);
  best.largest_relative_error = 0;
  for (const double omega : logarithmic(2 * pi * band.from, 2 * pi * band.to, points_of_errors)) {
    const Complex K = relative_stiffness(best.long_term, best.series, Complex(0, omega));
    best.largest_relative_error =
        std::max(best.largest_relative_error, std::abs(K / Complex(1, band.loss_factor) - 1.));
  }
  return best;
}

PronyFit fit_moduli(const ModulusTable& table, Index n_branches) {
  check(table, n_branches);
  const Vector& f = table.frequencies;
  Candidate best = best_series(table, f[0], f[f.size() - 1], n_branches);
  if (std::isinf(best.error))
    throw InvalidInput(
        "The long-term stiffness of all Prony series of at most " + std::to_string(n_branches) +
        " branches that were fitted to the table is zero, but must be positive. Add moduli at lower "
        "frequencies, where the storage modulus no longer falls, and make sure that storage and loss moduli "
        "are "
        "not exchanged.");
  if (best.series.empty())
    throw InvalidInput(
        "The Prony series nearest to the table has no branches, as if the table had no loss: its loss moduli "
        "are too small for a storage modulus that does not rise with the frequency.");
  PronyFit fit{best.long_term, std::move(best.series), 0, 0, best.error};
  for (Eigen::Index j = 0; j < f.size(); ++j) {
    const Complex K = relative_stiffness(fit.long_term, fit.series, Complex(0, 2 * pi * f[j])),
                  given = table.moduli[j];
    fit.largest_loss_factor_error =
        std::max(fit.largest_loss_factor_error, std::abs(K.imag() / K.real() - given.imag() / given.real()));
    fit.largest_storage_error = std::max(fit.largest_storage_error, std::abs(K.real() / given.real() - 1));
  }
  return fit;
}

}  // namespace halfdof
