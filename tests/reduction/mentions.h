// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace halfdof::test {

/// Whether a message holds all of some words; where it does not, it is shown.
inline bool mentions(const std::exception& error, const std::vector<std::string>& words) {
  const std::string text = error.what();
  const bool all = std::all_of(words.begin(), words.end(),
                               [&](const std::string& word) { return text.find(word) != std::string::npos; });
  if (!all) BOOST_TEST_MESSAGE(text);
  return all;
}

}  // namespace halfdof::test
