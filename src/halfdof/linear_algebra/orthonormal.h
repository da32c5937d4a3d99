#pragma once

#include <halfdof/base/communicator.h>

namespace halfdof {

/// An orthonormal basis of the columns over all processes, in their order (Gram-Schmidt, twice); directions
/// lost to rounding are left out. Collective.
MultiVector orthonormalized(const Communicator& communicator, MultiVector X);

}  // namespace halfdof
