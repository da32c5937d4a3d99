// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/model_files.h>

namespace halfdof::internal {

/// Adds remarks about labels that repeat, empty equations, penalties of 1e36 on the diagonal, and double
/// Lagrange multipliers to those of the model.
void add_remarks(ModelMatrices& model);

}  // namespace halfdof::internal
