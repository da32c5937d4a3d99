// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>

#include <string>

namespace halfdof::internal {

/// The result of certify_index_two(): whether the index of the companion form is certified to be at most two.
struct IndexCertificate {
  bool holds;
  std::string text;  ///< the argument by which the index was certified, or why the argument fails
};

/**
 * Certifies the index by Proposition 3.5 (ii) of Dumont et al. (2001): with
 * @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$ regular, the companion form has index at most two if
 *
 * (a) P(lambda) and (b) C have Property (K), @f$ x^T A x = 0 \Rightarrow A x = 0 @f$,
 * (c) @f$ \ker C = \ker C^T @f$, (d) @f$ \ker M = \ker M^T @f$.
 *
 * No rank is computed. A has Property (K) if and only if its symmetric part S is semidefinite and
 * @f$ \ker S \subset \ker A @f$. For a regular P, Property (K) means that S is definite, which a Cholesky
 * factorization of S or -S shows. Property (K) of C is shown by a Cholesky factorization of S with its
 * diagonal increased by 1e-12, and by one solve, which checks whether a random vector in the range of
 * @f$ C^T @f$ lies in the range of S. Then @f$ \ker C = \ker S = \ker C^T @f$, so that (c) holds, too. (d)
 * holds for a symmetric M, for an M with Property (K), and if the DoFs with null rows in M are those with
 * null columns and the remaining part of M is regular.
 *
 * @param rate A typical rate [1/s]: the values lambda = rate and lambda = -rate are tried. Unsymmetric
 * matrices are checked on one process only. The certificate costs a few factorizations. Collective.
 */
template <class Engine>
IndexCertificate certify_index_two(const FreeSystem<Engine>& system, double rate);

}  // namespace halfdof::internal
