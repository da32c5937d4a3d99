// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

namespace halfdof::internal {

/**
 * The rates of the directions at the start of a run, and their accelerations under constant reactions. Rates
 * of algebraic DoFs need the derivative F'(t) of the load. They are included only if a constraint ties these
 * DoFs to the inertial or viscous DoFs that decide the direction. Shapes: one entry for each direction, all
 * of them on every process. Functions are collective.
 */
template <class Engine>
class StartMotion {
 public:
  StartMotion(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome);

  /// Returns the lightest kind of DoFs that decides a direction, or `constrained` if no reaction moves the
  /// direction.
  DoFKind kind_of(Index direction) const;
  /// Returns whether any direction acts on lighter DoFs than those that decide this direction. Reactions in
  /// other directions may move such a direction by these lighter DoFs.
  bool is_any_mixed() const { return is_any_mixed_; }

  /// Returns the rates of the directions. The rates of directions that algebraic DoFs decide are set to zero.
  Vector rates(const State& state, const Vector& r) const;
  Vector accelerations(const State& state, const Vector& r) const;

  /// Returns the rate up to which directions count as at rest, which is the larger one of `tolerance` times
  /// the largest rate and the rounding error of the rates.
  double rest_tolerance(const State& state, const Vector& r, const Vector& w, double tolerance) const;

 private:
  bool is_tied(Index j) const;
  bool acts_on(Index j, DoFKind kind) const;
  Vector all_rates(const State& state, const Vector& r) const;
  double rounding_of_rates(const State& state, const Vector& r) const;
  double scale_of_rates(const State& state, const Vector& w) const;
  const ScalarFunction& support(Index j) const;
  Vector rates_to_differentiate(const State& state, const Vector& r) const;
  Vector accelerations_in_time(const State& state, const Vector& r) const;

  const Inclusions<Engine>& inclusions_;
  const InclusionOutcome& outcome_;
  bool is_any_tied_ = false, is_any_mixed_ = false;
};

}  // namespace halfdof::internal
