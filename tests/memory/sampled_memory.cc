// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/memory_euler.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/sampled_memory.h>

#include <boost/test/unit_test.hpp>

#include "models.h"

using namespace halfdof;
using namespace halfdof::internal;
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

Vector start_of(double s, double w) {
  return (Vector(2) << s, w).finished();
}

/// Displacement at a time.
double bowed(const SampledKernel& kernel, double end) {
  SampledMemory method(kernel, {bow()});
  MemoryState state = method.start(0, start_of(y_1, y_2));
  method.run(state, end);
  return state.g[0] + 1.5 * state.time;
}

/// Forces (5.4) of Szalai (2014) at the step in which the sign of the relative rate is found to have changed,
/// at the last step at which the contact sticks, and at the next one, which finds that it cannot stick.
struct FirstStick {
  double first = 0, last = 0, beyond = 0;
};

/// Eqs. (5.2) to (5.4) as they are printed, until the contact has stuck for the first time.
FirstStick first_stick_as_printed(const SampledKernel& kernel) {
  const double h = kernel.step, K_r = kernel.K_r(0, 0), C_r = kernel.C_r(0, 0);
  const double at_first = kernel.L_1[1](0, 0), at_once = h * kernel.L_inf(0, 0) + at_first;
  double y = y_1, rate = y_2, w_before = y_2 - 1.5, f_before = 0;
  bool sticks = false;
  FirstStick stick;
  std::vector<double> differences;
  for (std::size_t q = 0; q + 1 < kernel.L_1.size(); ++q) {
    double rest = rate - h * (K_r * y + C_r * rate) - at_first * f_before;
    for (std::size_t p = 1; p <= q; ++p)
      rest += (kernel.L_1[p + 1] - kernel.L_1[p])(0, 0) * differences[q - p];
    const double w = rate - 1.5, holding = (1.5 - rest) / at_once;
    if (sticks && std::abs(holding) > 4) {
      stick.beyond = holding;
      break;
    }
    if (!sticks && w * w_before < 0) {
      sticks = true;
      stick.first = holding;
    }
    const double f = sticks ? holding : -std::copysign(1 + 3 * std::exp(-0.32 * std::abs(w)), w);
    if (sticks) stick.last = f;
    differences.push_back(f - f_before);
    y += h * rate;
    rate = sticks ? 1.5 : rest + at_once * f;
    w_before = w;
    f_before = f;
  }
  return stick;
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
    ModalMemory by_modes(modes, laws, step);
    MemoryState state = by_modes.start(0, equation.right_inverse_of_V() * y);
    SampledMemory by_samples(sampled_kernel(equation, step, 6.), laws);
    MemoryState sampled = by_samples.start(0, y);
    by_modes.run(state, 6.);
    by_samples.run(sampled, 6.);
    return (state.g - sampled.g).norm();
  };
  const double coarse = difference(0.01), fine = difference(0.005);
  BOOST_TEST_MESSAGE(coarse << ' ' << fine);
  BOOST_TEST(fine < 0.3 * coarse);
  BOOST_TEST(fine < 1e-3);
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_mode_that_is_lifted) {
  const ContactModes modes = contact_modes(random_modes(1, 6, 5));
  const MemoryEquation first(modes, {0}), third(modes, {2});
  const Vector y = (Vector(2) << 1., -0.5).finished(), x = first.right_inverse_of_V() * y;
  const NamedLaw law{std::make_shared<DryFriction>(-0.4, 0.4), "pad"};
  const auto run = [&](const MemoryEquation& equation, double step) {
    SampledMemory method(sampled_kernel(equation, step, 5.), {law},
                         [&](double t) -> Vector { return (equation.H(t) * x).tail(1); });
    MemoryState state = method.start(0, y);
    method.run(state, 5.);
    return state.g[0];
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
  const auto run = [&](const SampledKernel& kernel) {
    SampledMemory method(kernel, {law});
    MemoryState state = method.start(0, start_of(1, 0));
    method.run(state, 4.);
    return state.g[0];
  };
  BOOST_TEST(std::abs(run(measured) - run(exact)) < 1e-3);
}

BOOST_AUTO_TEST_CASE(euler_converges_with_order_one_to_the_paper_s_trajectory) {
  const MemoryEquation equation(contact_modes(string_modes(1, {0.4}, 0.1, 160)), {0});
  const auto error = [&](double step) {
    MemoryEuler method(sampled_kernel(equation, step, 5.), bow());
    MemoryState state = method.start(0, start_of(y_1, y_2));
    double largest = 0;
    for (const auto& [t, y] : {std::pair(0.5, -1.2181971197912), std::pair(1., 1.3964456654704),
                               std::pair(2., -0.51043849058772), std::pair(5., 1.0692479768607)}) {
      method.run(state, t);
      BOOST_TEST(std::abs(state.time - t) < 1e-12);
      largest = std::max(largest, std::abs(state.g[0] + 1.5 * state.time - y));
    }
    return largest;
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  BOOST_TEST_MESSAGE(coarse << ' ' << fine);
  BOOST_TEST(coarse < 0.0375);  // what the reference implementation reaches
  BOOST_TEST(fine < 0.6 * coarse);
}

BOOST_AUTO_TEST_CASE(the_printed_force_of_sticking_exceeds_the_threshold_where_sticking_ends) {
  const StringKernel string(1, 0.4, 0.1);
  std::vector<double> below, steps_of_force;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    const SampledKernel kernel = sampled_kernel(string, step, 0.3);
    const FirstStick stick = first_stick_as_printed(kernel);
    BOOST_TEST_MESSAGE(step << ": " << stick.first << ' ' << stick.last << ' ' << stick.beyond);
    // The exact force is continuous: it is the threshold where sticking begins and where it ends.
    BOOST_TEST(std::abs(stick.first) < 4);
    BOOST_TEST(std::abs(stick.last) <= 4);
    BOOST_TEST(std::abs(stick.beyond) > 4);
    below.push_back(4 - std::abs(stick.first));
    steps_of_force.push_back(std::abs(stick.beyond - stick.last));

    MemoryEuler explicit_method(kernel, bow());
    SampledMemory implicit_method(kernel, {bow()});
    for (MemoryIntegrator* method : {static_cast<MemoryIntegrator*>(&explicit_method),
                                     static_cast<MemoryIntegrator*>(&implicit_method)}) {
      MemoryState state = method->start(0, start_of(y_1, y_2));
      while (state.time < 0.25 - 0.5 * step) {
        method->step(state);
        BOOST_TEST(std::abs(state.r[0]) <= 4);
      }
    }
  }
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(below[k] == 2 * below[k + 1], boost::test_tools::tolerance(0.1));
    BOOST_TEST(steps_of_force[k + 1] < 0.7 * steps_of_force[k]);
  }
}

