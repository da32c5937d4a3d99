// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/verification/law_verification.h>

#include <algorithm>
#include <vector>

namespace halfdof::internal {

/// Check::dissipated of a Verification: the dissipated energy of a trajectory against the work of the
/// reactions on relative rates, which is computed again.
template <class Engine>
class DissipationCheck {
 public:
  /// All arguments have to exist as long as this object.
  DissipationCheck(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                   const LawVerification& laws)
      : inclusions_(inclusions), outcome_(outcome), laws_(laws) {}

  /// Begins with the dissipated energy that the trajectory has at its first point.
  void begin(double dissipated) { first_dissipated_ = dissipated; }
  /// Adds a step. @param path The motion within the step; null if it is not known
  void operator()(const DirectionPoint& from, const DirectionPoint& to, const StepPath* path,
                  const std::vector<ContactEvent>& events);
  /// Returns the part of an error in the work since the first point that exceeds the rounding error of the
  /// work.
  double beyond_rounding(double work) const;
  /// Returns the largest violation, with units.
  const Violation& largest() const { return dissipated_; }
  /// Returns the size of the work, to which the violation is relative.
  double size() const { return std::max(size_taken_, size_elastic_); }

 private:
  void take(double work, double size);
  double work_of_jump(Index j, const DirectionPoint& at, double before, double after, double slip) const;
  void take_along(const DirectionPoint& from, const DirectionPoint& to, const StepPath& path,
                  const std::vector<bool>& strikes);

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  const LawVerification& laws_;
  Violation dissipated_;  ///< With units.
  /// Dissipated energy that the trajectory has at its first point; dissipated energy since then, computed
  /// again.
  double first_dissipated_ = 0, taken_ = 0;
  double rounding_of_work_ = 0;  ///< Rounding error of the work so far.
  double size_taken_ = 0;        ///< The largest terms so far.
  double size_elastic_ = 0;      ///< The largest r W_K r of a direction so far.
};

}  // namespace halfdof::internal
