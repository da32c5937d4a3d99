// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns the projector P onto the displacements of contacts that reactions change at once, without inertia.
 * The kernel of P contains the displacements that inertia resists. S r is the displacement at the end of a
 * step by constant reactions r, and W r is the part of S r that follows the reactions at once. With S = T T^T
 * and the singular value decomposition @f$ T^{-1} W T^{-T} = U \Sigma V^T @f$,
 * @f[ P = T\,U_1 U_1^T\,T^{-1}, @f]
 * where U_1 are the columns of U with singular values above 1/11, that is, displacements of which more than
 * this fraction follows the reactions at once. The motion along the other columns is resisted by inertia, and
 * W contributes only terms of the order of the square of the step to it. The result does not depend on units.
 * Rows and columns of directions whose rows and columns of W are zero are zero; P is exactly I if all
 * singular values are above 1/11.
 * @param W,S m x m, S with a positive diagonal
 */
MultiVector massless_projector(const MultiVector& W, const MultiVector& S);

}  // namespace halfdof::internal
