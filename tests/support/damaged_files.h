// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include <support/scratch_folder.h>

#include <random>
#include <string>

/// Calls read(file) with a file of these bytes, which is new each time: to replace the bytes of a file would
/// wait for the disk.
template <class Read>
void read_from_new_file(const ScratchFolder& folder, std::string_view bytes, const Read& read) {
  const std::filesystem::path file = folder.path() / "damaged";
  std::filesystem::remove(file);
  read(folder.file("damaged", bytes));
}

/// Checks that read(file) refuses the first n bytes of a file for every n less than their number.
template <class Read>
void check_truncated_files_are_refused(const std::string& bytes, const Read& read) {
  const ScratchFolder folder;
  for (std::size_t n = 0; n < bytes.size(); ++n)
    BOOST_CHECK_THROW(read_from_new_file(folder, std::string_view(bytes).substr(0, n), read),
                      halfdof::FileError);
}

/// Checks that read(file) returns or refuses files in which some bits are flipped or some bytes are replaced.
template <class Read>
void check_altered_files_are_read_or_refused(const std::string& bytes, int n_files, unsigned seed,
                                             const Read& read) {
  const ScratchFolder folder;
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::string extremes("\x00\x7f\x80\xff", 4);
  for (int k = 0; k < n_files; ++k) {
    std::string altered = bytes;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      char& byte = altered[below(bytes.size())];
      byte = below(2) == 0 ? static_cast<char>(byte ^ (1 << below(8))) : extremes[below(4)];
    }
    try {
      read_from_new_file(folder, altered, read);
    } catch (const halfdof::FileError&) {
    }
  }
}
