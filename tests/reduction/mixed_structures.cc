// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/state_space.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <boost/test/unit_test.hpp>

#include "../eigen_systems.h"
#include "mixed_models.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using test::DenseSystem;
using test::MixedModel;
using test::RandomNumbers;

namespace {

MultiVector matrix(Index n, const std::vector<double>& rows) {
  return Eigen::Map<const MultiVector>(rows.data(), n, n).transpose();
}

/// The largest sigma_min(P(lambda)) over the eigenvalues of A, relative to the terms of P.
double backward_error(const DenseSystem& system, const MultiVector& A) {
  double largest = 0;
  if (A.size() == 0) return largest;
  const ComplexVector values = A.eigenvalues();
  for (const Complex lambda : values) {
    const ComplexMultiVector P = lambda * lambda * system.M + lambda * system.C + system.K.cast<Complex>();
    const double size =
        std::norm(lambda) * system.M.norm() + std::abs(lambda) * system.C.norm() + system.K.norm();
    largest = std::max(largest, Eigen::JacobiSVD<ComplexMultiVector>(P).singularValues().minCoeff() / size);
  }
  return largest;
}

void check(const MixedModel& model, const DenseSystem& system, const std::string& mixing, int number) {
  BOOST_TEST_CONTEXT("model " << number << ", " << mixing << ": " << model.blocks) {
    const auto assembled = test::assemble<EigenEngine>(system);
    const auto reduced = reduce(assembled);
    BOOST_TEST(reduced.n_states() == model.n_states);
    BOOST_TEST(backward_error(system, dense_state_matrix(reduced)) < 1e-9);
    const Diagnosis diagnosis = diagnose(assembled);
    BOOST_TEST(diagnosis.is_regular);
    BOOST_TEST(name_of(diagnosis.method) == name_of(reduced.method()));
    BOOST_REQUIRE(diagnosis.n_finite);
    BOOST_TEST(*diagnosis.n_finite == model.n_states);
    const auto exact = exact_structure_of(FreeSystem<EigenEngine>(assembled));
    BOOST_REQUIRE(exact);
    if (exact->is_regular() && reduced.method() != ReductionMethod::null_columns)
      BOOST_TEST(diagnosis.n_rounded == exact->n_finite - model.n_states);
    // Where rounding decides whether an eigenvalue is infinite, the index is not told.
    BOOST_TEST((diagnosis.index.has_value() == (diagnosis.n_rounded == 0)));
    BOOST_TEST((diagnosis.index_if_infinite.has_value() == (diagnosis.n_rounded > 0)));
  }
}

MixedModel model_of(RandomNumbers& random, int number) {
  return number % 10 == 9 ? test::chain_model(number % 20 < 10 ? 'C' : 'M', 2 + number / 10 % 9)
                          : test::block_model(random, 2 + random.below(8));
}

constexpr int n_models = 100;

}  // namespace

BOOST_AUTO_TEST_SUITE(mixed_structures)

// The number of states is known by construction. Indices are up to 20.
BOOST_AUTO_TEST_CASE(integer_models_are_reduced_to_as_many_states_as_they_have) {
  for (int number = 0; number < n_models; ++number) {
    RandomNumbers random(static_cast<unsigned>(number));
    const MixedModel model = model_of(random, number);
    const Index n = model.system.size();
    check(model, model.system, "as it is made", number);
    const MultiVector L = test::unimodular(random, n, n), R = test::unimodular(random, n, n);
    check(model, test::turned(model.system, R.transpose(), R), "mixed by congruence", number);
    check(model, test::turned(model.system, L, R), "mixed from both sides", number);
  }
}

// As given, these have hardly any structure at all: rounding has moved their infinite eigenvalues to huge
// ones.
BOOST_AUTO_TEST_CASE(rotated_models_are_reduced_to_what_they_were) {
  for (int number = 0; number < n_models; ++number) {
    RandomNumbers random(static_cast<unsigned>(number));
    const MixedModel model = model_of(random, number);
    const Index n = model.system.size();
    const MultiVector L = test::rotation(random, n), R = test::rotation(random, n);
    check(model, test::turned(model.system, R.transpose(), R), "rotated", number);
    check(model, test::turned(model.system, L, R), "rotated from both sides", number);
  }
}

