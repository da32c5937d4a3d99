#pragma once

#include <halfdof/assembled/given_motion.h>
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/reduction/weierstrass_form.h>

#include <Eigen/SparseCore>

#include <functional>
#include <optional>
#include <vector>

namespace halfdof {

/// A system of n free DoFs, dense: M q'' + C q' + K q = f + J_b b - M_D q_D'' - C_D q_D' - K_D q_D.
struct DenseFreeSystem {
  MultiVector M, C, K;
  MultiVector M_D, C_D, K_D;                      ///< n x constrained DoFs
  std::vector<std::optional<Index>> b_equations;  ///< where each right side stands; none: in no free equation
};

/**
 * (3) of WeierstrassCoordinates: what a ConstrainedForm holds, in the units given, with coordinates in the
 * order of their places.
 */
struct WeierstrassEquations {
  using Sparse = Eigen::SparseMatrix<double>;

  std::vector<Index> places;   ///< free DoFs, ascending
  std::vector<DoFKind> kinds;  ///< of the coordinates there
  Sparse S, X, Z;              ///< n x coordinates
  Sparse M, C, K;
  TimeCombination offset, load;

  Sparse S_b, rate_rows;
  TimeCombination bound_rates;
  Sparse L;
  std::function<Vector(const Vector& q, const Vector& v, double time)> states;
  Index nilpotency_index = 0;  ///< of smallest_form()
};

/**
 * @param units in which all is done
 * @throws NotAvailable above options.max_order; SingularPencil; AmbiguousRank
 */
WeierstrassEquations weierstrass_equations(const DenseFreeSystem& system, const UnitFactors& units,
                                           const GivenMotion& given, const WeierstrassOptions& options);

}  // namespace halfdof
