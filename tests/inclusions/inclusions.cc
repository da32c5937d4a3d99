// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include <boost/test/unit_test.hpp>

#include "models.h"
#include "nonlinear_models.h"
#include <cmath>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Two directions on all kinds and on a constrained DoF that moves; loads and motion are smooth.
struct MovingModel {
  DenseSystem system = random_unsymmetric(3, 3, 3, 11);
  MultiVector H = MultiVector::Zero(10, 2);

  /// One DoF more, constrained, and coupled to all others.
  MovingModel() {
    RandomNumbers random(12);
    for (MultiVector* A : {&system.M, &system.C, &system.K}) {
      const MultiVector free = *A;
      A->setZero(10, 10);
      A->topLeftCorner(9, 9) = free;
    }
    system.K.col(9) = random.matrix(10, 1);
    H = random.matrix(10, 2);
  }

  static Vector load(double t, int derivative) {
    Vector f(10);
    for (Index i = 0; i < 10; ++i)
      f[i] = derivative == 0 ? std::sin((1. + i) * t) : (1. + i) * std::cos((1. + i) * t);
    return f;
  }
  static Vector motion(double t, int derivative) {
    return Vector::Constant(1, derivative == 0 ? std::cos(2 * t) : -2 * std::sin(2 * t));
  }

  Inclusions<EigenEngine> inclusions() const {
    SystemDescription<EigenEngine> description = describe(system, {9});
    description.load = [](double t) { return load(t, 0); };
    description.load_rate = [](double t) { return load(t, 1); };
    description.prescribed.value = [](double t) { return motion(t, 0); };
    description.prescribed.rate = [](double t) { return motion(t, 1); };
    const ScalarFunction sliding(std::function<double(double)>([](double t) { return t * t; }),
                                 std::function<double(double)>([](double t) { return 2 * t; }));
    std::vector<Inclusion> all;
    for (Index j = 0; j < 2; ++j) {
      std::vector<WeightedDoF> entries;
      for (Index i = 0; i < 10; ++i)
        entries.push_back({i, H(i, j)});
      all.push_back(inclusion(j == 0 ? "still" : "moving",
                              friction(-1., 1., j == 0 ? ScalarFunction(0.5) : sliding), Direction(entries)));
    }
    return with(reduced(description), all);
  }

  /// (a_I; q_C'; q_K) at their places, densely.
  Vector highest(const DenseElimination& e, const Vector& y, double t, const Vector& r) const {
    const Index n_I = static_cast<Index>(e.I.size()), n_C = static_cast<Index>(e.C.size());
    Vector b = load(t, 0).head(9) - system.K.col(9).head(9) * motion(t, 0)[0] + H.topRows(9) * r;
    b -= system.K(Eigen::seq(0, 8), e.I) * y.head(n_I) +
         system.K(Eigen::seq(0, 8), e.C) * y.segment(n_I, n_C) +
         system.C(Eigen::seq(0, 8), e.I) * y.tail(n_I);
    return spread(e, e.D.fullPivLu().solve(b));
  }

  static Vector spread(const DenseElimination& e, const Vector& x) {
    Vector all(9);
    Index next = 0;
    for (const auto* kind : {&e.I, &e.C, &e.K})
      for (const Index j : *kind)
        all[j] = x[next++];
    return all;
  }

  DenseElimination elimination() const {
    return dense_elimination(
        {system.M.topLeftCorner(9, 9), system.C.topLeftCorner(9, 9), system.K.topLeftCorner(9, 9)});
  }

  /// q of all DoFs.
  Vector displacement(const Vector& y, double t, const Vector& r) const {
    const DenseElimination e = elimination();
    const Vector x = highest(e, y, t, r);
    Vector q = Vector::Zero(10);
    for (const Index j : e.K)
      q[j] = x[j];
    for (std::size_t k = 0; k < e.I.size(); ++k)
      q[e.I[k]] = y[static_cast<Index>(k)];
    for (std::size_t k = 0; k < e.C.size(); ++k)
      q[e.C[k]] = y[static_cast<Index>(e.I.size() + k)];
    q[9] = motion(t, 0)[0];
    return q;
  }
};

