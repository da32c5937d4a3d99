// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

using namespace halfdof;

namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

/// Storage and loss stiffness as sums of real terms, at 30000 frequencies.
struct Errors {
  double loss = 0, storage = 0;

  Errors(const PronyFit& fit, const LossFactorBand& band) {
    constexpr int n = 30000;
    for (int i = 0; i <= n; ++i) {
      const double omega = two_pi * band.from * std::pow(band.to / band.from, static_cast<double>(i) / n);
      double real = 1, imaginary = 0;
      for (const PronyTerm& term : fit.series) {
        const double x = omega * term.tau;
        real += term.g * x * x / (1 + x * x);
        imaginary += term.g * x / (1 + x * x);
      }
      loss = std::max(loss, std::abs(imaginary / real / band.loss_factor - 1));
      storage = std::max(storage, std::abs(fit.long_term * real - 1));
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(prony_fit)

BOOST_AUTO_TEST_CASE(errors_are_those_of_the_series) {
  for (const LossFactorBand band : {LossFactorBand{0.02, 10, 1000}, LossFactorBand{0.3, 1, 50},
                                    LossFactorBand{1, 0.1, 1}, LossFactorBand{1e-4, 5, 6}})
    for (const Index n : {1, 3, 6, 9}) {
      const PronyFit fit = fit_loss_factor(band, n);
      check_series(fit.series);
      BOOST_TEST(static_cast<Index>(fit.series.size()) <= n);
      const Errors errors(fit, band);
      BOOST_TEST(std::abs(errors.loss - fit.largest_loss_factor_error) <
                 1e-3 * fit.largest_loss_factor_error + 1e-10);
      BOOST_TEST(std::abs(errors.storage - fit.largest_storage_error) < 1e-9 * fit.largest_storage_error);
    }
}

BOOST_AUTO_TEST_CASE(more_branches_are_more_accurate) {
  const LossFactorBand band{0.02, 10, 1000};
  double last = 1;
  for (const Index n : {2, 4, 6, 8}) {
    const PronyFit fit = fit_loss_factor(band, n);
    BOOST_TEST(fit.largest_loss_factor_error < last / 2);
    last = fit.largest_loss_factor_error;
  }
  BOOST_TEST(fit_loss_factor(band, 6).largest_loss_factor_error < 0.02);
}

BOOST_AUTO_TEST_CASE(the_storage_stiffness_rises_as_causality_demands) {
  const LossFactorBand band{0.02, 10, 1000};
  const double unavoidable =
      std::tanh(std::atan(band.loss_factor) * std::log(band.to / band.from) / (two_pi / 2));
  const double error = fit_loss_factor(band, 8).largest_storage_error;
  BOOST_TEST(std::abs(error - unavoidable) < 0.05 * unavoidable);
}

/// Fractional Zener model (K_0 + K_1 (i omega tau)^alpha) / (1 + (i omega tau)^alpha).
ModulusTable fractional_zener(double K_0, double K_1, double tau, double alpha, Eigen::Index n) {
  ModulusTable table{Vector(n), ComplexVector(n)};
  for (Eigen::Index j = 0; j < n; ++j) {
    table.frequencies[j] = std::pow(10., -1 + 5. * static_cast<double>(j) / static_cast<double>(n - 1));
    const Complex power = std::pow(Complex(0, two_pi * table.frequencies[j] * tau), alpha);
    table.moduli[j] = (K_0 + K_1 * power) / (1. + power);
  }
  return table;
}

BOOST_AUTO_TEST_CASE(moduli_of_a_series_give_the_series) {
  // The rates are evenly spaced, but need not be those of the search: two series with other rates agree.
  const double tau = 1 / (two_pi * 10);
  ModulusTable table{Vector(61), ComplexVector(61)};
  for (Eigen::Index j = 0; j < 61; ++j) {
    table.frequencies[j] = std::pow(10., -1 + 0.05 * static_cast<double>(j));
    table.moduli[j] = relative_stiffness(3e5, {{4, tau}}, Complex(0, two_pi * table.frequencies[j]));
  }
  const PronyFit fit = fit_moduli(table, 7);
  check_series(fit.series);
  BOOST_TEST(std::abs(fit.long_term / 3e5 - 1) < 2e-3);
  BOOST_TEST(fit.largest_storage_error < 5e-3);
  BOOST_TEST(fit.largest_loss_factor_error < 5e-3);
}

BOOST_AUTO_TEST_CASE(moduli_of_a_fractional_model_are_met_in_any_unit) {
  for (const double unit : {1., 1e9, 1e-12}) {
    const ModulusTable table = fractional_zener(3.504e5 * unit, 3.062e9 * unit, 8.23e-9, 0.675, 101);
    const PronyFit fit = fit_moduli(table, 12);
    double storage = 0, loss = 0, relative = 0;
    for (Eigen::Index j = 0; j < table.moduli.size(); ++j) {
      const double omega = two_pi * table.frequencies[j];
      double real = 1, imaginary = 0;
      for (const PronyTerm& term : fit.series) {
        const double x = omega * term.tau;
        real += term.g * x * x / (1 + x * x);
        imaginary += term.g * x / (1 + x * x);
      }
      const Complex K = table.moduli[j];
      storage = std::max(storage, std::abs(fit.long_term * real / K.real() - 1));
      loss = std::max(loss, std::abs(imaginary / real - K.imag() / K.real()));
      relative = std::max(relative, std::abs(fit.long_term * Complex(real, imaginary) / K - 1.));
    }
    BOOST_TEST(std::abs(relative - fit.largest_relative_error) < 1e-9);
    BOOST_TEST(std::abs(storage - fit.largest_storage_error) < 1e-9);
    BOOST_TEST(std::abs(loss - fit.largest_loss_factor_error) < 1e-9);
    BOOST_TEST(storage < 0.02);
    BOOST_TEST(loss < 0.02);
  }
}

BOOST_AUTO_TEST_CASE(tables_that_are_no_moduli_are_refused) {
  const auto table = [](std::vector<double> f, std::vector<Complex> K) {
    return ModulusTable{Eigen::Map<Vector>(f.data(), static_cast<Eigen::Index>(f.size())),
                        Eigen::Map<ComplexVector>(K.data(), static_cast<Eigen::Index>(K.size()))};
  };
  const Complex K(1, 0.1);
  BOOST_CHECK_THROW(fit_moduli(table({1}, {K}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 2}, {K}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({2, 1}, {K, K}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({0, 1}, {K, K}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 2}, {K, {-1, 0.1}}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 2}, {K, {1, -0.1}}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 2}, {K, std::nan("")}), 3), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 2}, {K, K}), 0), InvalidInput);
  BOOST_CHECK_THROW(fit_moduli(table({1, 10, 100}, {2., 2., 2.}), 3), InvalidInput);
}

BOOST_AUTO_TEST_CASE(wrong_requests_are_refused) {
  BOOST_CHECK_THROW(fit_loss_factor({0, 1, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 0, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 2, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 1, 2}, 0), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 1, 2}, 41), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
