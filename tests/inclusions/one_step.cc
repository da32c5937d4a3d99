#include <halfdof/inclusions/coulomb_friction.h>
#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/joint_weakening.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/inclusions/st_venant.h>
#include <halfdof/inclusions/static_kinetic_friction.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/inclusions/weakening_friction.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/local_problems.h"
#include <functional>

using namespace halfdof;
using namespace halfdof::test;

namespace {

template <class SomeLaw, class... Arguments>
NamedLaw named(const std::string& name, Arguments&&... arguments) {
  return {std::make_shared<SomeLaw>(std::forward<Arguments>(arguments)...), name};
}

/// Contacts and friction elements in turn.
std::vector<NamedLaw> intervals(RandomNumbers& random, Index m) {
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < m; ++i) {
    const std::string name = "inclusion " + std::to_string(i);
    if (i % 2) {
      laws.push_back(named<UnilateralContact>(name));
    } else {
      laws.push_back(named<DryFriction>(name, -std::abs(random()), std::abs(random())));
    }
  }
  return laws;
}

std::vector<NamedLaw> coulomb_contacts(Index n, double mu) {
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < n; ++i)
    laws.push_back(named<CoulombFriction>("contact " + std::to_string(i), 2, mu));
  return laws;
}

struct Solution {
  Vector r, w;
  LawsAtTime laws;
  OneStepReport report;
};

Solution solve(OneStepSolver& solver, const Vector& b) {
  Solution solution;
  solution.r = Vector::Zero(b.size());
  solution.laws = solver.problem().laws_at(0.);
  solution.report = solver.solve(solution.laws, b, solution.r, solution.w);
  return solution;
}

Solution solve(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b,
               OneStepMethod method = OneStepMethod::automatic, double tolerance = 1e-12) {
  OneStepSolver solver(OneStepProblem(laws, W), {method, tolerance});
  return solve(solver, b);
}

/// w.(s - r) >= 0 for reactions s within the bounds, up to what the residual allows.
void check_variational_inequality(RandomNumbers& random, const std::vector<NamedLaw>& laws,
                                  const Solution& s) {
  for (int test = 0; test < 50; ++test) {
    for (Index i = 0; i < s.r.size(); ++i) {
      const auto& parameters = s.laws.parameters[static_cast<std::size_t>(i)];
      LocalVector any = LocalVector::Constant(1, 5 * random());
      laws[static_cast<std::size_t>(i)].law->project(parameters, any, any);
      BOOST_TEST(s.w[i] * (any[0] - s.r[i]) > -1e-9 * (1 + s.r.norm()));
    }
  }
}

/// All ways of being free, at the lower or at the upper bound.
Vector solve_by_enumeration(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b) {
  const Index m = static_cast<Index>(b.size());
  Index n_cases = 1;
  for (Index i = 0; i < m; ++i)
    n_cases *= 3;
  for (Index k = 0; k < n_cases; ++k) {
    MultiVector A = W;
    Vector right = -b;
    std::vector<Index> side;
    for (Index i = 0, rest = k; i < m; ++i, rest /= 3)
      side.push_back(rest % 3);
    std::vector<Interval> bounds;
    bool possible = true;
    for (Index i = 0; i < m; ++i) {
      const auto& law = dynamic_cast<const IntervalLaw&>(*laws[static_cast<std::size_t>(i)].law);
      bounds.push_back(law.interval(law.parameters(0., ContactState::stick)));
      const Index s = side[static_cast<std::size_t>(i)];
      if (s == 0) continue;
      const double bound = s == 1 ? bounds.back().lower : bounds.back().upper;
      possible = possible && std::isfinite(bound);
      A.row(i).setZero();
      A(i, i) = 1;
      right[i] = bound;
    }
    if (!possible) continue;
    const Vector r = A.partialPivLu().solve(right);
    const Vector w = W * r + b;
    bool right_everywhere = true;
    for (Index i = 0; i < m; ++i) {
      const Interval set = bounds[static_cast<std::size_t>(i)];
      const Index s = side[static_cast<std::size_t>(i)];
      right_everywhere = right_everywhere && (s == 0   ? r[i] >= set.lower && r[i] <= set.upper
                                              : s == 1 ? w[i] >= 0
                                                       : w[i] <= 0);
    }
    if (right_everywhere) return r;
  }
  BOOST_FAIL("no case fits");
  return b;
}

