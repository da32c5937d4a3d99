// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/term_scales.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

namespace halfdof::internal {

/**
 * Returns left eigenvectors z of the state matrix, @f$ z^T A = \lambda z^T @f$, of the listed eigenvalues, in
 * any order. If M, C and K are symmetric, they are @f$ z = (\lambda M^T x + C^T x;\ C^T x;\ M^T x) @f$;
 * otherwise they are computed by a search with the transposed matrices about the shift that was used or, if
 * that is an eigenvalue, about one beside it. Shape: n_local_states() x k. Collective.
 * @throws NotAvailable if the factorization does not solve with the transposed matrix; NoConvergence.
 */
template <class Engine>
ComplexMultiVector left_eigenvectors(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest);

/// Left vectors p of the pencil, @f$ p^T P(\lambda_j) = 0 @f$, one for each right vector.
struct LeftVectors {
  ComplexMultiVector p;     ///< left vectors. Shape: local free DoFs x k
  std::vector<bool> known;  ///< whether the left vector of this eigenvalue was found
};

/**
 * Returns the left vectors that belong to the states Y one by one. Z is a basis of the left invariant
 * subspace, and c_j are the linear combinations of its columns with @f$ c_j^T y_i = \delta_{ij} @f$. Thus
 * each copy of a multiple eigenvalue gets its own left vector. For a Jordan block, which rounding splits, c_j
 * is large, as is its condition number. With c, p solves
 * @f[ P(\sigma)^T p = J_I (c_1 + \sigma c_3) + J_C c_2 @f]
 * at any regular shift. Shapes: Z and Y n_local_states() x k. Collective. @throws as left_eigenvectors()
 */
template <class Engine>
LeftVectors biorthogonal_left_vectors(const ReducedSystem<Engine>& reduced, double sigma,
                                      const ComplexMultiVector& Z, const ComplexMultiVector& Y);

/// Returns the left vectors for left eigenvectors c of A that are already in the order of their right ones;
/// they are known if they are finite.
template <class Engine>
LeftVectors left_vectors_of(const ReducedSystem<Engine>& reduced, double sigma, const ComplexMultiVector& c);

/// Returns the left vectors that belong to the eigenvectors of a list one by one:
/// biorthogonal_left_vectors() of left_eigenvectors(). Collective. @throws as left_eigenvectors()
template <class Engine>
LeftVectors left_vectors(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest);

/// Eigenvalues with zeros and uncertainties that left vectors determine.
struct JudgedEigenvalues {
  std::vector<Complex> values;        ///< eigenvalues, zeros set to zero [1/s]
  std::vector<double> uncertainties;  ///< uncertainties() of the eigenvalues, NaN if not known [1/s]
};

/// Sets zeros to zero and computes uncertainties, by left vectors. @param values Eigenvalues as computed,
/// zeros not set to zero. Shapes: states n_local_states() x k. Collective.
template <class Engine>
JudgedEigenvalues judged_by_left_vectors(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales, const LeftVectors& left,
                                         const std::vector<Complex>& values,
                                         const ComplexMultiVector& states);

}  // namespace halfdof::internal
