// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/kernel_terms.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/polylogarithm.h>
#include <halfdof/memory/sampled_memory.h>

#include <boost/test/unit_test.hpp>

#include "models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

// Independent values: closed form by polylogarithms, and sums over modes (Szalai 2014, Eq. (3.28)); c = 1, xi
// = 0.4.
const std::vector<double> times = {0.001, 0.01, 0.05, 0.1, 0.2,  0.3,  0.5, 0.75, 0.9,
                                   1.0,   1.3,  1.5,  1.7, 1.95, 2.05, 2.5, 3.7};
const std::vector<double> closed_undamped = {
    0.4976337623448436,    0.47655968954741323,     0.38773324993760866,  0.28780350537657884,
    0.12495503275860437,   0.011454582146076864,    -0.06750225306263813, 0.11138432670710646,
    -0.15791367041742982,  -1.5375550043969103e-16, -0.05093299975043447, 0.06750225306263813,
    -0.011454582146076586, -0.38773324993760827,    0.38773324993760966,  -0.06750225306263813,
    -0.011454582146076475};
const std::vector<double> closed_damped = {0.46840316359382766,   0.4499691152241734,     0.37246928027980053,
                                           0.2857479421195507,    0.14596011822097563,    0.05042327610458972,
                                           -0.015066204736431318, 0.027115914424344162,   -0.0370926363813561,
                                           0.01882179407276585,   0.03434757044293915,    0.04342021462691614,
                                           0.009214106014439186,  -0.0022661363140033947, 0.03910852916929328,
                                           0.020850391339175114,  0.019238385277805137};
const std::vector<double> modes_160_damped = {
    0.1516069553913316,   0.4489204936566141,     0.3710792854879156,   0.28531171998221005,
    0.1455633581723752,   0.050026637604242204,   -0.01546284275159756, 0.02671927640918698,
    -0.03748927439651344, 0.018425156057608597,   0.03395093242778187,  0.04302357661175882,
    0.008817467999281903, -0.0026627743291606446, 0.03871189115413606,  0.02045375332401775,
    0.01884174726264785};
const std::vector<double> modes_4000_undamped = {
    0.4726033854437327,    0.4740264979621383,     0.387224224411213,    0.2875453037946412,
    0.12481812156653557,   0.011353447048543453,   -0.067591223366199,   0.11109177175346736,
    -0.15783340929340564,  -5.124388088655029e-16, -0.05076722408648979, 0.06759122336619733,
    -0.011353447048540606, -0.3872242244112141,    0.38722422441121584,  -0.06759122336619941,
    -0.011353447048538343};

// A cantilever, sums of 2000 modes.
const std::vector<double> beam_times = {0.01, 0.05, 0.1, 0.2, 0.5, 1.0};
const std::vector<double> beam_undamped = {0.11642231647426324,  0.16505287172499455, 0.11251793666672287,
                                           -0.19006593577339434, -0.2620308142297054, -0.03678226721736438};
const std::vector<double> beam_damped = {0.11167040668102816,  0.14414737782380205,   0.11483976198566469,
                                         -0.10898983001151002, -0.054956639087437996, 0.007611372617933212};

