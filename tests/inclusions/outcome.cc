// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "models.h"
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

bool is_reduced_law(const DirectionOutcome& direction, ReducedLaw reduced_law) {
  return direction.reduced_laws.size() == 1 && direction.reduced_law() == reduced_law;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "not refused";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(outcome)

BOOST_AUTO_TEST_CASE(each_kind_and_level_has_its_cell) {
  BOOST_TEST(is_reduced_law(outcome_of(friction(), on(0)), ReducedLaw::filippov_inclusion));
  BOOST_TEST(is_reduced_law(outcome_of(friction(), on(1)), ReducedLaw::lipschitz_friction));
  BOOST_TEST(is_reduced_law(outcome_of(friction(), on(2)), ReducedLaw::play));
  BOOST_TEST(is_reduced_law(outcome_of(friction(), on(3)), ReducedLaw::recovered_reaction));
  BOOST_TEST(is_reduced_law(outcome_of(contact(0., 0.5), on(0)), ReducedLaw::measure_inclusion));
  BOOST_TEST(is_reduced_law(outcome_of(contact(), on(1)), ReducedLaw::sweeping_process));
  BOOST_TEST(is_reduced_law(outcome_of(contact(), on(2)), ReducedLaw::lipschitz_contact));
  BOOST_TEST(is_reduced_law(outcome_of(contact(), on(3)), ReducedLaw::prescribed_gap));
}

BOOST_AUTO_TEST_CASE(the_entry_is_that_of_the_kind_that_decides) {
  // Weights enter squared; the chain gives 1/4, 1/2 and 1/16 for unit weights.
  BOOST_TEST(outcome_of(friction(), on(0, 3.)).W == 9. / 4, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(outcome_of(friction(), on(1, 3.)).W == 9. / 2, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(outcome_of(friction(), on(2, 3.)).W == 9. / 16, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(outcome_of(friction(), on(3)).W == 0.);
}

BOOST_AUTO_TEST_CASE(the_lightest_kind_decides_a_relative_direction) {
  BOOST_TEST(is_reduced_law(outcome_of(contact(), between(0, 2)), ReducedLaw::lipschitz_contact));
  BOOST_TEST(is_reduced_law(outcome_of(contact(), between(1, 0)), ReducedLaw::sweeping_process));
  BOOST_TEST(is_reduced_law(outcome_of(friction(), between(1, 2)), ReducedLaw::play));
  BOOST_TEST(is_reduced_law(outcome_of(friction(), between(3, 0)), ReducedLaw::filippov_inclusion));
  const DirectionOutcome direction = outcome_of(friction(), Direction({{0, 1.}, {1, -1.}, {3, 1.}}));
  const std::array<bool, 4> expected = {true, true, false, true};
  BOOST_TEST(direction.acts_on == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tiny_weights_and_units_do_not_change_the_kind) {
  for (const double weight : {1e-9, 1e9})
    BOOST_TEST(is_reduced_law(outcome_of(friction(), on(2, weight)), ReducedLaw::play));
  // Stiffnesses of steel in a model with masses in milligrams.
  DenseSystem system = one_of_each();
  system.K *= 1e12;
  system.M *= 1e-9;
  const auto scaled = reduced(describe(system, {3}));
  const InclusionOutcome found = classify_inclusions(
      with(scaled, {inclusion("a", friction(), on(2)), inclusion("b", friction(), on(0))}));
  BOOST_TEST(is_reduced_law(found.directions[0], ReducedLaw::play));
  BOOST_TEST(is_reduced_law(found.directions[1], ReducedLaw::filippov_inclusion));
}

BOOST_AUTO_TEST_CASE(friction_on_both_sides_of_a_massless_node_is_split) {
  // Both move the massless node: W_K has rank one. Their sum moves only the mass.
  const InclusionOutcome found =
      classify_inclusions(with(reduced_one_of_each(), {inclusion("inner", friction(), between(2, 0)),
                                                       inclusion("outer", friction(), on(2)),
                                                       inclusion("damper", friction(), on(1))}));
  const std::vector<DoFKind> both = {DoFKind::algebraic, DoFKind::inertial};
  BOOST_TEST((found.directions[0].decided_by == both));
  BOOST_TEST((found.directions[1].decided_by == both));
  BOOST_TEST(is_reduced_law(found.directions[2], ReducedLaw::lipschitz_friction));
  BOOST_TEST(found.n_play_states == 1);
  BOOST_TEST(found.n_states == 4);
  BOOST_TEST(found.split.dependent.empty());
  BOOST_TEST(found.split.part(DoFKind::algebraic)->rank == 1);
  BOOST_TEST(found.split.part(DoFKind::inertial)->rank == 1);
  BOOST_TEST((found.statement.result == WellPosedness::open));
}

BOOST_AUTO_TEST_CASE(closed_loops_are_reported_by_name) {
  DenseSystem system{MultiVector::Identity(5, 5), MultiVector::Zero(5, 5), MultiVector::Identity(5, 5)};
  const InclusionOutcome found = classify_inclusions(
      with(reduced(describe(system)),
           {inclusion("ab", friction(), between(0, 1)), inclusion("x", friction(), on(3)),
            inclusion("bc", friction(), between(1, 2)), inclusion("ca", friction(), between(2, 0)),
            inclusion("p", contact(1.), on(4)), inclusion("q", contact(2.), on(4))}));
  BOOST_REQUIRE(found.split.dependent.size() == 2u);
  std::vector<std::vector<Index>> groups = found.split.dependent;
  std::sort(groups.begin(), groups.end());
  const std::vector<std::vector<Index>> expected = {{0, 2, 3}, {4, 5}};
  BOOST_TEST((groups == expected));
  BOOST_TEST(mentions(found.notes[0] + found.notes[1], "\"ab\", \"bc\", \"ca\""));
  BOOST_TEST(mentions(found.notes[0] + found.notes[1], "\"p\", \"q\""));
}

BOOST_AUTO_TEST_CASE(a_node_that_a_constraint_ties_to_a_mass_is_inertial) {
  // DoFs: mass, massless node, multiplier that holds node = mass. No reaction
  // moves the node at once, so that its friction is stick-slip of the mass: w'
  // = r / m.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(0, 0) = 5;
  system.K << 2, 0, -1, 0, 3, 1, -1, 1, 0;
  const InclusionOutcome found =
      classify_inclusions(with(reduced(describe(system)), {inclusion("rub", friction(), on(1))}));
  BOOST_TEST(is_reduced_law(found.directions[0], ReducedLaw::filippov_inclusion));
  BOOST_TEST(found.directions[0].W == 1. / 5, boost::test_tools::tolerance(1e-14));
}

namespace {

/// A multiplier (4) holds c^T q of three massless nodes (1 to 3) to a mass of 2 (0); a viscous DoF (5) hangs
/// on springs to them.
struct TiedNodes {
  explicit TiedNodes(unsigned seed) {
    RandomNumbers random(seed);
    const MultiVector R = random.matrix(3, 3);
    c = random.matrix(3, 1);
    system.K(0, 0) = 1;
    system.K.block(1, 1, 3, 3) = R * R.transpose() + MultiVector::Identity(3, 3);
    system.K.block(1, 4, 3, 1) = c;
    system.K.block(4, 1, 1, 3) = c.transpose();
    system.K(0, 4) = system.K(4, 0) = -1;
    system.M(0, 0) = 2;
    system.C(5, 5) = 1;
    system.K(5, 5) = 1.4;
    for (Index i = 1; i <= 3; ++i) {
      const double spring = 0.5 + 0.3 * static_cast<double>(i);
      system.K(i, i) += spring;
      system.K(5, 5) += spring;
      system.K(i, 5) = system.K(5, i) = -spring;
    }
  }

  /// Friction along c / scale.
  InclusionOutcome friction_along(double scale, const std::vector<Index>& held = {},
                                  const DelassusOptions& options = {}) const {
    const Direction along({{1, c(0) / scale}, {2, c(1) / scale}, {3, c(2) / scale}});
    return classify_inclusions(with(reduced(describe(system, held)), {inclusion("rub", friction(), along)}),
                               options);
  }

  DenseSystem system{MultiVector::Zero(6, 6), MultiVector::Zero(6, 6), MultiVector::Zero(6, 6)};
  MultiVector c;
};

}  // namespace

BOOST_AUTO_TEST_CASE(rounding_does_not_make_a_tied_direction_move_lighter_dofs) {
  // All responses of the direction c but that of the mass are zero up to rounding.
  for (unsigned seed = 1; seed <= 40; ++seed)
    for (const double scale : {1., 3.})
      for (const Index max_dense : {1, 0}) {
        DelassusOptions options;
        options.max_dense = max_dense;
        const InclusionOutcome found = TiedNodes(seed).friction_along(scale, {}, options);
        BOOST_TEST(is_reduced_law(found.directions[0], ReducedLaw::filippov_inclusion));
        BOOST_TEST(found.directions[0].W == 0.5 / (scale * scale), boost::test_tools::tolerance(1e-12));
      }
}

BOOST_AUTO_TEST_CASE(rounding_does_not_move_a_direction_that_is_tied_to_ground) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    TiedNodes nodes(seed);
    nodes.system.M(0, 0) = 0;
    // A mass beside the viscous DoF, on a spring to it: the direction does not move that either.
    nodes.system.M(5, 5) = seed % 2;
    for (const Index max_dense : {1, 0}) {
      DelassusOptions options;
      options.max_dense = max_dense;
      BOOST_TEST(is_reduced_law(nodes.friction_along(3., {0}, options).directions[0],
                                ReducedLaw::recovered_reaction));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_node_that_a_constraint_ties_to_a_viscous_dof_is_viscous) {
  // DoFs: viscous node on a damper of 4 and a spring, algebraic node, multiplier that holds both together.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.C(0, 0) = 4;
  system.K << 2, 0, -1, 0, 3, 1, -1, 1, 0;
  const InclusionOutcome found =
      classify_inclusions(with(reduced(describe(system)), {inclusion("rub", friction(), on(1))}));
  BOOST_TEST(is_reduced_law(found.directions[0], ReducedLaw::lipschitz_friction));
  BOOST_TEST(found.directions[0].W == 1. / 4, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(friction_on_the_absorber_is_what_its_place_makes_of_it) {
  // Dumont et al. (2001), example 5.1: mass q_3 on springs k_1, k_2 (massless
  // node q_1 between them) and dampers c_1, c_2 (node q_2). The theorem they cite gives one solution for
  // friction on the mass.
  const double k_1 = 100, k_2 = 25, c_1 = 6, c_2 = 4;
  DenseSystem absorber{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  absorber.M(2, 2) = 1;
  absorber.C << 0, 0, 0, 0, c_1 + c_2, -c_2, 0, -c_2, c_2;
  absorber.K << k_1 + k_2, 0, -k_2, 0, 0, 0, -k_2, 0, k_2;
  const auto outcome = [&](GlobalIndex dof) {
    return classify_inclusions(
        with(reduced(describe(absorber)), {inclusion("rub", friction(-1., 1.), on(dof))}));
  };
  const auto tolerance = boost::test_tools::tolerance(1e-14);
  BOOST_TEST(is_reduced_law(outcome(2).directions[0], ReducedLaw::filippov_inclusion));
  BOOST_TEST((outcome(2).statement.result == WellPosedness::unique));
  BOOST_TEST(outcome(2).n_states == 3);
  BOOST_TEST(outcome(1).directions[0].W == 1 / (c_1 + c_2), tolerance);
  BOOST_TEST(outcome(1).n_states == 3);
  BOOST_TEST(outcome(0).directions[0].W == 1 / (k_1 + k_2), tolerance);
  BOOST_TEST(outcome(0).n_states == 4);
}

BOOST_AUTO_TEST_CASE(a_model_without_inclusions_has_one_solution) {
  const InclusionOutcome found = classify_inclusions(with(reduced_one_of_each(), {}));
  BOOST_TEST(found.n_states == 3);
  BOOST_TEST((found.statement.result == WellPosedness::unique));
}

BOOST_AUTO_TEST_CASE(restitution_without_mass_is_refused_with_the_reason) {
  for (const GlobalIndex dof : {1, 2, 3}) {
    const std::string text = refusal([&] { outcome_of(contact(0., 0.8), on(dof)); });
    BOOST_TEST(mentions(text, "acts on no mass"), text);
    BOOST_TEST(mentions(text, "\"it\""), text);
  }
  BOOST_TEST(mentions(refusal([&] { outcome_of(contact(0., 0.), between(0, 2)); }), "acts on no mass"));
}

BOOST_AUTO_TEST_CASE(a_contact_with_friction_along_a_held_tangent_is_refused_by_name) {
  const auto foot = [](GlobalIndex normal, GlobalIndex tangent) {
    const auto law = std::make_shared<const CoulombFriction>(1, 0.3);
    return classify_inclusions(with(reduced_one_of_each(), {{"foot", law, {on(normal), on(tangent)}}}));
  };
  const std::string tangent = refusal([&] { foot(0, 3); }), normal = refusal([&] { foot(3, 0); });
  BOOST_TEST(mentions(tangent, "\"foot\" (Coulomb friction) cannot move along \"foot, direction 2 of 2\""),
             tangent);
  BOOST_TEST(mentions(tangent, "If a tangent cannot move, leave this tangent out"), tangent);
  BOOST_TEST(mentions(normal, "if the normal cannot move"), normal);
  BOOST_CHECK_NO_THROW(foot(0, 1));
}

BOOST_AUTO_TEST_CASE(adhesion_without_inertia_is_refused_where_the_gap_would_jump) {
  /// Pulls with up to l g while open by less than 1.
  class Glue final : public Law {
   public:
    explicit Glue(double l) : l_(l) {}
    std::string name() const override { return "glue"; }
    Index dimension() const override { return 1; }
    LawLevel level(Index) const override { return LawLevel::gap; }
    double one_sided_lipschitz_constant() const override { return l_; }
    LawParameters parameters(double, ContactState) const override { return {}; }
    void resolvent(const LawParameters&, double, LocalConstView z, LocalView r) const override { r = z; }
    void project(const LawParameters&, LocalConstView z, LocalView r) const override { r = z; }
    ContactState state(const LawParameters&, LocalConstView, LocalConstView, double) const override {
      return ContactState::open;
    }

   private:
    double l_;
  };
  // W_K = 1/16.
  BOOST_CHECK_NO_THROW(outcome_of(std::make_shared<const Glue>(15.), on(2)));
  const std::string text = refusal([&] { outcome_of(std::make_shared<const Glue>(17.), on(2)); });
  BOOST_TEST(mentions(text, "l W_K = 1.06"), text);
}

BOOST_AUTO_TEST_CASE(weakening_friction_without_inertia_is_refused_where_it_would_jump) {
  BOOST_TEST(mentions(refusal([&] { outcome_of(weakening(0.1), on(2)); }), "state would jump"));
  // W_C = 1/2: l = 2 is the limit.
  BOOST_TEST(mentions(refusal([&] { outcome_of(weakening(2.01), on(1)); }), "rate would jump"));
  BOOST_TEST(is_reduced_law(outcome_of(weakening(1.9), on(1)), ReducedLaw::lipschitz_friction));
  BOOST_TEST(is_reduced_law(outcome_of(weakening(1e3), on(0)), ReducedLaw::filippov_inclusion));
}

BOOST_AUTO_TEST_CASE(frictions_that_weaken_are_refused_where_they_would_jump_together) {
  // Two viscous DoFs with C = [1 -0.9; -0.9 1]: W_C has 5.26 on its diagonal, but the eigenvalue 10.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  system.M(2, 2) = 1;
  system.C << 1, -0.9, 0, -0.9, 1, 0, 0, 0, 0;
  const auto pair = reduced(describe(system));
  const auto outcome = [&](double l, std::shared_ptr<const Law> other) {
    return classify_inclusions(
        with(pair, {inclusion("left", weakening(l), on(0)), inclusion("right", std::move(other), on(1))}));
  };
  BOOST_TEST(is_reduced_law(outcome(0.099, weakening(0.099)).directions[0], ReducedLaw::lipschitz_friction));
  BOOST_TEST(is_reduced_law(outcome(0.15, friction()).directions[0], ReducedLaw::lipschitz_friction));
  const std::string text = refusal([&] { outcome(0.15, weakening(0.15)); });
  BOOST_TEST(mentions(text, "\"left\", \"right\""), text);
  BOOST_TEST(mentions(text, "is 1.5, but must be below one"), text);
}

BOOST_AUTO_TEST_CASE(frictions_on_nodes_that_are_tied_to_viscous_dofs_are_refused_as_on_these) {
  // The two viscous DoFs of before, each with a massless node that a multiplier holds to it.
  DenseSystem system{MultiVector::Zero(6, 6), MultiVector::Zero(6, 6), MultiVector::Zero(6, 6)};
  system.C.topLeftCorner(2, 2) << 1, -0.9, -0.9, 1;
  for (Index i = 0; i < 2; ++i) {
    system.K(i, i) = 1;
    system.K(2 + i, 2 + i) = 2;
    system.K(4 + i, i) = system.K(i, 4 + i) = -1;
    system.K(4 + i, 2 + i) = system.K(2 + i, 4 + i) = 1;
  }
  const auto tied = reduced(describe(system));
  const auto outcome = [&](double l) {
    return classify_inclusions(
        with(tied, {inclusion("left", weakening(l), on(2)), inclusion("right", weakening(l), on(3))}));
  };
  BOOST_TEST(is_reduced_law(outcome(0.099).directions[0], ReducedLaw::lipschitz_friction));
  // The inverse of C; the viscous DoFs alone answer with nothing.
  const MultiVector expected = system.C.topLeftCorner(2, 2).inverse();
  BOOST_TEST(relative_error(outcome(0.099).instantaneous_responses.C, expected) < 1e-13);
  BOOST_TEST(outcome(0.099).W.C.cwiseAbs().maxCoeff() < 1e-14);
  const std::string text = refusal([&] { outcome(0.15); });
  BOOST_TEST(mentions(text, "is 1.5, but must be below one"), text);
}

BOOST_AUTO_TEST_CASE(a_play_needs_a_positively_homogeneous_law) {
  const auto law = std::make_shared<const RateDependent>();
  BOOST_TEST(mentions(refusal([&] { outcome_of(law, on(2)); }), "positively homogeneous"));
  BOOST_TEST(is_reduced_law(outcome_of(law, on(1)), ReducedLaw::lipschitz_friction));
}

BOOST_AUTO_TEST_CASE(a_direction_that_answers_backwards_is_refused) {
  // DoF 1 behaves as an electric potential: negative definite.
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.K << 2, 1, 1, -3;
  const auto piezo = reduced(describe(system));
  BOOST_TEST(
      mentions(refusal([&] { classify_inclusions(with(piezo, {inclusion("spark", contact(), on(1))})); }),
               "\"spark\""));
}

BOOST_AUTO_TEST_CASE(contacts_that_cannot_move_are_reported_with_their_gap) {
  SystemDescription<EigenEngine> description = describe(one_of_each(), {3});
  description.prescribed.value = [](double) -> Vector { return Vector::Constant(1, 0.25); };
  description.prescribed.rate = [](double) -> Vector { return Vector::Zero(1); };
  const auto system = reduced(description);
  const auto found = [&](ScalarFunction obstacle, std::vector<Inclusion> others = {}) {
    others.insert(others.begin(), inclusion("wall", contact(std::move(obstacle)), on(3)));
    return classify_inclusions(with(system, std::move(others)));
  };
  BOOST_TEST(mentions(found(0.).notes.front(), "0.25"));
  BOOST_TEST(mentions(found(0.).notes.front(), "redundant"));
  BOOST_TEST(mentions(found(1.).notes.front(), "infeasible. Move"));
  // Small gaps keep their digits, and rounding is no penetration.
  BOOST_TEST(mentions(found(0.25 + 2e-9).notes.front(), "is -2e-09"), found(0.25 + 2e-9).notes.front());
  BOOST_TEST(mentions(found(std::nextafter(0.25, 1.)).notes.front(), "redundant"));
  const ScalarFunction later = ScalarFunction::table({1., 2.}, {0., 0.}, BeyondTable::refuse);
  BOOST_TEST(mentions(found(later).notes.front(), "is not known"), found(later).notes.front());
  for (const auto& others : {std::vector<Inclusion>{}, {inclusion("stop", contact(0., 0.5), on(0))}}) {
    const Statement statement = found(1., others).statement;
    BOOST_TEST((statement.result == WellPosedness::open));
    BOOST_TEST(mentions(statement.text, "\"wall\" acts on no DoF that can move"), statement.text);
  }
}

BOOST_AUTO_TEST_CASE(many_directions_are_decided_one_by_one) {
  const auto system = reduced_one_of_each();
  const std::vector<Inclusion> all = {inclusion("a", friction(), on(0)),
                                      inclusion("b", contact(), between(0, 1)),
                                      inclusion("c", friction(), on(2)), inclusion("d", friction(), on(3))};
  DelassusOptions few;
  few.max_dense = 2;
  const InclusionOutcome apart = classify_inclusions(with(system, all), few);
  const InclusionOutcome together = classify_inclusions(with(system, all));
  for (std::size_t j = 0; j < all.size(); ++j) {
    BOOST_TEST((apart.directions[j].reduced_laws == together.directions[j].reduced_laws));
    BOOST_TEST(apart.directions[j].W == together.directions[j].W, boost::test_tools::tolerance(1e-14));
  }
  BOOST_TEST(apart.n_states == together.n_states);
  BOOST_TEST(mentions(apart.notes.front(), "was not checked"));
  BOOST_TEST(mentions(apart.notes.front(), "weaken may jump together"));
}

BOOST_AUTO_TEST_CASE(the_mounts_two_viscous_dofs_are_lipschitz_or_swept) {
  // Simionatto et al., section 3: one mass, two viscous DoFs.
  const auto mount = reduce(assemble<EigenEngine>(engine_mount()));
  const InclusionOutcome found = classify_inclusions(
      with(mount, {inclusion("membrane", friction(), on(1)), inclusion("stop", contact(), on(2)),
                   inclusion("engine", contact(0., 1.), on(0))}));
  BOOST_TEST(is_reduced_law(found.directions[0], ReducedLaw::lipschitz_friction));
  BOOST_TEST(is_reduced_law(found.directions[1], ReducedLaw::sweeping_process));
  BOOST_TEST(is_reduced_law(found.directions[2], ReducedLaw::measure_inclusion));
  BOOST_TEST(found.n_states == 4);
}

BOOST_AUTO_TEST_CASE(merged_contacts_share_their_reaction_while_they_touch) {
  const auto note = [](const std::shared_ptr<const Law>& law) {
    return classify_inclusions(
               with(reduced_one_of_each(), {inclusion("a", law, on(2)), inclusion("b", law, on(2))}))
        .notes.front();
  };
  BOOST_TEST(mentions(note(contact()), "during contact"));
  BOOST_TEST(!mentions(note(contact()), "slip"));
  BOOST_TEST(mentions(note(friction()), "only during slip"));
}

BOOST_AUTO_TEST_CASE(the_report_names_law_kinds_cell_and_unit) {
  std::ostringstream out;
  out << classify_inclusions(with(reduced_one_of_each(), {inclusion("left", friction(), on(2)),
                                                          inclusion("right", friction(-3., 1.), on(2, -1.)),
                                                          inclusion("stop", contact(), between(0, 2))}));
  for (const char* part : {"left + right", "rate-independent play", "displacement / force", "0.0625",
                           "Lipschitz function of the state, no impacts", "inertial + algebraic",
                           "merged into one", "States: 4, 1 of them"})
    BOOST_TEST(mentions(out.str(), part), part << " is missing in\n" << out.str());
}

BOOST_AUTO_TEST_SUITE_END()
