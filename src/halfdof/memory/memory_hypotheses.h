// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/memory_equation.h>

namespace halfdof::internal {

/// Properties of modes that an equation with memory assumes.
struct MemoryHypotheses {
  /// Largest real part of all eigenvalues; bounded motion requires that it is not positive [1/s].
  double largest_real_part = 0;
  Complex fastest_growing = 0;  ///< an eigenvalue with the largest real part [1/s]
  /// min_k of -Re lambda_k/|lambda_k|. Where it is positive, all eigenvalues lie in a sector, and L^1 is
  /// smooth for tau > 0 (Szalai 2014, Eqs. (3.34), (3.36)). Zero eigenvalues are omitted; it is 1 where there
  /// are no others.
  double smallest_damping_ratio = 1;
};

MemoryHypotheses memory_hypotheses(const ContactModes& modes);

/// Returns |J W - W A|/|J W|, which is zero if range W is an invariant subspace of J.
double invariance_residual(const MemoryEquation& equation);

/// Checks the eigenvalues. @throws InvalidInput naming an eigenvalue with a positive real part, beyond
/// rounding
void require_bounded(const ContactModes& modes);

/**
 * Returns a bound of the error in y' of a memory that ends at a time T, for each unit of max |r'|:
 * @f[ \int_T^\infty |L^0(\tau)|\,d\tau \le \sum_k \frac{|R_k|\,|e^{\lambda_k T}|}{-\Re\lambda_k}, @f]
 * with the residues of kernel_terms(), and the corresponding integrals of terms with powers of tau. It is
 * infinite where a mode that is not resolved has no damping. Shape: n_resolved() x m
 */
MultiVector omitted_memory(const MemoryEquation& equation, double memory);

/// Returns the shortest memory T whose omitted_memory() is at most `tolerance` times that for T = 0, to
/// three digits; infinite if there is none.
double memory_length(const MemoryEquation& equation, double tolerance);

}  // namespace halfdof::internal