BOOST_AUTO_TEST_CASE(a_state_of_another_integrator_is_refused) {
  const StringKernel string(1, 0.4, 0.1);
  SampledMemory method(sampled_kernel(string, 1e-2, 0.3), {bow()});
  const MemoryState own = method.start(0, start_of(y_1, y_2));
  MemoryState empty, of_longer_kernel = own, of_two_contacts = own;
  BOOST_CHECK_THROW(method.step(empty), InvalidInput);
  of_two_contacts.r = Vector::Zero(2);
  BOOST_CHECK_THROW(method.step(of_two_contacts), InvalidInput);
  MemoryState of_two_laws = own;
  of_two_laws.contacts.push_back(ContactState::stick);
  BOOST_CHECK_THROW(method.step(of_two_laws), InvalidInput);
  of_longer_kernel.history =
      SampledMemory(sampled_kernel(string, 1e-3, 0.3), {bow()}).start(0, start_of(y_1, y_2)).history;
  BOOST_CHECK_THROW(method.step(of_longer_kernel), InvalidInput);
  MemoryEuler euler(sampled_kernel(string, 1e-2, 0.3), bow());
  BOOST_CHECK_THROW(euler.step(empty), InvalidInput);
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
      ModalMemory by_modes(modes, first, step, loads);
      MemoryState state = by_modes.start(0, Vector::Zero(n));
      SampledMemory by_samples(sampled_kernel(equation, step, 8.), first, {}, loads);
      MemoryState sampled = by_samples.start(0, Vector::Zero(2 * m));
      by_modes.run(state, 5.);
      by_samples.run(sampled, 5.);
      BOOST_TEST(state.g.norm() > 0.01);
      return (state.g - sampled.g).norm();
    };
    const double coarse = difference(0.01), fine = difference(0.005);
    BOOST_TEST_MESSAGE(coarse << ' ' << fine);
    BOOST_TEST(fine < 0.35 * coarse);
    BOOST_TEST(fine < 1e-4);
  }
  const SampledKernel kernel = sampled_kernel(MemoryEquation(contact_modes(given)), 0.1, 2.);
  BOOST_TEST(kernel.n_loads() == 1);
  BOOST_TEST((*kernel.omitted_memory - omitted_memory(MemoryEquation(contact_modes(given)), 2.).bottomRows(2))
                 .norm() < 1e-14);
  BOOST_CHECK_THROW(SampledMemory(kernel, laws), InvalidInput);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const MemoryEquation equation(contact_modes(random_modes(2, 6, 3)));
  const SampledKernel kernel = sampled_kernel(equation, 0.1, 1.);
  const NamedLaw law{std::make_shared<DryFriction>(-0.4, 0.4), "pad"};
  BOOST_CHECK_THROW(SampledMemory(kernel, {law}), InvalidInput);
  SampledMemory both(kernel, {law, law});
  BOOST_CHECK_THROW(both.start(0, Vector::Zero(3)), InvalidInput);
  BOOST_CHECK_THROW(both.start(0, Vector::Constant(4, std::nan(""))), InvalidInput);
  MemoryState state = both.start(0, Vector::Zero(4));
  BOOST_CHECK_THROW(both.step(state, 0.05), InvalidInput);
  BOOST_CHECK_THROW(both.run(state, -1.), InvalidInput);
  BOOST_CHECK_THROW(MemoryEuler(kernel, law), InvalidInput);
  // Friction that falls faster than the string gives way.
  const NamedLaw steep{std::make_shared<WeakeningFriction>(FrictionCurve::exponential(4, 1, 0.5)), "steep"};
  const SampledKernel of_string = sampled_kernel(StringKernel(1, 0.4, 0.1), 0.01, 1.);
  BOOST_CHECK_THROW(MemoryEuler(of_string, steep), NotAvailable);
  BOOST_CHECK_THROW(SampledMemory(of_string, {steep}), NotAvailable);
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
