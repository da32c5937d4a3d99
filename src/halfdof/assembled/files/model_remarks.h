// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/model_files.h>

namespace halfdof::internal {

/// Appends remarks about repeated labels, empty equations, reversed signs of K or C, penalties of 1e36 on the
/// diagonal, and double Lagrange multipliers to the remarks of the model.
void add_remarks(ModelMatrices& model);

}  // namespace halfdof::internal
