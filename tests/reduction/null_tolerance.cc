// SPDX-License-Identifier: LGPL-2.1-or-later
// What a null tolerance drops takes part in nothing that is reduced, and stays in the system "before".
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/unreduced_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

ReductionOptions tolerance(double null_tolerance) {
  ReductionOptions options;
  options.classification.null_tolerance = null_tolerance;
  return options;
}

/// A mass, a damped DoF with little mass, and a spring with little damping; unsymmetric couplings.
DenseSystem nearly_three_kinds() {
  DenseSystem system = three_kinds();
  system.M.col(1) << 1e-4, 2e-4, -1e-4;
  system.C.col(2) << 3e-4, -1e-4, 1e-4;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(null_tolerance)

BOOST_AUTO_TEST_CASE(the_reduced_system_is_the_one_without_the_dropped_columns) {
  const auto dropped = reduce(assemble<EigenEngine>(nearly_three_kinds()), tolerance(1e-2));
  BOOST_TEST(dropped.classification().n_dropped_columns() == 2);
  BOOST_TEST(dropped.n_states() == 3);
  const MultiVector expected = dense_state_matrix_of(three_kinds());
  BOOST_TEST((dense_state_matrix(dropped) - expected).norm() < 1e-14 * expected.norm());
  BOOST_TEST((EigenEngine::to_dense(dropped.free().M()) - three_kinds().M).norm() == 0);
  BOOST_TEST((EigenEngine::to_dense(dropped.free().C()) - three_kinds().C).norm() == 0);
}

BOOST_AUTO_TEST_CASE(shifted_systems_leave_them_out_and_the_pencil_before_does_not) {
  const DenseSystem system = nearly_three_kinds();
  const auto dropped = reduce(assemble<EigenEngine>(system), tolerance(1e-2));
  const Vector b = Vector::LinSpaced(3, 1, 2);
  const Vector y = dropped.shifted(0.7).solve(b);
  const MultiVector A = dense_state_matrix_of(three_kinds());
  BOOST_TEST(((0.7 * MultiVector::Identity(3, 3) - A) * y - b).norm() < 1e-13);

  BOOST_TEST((EigenEngine::to_dense(dropped.unreduced().undropped().M()) - system.M).norm() == 0);
  BOOST_TEST((EigenEngine::to_dense(dropped.unreduced().undropped().C()) - system.C).norm() == 0);
  const Complex s(0.2, 0.7);
  const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
  const ComplexVector x =
      dropped.unreduced().factorize_pencil(s * s, s, Complex(1))->solve(b.cast<Complex>());
  BOOST_TEST((P * x - b).norm() < 1e-13);
  const MultiVector real_P = 0.49 * system.M + 0.7 * system.C + system.K;
  const Vector real_x = dropped.unreduced().factorize_pencil(0.49, 0.7, 1)->solve(b);
  BOOST_TEST((real_P * real_x - b).norm() < 1e-13);
}

BOOST_AUTO_TEST_CASE(a_symmetric_system_stays_symmetric_and_block_triangular) {
  // Four masses on a line, consistent: the last one of 1e-14 is dropped with its row.
  DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector(4, 4)};
  system.M << 4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4, 1e-14, 0, 0, 1e-14, 2e-14;
  system.C(3, 3) = 3e-14, system.C(2, 3) = system.C(3, 2) = -1e-14, system.C(2, 2) = 1;
  system.K << 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2;
  const auto dropped = reduce(assemble<EigenEngine>(system), tolerance(1e-12));
  BOOST_TEST(dropped.classification().n_dropped_columns() == 2);
  BOOST_TEST(dropped.classification().n_algebraic() == 1);
  BOOST_TEST(dropped.free().is_symmetric());
  BOOST_TEST(dropped.elimination().is_block_triangular());
  DenseSystem without = system;
  for (MultiVector* A : {&without.M, &without.C}) {
    A->row(3).setZero();
    A->col(3).setZero();
  }
  BOOST_TEST((EigenEngine::to_dense(dropped.free().M()) - without.M).norm() == 0);
  BOOST_TEST((EigenEngine::to_dense(dropped.free().C()) - without.C).norm() == 0);
  std::ostringstream symmetric, unsymmetric;
  dropped.print_summary(symmetric);
  reduce(assemble<EigenEngine>(nearly_three_kinds()), tolerance(1e-2)).print_summary(unsymmetric);
  const std::string note = "the rows of dropped columns keep their entries";
  BOOST_TEST(symmetric.str().find(note) == std::string::npos);
  BOOST_TEST(unsymmetric.str().find(note) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
