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
  /// The stiffness at rest, relative to that of the part, or the modulus at rest, if the part was assembled
  /// with the modulus one.
  double long_term = 1;
  PronySeries terms = {};
  std::optional<EigenMatrix> stiffness = {};  ///< in the order of the DoFs of the model; no value: all of K
};

/// Reads the files of the parts of a model with these DoFs. @throws FileError, InvalidInput
std::vector<RelaxingPart> read_prony_parts(const std::vector<PronyPart>& parts, const DoFLabels& labels,
                                           Eigen::Index n_dofs);

/// Replaces the stiffness K_p of each part by long_term K_p, and adds its branches, whose internal DoFs
/// follow the others. @throws InvalidInput
SystemDescription<EigenEngine> with_prony_branches(SystemDescription<EigenEngine> description,
                                                   const std::vector<RelaxingPart>& parts);

}  // namespace halfdof::cli
