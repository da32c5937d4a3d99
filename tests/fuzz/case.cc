// SPDX-License-Identifier: LGPL-2.1-or-later
// Cases, with the model and the laws that they name.
#include <halfdof/base/errors.h>

#include "cli/case_file.h"
#include "cli/case_model.h"
#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  static const test::InputFolder folder;
  static const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  static const auto mass = folder.write("M.mtx", symmetric + "3 3 2\n1 1 2\n2 2 1.5\n"),
                    stiffness = folder.write(
                        "K.mtx", symmetric + "3 3 5\n1 1 1200\n2 1 -400\n2 2 900\n3 2 -100\n3 3 300\n");
  const auto file = folder.write("case.toml", data, size);
  test::try_to_read<Error>([&] {
    const cli::CaseFile given = cli::read_case_file(file);
    const auto reduced = cli::reduce_case(given);
    cli::read_loads(given, reduced.assembled());
    cli::read_inclusions(given, reduced);
  });
  return 0;
}