double L_1(const MemoryEquation& equation, double tau) {
  return equation.L_1(tau)(1, 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(polylogarithms_are_their_series) {
  for (const int s : {1, 2, 3, 4})
    for (const Complex mu : {Complex(-0.3, 0.7), Complex(-1e-2, 3.), Complex(-2., 1.), Complex(-0.99, -3.1),
                             Complex(-1.01, -3.1), Complex(-0.05, 9.)}) {
      Complex sum = 0;
      for (int k = 6000; k >= 1; --k)
        sum += std::exp(static_cast<double>(k) * mu) / std::pow(k, s);
      BOOST_TEST(std::abs(polylogarithm(s, mu) - sum) < 1e-13 * (1 + std::abs(sum)), s << ' ' << mu);
    }
  BOOST_TEST(std::abs(polylogarithm(2, 0) - pi * pi / 6) < 1e-15);
  BOOST_TEST(std::abs(polylogarithm(1, Complex(0, 1e-12)).imag() - (pi - 1e-12) / 2) < 1e-14);
}

BOOST_AUTO_TEST_CASE(the_string_has_its_closed_form) {
  const StringKernel undamped(1, 0.4, 0), damped(1, 0.4, 0.1);
  BOOST_TEST(std::abs(undamped.L_inf() - 2.368705056261446) < 1e-14);
  BOOST_TEST(std::abs(undamped.L_1(0) - 0.5) < 1e-15);
  BOOST_TEST(std::abs(damped.L_1(0) - 0.4704740000858706) < 1e-15);
  for (std::size_t i = 0; i < times.size(); ++i) {
    BOOST_TEST(std::abs(undamped.L_1(times[i]) - closed_undamped[i]) < 1e-10);
    BOOST_TEST(std::abs(damped.L_1(times[i]) - closed_damped[i]) < 1e-10);
  }
  // Another wave speed stretches time, and the force that a rate needs.
  const StringKernel fast(3, 0.4, 0.1);
  BOOST_TEST(std::abs(fast.L_1(0.2) - damped.L_1(0.6) / 3) < 1e-14);
}

BOOST_AUTO_TEST_CASE(the_undamped_strings_memory_never_ends) {
  const StringKernel string(2, 0.3, 0);
  for (const double tau : {0.01, 0.17, 0.44, 0.9})
    BOOST_TEST(std::abs(string.L_1(tau) - string.L_1(tau + 1)) < 1e-13);  // 2/c
}

BOOST_AUTO_TEST_CASE(the_integral_of_the_strings_kernel_is_its_integral) {
  for (const double D : {0., 0.1, 0.7}) {
    const StringKernel string(1.5, 0.35, D);
    // Simpson's rule where L^1 is smooth: between reflections at 2 xi/c, 2 (1 - xi)/c, 2/c.
    for (const auto& [from, to] : {std::pair(1e-3, 0.4), std::pair(0.5, 0.8)}) {
      const int n = 2000;
      double sum = string.L_1(from) + string.L_1(to);
      for (int i = 1; i < n; ++i)
        sum += (i % 2 == 0 ? 2 : 4) * string.L_1(from + (to - from) * i / n);
      BOOST_TEST(std::abs(string.L_2(to) - string.L_2(from) - sum * (to - from) / n / 3) < 1e-9);
    }
    BOOST_TEST(std::abs(string.L_2(0)) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(sums_over_modes_are_those_of_the_reference) {
  const MemoryEquation damped(contact_modes(string_modes(1, {0.4}, 0.1, 160))),
      undamped(contact_modes(string_modes(1, {0.4}, 0, 4000)));
  BOOST_TEST(std::abs(undamped.L_inf()(1, 0) - 2.368705056261446) < 1e-3);
  for (std::size_t i = 0; i < times.size(); i += 3) {
    BOOST_TEST(std::abs(L_1(damped, times[i]) - modes_160_damped[i]) < 1e-10);
    BOOST_TEST(std::abs(L_1(undamped, times[i]) - modes_4000_undamped[i]) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(the_cantilever_starts_like_a_square_root) {
  const ClassicalModes modes = cantilever_modes(0, 2000);
  BOOST_TEST(std::abs(modes.frequency[0] - 3.516015268500151) < 1e-13);
  BOOST_TEST(std::abs(modes.frequency[19] - 3752.917073514229) < 1e-9);
  const MemoryEquation undamped(contact_modes(modes)), damped(contact_modes(cantilever_modes(0.1, 2000)));
  BOOST_TEST(std::abs(undamped.L_inf()(1, 0) - 4.120787789442063) < 1e-4);
  for (std::size_t i = 0; i < beam_times.size(); ++i) {
    BOOST_TEST(std::abs(L_1(undamped, beam_times[i]) - beam_undamped[i]) < 1e-4);
    BOOST_TEST(std::abs(L_1(damped, beam_times[i]) - beam_damped[i]) < 1e-4);
  }
  const std::vector<ContactRegularity> found = contact_regularity_of_continuum(cantilever_modes(0.1, 2000));
  BOOST_TEST((found[0].which == ContactCase::between));
  BOOST_TEST(std::abs(found[0].alpha - 0.5) < 1e-6);
  BOOST_TEST(std::abs(found[0].L_1_plus - 1.5215061585243645) < 1e-5);
  BOOST_TEST(std::abs(contact_regularity_of_continuum(modes)[0].L_1_plus - 1.5957691216057308) < 1e-5);
}

BOOST_AUTO_TEST_CASE(the_strings_contact_jumps) {
  for (const double D : {0., 0.1}) {
    const ContactRegularity found = contact_regularity_of_continuum(string_modes(1, {0.4}, D, 4000))[0];
    BOOST_TEST((found.which == ContactCase::wave));
    BOOST_TEST(found.alpha == 0.);
    BOOST_TEST(std::abs(found.L_1_plus - StringKernel(1, 0.4, D).L_1(0)) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(contacts_of_finitely_many_modes_are_told_apart) {
  ClassicalModes given = random_modes(2, 5, 3);
  const std::vector<ContactRegularity> of_masses = contact_regularity(contact_modes(given));
  BOOST_TEST(of_masses.size() == 2U);
  BOOST_TEST((of_masses[1].which == ContactCase::inertia));
  BOOST_TEST(std::abs(of_masses[1].L_1_plus - given.at_contacts.row(1).squaredNorm()) < 1e-13);
  const ContactModes viscous = random_blocks(1, 4);
  if (viscous.W_C()(0, 0) > 0) BOOST_TEST((contact_regularity(viscous)[0].which == ContactCase::wave));
  ContactModes massless = contact_modes(given);
  massless.W_K(0, 0) = 0.2;
  BOOST_TEST((contact_regularity(massless)[0].which == ContactCase::massless));
  BOOST_TEST((contact_regularity(massless)[1].which == ContactCase::inertia));
  // A contact that its own reaction does not move.
  ContactModes still = contact_modes(given);
  still.B.col(1).setZero();
  BOOST_CHECK_THROW(contact_regularity(still), InvalidInput);
  ClassicalModes slow = string_modes(1, {0.4}, 0, 40);
  slow.frequency = slow.frequency.cwiseSqrt();
  BOOST_CHECK_THROW(contact_regularity_of_continuum(slow), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_jump_of_the_string_is_met_in_its_middle) {
  const StringKernel string(1, 0.4, 0);
  for (const double tau : {0.8, 1.2, 2., 4.}) {  // reflections, and periods
    const double mean = (string.L_1(tau - 1e-9) + string.L_1(tau + 1e-9)) / 2;
    BOOST_TEST(std::abs(string.L_1(tau) - mean) < 1e-8);
  }
  BOOST_TEST(std::abs(string.L_1(2 + 1e-9) - string.L_1(2 - 1e-9) - 1) < 1e-6);
}

BOOST_AUTO_TEST_CASE(what_the_string_forgets_is_below_its_bound) {
  const StringKernel string(1.3, 0.4, 0.1);
  for (const double memory : {0.3, 1., 3.}) {
    double left = 0, last = string.L_1(memory);
    for (double tau = memory; tau < memory + 12; tau += 1e-3) {
      const double next = string.L_1(tau);
      left += std::abs(next - last);
      last = next;
    }
    BOOST_TEST(left <= string.omitted_memory(memory));
    BOOST_TEST(string.omitted_memory(memory) < 30 * left);
  }
  BOOST_TEST(std::isinf(StringKernel(1, 0.4, 0).omitted_memory(5.)));
  BOOST_CHECK_THROW(string.omitted_memory(-1.), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_kernel_is_the_sum_of_its_terms) {
  for (const double D : {0., 0.4, 1. - 1e-9, 1., 1. + 1e-13, 1.7}) {
    ClassicalModes given = random_modes(2, 5, 6);
    given.damping_ratio.tail(3).setConstant(D);
    const MemoryEquation equation(contact_modes(given), {0, 1});
    const std::vector<KernelTerm> terms = kernel_terms(equation);
    BOOST_TEST(terms.size() == 6U);
    for (const double tau : {0.01, 0.5, 3.}) {
      ComplexMultiVector sum = ComplexMultiVector::Zero(4, 2);
      for (const KernelTerm& term : terms)
        sum += term.residue * std::exp(term.eigenvalue * tau) * std::pow(tau, term.power) /
               std::tgamma(term.power + 1.);
      BOOST_TEST((sum - equation.L_0(tau)).norm() < 1e-9, D << ' ' << tau);
    }
    if (D == 0) continue;
    MultiVector left = MultiVector::Zero(4, 2);
    for (double tau = 1.0005; tau < 40; tau += 1e-3)
      left += 1e-3 * equation.L_0(tau).cwiseAbs();
    const MultiVector bound = omitted_memory(equation, 1.);
    BOOST_TEST((left.array() <= bound.array() + 1e-12).all());
    if (D != 1 - 1e-9) BOOST_TEST(bound.norm() < 100 * left.norm());  // whose two terms nearly cancel
  }
}

BOOST_AUTO_TEST_SUITE_END()
