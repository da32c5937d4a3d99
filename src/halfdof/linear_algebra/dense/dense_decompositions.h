// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

/**
 * @file
 * Decompositions of dense matrices by LAPACK. The work grows like the cube of the order of the matrix.
 * All entries have to be finite.
 */
namespace halfdof::internal {

/// @f$ X = U\,\mathrm{diag}(\sigma)\,V^T @f$ with square orthogonal U and V.
struct SingularValueDecomposition {
  Vector values;  ///< descending
  MultiVector U;
  MultiVector V;
};

/// Computes the singular value decomposition by divide and conquer (dgesdd). @throws NoConvergence
SingularValueDecomposition singular_value_decomposition(ConstView<double> X);

/// Computes only the singular values of X, descending. @throws NoConvergence
Vector singular_values(ConstView<double> X);

/// Estimates the reciprocal condition number 1 / (|X| |X^{-1}|) of a square matrix in the 1-norm (dgetrf,
/// dgecon). The estimate is an upper bound, which is nearly always within a factor of three. The result is 0
/// if a pivot is zero.
double reciprocal_condition(MultiVector X);

/// @f$ A = D B D^{-1} @f$ with a diagonal D of powers of two.
struct BalancedMatrix {
  MultiVector B;
  Vector D;
};

/// Balances A by a diagonal change of basis D, so that row i and column i of B have about equal norms
/// (Parlett and Reinsch 1969; dgebal).
BalancedMatrix balanced(ConstView<double> A);

/// @f$ A = V\,\mathrm{diag}(\lambda)\,V^T @f$ with orthogonal V.
struct SymmetricEigenpairs {
  Vector values;  ///< ascending
  MultiVector vectors;
};

/// Computes the eigenpairs of a symmetric matrix, of which only the lower triangle is read (dsyev).
/// @throws NoConvergence
SymmetricEigenpairs symmetric_eigenpairs(ConstView<double> A);

/// Computes only the eigenvalues of a symmetric matrix, ascending. @throws NoConvergence
Vector symmetric_eigenvalues(ConstView<double> A);

/// The Schur form @f$ A = U T U^* @f$ with unitary U and upper triangular T.
struct ComplexSchur {
  ComplexMultiVector U, T;
};

/// Computes the complex Schur form of a real matrix (zgees). @throws NoConvergence
ComplexSchur complex_schur(ConstView<double> A);

/**
 * The generalized real Schur form @f$ A = Q S Z^T,\ E = Q T Z^T @f$ of a pencil, where Q and Z are
 * orthogonal, S is quasi-upper triangular and T is upper triangular.
 */
struct GeneralizedSchur {
  MultiVector S, T, Q, Z;
  std::vector<Complex> alpha;  ///< the eigenvalues are alpha / beta; conjugate pairs are adjacent
  Vector beta;
};

/// Computes the generalized Schur form by the QZ algorithm (dgges). Shapes: n x n each. @throws NoConvergence
GeneralizedSchur generalized_schur(ConstView<double> A, ConstView<double> E);

/// The solution R, L of the generalized Sylvester equation in decouple_pencils().
struct SylvesterSolution {
  MultiVector R, L;
};

/**
 * Solves the generalized Sylvester equation @f$ A R + L B = -C,\quad D R + L E = -F @f$ for pencils (A, D),
 * m x m, and (B, E), n x n, that are in generalized Schur form and have no eigenvalue in common (dtgsyl). The
 * solution R, L makes the coupled pencil block diagonal:
 * @f[ \begin{bmatrix} I & L \\ & I \end{bmatrix} \begin{bmatrix} A & C \\ & B \end{bmatrix}
 *     \begin{bmatrix} I & R \\ & I \end{bmatrix} = \begin{bmatrix} A & \\ & B \end{bmatrix}, @f]
 * and likewise with D, F, E in place of A, C, B. Shapes: C, F, R, L are m x n.
 * @throws SingularMatrix if the two pencils share an eigenvalue to working precision
 */
SylvesterSolution decouple_pencils(ConstView<double> A, ConstView<double> B, ConstView<double> C,
                                   ConstView<double> D, ConstView<double> E, ConstView<double> F);

}  // namespace halfdof::internal
