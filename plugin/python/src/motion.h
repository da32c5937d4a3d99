// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "recorder.h"

namespace halfdof::python {

using Method = std::unique_ptr<NonsmoothIntegrator<Engine>>;

/// Inclusions of a reduced system, and an integrator.
class Motion {
 public:
  /// @param lock That of the reduced system
  Motion(Inclusions<Engine> inclusions, InclusionOutcome outcome, SystemLock lock)
      : inclusions_(std::move(inclusions)), outcome_(std::move(outcome)), lock_(std::move(lock)) {}

  const Inclusions<Engine>& inclusions() const { return inclusions_; }
  const InclusionOutcome& outcome() const { return outcome_; }
  const NonsmoothIntegrator<Engine>& method() const { return *method_; }
  const SystemLock& lock() const { return lock_; }
  void set_method(Method method) { method_ = std::move(method); }

  void verify(Recorder& recorder, double longest_interval) const {
    recorder.verification.emplace(*method_, longest_interval);
  }
  void run(NonsmoothState& state, double end, Recorder& recorder) {
    lock_.compute([&] { method_->run(state, end, std::ref(recorder)); });
  }

 private:
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  SystemLock lock_;
  Method method_;
};

/// Returns (state, number of initial values that were changed, text about these, names of projected plays).
py::tuple start_to(const NonsmoothStart& start);

}  // namespace halfdof::python
