// SPDX-License-Identifier: LGPL-2.1-or-later
// The reader of checkpoints.
#include "cli/checkpoint.h"

#include <halfdof/base/errors.h>

#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  static const test::InputFolder folder;
  const auto file = folder.write("out.csv.checkpoint", data, size);
  test::try_to_read<Error>([&] { cli::read_checkpoint(file); });
  return 0;
}
