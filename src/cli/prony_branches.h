// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <filesystem>
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

/// Replaces the stiffness K_p of each part by long_term K_p, and adds its branches, whose internal DoFs
/// follow the others. @throws FileError, InvalidInput
SystemDescription<EigenEngine> with_prony_branches(SystemDescription<EigenEngine> description,
                                                   const std::vector<PronyPart>& parts);

}  // namespace halfdof::cli
