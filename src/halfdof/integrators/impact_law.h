#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

/**
 * @file
 * Laws of impacts. At an instant at which contacts touch, impulses p make of the relative rates w- before it
 * @f[ w^+ = w^- + W p, \qquad W = H^T M^{-1} H, \qquad (1) @f]
 * those after it. Normal impulses push, p_n >= 0, and tangential ones obey Coulomb's law, |p_t| <= mu p_n,
 * p_t = -mu p_n w_t / |w_t| where w_t is not zero.
 *
 * - Newton: @f$ 0 \le w_n^+ + e\, w_n^- \perp p_n \ge 0 @f$, all contacts at once.
 * - Poisson (Glocker and Pfeiffer 1995, without tangential restitution): compression ends with
 *   @f$ 0 \le w_n^C \perp p_n^C \ge 0 @f$, w^C = w^- + W p^C; expansion gives back at least the part e,
 *   @f$ 0 \le w_n^+ \perp p_n^E - e\, p_n^C \ge 0 @f$, w^+ = w^C + W p^E, p = p^C + p^E. Coulomb's law
 *   holds in each phase.
 * - Sequential: one contact after the other, the one that approaches fastest (of equally fast ones the
 *   first), alone by Newton's law, until none approaches: a cradle of equal balls passes its motion on to the
 *   last one. Contacts of equal rates at one body make the result depend on their order.
 */
namespace halfdof {

enum class ImpactLaw { newton, poisson, sequential };

/// "newton", "poisson", "sequential"
const char* name_of(ImpactLaw law);

/// A contact that takes part in an impact.
struct ImpactContact {
  std::string name;
  Index dimension;      ///< 1, or with friction 2 or 3: the normal first, then tangents
  double restitution;   ///< e
  double friction = 0;  ///< mu at this instant
};

/// What an impact does. Shapes: m
struct Impact {
  Vector impulses;    ///< p
  Vector dissipated;  ///< -int w.dp of each direction; of a sequence, the sum of its impacts [energy]
};

/**
 * The impact with p of (1). Shapes: W m x m, w m, with the directions of the contacts one after the other.
 * @param w w-, before the impact
 * @throws NoReactions if a law is not met
 * @throws NoConvergence if a sequence of impacts does not end
 * @throws NotAvailable if impulses of Poisson's law or of a sequence would add energy, which coefficients of
 * restitution that differ may make them do
 */
Impact impact_by_law(ImpactLaw law, const std::vector<ImpactContact>& contacts, const MultiVector& W,
                     const Vector& w);

}  // namespace halfdof
