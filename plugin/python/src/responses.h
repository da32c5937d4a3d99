// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "systems.h"
namespace halfdof::python {

using DirectedOutputs = std::vector<std::pair<std::string, WeightedDoFs>>;

/// Returns outputs along directions from pairs (quantity, entries).
std::vector<DirectedOutput> outputs_along(const DirectedOutputs& given);

/// Returns the unit motion of supports along directions.
BaseMotion base_motion(const std::vector<WeightedDoFs>& directions, const std::string& quantity);

/// Returns the arrays of a response.
py::dict arrays_of(std::size_t n_outputs, std::size_t n_inputs, const FrequencyResponse& response);

/// Computes a response without the GIL, and returns its arrays.
template <class Compute>
py::dict response_to(const SystemLock& lock, std::size_t n_outputs, std::size_t n_inputs,
                     const Compute& compute) {
  return arrays_of(n_outputs, n_inputs, lock.compute(compute));
}

}  // namespace halfdof::python
