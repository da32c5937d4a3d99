// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <vector>

namespace halfdof::internal {

/// The quantity on which a law is enforced in a step from t_n to t_{n+1} = t_n + h, for each direction.
enum class EnforcedOn {
  end_gap,    ///< The gap g_{n+1}.
  mean_rate,  ///< The mean rate (g_{n+1} - g_n)/h, which needs no F' and includes all slip in the step.
  end_rate,   ///< The rate w_{n+1}.
  impact,     ///< w_{n+1} + e w_n, once the gap is about to close.
};

/// The treatment of one direction in a step.
struct DirectionRule {
  EnforcedOn enforced_on = EnforcedOn::end_gap;
  /// Whether the reaction varies within the step like loads, r = (1 - theta) r_n + theta r_{n+1} at the
  /// stage; otherwise r_{n+1} acts throughout the step, as an impulse h r_{n+1}.
  bool is_blended = false;
};

/// Returns whether a law is enforced on the rate at the end of the step.
inline bool is_enforced_on_rate(const DirectionRule& rule) {
  return rule.enforced_on == EnforcedOn::end_rate || rule.enforced_on == EnforcedOn::impact;
}

/// Returns the rules of implicit Euler: laws are enforced on gaps at the end and on mean rates.
std::vector<DirectionRule> mean_rules(const InclusionOutcome& outcome);

/// Returns the rules of velocity-level schemes. Impacts and friction on inertial DoFs are enforced on the
/// rates at the end of the step, massless contacts and viscous friction on gaps and rates at its end, plays
/// on the mean rate, and sweeping processes on the gap with an impulse.
/// @throws NotAvailable if the reactions of a contact move half DoFs in some combinations and only masses in
/// others
std::vector<DirectionRule> velocity_rules(const InclusionOutcome& outcome);

/// Treatment of contacts with mass in addition to the laws of a step.
struct ImpactRules {
  ImpactLaw law = ImpactLaw::newton;
  bool corrects_positions = false;

  bool are_plain() const { return law == ImpactLaw::newton && !corrects_positions; }
};

/// What distinguishes one method of StageIntegrator from the others.
struct StageRules {
  std::vector<DirectionRule> directions;  ///< One for each direction.
  double sigma_h, theta;                  ///< The coefficients: sigma = sigma_h / h, and theta.
  ImpactRules impacts = {};
};

/**
 * Refuses unsymmetric models in which the motion of half DoFs would alternate from step to step. If
 * theta < 1, the motion of half DoFs at the end of a step is computed from means over the step. This is
 * correct only if the forces on half DoFs are such means. Reactions that act throughout a step change
 * accelerations a of masses and, in sweeping processes, rates c of viscous DoFs; in unsymmetric models these
 * cause forces on half DoFs,
 * @f[ p_K = M_{KI}\, a + C_{KC}\, c, \qquad p_C = M_{CI}\, a, \qquad (a;\ c;\ k) = D^{-1} H r, @f]
 * which would alternate from step to step. The check costs nothing if D is block triangular (p = 0),
 * otherwise a solve with D for each direction. Collective.
 * @throws NotAvailable for such a model, with the names of the inclusions
 */
template <class Engine>
void require_means(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                   const std::vector<DirectionRule>& rules);

}  // namespace halfdof::internal
