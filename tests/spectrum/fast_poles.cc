// All eigenvalues of models whose fastest poles leave the slow ones no digits in the state matrix.
#include <halfdof/spectrum/compare_spectra.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr Index n = 5;

/// A fixed chain of masses of 1 kg on springs of 1 N/m; behind each mass a spring, and a damper that ties its end to the ground.
SparseSystem chain_on_dampers(double spring, double damper) {
  SparseSystem system(2 * n);
  for (Index i = 0; i < n; ++i) {
    system.add_mass(i, 1);
    system.add_spring(i, i == 0 || i + 1 == n ? 1 : 0);
    if (i > 0) system.add_spring(i - 1, i, 1);
    system.add_spring(i, n + i, spring);
    system.add_damper(n + i, damper);
  }
  return system;
}

/// In each mode of the chain alone, of frequency omega, lambda^2 + omega^2 + k c lambda / (k + c lambda) = 0.
std::vector<Complex> oscillations(double spring, double damper) {
  std::vector<Complex> all;
  for (Index j = 1; j <= n; ++j) {
    const double omega = 2 * std::sin(j * std::acos(-1.) / (2 * (n + 1)));
    Complex lambda(0, omega);
    for (int step = 0; step < 20; ++step)
      // lambda^2 + omega^2 in factors, that damping is not lost beside omega.
      lambda = Complex(0, omega) -
               spring * damper * lambda / (spring + damper * lambda) / (lambda + Complex(0, omega));
    all.push_back(lambda);
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fast_poles)

BOOST_AUTO_TEST_CASE(damping_of_modes_is_accurate_beside_poles_that_are_much_faster) {
  // QR knows A to rounding of its largest entries: of a damping of 5e-9 there was nothing left, nor did 1e8 N/m agree.
  for (const auto& [spring, damper] : {std::pair(1., 1e-5), {1., 1e-8}, {1e3, 1e-5}}) {
    const SpectrumComparison spectra = compare_all(reduced(chain_on_dampers(spring, damper)));
    BOOST_TEST(spectra.passed);
    const std::vector<Complex>& after = spectra.after.finite;
    BOOST_TEST(std::count_if(after.begin(), after.end(), [](Complex value) { return value.imag() == 0; }) ==
               n);
    for (const Complex exact : oscillations(spring, damper)) {
      const Complex found = *std::min_element(after.begin(), after.end(), [&](Complex a, Complex b) {
        return std::abs(a - exact) < std::abs(b - exact);
      });
      BOOST_TEST(std::abs(found - exact) < 1e-12);
      BOOST_TEST(found.real() / exact.real() == 1., boost::test_tools::tolerance(1e-6));
      BOOST_TEST(std::count(after.begin(), after.end(), std::conj(found)) == 1);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
