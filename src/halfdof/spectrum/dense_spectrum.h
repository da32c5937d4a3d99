#pragma once

#include <halfdof/base/types.h>

#include <vector>

/**
 * @file
 * Eigenvalues of small dense problems by LAPACK. The work grows like the cube of the order: a pencil of 1000
 * takes seconds, one of 4000 some minutes.
 */
namespace halfdof {

/// Largest order that the dense functions accept: about the companion pencil of 2000 DoFs.
constexpr Index dense_spectrum_limit = 4200;

/// All eigenvalues of a real square matrix (balanced, Hessenberg, QR). Conjugate pairs are exact and
/// adjacent.
/// @throws InvalidInput if A is not square or not finite; NotAvailable above dense_spectrum_limit.
std::vector<Complex> eigenvalues(ConstView<double> A);

/// Eigenvalues and right eigenvectors, one column each and of Euclidean norm one.
struct DenseEigenpairs {
  std::vector<Complex> values;
  ComplexMultiVector vectors;
};

/// The same with vectors, of a real or a complex matrix. Throws as eigenvalues().
DenseEigenpairs eigenpairs(ConstView<double> A);
DenseEigenpairs eigenpairs(ConstView<Complex> A);

/// @f$\lambda = \alpha / \beta@f$; infinite where beta is null, undetermined where both are.
struct HomogeneousEigenvalue {
  Complex alpha;
  double beta;
};

/// All eigenvalues of the pencil @f$ A x = \lambda E x @f$ by QZ.
/// @throws InvalidInput if shapes differ or an entry is not finite; NotAvailable above dense_spectrum_limit.
std::vector<HomogeneousEigenvalue> eigenvalues(ConstView<double> A, ConstView<double> E);

/// The eigenvalues of a quadratic matrix polynomial, infinite ones counted apart.
struct QuadraticSpectrum {
  std::vector<Complex> finite;
  GlobalIndex n_infinite = 0;      ///< beta null, alpha not
  GlobalIndex n_undetermined = 0;  ///< both null: the polynomial is singular to working precision
};

/**
 * All 2 n eigenvalues of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ from QZ of the companion pencil in
 * (q, q'),
 * @f[ \begin{bmatrix} 0 & I \\ -K & -C \end{bmatrix} x = \lambda \begin{bmatrix} I & \\ & M \end{bmatrix} x.
 * @f]
 * Rows and columns are first balanced by powers of two, and @f$\lambda@f$ is measured in
 * @f$\gamma = \sqrt{\|K\| / \|M\|}@f$ (Fan, Lin, Van Dooren, SIAM J. Matrix Anal. Appl. 26, 2004); both leave
 * null columns null, which is what lets QZ find infinite eigenvalues exactly.
 *
 * An eigenvalue counts as infinite where @f$|\beta| \le 2 n \epsilon \|E\|_F@f$ of the scaled pencil.
 *
 * Shapes: n x n each, 2 n at most dense_spectrum_limit. Throws as eigenvalues().
 */
QuadraticSpectrum quadratic_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/// Ascending by modulus, conjugate pairs together, the one with positive imaginary part first.
void sort_by_modulus(std::vector<Complex>& eigenvalues);

}  // namespace halfdof
