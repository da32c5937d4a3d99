#pragma once

#include "case_section.h"
#include "toml_value.h"

namespace halfdof::cli {

struct CaseSection::Node {
  toml::value value;
  GlobalIndex line = 0;  ///< of a section: where it begins; 0 if it stands in no file
};

}  // namespace halfdof::cli
