#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>

#include "case_file.h"
#include "model.h"
#include <iosfwd>
#include <memory>
#include <string>

namespace halfdof::cli {

/// The same case with half the step; of steps by a tolerance: with that of steps half as long.
CaseFile refined(CaseFile given);
/// "half the step", "a tolerance of 2.5e-07 instead of 1e-06": what refined() has changed.
std::string refinement_text(const CaseFile& given);

/// The refined() run, beside a run: what both differ by tells how errors of steps add up.
class RefinedRun {
 public:
  /// @param method That of the refined() case @param refinement Its refinement_text()
  RefinedRun(std::unique_ptr<NonsmoothIntegrator<Engine>> method, std::string refinement,
             NonsmoothState start);

  /// Goes on to the time of an observation.
  void compare(const NonsmoothObservation<Engine>& now);
  /// Says by how much they differ. @return whether displacements do so by no more than the tolerance
  bool agrees(std::ostream& out, double tolerance) const;

 private:
  struct Difference {
    double largest = 0, size = 0, time = 0;  ///< [s]

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
