#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>

#include "case_file.h"
#include "case_methods.h"
#include "model.h"
#include <iosfwd>

namespace halfdof::cli {

/// The same run with half the step (event-driven: with the tolerance of steps half as long), beside a run:
/// what both differ by tells how errors of steps add up.
class RefinedRun {
 public:
  RefinedRun(const CaseFile& given, const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
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
  const Inclusions<Engine>& inclusions_;
  CaseIntegrator integrator_;
  NonsmoothState state_;
  Difference displacement_, rate_;
};

}  // namespace halfdof::cli
