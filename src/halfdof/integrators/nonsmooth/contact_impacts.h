// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth/reaction_input.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>

#include <optional>
#include <vector>

namespace halfdof::internal {

/**
 * Impacts and position corrections of contacts with mass, in addition to the laws of a step:
 *
 * - With an ImpactLaw other than Newton's, contacts strike at the beginning of a step if they would close
 *   within the first half of the step. These impacts involve only the mass, and the laws of the step have no
 *   restitution.
 * - Position correction (Gear, Leimkuhler and Gupta 1985, as a projection): contacts that end a step at rest
 *   inside their obstacles, g < 0, w = 0, r > 0, are moved back onto the obstacles,
 *   @f[ q_I \leftarrow q_I + M_{II}^{-1} H_I \mu, \qquad 0 \le g + W_I\, \mu \perp \mu \ge 0, @f]
 *   by the smallest displacement in the metric of M; velocities and reactions do not change. Contacts that
 *   rebound are not corrected, because they open without a correction, which would change their energy.
 */
template <class Engine>
class ContactImpacts {
 public:
  /// @param contacts the contacts with mass, as numbers of acting inclusions
  /// @throws NotAvailable if W_I is not formed, or if a state force changes the tangents
  ContactImpacts(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                 std::vector<std::size_t> contacts, const ImpactRules& rules);

  /**
   * Computes the impacts at the beginning of a step. The computation is repeated, because an impact may
   * accelerate a body against another contact that is about to close.
   * @param before relative rates before the impacts
   * @param size size of the displacements of each direction, to which rounding of gaps is relative
   * @param rest the rate up to which rates count as zero
   * @param struck on return whether each acting inclusion had an impulse
   * @return the state after the impacts, or nothing without an impact
   * @throws NoConvergence if the impacts do not end; and as impact_by_law()
   */
  std::optional<NonsmoothState> apply_impacts(const NonsmoothState& from, double step, const Vector& before,
                                              const Vector& size, double rest, std::vector<bool>& struck,
                                              std::vector<ContactEvent>& events) const;

  /// Moves penetrating contacts at rest back onto their obstacles. Other contacts may open by this
  /// correction, but do not penetrate.
  /// @param rests whether each acting inclusion rests on its obstacle
  void correct_positions(const std::vector<bool>& rests, const Vector& size, NonsmoothState& to) const;

 private:
  std::vector<std::size_t> striking(const NonsmoothState& from, double step, const Vector& w,
                                    const Vector& size, double rest, const std::vector<bool>& struck) const;
  Impact solve_impact(const std::vector<std::size_t>& members, const NonsmoothState& from,
                      const Vector& w) const;
  void record_impacts(const NonsmoothState& from, const Vector& before, const Impact& all,
                      const Vector& after, double rest, NonsmoothState& to,
                      std::vector<ContactEvent>& events) const;
  Index normal_of(std::size_t contact) const { return inclusions_.first_direction(contact); }

  Inclusions<Engine> inclusions_;
  MultiVector W_I_;
  std::vector<std::size_t> contacts_;
  ImpactRules rules_;
  ReactionInput<Engine> input_;
};

}  // namespace halfdof::internal
