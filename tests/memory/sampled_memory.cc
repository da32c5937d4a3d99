#include <halfdof/base/errors.h>
#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/weakening_friction.h>
#include <halfdof/memory/memory_euler.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/sampled_memory.h>

#include <boost/test/unit_test.hpp>

#include "models.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// The bow of Szalai (2014), section 5, with the friction curve of the errata.
NamedLaw bow() {
  return {std::make_shared<WeakeningFriction>(
              FrictionCurve::exponential(4, 1, 1 / 0.32),
              ScalarFunction([](double t) { return 1.5 * t; }, [](double) { return 1.5; })),
          "bow"};
}

constexpr double y_1 = -2.9224, y_2 = -2.7668;

Vector one(double value) {
  return Vector::Constant(1, value);
}

/// Displacement at a time.
double bowed(const SampledKernel& kernel, double end) {
  SampledMemory method(kernel, {bow()}, 0, one(y_1), one(y_2));
  method.run(end);
  return method.motion().g[0] + 1.5 * method.motion().time;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sampled_memories)

BOOST_AUTO_TEST_CASE(samples_of_modes_are_the_kernel) {
  for (const MemoryEquation& equation :
       {MemoryEquation(contact_modes(random_modes(2, 6, 3))), MemoryEquation(random_blocks(1, 4), {1})}) {
    const Index m = equation.modes().n_contacts();
    const SampledKernel kernel = sampled_kernel(equation, 0.05, 3.);
    BOOST_TEST(kernel.L_1.size() == 61U);
    for (const Index k : {0, 1, 17, 60}) {
      const auto at = static_cast<std::size_t>(k);
      BOOST_TEST((kernel.L_1[at].leftCols(m) - equation.L_1(0.05 * k).middleRows(m, m)).norm() < 1e-12);
      BOOST_TEST((kernel.L_2[at].leftCols(m) - equation.L_2(0.05 * k).middleRows(m, m)).norm() < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(sampled_and_modal_memories_move_alike) {
  const ClassicalModes given = random_modes(2, 6, 8);
  const ContactModes modes = contact_modes(given);
  const MemoryEquation equation(modes);
  const std::vector<NamedLaw> laws = {{std::make_shared<DryFriction>(-0.4, 0.4), "first"},
                                      {std::make_shared<DryFriction>(-0.3, 0.3), "second"}};
  // In range W: both know the whole start.
  const Vector y = (Vector(4) << 1., -0.5, 0.3, 2.).finished();
  const auto difference = [&](double step) {
    MemoryIntegrator by_modes(modes, laws, step);
    MemoryState state = by_modes.start(0, equation.W() * y);
    SampledMemory by_samples(sampled_kernel(equation, step, 6.), laws, 0, y.head(2), y.tail(2));
    by_modes.run(state, 6.);
    by_samples.run(6.);
    return (state.g - by_samples.motion().g).norm();
  };
  const double coarse = difference(0.01), fine = difference(0.005);
  BOOST_TEST_MESSAGE(coarse << ' ' << fine);
  BOOST_TEST(fine < 0.3 * coarse);
  BOOST_TEST(fine < 1e-3);
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_mode_that_is_lifted) {
  const ContactModes modes = contact_modes(random_modes(1, 6, 5));
  const MemoryEquation first(modes, {0}), third(modes, {2});
  const Vector y = (Vector(2) << 1., -0.5).finished(), x = first.W() * y;
  const NamedLaw law{std::make_shared<DryFriction>(-0.4, 0.4), "pad"};
  const auto run = [&](const MemoryEquation& equation, double step) {
    SampledMemory method(sampled_kernel(equation, step, 5.), {law}, 0, y.head(1), y.tail(1),
                         [&](double t) -> Vector { return (equation.H(t) * x).tail(1); });
    method.run(5.);
    return method.motion().g[0];
  };
  BOOST_TEST(std::abs(run(first, 0.005) - run(third, 0.005)) < 2e-4);
  BOOST_TEST(std::abs(run(first, 0.0025) - run(third, 0.0025)) < 5e-5);
}

BOOST_AUTO_TEST_CASE(the_string_with_all_its_modes_moves_as_its_finite_ones_converge) {
  // Independent event-driven runs of 320, 640 and 1280 modes, extrapolated.
  struct Point {
    double t, y_1;
  };
  const StringKernel string(1, 0.4, 0.1);
  for (const auto& [t, y] : {Point{0.5, -1.2128240340349667},
                             {1., 1.3947005489144335},
                             {2., -0.5108591010392266},
                             {3., 0.8861413143791866},
                             {5., 1.0692429696564332}}) {
    const double error = std::abs(bowed(sampled_kernel(string, 2e-3, t), t) - y),
                 half = std::abs(bowed(sampled_kernel(string, 1e-3, t), t) - y);
    BOOST_TEST_MESSAGE(t << ": " << error << ' ' << half);
    BOOST_TEST(half < 3e-5);
  }
}

BOOST_AUTO_TEST_CASE(a_response_that_was_measured_gives_the_same_motion) {
  const ClassicalModes given = random_modes(1, 5, 6);
  const ContactModes modes = contact_modes(given);
  const MemoryEquation equation(modes, {0});
  const double step = 0.004;
  std::vector<MultiVector> G;
  for (int k = 0; k <= 1000; ++k)
    G.push_back(modes.C * modes.propagated(k * step, modes.B));
  double compliance = 0;
  for (Index k = 0; k < 5; ++k)
    compliance += std::pow(given.at_contacts(0, k) / given.frequency[k], 2);
  const SampledKernel measured = sampled_kernel(step, G, MultiVector::Constant(1, 1, compliance),
                                                given.frequency[0], given.damping_ratio[0]);
  const SampledKernel exact = sampled_kernel(equation, step, 4.);
  BOOST_TEST((measured.L_inf - exact.L_inf).norm() < 1e-12);
  for (const std::size_t k : {std::size_t(0), std::size_t(10), std::size_t(1000)})
    BOOST_TEST((measured.L_1[k] - exact.L_1[k]).norm() < 1e-3);
  const NamedLaw law{std::make_shared<DryFriction>(-0.4, 0.4), "pad"};
  SampledMemory first(measured, {law}, 0, one(1), one(0)), second(exact, {law}, 0, one(1), one(0));
  first.run(4.);
  second.run(4.);
  BOOST_TEST(std::abs(first.motion().g[0] - second.motion().g[0]) < 1e-3);
}

BOOST_AUTO_TEST_CASE(euler_converges_with_order_one_to_the_paper_s_trajectory) {
  const MemoryEquation equation(contact_modes(string_modes(1, {0.4}, 0.1, 160)), {0});
  const auto error = [&](double step) {
    MemoryEuler method(sampled_kernel(equation, step, 5.), bow(), 0, y_1, y_2);
    double largest = 0;
    for (const auto& [t, y] : {std::pair(0.5, -1.2181971197912), std::pair(1., 1.3964456654704),
                               std::pair(2., -0.51043849058772), std::pair(5., 1.0692479768607)}) {
      while (method.point().time < t - step / 2)
        method.step();
      largest = std::max(largest, std::abs(method.point().s - y));
    }
    return largest;
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  BOOST_TEST_MESSAGE(coarse << ' ' << fine);
  BOOST_TEST(coarse < 0.0375);  // what the reference implementation reaches
  BOOST_TEST(fine < 0.6 * coarse);
}

BOOST_AUTO_TEST_CASE(loads_elsewhere_act_through_kernels_of_their_own) {
  ClassicalModes given = random_modes(2, 6, 4);
  given.at_loads = RandomNumbers(3).matrix(1, 6);
  const std::vector<NamedLaw> laws = {{std::make_shared<DryFriction>(-0.1, 0.1), "first"},
                                      {std::make_shared<DryFriction>(-0.2, 0.2), "second"}};
  const std::vector<ScalarFunction> loads = {ScalarFunction([](double t) { return 1.5 * std::cos(2 * t); })};
  ContactModes blocks = random_blocks(1, 4);
  blocks.C = blocks.B.transpose();  // gives way to its reaction
  for (const MemoryEquation& equation : {MemoryEquation(contact_modes(given)), MemoryEquation(blocks, {1})}) {
    const ContactModes& modes = equation.modes();
    const Index n = modes.n_coordinates(), m = modes.n_contacts();
    const std::vector<NamedLaw> first(laws.begin(), laws.begin() + m);
    const auto difference = [&](double step) {
      MemoryIntegrator by_modes(modes, first, step, loads);
      MemoryState state = by_modes.start(0, Vector::Zero(n));
      SampledMemory by_samples(sampled_kernel(equation, step, 8.), first, 0, Vector::Zero(m), Vector::Zero(m),
                               {}, loads);
      by_modes.run(state, 5.);
      by_samples.run(5.);
      BOOST_TEST(state.g.norm() > 0.01);
      return (state.g - by_samples.motion().g).norm();
    };
    const double coarse = difference(0.01), fine = difference(0.005);
    BOOST_TEST_MESSAGE(coarse << ' ' << fine);
    BOOST_TEST(fine < 0.35 * coarse);
    BOOST_TEST(fine < 1e-4);
  }
  const SampledKernel kernel = sampled_kernel(MemoryEquation(contact_modes(given)), 0.1, 2.);
  BOOST_TEST(kernel.n_loads() == 1);
  BOOST_TEST(
      (*kernel.left_out - memory_left_out(MemoryEquation(contact_modes(given)), 2.).bottomRows(2)).norm() <
      1e-14);
  BOOST_CHECK_THROW(SampledMemory(kernel, laws, 0, Vector::Zero(2), Vector::Zero(2)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const MemoryEquation equation(contact_modes(random_modes(2, 6, 3)));
  const SampledKernel kernel = sampled_kernel(equation, 0.1, 1.);
  const NamedLaw law{std::make_shared<DryFriction>(-0.4, 0.4), "pad"};
  BOOST_CHECK_THROW(SampledMemory(kernel, {law}, 0, Vector::Zero(2), Vector::Zero(2)), InvalidInput);
  BOOST_CHECK_THROW(SampledMemory(kernel, {law, law}, 0, Vector::Zero(1), Vector::Zero(2)), InvalidInput);
  BOOST_CHECK_THROW(MemoryEuler(kernel, law, 0, 0, 0), InvalidInput);
  // Friction that falls faster than the string gives way.
  const NamedLaw steep{std::make_shared<WeakeningFriction>(FrictionCurve::exponential(4, 1, 0.5)), "steep"};
  const SampledKernel of_string = sampled_kernel(StringKernel(1, 0.4, 0.1), 0.01, 1.);
  BOOST_CHECK_THROW(MemoryEuler(of_string, steep, 0, 0, 0), NotAvailable);
  BOOST_CHECK_THROW(SampledMemory(of_string, {steep}, 0, one(0), one(0)), NotAvailable);
  BOOST_CHECK_THROW(sampled_kernel(equation, 0., 1.), InvalidInput);
  BOOST_CHECK_THROW(sampled_kernel(equation, 0.1, 0.05), InvalidInput);
  SampledKernel broken = kernel;
  broken.L_1[3](0, 0) = std::nan("");
  BOOST_CHECK_THROW(check_sampled_kernel(broken), InvalidInput);
  broken = kernel;
  broken.L_2.pop_back();
  BOOST_CHECK_THROW(check_sampled_kernel(broken), InvalidInput);
  BOOST_CHECK_THROW(StringKernel(1, 1.2, 0), InvalidInput);
  BOOST_CHECK_THROW(StringKernel(1, 0.2, 1), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
