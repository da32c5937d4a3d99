// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "python.h"

namespace halfdof::python {

/// Returns the state force of a tuple (function, damping pattern, depends on time). The function returns p,
/// dp/dq and dp/dq' for q, q' and t, the matrices by columns or None.
StateForce<Engine> state_force_from(const py::object& given);

}  // namespace halfdof::python
