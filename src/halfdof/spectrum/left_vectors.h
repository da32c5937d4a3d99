#pragma once

#include <halfdof/spectrum/nearest_eigenvalues.h>

namespace halfdof {

/**
 * Left eigenvectors z of the state matrix, @f$ z^T A = \lambda z^T @f$, of the eigenvalues listed, in any
 * order:
 * @f$ z = (\lambda M^T x + C^T x;\ C^T x;\ M^T x) @f$ where M, C and K are symmetric, otherwise those of a
 * search with the transposed matrices about the shift that was used. Shape: n_local_states() x k. Collective.
 * @throws NotAvailable if the factorization does not solve with the transposed matrix; NoConvergence.
 */
template <class Engine>
ComplexMultiVector left_eigenvectors(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest);

/// Left vectors p of the pencil, @f$ p^T P(\lambda_j) = 0 @f$, one beside each right vector.
struct LeftVectors {
  ComplexMultiVector p;     ///< local free DoFs x k
  std::vector<bool> known;  ///< whether the left vectors that were found hold the one of this eigenvalue
};

/**
 * The left vectors that belong to the states Y one by one: with columns Z that span the left invariant
 * subspace, those combinations c_j of them for which @f$ c_j^T y_i = \delta_{ij} @f$. Of copies of an
 * eigenvalue each gets its own. Of a Jordan block, which rounding splits, c_j is large, as is the condition.
 * With c, p solves
 * @f[ P(\sigma)^T p = J_I (c_1 + \sigma c_3) + J_C c_2 @f]
 * at any regular shift. Shapes: Z and Y n_local_states() x k. Collective. @throws as left_eigenvectors()
 */
template <class Engine>
LeftVectors dual_left_vectors(const ReducedSystem<Engine>& reduced, double sigma, const ComplexMultiVector& Z,
                              const ComplexMultiVector& Y);

/// The same of left eigenvectors of A that stand beside their right ones already: known where they are
/// finite.
template <class Engine>
LeftVectors left_vectors_of(const ReducedSystem<Engine>& reduced, double sigma, const ComplexMultiVector& c);

/// Eigenvalues as left vectors tell them: zeros as such, and how far rounding moves each.
struct JudgedEigenvalues {
  std::vector<Complex> values;        ///< [1/s]
  std::vector<double> uncertainties;  ///< uncertainties(), NaN where they are not known [1/s]
};

/// @param values As they were found, not rounded. Shapes: states n_local_states() x k. Collective.
template <class Engine>
JudgedEigenvalues judged_by_left_vectors(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales, const LeftVectors& left,
                                         const std::vector<Complex>& values,
                                         const ComplexMultiVector& states);

}  // namespace halfdof
