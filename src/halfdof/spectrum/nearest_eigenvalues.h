#pragma once

#include <halfdof/spectrum/eigenmodes.h>

namespace halfdof {

/// @throws InvalidInput unless k is at least 1 and the shift finite, with its square
void check_nearest(Index k, Complex sigma);

/// How it is known that a list holds every eigenvalue that it should.
enum class Completeness {
  counted,   ///< by the degree of det P, or by what is said beside the list
  searched,  ///< as far as a second search beside them, from other start vectors, sees
  unknown    ///< the second search did not end, or zeros are less certain than other eigenvalues
};

/// Eigenvalues nearest to a shift, nearest first.
struct NearestEigenvalues : Eigenmodes {
  Complex requested_shift;  ///< [1/s]: "nearest" refers to it
  Complex shift;            ///< the one used: moved where the requested one is an eigenvalue
  Completeness completeness = Completeness::searched;
  /// Of the invariant subspace, where several eigenvalues share a vector, in the order of the states; empty
  /// where the states are a basis.
  ComplexMultiVector basis_with_chains = {};
  bool shift_moved() const { return shift != requested_shift; }
  const ComplexMultiVector& basis() const {
    return basis_with_chains.size() > 0 ? basis_with_chains : states;
  }
};

/**
 * The k eigenvalues of the reduced system nearest to the shift sigma, with multiplicity, and the conjugate
 * partner of each (behind the one that is nearer); all of them where there are fewer.
 *
 * Of small systems all eigenvalues are computed and counted (small_spectrum.h), and the nearest taken. Others
 * are found by Krylov-Schur iteration with @f$(\sigma I - A)^{-1}@f$ through the original sparsity: one
 * factorization of @f$\sigma^2 M + \sigma C + K@f$, no fill-in beyond its own (see nearest_eigenpairs.h for
 * how a repeated eigenvalue is found completely).
 *
 * Exact zero eigenvalues are normal (rigid bodies, viscous DoFs without stiffness), and then sigma = 0 is an
 * eigenvalue, also where rounding makes K regular. A shift that is one, or that lies 1e5 times nearer to one
 * than to the k-th, is moved along the positive real axis by 1e-5 of its modulus and farther if need be. One
 * about zero that is an eigenvalue, or where motions slower than 1e-4 of a typical rate are a thousand times
 * slower than the next motions or relaxations of those asked for, is moved by 0.3 of the rate of these.
 * As many more eigenvalues are then sought about the shift used as it takes to know the k nearest to sigma
 * itself. Eigenvalues that rounding does not tell from zero are returned as zero.
 *
 * @param k At least 1. @param sigma Finite, with its square. [1/s] Collective.
 * @throws InvalidInput if k or sigma is not; SingularMatrix if no shift nearby is regular; NoConvergence.
 */
template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma = 0);

/// The same from the assembled matrices alone, nothing eliminated: eigenvalues only.
struct NearestAssembledEigenvalues {
  std::vector<Complex> eigenvalues;
  Complex requested_shift;
  Complex shift;
  double resolution;  ///< [1/s] slower ones may be zeros of Jordan blocks, which a moved shift splits
  Completeness completeness = Completeness::searched;
};

/**
 * The k eigenvalues of the assembled companion pencil in (q, q') nearest to sigma, by the same iteration on
 * @f$(\sigma E - A)^{-1} E@f$. Infinite eigenvalues are zeros of that operator, and its start vector is free
 * of them. Parameters and errors as of nearest_eigenvalues(), but slow eigenvalues of few digits are not
 * refused.
 */
template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma = 0);

}  // namespace halfdof
