#pragma once

#include <halfdof/assembled/free_system.h>

#include <string>

namespace halfdof {

/// Whether the index of the companion form is certainly at most two.
struct IndexCertificate {
  bool holds;
  std::string text;  ///< by what it was certified, or what kept it from that
};

/**
 * Proposition 3.5 (ii) of Dumont et al. (2001): with @f$ P(\lambda) = \lambda^2 M + \lambda C + K @f$
 * regular, the companion form has index at most two if
 *
 * (a) P(lambda) and (b) C have Property (K), @f$ x^T A x = 0 \Rightarrow A x = 0 @f$,
 * (c) @f$ \ker C = \ker C^T @f$, (d) @f$ \ker M = \ker M^T @f$.
 *
 * No rank is taken. A has Property (K) if and only if its symmetric part S is semidefinite and
 * @f$ \ker S \subset \ker A @f$: of a regular P, if and only if S is definite, a Cholesky factorization of S
 * or -S; of C by a Cholesky factorization of S and a perturbation of 1e-12 of its diagonal, and one solve,
 * which tells whether a random vector of the range of @f$ C^T @f$ lies in that of S. Then
 * @f$ \ker C = \ker S = \ker C^T @f$, which is (c). (d) holds for a symmetric M, for one with Property (K),
 * and where the null rows of M are its null columns and the rest of it is regular.
 *
 * @param rate A typical rate [1/s]: lambda and -lambda near it are tried. Unsymmetric matrices are looked at
 * on one process only. Costs a few factorizations. Collective.
 */
template <class Engine>
IndexCertificate certify_index_two(const FreeSystem<Engine>& system, double rate);

}  // namespace halfdof
