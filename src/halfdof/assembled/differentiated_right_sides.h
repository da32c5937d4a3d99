// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof::internal {

/// The right side of a differentiated equation: a time derivative of an entry of the right side b.
struct RightSideDerivative {
  Index entry;  ///< index into b; -1 if the right side is zero
  int order;
};

/// Returns b followed by the right sides of the new equations.
PrescribedMotion with_derivatives(const PrescribedMotion& b,
                                  const std::vector<RightSideDerivative>& derivatives);

/// Returns the load with a check that its entries at multipliers are zero: time derivatives of nonzero
/// entries would be needed.
TimeFunction checked_load(const TimeFunction& load, const std::vector<Index>& multipliers,
                          const DoFLabels& labels);

}  // namespace halfdof::internal
