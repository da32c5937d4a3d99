// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

/**
 * @file
 * Eigenvalues of small dense problems by LAPACK. The work grows like the cube of the order: a pencil of order
 * 1000 takes seconds, a pencil of order 4000 takes some minutes.
 */
namespace halfdof {

/// Largest order that the dense functions accept: about the companion pencil of 2000 DoFs.
constexpr Index dense_spectrum_limit = 4200;

/// Checks that A is square, finite and not too large for dense eigenvalues.
/// @param name The name of A in messages
/// @throws InvalidInput if A is not square or not finite; NotAvailable above dense_spectrum_limit
void check_square_and_finite(ConstView<double> A, const std::string& name);

/// Computes all eigenvalues of a real square matrix (balancing, Hessenberg form, QR iteration). Conjugate
/// pairs are exactly conjugate and adjacent.
/// @throws InvalidInput if A is not square or not finite; NotAvailable above dense_spectrum_limit.
std::vector<Complex> eigenvalues(ConstView<double> A);

/// Eigenvalues and right eigenvectors, one column each and of Euclidean norm one.
struct DenseEigenpairs {
  std::vector<Complex> values;
  ComplexMultiVector vectors;
};

/// Computes all eigenvalues and eigenvectors of a real or a complex matrix. Throws like eigenvalues().
DenseEigenpairs eigenpairs(ConstView<double> A);
DenseEigenpairs eigenpairs(ConstView<Complex> A);

/// An eigenvalue @f$\lambda = \alpha / \beta@f$ of a pencil. The eigenvalue is infinite if only beta is zero,
/// and undetermined if alpha and beta are zero.
struct HomogeneousEigenvalue {
  Complex alpha;
  double beta;
};

/// Computes all eigenvalues of the pencil @f$ A x = \lambda E x @f$ by the QZ algorithm.
/// @throws InvalidInput if shapes differ or an entry is not finite; NotAvailable above dense_spectrum_limit.
std::vector<HomogeneousEigenvalue> eigenvalues(ConstView<double> A, ConstView<double> E);

}  // namespace halfdof
