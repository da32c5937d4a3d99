// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

/// A steady hysteresis loop under a load that swings between -amplitude and amplitude.
struct Loop {
  std::string name = {};
  halfdof::GlobalIndex n_states = 0;
  halfdof::Vector displacement = {}, force = {};                ///< as integrated, one period
  halfdof::Vector masing_displacement = {}, masing_force = {};  ///< the closed form at the same points
  double energy = 0, closed_form = 0;                           ///< dissipated in a period

  /// Between the two curves, relative to the amplitude.
  double distance() const;
};

/**
 * Compositions of springs and dry friction elements without mass whose loops are known in closed form. A
 * backbone B, the curve of first loading, gives both branches by Masing's rule (1926): they are B, turned and
 * twice as large,
 * @f[ F = \pm\bigl( B(X) - 2 B(\tfrac{X \mp x}{2}) \bigr). @f]
 * - Jenkins element: a spring k in series with a friction element alpha, B = min(k x, alpha); the loop takes
 *   4 alpha (X - alpha/k).
 * - Iwan's parallel model (1966): Jenkins elements side by side; backbones and energies add up.
 * - Chain: n elements alpha in series between springs k, pulled at its free end by P < (n + 1) alpha. One
 *   element after the other slips, x = B(P) = sum_i (P - i alpha)^+ / k; the loop takes
 *   sum_i 4 i alpha (P - i alpha)^+ / k.
 */
std::vector<Loop> hysteresis_loops();
