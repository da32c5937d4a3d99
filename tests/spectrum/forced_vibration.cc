// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/forced_vibration.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double pi = 3.14159265358979323846;

ReducedSystem<EigenEngine> held(const DenseSystem& system, std::vector<Index> constrained) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = std::move(constrained);
  return reduce(AssembledSystem<EigenEngine>(description));
}

ComplexMultiVector pencil(const DenseSystem& system, Complex s) {
  return s * s * system.M + s * system.C + system.K.cast<Complex>();
}

Direction unit(GlobalIndex dof) {
  return Direction({{dof, 1.}});
}

/// A mass m on a spring k and a damper c, whose foot, DoF 1, is held.
struct Oscillator {
  double m = 2, c = 0.5, k = 80;

  DenseSystem system() const {
    DenseSystem two{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
    two.M(0, 0) = m;
    two.C << c, -c, -c, c;
    two.K << k, -k, -k, k;
    return two;
  }
  /// Acceleration of the mass per acceleration of its foot.
  Complex transmissibility(double f) const {
    const Complex s(0, 2 * pi * f);
    return (s * c + k) / (s * s * m + s * c + k);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(forced_vibration)

BOOST_AUTO_TEST_CASE(an_oscillator_follows_its_foot_in_closed_form) {
  const Oscillator oscillator;
  const auto model = held(oscillator.system(), {1});
  const std::vector<double> f{0.1, 1, 1.006, 5, 100};
  const FrequencyResponse H = base_response(model, f, {{unit(1)}, OutputQuantity::acceleration},
                                            {{OutputQuantity::acceleration, unit(0)},
                                             {OutputQuantity::displacement, Direction({{0, 1.}, {1, -1.}})},
                                             {OutputQuantity::acceleration, unit(1)}});
  for (std::size_t k = 0; k < f.size(); ++k) {
    const Complex T = oscillator.transmissibility(f[k]), s(0, 2 * pi * f[k]);
    for (const ComplexMultiVector& found : {H.before[k], H.after[k]}) {
      BOOST_TEST(std::abs(found(0, 0) - T) <= 1e-12 * std::abs(T));
      BOOST_TEST(std::abs(found(1, 0) - (T - 1.) / (s * s)) <= 1e-12 * std::abs((T - 1.) / (s * s)));
      BOOST_TEST(std::abs(found(2, 0) - 1.) <= 1e-15);
    }
  }
  BOOST_TEST(H.max_relative_difference <= 1e-12);
}

BOOST_AUTO_TEST_CASE(random_systems_follow_their_supports_as_their_dense_matrices) {
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const OutputQuantity given :
         {OutputQuantity::displacement, OutputQuantity::rate, OutputQuantity::acceleration})
      BOOST_TEST_CONTEXT(seed << ' ' << static_cast<int>(given)) {
        const DenseSystem system =
            seed % 2 == 0 ? random_symmetric(4, 2, 2, seed) : random_unsymmetric(4, 2, 2, seed);
        const Index n = system.size();
        const std::vector<Index> supports{1, n - 2};
        const auto model = held(system, supports);
        std::vector<Index> free;
        for (Index i = 0; i < n; ++i)
          if (i != supports[0] && i != supports[1]) free.push_back(i);
        std::vector<DirectedOutput> outputs;
        for (Index i = 0; i < n; ++i)
          outputs.push_back({OutputQuantity::displacement, unit(i)});
        for (const Index i : supports)
          outputs.push_back({OutputQuantity::reaction, unit(i)});
        const double f = 0.37;
        const FrequencyResponse H = base_response(
            model, {f}, {{unit(supports[0]), Direction({{supports[0], 2.}, {supports[1], -3.}})}, given},
            outputs);
        const Complex s(0, 2 * pi * f);
        MultiVector d(2, 2);
        d << 1, 2, 0, -3;
        const ComplexMultiVector q_D =
            d.cast<Complex>() / std::pow(s, given == OutputQuantity::displacement ? 0
                                            : given == OutputQuantity::rate       ? 1
                                                                                  : 2);
        const ComplexMultiVector P = pencil(system, s);
        ComplexMultiVector q(n, 2);
        q(supports, Eigen::all) = q_D;
        q(free, Eigen::all) = P(free, free).eval().fullPivLu().solve(-(P(free, supports) * q_D));
        ComplexMultiVector expected(n + 2, 2);
        expected.topRows(n) = q;
        expected.bottomRows(2) = P(supports, Eigen::all) * q;
        BOOST_TEST((H.before[0] - expected).norm() <= 1e-10 * expected.norm());
        BOOST_TEST((H.after[0] - expected).norm() <= 1e-10 * expected.norm());
      }
}

BOOST_AUTO_TEST_CASE(a_base_that_is_free_or_has_no_bounded_displacement_is_refused) {
  const auto model = held(Oscillator().system(), {1});
  const std::vector<DirectedOutput> outputs{{OutputQuantity::displacement, unit(0)}};
  BOOST_CHECK_THROW(base_response(model, {1.}, {{unit(0)}, OutputQuantity::displacement}, outputs),
                    InvalidInput);
  BOOST_CHECK_THROW(base_response(model, {0.}, {{unit(1)}, OutputQuantity::acceleration}, outputs),
                    InvalidInput);
  BOOST_CHECK_THROW(base_response(model, {1.}, {{unit(1)}, OutputQuantity::reaction}, outputs), InvalidInput);
  DenseSystem condensed = Oscillator().system();
  for (MultiVector* const A : {&condensed.C, &condensed.K})
    (*A)(0, 1) = (*A)(1, 0) = 0;
  BOOST_CHECK_THROW(
      base_response(held(condensed, {1}), {1.}, {{unit(1)}, OutputQuantity::displacement}, outputs),
      InvalidInput);
  const FrequencyResponse H = base_response(model, {0.}, {{unit(1)}, OutputQuantity::displacement}, outputs);
  BOOST_TEST(std::abs(H.after[0](0, 0) - 1.) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(frequencies_resolve_every_resonance) {
  std::vector<double> grid;
  for (int k = 0; k <= 10; ++k)
    grid.push_back(10. * k);
  std::vector<Complex> poles;
  for (const double f : {3., 27.5, 28., 70., 99.9})
    for (const double damping : {1e-5, 1e-2})
      poles.push_back(2 * pi * f * Complex(-damping, 1));
  const std::vector<double> found = with_resonances(grid, poles);
  BOOST_TEST(std::is_sorted(found.begin(), found.end()));
  BOOST_TEST(found.front() == 0);
  BOOST_TEST(found.back() == 100);
  for (const double f : grid)
    BOOST_TEST(std::binary_search(found.begin(), found.end(), f));
  for (const Complex pole : poles) {
    const auto H = [&](double f) { return 1 / std::abs(Complex(0, 2 * pi * f) - pole); };
    for (std::size_t k = 0; k + 1 < found.size(); ++k) {
      const double middle = (found[k] + found[k + 1]) / 2;
      if (std::abs(middle - pole.imag() / (2 * pi)) > 3) continue;  // as dense as the grid there
      BOOST_TEST(std::abs((H(found[k]) + H(found[k + 1])) / 2 - H(middle)) <= 0.01 * H(middle));
    }
  }
  // Of an undamped vibration, all but the resonance itself.
  const std::vector<double> undamped = with_resonances(grid, {Complex(0, 2 * pi * 50.5)});
  BOOST_TEST(!std::binary_search(undamped.begin(), undamped.end(), 50.5));
  BOOST_TEST(undamped.size() > grid.size());
  BOOST_TEST(with_resonances(grid, {Complex(-1, -2 * pi * 50.5), Complex(-3, 0)}) == grid);
  // Copies that differ by rounding add nothing.
  const Complex next = poles.front() * (1 + 1e-15);
  BOOST_TEST(with_resonances(grid, {poles.front(), next}).size() ==
             with_resonances(grid, {poles.front()}).size());
  // A mode beyond the range is resolved where the range ends.
  const std::vector<double> beyond = with_resonances(grid, {2 * pi * 100.1 * Complex(-1e-4, 1)});
  BOOST_TEST(beyond.back() == 100);
  BOOST_TEST(beyond[beyond.size() - 2] > 99.9);
}

BOOST_AUTO_TEST_CASE(densities_are_straight_lines_in_a_logarithmic_diagram) {
  const PowerSpectralDensity S({1, 10, 100, 200}, {2, 200, 200, 0});
  BOOST_TEST(S(1) == 2);
  BOOST_TEST(S(5) == 50, boost::test_tools::tolerance(1e-14));  // 2 f^2
  BOOST_TEST(S(50) == 200, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(S(150) == 100, boost::test_tools::tolerance(1e-14));
  BOOST_CHECK_THROW(S(0.5), InvalidInput);
  BOOST_CHECK_THROW(S(201), InvalidInput);
  BOOST_TEST(PowerSpectralDensity({0.}, {7.})(1e5) == 7);
  using Numbers = std::vector<double>;
  for (const auto& [f, values] : {std::pair<Numbers, Numbers>{{}, {}},
                                  {{1}, {1, 2}},
                                  {{2, 1}, {1, 1}},
                                  {{1, 1}, {1, 1}},
                                  {{-1, 1}, {1, 1}},
                                  {{1, 2}, {1, -1}},
                                  {{1, 2}, {1, std::nan("")}}})
    BOOST_CHECK_THROW(PowerSpectralDensity(f, values), InvalidInput);
}

BOOST_AUTO_TEST_CASE(white_noise_moves_an_oscillator_by_its_closed_form) {
  // A one-sided density S of the force gives q_rms^2 = S / (8 zeta omega^3 m^2) (Crandall and Mark 1963).
  const Oscillator oscillator;
  const double omega = std::sqrt(oscillator.k / oscillator.m),
               zeta = oscillator.c / (2 * oscillator.m * omega), S = 3;
  std::vector<double> grid;
  for (int k = 0; k <= 2000; ++k)
    grid.push_back(0.1 * k);
  const auto model = held(oscillator.system(), {1});
  const std::vector<double> f = with_resonances(grid, {omega * Complex(-zeta, std::sqrt(1 - zeta * zeta))});
  const RandomResponse random = random_response(frequency_response(model, f, {0}, displacements({0})),
                                                {PowerSpectralDensity({0.}, {S})});
  const double expected = std::sqrt(S / (8 * zeta * std::pow(omega, 3))) / oscillator.m;
  BOOST_TEST(std::abs(random.rms[0] - expected) <= 5e-3 * expected);
  BOOST_TEST(std::abs(random.rms[0] - expected) <= random.rms_error[0]);
  BOOST_TEST(random.rms_error[0] <= 1e-2 * expected);
  // The last interval counts, too, whatever the number of frequencies: here the resonance lies just beyond
  // it.
  for (const Index n : {200, 201}) {
    std::vector<double> coarse;
    for (Index k = 0; k < n; ++k)
      coarse.push_back(static_cast<double>(k) / static_cast<double>(n - 1) * omega / (2 * pi) * 0.9999);
    const RandomResponse unresolved = random_response(
        frequency_response(held(Oscillator{2, 0.003, 80}.system(), {1}), coarse, {0}, displacements({0})),
        {PowerSpectralDensity({0.}, {S})});
    BOOST_TEST(unresolved.rms_error[0] > 0.1 * unresolved.rms[0]);
  }
  BOOST_CHECK_THROW(random_response(frequency_response(model, f, {0}, displacements({0})), {}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
