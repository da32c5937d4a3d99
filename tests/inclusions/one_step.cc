// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/one_step_problems.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(one_step)

BOOST_AUTO_TEST_CASE(two_contacts_that_lean_on_each_other_can_be_checked_by_hand) {
  MultiVector W(2, 2);
  W << 2, 1, 1, 2;
  const std::vector<NamedLaw> laws = {named<UnilateralContact>("left"), named<UnilateralContact>("right")};
  // Both closed: r = W^-1 (3, 3).
  Solution s = solve(laws, W, Eigen::Vector2d(-3, -3));
  BOOST_TEST((s.r - Eigen::Vector2d(1, 1)).norm() < 1e-15);
  // Closing the left one opens the right one.
  s = solve(laws, W, Eigen::Vector2d(-4, -1));
  BOOST_TEST((s.r - Eigen::Vector2d(2, 0)).norm() < 1e-15);
  BOOST_TEST((s.w - Eigen::Vector2d(0, 1)).norm() < 1e-15);
  BOOST_TEST((s.report.method == OneStepMethod::pivoting));
}

BOOST_AUTO_TEST_CASE(one_inclusion_is_solved_in_closed_form) {
  const Solution s = solve({named<DryFriction>("brake", -2., 3.)}, MultiVector::Constant(1, 1, 0.5),
                           Vector::Constant(1, 5.));
  BOOST_TEST((s.report.method == OneStepMethod::closed_form));
  BOOST_TEST(s.r[0] == -2.);
  BOOST_TEST(s.w[0] == 4.);
}

BOOST_AUTO_TEST_CASE(intervals_agree_with_the_enumeration_of_all_cases) {
  RandomNumbers random(1);
  for (int sample = 0; sample < 60; ++sample) {
    const MultiVector W = sample % 2 ? unsymmetric(random, 5, 20.) : positive_definite(random, 5, 20.);
    const auto laws = intervals(random, 5);
    const Vector b = random_vector(random, 5);
    const Vector expected = solve_by_enumeration(laws, W, b);
    BOOST_TEST((solve(laws, W, b).r - expected).norm() < 1e-12 * (1 + expected.norm()));
    // Gauss-Seidel's error is its residual times the condition number.
    BOOST_TEST((solve(laws, W, b, OneStepMethod::newton).r - expected).norm() < 1e-9 * (1 + expected.norm()));
  }
}

BOOST_AUTO_TEST_CASE(problems_are_as_stiff_as_they_are_said_to_be) {
  RandomNumbers random(9);
  for (const double condition : {1e2, 1e6, 1e10})
    for (const Index m : {3, 20, 60})
      for (const MultiVector& W :
           {positive_definite(random, m, condition), unsymmetric(random, m, condition)}) {
        const Vector values = singular_values(W);
        BOOST_TEST(values[0] > 0.1 * condition * values[m - 1]);
      }
}

