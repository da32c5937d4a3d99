#pragma once

#include "case_section.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// What a case says of the model and its start.
struct CaseModel {
  std::filesystem::path file;
  CaseSection system, initial;
  std::vector<CaseSection> loads, elements, inclusions;
  Index n_eigenvalues = 0;  ///< that the integrator keeps; 0: all
};

/// A whole case.
struct CaseFile : CaseModel {
  CaseSection integrator, output;
  std::vector<CaseSection> plots;
  std::string integrator_text, other_text;  ///< what it says, to tell whether it has changed
  double refinement = 1;                    ///< by which steps are shorter than the integrator says
};

/// The length of a step [s].
double step_of(const CaseFile& given);

/// Reads and checks it. @throws FileError with the line of what is wrong
CaseFile read_case_file(const std::filesystem::path& file);

/// The same of a case that may lack an integrator and an output.
CaseModel read_case_model(const std::filesystem::path& file);

}  // namespace halfdof::cli
