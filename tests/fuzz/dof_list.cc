// SPDX-License-Identifier: LGPL-2.1-or-later
// The reader of lists of DoFs.
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/errors.h>

#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  static const test::InputFolder folder;
  const auto file = folder.write("clamped.txt", data, size);
  test::try_to_read<Error>([&] { read_dof_list(file); });
  test::try_to_read<Error>([&] { read_dof_list(file, 8); });
  return 0;
}
