// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "python.h"

namespace halfdof::python {

/// A load on all assembled DoFs.
struct Load {
  TimeFunction value, rate;               ///< f(t) and f'(t); empty if there is no load, or no rate
  std::vector<ScalarFunction> functions;  ///< functions that steps have to resolve
};

/// Returns the load of a list of pairs (DoF, function of time), or of a tuple of two Python functions f and
/// f' that return arrays.
Load load_from(const py::object& given, GlobalIndex n_dofs);

/// Returns outputs from pairs (quantity, DoF).
std::vector<Output> outputs_from(const std::vector<std::pair<std::string, GlobalIndex>>& given);
OutputQuantity quantity_from(const std::string& name);

py::dict diagnosis_to(const Diagnosis& diagnosis);

}  // namespace halfdof::python
