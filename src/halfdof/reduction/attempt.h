// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <utility>
#include <variant>

namespace halfdof::internal {

/// The reason why a method of reduction does not apply to a system: the exception that a caller throws
/// if no other method is left.
using Refusal =
    std::variant<SingularElimination, SingularPencil, AmbiguousRank, NotAvailable, SingularMatrix>;

/// The result of one step of a reduction, or the reason why the step does not apply to the system.
template <class T>
class Attempt {
 public:
  Attempt(T result) : content_(std::move(result)) {}
  Attempt(Refusal refusal) : content_(std::move(refusal)) {}

  /// Returns whether the step gave a result.
  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  /// Returns the result. Precondition: the step gave a result.
  T& operator*() { return *std::get_if<T>(&content_); }
  T* operator->() { return std::get_if<T>(&content_); }
  /// Returns the reason why the step does not apply. Precondition: the step gave no result.
  const Refusal& refusal() const { return *std::get_if<Refusal>(&content_); }

  /// Returns the result. @throws the exception of refusal() if the step gave no result
  T value() && {
    if (!*this) std::visit([](const auto& reason) { throw reason; }, refusal());
    return std::move(**this);
  }

 private:
  std::variant<T, Refusal> content_;
};

}  // namespace halfdof::internal