/// The flexibility of a chain of masses with one inclusion each, after an implicit step: coupling 0 is none.
MultiVector chain(Index m, double coupling) {
  MultiVector P = MultiVector::Identity(m, m);
  for (Index i = 0; i + 1 < m; ++i) {
    P(i, i) += coupling;
    P(i + 1, i + 1) += coupling;
    P(i, i + 1) = P(i + 1, i) = -coupling;
  }
  return P.inverse();
}

/// A user's law with two columns: the reaction of a pressed pad lies in a disc of fixed radius.
class PressedPad final : public Law {
 public:
  explicit PressedPad(double radius) : radius_(radius) {}
  std::string name() const override { return "pressed pad"; }
  Index dimension() const override { return 2; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  LawParameters parameters(double, ContactState) const override { return {radius_}; }
  void resolvent(const LawParameters& p, double, LocalConstView z, LocalView r) const override {
    project(p, z, r);
  }
  void project(const LawParameters& p, LocalConstView z, LocalView r) const override {
    const double size = z.norm();
    r = (size > p[0] ? p[0] / size : 1.) * z;
  }
  ContactState state(const LawParameters&, LocalConstView w, LocalConstView,
                     double tolerance) const override {
    return w.norm() > tolerance ? ContactState::slip : ContactState::stick;
  }

 private:
  double radius_;
};

}  // namespace

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
    const Interval set = law.interval(law.parameters(0., ContactState::stick));
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
  BOOST_CHECK_EXCEPTION(OneStepProblem(bow(0.8), W), NotAvailable, [](const auto& error) {
    return mentions(error, "\"left\", \"right\"") && mentions(error, "is 1.52") &&
           mentions(error, "below 0.657");
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
    if (Eigen::SelfAdjointEigenSolver<MultiVector>(below).eigenvalues()[0] < 1e-3) continue;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MultiVector> eigen(0.5 * (above + above.transpose()),
                                                                      below);
    BOOST_TEST(joint_weakening(W, l) == eigen.eigenvalues()[3], boost::test_tools::tolerance(1e-9));
    // Units of the directions do not matter, nor does a direction that repeats another.
    const Vector unit = (Vector::Random(4) * 10).array().exp();
    const MultiVector scaled = unit.asDiagonal() * W * unit.asDiagonal();
    const Vector l_scaled = l.cwiseQuotient(unit.cwiseAbs2());
    BOOST_TEST(joint_weakening(scaled, l_scaled) == eigen.eigenvalues()[3],
               boost::test_tools::tolerance(1e-7));
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

BOOST_AUTO_TEST_CASE(a_law_that_never_makes_up_its_mind_is_reported) {
  class Fickle final : public IntervalLaw {
   public:
    std::string name() const override { return "fickle"; }
    LawLevel level(Index) const override { return LawLevel::rate; }
    LawParameters parameters(double, ContactState) const override { return {-1., 1.}; }
    bool reconsider(LawParameters&, LocalConstView, LocalConstView) const override { return true; }
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
    now.takes_part[1] = false;
    const Vector b = -Vector::Ones(6);
    solver.solve(now, b, r, w);
    const Index first = solver.problem().first_column(1), d = solver.problem().dimension(1);
    BOOST_TEST(r.segment(first, d).norm() == 0);
    BOOST_TEST(r.norm() > 0);
    BOOST_TEST((solver.problem().states(now, b, r, w)[1] == ContactState::open));
  }
}

BOOST_AUTO_TEST_CASE(static_friction_breaks_loose_one_element_after_the_other) {
  // Two blocks on one rigid bar, pulled by 4.5 in the units of r: statically they hold 2 + 3, but what the first
  // leaves to the second once W lets it move first breaks that one, too.
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
  BOOST_CHECK_THROW(solve(laws, W, Eigen::Vector2d(-1, -1)), NoReactions);
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
