// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

ReducedSystem<EigenEngine> reduced(const DenseSystem& system) {
  return reduce(assemble<EigenEngine>(system));
}

double relative_difference(const MultiVector& a, const MultiVector& b) {
  BOOST_REQUIRE_EQUAL(a.rows(), b.rows());
  BOOST_REQUIRE_EQUAL(a.cols(), b.cols());
  return a.size() == 0 ? 0 : (a - b).norm() / std::max(b.norm(), 1e-300);
}

/// D^{-1}, its rows in the order (I, C, K).
MultiVector dense_inverse(const DenseSystem& system) {
  return dense_elimination(system).D.fullPivLu().inverse();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explicit_forms)

BOOST_AUTO_TEST_CASE(the_engine_mount_has_the_state_and_input_matrix_of_the_paper) {
  const auto mount = reduced(engine_mount());
  MultiVector A(4, 4), B(4, 3);
  // Simionatto et al., section 3, with A(3,3) = -10/3 where -1/300 is printed.
  A << 0, 0, 0, 1, 0, -10, 0, 1, 5. / 3, 0, -10. / 3, 0, -275, -50, 25, 0;
  B << 0, 0, 0, 0, 1. / 100, 0, 0, 0, 1. / 300, 1. / 20, 1. / 20, 0;
  BOOST_TEST((dense_state_matrix(mount) - A).cwiseAbs().maxCoeff() <= 1e-11);
  BOOST_TEST((dense_input_matrix(mount) - B).cwiseAbs().maxCoeff() <= 1e-14);
  BOOST_TEST((dense_inverse_rows(mount, DoFKind::inertial) - B.bottomRows(1)).norm() <= 1e-15);
  BOOST_TEST((dense_inverse_rows(mount, DoFKind::viscous) - B.middleRows(1, 2)).norm() <= 1e-15);
  BOOST_TEST(dense_inverse_rows(mount, DoFKind::algebraic).rows() == 0);
}

BOOST_AUTO_TEST_CASE(three_unsymmetric_kinds_have_the_matrices_known_in_fractions) {
  const auto system = reduced(three_kinds());
  MultiVector A(3, 3), gamma(1, 3), alpha(1, 3), kappa(1, 3);
  A << 0, 0, 1, 7. / 5, -7. / 5, 1, -113. / 30, 8. / 5, -2. / 3;
  gamma << 19. / 30, -13. / 30, -1. / 6;
  alpha << -1. / 5, 2. / 5, 0;
  kappa << 1. / 6, -1. / 6, 1. / 6;
  // Rounding of numbers of order one, times the condition number of D (about 10).
  BOOST_TEST(relative_difference(dense_state_matrix(system), A) <= 1e-14);
  BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::inertial), gamma) <= 1e-14);
  BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::viscous), alpha) <= 1e-14);
  BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::algebraic), kappa) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(a_small_unsymmetric_entry_counts_beside_a_small_mass) {
  // A mass of 2^-33 and an entry of 2^-52 beside a mass of one: M^{-1} K, known in fractions.
  DenseSystem system{MultiVector(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  system.M << 1, 0x1p-52, 0, 0x1p-33;
  system.K << 6, -3, -3, 10;
  const MultiVector A = dense_state_matrix(reduced(system));
  BOOST_TEST(A(2, 0) == -6 - 3 * 0x1p-19, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(A(2, 1) == 3 + 10 * 0x1p-19, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(permuted_unsymmetric_systems_agree_with_dense_recomputation) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const DenseSystem dense = random_unsymmetric(5, 4, 3, seed);
    const auto system = reduced(dense);
    const MultiVector inverse = dense_inverse(dense);
    // Condition numbers of random matrices of order 12 stay below 1e4.
    BOOST_TEST(relative_difference(dense_state_matrix(system), dense_state_matrix_of(dense)) <= 1e-11);
    BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::inertial), inverse.topRows(5)) <=
               1e-11);
    BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::viscous), inverse.middleRows(5, 4)) <=
               1e-11);
    BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::algebraic), inverse.bottomRows(3)) <=
               1e-11);
    MultiVector B = MultiVector::Zero(14, 12);
    B.bottomRows(9) << inverse.middleRows(5, 4), inverse.topRows(5);
    BOOST_TEST(relative_difference(dense_input_matrix(system), B) <= 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(more_states_than_one_batch_holds_agree_with_dense_recomputation) {
  const DenseSystem dense = random_symmetric(40, 35, 30, 7);
  const auto system = reduced(dense);
  BOOST_TEST(relative_difference(dense_state_matrix(system), dense_state_matrix_of(dense)) <= 1e-10);
  BOOST_TEST(relative_difference(dense_inverse_rows(system, DoFKind::inertial),
                                 dense_inverse(dense).topRows(40)) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(constrained_dofs_have_zero_columns_in_the_input_matrix) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(engine_mount().M);
  description.damping = matrix_of<EigenEngine>(engine_mount().C);
  description.stiffness = matrix_of<EigenEngine>(engine_mount().K);
  description.constrained = {1};
  const auto mount = reduce(AssembledSystem<EigenEngine>(description));
  MultiVector B(3, 3);
  B << 0, 0, 0, 0, 0, 1. / 300, 1. / 20, 0, 0;
  BOOST_TEST((dense_input_matrix(mount) - B).cwiseAbs().maxCoeff() <= 1e-16);
}

BOOST_AUTO_TEST_CASE(a_dense_form_above_the_limit_is_refused_and_the_limit_can_be_raised) {
  const auto mount = reduced(engine_mount());
  DenseFormOptions tight;
  tight.max_bytes = 4 * 4 * 8 - 1;
  BOOST_CHECK_EXCEPTION(dense_state_matrix(mount, tight), NotAvailable, [](const NotAvailable& e) {
    return std::string(e.what()).find("4 x 4") != std::string::npos;
  });
  tight.max_bytes += 1;
  BOOST_TEST(dense_state_matrix(mount, tight).rows() == 4);
}

BOOST_AUTO_TEST_CASE(constrained_dofs_have_no_rows_in_the_inverse) {
  BOOST_CHECK_THROW(dense_inverse_rows(reduced(engine_mount()), DoFKind::constrained), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
