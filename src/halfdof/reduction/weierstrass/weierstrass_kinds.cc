// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/reduction/weierstrass/weierstrass_kinds.h>

#include <limits>

namespace halfdof::internal {

namespace {

/// Changes coordinates so that directions of different kinds are orthogonal, as in KernelCoordinates: q_C +
/// a q_I + a_b q_b replaces q_C, and q_I + beta q_b replaces q_I.
void make_directions_orthogonal(WeierstrassGroup& inertial, WeierstrassGroup& rate_constrained,
                                WeierstrassGroup& viscous) {
  const auto orthogonal_to_viscous = [&](const MultiVector& S) -> MultiVector {
    return S - viscous.S * least_squares(viscous.S, S);
  };
  const MultiVector beta =
      least_squares(orthogonal_to_viscous(inertial.S), orthogonal_to_viscous(rate_constrained.S));
  inertial.X += rate_constrained.X * beta.transpose();
  rate_constrained.S -= inertial.S * beta;
  const MultiVector a = least_squares(viscous.S, inertial.S),
                    a_b = least_squares(viscous.S, rate_constrained.S);
  viscous.X += inertial.X * a.transpose() + rate_constrained.X * a_b.transpose();
  inertial.S -= viscous.S * a;
  rate_constrained.S -= viscous.S * a_b;
}

/// Normalizes the directions of a group: to the identity on the DoFs of the group if the directions are
/// well conditioned on these DoFs, otherwise to an orthonormal basis.
void normalize(WeierstrassGroup& group, double rounding) {
  if (group.S.cols() == 0) return;
  const auto change = [&](const MultiVector& B) {  // replaces S by S B^{-1} and X by X B^T
    group.S = solve_dense(B.transpose(), group.S.transpose()).transpose();
    group.X = (group.X * B.transpose()).eval();
  };
  change(orthonormal_range(group.S).transpose() * group.S);
  constexpr double well_conditioned = 0.1;
  const MultiVector at_places = group.S(group.places, Eigen::all);
  if (reciprocal_condition(at_places) > well_conditioned) change(at_places);
  group.S = with_exact_zeros(group.S, rounding * largest_entry(group.S));
}

/// Assigns a different DoF to each coordinate of all groups, in the order of the groups.
void assign_dofs(const std::vector<WeierstrassGroup*>& groups) {
  std::vector<MultiVector> remaining;
  for (const WeierstrassGroup* const group : groups)
    remaining.push_back(group->S);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g]->places = independent_rows(remaining[g]);
    const MultiVector at_places = remaining[g](groups[g]->places, Eigen::all);
    for (std::size_t later = g + 1; later < groups.size(); ++later) {
      const MultiVector of_later = remaining[later](groups[g]->places, Eigen::all);
      remaining[later] -= remaining[g] * least_squares(at_places, of_later);
    }
  }
}

}  // namespace

