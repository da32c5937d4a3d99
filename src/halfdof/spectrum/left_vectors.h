#pragma once

#include <halfdof/spectrum/nearest_eigenvalues.h>

namespace halfdof {

/**
 * How far eigenvalues of unsymmetric matrices go where their entries are rounded [1/s], as uncertainties()
 * says it of symmetric ones, with left vectors p, @f$ p^T P(\lambda) = 0 @f$, from a search with the
 * transposed matrices about the shift that was used:
 * @f[ r\, |p^T P'(\lambda)\, x| + r^2\, |p^T M x| = u \sum_i |p_i|\, w_i(\lambda, x) @f]
 * with w of TermScales, which bounds @f$ T\,|x| @f$. Of eigenvalues that are equal up to rounding, those
 * combinations of left vectors count that belong to one right vector each. NaN where left and right vectors
 * do not find each other. One entry for each eigenvalue; of all of them NaN where the factorization does not
 * solve with the transposed matrix. @param scales Of reduced.free(). Collective.
 */
template <class Engine>
std::vector<double> uncertainties_by_left_vectors(const ReducedSystem<Engine>& reduced,
                                                  const TermScales<Engine>& scales,
                                                  const NearestEigenvalues& nearest);

}  // namespace halfdof
