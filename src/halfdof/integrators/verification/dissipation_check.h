// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/verification/law_verification.h>

#include <algorithm>
#include <vector>

namespace halfdof::internal {

/// The check Check::dissipated of a Verification. The class compares the dissipated energy of a trajectory
/// with the work of the reactions on relative rates, which it computes independently.
template <class Engine>
class DissipationCheck {
 public:
  /// All arguments have to exist as long as this object.
  DissipationCheck(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                   const LawVerification& laws)
      : inclusions_(inclusions), outcome_(outcome), laws_(laws) {}

  /// Begins the check. @param dissipated the dissipated energy at the first point of the trajectory
  void begin(double dissipated) { first_dissipated_ = dissipated; }
  /// Adds a step. @param path the motion within the step, or null if it is not known
  void operator()(const DirectionPoint& from, const DirectionPoint& to, const StepPath* path,
                  const std::vector<ContactEvent>& events);
  /// Returns the amount by which an error in the work since the first point exceeds the rounding error of
  /// this work.
  double beyond_rounding(double work) const;
  /// Returns the largest violation so far, in units of energy.
  const Violation& largest() const { return dissipated_; }
  /// Returns the size of the work, to which the violation is relative.
  double size() const { return std::max(size_work_, size_elastic_); }

 private:
  void add_work(double work, double size);
  double work_of_jump(Index j, const DirectionPoint& at, double before, double after, double slip) const;
  void add_work_on_path(const DirectionPoint& from, const DirectionPoint& to, const StepPath& path,
                        const std::vector<bool>& strikes);

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  const LawVerification& laws_;
  Violation dissipated_;  ///< The largest violation so far, in units of energy.
  /// The dissipated energy at the first point of the trajectory, and the dissipated energy since this point
  /// as computed from the work.
  double first_dissipated_ = 0, dissipated_by_work_ = 0;
  double rounding_of_work_ = 0;  ///< Rounding error of the work so far.
  double size_work_ = 0;         ///< The sum of the sizes of all terms of the work so far.
  double size_elastic_ = 0;      ///< The largest elastic energy r W_K r of a direction so far.
};

}  // namespace halfdof::internal
