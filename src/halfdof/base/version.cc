#include <halfdof/base/version.h>

namespace halfdof {

const char* version() {
  return HALFDOF_VERSION;
}

}  // namespace halfdof