// Exact: one finite eigenvalue, -3/2. The coordinates that constraints of three levels leave have a mass
// matrix that is singular, not one that rounding makes regular.
BOOST_AUTO_TEST_CASE(what_constraints_of_three_levels_leave_holds_no_rounding) {
  const DenseSystem system{matrix(4, {0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, -3, 0, 1, 3, 3}),
                           matrix(4, {0, 0, 0, 0, 0, 2, -2, -2, 0, 0, 0, 0, 0, 0, 0, 0}),
                           matrix(4, {0, 0, 1, 0, 1, 3, -2, -4, -1, 0, 1, -7, 1, 0, 0, 3})};
  const auto assembled = test::assemble<EigenEngine>(system);
  const auto reduced = reduce(assembled);
  BOOST_REQUIRE_EQUAL(reduced.n_states(), 1);
  BOOST_TEST(std::abs(dense_state_matrix(reduced)(0, 0) + 1.5) < 1e-12);
  ReductionOptions options;
  options.method = ReductionMethod::constraints;
  BOOST_CHECK_EXCEPTION(reduce(assembled, options), SingularElimination,
                        [](const SingularElimination& error) {
                          return std::string(error.what()).find("carries no mass") != std::string::npos;
                        });
}

// A DoF that constraints alone know: q_0 + q_1 = 0, q_1' + q_2' + 2 q_0 + q_2 = 0, q_0 + q_1 + q_2 = 0. Then
// q_2 = 0 and q_1' = 2 q_1. Rounding in the combinations that leave q_0 out is no constraint on rates.
BOOST_AUTO_TEST_CASE(combinations_of_constraints_hold_no_rates_by_rounding) {
  DenseSystem system{MultiVector::Zero(6, 6), MultiVector::Zero(6, 6), MultiVector::Zero(6, 6)};
  const MultiVector A_1 = matrix(3, {0, 0, 0, 0, 1, 1, 0, 0, 0}),
                    A_2 = matrix(3, {1, 1, 0, 2, 0, 1, 1, 1, 1});
  system.C(2, 2) = 1;
  system.C.bottomLeftCorner(3, 3) = A_1;
  system.K.bottomLeftCorner(3, 3) = A_2;
  system.K.topRightCorner(3, 3) = A_2.transpose();
  system.K.col(4).head(3) = A_1.row(1).transpose();
  const auto reduced = reduce(test::assemble<EigenEngine>(system));
  BOOST_TEST(name_of(reduced.method()) == "constraints");
  BOOST_REQUIRE_EQUAL(reduced.n_states(), 1);
  BOOST_TEST(std::abs(dense_state_matrix(reduced)(0, 0) - 2) < 1e-14);
}

// Exact: one finite eigenvalue, -1. The mixed-column matrix is singular, its computed condition number
// 2.5e14.
BOOST_AUTO_TEST_CASE(a_singular_D_is_refused_although_rounding_hides_it) {
  const DenseSystem system{
      matrix(5, {3, 3, 3, 6, 0, 0, 0, 0, 0, 0, -2, -2, -2, -4, 0, 0, -1, -1, 0, 1, 0, 0, 0, 0, 0}),
      matrix(5, {-1, 1, -1, -1, 0, 0, 0, 0, 0, 0, 1, -1, 1, 1, 0, 1, -1, 1, 1, 0, 0, 0, 0, 0, 0}),
      matrix(5, {1, 4, -2, 6, 2, 1, 0, 0, 2, 1, 0, -3, 2, -3, -1, 3, -1, 2, 4, 1, 0, 0, 1, 0, 0})};
  const auto assembled = test::assemble<EigenEngine>(system);
  ReductionOptions options;
  options.method = ReductionMethod::null_columns;
  BOOST_CHECK_THROW(reduce(assembled, options), SingularElimination);
  const auto reduced = reduce(assembled);
  BOOST_REQUIRE_EQUAL(reduced.n_states(), 1);
  BOOST_TEST(std::abs(dense_state_matrix(reduced)(0, 0) + 1) < 1e-12);
  BOOST_TEST(*diagnose(assembled).n_finite == 1);
}

// Every displacement that shows a state moves at once under a force: all forces have to be known.
BOOST_AUTO_TEST_CASE(states_that_show_only_together_with_forces_are_told_by_known_forces) {
  const DenseSystem system{matrix(3, {0, 1, 0, 1, 0, 2, 0, 2, 0}), matrix(3, {0, 3, 0, 3, 0, -2, 0, -2, 0}),
                           matrix(3, {0, 0, 2, 0, -2, 0, 2, 0, -4})};
  const auto reduced = reduce(test::assemble<EigenEngine>(system));
  BOOST_TEST(name_of(reduced.method()) == "weierstrass");
  BOOST_TEST(reduced.n_states() == 4);
  BOOST_TEST(backward_error(system, dense_state_matrix(reduced)) < 1e-13);
}

BOOST_AUTO_TEST_SUITE_END()
