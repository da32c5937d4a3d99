// SPDX-License-Identifier: LGPL-2.1-or-later
// The readers of Matrix Market files, plain and compressed.
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/base/errors.h>

#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  static const test::InputFolder folder;
  const bool is_compressed = size > 1 && data[0] == 0x1f && data[1] == 0x8b;
  const auto file = folder.write(is_compressed ? "A.mtx.gz" : "A.mtx", data, size);
  test::try_to_read<Error>([&] { read_matrix_market(file); });
  test::try_to_read<Error>([&] { read_matrix_market_vector(file); });
  test::try_to_read<Error>([&] { read_matrix_market_array(file); });
  return 0;
}