std::optional<WeierstrassKinds> weierstrass_kinds(const WeierstrassResponse& response,
                                                  const KnownForces& forces) {
  const MultiVector G_0 = response.G[0] * forces.projection, B_1 = response.B_1 * forces.projection;
  const MultiVector& T_q = response.T_q;
  const double of_T_q = T_q.norm();
  // W spans the displacements without instantaneous effect of forces; with_rates splits these displacements
  // by whether forces change their rates.
  const MultiVector W =
      split_range(G_0, response.size_of_G, response.rounding, "the response of displacements to forces").rest;
  const RangeSplit with_rates = split_range(W.transpose() * T_q * B_1, of_T_q * B_1.norm(), response.rounding,
                                            "the response of rates to forces");
  const MultiVector U =
      split_range(W.transpose() * T_q, of_T_q, response.rounding, "the displacements of states").range;
  const MultiVector rows = U.transpose() * (W.transpose() * T_q);  // linearly independent rows
  const MultiVector row_space =
      split_range(rows.transpose(), rows.norm(), response.rounding, "the displacements of states").range;

  // Displacements that do not depend on the states are removed, because their rates would be only rounding
  // errors.
  const MultiVector without_rates = W * with_rates.rest,
                    W_I = without_rates * split_range(without_rates.transpose() * T_q, of_T_q,
                                                      response.rounding, "the displacements without rates")
                                              .range;
  const MultiVector rates = W_I.transpose() * T_q * response.A_1 / response.rate,
                    own = rates - (rates * row_space) * row_space.transpose();
  const Vector sizes_of_T_q = W_I.cwiseAbs().transpose() * T_q.rowwise().norm();
  const MultiVector terms = (W_I.transpose() * T_q).cwiseAbs() * response.sizes_of_A_1 +
                            sizes_of_T_q * response.A_1.colwise().norm() / response.rate;
  const double of_terms = unit_roundoff * static_cast<double>(response.n()) * terms.norm();
  const RangeSplit split = split_range(own, rates.norm(), response.rounding, "the rates of states", of_terms);
  const auto n_I = static_cast<Index>(split.range.cols());
  if (response.n_states() != rows.rows() + n_I) return std::nullopt;

  const MultiVector X_I = W_I * split.range, X_b = W_I * split.rest;
  // X_C completes X_I and X_b to all displacements of states in W: it is orthogonal to both in terms of rows.
  const MultiVector in_rows =
      least_squares(rows.transpose(), (side_by_side({X_I, X_b}).transpose() * T_q).transpose());
  const MultiVector X_C = W * U *
                          split_range(in_rows, in_rows.norm(), response.rounding,
                                      "the inertial displacements and those with constrained rates")
                              .rest;

  const MultiVector Y_I = X_I.transpose() * T_q, X_d = side_by_side({X_I, X_b, X_C}),
                    Y = stacked({X_d.transpose() * T_q, Y_I * response.A_1});
  // There is no result if ambiguous ranks contradict one another.
  const Vector inverse_sizes = Y.rowwise().norm().cwiseMax(std::numeric_limits<double>::min()).cwiseInverse();
  const auto inverse = Y.rows() == Y.cols() ? inverse_of(inverse_sizes.asDiagonal() * Y) : std::nullopt;
  if (!inverse) return std::nullopt;
  const MultiVector P = *inverse * inverse_sizes.asDiagonal();
  const auto P_d = P.leftCols(X_d.cols()), P_v = P.rightCols(n_I);
  // Each block is scaled by the size of its terms, so that rounding is the same fraction of both blocks.
  const auto relative = [](const MultiVector& A, double size) -> MultiVector {
    return size > 0 ? MultiVector(A / size) : A;
  };
  const MultiVector S_K =
      split_range(side_by_side({relative(T_q * P_v, of_T_q * P_v.norm()), relative(G_0, response.size_of_G)}),
                  1, response.rounding, "the algebraic displacements")
          .range;
  if (X_d.cols() + S_K.cols() > response.n()) return std::nullopt;
  MultiVector S_d = T_q * P_d;
  S_d -= S_K * (S_K.transpose() * S_d).eval();
  WeierstrassKinds kinds{{X_I, S_d.leftCols(n_I)},
                         {X_b, S_d.middleCols(n_I, X_b.cols())},
                         {X_C, S_d.rightCols(X_C.cols())},
                         {S_K, S_K},
                         {}};
  make_directions_orthogonal(kinds.inertial, kinds.rate_constrained, kinds.viscous);
  const std::vector<WeierstrassGroup*> groups = {&kinds.algebraic, &kinds.inertial, &kinds.rate_constrained,
                                                 &kinds.viscous};
  assign_dofs(groups);
  for (WeierstrassGroup* const group : groups)
    normalize(*group, response.rounding);
  const MultiVector of_I = kinds.inertial.X.transpose() * T_q;
  kinds.Y = stacked({of_I, kinds.rate_constrained.X.transpose() * T_q, kinds.viscous.X.transpose() * T_q,
                     of_I * response.A_1});
  return kinds;
}

}  // namespace halfdof::internal
