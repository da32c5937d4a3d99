#pragma once

#include <halfdof/inclusions/outcome.h>

namespace halfdof {

/**
 * What the directions see of the motion at a start: rates, and accelerations under reactions that stay as
 * they are. Rates of algebraic DoFs need F'(t), and count only where a constraint ties such DoFs to heavier
 * ones that decide. Shapes: one entry for each direction, whole on every process. Functions are collective.
 */
template <class Engine>
class StartMotion {
 public:
  StartMotion(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome);

  /// The lightest kind that decides a direction; constrained: nothing moves.
  DoFKind kind_of(Index direction) const;
  /// Whether a direction meets lighter DoFs than those that decide it: others may move it there.
  bool is_any_mixed() const { return is_any_mixed_; }

  /// Zero where algebraic DoFs decide.
  Vector rates(const State& state, const Vector& r) const;
  Vector accelerations(const State& state, const Vector& r) const;

  /// Rates up to which directions count as at rest: `tolerance` of the largest, or what all are rounded by.
  double rest(const State& state, const Vector& r, const Vector& w, double tolerance) const;

 private:
  bool is_tied(Index j) const;
  bool meets(Index j, DoFKind kind) const;
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

}  // namespace halfdof
