// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

#include "fibre.h"
#include <vector>

/// A fibre in Weierstrass form, x = (q, q') = T v, with the friction of the slide.
struct FibreModel {
  explicit FibreModel(const Fibre& fibre);

  Fibre fibre;
  halfdof::FirstOrderForm first_order;
  halfdof::WeierstrassForm form;
  halfdof::DifferentiableLoad load;     ///< forces u of the contractile elements, and u'
  halfdof::WeierstrassInclusion slide;  ///< the inclusion with the rate w = q_N' and the friction r
};

/// A motion at evenly spaced times, with one row for each time.
struct FibreMotion {
  halfdof::Vector time;
  halfdof::MultiVector q;  ///< all displacements
  halfdof::MultiVector v;  ///< all rates
  halfdof::Vector r;       ///< friction
  std::vector<halfdof::ContactState> contact;
};

/**
 * Implicit Euler for @f$ \dot v_1 = A_1 v_1 + Z_1 H + B_1 r,\ w = C_1 v_1 + O^T T_2 v_2^H + W_{alg}\, r @f$:
 * with @f$ P = (1 - h A_1)^{-1} @f$ a step is
 * @f[ v_1^{n+1} = P (v_1^n + h Z_1 H^{n+1}) + h P B_1 r, \qquad w = W_h r + b, \quad W_h = W_{alg} + h C_1 P
 * B_1, @f] which OneStepSolver solves. The algebraic part v_2 has no discretization error. The motion starts
 * at rest, and `n_steps` must be a multiple of `n_shown`.
 */
FibreMotion implicit_euler(const FibreModel& model, double end, int n_steps, int n_shown);
