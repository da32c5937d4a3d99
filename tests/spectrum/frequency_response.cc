// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/reduced.h"
#include <cmath>
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

ReducedSystem<EigenEngine> with_constrained(const DenseSystem& system, std::vector<Index> constrained) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = std::move(constrained);
  return reduce(AssembledSystem<EigenEngine>(description));
}

/// A mass m on a Zener element: spring k in parallel with spring k_1 and damper c in series.
struct Zener {
  double m = 2, k = 50, k_1 = 30, c = 4;

  DenseSystem system() const {
    DenseSystem zener{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
    zener.M(0, 0) = m;
    zener.C(1, 1) = c;
    zener.K << k + k_1, -k_1, -k_1, k_1;
    return zener;
  }
  /// Of the mass under a force on it, in closed form.
  Complex response(double frequency) const {
    const Complex s(0, two_pi * frequency);
    return 1. / (s * s * m + k + k_1 * s * c / (k_1 + s * c));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(response)

BOOST_AUTO_TEST_CASE(a_mass_on_a_zener_element_responds_in_closed_form) {
  const Zener zener;
  const std::vector<double> frequencies{0, 0.1, 0.5, 0.8, 1, 2, 10, 1000};
  const FrequencyResponse H =
      frequency_response(reduced(zener.system()), frequencies, {0}, displacements({0}));
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Complex expected = zener.response(frequencies[k]);
    BOOST_TEST(std::abs(H.before[k](0, 0) - expected) < 1e-13 * std::abs(expected));
    BOOST_TEST(std::abs(H.after[k](0, 0) - expected) < 1e-13 * std::abs(expected));
  }
  BOOST_TEST(H.max_relative_difference < 1e-13);
}

BOOST_AUTO_TEST_CASE(all_kinds_are_inputs_and_outputs_of_unsymmetric_systems) {
  const DenseSystem system = random_unsymmetric(3, 2, 2, 1);
  const std::vector<GlobalIndex> all{0, 1, 2, 3, 4, 5, 6};
  const std::vector<double> frequencies{0.05, 0.3, 2};
  const FrequencyResponse H = frequency_response(reduced(system), frequencies, all, displacements(all));
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Complex s(0, two_pi * frequencies[k]);
    const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
    const ComplexMultiVector expected = P.inverse();
    // The condition of random matrices costs a few digits.
    BOOST_TEST((H.before[k] - expected).norm() < 1e-11 * expected.norm());
    BOOST_TEST((H.after[k] - expected).norm() < 1e-11 * expected.norm());
  }
  BOOST_TEST(H.max_relative_difference < 1e-11);
}

BOOST_AUTO_TEST_CASE(rates_accelerations_and_reactions_are_outputs_too) {
  // Accelerations of algebraic DoFs follow the second derivative of the load.
  const DenseSystem system = random_symmetric(3, 2, 2, 3);
  const DenseElimination kinds = dense_elimination(system);
  const GlobalIndex i = kinds.I[0], v = kinds.C[0], a = kinds.K[0], held = kinds.K[1];
  const std::vector<Output> outputs{{OutputQuantity::rate, i},
                                    {OutputQuantity::rate, v},
                                    {OutputQuantity::rate, a},
                                    {OutputQuantity::acceleration, i},
                                    {OutputQuantity::acceleration, v},
                                    {OutputQuantity::acceleration, a},
                                    {OutputQuantity::displacement, held},
                                    {OutputQuantity::reaction, held}};
  const std::vector<double> frequencies{0.1, 0.4};
  const FrequencyResponse H =
      frequency_response(with_constrained(system, {static_cast<Index>(held)}), frequencies, {i, a}, outputs);
  BOOST_TEST(H.max_relative_difference < 1e-11);

  std::vector<Index> free;
  for (Index j = 0; j < 7; ++j)
    if (j != held) free.push_back(j);
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Complex s(0, two_pi * frequencies[k]);
    const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
    ComplexMultiVector loads = ComplexMultiVector::Zero(7, 2);
    loads(i, 0) = loads(a, 1) = 1;
    ComplexMultiVector q = ComplexMultiVector::Zero(7, 2);
    q(free, Eigen::all) = ComplexMultiVector(P(free, free)).inverse() * loads(free, Eigen::all);
    ComplexMultiVector expected(8, 2);
    expected << s * q.row(i), s * q.row(v), s * q.row(a), s * s * q.row(i), s * s * q.row(v),
        s * s * q.row(a), q.row(held), (P * q).row(held);
    BOOST_TEST((H.before[k] - expected).norm() < 1e-11 * expected.norm());
    BOOST_TEST((H.after[k] - expected).norm() < 1e-11 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(reactions_follow_rates_of_algebraic_dofs) {
  // A damper from the massless DoF 1 to the held DoF 2 stands in the held row alone: in the free ones its
  // column is null, as where the constrained rows were assembled apart.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector(3, 3)};
  system.M(0, 0) = 2;
  system.C(0, 0) = 0.3;
  system.C(2, 1) = -5;
  system.K << 3, -1, 0, -1, 2, -1, 0, -1, 1;
  const std::vector<double> frequencies{0.1, 0.7};
  const FrequencyResponse H =
      frequency_response(with_constrained(system, {2}), frequencies, {0, 1}, {{OutputQuantity::reaction, 2}});
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Complex s(0, two_pi * frequencies[k]);
    const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
    const ComplexMultiVector expected =
        P.bottomLeftCorner(1, 2) * ComplexMultiVector(P.topLeftCorner(2, 2)).inverse();
    BOOST_TEST((H.before[k] - expected).norm() < 1e-13 * expected.norm());
    BOOST_TEST((H.after[k] - expected).norm() < 1e-13 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(directed_outputs_beside_a_reaction_keep_their_rounding) {
  // The rounding of a reaction is not known (NaN); that of other outputs is.
  const DenseSystem system = random_unsymmetric(2, 1, 1, 3);
  const ReducedSystem<EigenEngine> held = with_constrained(system, {0});
  const Direction along({{1, 0.6}, {2, -0.8}});
  const HarmonicLoads load = unit_forces(held.assembled(), {along});
  const std::vector<DirectedOutput> outputs{{OutputQuantity::displacement, along},
                                            {OutputQuantity::reaction, Direction({{0, 1.}})}};
  const FrequencyResponse H = frequency_response(held, {0.3}, load, outputs);
  const Complex s(0, two_pi * 0.3);
  const ComplexMultiVector P =
      (s * s * system.M + s * system.C + system.K.cast<Complex>()).bottomRightCorner(3, 3);
  const ComplexVector x = P.inverse() * Eigen::Vector3d(0.6, -0.8, 0).cast<Complex>();
  const Complex expected = 0.6 * x[0] - 0.8 * x[1];
  BOOST_TEST(std::abs(H.after[0](0, 0) - expected) < 1e-13 * std::abs(expected));
  BOOST_TEST(std::abs(H.before[0](0, 0) - expected) < 1e-13 * std::abs(expected));
  BOOST_TEST((H.rounding[0](0, 0) > 0 && H.rounding[0](0, 0) < 1e-10 * std::abs(expected)));
  BOOST_TEST(std::isnan(H.rounding[0](1, 0)));
  BOOST_TEST(H.max_relative_difference < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_load_on_a_constrained_dof_adds_to_its_reaction_alone) {
  // A spring from DoF 0, which is held, to a mass: r = -k q_1 - f_0.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  system.M(1, 1) = 2;
  system.K << 7, -7, -7, 7;
  const ReducedSystem<EigenEngine> held = with_constrained(system, {0});
  MultiVector amplitudes(2, 2);
  amplitudes << 3, 1, 0, 5;
  const FrequencyResponse H = frequency_response(held, {0.1}, HarmonicLoads{amplitudes},
                                                 {{OutputQuantity::reaction, Direction({{0, 1.}})},
                                                  {OutputQuantity::displacement, Direction({{1, 1.}})}});
  const double omega = two_pi * 0.1, q = 5 / (7 - 2 * omega * omega);
  for (const ComplexMultiVector& found : {H.before[0], H.after[0]}) {
    BOOST_TEST(std::abs(found(0, 0) + 3.) < 1e-14);
    BOOST_TEST(std::abs(found(0, 1) + 7 * q + 1.) < 1e-13);
    BOOST_TEST(std::abs(found(1, 0)) < 1e-14);
    BOOST_TEST(std::abs(found(1, 1) - q) < 1e-14);
  }
  BOOST_TEST(H.max_relative_difference < 1e-13);
}

BOOST_AUTO_TEST_CASE(before_nothing_is_dropped) {
  const DenseSystem system = light_and_heavy_mass();
  const FrequencyResponse H =
      frequency_response(reduced(system, with_null_tolerance(1e-2)), {5}, {0, 1}, displacements({0, 1}));
  const Complex s(0, two_pi * 5);
  const ComplexMultiVector expected =
      ComplexMultiVector(s * s * system.M + system.K.cast<Complex>()).inverse();
  BOOST_TEST((H.before[0] - expected).norm() < 1e-13 * expected.norm());
  DenseSystem lighter = system;
  lighter.M(1, 1) = 0;
  const ComplexMultiVector dropped =
      ComplexMultiVector(s * s * lighter.M + lighter.K.cast<Complex>()).inverse();
  BOOST_TEST((H.after[0] - dropped).norm() < 1e-13 * expected.norm());
  BOOST_TEST(H.max_relative_difference > 1e-2);
}

BOOST_AUTO_TEST_CASE(a_resonance_hides_no_error_elsewhere) {
  const auto responses = [](std::initializer_list<double> values) {
    std::vector<ComplexMultiVector> H;
    for (const double value : values)
      H.push_back(ComplexMultiVector::Constant(1, 1, value));
    return H;
  };
  // Off by a hundredth beside a peak of 1e5.
  BOOST_TEST(std::abs(largest_relative_difference(responses({1, 1e5}), responses({1.01, 1e5})) - 0.01) <
             1e-12);
  // At an antiresonance a millionth of the peak is the measure.
  BOOST_TEST(std::abs(largest_relative_difference(responses({1, 0}), responses({1, 1e-12})) - 1e-6) < 1e-15);
  BOOST_TEST(largest_relative_difference(responses({0}), responses({3})) == 1);
  BOOST_TEST(largest_relative_difference({}, {}) == 0);
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_zero_but_for_rounding_is_no_difference) {
  // Force 1 does not reach displacement 2, which elimination leaves at 1e-17.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(0, 1) = 4;
  system.M(0, 2) = -2;
  system.M(2, 2) = 4;
  system.K << -1, 0, 0, -1, 3, 0, 0, 0, -2;
  for (const double frequency : {0.054010272885308276, 0.09181746390502407, 0.3}) {
    const FrequencyResponse H = frequency_response(reduced(system), {frequency}, {1}, displacements({2, 1}));
    BOOST_TEST(std::abs(H.after[0](0)) < 1e-15);
    BOOST_TEST(H.max_relative_difference < 1e-12);
  }
  // What is beyond rounding is a difference.
  const auto entry = [](double value) { return ComplexMultiVector::Constant(1, 1, value); };
  const auto bound = MultiVector::Constant(1, 1, 1e-9);
  BOOST_TEST(largest_relative_difference({entry(1e-3)}, {entry(1e-3 + 2e-9)}, {bound}) > 1e-6);
  BOOST_TEST(largest_relative_difference({entry(1e-3)}, {entry(1e-3 + 5e-10)}, {bound}) == 0);
}

BOOST_AUTO_TEST_CASE(statics_and_creep_respond_too) {
  const FrequencyResponse statics =
      frequency_response(reduced(random_unsymmetric(0, 0, 4, 2)), {0, 1}, {0}, displacements({1}));
  BOOST_TEST(statics.max_relative_difference < 1e-12);
  BOOST_TEST((statics.after[0] - statics.after[1]).norm() < 1e-12 * statics.after[0].norm());
  BOOST_TEST(frequency_response(reduced(random_unsymmetric(0, 3, 2, 2)), {0, 1}, {0}, displacements({1}))
                 .max_relative_difference < 1e-12);
}

BOOST_AUTO_TEST_CASE(no_input_output_or_frequency_gives_an_empty_response) {
  const auto system = reduced(engine_mount());
  BOOST_TEST(frequency_response(system, {}, {0}, displacements({0})).after.empty());
  BOOST_TEST(frequency_response(system, {1}, {}, displacements({})).after[0].size() == 0);
}

BOOST_AUTO_TEST_CASE(forces_on_constrained_or_missing_dofs_are_refused) {
  const auto held = with_constrained(random_symmetric(3, 2, 2, 3), {4});
  BOOST_CHECK_EXCEPTION(
      frequency_response(held, {1}, {4}, displacements({0})), InvalidInput,
      [](const InvalidInput& error) { return std::string(error.what()).find("DoF 4") != std::string::npos; });
  BOOST_CHECK_THROW(frequency_response(held, {1}, {7}, displacements({0})), InvalidInput);
  BOOST_CHECK_THROW(frequency_response(held, {1}, {0}, displacements({-1})), InvalidInput);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(frequency_response(held, {nan}, {0}, displacements({0})), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_resonance_without_damping_is_missing_and_the_others_are_compared) {
  // The pencil at 1 / (2 pi) Hz, where omega is exactly one, is singular.
  DenseSystem two{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
  two.K(1, 1) = 4;
  const double resonance = 0.5 / std::acos(-1.);
  BOOST_REQUIRE(2 * std::acos(-1.) * resonance == 1);
  const FrequencyResponse H =
      frequency_response(reduced(two), {0., resonance, 1.}, {0, 1}, displacements({0}));
  BOOST_REQUIRE(H.missing.size() == 1u);
  BOOST_TEST(H.missing[0].frequency == resonance);
  BOOST_TEST(H.missing[0].reason.find("What moves most: DoF 0.") != std::string::npos, H.missing[0].reason);
  BOOST_REQUIRE(H.before.size() == 3u);
  BOOST_REQUIRE(H.after.size() == 3u);
  for (const auto* response : {&H.before, &H.after}) {
    BOOST_TEST(std::isnan(std::abs((*response)[1](0, 0))));
    BOOST_TEST(std::abs((*response)[0](0, 0) - 1.) < 1e-15);
    BOOST_TEST((*response)[2].allFinite());
  }
  BOOST_TEST(H.max_relative_difference < 1e-14);
}

BOOST_AUTO_TEST_CASE(values_that_are_not_numbers_do_not_agree) {
  const auto response = [](double value) {
    return std::vector<ComplexMultiVector>{ComplexMultiVector::Constant(1, 1, value)};
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(largest_relative_difference(response(1), response(nan))));
  BOOST_TEST(std::isnan(largest_relative_difference(response(nan), response(nan))));
}

BOOST_AUTO_TEST_CASE(resonance_without_damping_names_the_frequency) {
  const auto free_mass =
      reduced(DenseSystem{MultiVector::Ones(1, 1), MultiVector::Zero(1, 1), MultiVector::Zero(1, 1)});
  BOOST_CHECK_EXCEPTION(frequency_response(free_mass, {0}, {0}, displacements({0})), SingularMatrix,
                        [](const SingularMatrix& error) {
                          return std::string(error.what()).find("0 Hz") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
