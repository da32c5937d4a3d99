// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/reduction/reduction_options.h>

namespace halfdof {

const char* name_of(ReductionMethod method) {
  switch (method) {
    case ReductionMethod::automatic:
      return "auto";
    case ReductionMethod::null_columns:
      return "null-columns";
    case ReductionMethod::kernel:
      return "kernel";
    case ReductionMethod::constraints:
      return "constraints";
    case ReductionMethod::weierstrass:
      return "weierstrass";
    case ReductionMethod::none:
      break;
  }
  return "none";
}

}  // namespace halfdof
