// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/reduction/singular_elimination.h>

#include <boost/test/unit_test.hpp>

#include "chains.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Euler = NonsmoothEuler<EigenEngine>;
using Inertia = Chain::Inertia;
using End = Chain::End;

/// v_1 ... v_n at t = 0.5, 1 ... 5, one column each.
MultiVector motion(const Chain& chain, Inertia inertia, End end, double step) {
  const NonsmoothModel<> model = chain.model(inertia, end);
  std::vector<double> times;
  for (int i = 1; i <= 10; ++i)
    times.push_back(0.5 * i);
  MultiVector v(chain.n(), 10);
  Index column = 0;
  NonsmoothState state = model.at_rest();
  verified_run(Euler(model.inclusions, model.outcome, step), state, times,
               [&](const auto& now) { v.col(column++) = now.lift().displacement.segment(1, chain.n()); });
  return v;
}

/// n nodes with data that never repeat.
Chain long_chain(Index n) {
  const auto spread = [](Index size, double smallest, double largest) {
    Vector values(size);
    for (Index i = 0; i < size; ++i)
      values[i] = smallest + (largest - smallest) * std::fmod(0.6180339887498949 * i, 1.);
    return values;
  };
  return {spread(n + 1, 0.8, 2.5),
          spread(n, 0.2, 0.6),
          spread(n, 0.5, 1.5),
          spread(n, -0.7, 1.6),
          spread(n, 0.7, 1.7),
          0.9,
          0.8};
}

double distance(const MultiVector& limit, const MultiVector& found) {
  return (found - limit).cwiseAbs().maxCoeff() / limit.cwiseAbs().maxCoeff();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chain)

BOOST_AUTO_TEST_CASE(a_last_spring_that_goes_to_zero_gives_the_force_known_case) {
  // The end of a soft spring is moved so far that it pulls with F_{n+1} + k_n v_n.
  for (const Inertia inertia : {Inertia::dynamical, Inertia::semi_dynamical, Inertia::quasistatic}) {
    const MultiVector limit = motion(reference_chain(), inertia, End::force_known, 0.02);
    const auto error = [&](double k_n) {
      Chain chain = reference_chain();
      chain.k[5] = k_n;
      chain.end_amplitude /= -k_n;
      return distance(limit, motion(chain, inertia, End::displacement_known, 0.02));
    };
    BOOST_TEST(error(1e-3) < 1e-2);
    BOOST_TEST(std::abs(std::log10(error(1e-4) / error(1e-5)) - 1) < 0.05);
  }
}

BOOST_AUTO_TEST_CASE(without_a_last_spring_the_clamped_chain_is_one_without_force_at_its_end) {
  for (const Inertia inertia : {Inertia::dynamical, Inertia::semi_dynamical, Inertia::quasistatic}) {
    Chain cut = reference_chain(), free = reference_chain();
    cut.k[5] = 0;
    free.end_amplitude = 0;
    BOOST_TEST(distance(motion(free, inertia, End::force_known, 0.02),
                        motion(cut, inertia, End::clamped, 0.02)) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_chain_that_nothing_holds_is_refused_unless_it_has_mass) {
  Chain chain = reference_chain();
  chain.k[0] = 0;
  BOOST_CHECK_THROW(chain.model(Inertia::quasistatic, End::force_known), SingularElimination);
  BOOST_TEST(chain.model(Inertia::quasistatic, End::clamped).outcome.n_states == 5);
  BOOST_TEST(chain.model(Inertia::dynamical, End::force_known).outcome.n_states == 10);
  // The mass of the last node holds the others.
  BOOST_TEST(chain.model(Inertia::semi_dynamical, End::force_known).outcome.n_states == 6);
  // The last node hangs on nothing.
  chain = reference_chain();
  chain.k[5] = 0;
  try {
    chain.model(Inertia::dynamical, End::force_known);
    BOOST_ERROR("A node that nothing holds was accepted.");
  } catch (const SingularElimination& error) {
    BOOST_TEST(error.dofs() == std::vector<GlobalIndex>{6}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(masses_that_go_to_zero_leave_the_semi_dynamical_and_the_quasistatic_chain) {
  const auto with_light = [](Index n_light, double factor) {
    Chain chain = reference_chain();
    chain.mass.head(n_light) *= factor;
    return chain;
  };
  const MultiVector semi = motion(reference_chain(), Inertia::semi_dynamical, End::clamped, 5e-3);
  const MultiVector none = motion(reference_chain(), Inertia::quasistatic, End::clamped, 5e-3);
  for (const double factor : {1e-2, 1e-3, 1e-4}) {
    // Inertia delays by the time sqrt(m / k).
    const double allowed = 2.5 * std::sqrt(factor);
    BOOST_TEST(distance(semi, motion(with_light(4, factor), Inertia::dynamical, End::clamped, 5e-3)) <
               allowed);
    BOOST_TEST(distance(none, motion(with_light(5, factor), Inertia::semi_dynamical, End::clamped, 5e-3)) <
               allowed);
    BOOST_TEST(distance(none, motion(with_light(5, factor), Inertia::dynamical, End::clamped, 5e-3)) <
               allowed);
  }
}

BOOST_AUTO_TEST_CASE(long_chains_are_followed_event_by_event) {
  // Displacements of long chains are large against what plays move at an event.
  for (const auto& [inertia, n] :
       {std::pair(Inertia::quasistatic, 30), std::pair(Inertia::semi_dynamical, 20)}) {
    const Chain chain = long_chain(n);
    const NonsmoothModel<> model = chain.model(inertia, End::force_known);
    NonsmoothState by_events = model.at_rest(), by_steps = model.at_rest();
    std::size_t n_events = 0;
    verified_run(EventDriven(model.inclusions, model.outcome), by_events, 4.,
                 [&](const auto& now) { n_events += now.events().size(); });
    verified_run(Euler(model.inclusions, model.outcome, 2e-3), by_steps, 4.);
    const Vector expected = model.displacement(by_steps);
    BOOST_TEST((model.displacement(by_events) - expected).cwiseAbs().maxCoeff() <
               4e-3 * expected.cwiseAbs().maxCoeff());  // 2 h
    BOOST_TEST(n_events < 5 * static_cast<std::size_t>(n));
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_chain_goes_where_its_force_or_its_motion_takes_it) {
  for (const ChainCase& chosen : chain_cases()) {
    const Chain chain = chain_of(chosen);
    const NonsmoothModel<> model = chain.model(chosen.inertia, chosen.end);
    NonsmoothState state = model.at_rest();
    verified_run(Euler(model.inclusions, model.outcome, 0.02), state, 5., [&](const auto& now) {
      const Vector q = now.lift().displacement;
      const double value = chain.end_amplitude * std::sin(chain.end_frequency * now.time());
      const double x = chosen.end == End::force_known          ? q[5] - value / chain.k[5]
                       : chosen.end == End::displacement_known ? value
                                                               : 0.;
      BOOST_TEST(std::abs(q[6] - x) < 1e-13);  // k_n, v_n and F_{n+1} are about 1
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
