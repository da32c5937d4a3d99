// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

namespace halfdof {

/**
 * A load f(t) as vectors of the application: no load, a constant vector, or a function of time that returns
 * a vector. The rate f'(t) is needed only for the rates of algebraic DoFs; the rate of a constant load is
 * zero.
 */
template <class VectorType>
class DealIILoad {
 public:
  using Function = std::function<VectorType(double time)>;

  DealIILoad() = default;

  DealIILoad(const VectorType& constant)
      : value_([constant](double) { return constant; }),
        rate_([zero = VectorType(zeros(constant))](double) { return zero; }) {}

  template <class F, class = std::enable_if_t<std::is_invocable_r_v<VectorType, F, double>>>
  DealIILoad(F value) : value_(std::move(value)) {}

  DealIILoad(Function value, Function rate) : value_(std::move(value)), rate_(std::move(rate)) {}

  const Function& value() const { return value_; }
  const Function& rate() const { return rate_; }

 private:
  static VectorType zeros(VectorType vector) {
    vector = 0.;
    return vector;
  }

  Function value_;
  Function rate_;
};

}  // namespace halfdof
