// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/scalar_function.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/**
 * Computes the quotient that decides whether the problem w = W r + b of friction laws that weaken with the
 * rate has a unique solution w. Two solutions differ by @f$ \delta w = W \delta r @f$ with
 * @f$ \delta r_i\,\delta w_i \le l_i\,\delta w_i^2 @f$, so that the solution is unique if
 * @f[ \max_x \frac{(W x)^T \mathrm{diag}(l)\, W x}{x^T W x} < 1; \qquad (1) @f]
 * For a single law the left-hand side is l W; for a symmetric W it is the largest eigenvalue of
 * @f$ \sqrt{l_i l_j}\,W_{ij} @f$. A time step of length h on inertial DoFs has W = h W_I.
 *
 * @param W Delassus matrix, m x m, symmetric part positive semidefinite; x runs over the range of this part
 * @param l one-sided Lipschitz constants of the laws, m, finite [force/rate]; 0 if a law does not weaken
 * @return the left-hand side of (1)
 */
double joint_weakening(const MultiVector& W, const Vector& l);

}  // namespace halfdof::internal

/// Checks of parameters that several laws share.
namespace halfdof::law_checks {

/// Returns the value of a function at a time. @throws InvalidInput if the value is negative; the message
/// contains the law, the quantity, the value and the time
double not_negative(const std::string& law, const std::string& quantity, const ScalarFunction& function,
                    double time);

/// Checks a coefficient of restitution. @throws InvalidInput unless the value is between 0 and 1, or absent
void restitution(const std::string& law, std::optional<double> value);

}  // namespace halfdof::law_checks
