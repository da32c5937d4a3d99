// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "reduction/weierstrass_pencils.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

/// The muscle fibre of Dumont, Goeleven and Rochdi 2001, example 5.4, with two sarcomeres and the data of
/// its table; q = (q_0, x_0, y_0, q_1, x_1, y_1, q_2). Rows 3 and 6 of the stiffness are misprinted.
/// Characteristic polynomials and rows of E^ = (E - A)^{-1} E are known as fractions.
namespace {

MultiVector mass() {
  MultiVector M = MultiVector::Zero(7, 7);
  M(6, 6) = 1;
  return M;
}

MultiVector damping() {
  MultiVector C(7, 7);
  C << 2, 0, 0, 0, 0, 0, 0,       //
      0, 0.5, -0.5, 0, 0, 0, 0,   //
      0, -0.5, 1.5, -1, 0, 0, 0,  //
      0, 0, -1, 1, 0, 0, 0,       //
      0, 0, 0, 0, 0.5, -0.5, 0,   //
      0, 0, 0, 0, -0.5, 1.5, -1,  //
      0, 0, 0, 0, 0, -1, 1;
  return C;
}

MultiVector printed_stiffness() {
  MultiVector K(7, 7);
  K << 3, 0, -1, 0, 0, 0, 0,      //
      0, 0.5, -0.5, 0, 0, 0, 0,   //
      0, -1.5, 2.5, -1, 0, 0, 0,  //
      0, 0, -1, 2, 0, -1, 0,      //
      0, 0, 0, 0, 0.5, -0.5, 0,   //
      0, 0, 0, 0, -1.5, 2.5, -1,  //
      0, 0, 0, 0, 0, -1, 1;
  return K;
}

/// What Newton's third law demands.
MultiVector corrected_stiffness() {
  MultiVector K = printed_stiffness();
  K(2, 0) = K(5, 3) = -1;
  K(2, 1) = K(5, 4) = -0.5;
  return K;
}

/// P(s) = det(s^2 M + s C + K) by its coefficients, highest power first.
struct Fibre {
  const char* name;
  MultiVector K;
  std::vector<double> P;
  Vector first_row_of_Ehat, last_row_of_Ehat;

