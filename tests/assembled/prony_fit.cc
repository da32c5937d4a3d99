// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

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

BOOST_AUTO_TEST_CASE(wrong_requests_are_refused) {
  BOOST_CHECK_THROW(fit_loss_factor({0, 1, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 0, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 2, 2}, 3), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 1, 2}, 0), InvalidInput);
  BOOST_CHECK_THROW(fit_loss_factor({0.1, 1, 2}, 41), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
