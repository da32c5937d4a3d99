// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/models.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

enum class End { clamped, free };

/**
 * The chain of Bastien and Lamarque (2009), section 3: masses m_i on the ground with St-Venant elements,
 * springs k_0 ... k_n between them. The last spring ends at DoF n, which is held (clamped) or loaded (free).
 */
struct Chain {
  std::vector<double> k = {1.0, 2.0, 1.5, 2.5, 1.2, 0.8}, alpha = {0.3, 0.5, 0.2, 0.4, 0.6};
  std::vector<double> m = {1.0, 0.8, 1.2, 0.5, 1.5};
  Index n = 5;

  DenseSystem system() const {
    DenseSystem chain{MultiVector::Zero(n + 1, n + 1), MultiVector::Zero(n + 1, n + 1),
                      MultiVector::Zero(n + 1, n + 1)};
    chain.K(0, 0) = k[0];
    for (Index i = 0; i < n; ++i) {
      const double stiffness = k[static_cast<std::size_t>(i) + 1];
      chain.K(i, i) += stiffness;
      chain.K(i + 1, i + 1) += stiffness;
      chain.K(i, i + 1) -= stiffness;
      chain.K(i + 1, i) -= stiffness;
      chain.M(i, i) = m[static_cast<std::size_t>(i)];
    }
    return chain;
  }

  /// F_i on the chain, the last entry at its end.
  Vector load = Vector::Zero(6);

  ReducedSystem<EigenEngine> reduced_with(End end) const {
    SystemDescription<EigenEngine> description =
        describe(system(), end == End::clamped ? std::vector<Index>{n} : std::vector<Index>{});
    description.load = [f = load](double) { return f; };
    return reduced(description);
  }

  std::vector<Inclusion> inclusions() const {
    std::vector<Inclusion> all;
    for (Index i = 0; i < n; ++i)
      all.push_back(inclusion(
          "slider " + std::to_string(i),
          friction(-alpha[static_cast<std::size_t>(i)], alpha[static_cast<std::size_t>(i)]), on(i)));
    return all;
  }
};

Chain semi_dynamical() {
  Chain chain;
  chain.m = {0, 0, 0, 0, 1.5};
  return chain;
}

Chain quasistatic() {
  Chain chain;
  chain.m = {0, 0, 0, 0, 0};
  return chain;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plays)

BOOST_AUTO_TEST_CASE(the_state_counts_of_the_chain_are_those_of_its_table) {
  // Bastien and Lamarque 2009, Table 1: p = 2n, n + 1, n, whatever the end.
  for (const End end : {End::clamped, End::free}) {
    const auto n_states = [&](const Chain& chain) {
      return classify_inclusions(with(chain.reduced_with(end), chain.inclusions())).n_states;
    };
    BOOST_TEST(n_states(Chain()) == 10);
    BOOST_TEST(n_states(semi_dynamical()) == 6);
    BOOST_TEST(n_states(quasistatic()) == 5);
  }
}

BOOST_AUTO_TEST_CASE(the_chain_has_one_solution_in_all_cases) {
  for (const Chain& chain : {Chain(), semi_dynamical(), quasistatic()})
    BOOST_TEST(
        (classify_inclusions(with(chain.reduced_with(End::clamped), chain.inclusions())).statement.result ==
         WellPosedness::unique));
}

BOOST_AUTO_TEST_CASE(reactions_follow_from_the_initial_displacements) {
  // r = K q - F on the massless sliders (G(0) = K V(0) - F(0)).
  Chain chain = quasistatic();
  Vector q(6), expected(5);
  q << 0.5, 1., -1., 1.2, 0.6, 0;
  expected << 0.3, -0.2, 0.1, 0.05, -0.6;
  chain.load.head(5) = Vector(chain.system().K * q).head(5) - expected;
  const auto inclusions = with(chain.reduced_with(End::clamped), chain.inclusions());
  const NonsmoothStart found =
      nonsmooth_start(inclusions, classify_inclusions(inclusions), q, Vector::Zero(6));
  BOOST_TEST(relative_error(found.r, expected) < 1e-13);
  BOOST_TEST(found.projected.empty());
  // Carried along, they hold the displacements that were given.
  BOOST_TEST(relative_error(inclusions.lift({0., Vector()}, found.r).displacement, q) < 1e-13);
}