  FirstOrderForm companion() const { return companion_form(mass(), damping(), K); }
};

Vector row(const std::vector<double>& of_displacements, double of_last_rate) {
  Vector result = Vector::Zero(14);
  std::copy(of_displacements.begin(), of_displacements.end(), result.data());
  result[13] = of_last_rate;
  return result;
}

std::vector<Fibre> fibres() {
  return {{"printed",
           printed_stiffness(),
           {0.5, 2.75, 6, 6.5, 3.5, 0.75, 0, 0},
           row({0.4, 0.15, -0.05, -0.1, 0.15, -0.05, 0.1}, 0.2),
           row({0, 0, 0, 0, 0.5, -0.5, 0}, 1)},
          {"corrected",
           corrected_stiffness(),
           {1, 6.25, 15.5, 20, 15, 7.25, 2.5, 0.5},
           row({16. / 34, 0, 1. / 34, -1. / 34, 0, 1. / 34, 1. / 34}, 1. / 17),
           row({2. / 17, 0, -2. / 17, 2. / 17, 0, -2. / 17, -2. / 17}, 13. / 17)}};
}

double polynomial(const std::vector<double>& coefficients, double s) {
  double value = 0;
  for (const double coefficient : coefficients)
    value = value * s + coefficient;
  return value;
}

/// Pulls the nodes q_0 and x_0 together, and q_1 and x_1.
MultiVector contractile_elements() {
  MultiVector L = MultiVector::Zero(7, 2);
  L(0, 0) = L(3, 1) = 1;
  L(1, 0) = L(4, 1) = -1;
  return L;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(muscle_fibre)

BOOST_AUTO_TEST_CASE(both_stiffnesses_have_seven_finite_and_seven_infinite_eigenvalues_and_index_two) {
  for (const Fibre& fibre : fibres()) {
    BOOST_TEST_CONTEXT(fibre.name) {
      const FirstOrderForm system = fibre.companion();
      const WeierstrassForm form(system.E, system.A);
      BOOST_TEST(form.n_finite() == 7);
      BOOST_TEST(form.jordan_sizes_at_infinity() == (std::vector<Index>{2, 1, 1, 1, 1, 1}),
                 boost::test_tools::per_element());
      for (const RankDecision& decision : form.rank_decisions())
        BOOST_TEST(decision.gap() > 1e10);
      // The characteristic polynomial of the finite part: four eigenvalues at -1 in Jordan blocks are ill
      // conditioned, it is not.
      for (const double s : {-2.5, -0.4, 0.3, 2.}) {
        const double found = (s * MultiVector::Identity(7, 7) - form.A_1()).determinant();
        const double expected = polynomial(fibre.P, s) / fibre.P.front();
        BOOST_TEST(std::abs(found - expected) <= 1e-12 * (std::abs(expected) + 1));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(null_columns_cannot_eliminate_the_nodes_that_float_together) {
  // Nodes x_0, y_0 and q_1 are joined to each other by dampers, and to nothing else.
  const auto names_them = [](const SingularElimination& error) {
    std::vector<GlobalIndex> dofs = error.dofs();
    std::sort(dofs.begin(), dofs.end());
    return error.block() == "C_CC" && dofs == std::vector<GlobalIndex>{1, 2, 3};
  };
  ReductionOptions options;
  options.method = ReductionMethod::null_columns;
  for (const Fibre& fibre : fibres()) {
    BOOST_TEST_CONTEXT(fibre.name) {
      const DenseSystem system{mass(), damping(), fibre.K};
      BOOST_TEST(dense_elimination(system).D.fullPivLu().rank() == 6);
      BOOST_TEST(damping().middleCols(1, 3).rowwise().sum().norm() == 0);
      BOOST_CHECK_EXCEPTION(reduce(assemble<EigenEngine>(system), options), SingularElimination, names_them);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_form_gives_back_the_matrix_that_the_paper_transforms) {
  for (const Fibre& fibre : fibres()) {
    BOOST_TEST_CONTEXT(fibre.name) {
      const FirstOrderForm system = fibre.companion();
      const WeierstrassForm form(system.E, system.A);
      const MultiVector Ehat = resolvent_by_parts(form, 1.) * system.E;
      BOOST_TEST((Ehat.row(0).transpose() - fibre.first_row_of_Ehat).norm() <= 1e-12);
      BOOST_TEST((Ehat.row(13).transpose() - fibre.last_row_of_Ehat).norm() <= 1e-12);
      BOOST_TEST((Ehat - (system.E - system.A).partialPivLu().solve(system.E)).norm() <= 1e-12 * Ehat.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(simple_eigenvalues_are_exact_and_multiple_ones_as_good_as_rounding_allows) {
  const SecondOrderWeierstrass fibre = weierstrass_of(mass(), damping(), corrected_stiffness());
  BOOST_TEST(fibre.weierstrass.order() == 8);
  BOOST_TEST(fibre.weierstrass.nilpotency_index() == 1);
  const std::vector<Complex> known = {-2.12543536569787416, {-0.0622823171510629184, 0.481006064316588035}};
  std::vector<Complex> found = fibre.weierstrass.finite_eigenvalues();
  for (const Complex value : known) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](Complex a, Complex b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    BOOST_TEST(std::abs(*nearest - value) <= 1e-13);
  }
  // Two Jordan blocks of size two: rounding moves their eigenvalues by its square root.
  BOOST_TEST(std::count_if(found.begin(), found.end(),
                           [](Complex value) { return std::abs(value + 1.) < 1e-6; }) == 4);
}

BOOST_AUTO_TEST_CASE(rates_need_the_derivative_of_the_activation_and_displacements_do_not) {
  const MultiVector L = contractile_elements();
  const FirstOrderForm with_rates = companion_form(mass(), damping(), corrected_stiffness());
  BOOST_TEST(n_derivatives_needed(WeierstrassForm(with_rates.E, with_rates.A), with_rates.B * L) == 1);
  const SecondOrderWeierstrass smallest = weierstrass_of(mass(), damping(), corrected_stiffness());
  BOOST_TEST(n_derivatives_needed(smallest.weierstrass, smallest.first_order.B * L) == 0);
  // A force on the slide, on the other hand, acts on the finite part alone.
  BOOST_TEST(n_derivatives_needed(WeierstrassForm(with_rates.E, with_rates.A), with_rates.B.col(6)) == 0);
}

BOOST_AUTO_TEST_CASE(the_friction_of_the_slide_stays_in_the_finite_part) {
  for (const Fibre& fibre : fibres()) {
    const FirstOrderForm system = fibre.companion();
    const WeierstrassForm form(system.E, system.A);
    const WeierstrassInclusion slide =
        inclusion_in(form, {system.B.col(6), MultiVector::Identity(14, 14).col(13), {"slide"}});
    BOOST_TEST((slide.parts[0] == ReactionPart::finite));
    BOOST_TEST(slide.W_alg(0, 0) == 0);
    // A force accelerates the slide by 1 / m at once.
    BOOST_TEST(std::abs((slide.C_1 * slide.B_1)(0, 0) - 1) <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(friction_on_the_floating_part_is_refused) {
  const FirstOrderForm system = companion_form(mass(), damping(), corrected_stiffness());
  const WeierstrassForm form(system.E, system.A);
  BOOST_CHECK_THROW(
      inclusion_in(form, {system.B.col(3), MultiVector::Identity(14, 14).col(10), {"node q_1"}}),
      NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
