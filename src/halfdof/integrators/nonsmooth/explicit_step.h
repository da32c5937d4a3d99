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

/// A stage, at t + c h and with weight b, of a Runge-Kutta method in which each stage depends only on the
/// previous one.
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

/// The stages of a method, and the selection of the reactions in them.
template <class Engine>
struct ExplicitInclusions<Engine>::Implementation {
  Implementation(ExplicitInclusions& owner, const char* name, double time_step,
                 const std::vector<ChainedStage>& stages, std::vector<ReducedLaw> others);

  const Inclusions<Engine>& inclusions() const { return owner_->inclusions(); }
  const InclusionOutcome& outcome() const { return owner_->outcome(); }

  /// Inclusions whose reactions are computed together.
  struct Group {
    std::vector<std::size_t> inclusions;
    std::vector<NamedLaw> laws;
    std::vector<Index> directions;
    std::vector<DoFKind> kinds;  ///< The kinds that decide the directions.
    std::unique_ptr<InstantaneousLawProblem> solver;
  };
  /// The reactions of a stage, and the gaps, rates, y' and contact states that they cause.
  struct Selected {
    Vector r, gaps, rates, y_rate;
    std::vector<ContactState> contacts;
  };
  Group group_of(const std::vector<ReducedLaw>& reduced_laws) const;
  static void solve_with(const MultiVector& W, Group& group);
  MultiVector response_matrix() const;
  LawsAtTime laws_of(const Group& group, double time, const std::vector<ContactState>& contacts) const;
  void solve_group(const Group& group, double time, const Vector& b, Vector& reactions,
                   std::vector<ContactState>& contacts) const;
  void solve_immediate(const State& state, const FreeMotion& free, Selected& selected) const;
  void set_sliding_reactions(const Vector& w_here, LawsAtTime& laws, Vector& b, Vector& r, Vector& x) const;
  Vector law_quantities(const State& state, const FreeMotion& free, const Vector& r) const;
  Vector rates_ahead(const State& state, const FreeMotion& free, const Vector& r) const;
  void project_sweeping(double length, Part& part) const;
  Selected select(const State& state, const Vector& r_before,
                  const std::vector<ContactState>& contacts) const;
  Selected select_with(const FreeMotion& free, const State& state, const Vector& r_before,
                       const std::vector<ContactState>& contacts) const;
  void set_unmoved_reactions(double time, const FreeMotion& free, Selected& selected) const;
  Vector gaps(const FreeMotion& free, const Vector& r) const;
  Vector rates(const FreeMotion& free, const Vector& r) const;
  Point begin_at(const NonsmoothState& from) const;
  Part smooth_part(const Point& from, double length, double end) const;
  void select_at(Point& point) const;
  void report(const NonsmoothState& from, const NonsmoothState& to, std::vector<ContactEvent>& events) const;

  ExplicitInclusions* owner_;
  double time_step_;
  std::vector<ChainedStage> stages_;
  Group immediate_, sweeping_;
  std::vector<Index> impacts_;
  std::vector<std::size_t> unmoved_;  ///< Inclusions whose reactions move nothing.
  bool friction_on_masses_moves_viscous_ = false;
  ReactionInput<Engine> input_;
  std::optional<Point> last_;  ///< The end of the last step.
};

}  // namespace halfdof