BOOST_AUTO_TEST_CASE(intervals_are_solved_to_rounding_however_stiff_they_are) {
  RandomNumbers random(2);
  for (const double condition : {1e2, 1e6, 1e10}) {
    for (const Index m : {3, 20, 60}) {
      for (int sample = 0; sample < 10; ++sample) {
        const MultiVector W =
            sample % 2 ? unsymmetric(random, m, condition) : positive_definite(random, m, condition);
        const auto laws = intervals(random, m);
        const Solution s = solve(laws, W, random_vector(random, m));
        BOOST_TEST(s.report.residual.value < 1e-12);
        BOOST_TEST(s.report.n_iterations < 20 + 10 * m);
        check_variational_inequality(random, laws, s);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_methods_find_the_same_where_the_solution_is_unique) {
  RandomNumbers random(3);
  for (int sample = 0; sample < 10; ++sample) {
    const MultiVector W = positive_definite(random, 12, 10.);
    const auto laws = intervals(random, 12);
    const Vector b = random_vector(random, 12);
    const Vector r = solve(laws, W, b).r;
    for (const auto method :
         {OneStepMethod::gauss_seidel, OneStepMethod::newton, OneStepMethod::projected_gradient}) {
      const Solution other = solve(laws, W, b, method);
      BOOST_TEST((other.r - r).norm() < 1e-10 * r.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(units_do_not_matter) {
  RandomNumbers random(4);
  const MultiVector W = positive_definite(random, 6, 10.);
  const auto laws = intervals(random, 6);
  const Vector b = random_vector(random, 6), scale = (8 * random_vector(random, 6)).array().exp();
  std::vector<NamedLaw> scaled;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto& law = dynamic_cast<const IntervalLaw&>(*laws[i].law);
    const Interval set = law.reaction_interval(law.parameters(0., ContactState::stick));
    const double unit = scale[static_cast<Index>(i)];
    scaled.push_back(std::isfinite(set.upper) ? named<DryFriction>("", set.lower / unit, set.upper / unit)
                                              : laws[i]);
  }
  const MultiVector W_scaled = scale.asDiagonal() * W * scale.asDiagonal();
  const Vector r = solve(laws, W, b).r;
  const Vector r_scaled = solve(scaled, W_scaled, scale.cwiseProduct(b)).r;
  BOOST_TEST((scale.cwiseProduct(r_scaled) - r).norm() < 1e-10 * r.norm());
}

BOOST_AUTO_TEST_CASE(parallel_friction_elements_have_one_rate_though_many_reactions) {
  // Columns 0 and 1 are equal, 2 is their sum with a third: W has rank 2 of 4.
  MultiVector H(2, 4);
  H << 1, 1, 2, 0, 0, 0, 1, 1;
  const MultiVector W = H.transpose() * H;
  std::vector<NamedLaw> laws;
  for (const double threshold : {1., 0.5, 0.3, 2.})
    laws.push_back(named<StVenantElement>("element", threshold));
  RandomNumbers random(5);
  for (int sample = 0; sample < 50; ++sample) {
    const Vector b = H.transpose() * (4 * random_vector(random, 2));
    const Solution pivoting = solve(laws, W, b, OneStepMethod::pivoting);
    const Solution swept = solve(laws, W, b, OneStepMethod::gauss_seidel);
    BOOST_TEST((pivoting.w - swept.w).norm() < 1e-9 * b.norm());
    BOOST_TEST(pivoting.report.residual.value < 1e-12);
    // By proximal steps, not by what steps in where they fail.
    BOOST_TEST((pivoting.report.method == OneStepMethod::pivoting));
  }
}

BOOST_AUTO_TEST_CASE(contacts_with_friction_in_space_obey_the_law_to_the_tolerance) {
  RandomNumbers random(6);
  for (const double condition : {1e1, 1e3, 1e6}) {
    for (const double mu : {0., 0.3, 0.8}) {
      for (int sample = 0; sample < 6; ++sample) {
        const MultiVector W = positive_definite(random, 30, condition);
        const auto laws = coulomb_contacts(10, mu);
        const Vector b = random_vector(random, 30);
        const Solution s = solve(laws, W, b);
        BOOST_TEST(s.report.residual.value < 1e-12);
        for (Index i = 0; i < 10; ++i)
          BOOST_TEST(s.r.segment(3 * i + 1, 2).norm() <= mu * s.r[3 * i] * (1 + 1e-12));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(without_friction_coulomb_contacts_are_unilateral_ones) {
  RandomNumbers random(7);
  const MultiVector W = positive_definite(random, 12, 50.);
  const Vector b = random_vector(random, 12);
  const Vector r = solve(coulomb_contacts(4, 0.), W, b).r;
  MultiVector W_n(4, 4);
  Vector b_n(4), r_n(4);
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < 4; ++i) {
    laws.push_back(named<UnilateralContact>("contact"));
    b_n[i] = b[3 * i];
    r_n[i] = r[3 * i];
    for (Index j = 0; j < 4; ++j)
      W_n(i, j) = W(3 * i, 3 * j);
  }
  BOOST_TEST((solve(laws, W_n, b_n).r - r_n).norm() < 1e-10 * r_n.norm());
}

BOOST_AUTO_TEST_CASE(laws_of_all_kinds_meet_in_one_step) {
  RandomNumbers random(8);
  const std::vector<NamedLaw> laws = {
      named<CoulombFriction>("foot", 2, 0.4), named<DryFriction>("slide", -0.2, 0.1),
      named<WeakeningFriction>("bow", FrictionCurve::exponential(0.5, 0.2, 2.)),
      named<CoulombFriction>("wall", 1, 0.7), named<UnilateralContact>("stop")};
  for (int sample = 0; sample < 30; ++sample) {
    const MultiVector W = positive_definite(random, 8, 100.);
    const Vector b = random_vector(random, 8);
    const Solution s = solve(laws, W, b);
    BOOST_TEST(s.report.residual.value < 1e-12);
    BOOST_TEST((s.w - W * s.r - b).norm() < 1e-13);
    const double v = std::abs(s.w[4]);
    if (v > 1e-9)
      BOOST_TEST(std::abs(s.r[4]) == 0.2 + 0.3 * std::exp(-v / 2), boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_residual_above_the_tolerance_is_taken_as_far_as_rounding_of_b_explains_it) {
  // Pushed by 1, the contact answers with 1 + 1e-9, and leaves at 1e-9 of the rate of b.
  for (const double unit : {1e-30, 1., 1e30}) {
    const OneStepProblem problem({{std::make_shared<const UnilateralContact>(), "stop"}},
                                 MultiVector::Constant(1, 1, unit));
    const LawsAtTime laws = problem.laws_at(0.);
    const Vector b = Vector::Constant(1, -unit), r = Vector::Constant(1, 1 + 1e-9);
    Vector w(1);
    BOOST_TEST(std::abs(problem.residual(laws, b, r, w).value / (1e-9 / 3) - 1) < 1e-6);
    const auto obeys = [&](double tolerance, double rounding) {
      return problem.obeys_to_rounding(laws, r, w, tolerance, Vector::Constant(1, rounding * unit));
    };
    BOOST_TEST(!problem.obeys_to_rounding(laws, r, w, 1e-12, Vector()));
    BOOST_TEST(!obeys(1e-12, 0.9e-9));
    BOOST_TEST(obeys(1e-12, 1.1e-9));
    BOOST_TEST(obeys(1e-9, 0.));
  }
}

BOOST_AUTO_TEST_SUITE_END()
