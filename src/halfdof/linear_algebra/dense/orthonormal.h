// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

namespace halfdof::internal {

/// Returns an orthonormal basis of the span of the columns of X, by Gram-Schmidt orthogonalization of one
/// column after the other, with reorthogonalization. Columns that depend on the columns before them up to
/// rounding are omitted. Collective.
MultiVector orthonormalized(const Communicator& communicator, MultiVector X);

}  // namespace halfdof::internal
