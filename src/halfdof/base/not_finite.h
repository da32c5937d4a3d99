#pragma once

#include <halfdof/base/errors.h>

namespace halfdof {

/// A number that was given, or that a function of the application returned, is NaN or infinite.
class NotFinite : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

}  // namespace halfdof
