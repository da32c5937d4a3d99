#pragma once

#include <halfdof/base/errors.h>

#include <string>

namespace halfdof {

/// A function of time has no value where it is asked. The message begins with where it was given, if that
/// was told.
class UndefinedFunction : public InvalidInput {
 public:
  UndefinedFunction(const std::string& place, const std::string& reason)
      : UndefinedFunction((place.empty() ? "" : place + ": ") + reason, !place.empty()) {}
  UndefinedFunction(const std::string& message, bool has_place)
      : InvalidInput(message), has_place_(has_place) {}

  bool has_place() const { return has_place_; }

 private:
  bool has_place_;
};

}  // namespace halfdof
