#pragma once

#include "case_section.h"
#include "toml_value.h"

namespace halfdof::cli {

struct CaseSection::Node {
  toml::value value;
};

}  // namespace halfdof::cli
