// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>

#include <boost/test/unit_test.hpp>

#include "models.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

Statement statement_of(std::vector<Inclusion> all) {
  return classify_inclusions(with(reduced_one_of_each(), std::move(all))).statement;
}

bool is(const Statement& statement, WellPosedness result, const std::string& theorem) {
  return statement.result == result && statement.theorem.find(theorem) != std::string::npos;
}

bool mentions(const Statement& statement, const std::string& part) {
  return statement.text.find(part) != std::string::npos;
}

/// Two masses and a massless node, unsymmetric.
DenseSystem unsymmetric() {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
  system.M << 2, 1, 0, 3;
  return system;
}

/// A massless node with two displacements, coupled by its stiffness.
InclusionOutcome massless_contact(const ScalarFunction& mu, double coupling) {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.K << 4, coupling, coupling, 2;
  return classify_inclusions(
      with(reduced(describe(system)),
           {Inclusion{"foot", std::make_shared<const CoulombFriction>(1, mu), {on(0), on(1)}}}));
}

/// A user's contact with friction, which may say how steep its cone is.
class OwnCone final : public Law {
 public:
  explicit OwnCone(std::optional<double> slope) : coulomb_(1, 3.), slope_(slope) {}
  std::string name() const override { return "a law of one's own"; }
  Index dimension() const override { return 2; }
  LawLevel level(Index column) const override { return coulomb_.level(column); }
  /// The coefficient stands second.
  LawParameters parameters(double time, ContactState before) const override {
    LawParameters parameters = coulomb_.parameters(time, before);
    std::swap(parameters[0], parameters[1]);
    return parameters;
  }
  std::optional<double> cone_slope(const LawParameters&) const override { return slope_; }
  void resolvent(const LawParameters&, double, LocalConstView z, LocalView r) const override { r = z; }
  void project(const LawParameters&, LocalConstView reaction, LocalView r) const override { r = reaction; }
  ContactState state(const LawParameters&, LocalConstView, LocalConstView, double) const override {
    return ContactState::open;
  }

 private:
  CoulombFriction coulomb_;
  std::optional<double> slope_;
};

