// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <utility>
#include <variant>

namespace halfdof::internal {

/// Why a method of reduction does not apply to a system: the exception that a caller throws if it has no
/// other method.
using Refusal =
    std::variant<SingularElimination, SingularPencil, AmbiguousRank, NotAvailable, SingularMatrix>;

/// The result of a step of a reduction that may not apply to a system, or the reason why it does not apply.
template <class T>
class Attempt {
 public:
  Attempt(T result) : content_(std::move(result)) {}
  Attempt(Refusal refusal) : content_(std::move(refusal)) {}

  /// Whether there is a result.
  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  /// The result. Precondition: there is one.
  T& operator*() { return *std::get_if<T>(&content_); }
  T* operator->() { return std::get_if<T>(&content_); }
  /// The reason. Precondition: there is no result.
  const Refusal& refusal() const { return *std::get_if<Refusal>(&content_); }

  /// Returns the result. @throws the exception of refusal() if there is none
  T value() && {
    if (!*this) std::visit([](const auto& reason) { throw reason; }, refusal());
    return std::move(**this);
  }

 private:
  std::variant<T, Refusal> content_;
};

}  // namespace halfdof::internal
