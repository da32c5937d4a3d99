// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/instantaneous_law_problem.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/reaction_input.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/// A stage at the time t + c h with the weight b, of a Runge-Kutta method in which each stage depends only on
/// the stage before.
struct ChainedStage {
  double c, b;
};

/// Returns the stages of the classical Runge-Kutta method of fourth order.
inline std::vector<ChainedStage> four_stages() {
  return {{0., 1. / 6}, {0.5, 1. / 3}, {0.5, 1. / 3}, {1., 1. / 6}};
}

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

template <class Engine>
struct ExplicitInclusions<Engine>::Point {
  NonsmoothState state;
  Vector y_rate;
};

template <class Engine>
struct ExplicitInclusions<Engine>::Part {
  Point to;
  Vector r;
};

/// The stages of a method, and the selection of the reactions at each stage.
template <class Engine>
struct ExplicitInclusions<Engine>::Implementation {
  Implementation(ExplicitInclusions& owner, const char* name, double time_step,
                 const std::vector<ChainedStage>& stages, std::vector<ReducedLaw> others);

  const Inclusions<Engine>& inclusions() const { return owner_->inclusions(); }
  const InclusionOutcome& outcome() const { return owner_->outcome(); }

  /// Inclusions whose reactions are computed together.
  struct LawGroup {
    std::vector<std::size_t> inclusions;
    std::vector<NamedLaw> laws;
    std::vector<Index> directions;
    std::vector<DoFKind> kinds;  ///< The kinds that decide the directions.
    std::unique_ptr<InstantaneousLawProblem> solver;
  };
  /// The selected reactions of a stage, and the gaps, rates, derivative y' and contact states that these
  /// reactions cause.
  struct SelectedReactions {
    Vector r, gaps, rates, y_rate;
    std::vector<ContactState> contacts;
  };
  LawGroup collect_group(const std::vector<ReducedLaw>& reduced_laws) const;
  static void create_solver(const MultiVector& W, LawGroup& group);
  MultiVector response_matrix() const;
  LawsAtTime laws_of(const LawGroup& group, double time, const std::vector<ContactState>& contacts) const;
  void solve_group(const LawGroup& group, double time, const Vector& b, Vector& reactions,
                   std::vector<ContactState>& contacts) const;
  void solve_immediate(const State& state, const FreeMotion& free, SelectedReactions& selected) const;
  void set_sliding_reactions(const Vector& w_here, LawsAtTime& laws, Vector& b, Vector& r, Vector& x) const;
  Vector law_quantities(const State& state, const FreeMotion& free, const Vector& r) const;
  Vector rates_ahead(const State& state, const FreeMotion& free, const Vector& r) const;
  void project_onto_obstacles(double length, Part& part) const;
  SelectedReactions select_reactions(const State& state, const Vector& r_before,
                                     const std::vector<ContactState>& contacts) const;
  SelectedReactions select_reactions_with(const FreeMotion& free, const State& state, const Vector& r_before,
                                          const std::vector<ContactState>& contacts) const;
  void set_immobile_reactions(double time, const FreeMotion& free, SelectedReactions& selected) const;
  Vector gaps(const FreeMotion& free, const Vector& r) const;
  Vector rates(const FreeMotion& free, const Vector& r) const;
  Point point_at_begin(const NonsmoothState& from) const;
  Part smooth_part(const Point& from, double length, double end) const;
  void select_at(Point& point) const;
  void append_events(const NonsmoothState& from, const NonsmoothState& to,
                     std::vector<ContactEvent>& events) const;

  ExplicitInclusions* owner_;
  double time_step_;
  std::vector<ChainedStage> stages_;
  LawGroup immediate_, sweeping_;
  std::vector<Index> impacts_;
  std::vector<std::size_t> immobile_;  ///< Inclusions whose reactions move no DoF.
  bool friction_on_masses_moves_viscous_ = false;
  ReactionInput<Engine> input_;
  std::optional<Point> last_;  ///< The point at the end of the last step.
};

}  // namespace halfdof
