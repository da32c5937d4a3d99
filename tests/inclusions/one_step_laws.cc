// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/semismooth_newton.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/one_step_problems.h"
#include <functional>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(one_step)

BOOST_AUTO_TEST_CASE(weakening_frictions_that_would_jump_together_are_refused_with_a_step_that_does) {
  MultiVector W(2, 2);
  W << 1, 0.9, 0.9, 1;
  const auto bow = [](double l) {
    return std::vector<NamedLaw>{
        named<WeakeningFriction>("left", FrictionCurve::exponential(1., 0., 1 / l)),
        named<WeakeningFriction>("right", FrictionCurve::exponential(1., 0., 1 / l))};
  };
  // Along (1, 1) both rates answer with 1.9: l = 0.5 is too little to jump, l = 0.8 is not.
  BOOST_TEST(solve(bow(0.5), W, Vector::Constant(2, 1.01)).report.residual.value < 1e-12);
  BOOST_CHECK_NO_THROW(check_single_valued(bow(0.5), W));
  BOOST_CHECK_EXCEPTION(check_single_valued(bow(0.8), W), NotAvailable, [](const auto& error) {
    return mentions(error, "\"left\", \"right\"") && mentions(error, "is 1.52") &&
           mentions(error, "by less than 0.657");
  });
  // Steps with an operator contract up to half of that, with some allowance: no acceleration amplifies those
  // that alternate, along what W moves least.
  MultiVector stiff(4, 4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j)
      stiff(i, j) = std::exp(-0.1 * std::abs(i - j));
  std::vector<NamedLaw> bows;
  for (const char* name : {"first", "second", "third", "fourth"})
    bows.push_back(named<WeakeningFriction>(name, FrictionCurve::exponential(1., 0., 1 / 0.132)));
  const auto apply_stiff = [&](const Vector& r, Vector& Wr) { Wr = stiff * r; };
  OneStepSolver with_operator(OneStepProblem(bows, apply_stiff, {4, LocalMatrix::Ones(1, 1)}));
  RandomNumbers random(3);
  for (int sample = 0; sample < 10; ++sample) {
    const Vector pull = 5 * random_vector(random, 4);
    BOOST_TEST((solve(with_operator, pull).r - solve(bows, stiff, pull).r).norm() < 1e-9);
  }
  const auto apply = [&](const Vector& r, Vector& Wr) { Wr = W * r; };
  const std::vector<LocalMatrix> blocks(2, LocalMatrix::Ones(1, 1));
  BOOST_CHECK_EXCEPTION(OneStepSolver(OneStepProblem(bow(0.3), apply, blocks)), NotAvailable,
                        [](const auto& error) {
                          return mentions(error, "\"left\"") && mentions(error, "applied as an operator");
                        });
  // The jump: b between the pull that still moves both and the one that starts them admits rest and slip.
  const double l = 0.8, b = 1.895;
  const double at_rest = b / 1.9, v = 0.5;
  BOOST_TEST(at_rest < 1);
  BOOST_TEST(v + 1.9 * std::exp(-l * v) < b);  // it slips at once, faster than that
}

