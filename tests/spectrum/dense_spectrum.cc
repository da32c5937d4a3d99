// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/dense_spectrum.h>

#include <boost/test/unit_test.hpp>

#include "spectrum/spectra.h"
#include "systems.h"
#include <cmath>
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

QuadraticSpectrum spectrum_of(const DenseSystem& system) {
  return quadratic_spectrum(system.M, system.C, system.K);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dense_spectrum)

BOOST_AUTO_TEST_CASE(a_rotation_has_a_conjugate_pair_and_its_vectors) {
  MultiVector A(3, 3);
  A << 0, 2, 0, -2, 0, 0, 0, 0, -1;
  const DenseEigenpairs pairs = eigenpairs(A);
  for (Index j = 0; j < 3; ++j) {
    const Complex lambda = pairs.values[static_cast<std::size_t>(j)];
    BOOST_TEST((A * pairs.vectors.col(j) - lambda * pairs.vectors.col(j)).norm() < 1e-15);
    BOOST_TEST(std::abs(pairs.vectors.col(j).norm() - 1) < 1e-15);
  }
  BOOST_TEST(farthest(eigenvalues(A), {{0, 2}, {0, -2}, {-1, 0}}) < 1e-15);
}

BOOST_AUTO_TEST_CASE(complex_matrices_have_eigenpairs_too) {
  ComplexMultiVector A(2, 2);
  A << Complex(0, 1), 3, 0, Complex(2, -1);
  const DenseEigenpairs pairs = eigenpairs(A);
  for (Index j = 0; j < 2; ++j)
    BOOST_TEST(
        (A * pairs.vectors.col(j) - pairs.values[static_cast<std::size_t>(j)] * pairs.vectors.col(j)).norm() <
        1e-14);
}

BOOST_AUTO_TEST_CASE(a_pencil_tells_infinite_eigenvalues_by_beta) {
  const MultiVector A = MultiVector::Identity(2, 2);
  MultiVector E(2, 2);
  E << 4, 0, 0, 0;
  int n_infinite = 0;
  for (const HomogeneousEigenvalue& ratio : eigenvalues(A, E)) {
    if (ratio.beta == 0)
      ++n_infinite;
    else
      BOOST_TEST(std::abs(ratio.alpha / ratio.beta - 0.25) < 1e-15);
  }
  BOOST_TEST(n_infinite == 1);
}

// Simionatto et al., section 3; the reference values come from QZ in another code.
BOOST_AUTO_TEST_CASE(the_engine_mount_has_four_finite_and_two_infinite_eigenvalues) {
  const QuadraticSpectrum spectrum = spectrum_of(engine_mount());
  BOOST_TEST(spectrum.n_infinite == 2);
  BOOST_TEST(spectrum.n_undetermined == 0);
  BOOST_TEST(farthest(spectrum.finite, engine_mount_eigenvalues()) < 1e-11);
}

BOOST_AUTO_TEST_CASE(units_do_not_change_the_counts) {
  // Pascal against volt: rows and columns of the algebraic DoFs differ by twenty orders of magnitude.
  DenseSystem system = random_symmetric(6, 4, 5, 1);
  const QuadraticSpectrum before = spectrum_of(system);
  Vector units = Vector::Ones(15);
  for (Index i = 0; i < 15; i += 2)
    units[i] = 1e-10;
  for (MultiVector* matrix : {&system.M, &system.C, &system.K})
    *matrix = 1e11 * units.asDiagonal() * *matrix * units.asDiagonal();
  const QuadraticSpectrum after = spectrum_of(system);
  BOOST_TEST(before.n_infinite == 2 * 15 - (2 * 6 + 4));
  BOOST_TEST(after.n_infinite == before.n_infinite);
  // Balanced to powers of two: what remains is rounding of the products above.
  BOOST_TEST(farthest(after.finite, before.finite) < 1e-8);
}

BOOST_AUTO_TEST_CASE(a_singular_polynomial_is_undetermined) {
  DenseSystem system = engine_mount();
  system.M.row(2).setZero();
  system.C.row(2).setZero();
  system.K.row(2).setZero();
  BOOST_TEST(spectrum_of(system).n_undetermined > 0);
}

BOOST_AUTO_TEST_CASE(nothing_has_no_eigenvalues) {
  BOOST_TEST(eigenvalues(MultiVector(0, 0)).empty());
  BOOST_TEST(spectrum_of({MultiVector(0, 0), MultiVector(0, 0), MultiVector(0, 0)}).finite.empty());
}

BOOST_AUTO_TEST_CASE(wrong_shapes_large_orders_and_nan_are_refused) {
  BOOST_CHECK_THROW(eigenvalues(MultiVector::Ones(2, 3)), InvalidInput);
  BOOST_CHECK_THROW(eigenvalues(MultiVector::Ones(2, 2), MultiVector::Ones(3, 3)), InvalidInput);
  MultiVector A = MultiVector::Ones(2, 2);
  A(1, 0) = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_EXCEPTION(eigenvalues(A), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("row 1, column 0") != std::string::npos;
  });
  const Index n = dense_spectrum_limit + 1;
  BOOST_CHECK_THROW(eigenvalues(MultiVector::Zero(n, n)), NotAvailable);
}

BOOST_AUTO_TEST_CASE(sorting_keeps_pairs_together) {
  std::vector<Complex> values{{-5, 0}, {-1, -2}, {-3, 4}, {0, 0}, {-1, 2}, {-3, -4}};
  sort_by_modulus(values);
  const std::vector<Complex> expected{{0, 0}, {-1, 2}, {-1, -2}, {-5, 0}, {-3, 4}, {-3, -4}};
  BOOST_TEST((values == expected));
}

BOOST_AUTO_TEST_SUITE_END()
