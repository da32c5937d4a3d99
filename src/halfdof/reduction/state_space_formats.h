// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/state_space.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace halfdof::internal {

/// A matrix of the state-space form with its name and its description in files.
struct NamedMatrix {
  std::string name;
  std::string meaning;
  std::variant<MultiVector, EigenMatrix::Storage> value;

  std::string shape() const {
    const auto text = [](const auto& A) {
      return std::to_string(A.rows()) + " x " + std::to_string(A.cols());
    };
    return std::visit(text, value);
  }
};

/// Checks that the formats can hold the matrices. @throws NotAvailable without outputs or with the
/// feed-through of f', which the files of pyMOR cannot hold
void check_formats(const std::vector<StateSpaceFormat>& formats, const std::vector<NamedMatrix>& matrices);

/// Writes the matrices in these formats. Returns a sentence about each format for the README.
std::vector<std::string> write_formats(const std::filesystem::path& folder,
                                       const std::vector<StateSpaceFormat>& formats,
                                       const std::vector<NamedMatrix>& matrices);

}  // namespace halfdof::internal