/// A user's law: turns one way only, against any moment.
class Ratchet : public IntervalLaw {
 public:
  std::string name() const override { return "ratchet"; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  LawParameters parameters(double, ContactState) const override {
    return {0., std::numeric_limits<double>::infinity()};
  }
  bool is_summable() const override { return true; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(inclusions)

BOOST_AUTO_TEST_CASE(a_reaction_acts_as_a_load_of_the_reduced_system) {
  const MovingModel model;
  const auto inclusions = model.inclusions();
  const Vector r = RandomNumbers(3).matrix(2, 1);
  const State state{0.4, RandomNumbers(4).matrix(9, 1)};
  const Vector expected =
      inclusions.reduced().apply(state) + inclusions.reduced().input(model.H.topRows(9) * r);
  BOOST_TEST(relative_error(inclusions.derivative(state, r), expected) < 1e-11);
}

BOOST_AUTO_TEST_CASE(gaps_and_lifted_displacements_are_those_of_the_dense_system) {
  const MovingModel model;
  const auto inclusions = model.inclusions();
  const Vector r = RandomNumbers(3).matrix(2, 1);
  const State state{0.4, RandomNumbers(4).matrix(9, 1)};
  const Vector q = model.displacement(state.y, 0.4, r);
  Vector g = model.H.transpose() * q;
  g[0] -= 0.5;
  g[1] -= 0.4 * 0.4;
  BOOST_TEST(relative_error(inclusions.lift(state, r).displacement, q) < 1e-11);
  BOOST_TEST(relative_error(inclusions.gaps(state, r), g) < 1e-11);
}

BOOST_AUTO_TEST_CASE(the_motion_without_reactions_and_what_these_add_are_the_motion_with_them) {
  const MovingModel model;
  const auto inclusions = model.inclusions();
  const Vector r = RandomNumbers(3).matrix(2, 1);
  const State state{0.4, RandomNumbers(4).matrix(9, 1)};
  const FreeMotion free = inclusions.free_motion(state);
  const DelassusMatrices W = delassus_matrices(inclusions);
  BOOST_TEST(relative_error(free.y_rate + inclusions.reduced().input(inclusions.H().force(r)),
                            inclusions.derivative(state, r)) < 1e-11);
  BOOST_TEST(relative_error(free.gaps + W.K * r, inclusions.gaps(state, r)) < 1e-11);
  BOOST_TEST(relative_error(free.rates + W.C * r, inclusions.rates_without_load_rate(state, r)) < 1e-11);
  const DenseElimination e = model.elimination();
  const Vector a_I = model.highest(e, state.y, 0.4, r)(e.I), accelerations = free.accelerations + W.I * r;
  BOOST_TEST(relative_error(accelerations, model.H(e.I, Eigen::all).transpose() * a_I) < 1e-11);
}

BOOST_AUTO_TEST_CASE(rates_are_the_derivatives_of_gaps_along_the_motion) {
  // Central differences of the gaps along y(t + h) = y + h y', r(t + h) = r + h r': error of order h^2.
  const MovingModel model;
  const auto inclusions = model.inclusions();
  const Vector r = RandomNumbers(3).matrix(2, 1), r_rate = RandomNumbers(5).matrix(2, 1);
  const State state{0.4, RandomNumbers(4).matrix(9, 1)};
  const Vector y_rate = inclusions.derivative(state, r);
  const double h = 1e-5;
  const auto gaps_at = [&](double shift) {
    return inclusions.gaps({0.4 + shift, state.y + shift * y_rate}, r + shift * r_rate);
  };
  const Vector expected = (gaps_at(h) - gaps_at(-h)) / (2 * h);
  BOOST_TEST(relative_error(inclusions.rates(state, r, r_rate), expected) < 1e-8);
}

BOOST_AUTO_TEST_CASE(the_rate_of_a_moving_constrained_dof_must_be_known) {
  // A mass, and beside it a shaken DoF that no matrix couples to it.
  DenseSystem system{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
  SystemDescription<EigenEngine> description = describe(system, {1});
  description.prescribed.value = [](double) -> Vector { return Vector::Ones(1); };
  const auto inclusions = with(reduced(description), {inclusion("gap", contact(), between(0, 1))});
  const State state{0., Vector::Zero(2)};
  BOOST_TEST(inclusions.gaps(state, Vector::Zero(1))[0] == -1.);
  BOOST_CHECK_EXCEPTION(inclusions.rates(state, Vector::Zero(1), Vector::Zero(1)), NotAvailable,
                        [](const NotAvailable& error) {
                          return std::string(error.what()).find("(\"gap\" on DoF 1") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_by_name) {
  const auto system = reduced_one_of_each();
  const auto refusal = [&](std::vector<Inclusion> all) {
    try {
      with(system, std::move(all));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  const auto mentions = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(
      mentions(refusal({inclusion("a", friction(), on(0)), inclusion("a", friction(), on(1))}), "\"a\""));
  BOOST_TEST(mentions(refusal({inclusion("", friction(), on(0))}), "no name"));
  BOOST_TEST(mentions(refusal({inclusion("a", nullptr, on(0))}), "no law"));
  BOOST_TEST(mentions(refusal({inclusion("a", friction(), on(4))}), "0 to 3"));
  BOOST_TEST(mentions(refusal({Inclusion{"a", friction(), {on(0), on(1)}}}), "needs 1"));
}

BOOST_AUTO_TEST_CASE(frictions_along_one_line_merge_with_the_sums_of_their_thresholds) {
  // r = r_a - 2 r_b + r_c with r_a in [-1, 2], r_b in [-3, 5], r_c in [-7, 0].
  const auto inclusions =
      with(reduced_one_of_each(),
           {inclusion("a", friction(-1., 2.), on(2)), inclusion("other", friction(), on(0)),
            inclusion("b", friction(-3., 5.), on(2, -2.)), inclusion("c", friction(-7., 0.), on(2))});
  BOOST_REQUIRE(inclusions.n_directions() == 2);
  BOOST_TEST(inclusions.acting()[0].name == "a + b + c");
  const LawParameters set = inclusions.acting()[0].law->parameters(0., ContactState::stick);
  BOOST_TEST(set[0] == -1. - 2 * 5. - 7.);
  BOOST_TEST(set[1] == 2. + 2 * 3. + 0.);
  BOOST_TEST(inclusions.first_direction(1) == 1);
  BOOST_TEST(inclusions.direction_name(1) == "other");
}

BOOST_AUTO_TEST_CASE(the_reactions_of_merged_frictions_obey_every_law_and_add_up) {
  const auto inclusions = with(reduced_one_of_each(), {inclusion("a", friction(-1., 2.), on(2)),
                                                       inclusion("b", friction(-3., 5.), on(2, -2.)),
                                                       inclusion("other", friction(), on(0))});
  for (const double share : {0., 0.3, 1.}) {
    const double sum = -11. + share * 19.;
    const std::vector<Vector> r = inclusions.split_reactions(0., Vector::LinSpaced(2, sum, 0.25));
    BOOST_TEST(r[0][0] - 2 * r[1][0] == sum, boost::test_tools::tolerance(1e-14));
    BOOST_TEST((r[0][0] >= -1 && r[0][0] <= 2 && r[1][0] >= -3 && r[1][0] <= 5));
    BOOST_TEST(r[2][0] == 0.25);
    // While a slips forward (r = lower), b slips back (r = upper).
    if (share == 0.) BOOST_TEST(r[1][0] == 5.);
  }
}

BOOST_AUTO_TEST_CASE(contacts_with_equal_obstacles_merge_and_share_their_reaction) {
  const auto merge = [&](const std::shared_ptr<const Law>& a, const std::shared_ptr<const Law>& b,
                         double weight) {
    return with(reduced_one_of_each(), {inclusion("a", a, on(2)), inclusion("b", b, on(2, weight))});
  };
  const auto equal = merge(contact(0.5), contact(0.5), 1.);
  BOOST_REQUIRE(equal.n_directions() == 1);
  const std::vector<Vector> r = equal.split_reactions(0., Vector::Constant(1, 3.));
  BOOST_TEST(r[0][0] == 1.5);
  BOOST_TEST(r[1][0] == 1.5);
  // g_b = 2 q - 1 = 2 (q - 0.5): the same contact.
  BOOST_TEST(merge(contact(0.5), contact(1.), 2.).n_directions() == 1);
  BOOST_TEST(merge(contact(0.5), contact(0.6), 1.).n_directions() == 2);
  BOOST_TEST(merge(contact(0.5), contact(0.5), 2.).n_directions() == 2);
  BOOST_TEST(merge(contact(0.), contact(0.), -1.).n_directions() == 2);
  BOOST_TEST(merge(contact(0., 0.5), contact(0., 0.6), 1.).n_directions() == 2);
  BOOST_TEST(merge(contact(), friction(), 1.).n_directions() == 2);
}

BOOST_AUTO_TEST_CASE(moving_obstacles_are_equal_if_they_are_one_function_table_or_formula) {
  const auto count = [&](const ScalarFunction& a, const ScalarFunction& b, double weight = 1.) {
    return with(reduced_one_of_each(),
                {inclusion("a", contact(a), on(2)), inclusion("b", contact(b), on(2, weight))})
        .n_directions();
  };
  const ScalarFunction table = ScalarFunction::table({0., 1.}, {0., 2.});
  BOOST_TEST(count(table, table) == 1);
  BOOST_TEST(count(table, ScalarFunction::table({0., 1.}, {0., 2.})) == 1);
  BOOST_TEST(count(table, table, 1 + 1e-14) == 1);  // rounding
  BOOST_TEST(count(table, table, 2.) == 2);
  BOOST_TEST(count(table, ScalarFunction::table({0., 1.}, {0., 4.}), 2.) == 1);  // 2 (q - h)
  BOOST_TEST(count(table, ScalarFunction::table({0., 2.}, {0., 4.}), 2.) == 2);
  BOOST_TEST(count(table, ScalarFunction::table({0., 1.}, {0., 4.}, BeyondTable::refuse), 2.) == 2);
  BOOST_TEST(count(table, ScalarFunction::table({0., 1.}, {0., 3.})) == 2);
  BOOST_TEST(count(ScalarFunction::expression("sin(t)"), ScalarFunction::expression("sin(t)")) == 1);
  BOOST_TEST(count(ScalarFunction::expression("sin(t)"), ScalarFunction::expression("cos(t)")) == 2);
}

BOOST_AUTO_TEST_CASE(where_the_support_of_a_friction_rests_does_not_matter) {
  const auto count = [&](const ScalarFunction& a, const ScalarFunction& b) {
    return with(reduced_one_of_each(), {inclusion("a", friction(-1., 2., a), on(2)),
                                        inclusion("b", friction(-1., 2., b), on(2, -3.))})
        .n_directions();
  };
  BOOST_TEST(count(0., 0.7) == 1);
  BOOST_TEST(count(0., ScalarFunction::expression("sin(t)")) == 2);
}

BOOST_AUTO_TEST_CASE(opposite_frictions_on_a_support_that_moves_merge) {
  const auto count = [&](double end) {
    const ScalarFunction there = ScalarFunction::table({0., 1.}, {0., 1.}),
                         back = ScalarFunction::table({0., 1.}, {0., end});
    return with(reduced_one_of_each(), {inclusion("a", friction(-1., 2., there), on(2)),
                                        inclusion("b", friction(-1., 2., back), on(2, -1.))})
        .n_directions();
  };
  BOOST_TEST(count(-1.) == 1);
  BOOST_TEST(count(1.) == 2);
}

BOOST_AUTO_TEST_CASE(equal_contacts_with_coulomb_friction_merge_and_share_their_reaction) {
  const auto foot = [](const std::string& name, double mu, ScalarFunction obstacle, double tangent) {
    return Inclusion{
        name, std::make_shared<const CoulombFriction>(1, mu, std::move(obstacle)), {on(2), on(1, tangent)}};
  };
  const auto pair = [&](const Inclusion& other) {
    return with(reduced_one_of_each(), {foot("a", 0.3, 0.5, 1.), inclusion("x", friction(), on(0)), other});
  };
  const auto merged = pair(foot("b", 0.3, 0.5, 1.));
  BOOST_REQUIRE(merged.n_directions() == 3);
  BOOST_TEST(merged.acting()[0].name == "a + b");
  Vector sum(3);
  sum << 8., -2., 0.25;
  const std::vector<Vector> r = merged.split_reactions(0., sum);
  for (const std::size_t i : {std::size_t(0), std::size_t(2)}) {
    BOOST_TEST(r[i][0] == 4.);
    BOOST_TEST(r[i][1] == -1.);
  }
  BOOST_TEST(r[1][0] == 0.25);
  // Another friction, obstacle or column.
  for (const Inclusion& other : {foot("b", 0.4, 0.5, 1.), foot("b", 0.3, 0.6, 1.), foot("b", 0.3, 0.5, 2.)})
    BOOST_TEST(pair(other).n_directions() == 5);
}

BOOST_AUTO_TEST_CASE(laws_that_do_not_say_that_they_may_be_summed_stay_apart) {
  /// Remembers which way it slipped.
  class Worn final : public IntervalLaw {
   public:
    std::string name() const override { return "worn"; }
    LawLevel level(Index) const override { return LawLevel::rate; }
    LawParameters parameters(double, ContactState before) const override {
      return {before == ContactState::slip_forward ? -1. : -2., 2.};
    }
  };
  const auto worn = std::make_shared<const Worn>();
  const auto pair =
      with(reduced_one_of_each(), {inclusion("a", worn, on(2)), inclusion("b", worn, on(2, -1.))});
  BOOST_TEST(pair.n_directions() == 2);
}

BOOST_AUTO_TEST_CASE(what_slips_along_an_opposite_direction_slips_the_other_way) {
  const auto inclusions =
      with(reduced_one_of_each(), {inclusion("a", friction(), on(2)), inclusion("x", friction(), on(0)),
                                   inclusion("b", friction(), on(2, -2.))});
  BOOST_REQUIRE(inclusions.n_directions() == 2);
  using S = ContactState;
  for (const auto& [of_merged, of_opposite] :
       {std::pair(S::slip_forward, S::slip_back), std::pair(S::slip_back, S::slip_forward),
        std::pair(S::stick, S::stick)}) {
    const std::vector<S> contacts = inclusions.split_contacts({of_merged, S::slip_back});
    BOOST_TEST((contacts[0] == of_merged));
    BOOST_TEST((contacts[1] == S::slip_back));
    BOOST_TEST((contacts[2] == of_opposite));
  }
}

BOOST_AUTO_TEST_CASE(reactions_without_an_upper_bound_obey_every_law_too) {
  // A ratchet [0, inf) beside friction in [-1, 2], opposite friction 2 [-3, 5], and a ratchet of weight 3.
  const auto ratchet = std::make_shared<const Ratchet>();
  const auto inclusions =
      with(reduced_one_of_each(),
           {inclusion("a", friction(-1., 2.), on(2)), inclusion("b", friction(-3., 5.), on(2, -2.)),
            inclusion("c", ratchet, on(2)), inclusion("d", ratchet, on(2, 3.))});
  BOOST_REQUIRE(inclusions.n_directions() == 1);
  for (const double sum : {-11., -4., 0., 8., 1000.}) {
    const std::vector<Vector> r = inclusions.split_reactions(0., Vector::Constant(1, sum));
    BOOST_TEST(r[0][0] - 2 * r[1][0] + r[2][0] + 3 * r[3][0] == sum, boost::test_tools::tolerance(1e-14));
    BOOST_TEST((r[0][0] >= -1 && r[0][0] <= 2 && r[1][0] >= -3 && r[1][0] <= 5));
    BOOST_TEST((r[2][0] >= 0 && r[3][0] >= 0));
  }
  // Back to back they hold from both sides: each pushes its own way.
  const auto pair =
      with(reduced_one_of_each(), {inclusion("a", ratchet, on(2)), inclusion("b", ratchet, on(2, -2.))});
  BOOST_REQUIRE(pair.n_directions() == 1);
  for (const double sum : {-3., 5.}) {
    const std::vector<Vector> r = pair.split_reactions(0., Vector::Constant(1, sum));
    BOOST_TEST(r[0][0] - 2 * r[1][0] == sum);
    BOOST_TEST((r[0][0] >= 0 && r[1][0] >= 0));
  }
}

BOOST_AUTO_TEST_CASE(opposite_frictions_may_share_one_law) {
  const auto law = friction();
  BOOST_TEST(with(reduced_one_of_each(), {inclusion("a", law, on(2)), inclusion("b", law, on(2, -1.))})
                 .n_directions() == 1);
}

BOOST_AUTO_TEST_CASE(weakening_friction_is_not_merged) {
  const auto law = weakening(0.1);
  BOOST_TEST(
      with(reduced_one_of_each(), {inclusion("a", law, on(0)), inclusion("b", law, on(0))}).n_directions() ==
      2);
}

BOOST_AUTO_TEST_CASE(rates_of_algebraic_dofs_follow_tangents_at_the_state_where_reactions_act) {
  const StiffeningSprings springs;
  const ReducedSystem<EigenEngine> reduced(AssembledSystem<EigenEngine>(springs.description()));
  const State state{0.7, Eigen::Vector2d(1.5, 0.6)};
  const Inclusions<EigenEngine> inclusions(reduced, {inclusion("pad", friction(-5., 5.), on(1))});
  const Vector r = Vector::Constant(1, 2.5), r_rate = Vector::Constant(1, -0.8);
  const double q_1 = inclusions.lift(state, r).displacement[1];
  BOOST_TEST(std::abs(5 * q_1 + 4.7 * q_1 * q_1 * q_1 - 3 * 1.5 - std::sin(0.7) - 2.5) < 1e-9);
  BOOST_TEST(std::abs(inclusions.rates(state, r, r_rate)[0] - springs.rate(0.7, q_1, 0.6, -0.8)) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