/// A massless node with two displacements and a law of one's own.
InclusionOutcome own_contact(std::optional<double> slope, double coupling) {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.K << 4, coupling, coupling, 2;
  return classify_inclusions(
      with(reduced(describe(system)),
           {Inclusion{"foot", std::make_shared<const OwnCone>(slope), {on(0), on(1)}}}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statements)

BOOST_AUTO_TEST_CASE(laws_that_became_lipschitz_have_one_solution) {
  const Statement statement =
      statement_of({inclusion("a", friction(), on(1)), inclusion("b", contact(), between(0, 2))});
  BOOST_TEST(is(statement, WellPosedness::unique, "Lindel"), statement.text);
}

BOOST_AUTO_TEST_CASE(friction_on_mass_is_unique_as_long_as_it_is_one_sided_lipschitz) {
  BOOST_TEST(is(statement_of({inclusion("a", friction(), on(0))}), WellPosedness::unique, "Theorem 1.1"));
  BOOST_TEST(is(statement_of({inclusion("a", weakening(7.), on(0))}), WellPosedness::unique, "Theorem 1.1"));
  const Statement breaking =
      statement_of({inclusion("a", std::make_shared<const StaticKineticFriction>(2., 1.), on(0))});
  BOOST_TEST(is(breaking, WellPosedness::existence, "Theorem 1.1"), breaking.text);
  BOOST_TEST(mentions(breaking, "not one-sided Lipschitz"));
}

BOOST_AUTO_TEST_CASE(plays_and_sweeping_processes_are_maximal_monotone) {
  BOOST_TEST(is(statement_of({inclusion("a", friction(), on(2)), inclusion("b", friction(), on(0))}),
                WellPosedness::unique, "Proposition A.1"));
  BOOST_TEST(is(statement_of({inclusion("a", contact(), on(1))}), WellPosedness::unique, "Proposition A.1"));
}

BOOST_AUTO_TEST_CASE(plays_whose_thresholds_depend_on_time_are_sweeping_processes_with_a_moving_set) {
  const auto falling = std::make_shared<const DryFriction>(-1., ScalarFunction::expression("1 + exp(-t)"));
  const Statement play = statement_of({inclusion("a", falling, on(2))});
  BOOST_TEST(is(play, WellPosedness::unique, "Moreau 1977"), play.text);
  BOOST_TEST(mentions(play, "The thresholds of \"a\" depend on time"), play.text);
  BOOST_TEST(is(statement_of({inclusion("a", falling, on(0))}), WellPosedness::unique, "Theorem 1.1"));
  // Merged with a constant one, beside friction on a mass.
  const Statement merged = statement_of({inclusion("a", friction(), on(2)), inclusion("b", falling, on(2))});
  BOOST_TEST(is(merged, WellPosedness::unique, "Moreau 1977"), merged.text);
  const Statement both = statement_of({inclusion("a", falling, on(2)), inclusion("m", friction(), on(0))});
  BOOST_TEST((both.result == WellPosedness::open), both.text);
  // The motion of the support is a load.
  const Statement moved =
      statement_of({inclusion("a", friction(-1., 1., ScalarFunction::expression("t")), on(2))});
  BOOST_TEST(is(moved, WellPosedness::unique, "Proposition A.1"), moved.text);
}

BOOST_AUTO_TEST_CASE(one_contact_with_impacts_has_a_solution) {
  const Statement one =
      statement_of({inclusion("a", contact(0., 0.5), on(0)), inclusion("b", friction(), on(1))});
  BOOST_TEST(is(one, WellPosedness::existence, "Theorem 1.2"), one.text);
  const ScalarFunction road = ScalarFunction::expression("max(0, sin(t))");
  const Statement moving = statement_of({inclusion("a", contact(road, 1.), on(0))});
  BOOST_TEST((moving.result == WellPosedness::existence));
  BOOST_TEST(mentions(moving, "max(0, sin(t))"), moving.text);
}

BOOST_AUTO_TEST_CASE(hypotheses_of_the_theorem_on_impacts_that_fail_are_named) {
  const auto open = [](const Statement& statement, const char* reason) {
    return statement.result == WellPosedness::open && statement.theorem.empty() &&
           mentions(statement, reason);
  };
  BOOST_TEST(open(statement_of({inclusion("a", contact(0., 0.), on(0))}), "does not rebound"));
  BOOST_TEST(open(statement_of({inclusion("a", contact(), on(0))}), "no coefficient of restitution"));
  BOOST_TEST(open(statement_of({inclusion("a", contact(0., 1.), on(0)), inclusion("rub", friction(), on(0))}),
                  "The law of \"rub\", dry friction, is discontinuous"));
  BOOST_TEST(open(
      statement_of({inclusion("a", contact(0., 1.), on(0)), inclusion("b", contact(0., 1.), on(0, -1.))}),
      "2 contacts"));
}

BOOST_AUTO_TEST_CASE(impacts_do_not_hide_contacts_without_a_reaction) {
  // Two massless contacts with W_K = [1 -3; -3 1] may have no reaction at all. The mass hangs on a spring.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(2, 2) = 1;
  system.K << -1. / 8, -3. / 8, 0, -3. / 8, -1. / 8, 0, 0, 0, 1;
  const auto outcome = [&](std::vector<Inclusion> all) {
    return classify_inclusions(with(reduced(describe(system)), std::move(all))).statement;
  };
  const Inclusion left = inclusion("left", contact(), on(0)), right = inclusion("right", contact(), on(1)),
                  impact = inclusion("impact", contact(0., 0.5), on(2));
  BOOST_TEST(is(outcome({left, impact}), WellPosedness::existence, "Theorem 1.2"));
  const Statement statement = outcome({left, right, impact});
  BOOST_TEST((statement.result == WellPosedness::open), statement.text);
  BOOST_TEST(mentions(statement, "not positive semidefinite"), statement.text);
}

BOOST_AUTO_TEST_CASE(impacts_do_not_hide_friction_that_follows_a_normal_reaction) {
  // A massless foot whose tangent is viscous, and a mass that bounces.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  system.C(1, 1) = 1;
  system.M(2, 2) = 1;
  const Inclusion foot{"foot", std::make_shared<const CoulombFriction>(1, 0.3), {on(0), on(1)}};
  const auto outcome = [&](std::vector<Inclusion> all) {
    return classify_inclusions(with(reduced(describe(system)), std::move(all))).statement;
  };
  for (const Statement& statement :
       {outcome({foot}), outcome({foot, inclusion("a", contact(0., 1.), on(2))})}) {
    BOOST_TEST((statement.result == WellPosedness::open), statement.text);
    BOOST_TEST(mentions(statement, "depends on the normal reaction"), statement.text);
  }
}

BOOST_AUTO_TEST_CASE(unsymmetric_systems_keep_uniqueness_for_one_law_alone) {
  const auto outcome = [](std::vector<Inclusion> all) {
    return classify_inclusions(with(reduced(describe(unsymmetric())), std::move(all)));
  };
  BOOST_TEST(
      is(outcome({inclusion("a", friction(), on(0))}).statement, WellPosedness::unique, "Theorem 1.1"));
  const Statement two =
      outcome({inclusion("a", friction(), on(0)), inclusion("b", friction(), on(1))}).statement;
  BOOST_TEST(is(two, WellPosedness::existence, "Theorem 1.1"), two.text);
  BOOST_TEST(mentions(two, "not symmetric"));
}

BOOST_AUTO_TEST_CASE(too_many_directions_to_look_at_together_leave_the_question_open) {
  DelassusOptions few;
  few.max_dense = 1;
  const std::vector<Inclusion> all = {inclusion("a", friction(), on(0)), inclusion("b", contact(), on(1))};
  const Statement statement = classify_inclusions(with(reduced_one_of_each(), all), few).statement;
  BOOST_TEST((statement.result == WellPosedness::open));
  BOOST_TEST(mentions(statement, "The 2 directions are too many"), statement.text);
  BOOST_TEST((statement_of(all).result == WellPosedness::unique));
}

BOOST_AUTO_TEST_CASE(a_massless_coulomb_contact_is_checked_for_jamming) {
  // W_K = [2 -c; -c 4] / (8 - c^2): mu c < 2 is needed.
  const Statement harmless = massless_contact(0.5, 2.).statement;
  BOOST_TEST(!mentions(harmless, "may jam"));
  BOOST_TEST(mentions(harmless, "\"foot\" does not jam: mu |W_nt| = "), harmless.text);
  BOOST_TEST(mentions(harmless, "there is one reaction at each instant"), harmless.text);
  BOOST_TEST(mentions(massless_contact(1.01, 2.).statement, "\"foot\" may jam"));
  // A coefficient that is not known at t = 0 is not asked for.
  const ScalarFunction later = ScalarFunction::table({1., 2.}, {0.1, 3.}, BeyondTable::refuse);
  BOOST_TEST(mentions(massless_contact(later, 2.).statement, "whenever mu reaches W_nn / |W_nt| = 1"));
  BOOST_TEST(!mentions(massless_contact(later, 0.).statement, "jam"));
  BOOST_TEST((massless_contact(0.5, 2.).directions[0].reduced_law() == ReducedLaw::lipschitz_contact));
  BOOST_TEST((massless_contact(0.5, 2.).directions[1].reduced_law() == ReducedLaw::play));
}

BOOST_AUTO_TEST_CASE(a_law_of_ones_own_tells_whether_it_may_jam_by_its_cone) {
  // W_K as before: a slope below 2 / c, with c = 2, is harmless.
  BOOST_TEST(!mentions(own_contact(0.5, 2.).statement, "may jam"));
  BOOST_TEST(mentions(own_contact(1.01, 2.).statement, "\"foot\" may jam"));
  const Statement unknown = own_contact(std::nullopt, 2.).statement;
  BOOST_TEST((unknown.result == WellPosedness::open));
  BOOST_TEST(mentions(unknown, "It is not known whether the contact \"foot\""), unknown.text);
  BOOST_TEST(!mentions(own_contact(std::nullopt, 0.).statement, "jam"));
}

BOOST_AUTO_TEST_CASE(several_massless_coulomb_contacts_are_not_known_not_to_jam_together) {
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), 4 * MultiVector::Identity(4, 4)};
  system.K(1, 2) = system.K(2, 1) = 1;
  const auto law = std::make_shared<const CoulombFriction>(1, 0.3);
  const Statement statement =
      classify_inclusions(
          with(reduced(describe(system)), {{"left", law, {on(0), on(1)}}, {"right", law, {on(2), on(3)}}}))
          .statement;
  BOOST_TEST(mentions(statement, "(\"left\", \"right\") were checked one by one"), statement.text);
  BOOST_TEST(!mentions(massless_contact(0.5, 2.).statement, "one by one"));
}

BOOST_AUTO_TEST_SUITE_END()
