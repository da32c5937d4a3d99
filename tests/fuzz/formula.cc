// SPDX-License-Identifier: LGPL-2.1-or-later
// Formulas in t: their values and derivatives.
#include <halfdof/base/errors.h>
#include <halfdof/functions/scalar_function.h>

#include "input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfdof;
  const std::string text(reinterpret_cast<const char*>(data), size);
  test::try_to_read<Error>([&] {
    const ScalarFunction f = ScalarFunction::expression(text);
    for (const double t : {0., 0.3, 1e9})
      test::try_to_read<Error>([&] { static_cast<void>(f(t) + f.derivative(t)); });
  });
  return 0;
}
