#pragma once

#include <halfdof/memory/memory_equation.h>

#include <vector>

namespace halfdof {

/**
 * The kernel of an equation with memory as a sum of exponentials,
 * @f[ L^0(\tau) = \sum_k R_k\,e^{\lambda_k \tau}, \qquad
 *     L^1(\tau) = L^1(0^+) + \sum_k R_k\,\frac{e^{\lambda_k \tau} - 1}{\lambda_k}, \qquad (1) @f]
 * one term for each eigenvalue that is not lifted; conjugate pairs stand side by side. Blocks of several equal eigenvalues
 * have no such sum: their terms hold to the accuracy that the eigenvectors of the block have.
 *
 * Shapes: R_k n_resolved() x m.
 */
struct KernelTerms {
  std::vector<Complex> eigenvalues;  ///< [1/s]
  std::vector<ComplexMultiVector>
      residues;  ///< R_k = N x_k eta_k, of right eigenvectors and left ones times B
};

KernelTerms kernel_terms(const MemoryEquation& equation);

}  // namespace halfdof
