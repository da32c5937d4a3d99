// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <boost/test/unit_test.hpp>

#include "reduction/weierstrass_pencils.h"
#include "systems.h"
#include <cmath>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Rows = std::initializer_list<std::initializer_list<double>>;

MultiVector matrix(Rows rows) {
  MultiVector result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const double entry : row)
      result(i, j++) = entry;
    ++i;
  }
  return result;
}

/// A system with the degree of P(s) = det(s^2 M + s C + K), its value at s = 1.5, and the index of (q, q').
struct Sample {
  const char* name;
  MultiVector M, C, K;
  Index degree;
  double P;
  Index index;
};

std::vector<Sample> samples() {
  const double s = 1.5;
  const MultiVector zero = MultiVector::Zero(3, 3);
  return {{"counterexample to Proposition 3.3 as printed", matrix({{1, 0}, {0, 0}}), matrix({{0, 1}, {1, 0}}),
           MultiVector::Identity(2, 2), 0, 1., 4},
          {"multiplier of a constraint on displacements", matrix({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}), zero,
           matrix({{5, 0, 1}, {0, 7, -1}, {1, -1, 0}}), 2, -3 * (s * s + 4), 4},
          {"multiplier of a constraint on rates", matrix({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}),
           matrix({{0, 0, 1}, {0, 0, -1}, {1, -1, 0}}), matrix({{5, 0, 0}, {0, 7, 0}, {0, 0, 0}}), 4,
           -3 * s * s * (s * s + 4), 2},
          {"two massless nodes joined by one damper", matrix({{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}),
           matrix({{0, 0, 0}, {0, 3, -3}, {0, -3, 3}}), matrix({{2, -2, 0}, {-2, 2, 0}, {0, 0, 4}}), 3,
           2 * s * (9 * s * s + 4 * s + 12), 2},
          {"the same in other coordinates", matrix({{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}),
           matrix({{0, 0, 0}, {0, 3, 0}, {0, 0, 0}}), matrix({{2, -2, -2}, {-2, 2, 2}, {-2, 2, 6}}), 3,
           2 * s * (9 * s * s + 4 * s + 12), 2},
          {"singular mass without null columns", matrix({{1, 1}, {1, 1}}), matrix({{1, 0}, {0, 0}}),
           MultiVector::Identity(2, 2), 3, s * s * s + 2 * s * s + s + 1, 1},
          {"unsymmetric with singular diagonal blocks", matrix({{0, 0}, {1, 0}}), matrix({{0, 1}, {0, 0}}),
           matrix({{1, 0}, {2, 1}}), 3, -s * s * s - 2 * s + 1, 1}};
}

/// det(s - A_1), which is P(s) up to a constant.
double characteristic(const WeierstrassForm& form, double s) {
  const Index n = form.n_finite();
  return (s * MultiVector::Identity(n, n) - form.A_1()).determinant();
}

double P(const Sample& sample, double s) {
  return (s * s * sample.M + s * sample.C + sample.K).determinant();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(first_order_form)

BOOST_AUTO_TEST_CASE(examples_have_the_index_and_the_finite_spectrum_known) {
  for (const Sample& sample : samples()) {
    BOOST_TEST_CONTEXT(sample.name) {
      BOOST_TEST(std::abs(P(sample, 1.5) - sample.P) <= 1e-14 * std::abs(sample.P));
      const FirstOrderForm companion = companion_form(sample.M, sample.C, sample.K);
      const WeierstrassForm form(companion.E, companion.A);
      BOOST_TEST(form.nilpotency_index() == sample.index);
      BOOST_TEST(form.n_finite() == sample.degree);

      const SecondOrderWeierstrass smallest = weierstrass_of(sample.M, sample.C, sample.K);
      BOOST_TEST(smallest.weierstrass.order() <= form.order());
      BOOST_TEST(smallest.weierstrass.n_finite() == sample.degree);
      const Index lost = form.nilpotency_index() - smallest.weierstrass.nilpotency_index();
      BOOST_TEST((lost == 0 || lost == 1));
      for (const WeierstrassForm* each : {&form, &smallest.weierstrass})
        for (const double s : {-0.7, 2.5}) {
          const double expected = P(sample, s) / P(sample, 1.5);
          BOOST_TEST(std::abs(characteristic(*each, s) / characteristic(*each, 1.5) - expected) <=
                     1e-12 * std::abs(expected));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_isolated_node_makes_the_pencil_singular_and_is_named) {
  const MultiVector M = matrix({{1, 0}, {0, 0}}), C = 3 * M, K = 2 * M;
  try {
    weierstrass_of(M, C, K);
    BOOST_ERROR("a singular pencil was not refused");
  } catch (const SingularPencil& error) {
    BOOST_TEST(error.unknowns() == std::vector<Index>{1}, boost::test_tools::per_element());
    BOOST_TEST(error.equations() == std::vector<Index>{1}, boost::test_tools::per_element());
    BOOST_TEST(std::string(error.what()).find("on q_1,") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_pencil_that_is_singular_at_one_is_regular) {
  // Dumont et al., Remark 3.2: P(1) = 0, P(2) = -6.
  const MultiVector M = matrix({{1, -1}, {-1, 1}}), C = matrix({{0, -1}, {-1, 1}}),
                    K = matrix({{1, 0}, {0, 0}});
  BOOST_TEST(std::abs((M + C + K).determinant()) <= 1e-15);
  BOOST_TEST(weierstrass_of(M, C, K).weierstrass.n_finite() == 3);
}

BOOST_AUTO_TEST_CASE(null_rows_save_unknowns_as_null_columns_do) {
  RandomNumbers random(1);
  // An unsymmetric mass matrix of rank one with three columns and one row.
  MultiVector M = MultiVector::Zero(3, 3);
  M.row(1) = random.matrix(1, 3);
  const MultiVector C = random.matrix(3, 3), K = random.matrix(3, 3);
  const FirstOrderForm by_rows = smallest_form(M, C, K);
  const FirstOrderForm by_columns = smallest_form(M.transpose(), C.transpose(), K.transpose());
  BOOST_TEST(by_rows.E.rows() == 4);
  BOOST_TEST(by_columns.E.rows() == 4);
  BOOST_TEST(by_rows.names.back() == "p_1");
  BOOST_TEST(by_columns.names.back() == "v_1");
  // q = Q (s E - A)^{-1} B f is the solution of (s^2 M + s C + K) q = f.
  for (const double s : {0.3, 1.9}) {
    const MultiVector P = s * s * M + s * C + K;
    const auto solution = [&](const FirstOrderForm& form) {
      return MultiVector(form.Q * (s * form.E - form.A).partialPivLu().solve(form.B));
    };
    BOOST_TEST((P * solution(by_rows) - MultiVector::Identity(3, 3)).norm() <= 1e-13);
    BOOST_TEST((P.transpose() * solution(by_columns) - MultiVector::Identity(3, 3)).norm() <= 1e-13);
    BOOST_TEST((P * solution(companion_form(M, C, K)) - MultiVector::Identity(3, 3)).norm() <= 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(systems_of_all_kinds_have_the_eigenvalues_of_their_state_matrix) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const DenseSystem system = random_unsymmetric(4, 3, 2, seed);
    const SecondOrderWeierstrass form = weierstrass_of(system.M, system.C, system.K);
    BOOST_TEST(form.weierstrass.order() == 13);
    // Null columns are eliminated without differentiation: index one in (q, v_I).
    BOOST_TEST(form.weierstrass.nilpotency_index() == 1);
    BOOST_TEST(spectral_distance(form.weierstrass.finite_eigenvalues(),
                                 eigenvalues(dense_state_matrix_of(system))) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(matrices_of_different_shapes_are_refused) {
  const MultiVector I = MultiVector::Identity(2, 2);
  BOOST_CHECK_THROW(companion_form(I, I, MultiVector::Identity(3, 3)), InvalidInput);
  BOOST_CHECK_THROW(smallest_form(MultiVector::Zero(2, 3), I, I), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
