// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>

#include <vector>

/**
 * @file
 * All eigenvalues of small quadratic problems by LAPACK.
 */
namespace halfdof {

/// The finite eigenvalues of a quadratic matrix polynomial, and the number of its infinite ones.
struct QuadraticSpectrum {
  std::vector<Complex> finite;
  GlobalIndex n_infinite = 0;      ///< number with beta = 0 and alpha != 0
  GlobalIndex n_undetermined = 0;  ///< number with alpha = beta = 0: P is singular to working precision
};

/**
 * Computes all 2 n eigenvalues of @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ by QZ of the companion
 * pencil in (q, q'),
 * @f[ \begin{bmatrix} 0 & I \\ -K & -C \end{bmatrix} x = \lambda \begin{bmatrix} I & \\ & M \end{bmatrix} x.
 * @f]
 * Rows and columns are first balanced by powers of two, and @f$\lambda@f$ is scaled by
 * @f$\gamma = \sqrt{\|K\| / \|M\|}@f$ (Fan, Lin, Van Dooren, SIAM J. Matrix Anal. Appl. 26, 2004). Both keep
 * null columns null, so that QZ finds infinite eigenvalues exactly.
 *
 * An eigenvalue counts as infinite if @f$|\beta| \le 2 n \epsilon \|E\|_F@f$ of the scaled pencil.
 *
 * Shapes: n x n each, 2 n at most dense_spectrum_limit. Throws as eigenvalues().
 */
QuadraticSpectrum quadratic_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K);

/// Sorts eigenvalues by ascending modulus. The values of a conjugate pair become neighbours, the one with the
/// positive imaginary part first.
void sort_by_modulus(std::vector<Complex>& eigenvalues);

}  // namespace halfdof
