// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "case_section.h"
#include "integrator_settings.h"
#include "model.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// The terms of matrices that are sums; none for a matrix that is one file, other than structural damping.
struct CaseTerms {
  std::vector<CaseTerm> mass, damping, stiffness, structural_damping;
};

/// The sections of a case that define the model and its initial state.
struct CaseModel {
  std::filesystem::path file;
  CaseSection system, initial;
  std::vector<CaseSection> loads, elements, inclusions;
  ModelOptions options =
      {};  ///< the values of [system]; of a matrix that is a sum, the file of its first term
  Parameters parameters = {};
  CaseTerms terms = {};
  double begin = 0;         ///< start of the run [s]
  bool has_run = false;     ///< whether the case has [integrator], so that it can be run
  Index n_eigenvalues = 0;  ///< number of eigenvalues that the integrator keeps; 0: all
};

/// All sections of a case.
struct CaseFile : CaseModel {
  CaseSection integrator, output;
  IntegratorSettings settings;  ///< the values of [integrator]
  std::vector<CaseSection> plots;
  /// [integrator], and the other sections, as text: a resumed run compares them with those of the interrupted
  /// one.
  std::string integrator_text, other_text;
  double refinement = 1;  ///< factor by which steps are shorter than given by [integrator]
};

/// Returns the step length [s].
double step_of(const CaseFile& given);

/// Reads and checks a case. @param settings Parameters with other values than those of the case
/// @param suffix Text that the names of all output files get before their extension
/// @throws FileError with the line of the error; InvalidInput if the case lacks a parameter of the settings
CaseFile read_case_file(const std::filesystem::path& file, const Parameters& settings = {},
                        const std::string& suffix = "");

/// Reads and checks a case that may lack [integrator] and [output].
CaseModel read_case_model(const std::filesystem::path& file, const Parameters& settings = {});

}  // namespace halfdof::cli
