// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/types.h>

namespace halfdof {

const char* version() {
  return HALFDOF_VERSION;
}

}  // namespace halfdof
