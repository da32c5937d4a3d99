// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/memory_equation.h>

#include <vector>

namespace halfdof::internal {

/// One term R tau^p/p! e^{lambda tau} of a memory kernel, with the residue matrix R. Shape: R n_resolved() x
/// m
struct KernelTerm {
  Complex eigenvalue;  ///< eigenvalue lambda [1/s]
  int power;           ///< p; nonzero only for defective eigenvalues
  /// R = N x_k eta_k, with the output matrix N of the kernel, a right eigenvector x_k, and the product eta_k
  /// of the left eigenvector with B.
  ComplexMultiVector residue;
};

/**
 * Returns the kernel of an equation with memory as a sum of exponentials,
 * @f[ L^0(\tau) = \sum_k R_k\,\frac{\tau^{p_k}}{p_k!}\,e^{\lambda_k \tau}, \qquad p_k = 0, \qquad
 *     L^1(\tau) = L^1(0^+) + \sum_k R_k\,\frac{e^{\lambda_k \tau} - 1}{\lambda_k}, \qquad (1) @f]
 * with one term for each eigenvalue that is not resolved; conjugate pairs are adjacent. Real eigenvalues of
 * one block that agree to a relative 1e-6 and are defective (critical damping) are replaced by their mean,
 * with one term for each of the powers p = 0, 1, .... Other blocks with nearly equal eigenvalues have terms
 * that nearly cancel.
 */
std::vector<KernelTerm> kernel_terms(const MemoryEquation& equation);

}  // namespace halfdof::internal
