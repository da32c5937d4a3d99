// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

/// A steady hysteresis loop under a load that alternates between -amplitude and amplitude.
struct Loop {
  std::string name = {};
  halfdof::GlobalIndex n_states = 0;
  halfdof::Vector displacement = {}, force = {};                ///< the integrated loop of one period
  halfdof::Vector masing_displacement = {}, masing_force = {};  ///< the closed form at the same points
  double energy = 0, closed_form = 0;  ///< energy dissipated in a period, and its closed form

  /// Returns the largest distance between the integrated loop and the closed form, relative to the
  /// amplitudes.
  double distance() const;
};

/**
 * Computes the loops of massless springs and dry friction elements for which closed forms are known. By
 * Masing's rule (1926), both branches of a loop are the curve of first loading B (the backbone), rotated and
 * enlarged by the factor two,
 * @f[ F = \pm\bigl( B(X) - 2 B(\tfrac{X \mp x}{2}) \bigr). @f]
 * - Jenkins element: a spring k in series with a friction element alpha, B = min(k x, alpha). The energy of
 * the loop
 *   is 4 alpha (X - alpha/k).
 * - Iwan's parallel model (1966): parallel Jenkins elements. Backbones and energies are sums over the
 * elements. - Chain: n elements alpha between springs k in series, pulled at the free end by a force of
 * amplitude
 *   P < (n + 1) alpha. The elements slip one after the other, x = B(P) = sum_i (P - i alpha)^+ / k. The
 *   energy of the loop is sum_i 4 i alpha (P - i alpha)^+ / k.
 */
std::vector<Loop> hysteresis_loops();
