#include <halfdof/base/errors.h>
#include <halfdof/spectrum/frequency_response.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "spectrum/spectra.h"
#include <cmath>
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

ReducedSystem<EigenEngine> reduced(const DenseSystem& system, std::vector<Index> constrained = {}) {
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
  // DoF 6 is held. Accelerations of algebraic DoFs are not asked for: they need the second derivative of the
  // load.
  const DenseSystem system = random_symmetric(3, 2, 2, 3);
  const DenseElimination kinds = dense_elimination(system);
  const GlobalIndex i = kinds.I[0], v = kinds.C[0], a = kinds.K[0], held = kinds.K[1];
  const std::vector<Output> outputs{{OutputQuantity::rate, i},         {OutputQuantity::rate, v},
                                    {OutputQuantity::rate, a},         {OutputQuantity::acceleration, i},
                                    {OutputQuantity::acceleration, v}, {OutputQuantity::displacement, held},
                                    {OutputQuantity::reaction, held}};
  const std::vector<double> frequencies{0.1, 0.4};
  const FrequencyResponse H =
      frequency_response(reduced(system, {static_cast<Index>(held)}), frequencies, {i, a}, outputs);
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
    ComplexMultiVector expected(7, 2);
    expected << s * q.row(i), s * q.row(v), s * q.row(a), s * s * q.row(i), s * s * q.row(v), q.row(held),
        (P * q).row(held);
    BOOST_TEST((H.before[k] - expected).norm() < 1e-11 * expected.norm());
    BOOST_TEST((H.after[k] - expected).norm() < 1e-11 * expected.norm());
  }
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
  const auto held = reduced(random_symmetric(3, 2, 2, 3), {4});
  BOOST_CHECK_EXCEPTION(
      frequency_response(held, {1}, {4}, displacements({0})), InvalidInput,
      [](const InvalidInput& error) { return std::string(error.what()).find("DoF 4") != std::string::npos; });
  BOOST_CHECK_THROW(frequency_response(held, {1}, {7}, displacements({0})), InvalidInput);
  BOOST_CHECK_THROW(frequency_response(held, {1}, {0}, displacements({-1})), InvalidInput);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(frequency_response(held, {nan}, {0}, displacements({0})), InvalidInput);
}

BOOST_AUTO_TEST_CASE(resonance_without_damping_names_the_frequency) {
  const auto free_mass = reduced({MultiVector::Ones(1, 1), MultiVector::Zero(1, 1), MultiVector::Zero(1, 1)});
  BOOST_CHECK_EXCEPTION(frequency_response(free_mass, {0}, {0}, displacements({0})), SingularMatrix,
                        [](const SingularMatrix& error) {
                          return std::string(error.what()).find("0 Hz") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
