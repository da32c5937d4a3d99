// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "../checks.h"
#include "../json_file.h"
#include "../model.h"
#include "findings.h"
#include <string>
#include <vector>

namespace halfdof::cli {

/// Files, sizes, entries and labels of a model. @param files with their options @param formats of those files
/// that hold matrices
void add_model(Findings& report, const AssembledSystem<Engine>& assembled,
               const std::vector<InputFile>& files, const std::vector<std::string>& formats);

/// Numbers of DoFs of each kind. @param inspected the JSON of `inspect`
void add_kinds(Findings& report, const AssembledSystem<Engine>& assembled, const std::vector<DoFKind>& kinds,
               const Json& inspected);

/// Patterns of the matrices, as given and sorted by kind. @param reduced null if D is not shown
/// @param reason Why it is not, after "because"
void add_sparsity(Findings& report, const AssembledSystem<Engine>& assembled,
                  const std::vector<DoFKind>& kinds, const ReducedSystem<Engine>* reduced,
                  const std::string& reason);

/// Elimination and diagnosis with causes and remedies. @param inspected the JSON of `inspect`
void add_diagnosis(Findings& report, const Json& inspected);

}  // namespace halfdof::cli
