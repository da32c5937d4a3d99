// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "case_section.h"
#include "toml_value.h"

namespace halfdof::cli {

struct CaseSection::Node {
  toml::value value;
  GlobalIndex line = 0;  ///< first line of a section; 0 if it is not in a file
};

}  // namespace halfdof::cli
