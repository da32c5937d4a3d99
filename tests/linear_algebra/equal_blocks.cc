// SPDX-License-Identifier: LGPL-2.1-or-later
// Matrices of several equal blocks, as the mass of a vector field.

#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/solves.h"
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(equal_blocks)

BOOST_AUTO_TEST_CASE(equal_blocks_are_factorized_once) {
  const auto interleaved = [](const std::vector<MultiVector>& blocks) {
    const auto n = blocks.front().rows(), d = static_cast<Eigen::Index>(blocks.size());
    MultiVector A = MultiVector::Zero(n * d, n * d);
    for (Eigen::Index c = 0; c < d; ++c)
      A(Eigen::seqN(c, n, d), Eigen::seqN(c, n, d)) = blocks[static_cast<std::size_t>(c)];
    return A;
  };
  MultiVector definite = random_definite(60, 3) + 2 * MultiVector::Identity(60, 60);
  definite.diagonal(1).array() += 0.5;  // hangs together
  definite.diagonal(-1).array() += 0.5;
  const MultiVector general = random_sparse(60, 4., 5);
  for (const MultiVector& block : {definite, general}) {
    const MultiVector A = interleaved({block, block, block});
    const auto whole = EigenEngine::factorize(sparse(A)), one = EigenEngine::factorize(sparse(block));
    check_solves(A, *whole);
    BOOST_TEST(whole->report().reason.find("3 equal blocks, ") == 0U);
    BOOST_TEST(whole->report().n_factor_entries == one->report().n_factor_entries);
    BOOST_TEST(whole->report().n_rows == 180);
    BOOST_TEST(whole->report().is_positive_definite == one->report().is_positive_definite);
  }
  // One that differs in a single bit, and one of another pattern.
  MultiVector nearly = definite;
  nearly(7, 7) = std::nextafter(nearly(7, 7), 10.);
  MultiVector other = definite;
  other(0, 59) = other(59, 0) = 0.01;
  for (const MultiVector& last : {nearly, other}) {
    const MultiVector A = interleaved({definite, definite, last});
    const auto whole = EigenEngine::factorize(sparse(A));
    check_solves(A, *whole);
    BOOST_TEST(whole->report().reason.find("equal") == std::string::npos);
  }
  // Other values of the same pattern, by a pencil; and a singular block, told in the numbers of the whole.
  const MultiVector none = MultiVector::Zero(180, 180);
  const EigenPencil pencil(sparse(interleaved({definite, definite, nearly})), sparse(none),
                           sparse(interleaved({definite, definite, definite})));
  check_solves(interleaved({definite, definite, definite}), *pencil.factorize(0., 0., 1.));
  check_solves(interleaved({definite, definite, nearly}), *pencil.factorize(1., 0., 0.));
  // Complex values.
  const auto shifted = pencil.factorize(Complex(0, 2.), 0., Complex(1.));
  const ComplexMultiVector whole =
      Complex(0, 2.) * interleaved({definite, definite, nearly}).cast<Complex>() +
      interleaved({definite, definite, definite}).cast<Complex>();
  const EigenPencil equal(sparse(interleaved({definite, definite})), sparse(MultiVector::Zero(120, 120)),
                          sparse(interleaved({general, general})));
  const ComplexMultiVector of_equal = Complex(0, 2.) * interleaved({definite, definite}).cast<Complex>() +
                                      interleaved({general, general}).cast<Complex>();
  const auto equal_blocks = equal.factorize(Complex(0, 2.), 0., Complex(1.));
  BOOST_TEST(equal_blocks->report().reason.find("2 equal blocks, ") == 0U);
  for (const auto& [A, factorization] : {std::pair(whole, shifted), std::pair(of_equal, equal_blocks)}) {
    const ComplexMultiVector b = random_vectors(static_cast<Index>(A.rows()), 3, 9).cast<Complex>();
    BOOST_TEST(backward_error(A, factorization->solve(b), b) < 1e-11);
    BOOST_TEST(backward_error(ComplexMultiVector(A.transpose()), factorization->solve_transposed(b), b) <
               1e-11);
  }
  MultiVector singular = definite;
  singular.row(4).setZero();
  singular.col(4).setZero();
  BOOST_CHECK_THROW(EigenEngine::factorize(with_all_stored(interleaved({singular, singular}))),
                    SingularMatrix);
}

BOOST_AUTO_TEST_SUITE_END()
