// SPDX-License-Identifier: LGPL-2.1-or-later
// The nonsmooth kernel against the solvers of Siconos: problems with bounds against Lemke's pivoting,
// contacts with friction in space against its nonsmooth Gauss-Seidel. Nothing but equations is shared.

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>

#include <boost/test/unit_test.hpp>

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/RelayProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <siconos/numerics/relay_cst.h>

#include "inclusions/local_problems.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

struct Pair {
  Vector r, w;
};

/// Owns a Siconos matrix that reads our entries, and the options of a solver.
class SiconosProblem {
 public:
  SiconosProblem(const MultiVector& W, int solver)
      : W_(W),
        matrix_(
            NM_create_from_data(NM_DENSE, static_cast<int>(W.rows()), static_cast<int>(W.cols()), W_.data())),
        options_(solver_options_create(solver)) {
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  }
  SiconosProblem(const SiconosProblem&) = delete;
  SiconosProblem& operator=(const SiconosProblem&) = delete;
  ~SiconosProblem() {
    solver_options_delete(options_);
    free(options_);
    free(matrix_);
  }
  NumericsMatrix* matrix() { return matrix_; }
  SolverOptions* options() { return options_; }

 private:
  MultiVector W_;
  NumericsMatrix* matrix_;
  SolverOptions* options_;
};

Pair siconos_contacts(const MultiVector& W, Vector b) {
  SiconosProblem siconos(W, SICONOS_LCP_LEMKE);
  LinearComplementarityProblem problem{static_cast<int>(b.size()), siconos.matrix(), b.data()};
  Pair pair{Vector::Zero(b.size()), Vector::Zero(b.size())};
  // Its own verdict is stricter than rounding allows where W is stiff.
  linearComplementarity_driver(&problem, pair.r.data(), pair.w.data(), siconos.options());
  return pair;
}

Pair siconos_friction(const MultiVector& W, Vector b, Vector lower, Vector upper) {
  SiconosProblem siconos(W, SICONOS_RELAY_LEMKE);
  RelayProblem problem{static_cast<int>(b.size()), siconos.matrix(), b.data(), lower.data(), upper.data()};
  Pair pair{Vector::Zero(b.size()), Vector::Zero(b.size())};
  BOOST_TEST(relay_driver(&problem, pair.r.data(), pair.w.data(), siconos.options()) == 0);
  return pair;
}

Pair siconos_coulomb(const MultiVector& W, Vector b, double mu) {
  SiconosProblem siconos(W, SICONOS_FRICTION_3D_NSGS);
  const int n = static_cast<int>(b.size()) / 3;
  Vector coefficients = Vector::Constant(n, mu);
  FrictionContactProblem problem{3, n, siconos.matrix(), b.data(), coefficients.data()};
  Pair pair{Vector::Zero(b.size()), Vector::Zero(b.size())};
  fc3d_driver(&problem, pair.r.data(), pair.w.data(), siconos.options());
  return pair;
}

Pair ours(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b) {
  OneStepSolver solver(OneStepProblem(laws, W));
  LawsAtTime now = solver.problem().laws_at(0.);
  Pair pair{Vector::Zero(b.size()), Vector::Zero(b.size())};
  const OneStepReport report = solver.solve(now, b, pair.r, pair.w);
  BOOST_TEST(report.residual.value <= 1e-12);
  return pair;
}

/// Our measure for their solution.
double residual(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b, const Vector& r) {
  const OneStepProblem problem(laws, W);
  Vector w = b;
  return problem.residual(problem.laws_at(0.), b, r, w).value;
}

template <class SomeLaw, class... Arguments>
std::vector<NamedLaw> copies(Index n, Arguments... arguments) {
  const auto law = std::make_shared<SomeLaw>(arguments...);
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < n; ++i)
    laws.push_back({law, "inclusion " + std::to_string(i)});
  return laws;
}

/// The error that rates and reactions of two solutions of small residual may show, b being of size one.
void check_agreement(const Pair& one, const Pair& other, double condition) {
  BOOST_TEST((one.w - other.w).norm() < 1e-10 * std::sqrt(condition) * (1 + other.w.norm()));
  BOOST_TEST((one.r - other.r).norm() < 1e-13 * condition * (10 + other.r.norm()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(siconos)

BOOST_AUTO_TEST_CASE(contacts_without_friction_agree_with_lemkes_method) {
  RandomNumbers random(101);
  for (const double condition : {1e1, 1e4, 1e7}) {
    for (int sample = 0; sample < 20; ++sample) {
      const MultiVector W =
          sample % 2 ? unsymmetric(random, 15, condition) : positive_definite(random, 15, condition);
      const Vector b = random_vector(random, 15);
      check_agreement(ours(copies<UnilateralContact>(15), W, b), siconos_contacts(W, b), condition);
    }
  }
}

BOOST_AUTO_TEST_CASE(dry_friction_agrees_with_the_relay_solver) {
  RandomNumbers random(102);
  for (const double condition : {1e1, 1e4, 1e7}) {
    for (int sample = 0; sample < 20; ++sample) {
      const MultiVector W =
          sample % 2 ? unsymmetric(random, 12, condition) : positive_definite(random, 12, condition);
      const Vector b = random_vector(random, 12);
      const Pair theirs = siconos_friction(W, b, Vector::Constant(12, -0.4), Vector::Constant(12, 0.7));
      check_agreement(ours(copies<DryFriction>(12, -0.4, 0.7), W, b), theirs, condition);
    }
  }
}

BOOST_AUTO_TEST_CASE(coulomb_friction_in_space_agrees_with_the_nonsmooth_gauss_seidel_method) {
  RandomNumbers random(103);
  for (const double condition : {3., 30.}) {
    for (const double mu : {0.1, 0.4}) {
      for (int sample = 0; sample < 10; ++sample) {
        const MultiVector W = positive_definite(random, 18, condition);
        const Vector b = random_vector(random, 18);
        const auto laws = copies<CoulombFriction>(6, 2, mu);
        const Pair theirs = siconos_coulomb(W, b, mu), pair = ours(laws, W, b);
        // Their own measure of convergence is |b|-relative.
        BOOST_TEST(residual(laws, W, b, theirs.r) < 1e-10);
        BOOST_TEST((pair.w - theirs.w).norm() < 1e-8);
        BOOST_TEST((pair.r - theirs.r).norm() < 1e-8 * (1 + pair.r.norm()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(stiff_contacts_with_friction_reach_residuals_and_rates_that_siconos_does_not_pass) {
  RandomNumbers random(104);
  const double mu = 0.2;
  for (int sample = 0; sample < 5; ++sample) {
    const MultiVector W = positive_definite(random, 18, 1e6);
    const Vector b = random_vector(random, 18);
    const auto laws = copies<CoulombFriction>(6, 2, mu);
    const Pair theirs = siconos_coulomb(W, b, mu), pair = ours(laws, W, b);
    const double quality = residual(laws, W, b, theirs.r);
    // As near to each other as both are to the solution: residuals are relative to r and to w / rho.
    BOOST_TEST((pair.w - theirs.w).norm() < 100 * (quality + 1e-12) * (1 + pair.r.norm()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
