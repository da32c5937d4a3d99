#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * How near friction laws that weaken are to a jump, together. Two solutions of w = W r + b differ by
 * @f$ \delta w = W \delta r @f$ with @f$ \delta r_i\,\delta w_i \le l_i\,\delta w_i^2 @f$, so that there is
 * but one if
 * @f[ \max_x \frac{(W x)^T \mathrm{diag}(l)\, W x}{x^T W x} < 1; \qquad (1) @f]
 * for a single law that is l W < 1, for a symmetric W the largest eigenvalue of
 * @f$ \sqrt{l_i l_j}\,W_{ij} @f$. A time step of length h on inertial DoFs has a W of h times W_I.
 *
 * @param W m x m, symmetric part positive semidefinite; x runs over the range of that part
 * @param l one-sided Lipschitz constants of the laws, m, finite [force/rate]; 0: does not weaken
 * @return the left-hand side of (1)
 */
double joint_weakening(const MultiVector& W, const Vector& l);

}  // namespace halfdof
