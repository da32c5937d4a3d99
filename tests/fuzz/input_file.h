// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// A folder of this process that holds the input of libFuzzer as a file: all readers take names.
namespace halfdof::test {

class InputFolder {
 public:
  InputFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "halfdof-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~InputFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path write(const std::string& name, const void* data, std::size_t size) const {
    std::ofstream file(path_ / name, std::ios::binary | std::ios::trunc);
    file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (!file.flush()) std::abort();
    return path_ / name;
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return write(name, text.data(), text.size());
  }

 private:
  std::filesystem::path path_;
};

/// Calls a reader, which may refuse the input by an error of the library.
template <class Error, class Reader>
void try_to_read(const Reader& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

}  // namespace halfdof::test
