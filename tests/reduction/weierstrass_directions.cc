// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include <boost/test/unit_test.hpp>

#include "reduction/weierstrass_pencils.h"
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A mass m on the ground spring k, and a node without mass behind the damper c and the spring k_1.
struct DampedNode {
  double m = 2, c = 5, k = 3, k_1 = 0;

  FirstOrderForm companion() const {
    const MultiVector M = Eigen::Vector2d(m, 0).asDiagonal();
    const MultiVector K = Eigen::Vector2d(k, k_1).asDiagonal();
    const MultiVector C = (MultiVector(2, 2) << c, -c, -c, c).finished();
    return companion_form(M, C, K);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(weierstrass_directions)

BOOST_AUTO_TEST_CASE(friction_on_a_node_behind_a_damper_is_an_algebraic_inclusion) {
  const DampedNode model;
  const FirstOrderForm system = model.companion();
  const WeierstrassForm form(system.E, system.A);
  // Equation 1: 0 = c (v_0 - v_1) + r, so that v_1 = v_0 + r / c at once.
  const WeierstrassInclusion inclusion =
      inclusion_in(form, {system.B.col(1), MultiVector::Identity(4, 4).col(3), {"rub"}});
  BOOST_TEST((inclusion.parts[0] == ReactionPart::algebraic));
  BOOST_TEST(std::abs(inclusion.W_alg(0, 0) * model.c - 1) <= 1e-14);
  // Without a reaction w is the rate of the mass.
  const Vector v_1 = Vector::LinSpaced(form.n_finite(), 1., 2.);
  const Vector x = form.T_1() * v_1;
  BOOST_TEST(std::abs((inclusion.C_1 * v_1)[0] - x[2]) <= 1e-14 * x.norm());
}

BOOST_AUTO_TEST_CASE(friction_on_the_mass_stays_in_the_finite_part) {
  const FirstOrderForm system = DampedNode().companion();
  const WeierstrassForm form(system.E, system.A);
  const WeierstrassInclusion inclusion =
      inclusion_in(form, {system.B.col(0), MultiVector::Identity(4, 4).col(2), {}});
  // The rate of the node follows that of the mass: r enters no algebraic equation.
  BOOST_TEST((inclusion.parts[0] == ReactionPart::finite));
  BOOST_TEST(inclusion.W_alg(0, 0) == 0);
  BOOST_TEST(std::abs((inclusion.C_1 * inclusion.B_1)(0, 0) - 1 / DampedNode().m) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(an_inclusion_transfers_as_the_pencil_does) {
  RandomNumbers random(1);
  for (int sample = 0; sample < 10; ++sample) {
    KnownPencil pencil =
        make_pencil(random.matrix(4, 4), {3, 2, 1}, random.matrix(10, 10), random.matrix(10, 10));
    // The finite part and the first vector of each block: N vanishes there.
    MultiVector G = pencil.P(Eigen::all, std::vector<Index>{0, 4, 7, 9}) * random.matrix(4, 3);
    if (sample % 2) {
      const Vector before = pencil.P.col(0);
      scale(random, pencil);
      G = pencil.P.col(0).cwiseQuotient(before).asDiagonal() * G;
    }
    const MultiVector outputs = pencil.Q.transpose() * random.matrix(10, 3);
    const WeierstrassForm form(pencil.E, pencil.A);
    const WeierstrassInclusion inclusion = inclusion_in(form, {G, outputs, {}});
    for (const double lambda : {-2.1, 0.4, 3.}) {
      const MultiVector whole = outputs.transpose() * (lambda * pencil.E - pencil.A).partialPivLu().solve(G);
      const MultiVector finite = lambda * MultiVector::Identity(4, 4) - form.A_1();
      const MultiVector parts = inclusion.C_1 * finite.partialPivLu().solve(inclusion.B_1) + inclusion.W_alg;
      // Rounding times the condition of the form, 1e6 at the most.
      BOOST_TEST((parts - whole).norm() <= 1e-9 * whole.norm());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reaction_whose_derivative_would_matter_is_refused_by_name) {
  // A spring holds the node without damper: q_1 = r / k_1, so that its rate is that of a force that jumps.
  DampedNode model;
  model.c = 0;
  model.k_1 = 7;
  const FirstOrderForm system = model.companion();
  const WeierstrassForm form(system.E, system.A);
  const MultiVector outputs = MultiVector::Identity(4, 4).rightCols(2);
  try {
    inclusion_in(form, {system.B, outputs, {"brake", "rub"}});
    BOOST_ERROR("a reaction on the nilpotent part was not refused");
  } catch (const NotAvailable& error) {
    BOOST_TEST(std::string(error.what()).find("rub acts on the nilpotent part") != std::string::npos);
    BOOST_TEST(std::string(error.what()).find("brake") == std::string::npos);
  }
  BOOST_CHECK_THROW(inclusion_in(form, {system.B, outputs.leftCols(1), {}}), InvalidInput);
  BOOST_CHECK_THROW(inclusion_in(form, {system.B.topRows(3), outputs, {}}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
