// SPDX-License-Identifier: LGPL-2.1-or-later
// The readers of matrices of other programs, and of labels of DoFs. Files are recognized by their content;
// the extension .sti decides for CalculiX.
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/errors.h>

#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  static const test::InputFolder folder;
  for (const char* const name : {"K.sti", "K.mtx"}) {
    const auto file = folder.write(name, data, size);
    test::try_to_read<Error>([&] { read_model({file}); });
    test::try_to_read<Error>([&] { read_matrix(file); });
  }
  const auto labels = folder.write("dofs.txt", data, size);
  test::try_to_read<Error>([&] { read_dof_labels(labels, 3); });
  return 0;
}
