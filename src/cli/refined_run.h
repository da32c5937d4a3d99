// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include "case_file.h"
#include "model.h"
#include <iosfwd>
#include <memory>
#include <string>

namespace halfdof::cli {

/// Returns the case with half the step or, for steps controlled by a tolerance, with the tolerance that
/// halves the steps.
CaseFile refined(CaseFile given);
/// Returns the change made by refined(): "half the step", "a tolerance of 2.5e-07 instead of 1e-06".
std::string refinement_text(const CaseFile& given);

/// A second run with the refined() case. Its difference from the first run shows how the errors of steps
/// accumulate.
class RefinedRun {
 public:
  /// @param method method of the refined() case @param refinement its refinement_text()
  RefinedRun(std::unique_ptr<NonsmoothIntegrator<Engine>> method, std::string refinement,
             NonsmoothState start);

  /// Advances the second run to the time of an observation of the first one, and compares both.
  void compare(const NonsmoothObservation<Engine>& now);
  /// Prints the differences. @return whether displacements differ by at most the tolerance
  bool agrees(std::ostream& out, double tolerance) const;

 private:
  struct Difference {
    /// Largest difference, largest value, and time of the largest difference [s].
    double largest = 0, size = 0, time = 0;

    void take(const Vector& difference, const Vector& value, double at);
    double relative() const { return size > 0 ? largest / size : largest; }
  };
  std::unique_ptr<NonsmoothIntegrator<Engine>> method_;
  std::string refinement_;
  NonsmoothState state_;
  bool has_impacts_ = false;
  Difference displacement_, rate_;
};

}  // namespace halfdof::cli
