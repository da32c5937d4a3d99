// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/// Returns whether the pattern has no entry off the diagonal.
bool is_diagonal(const SquarePattern& pattern);

/// Returns the inverse of a diagonal matrix as a factorization.
/// @throws SingularMatrix if a diagonal entry is zero or missing
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const SquarePattern& pattern,
                                                    const std::vector<Scalar>& values);

}  // namespace halfdof::internal
