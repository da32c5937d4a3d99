// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/// A variable of a file that was not read because it is not a matrix of numbers.
struct SkippedVariable {
  std::string name;
  std::string reason;  ///< a clause for messages, for instance "it is a struct"
};

}  // namespace halfdof::internal
