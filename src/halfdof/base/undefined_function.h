#pragma once

#include <halfdof/base/errors.h>

#include <string>

namespace halfdof {

/// A function of time has no value where it is asked. The message begins with where it was given, if that
/// was told.
class UndefinedFunction : public InvalidInput {
 public:
  /// @param place "case.toml:12: [load] expression", or nothing
  UndefinedFunction(const std::string& place, const std::string& reason)
      : InvalidInput((place.empty() ? "" : place + ": ") + reason), place_(place), reason_(reason) {}

  const std::string& place() const { return place_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string place_, reason_;
};

}  // namespace halfdof
