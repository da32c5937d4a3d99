// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>

namespace halfdof::internal {

/// Returns the derivative of a function from the right at a time, by forward differences that are
/// extrapolated to steps of length zero. The result is NaN if the function is not finite near the time.
double numerical_derivative(const std::function<double(double)>& function, double time);

}  // namespace halfdof::internal
