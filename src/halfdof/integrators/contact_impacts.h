#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/integrators/reaction_input.h>

#include <optional>
#include <vector>

namespace halfdof {

/// What contacts with mass do beyond the laws of a step.
struct ImpactRules {
  ImpactLaw law = ImpactLaw::newton;
  bool corrects_positions = false;

  bool are_plain() const { return law == ImpactLaw::newton && !corrects_positions; }
};

/**
 * Impacts and positions of contacts with mass, apart from the laws of a step:
 *
 * - With another ImpactLaw than Newton's contacts strike at the beginning of a step, by the mass alone, if
 *   they would close within half of it; the rest of the step knows no restitution.
 * - Corrected positions (Gear, Leimkuhler and Gupta 1985, as a projection): contacts that end a step at rest
 *   inside their obstacles, g < 0, w = 0, r > 0, are put back,
 *   @f[ q_I \leftarrow q_I + M_{II}^{-1} H_I \mu, \qquad 0 \le g + W_I\, \mu \perp \mu \ge 0, @f]
 *   by the least displacement in the metric of M; velocities and reactions stay. Contacts that rebound leave
 *   by themselves, and keep their energy.
 */
template <class Engine>
class ContactImpacts {
 public:
  /// @param contacts acting inclusions: those with mass
  /// @throws NotAvailable where W_I is not formed, or a state force changes the tangents
  ContactImpacts(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                 std::vector<std::size_t> contacts, const ImpactRules& rules);

  /**
   * Impacts at the beginning of a step. What they send against contacts that are about to close strikes
   * these in turn.
   * @param before relative rates @param size of displacements, which rounding of gaps is relative to @param
   * rest rates that are rounding @param struck on return the acting inclusions that had an impulse
   * @return the state behind the impacts, if there are any
   * @throws NoConvergence where they do not end; as impact_by_law()
   */
  std::optional<NonsmoothState> strike(const NonsmoothState& from, double step, const Vector& before,
                                       const Vector& size, double rest, std::vector<bool>& struck,
                                       std::vector<ContactEvent>& events) const;

  /// Puts contacts that rest inside their obstacles back; those beside them may open, but not close by that.
  /// @param rests acting inclusions
  void correct_positions(const std::vector<bool>& rests, const Vector& size, NonsmoothState& to) const;

 private:
  std::vector<std::size_t> striking(const NonsmoothState& from, double step, const Vector& w,
                                    const Vector& size, double rest, const std::vector<bool>& struck) const;
  Impact impact_of(const std::vector<std::size_t>& members, const NonsmoothState& from,
                   const Vector& w) const;
  void report(const NonsmoothState& from, const Vector& before, const Impact& all, const Vector& after,
              double rest, NonsmoothState& to, std::vector<ContactEvent>& events) const;
  Index normal_of(std::size_t contact) const { return inclusions_.first_direction(contact); }

  Inclusions<Engine> inclusions_;
  MultiVector W_I_;
  std::vector<std::size_t> contacts_;
  ImpactRules rules_;
  ReactionInput<Engine> input_;
};

}  // namespace halfdof
