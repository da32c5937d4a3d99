// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/**
 * Returns the projector P onto the part of the displacements of contacts that their reactions move without
 * inertia. Its kernel is the motion that inertia resists. S r is the displacement by constant reactions r
 * during a step, and W r is the immediate part of it. In the metric of S = T T^T, with
 * @f$ T^{-1} W T^{-T} = U \Sigma V^T @f$,
 * @f[ P = T\,U_1 U_1^T\,T^{-1}, @f]
 * where U_1 are the columns with singular values above 1/11: there more than this share of the motion is
 * immediate. In the other columns inertia resists, and the contribution of W is of the order of h^2. The
 * result does not depend on units. Rows and columns of directions on which W does not act are zero; P is
 * exactly I if all directions are moved.
 * @param W,S m x m, S with a positive diagonal
 */
MultiVector displaced_part(const MultiVector& W, const MultiVector& S);

}  // namespace halfdof::internal
