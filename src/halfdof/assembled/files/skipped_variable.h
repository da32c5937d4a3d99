// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/// A variable of a file with several variables that is no matrix of numbers.
struct SkippedVariable {
  std::string name;
  std::string reason;  ///< a clause that says what it is, for instance "it is a struct"
};

}  // namespace halfdof::internal