BOOST_AUTO_TEST_CASE(masses_keep_their_displacements) {
  Chain chain = semi_dynamical();
  const auto inclusions = with(chain.reduced_with(End::clamped), chain.inclusions());
  Vector q(6);
  q << 0.02, 0.03, 0.05, 0.04, 3., 0;
  q.head(4) += chain.system().K.topLeftCorner(4, 4).llt().solve(Vector::Unit(4, 3) * 1.2 * 3.);
  const NonsmoothStart found =
      nonsmooth_start(inclusions, classify_inclusions(inclusions), q, Vector::Zero(6));
  BOOST_TEST(relative_error(found.r.head(4), Vector(chain.system().K * q).head(4)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(reactions_outside_their_set_are_refused_or_projected_in_the_metric_of_W) {
  const Chain chain = quasistatic();
  const auto inclusions = with(chain.reduced_with(End::clamped), chain.inclusions());
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  Vector q(6);
  q << 0.1, 0.3, 0.9, 0.5, 0.2, 0;
  BOOST_CHECK_EXCEPTION(nonsmooth_start(inclusions, outcome, q, Vector::Zero(6)), InvalidInput,
                        [](const InvalidInput& error) {
                          return std::string(error.what()).find("\"slider 2\"") != std::string::npos;
                        });
  NonsmoothStartOptions options;
  options.inadmissible = InadmissibleReactions::project;
  const NonsmoothStart found = nonsmooth_start(inclusions, outcome, q, Vector::Zero(6), 0., options);
  BOOST_TEST(!found.projected.empty());
  // The projection in the metric of W: (r - r_0)^T W (z - r) >= 0 for all z in the box.
  const Vector given = (chain.system().K * q).head(5);
  const Vector gradient = outcome.W.K * (found.r - given);
  for (Index i = 0; i < 5; ++i) {
    const double alpha = chain.alpha[static_cast<std::size_t>(i)];
    BOOST_TEST(std::abs(found.r[i]) <= alpha);
    BOOST_TEST(gradient[i] * (alpha - found.r[i]) >= -1e-12);
    BOOST_TEST(gradient[i] * (-alpha - found.r[i]) >= -1e-12);
  }
}

BOOST_AUTO_TEST_CASE(thresholds_that_are_wrong_at_the_start_are_refused_with_their_inclusion) {
  const Chain chain = quasistatic();
  std::vector<Inclusion> all = chain.inclusions();
  all[3].law = std::make_shared<const DryFriction>(ScalarFunction::expression("t - 1"), 0.4);
  const auto inclusions = with(chain.reduced_with(End::clamped), all);
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  const Vector zero = Vector::Zero(6);
  BOOST_CHECK_NO_THROW(nonsmooth_start(inclusions, outcome, zero, zero, 0.5));
  BOOST_CHECK_EXCEPTION(nonsmooth_start(inclusions, outcome, zero, zero, 2.), InvalidInput,
                        [](const InvalidInput& error) {
                          const std::string text = error.what();
                          return text.find("Inclusion \"slider 3\": The thresholds") == 0;
                        });
}

BOOST_AUTO_TEST_CASE(plays_start_and_move_alike_with_W_as_a_matrix_and_as_an_operator) {
  DelassusOptions few;
  few.max_dense = 2;
  for (Chain chain : {semi_dynamical(), quasistatic()}) {
    Vector within(6), outside(6), reactions(6);
    within << 0.02, 0.03, 0.05, 0.04, 0.1, 0;
    outside << 0.1, 0.3, 0.9, 0.5, 0.2, 0;
    reactions << 0.2, -0.3, 0.1, 0.3, -0.2, 0;
    chain.load = chain.system().K * within - reactions;
    const auto inclusions = with(chain.reduced_with(End::clamped), chain.inclusions());
    const InclusionOutcome dense = classify_inclusions(inclusions),
                           as_operator = classify_inclusions(inclusions, few);
    BOOST_CHECK_THROW(nonsmooth_start(inclusions, as_operator, outside, Vector::Zero(6)), InvalidInput);
    NonsmoothStartOptions options;
    for (const Vector& q : {within, outside}) {
      NonsmoothState expected = nonsmooth_start(inclusions, dense, q, Vector::Zero(6), 0., options),
                     found = nonsmooth_start(inclusions, as_operator, q, Vector::Zero(6), 0., options);
      BOOST_TEST(relative_error(found.r, expected.r) < 1e-10);
      BOOST_TEST(relative_error(found.g, expected.g) < 1e-10);
      NonsmoothEuler<EigenEngine>(inclusions, dense, 0.01).run(expected, 0.1);
      NonsmoothEuler<EigenEngine>(inclusions, as_operator, 0.01).run(found, 0.1);
      BOOST_TEST(relative_error(found.r, expected.r) < 1e-9);
      BOOST_TEST(relative_error(found.g, expected.g) < 1e-9);
      options.inadmissible = InadmissibleReactions::project;
    }
  }
}

BOOST_AUTO_TEST_CASE(more_plays_than_a_dense_matrix_may_have_start_where_they_are_put) {
  // Massless nodes on springs to the ground and to each other: r = K q.
  const Index n = 1040;
  DenseSystem row{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Identity(n, n)};
  std::vector<Inclusion> all;
  for (Index i = 0; i < n; ++i) {
    if (i > 0) {
      row.K(i, i) += 0.5;
      row.K(i - 1, i - 1) += 0.5;
      row.K(i, i - 1) = row.K(i - 1, i) = -0.5;
    }
    all.push_back(inclusion("node " + std::to_string(i), friction(-4., 4.), on(i)));
  }
  const auto inclusions = with(reduced(describe(row)), all);
  const Vector q = RandomNumbers(3).matrix(n, 1);
  const NonsmoothStart start =
      nonsmooth_start(inclusions, classify_inclusions(inclusions), q, Vector::Zero(n));
  BOOST_TEST(relative_error(start.r, row.K * q) < 1e-10);
}

BOOST_AUTO_TEST_CASE(rounding_does_not_put_a_reaction_outside_its_set) {
  // The mass carries its massless neighbours along; no reaction is needed, and none of one sign is admitted.
  const Chain chain = semi_dynamical();
  std::vector<Inclusion> all = chain.inclusions();
  for (const std::size_t i : {0u, 1u, 2u, 3u})
    all[i].law = friction(i < 2 ? 0. : -1., i < 2 ? 1. : 0.);
  const auto inclusions = with(chain.reduced_with(End::clamped), all);
  Vector q = Vector::Zero(6);
  q[4] = 3.;
  q.head(4) = chain.system().K.topLeftCorner(4, 4).llt().solve(Vector::Unit(4, 3) * 1.2 * 3.);
  const NonsmoothStart found =
      nonsmooth_start(inclusions, classify_inclusions(inclusions), q, Vector::Zero(6));
  BOOST_TEST(found.r.head(4).cwiseAbs().maxCoeff() < 1e-14);
  BOOST_TEST(found.projected.empty());
}

BOOST_AUTO_TEST_CASE(dependent_plays_start_with_the_least_reactions) {
  // Both frictions move the same massless node: only r_0 - r_1 is determined.
  const auto inclusions = with(reduced_one_of_each(), {inclusion("inner", friction(-5., 5.), between(2, 0)),
                                                       inclusion("outer", friction(-5., 5.), on(2))});
  Vector q = Vector::Zero(4);
  q[2] = 0.25;
  const NonsmoothStart found =
      nonsmooth_start(inclusions, classify_inclusions(inclusions), q, Vector::Zero(4));
  BOOST_TEST(found.r[0] == 2., boost::test_tools::tolerance(1e-13));
  BOOST_TEST(found.r[1] == 2., boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_SUITE_END()
