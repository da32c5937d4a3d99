#pragma once

#include <halfdof/spectrum/eigenmodes.h>

namespace halfdof {

/**
 * Improves eigenpairs whose residual `reduced` rounding alone does not explain, or whose error `backward` is
 * large, by two steps of inverse iteration close to their own eigenvalue. A vector of a fast mode comes out
 * of a basis that slow modes dominate, and inherits rounding errors of their size; A multiplies these by the
 * stiffness of rough modes. The entries of DoFs that hardly move may drown in the errors of the others. One
 * factorization for each such pair.
 *
 * The shift lies 1e-5 |lambda| beside the eigenvalue, off the real axis for a real one: real neighbours are
 * then at least as far. A pair is replaced only if its residuals become smaller, and left as it is where
 * the shift is an eigenvalue itself.
 *
 * @param values As found: not rounded to zero. @param modes Of them. Collective.
 */
template <class Engine>
Eigenmodes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                    std::vector<Complex> values, Eigenmodes modes);

}  // namespace halfdof
