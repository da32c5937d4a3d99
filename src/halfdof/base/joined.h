// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

namespace halfdof::internal {

/// Returns texts with a separator between them, and another one before the last.
inline std::string joined(const std::vector<std::string>& texts, const std::string& separator,
                          const std::string& before_last) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i)
    all += (i == 0 ? "" : i + 1 == texts.size() ? before_last : separator) + texts[i];
  return all;
}

inline std::string joined(const std::vector<std::string>& texts, const std::string& separator = ", ") {
  return joined(texts, separator, separator);
}

}  // namespace halfdof::internal
