// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/// A part of the stiffness that relaxes with a Prony series.
struct PronyPart {
  std::filesystem::path series;     ///< as `halfdof prony` writes it
  std::filesystem::path stiffness;  ///< empty: the whole stiffness
};

/// Returns the part for "SERIES" or "SERIES*STIFFNESS". @param place Names the option or key in messages
PronyPart prony_part_from(const std::string& text, const std::string& place);

/// A PronyPart whose files were read.
struct RelaxingPart {
  double long_term = 1;  ///< the stiffness at rest, relative to that of the model
  PronySeries terms = {};
  std::optional<EigenMatrix> stiffness = {};  ///< no value: the whole stiffness
  std::string name = {};                      ///< of the stiffness, in messages
};

/// Reads the files of the parts. @throws FileError
std::vector<RelaxingPart> read_prony_parts(const std::vector<PronyPart>& parts);

/// Replaces the stiffness K_p of each part by long_term K_p, and adds its branches, whose internal DoFs
/// follow the others. @throws InvalidInput
SystemDescription<EigenEngine> with_prony_branches(SystemDescription<EigenEngine> description,
                                                   const std::vector<RelaxingPart>& parts);

}  // namespace halfdof::cli
