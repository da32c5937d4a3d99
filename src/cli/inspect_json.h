// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include "json_file.h"
#include "model.h"

/**
 * @file
 * What the verb inspect prints and writes to its JSON file.
 */
namespace halfdof::cli {

/// Prints and returns the kinds, the elimination and the diagnosis of a model.
Json describe_regular(const ReducedSystem<Engine>& reduced);

/// Prints and returns the kinds and the diagnosis of a model whose elimination is singular.
Json describe_singular(const AssembledSystem<Engine>& assembled, const SingularElimination& reason,
                       const ReductionOptions& options);

/// Prints and returns the kinds and the diagnosis of a model with structural damping, also a singular one, in
/// the DoFs of the files.
Json describe_structural(const Model& model, const ReductionOptions& options);

/// Returns node and component of each DoF; null for a DoF without them, and an empty list without labels.
Json labels_of(const AssembledSystem<Engine>& assembled);

}  // namespace halfdof::cli
