// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace halfdof::test {

/// Returns a file of ../shared/data beside the project, or of the folder that the environment variable
/// HALFDOF_SHARED_DATA names; empty, with a message, if it is not there.
inline std::filesystem::path shared_data(const std::string& name) {
  const char* const folder = std::getenv("HALFDOF_SHARED_DATA");
  const std::filesystem::path file = std::filesystem::path(folder ? folder : HALFDOF_SHARED_DATA) / name;
  if (std::filesystem::exists(file)) return file;
  BOOST_TEST_MESSAGE("skipped: there is no " << file.string());
  return {};
}

}  // namespace halfdof::test
