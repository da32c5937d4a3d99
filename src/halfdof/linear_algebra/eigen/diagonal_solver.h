#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/// Whether no entry lies off the diagonal.
bool is_diagonal(const SquarePattern& pattern);

/// Division by the entries of a diagonal matrix.
/// @throws SingularMatrix if one of them is zero or absent.
template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const SquarePattern& pattern,
                                                    const std::vector<Scalar>& values);

}  // namespace halfdof
