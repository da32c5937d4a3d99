// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <vector>

namespace halfdof::internal {

/// The quantity on which a law is enforced in a step from t_n to t_{n+1} = t_n + h, for each direction.
enum class EnforcedOn {
  end_gap,    ///< The gap g_{n+1} at the end of the step.
  mean_rate,  ///< The mean rate (g_{n+1} - g_n)/h, which needs no F' and includes all slip in the step.
  end_rate,   ///< The rate w_{n+1} at the end of the step.
  impact,     ///< Newton's impact law for w_{n+1} + e w_n, in steps in which the gap is about to close.
};

/// The treatment of one direction in a step.
struct DirectionRule {
  EnforcedOn enforced_on = EnforcedOn::end_gap;
  /// Whether the reaction at the stage is the blend (1 - theta) r_n + theta r_{n+1} of the reactions at both
  /// ends, like the loads. Otherwise r_{n+1} acts throughout the step, with the impulse h r_{n+1}.
  bool is_blended = false;
};

/// Returns whether a law is enforced on the rate at the end of the step.
inline bool is_enforced_on_rate(const DirectionRule& rule) {
  return rule.enforced_on == EnforcedOn::end_rate || rule.enforced_on == EnforcedOn::impact;
}

/// Returns the rules of the implicit Euler method, in which laws are enforced on gaps at the end of the step
/// and on mean rates.
std::vector<DirectionRule> mean_rules(const InclusionOutcome& outcome);

/// Returns the rules of velocity-level schemes. Impacts, friction on inertial DoFs and viscous friction are
/// enforced on the rates at the end of the step, massless contacts on the gaps at the end of the step, plays
/// on the mean rate, and sweeping processes on the gap at the end of the step with an impulse.
/// @throws NotAvailable if the reactions of a contact move half DoFs in some combinations and only masses in
/// others
std::vector<DirectionRule> velocity_rules(const InclusionOutcome& outcome);

/// The treatment of contacts with mass in addition to the laws of a step.
struct ImpactRules {
  ImpactLaw law = ImpactLaw::newton;
  bool corrects_positions = false;  ///< Whether penetrating contacts at rest are moved onto their obstacles.

  bool are_plain() const { return law == ImpactLaw::newton && !corrects_positions; }
};

/// The rules and coefficients that define one method of StageIntegrator.
struct StageRules {
  std::vector<DirectionRule> directions;  ///< The rules of all directions.
  double sigma_h, theta;                  ///< The coefficients of the stage, sigma = sigma_h / h and theta.
  ImpactRules impacts = {};
};

/**
 * Refuses unsymmetric models in which the motion of half DoFs would alternate from step to step. If
 * theta < 1, the motion of half DoFs at the end of a step is computed from weighted means of both ends. The
 * result is correct only if the forces on half DoFs are such means. Reactions that act throughout a step
 * change accelerations a of masses and, in sweeping processes, rates c of viscous DoFs. In unsymmetric models
 * these accelerations and rates cause forces on half DoFs,
 * @f[ p_K = M_{KI}\, a + C_{KC}\, c, \qquad p_C = M_{CI}\, a, \qquad (a;\ c;\ k) = D^{-1} H r, @f]
 * which would alternate from step to step. If D is block triangular, these forces are zero and the check
 * costs nothing; otherwise the check costs a solve with D for each direction. Collective.
 * @throws NotAvailable for such a model, with the names of the inclusions
 */
template <class Engine>
void require_mean_forces_on_half_dofs(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                      const std::vector<DirectionRule>& rules);

}  // namespace halfdof::internal
