// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/eigenmodes.h>

namespace halfdof::internal {

/**
 * Improves eigenpairs whose residual `reduced` is not explained by rounding alone, or whose `backward` error
 * is large, by two steps of inverse iteration with a shift close to their own eigenvalue. The vector of a
 * fast mode is computed from a basis that slow modes dominate, and has rounding errors of their size; A
 * multiplies these by the stiffness of rough modes. Entries of DoFs that hardly move may be smaller than the
 * errors of the others. Each such pair takes one factorization.
 *
 * The shift has the distance 1e-5 |lambda| from the eigenvalue, and lies off the real axis for a real
 * eigenvalue, so that real neighbours are at least as far from it. A pair is replaced only if its residuals
 * become smaller, and is not changed if the shift is an eigenvalue itself.
 *
 * @param values Eigenvalues as computed, zeros not set to zero. @param modes Modes of these eigenvalues.
 * Collective.
 */
template <class Engine>
Eigenmodes polished(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                    std::vector<Complex> values, Eigenmodes modes);

}  // namespace halfdof::internal
