// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::internal {

/// A DoF does not depend on a coordinate if its participation (FreeSystem::participation()) is below this
/// number.
constexpr double negligible_participation = 1e-28;

/// A sum of terms counts as zero if it is below this fraction of the sum of the moduli of the terms.
constexpr double zero_threshold = 1e-13;

}  // namespace halfdof::internal
