// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/given_motion.h>
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <Eigen/SparseCore>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof::internal {

/// A system of n free DoFs with dense matrices:
/// M q'' + C q' + K q = f + J_b b - M_D q_D'' - C_D q_D' - K_D q_D.
struct DenseFreeSystem {
  MultiVector M, C, K;
  MultiVector M_D, C_D, K_D;  ///< columns of constrained DoFs: n x constrained DoFs
  /// The free equation of each right side b_k. There is no value if the right side belongs to no free
  /// equation.
  std::vector<std::optional<Index>> b_equations;
};

/**
 * The data of a ConstrainedForm, (3) of WeierstrassCoordinates, in the given units, with coordinates in the
 * order of their DoFs.
 */
struct WeierstrassEquations {
  using Sparse = Eigen::SparseMatrix<double>;

  std::vector<Index> places;   ///< free DoFs whose numbers the coordinates take, ascending
  std::vector<DoFKind> kinds;  ///< kinds of the coordinates, in this order
  Sparse S, X, Z;              ///< n x coordinates
  Sparse M, C, K;
  TimeCombination offset, load;

  Sparse S_b, rate_rows;
  TimeCombination constrained_rates;
  Sparse L;
  std::function<Vector(const Vector& q, const Vector& v, double time)> states;
  Index nilpotency_index = 0;  ///< nilpotency index of smallest_form()
};

/**
 * Computes the coordinates and equations.
 * @param units Factors of the units in which all ranks are decided @param given The given motions u = (q_D,
 * b)
 * @throws NotAvailable above options.max_order; SingularPencil; AmbiguousRank
 */
WeierstrassEquations weierstrass_equations(const DenseFreeSystem& system, const UnitFactors& units,
                                           const GivenMotion& given, const WeierstrassOptions& options);

}  // namespace halfdof::internal
