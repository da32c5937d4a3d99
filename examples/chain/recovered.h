// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>

#include "chain.h"

/**
 * All quantities that Bastien and Lamarque (2009) eliminate, computed from a state of the reduced system. The
 * displacements v, x and the reactions g of the St-Venant elements follow from lift() and reactions(). The
 * reactions at nodes 0 and n + 1 are the residuals of the assembled equations,
 * @f[ M\ddot q + C\dot q + K q - f - H r = (F_0, 0, \dots, 0, -F_{n+1}). @f]
 */
struct RecoveredQuantities {
  halfdof::Vector v;  ///< v_1 ... v_n
  double x;           ///< displacement of the right end
  halfdof::Vector u,
      f;  ///< elongations of the springs 0 ... n, and their forces, which are positive in compression
  halfdof::Vector g;  ///< friction
  double F_0, F_end;  ///< reactions at both ends; F_end = F_{n+1} is positive to the left, opposite to F_0
  double violation;   ///< largest violation of (2.3a) and (2.3e)-(2.3g), relative to the largest force
};

RecoveredQuantities recover(const Chain& chain,
                            const halfdof::NonsmoothObservation<halfdof::EigenEngine>& now);
