// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

namespace halfdof::internal {

/// Returns an orthonormal basis of the span of the columns, by Gram-Schmidt in their order, with
/// reorthogonalization; columns that depend on earlier ones up to rounding are omitted. Collective.
MultiVector orthonormalized(const Communicator& communicator, MultiVector X);

}  // namespace halfdof::internal
