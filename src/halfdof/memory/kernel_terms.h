#pragma once

#include <halfdof/memory/memory_equation.h>

#include <vector>

namespace halfdof {

/// R tau^p/p! e^{lambda tau}. Shape: R n_resolved() x m
struct KernelTerm {
  Complex eigenvalue;          ///< lambda [1/s]
  int power;                   ///< p; 0 for all but repeated eigenvalues without eigenvectors of their own
  ComplexMultiVector residue;  ///< N x_k eta_k, of a right eigenvector and a left one times B
};

/**
 * The kernel of an equation with memory as a sum of exponentials,
 * @f[ L^0(\tau) = \sum_k R_k\,\frac{\tau^{p_k}}{p_k!}\,e^{\lambda_k \tau}, \qquad p_k = 0, \qquad
 *     L^1(\tau) = L^1(0^+) + \sum_k R_k\,\frac{e^{\lambda_k \tau} - 1}{\lambda_k}, \qquad (1) @f]
 * one term for each eigenvalue that is not lifted; conjugate pairs stand side by side. Eigenvalues of one
 * block that agree to a millionth and are real, without eigenvectors of their own (critical damping), have
 * one term for each of their number, of their mean and the powers p = 0, 1, .... Blocks of others that nearly
 * agree have terms that nearly cancel.
 */
std::vector<KernelTerm> kernel_terms(const MemoryEquation& equation);

}  // namespace halfdof
