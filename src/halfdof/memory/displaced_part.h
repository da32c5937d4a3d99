#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * The part of the displacements of contacts that their reactions move without inertia: a projector P along
 * the motion that inertia resists. With what a step of constant reactions does, S r, and the part W r of it
 * that follows the reactions at once, in the metric of S = T T^T, @f$ T^{-1} W T^{-T} = U \Sigma V^T @f$,
 * @f[ P = T\,U_1 U_1^T\,T^{-1}, @f]
 * U_1 being the columns with more than the share 1/11 of the motion. What has less is moved by inertia
 * first, and what W adds is of the order of h^2. No unit takes part. Rows that W leaves alone are zero; P is
 * I, exactly, where all is moved.
 * @param W,S m x m, S with a positive diagonal
 */
MultiVector displaced_part(const MultiVector& W, const MultiVector& S);

}  // namespace halfdof
