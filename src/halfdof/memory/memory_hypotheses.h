#pragma once

#include <halfdof/memory/memory_equation.h>

namespace halfdof {

/// What an equation with memory takes for granted of the modes.
struct MemoryHypotheses {
  double largest_real_part = 0;  ///< of all eigenvalues: bounded motion needs that none is positive [1/s]
  Complex fastest_growing = 0;   ///< the eigenvalue that has it [1/s]
  /// min_k of -Re lambda_k/|lambda_k|: where it is positive all eigenvalues lie in a sector, and L^1 is
  /// smooth for tau > 0 (Szalai 2014, Eqs. (3.34), (3.36)). Zero eigenvalues are left out; 1 where there are
  /// no others.
  double smallest_damping_ratio = 1;
};

MemoryHypotheses memory_hypotheses(const ContactModes& modes);

/// |J W - W A|/|J W|: range W moves within itself.
double invariance_residual(const MemoryEquation& equation);

/// @throws InvalidInput naming an eigenvalue with a positive real part, beyond rounding
void require_bounded(const ContactModes& modes);

/**
 * What a memory that ends at a time T leaves out of y', for each unit of max |r'|:
 * @f[ \int_T^\infty |L^0(\tau)|\,d\tau \le \sum_k \frac{|R_k|\,|e^{\lambda_k T}|}{-\Re\lambda_k}, @f]
 * with the residues of kernel_terms(), and more of the same kind where these have powers of tau; infinite
 * where a mode that is not lifted has no damping. Shape: n_resolved() x m
 */
MultiVector memory_left_out(const MemoryEquation& equation, double memory);

/// The shortest memory T whose bound is at most this part of that for T = 0, to three digits; infinite where
/// none is.
double memory_length(const MemoryEquation& equation, double tolerance);

}  // namespace halfdof
