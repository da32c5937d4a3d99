// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/memory_equation.h>

namespace halfdof::internal {

/// Properties of the eigenvalues of modes that the theory of the equation with memory assumes.
struct MemoryHypotheses {
  /// Largest real part of all eigenvalues; bounded motion requires that it is not positive [1/s].
  double largest_real_part = 0;
  Complex fastest_growing = 0;  ///< an eigenvalue with the largest real part [1/s]
  /// The smallest damping ratio, min_k of -Re lambda_k/|lambda_k| over all eigenvalues that are not zero; 1
  /// if there is no such eigenvalue. If the ratio is positive, all eigenvalues lie in a sector of the left
  /// half-plane, and the kernel L^1 is smooth for tau > 0 (Szalai 2014, Eqs. (3.34), (3.36)).
  double smallest_damping_ratio = 1;
};

/// Computes the properties of the eigenvalues of the modes.
MemoryHypotheses memory_hypotheses(const ContactModes& modes);

/// Returns the relative residual |J W - W A|/|J W| of the resolved modes, which is zero if the range of W is
/// an invariant subspace of J.
double invariance_residual(const MemoryEquation& equation);

/// Checks that no mode grows. @throws InvalidInput if an eigenvalue has a positive real part that exceeds
/// rounding errors; the message contains the eigenvalue
void require_bounded(const ContactModes& modes);

/**
 * Returns a bound of the error of the rate y' of the contact motion if the memory kernel is cut off after the
 * time T, per unit of max |r'|:
 * @f[ \int_T^\infty |L^0(\tau)|\,d\tau \le \sum_k \frac{|R_k|\,|e^{\lambda_k T}|}{-\Re\lambda_k}, @f]
 * with the residues R_k of kernel_terms(), and the corresponding integrals of terms with powers of tau. The
 * bound is infinite if a mode that is not resolved has no damping. Shape: n_resolved() x m
 */
MultiVector omitted_memory(const MemoryEquation& equation, double memory);

/// Returns the shortest length T of the memory for which omitted_memory() is at most `tolerance` times its
/// value for T = 0, to three digits; infinite if no length is sufficient.
double memory_length(const MemoryEquation& equation, double tolerance);

}  // namespace halfdof::internal
