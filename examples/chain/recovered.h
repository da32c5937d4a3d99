// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>

#include "chain.h"

/**
 * Everything that Bastien and Lamarque (2009) eliminate, put back from a state of the reduced system:
 * displacements v, x and reactions g of the St-Venant elements by lift() and reactions(), and what holds
 * nodes 0 and n + 1 as the rows that the assembled equations leave over there,
 * @f[ M\ddot q + C\dot q + K q - f - H r = (F_0, 0, \dots, 0, -F_{n+1}). @f]
 */
struct Recovered {
  halfdof::Vector v;     ///< v_1 ... v_n
  double x;              ///< displacement of the right end
  halfdof::Vector u, f;  ///< elongations and forces of the springs 0 ... n, positive where they push
  halfdof::Vector g;     ///< friction
  double F_0, F_end;     ///< reactions at both ends; F_end = F_{n+1} is positive to the left, opposite to F_0
  double violation;      ///< largest one of (2.3a) and (2.3e)-(2.3g), relative to the largest force
};

Recovered recover(const Chain& chain, const halfdof::NonsmoothObservation<halfdof::EigenEngine>& now);
