#pragma once

#include <halfdof/linear_algebra/dense_eigenvalues.h>

#include <vector>

/**
 * @file
 * All eigenvalues of small quadratic problems by LAPACK.
 */
namespace halfdof {

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