BOOST_AUTO_TEST_CASE(joint_weakening_is_the_largest_quotient) {
  RandomNumbers random(31);
  for (int sample = 0; sample < 20; ++sample) {
    const MultiVector W = unsymmetric(random, 4, 30.);
    Vector l = random_vector(random, 4).cwiseAbs();
    l[1] = 0;
    const MultiVector above = W.transpose() * l.asDiagonal() * W, below = 0.5 * (W + W.transpose());
    if (symmetric_eigenvalues(below)[0] < 1e-3) continue;
    // The least multiple of the denominator that is nowhere below the numerator.
    const double largest = joint_weakening(W, l);
    const MultiVector numerator = 0.5 * (above + above.transpose());
    for (const double off : {1e-9, -1e-9}) {
      const MultiVector difference = (1 + off) * largest * below - numerator;
      BOOST_TEST((difference.llt().info() == Eigen::Success) == (off > 0));
    }
    // Units of the directions do not matter, nor does a direction that repeats another.
    const Vector unit = (Vector::Random(4) * 10).array().exp();
    const MultiVector scaled = unit.asDiagonal() * W * unit.asDiagonal();
    const Vector l_scaled = l.cwiseQuotient(unit.cwiseAbs2());
    BOOST_TEST(joint_weakening(scaled, l_scaled) == largest, boost::test_tools::tolerance(1e-7));
  }
  const Vector both(Vector::Constant(2, 0.3));
  BOOST_TEST(joint_weakening(MultiVector::Constant(2, 2, 2.), both) == 1.2,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(joint_weakening(MultiVector::Zero(2, 2), both) == 0);
}

BOOST_AUTO_TEST_CASE(a_law_of_ones_own_with_two_columns_takes_part) {
  RandomNumbers random(14);
  const std::vector<NamedLaw> laws = {named<PressedPad>("pad", 0.3), named<UnilateralContact>("stop"),
                                      named<PressedPad>("shoe", 0.1)};
  int n_slips = 0;
  for (int sample = 0; sample < 30; ++sample) {
    const MultiVector W = positive_definite(random, 5, 100.);
    const Vector b = random_vector(random, 5);
    OneStepSolver solver(OneStepProblem(laws, W));
    const Solution s = solve(solver, b);
    BOOST_TEST(s.report.residual.value < 1e-12);
    BOOST_TEST(s.r.head(2).norm() <= 0.3 * (1 + 1e-12));
    if (solver.problem().states(s.laws, b, s.r, s.w)[0] != ContactState::slip) continue;
    ++n_slips;
    const Vector opposite = -0.3 * s.w.head(2).normalized();
    BOOST_TEST((s.r.head(2) - opposite).norm() < 1e-9 * (1 + 1 / s.w.head(2).norm()));
  }
  BOOST_TEST(n_slips > 5);
}

BOOST_AUTO_TEST_CASE(the_local_problem_of_a_law_of_ones_own_is_solved_for_stiff_and_unsymmetric_blocks) {
  const PressedPad pad(10.);  // sticks: W r = -b
  const Vector b = Vector::LinSpaced(2, 1., -2.);
  MultiVector stiff(2, 2), skew(2, 2);
  stiff << 1e6, 10, 10, 1;
  skew << 1, -10, 10, 1;
  for (const MultiVector& W : {stiff, skew}) {
    const Vector expected = -W.fullPivLu().solve(b);
    LocalVector r = LocalVector::Zero(2);
    pad.solve_local(pad.parameters(0., ContactState::stick), W, b, r);
    BOOST_TEST((r - expected).norm() < 1e-9 * expected.norm());
  }
}

BOOST_AUTO_TEST_CASE(a_law_without_a_solution_is_named_and_so_is_its_inclusion) {
  class Restless final : public Law {
   public:
    std::string name() const override { return "restless"; }
    Index dimension() const override { return 2; }
    LawLevel level(Index) const override { return LawLevel::rate; }
    LawParameters parameters(double, ContactState) const override { return {}; }
    void resolvent(const LawParameters&, double, LocalConstView z, LocalView r) const override {
      r[0] = z[1] > 0 ? 1. : -1.;
      r[1] = 0;
    }
    void project(const LawParameters&, LocalConstView z, LocalView r) const override { r = z; }
    ContactState state(const LawParameters&, LocalConstView, LocalConstView, double) const override {
      return ContactState::slip;
    }
  };
  const auto is_named = [](const NoReactions& error) {
    return mentions(error, "one") && error.inclusion() == "one";
  };
  // r = (1, 0) pulls z_1 down, and r = (-1, 0) up.
  MultiVector W(3, 3);
  W << 1, 0.5, 0, 0.5, 1, 0, 0, 0, 1;
  BOOST_CHECK_EXCEPTION(solve({named<Restless>("one")}, W.topLeftCorner(2, 2), Vector::Zero(2)), NoReactions,
                        is_named);
  BOOST_CHECK_EXCEPTION(
      solve({named<Restless>("one"), named<UnilateralContact>("stop")}, W, Vector::Unit(3, 2)), NoReactions,
      is_named);
}

BOOST_AUTO_TEST_CASE(a_law_that_never_makes_up_its_mind_is_reported) {
  class Fickle final : public IntervalLaw {
   public:
    std::string name() const override { return "fickle"; }
    LawLevel level(Index) const override { return LawLevel::rate; }
    LawParameters parameters(double, ContactState) const override { return {-1., 1.}; }
    bool reconsider(LawParameters&, ContactState) const override { return true; }
    bool may_reconsider() const override { return true; }
  };
  BOOST_CHECK_EXCEPTION(solve({named<Fickle>("one")}, MultiVector::Identity(1, 1), Vector::Ones(1)),
                        NoReactions, [](const auto& error) { return mentions(error, "reconsider"); });
}

BOOST_AUTO_TEST_CASE(contacts_with_friction_in_space_may_be_given_as_an_operator) {
  RandomNumbers random(15);
  const MultiVector W = positive_definite(random, 15, 20.);
  const auto laws = coulomb_contacts(5, 0.3);
  const Vector b = random_vector(random, 15);
  std::vector<LocalMatrix> blocks;
  for (Index i = 0; i < 5; ++i)
    blocks.push_back(W.block(3 * i, 3 * i, 3, 3));
  OneStepSolver solver(OneStepProblem(
      laws, [&](const Vector& r, Vector& Wr) { Wr.noalias() = W * r; }, blocks));
  const Solution s = solve(solver, b);
  BOOST_TEST((s.r - solve(laws, W, b).r).norm() < 1e-9 * s.r.norm());
}

BOOST_AUTO_TEST_CASE(an_operator_gives_what_its_matrix_gives) {
  RandomNumbers random(9);
  const MultiVector W = positive_definite(random, 20, 30.);
  const auto laws = intervals(random, 20);
  const Vector b = random_vector(random, 20);
  std::vector<LocalMatrix> blocks;
  for (Index i = 0; i < 20; ++i)
    blocks.push_back(W.block(i, i, 1, 1));
  const OneStepProblem problem(
      laws, [&](const Vector& r, Vector& Wr) { Wr.noalias() = W * r; }, blocks);
  OneStepSolver solver(problem);
  const Solution s = solve(solver, b);
  const Vector expected = solve(laws, W, b).r;
  BOOST_TEST((s.report.method == OneStepMethod::projected_gradient));
  BOOST_TEST((s.r - expected).norm() < 1e-9 * expected.norm());
  BOOST_CHECK_THROW(OneStepSolver(OneStepProblem(laws, nullptr, blocks), {OneStepMethod::pivoting}),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(one_inclusion_whose_friction_weakens_needs_no_gradient_though_w_is_an_operator) {
  const std::vector<NamedLaw> laws = {
      named<WeakeningFriction>("bow", FrictionCurve::exponential(1., 0., 1 / 0.9))};
  OneStepSolver solver(
      OneStepProblem(laws, [](const Vector& r, Vector& Wr) { Wr = r; }, {LocalMatrix::Identity(1, 1)}));
  const Solution s = solve(solver, Vector::Constant(1, 1.5));
  BOOST_TEST((s.r - solve(laws, MultiVector::Identity(1, 1), Vector::Constant(1, 1.5)).r).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(single_precision_of_a_matrix_beyond_the_caches_costs_no_digit) {
  // The compliance of a row of contacts, which falls like 1/distance; some are pulled open, some slip.
  const Index n = 335, m = 3 * n;
  MultiVector W = MultiVector::Zero(m, m);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      W.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(i == j ? 1. : 0.05 / (1. + std::abs(i - j)));
  Vector b(m);
  for (Index i = 0; i < n; ++i)
    b.segment<3>(3 * i) << -1 + 1.5 * std::sin(0.3 * i), 0.4 * std::cos(0.2 * i), 0.4 * std::sin(0.7 * i);
  const auto laws = coulomb_contacts(n, 0.3);
  const Solution s = solve(laws, W, b, OneStepMethod::gauss_seidel);
  BOOST_TEST((s.r.array() == 0.).count() > n / 2);
  // Whatever the unit of reactions.
  for (const double unit : {1e-46, 1e40}) {
    const Solution other = solve(laws, unit * W, b, OneStepMethod::gauss_seidel);
    BOOST_TEST((unit * other.r - s.r).norm() < 1e-11 * s.r.norm());
  }
  const Vector w = W * s.r + b;
  BOOST_TEST((s.w - w).norm() < 1e-14 * w.norm());
  for (Index i = 0; i < n; ++i) {
    const auto w_i = w.segment<3>(3 * i), r_i = s.r.segment<3>(3 * i);
    const double slip = w_i.tail<2>().norm(), pull = r_i.tail<2>().norm();
    BOOST_TEST(std::min(w_i[0], r_i[0]) > -1e-12);
    BOOST_TEST(std::abs(w_i[0] * r_i[0]) < 1e-12);
    BOOST_TEST(pull < 0.3 * r_i[0] + 1e-12);
    // It slips against the reaction, which then is at its limit.
    BOOST_TEST(std::abs(w_i.tail<2>().dot(r_i.tail<2>()) + slip * 0.3 * r_i[0]) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(one_system_of_newtons_method_also_meets_what_contacts_lose_that_are_not_active) {
  RandomNumbers random(77);
  const Index n = 12;
  const MultiVector W = positive_definite(random, 3 * n, 10.);
  Vector b = random_vector(random, 3 * n);
  const OneStepProblem problem(coulomb_contacts(n, 0.), W);
  const LawsAtTime laws = problem.laws_at(0.);
  const Solution expected = solve(coulomb_contacts(n, 0.), W, b);
  // Without friction the natural map is linear where no contact opens or closes. Open ones have reactions
  // here that it takes for none.
  Vector r = expected.r, w(3 * n);
  Index n_open = 0;
  for (Index i = 0; i < n; ++i) {
    if (r[3 * i] > 0) continue;
    ++n_open;
    r[3 * i] = 1e-3 * problem.rho(i) * expected.w[3 * i];
  }
  BOOST_TEST(n_open > 0);
  SemismoothNewton newton(problem);
  BOOST_TEST(newton.iterate(laws, b, 1e-12, 1, r, w).residual.value < 1e-12);
  BOOST_TEST((w - expected.w).norm() < 1e-10 * b.norm());
}

BOOST_AUTO_TEST_CASE(chains_are_solved_the_same_way_with_and_without_their_small_entries) {
  RandomNumbers random(10);
  for (const double coupling : {0., 0.1, 10., 1e8}) {
    const Index m = 200;
    const MultiVector W = chain(m, coupling);
    const auto laws = intervals(random, m);
    const Vector b = random_vector(random, m);
    const OneStepProblem problem(laws, W);
    BOOST_TEST(problem.is_sparse() == (coupling < 1));
    const Solution s = solve(laws, W, b), dense = solve(laws, W, b, OneStepMethod::newton);
    BOOST_TEST(s.report.residual.value < 1e-12);
    BOOST_TEST((s.w - dense.w).norm() < 1e-8 * b.norm());
  }
}

BOOST_AUTO_TEST_CASE(inclusions_that_take_no_part_do_not_push) {
  RandomNumbers random(11);
  const MultiVector W = positive_definite(random, 6, 10.);
  for (const auto& laws : {coulomb_contacts(2, 0.5), intervals(random, 6)}) {
    OneStepSolver solver(OneStepProblem(laws, W));
    Vector r = Vector::Ones(6), w;
    LawsAtTime now = solver.problem().laws_at(0.);
    now.is_active[1] = false;
    const Vector b = -Vector::Ones(6);
    solver.solve(now, b, r, w);
    const Index first = solver.problem().first_column(1), d = solver.problem().dimension(1);
    BOOST_TEST(r.segment(first, d).norm() == 0);
    BOOST_TEST(r.norm() > 0);
    BOOST_TEST((solver.problem().states(now, b, r, w)[1] == ContactState::open));
  }
}

BOOST_AUTO_TEST_CASE(static_friction_breaks_loose_one_element_after_the_other) {
  // Two blocks on one rigid bar, pulled by 4.5 in the units of r: statically they hold 2 + 3, but what the
  // first leaves to the second once W lets it move first breaks that one, too.
  MultiVector W(2, 2);
  W << 1, 0.9, 0.9, 1;
  const std::vector<NamedLaw> laws = {named<StaticKineticFriction>("weak", 2., 0.5),
                                      named<StaticKineticFriction>("strong", 3., 0.5)};
  OneStepSolver solver(OneStepProblem(laws, W));
  const Vector b = W * Eigen::Vector2d(2.2, 2.2);
  Vector r = Vector::Zero(2), w;
  LawsAtTime now = solver.problem().laws_at(0.);
  solver.solve(now, b, r, w);
  BOOST_TEST((r - Eigen::Vector2d(-0.5, -0.5)).norm() < 1e-14);
  const auto states = solver.problem().states(now, b, r, w);
  BOOST_TEST((states[1] == ContactState::slip_forward));
  // Now that both slip, they come to rest at their kinetic thresholds.
  now = solver.problem().laws_at(0., states);
  const Vector gentle = W * Eigen::Vector2d(0.4, 0.4);
  solver.solve(now, gentle, r, w);
  BOOST_TEST(w.norm() < 1e-14);
  now = solver.problem().laws_at(0., solver.problem().states(now, gentle, r, w));
  solver.solve(now, W * Eigen::Vector2d(1.9, 2.9), r, w);
  BOOST_TEST((r + Eigen::Vector2d(1.9, 2.9)).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(a_step_that_repeats_costs_one_pair_of_triangular_solves) {
  RandomNumbers random(12);
  const MultiVector W = positive_definite(random, 40, 1e8);
  OneStepSolver solver(OneStepProblem(intervals(random, 40), W));
  const Vector b = random_vector(random, 40);
  Solution s = solve(solver, b);
  const auto states = solver.problem().states(s.laws, b, s.r, s.w);
  LawsAtTime again = solver.problem().laws_at(0.1, states);
  Vector r = s.r, w;
  BOOST_TEST(solver.solve(again, b, r, w).n_iterations == 1);
  BOOST_TEST((r - s.r).norm() == 0);  // the factors that were kept change nothing
  OneStepSolver fresh(OneStepProblem(solver.problem()));
  Vector r_fresh = s.r;
  fresh.solve(again, b, r_fresh, w);
  BOOST_TEST((r - r_fresh).norm() == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_converge_names_the_worst_inclusion_and_leaves_everything_as_it_was) {
  RandomNumbers random(13);
  const MultiVector W = positive_definite(random, 12, 1e8);
  OneStepSolver solver(OneStepProblem(coulomb_contacts(4, 0.5), W), {OneStepMethod::gauss_seidel, 1e-12, 3});
  Vector r = Vector::Ones(12), w = Vector::Constant(12, 7.);
  LawsAtTime now = solver.problem().laws_at(0.);
  BOOST_CHECK_EXCEPTION(solver.solve(now, -Vector::Ones(12), r, w), NoReactions,
                        [](const NoReactions& error) {
                          return error.residual() > 1e-12 && mentions(error, error.inclusion()) &&
                                 mentions(error, "3 iterations");
                        });
  BOOST_TEST((r - Vector::Ones(12)).norm() == 0);
  BOOST_TEST((w - Vector::Constant(12, 7.)).norm() == 0);
}

BOOST_AUTO_TEST_CASE(a_matrix_without_solution_is_reported_not_returned) {
  // w_1 = -r_2 - 1, w_2 = r_1 with both >= 0: pushing harder only closes the gap.
  MultiVector W(2, 2);
  W << 1, -4, -4, 1;
  const std::vector<NamedLaw> laws = {named<UnilateralContact>("left"), named<UnilateralContact>("right")};
  for (const OneStepMethod method : {OneStepMethod::automatic, OneStepMethod::gauss_seidel}) {
    OneStepSolver solver(OneStepProblem(laws, W), {method});
    LawsAtTime now = solver.problem().laws_at(0.);
    Vector r = Vector::Zero(2), w = r;
    BOOST_CHECK_EXCEPTION(solver.solve(now, Eigen::Vector2d(-1, -1), r, w), NoReactions,
                          [](const NoReactions& error) {
                            return std::isfinite(error.residual()) && error.residual() > 1e-3 &&
                                   mentions(error, "the iteration diverged");
                          });
  }
}

BOOST_AUTO_TEST_CASE(steps_that_make_no_sense_are_refused) {
  const std::vector<NamedLaw> laws = {named<UnilateralContact>("left"), named<DryFriction>("right", -1., 1.)};
  BOOST_CHECK_THROW(OneStepProblem(laws, MultiVector::Identity(3, 3)), InvalidInput);
  BOOST_CHECK_THROW(OneStepProblem(laws, MultiVector::Constant(2, 2, std::nan(""))), InvalidInput);
  MultiVector dead = MultiVector::Identity(2, 2);
  dead(1, 1) = 0;
  BOOST_CHECK_EXCEPTION(OneStepProblem(laws, dead), InvalidInput,
                        [](const auto& error) { return mentions(error, "\"right\""); });
  BOOST_CHECK_THROW(
      OneStepSolver(OneStepProblem(laws, MultiVector::Identity(2, 2)), {OneStepMethod::closed_form}),
      InvalidInput);
  BOOST_CHECK_THROW(
      OneStepSolver(OneStepProblem(laws, MultiVector::Identity(2, 2)), {OneStepMethod::newton, 0.}),
      InvalidInput);
  BOOST_CHECK_THROW(OneStepSolver(OneStepProblem(coulomb_contacts(2, 0.1), MultiVector::Identity(6, 6)),
                                  {OneStepMethod::pivoting}),
                    InvalidInput);
  OneStepSolver solver(OneStepProblem(laws, MultiVector::Identity(2, 2)));
  LawsAtTime now = solver.problem().laws_at(0.);
  Vector r = Vector::Zero(2), w;
  BOOST_CHECK_THROW(solver.solve(now, Vector::Zero(3), r, w), InvalidInput);
  BOOST_CHECK_THROW(solver.solve(now, Vector::Constant(2, std::nan("")), r, w), InvalidInput);
}

BOOST_AUTO_TEST_CASE(thresholds_that_go_wrong_in_time_name_their_inclusion) {
  const OneStepProblem problem({named<StVenantElement>("pad", ScalarFunction::expression("1 - t"))},
                               MultiVector::Identity(1, 1));
  BOOST_CHECK_EXCEPTION(problem.laws_at(2.), InvalidInput,
                        [](const auto& error) { return mentions(error, "\"pad\""); });
}

BOOST_AUTO_TEST_CASE(no_inclusions_are_no_trouble) {
  OneStepSolver solver(OneStepProblem({}, MultiVector(0, 0)));
  LawsAtTime now = solver.problem().laws_at(0.);
  Vector r(0), w;
  BOOST_TEST(solver.solve(now, Vector(0), r, w).residual.value == 0);
}

BOOST_AUTO_TEST_SUITE_END()
