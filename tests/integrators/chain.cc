#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven.h>
#include <halfdof/integrators/nonsmooth_euler.h>
#include <halfdof/reduction/singular_elimination.h>

#include <Eigen/Cholesky>
#include <boost/test/unit_test.hpp>

#include "chains.h"
#include "systems.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Euler = NonsmoothEuler<EigenEngine>;
using Inertia = Chain::Inertia;
using End = Chain::End;

/**
 * The models of Bastien and Lamarque (2009), Table 1, by hand: X = (G, a, b) with the friction G on nodes
 * without mass (0), displacements a and velocities b of those with mass (1), M = diag(K_00, I, m^-1), phi the
 * indicator of the box of G and the sum of alpha |b|.
 */
struct TableOne {
  Index n, n_0;  ///< nodes; nodes without mass
  MultiVector K, K_00_inverse;
  Vector alpha, mass;

  TableOne(const Chain& chain, Inertia inertia, End end)
      : n(chain.n()),
        n_0(inertia == Inertia::dynamical        ? 0
            : inertia == Inertia::semi_dynamical ? n - 1
                                                 : n),
        K(MultiVector::Zero(n, n)),
        alpha(chain.alpha),
        mass(chain.mass) {
    for (Index i = 0; i < n; ++i) {
      K(i, i) = chain.k[i] + (i < n - 1 || end != End::force_known ? chain.k[i + 1] : 0.);
      if (i > 0) K(i, i - 1) = K(i - 1, i) = -chain.k[i];
    }
    K_00_inverse = K.topLeftCorner(n_0, n_0).llt().solve(MultiVector::Identity(n_0, n_0));
  }

  /// Z_n = X_n + h G(t_{n+1}, X_{n+1}) of (5.3b), implicit, with F_{n+1} - F_n in place of h F'.
  Vector Z(const Vector& before, const Vector& after, const Vector& F_before, const Vector& F_after,
           double h) const {
    const Index n_1 = n - n_0;
    const Vector G = after.head(n_0), a = after.segment(n_0, n_1), b = after.tail(n_1);
    const MultiVector K_01 = K.topRightCorner(n_0, n_1), K_11 = K.bottomRightCorner(n_1, n_1);
    const Vector v_0 = K_00_inverse * (G + F_after.head(n_0) - K_01 * a);
    Vector drift(n_0 + 2 * n_1);
    drift << h * K_01 * b - (F_after - F_before).head(n_0), h * b,
        h * (F_after.tail(n_1) - K_01.transpose() * v_0 - K_11 * a).cwiseQuotient(mass.tail(n_1));
    return before + drift;
  }
  double norm_squared(const Vector& x) const {
    const Index n_1 = n - n_0;
    const Vector G = x.head(n_0), b = x.tail(n_1);
    return G.dot(K_00_inverse * G) + x.segment(n_0, n_1).squaredNorm() +
           b.dot(mass.tail(n_1).cwiseProduct(b));
  }
  double functional(const Vector& x, const Vector& Z, double h) const {
    return alpha.tail(n - n_0).dot(x.tail(n - n_0).cwiseAbs()) + norm_squared(x - Z) / (2 * h);
  }
  Vector clipped(Vector x) const {
    x.head(n_0) = x.head(n_0).cwiseMin(alpha.head(n_0)).cwiseMax(-alpha.head(n_0));
    return x;
  }
};

/// F_1 ... F_n with what the end adds.
Vector forces(const Chain& chain, End end, double t) {
  Vector F = (chain.amplitude.array() * (chain.frequency.array() * t).sin()).matrix();
  const double value = chain.end_amplitude * std::sin(chain.end_frequency * t);
  if (end == End::force_known) F[chain.n() - 1] -= value;
  if (end == End::displacement_known) F[chain.n() - 1] += chain.k[chain.n()] * value;
  return F;
}

