// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <boost/test/unit_test.hpp>

#include "reduction/weierstrass_pencils.h"
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Counts of a series of random pencils.
struct Tally {
  Index n_pencils = 0, n_ambiguous = 0, n_wrong = 0;
  double worst = 0;  ///< relative error of a finite eigenvalue

  void take(const KnownPencil& pencil) {
    ++n_pencils;
    try {
      const WeierstrassForm form(pencil.E, pencil.A);
      if (form.jordan_sizes_at_infinity() != pencil.sizes)
        ++n_wrong;
      else
        worst = std::max(worst, spectral_distance(form.finite_eigenvalues(), eigenvalues(pencil.A_1)));
    } catch (const AmbiguousRank& error) {
      BOOST_TEST(error.decision().gap() < clear_rank_gap);
      ++n_ambiguous;
    }
  }

  /// @param allowed relative error of eigenvalues
  void check(double allowed = 1e-8) const {
    BOOST_TEST_MESSAGE(n_pencils << " pencils, " << n_ambiguous << " ambiguous, largest error " << worst);
    BOOST_TEST(n_wrong == 0);
    BOOST_TEST(100 * n_ambiguous <= n_pencils);
    BOOST_TEST(worst <= allowed);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(weierstrass_form)

BOOST_AUTO_TEST_CASE(random_pencils_are_taken_apart_as_they_were_put_together) {
  for (const Coordinates kind : {Coordinates::full, Coordinates::sparse, Coordinates::jordan}) {
    RandomNumbers random(1);
    Tally tally;
    for (int sample = 0; sample < 200; ++sample) {
      KnownPencil pencil = random_pencil(random, kind);
      permute(random, pencil);
      tally.take(pencil);
    }
    tally.check();
  }
}

BOOST_AUTO_TEST_CASE(scaling_rows_and_columns_by_millions_does_not_hurt) {
  for (const Coordinates kind : {Coordinates::full, Coordinates::sparse, Coordinates::jordan}) {
    RandomNumbers random(2);
    Tally tally;
    for (int sample = 0; sample < 200; ++sample) {
      KnownPencil pencil = random_pencil(random, kind);
      permute(random, pencil);
      scale(random, pencil);
      tally.take(pencil);
    }
    tally.check();
  }
}

BOOST_AUTO_TEST_CASE(larger_pencils_and_other_units_of_time_do_not_hurt) {
  RandomNumbers random(3);
  Tally tally;
  for (int sample = 0; sample < 40; ++sample) {
    KnownPencil pencil = random_pencil(random, Coordinates::full, 60);
    permute(random, pencil);
    const double unit = std::pow(10., 6 * random());
    pencil.E *= unit;
    pencil.A_1 /= unit;
    tally.take(pencil);
  }
  tally.check();
}

BOOST_AUTO_TEST_CASE(ill_conditioned_coordinates_do_not_make_rounding_look_like_dynamics) {
  RandomNumbers random(11);
  Tally tally;
  for (int sample = 0; sample < 300; ++sample)
    tally.take(random_pencil(random, Coordinates::ill_conditioned));
  // The pencil itself is rounded: 1e-16 times the condition numbers of P and Q, 1e4 each, and of A_1.
  tally.check(1e-5);
}

BOOST_AUTO_TEST_CASE(the_form_obeys_its_equations) {
  RandomNumbers random(4);
  for (int sample = 0; sample < 20; ++sample) {
    KnownPencil pencil = random_pencil(random, Coordinates::full);
    const WeierstrassForm form(pencil.E, pencil.A);
    const Index n_f = form.n_finite(), n_inf = form.n_infinite(), n = form.order();
    MultiVector of_E = MultiVector::Zero(n, n), of_A = of_E;
    of_E.topLeftCorner(n_f, n_f).setIdentity();
    of_E.bottomRightCorner(n_inf, n_inf) = form.N();
    of_A.topLeftCorner(n_f, n_f) = form.A_1();
    of_A.bottomRightCorner(n_inf, n_inf).setIdentity();
    // Rounding times the condition numbers of T and Z.
    const double allowed = 1e-15 * static_cast<double>(n) * form.condition_of_T() * form.condition_of_Z();
    BOOST_TEST((form.Z() * pencil.E * form.T() - of_E).norm() <= allowed);
    BOOST_TEST((form.Z() * pencil.A * form.T() - of_A).norm() <= allowed);
    BOOST_TEST((form.T() * form.T_inverse() - MultiVector::Identity(n, n)).norm() <= allowed);
    BOOST_TEST(form.residual() <= 1e-13);
    // Nilpotent exactly, not up to rounding.
    MultiVector power = MultiVector::Identity(n_inf, n_inf);
    for (Index k = 0; k < form.nilpotency_index(); ++k) {
      BOOST_TEST(!power.isZero(0.));
      power *= form.N();
    }
    BOOST_TEST(power.isZero(0.));
  }
}

BOOST_AUTO_TEST_CASE(qz_invents_finite_eigenvalues_where_the_staircase_finds_none) {
  RandomNumbers random(5);
  Index n_false = 0;
  for (int sample = 0; sample < 20; ++sample) {
    const KnownPencil pencil =
        make_pencil(MultiVector::Zero(0, 0), {4}, random.matrix(4, 4), random.matrix(4, 4));
    double nearest = HUGE_VAL;
    for (const HomogeneousEigenvalue& value : eigenvalues(pencil.A, pencil.E))
      if (value.beta != 0) nearest = std::min(nearest, std::abs(value.alpha / value.beta));
    if (nearest < 1e8) ++n_false;
    const WeierstrassForm form(pencil.E, pencil.A);
    BOOST_TEST(form.n_finite() == 0);
    BOOST_TEST(form.nilpotency_index() == 4);
  }
  // Rounding e moves the four of them to about e^{-1/4}; QZ may also find one by exact deflation.
  BOOST_TEST(n_false >= 15);
}

BOOST_AUTO_TEST_CASE(a_regular_E_and_a_pencil_without_dynamics_are_the_extremes) {
  RandomNumbers random(6);
  const MultiVector E = random.matrix(5, 5), A = random.matrix(5, 5);
  const WeierstrassForm all_finite(E, A);
  BOOST_TEST(all_finite.nilpotency_index() == 0);
  BOOST_TEST(spectral_distance(all_finite.finite_eigenvalues(), eigenvalues(E.inverse() * A)) <= 1e-12);
  const WeierstrassForm algebraic(MultiVector::Zero(5, 5), A);
  BOOST_TEST(algebraic.n_finite() == 0);
  BOOST_TEST(algebraic.nilpotency_index() == 1);
  const WeierstrassForm empty(MultiVector::Zero(0, 0), MultiVector::Zero(0, 0));
  BOOST_TEST(empty.order() == 0);
}

BOOST_AUTO_TEST_CASE(consistent_states_are_an_orthonormal_basis_of_the_finite_deflating_space) {
  RandomNumbers random(7);
  const KnownPencil pencil = random_pencil(random, Coordinates::full);
  const WeierstrassForm form(pencil.E, pencil.A);
  const MultiVector basis = form.consistent_basis();
  const Index n_f = pencil.n_finite();
  BOOST_TEST((basis.transpose() * basis - MultiVector::Identity(n_f, n_f)).norm() <= 1e-13);
  // x = Q^{-1} v: the first columns of Q^{-1} span it.
  const MultiVector known = pencil.Q.inverse().leftCols(n_f);
  BOOST_TEST((known - basis * (basis.transpose() * known)).norm() <= 1e-10 * known.norm());
  const Vector x = random.matrix(pencil.order(), 1);
  BOOST_TEST((form.lift(form.restrict(x)) - x).norm() <= 1e-10 * x.norm());
}

BOOST_AUTO_TEST_CASE(singular_pencils_are_refused_with_the_unknowns_of_a_null_vector) {
  RandomNumbers random(8);
  for (Index degree = 0; degree <= 2; ++degree)
    for (int sample = 0; sample < 20; ++sample) {
      // A block with a null vector (1, lambda, ..., lambda^degree), its transpose, and three finite
      // eigenvalues.
      const Index n_null = degree + 1, n_left = 3, n = n_null + n_left - 1 + 3;
      MultiVector E = MultiVector::Zero(n, n), A = E;
      for (Index i = 0; i < degree; ++i) {
        E(i, i) = 1;
        A(i, i + 1) = 1;
      }
      for (Index i = 0; i + 1 < n_left; ++i) {
        E(degree + i, n_null + i) = 1;
        A(degree + i + 1, n_null + i) = 1;
      }
      E.bottomRightCorner(3, 3).setIdentity();
      A.bottomRightCorner(3, 3) = random.matrix(3, 3);
      const MultiVector P = random.matrix(n, n);
      KnownPencil pencil{P * E, P * A, P, MultiVector::Identity(n, n), {}, {}, {}};
      scale(random, pencil);
      try {
        const WeierstrassForm form(pencil.E, pencil.A);
        BOOST_ERROR("a singular pencil was not refused");
      } catch (const SingularPencil& error) {
        BOOST_TEST(static_cast<Index>(error.unknowns().size()) == n_null);
        for (const Index unknown : error.unknowns())
          BOOST_TEST(unknown < n_null);
        // Rounding, times the scaling of a column.
        BOOST_TEST(error.null_vector().tail(n - n_null).norm() <= 1e-4);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_mass_between_zero_and_something_is_ambiguous_and_its_gap_is_told) {
  RandomNumbers random(9);
  // Neither 1e-11 beside 3e-14 nor 3e-14 beside the rounding of one is a gap.
  const Vector values = (Vector(4) << 1, 1, 1e-11, 3e-14).finished();
  const MultiVector P = Eigen::HouseholderQR<MultiVector>(random.matrix(4, 4)).householderQ();
  const MultiVector E = P * values.asDiagonal() * P;
  try {
    const WeierstrassForm form(E, random.matrix(4, 4));
    BOOST_TEST_MESSAGE(form);
    BOOST_ERROR("an ambiguous rank was decided");
  } catch (const AmbiguousRank& error) {
    BOOST_TEST(error.decision().matrix == "E");
    BOOST_TEST(error.decision().gap() < clear_rank_gap);
    BOOST_TEST(std::string(error.what()).find("neighbouring values is") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(wrong_shapes_entries_and_sizes_are_refused_before_anything_is_computed) {
  const MultiVector I = MultiVector::Identity(3, 3);
  BOOST_CHECK_THROW(WeierstrassForm(I, MultiVector::Identity(2, 2)), InvalidInput);
  BOOST_CHECK_THROW(WeierstrassForm(MultiVector::Zero(3, 2), MultiVector::Zero(3, 2)), InvalidInput);
  BOOST_CHECK_THROW(WeierstrassForm(MultiVector::Constant(3, 3, NAN), I), InvalidInput);
  BOOST_CHECK_THROW(WeierstrassForm(I, I, {2, {}}), NotAvailable);
  BOOST_CHECK_THROW(WeierstrassForm(I, I, {10, {"one"}}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_report_names_structure_decisions_and_condition_numbers) {
  RandomNumbers random(10);
  const KnownPencil pencil =
      make_pencil(random.matrix(2, 2), {3, 1, 1}, random.matrix(7, 7), random.matrix(7, 7));
  std::ostringstream report;
  report << WeierstrassForm(pencil.E, pencil.A);
  for (const char* part : {"7 unknowns: 2 finite and 5 infinite", "nilpotency index 3",
                           "1 of size 3, 2 of size 1", "E after 2 deflations", "Condition of T"})
    BOOST_TEST(report.str().find(part) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
