// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <boost/test/unit_test.hpp>

#include "reduction/weierstrass_pencils.h"
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double omega = 1.3;

/// u_j = sin(omega t + j) with n_derivatives derivatives.
DifferentiableLoad sines(const MultiVector& directions, Index n_derivatives) {
  DifferentiableLoad load{directions, {}};
  for (Index i = 0; i <= n_derivatives; ++i)
    load.derivatives.push_back([p = directions.cols(), i](double t) {
      Vector u(p);
      for (Index j = 0; j < p; ++j)
        u[j] = std::pow(omega, i) * std::sin(omega * t + j + i * std::acos(0.));
      return u;
    });
  return load;
}

DifferentiableLoad differentiated(const DifferentiableLoad& load) {
  return {load.directions, {load.derivatives.begin() + 1, load.derivatives.end()}};
}

KnownPencil index_three(RandomNumbers& random) {
  return make_pencil(random.matrix(3, 3), {3, 2}, random.matrix(8, 8), random.matrix(8, 8));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(weierstrass_load)

BOOST_AUTO_TEST_CASE(the_algebraic_solution_solves_the_equations_given) {
  RandomNumbers random(1);
  for (int sample = 0; sample < 10; ++sample) {
    KnownPencil pencil = random_pencil(random, Coordinates::full);
    const DifferentiableLoad load = sines(random.matrix(pencil.order(), 2), 5);
    if (sample % 2) scale(random, pencil);
    const WeierstrassForm form(pencil.E, pencil.A);
    const double t = 0.7;
    const Vector H = load.directions * load.derivatives[0](t), v_1 = random.matrix(form.n_finite(), 1);
    const Vector x = form.lift({v_1, AlgebraicSolution(form, load).at(t)});
    const Vector rate =
        form.lift({form.A_1() * v_1 + form.Z_1() * H, AlgebraicSolution(form, differentiated(load)).at(t)});
    // Each row beside the terms that it adds up, rounding times the condition of the form.
    const Vector terms =
        pencil.E.cwiseAbs() * rate.cwiseAbs() + pencil.A.cwiseAbs() * x.cwiseAbs() + H.cwiseAbs();
    BOOST_TEST((pencil.E * rate - pencil.A * x - H).cwiseQuotient(terms).cwiseAbs().maxCoeff() <= 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(the_consistency_condition_is_that_of_the_paper) {
  RandomNumbers random(2);
  const KnownPencil pencil = index_three(random);
  const WeierstrassForm form(pencil.E, pencil.A);
  const DifferentiableLoad load = sines(random.matrix(8, 1), 2);
  const Vector c = random.matrix(8, 1);
  const ConsistentValue value = consistent_value(form, c, load, 0.);

  // (2.8) with lambda = 1: the nilpotent part of c + h - E^ h' + E^2 h'' vanishes, h = (A - E)^{-1} e^{-t} H.
  const MultiVector B = (pencil.A - pencil.E).inverse(), Ehat = -B * pencil.E;
  const auto H = [&](std::size_t i) { return Vector(load.directions * load.derivatives[i](0.)); };
  const Vector h = B * H(0), h_1 = B * (H(1) - H(0)), h_2 = B * (H(2) - 2 * H(1) + H(0));
  MultiVector nilpotent_part = MultiVector::Identity(8, 8);
  nilpotent_part.topLeftCorner(3, 3).setZero();
  const MultiVector projector = pencil.Q.inverse() * nilpotent_part * pencil.Q;
  const auto defect = [&](const Vector& x) {
    return (projector * (x + h - Ehat * h_1 + Ehat * Ehat * h_2)).norm();
  };
  BOOST_TEST(defect(c) > 0.1);
  BOOST_TEST(defect(value.x) <= 1e-10);
  // The finite part stays.
  const MultiVector finite = MultiVector::Identity(8, 8) - projector;
  BOOST_TEST((finite * (value.x - c)).norm() <= 1e-10 * c.norm());
  BOOST_TEST((form.T_2() * value.residual - (c - value.x)).norm() <= 1e-10 * c.norm());
}

BOOST_AUTO_TEST_CASE(what_changed_is_reported_and_a_consistent_value_stays) {
  RandomNumbers random(3);
  const KnownPencil pencil = index_three(random);
  const WeierstrassForm form(pencil.E, pencil.A);
  const DifferentiableLoad load = sines(random.matrix(8, 1), 2);
  const Vector c = random.matrix(8, 1);
  const ConsistentValue value = consistent_value(form, c, load, 0.3);
  BOOST_TEST(value.changes.size() == 8u);
  const ValueChange& largest = value.changes.front();
  BOOST_TEST(std::abs(largest.consistent - largest.given) == (value.x - c).cwiseAbs().maxCoeff());
  std::ostringstream report;
  report << value;
  BOOST_TEST(report.str().find("unknown " + std::to_string(largest.unknown) + ": ") != std::string::npos);
  BOOST_TEST(consistent_value(form, value.x, load, 0.3).was_consistent());
}

BOOST_AUTO_TEST_CASE(only_derivatives_that_the_nilpotent_part_needs_are_asked_for) {
  RandomNumbers random(4);
  const KnownPencil pencil = index_three(random);
  const WeierstrassForm form(pencil.E, pencil.A);
  // Columns of P: 0-2 finite, 3-5 the block of size three, 6-7 that of size two.
  BOOST_TEST(n_derivatives_needed(form, pencil.P.leftCols(3)) == 0);
  BOOST_TEST(n_derivatives_needed(form, pencil.P.col(3)) == 0);
  BOOST_TEST(n_derivatives_needed(form, pencil.P.col(4)) == 1);
  BOOST_TEST(n_derivatives_needed(form, pencil.P.col(5)) == 2);
  BOOST_TEST(n_derivatives_needed(form, pencil.P.col(7)) == 1);
  BOOST_TEST(n_derivatives_needed(form, pencil.P) == 2);
  // Not even u is asked for where no row of h_2 needs it.
  BOOST_TEST(AlgebraicSolution(form, {pencil.P.leftCols(3), {}}).at(0.).norm() == 0);
}

BOOST_AUTO_TEST_CASE(missing_derivatives_are_counted) {
  RandomNumbers random(5);
  const KnownPencil pencil = index_three(random);
  const WeierstrassForm form(pencil.E, pencil.A);
  const auto message = [&](Index n_derivatives) {
    try {
      AlgebraicSolution(form, sines(pencil.P.col(5), n_derivatives)).at(0.);
    } catch (const NotAvailable& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BOOST_TEST(message(0).find("2 are missing") != std::string::npos);
  BOOST_TEST(message(1).find("1 is missing") != std::string::npos);
  BOOST_TEST(message(2).empty());
  BOOST_CHECK_THROW(AlgebraicSolution(form, sines(MultiVector::Zero(7, 1), 2)), InvalidInput);
  const DifferentiableLoad wrong_length{pencil.P.col(3), {[](double) { return Vector(Vector::Zero(2)); }}};
  BOOST_CHECK_THROW(AlgebraicSolution(form, wrong_length).at(0.), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