/// v_1 ... v_n at t = 0.5, 1 ... 5, one column each.
MultiVector motion(const Chain& chain, Inertia inertia, End end, double step) {
  const NonsmoothModel<> model = chain.model(inertia, end);
  std::vector<double> times;
  for (int i = 1; i <= 10; ++i)
    times.push_back(0.5 * i);
  MultiVector v(chain.n(), 10);
  Index column = 0;
  NonsmoothState state = model.at_rest();
  Euler(model.inclusions, model.outcome, step).run(state, times, [&](const auto& now) {
    v.col(column++) = now.lift().displacement.segment(1, chain.n());
  });
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

BOOST_AUTO_TEST_CASE(every_step_of_implicit_euler_minimizes_the_functional_of_bastien_and_lamarque) {
  // (5.3c): J(x) = phi(x) + |x - Z_n|_M^2 / 2h. It grows from its minimizer at least as its quadratic part.
  const double h = 0.05;
  for (const ChainCase& chosen : chain_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      const Chain chain = chain_of(chosen);
      const TableOne table(chain, chosen.inertia, chosen.end);
      const Index n_1 = table.n - table.n_0;
      const NonsmoothModel<> model = chain.model(chosen.inertia, chosen.end);
      RandomNumbers random(3);
      double smallest = std::numeric_limits<double>::infinity(), before_time = 0;
      Vector before;
      NonsmoothState state = model.at_rest();
      Euler(model.inclusions, model.outcome, h).run(state, 80 * h, [&](const auto& now) {
        Vector X(table.n_0 + 2 * n_1);
        X << now.state().r.head(table.n_0), now.lift().displacement.segment(1 + table.n_0, n_1),
            now.lift().rate.segment(1 + table.n_0, n_1);
        if (before.size() > 0) {
          const Vector Z = table.Z(before, X, forces(chain, chosen.end, before_time),
                                   forces(chain, chosen.end, now.time()), h);
          for (const double size : {1e-2, 1e-1, 1.}) {
            const Vector x = table.clipped(X + size * random.matrix(static_cast<Index>(X.size()), 1));
            const double growth = table.functional(x, Z, h) - table.functional(X, Z, h);
            smallest = std::min(smallest, growth / (table.norm_squared(x - X) / (2 * h)));
          }
        }
        before = X;
        before_time = now.time();
      });
      // J is about 10 (|Z| about 1, h = 1/20), so that rounding of the smallest differences (1e-3) is 1e-12.
      BOOST_TEST(smallest > 1 - 1e-9);
      BOOST_TEST(smallest < 1.5);
    }
  }
}

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
  const MultiVector semi = motion(reference_chain(), Inertia::semi_dynamical, End::clamped, 2e-3);
  const MultiVector none = motion(reference_chain(), Inertia::quasistatic, End::clamped, 2e-3);
  for (const double factor : {1e-2, 1e-3, 1e-4}) {
    // Inertia delays by the time sqrt(m / k).
    const double allowed = 2.5 * std::sqrt(factor);
    BOOST_TEST(distance(semi, motion(with_light(4, factor), Inertia::dynamical, End::clamped, 2e-3)) <
               allowed);
    BOOST_TEST(distance(none, motion(with_light(5, factor), Inertia::semi_dynamical, End::clamped, 2e-3)) <
               allowed);
    BOOST_TEST(distance(none, motion(with_light(5, factor), Inertia::dynamical, End::clamped, 2e-3)) <
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
    EventDriven(model.inclusions, model.outcome).run(by_events, 4., [&](const auto& now) {
      n_events += now.events().size();
    });
    Euler(model.inclusions, model.outcome, 1e-3).run(by_steps, 4.);
    const Vector expected = model.displacement(by_steps);
    BOOST_TEST((model.displacement(by_events) - expected).cwiseAbs().maxCoeff() <
               2e-3 * expected.cwiseAbs().maxCoeff());  // 2 h
    BOOST_TEST(n_events < 5 * static_cast<std::size_t>(n));
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_chain_goes_where_its_force_or_its_motion_takes_it) {
  for (const ChainCase& chosen : chain_cases()) {
    const Chain chain = chain_of(chosen);
    const NonsmoothModel<> model = chain.model(chosen.inertia, chosen.end);
    NonsmoothState state = model.at_rest();
    Euler(model.inclusions, model.outcome, 0.02).run(state, 5., [&](const auto& now) {
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
