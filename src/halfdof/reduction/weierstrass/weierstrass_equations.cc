// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/reduction/weierstrass/weierstrass_equations.h>
#include <halfdof/reduction/weierstrass/weierstrass_kinds.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse sparse(const MultiVector& A) {
  return Sparse(A.sparseView());
}

/// Returns the known forces d = L^T F in terms of the given motions u = (q_D, b), in units of forces.
TimeCombination values_of_known_forces(const DenseFreeSystem& system, const Vector& units_of_rows,
                                       const GivenMotion& given, const KnownForces& forces) {
  if (given.size() == 0) return {};
  const Eigen::Index n = system.K.rows();
  MultiVector b = MultiVector::Zero(n, given.n_right_sides());
  for (Index k = 0; k < given.n_right_sides(); ++k)
    if (const std::optional<Index> equation = system.b_equations[static_cast<std::size_t>(k)])
      b(*equation, k) = 1;
  const auto known = [&](const MultiVector& of_supports, const MultiVector& of_b) {
    MultiVector all = MultiVector::Zero(n, given.size());
    if (given.n_supports() > 0) all.leftCols(given.n_supports()) = -of_supports;
    all.rightCols(given.n_right_sides()) = of_b;
    return sparse(
        product_with_exact_zeros(forces.L.transpose(), MultiVector(units_of_rows.asDiagonal() * all)));
  };
  const MultiVector none = MultiVector::Zero(n, given.n_right_sides());
  return {{known(system.K_D, b), known(system.C_D, none), known(system.M_D, none)}};
}

/// The DoFs whose numbers the coordinates take, and the permutation of coordinates from the order (I, C, K)
/// to the order of DoFs.
struct CoordinatePlaces {
  std::vector<Index> dofs;   ///< free DoFs in ascending order
  std::vector<Index> order;  ///< position of each coordinate in the order (I, C, K)
  std::vector<DoFKind> kinds;

  explicit CoordinatePlaces(const WeierstrassKinds& of) {
    std::vector<std::pair<Index, DoFKind>> all;
    const auto add = [&](const WeierstrassGroup& some, DoFKind kind) {
      for (const Index dof : some.places)
        all.emplace_back(dof, kind);
    };
    add(of.inertial, DoFKind::inertial);
    add(of.rate_constrained, DoFKind::viscous);
    add(of.viscous, DoFKind::viscous);
    add(of.algebraic, DoFKind::algebraic);
    order.resize(all.size());
    std::iota(order.begin(), order.end(), 0);
    const auto place = [&](Index i) { return all[static_cast<std::size_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](Index i, Index j) { return place(i).first < place(j).first; });
    for (const Index i : order) {
      dofs.push_back(place(i).first);
      kinds.push_back(place(i).second);
    }
  }
};

/// The coordinates and equations (2) and (3) of WeierstrassCoordinates in scaled units. Coordinates and
/// states have the order (I, C, K).
struct ScaledCoordinates {
  MultiVector S, X, Z_T, M, C, K;
  TimeCombination offset, load;
  MultiVector Y_of_d;  ///< the matrix - Y Gamma, by which d acts on the states
};

/// Returns X with X^T S = I. The columns of X are also orthogonal to the offsets o if that is possible.
MultiVector dual(const MultiVector& S, const MultiVector& X, const MultiVector& of_offset, double rounding) {
  if (of_offset.cols() == 0) return X;
  MultiVector all(S.rows(), S.cols() + of_offset.cols());
  all << S, of_offset;
  if (split_range(all, all.norm(), rounding, "the coordinates S and the offsets by known forces")
          .range.cols() < all.cols())
    return X;
  const MultiVector inverse = least_squares(all, MultiVector::Identity(S.rows(), S.rows()));
  return inverse.topRows(S.cols()).transpose();
}

/// Returns combinations R of the equations after which forces on algebraic coordinates appear only in the
/// equations of these coordinates, and forces on viscous coordinates in no equation of inertial
/// coordinates. The remaining coupling is by C and K, as in usual models. Forces that are nearly parallel
/// are not separated, because separation would magnify rounding errors.
MultiVector separating_rows(const MultiVector& Z_T, const WeierstrassKinds& kinds) {
  constexpr double nearly_parallel = 1e-6;
  const Index n_I = kinds.n_I(), n_b = kinds.n_b(), n_d = n_I + kinds.n_C(),
              n = static_cast<Index>(Z_T.rows());
  MultiVector R = MultiVector::Identity(n, n);
  const auto separate = [&](Index first, Index n_rows, Index first_of_others) {
    const MultiVector rows = R * Z_T, part = rows.middleRows(first, n_rows).transpose();
    MultiVector others = rows.bottomRows(n - first_of_others).transpose();
    const Vector sizes = Z_T.bottomRows(n - first_of_others).rowwise().norm(),
                 inverse_sizes = (sizes.array() > 0).select(sizes.cwiseInverse(), 0.);
    others = others * inverse_sizes.asDiagonal();
    const MultiVector factors = least_squares(others, part, nearly_parallel / others.norm());
    R.middleRows(first, n_rows) -=
        (inverse_sizes.asDiagonal() * factors).transpose() * R.bottomRows(n - first_of_others).eval();
  };
  separate(n_I + n_b, n_d - n_I - n_b, n_d);
  separate(0, n_I, n_I + n_b);
  return R;
}

ScaledCoordinates coordinates_of(const WeierstrassResponse& response, const KnownForces& forces,
                                 const WeierstrassKinds& kinds, const TimeCombination& d) {
  const Index n_I = kinds.n_I(), n_C = kinds.n_C(), n_K = kinds.n_K(), n_d = n_I + n_C, n = n_d + n_K;
  const MultiVector &A_1 = response.A_1, &T_q = response.T_q, &S_K = kinds.algebraic.S;
  const MultiVector X_K_T = kinds.algebraic.X.transpose();
  const MultiVector G_0 = response.G[0] * forces.projection, B_1 = response.B_1 * forces.projection,
                    B_d = response.B_1 * forces.dual;
  const MultiVector P = solve_dense(kinds.Y, MultiVector::Identity(kinds.Y.rows(), kinds.Y.rows()));
  const auto P_v = P.rightCols(n_I);
  const MultiVector Y_v = kinds.Y.bottomRows(n_I), Y_C = kinds.Y.middleRows(n_I, n_C),
                    Y_x = stacked({Y_v, Y_C});

  ScaledCoordinates found;
  found.S = side_by_side({kinds.inertial.S, kinds.rate_constrained.S, kinds.viscous.S, S_K});
  const MultiVector from_states = product_with_exact_zeros(
      stacked({product_with_exact_zeros(Y_x, A_1), product_with_exact_zeros(X_K_T, T_q)}), P);
  found.M = MultiVector::Zero(n, n);
  found.M.topLeftCorner(n_I, n_I).setIdentity();
  found.C = MultiVector::Zero(n, n);
  found.C.leftCols(n_I) = -from_states.rightCols(n_I);
  found.C.block(n_I, n_I, n_C, n_C).setIdentity();
  found.K = MultiVector::Zero(n, n);
  found.K.leftCols(n_d) = -from_states.leftCols(n_d);
  found.K.bottomRightCorner(n_K, n_K).setIdentity();
  found.Z_T = stacked({product_with_exact_zeros(Y_x, B_1), product_with_exact_zeros(X_K_T, G_0)});

  // Rates that follow from displacements do not depend on rates or on forces.
  found.C.block(n_I, 0, kinds.n_b(), n_I).setZero();
  found.Z_T.middleRows(n_I, kinds.n_b()).setZero();

  // The contribution of d to the finite part is moved to the offset o, so that q_I' = v_I.
  const MultiVector v_of_d = kinds.inertial.X.transpose() * T_q * B_d, Gamma = -P_v * v_of_d;
  found.Y_of_d = MultiVector::Zero(response.n_states(), B_d.cols());
  found.Y_of_d.bottomRows(n_I) = v_of_d;
  const MultiVector none = MultiVector::Zero(n_K, B_d.cols());
  found.load = sparse(stacked({Y_x * Gamma, none})) * d.derivative() -
               sparse(stacked({Y_x * (A_1 * Gamma + B_d), none})) * d;
  TimeCombination derivative = d;
  MultiVector offsets(T_q.rows(), 0);
  for (std::size_t k = 0; k < response.G.size(); ++k) {
    MultiVector of_d = response.G[k] * forces.dual;
    if (k == 0) of_d += T_q * Gamma;
    const double size = largest_entry(of_d);
    const MultiVector of_d_K = product_with_exact_zeros(X_K_T, of_d),
                      rest = with_exact_zeros(of_d - S_K * of_d_K, response.rounding * size);
    // Contributions of d to algebraic coordinates remain in these coordinates, so that the offset o needs
    // as few derivatives of d as possible.
    found.load = found.load - sparse(stacked({MultiVector::Zero(n_d, B_d.cols()), of_d_K})) * derivative;
    found.offset = found.offset + sparse(rest) * derivative;
    offsets.conservativeResize(Eigen::NoChange, offsets.cols() + B_d.cols());
    offsets.rightCols(B_d.cols()) = rest / std::max(size, std::numeric_limits<double>::min());
    derivative = derivative.derivative();
  }
  const MultiVector X =
      side_by_side({kinds.inertial.X, kinds.rate_constrained.X, kinds.viscous.X, kinds.algebraic.X});
  const MultiVector R = separating_rows(found.Z_T, kinds);
  for (MultiVector* const of_rows : {&found.Z_T, &found.C, &found.K})
    *of_rows = product_with_exact_zeros(R, *of_rows);
  found.load = sparse(R) * found.load;
  const MultiVector range =
      d.terms.empty()
          ? MultiVector(T_q.rows(), 0)
          : split_range(offsets, offsets.norm(), response.rounding, "the offsets by known forces").range;
  found.X = dual(found.S, X, range, response.rounding);
  return found;
}

/// Returns the positions of the states (q_I; q_C; v_I) in the order (I, C, K), for coordinates sorted by
/// DoFs.
std::vector<Index> order_of_states(const CoordinatePlaces& places, Index n_d) {
  std::vector<Index> displacements, viscous, rates;
  for (std::size_t i = 0; i < places.kinds.size(); ++i) {
    if (places.kinds[i] == DoFKind::viscous) viscous.push_back(places.order[i]);
    if (places.kinds[i] != DoFKind::inertial) continue;
    displacements.push_back(places.order[i]);
    rates.push_back(n_d + places.order[i]);
  }
  displacements.insert(displacements.end(), viscous.begin(), viscous.end());
  displacements.insert(displacements.end(), rates.begin(), rates.end());
  return displacements;
}

/// Returns the function that computes the states y from displacements and rates of the free DoFs: from the
/// finite part of the unknowns of the first-order form.
std::function<Vector(const Vector&, const Vector&, double)> states_of(
    const SecondOrderWeierstrass& second_order, const WeierstrassKinds& kinds, const CoordinatePlaces& places,
    const UnitFactors& units, const ScaledCoordinates& coordinates, const TimeCombination& d,
    const GivenMotion& given) {
  const FirstOrderForm& form = second_order.first_order;
  const Index n = static_cast<Index>(form.B.cols()), n_x = static_cast<Index>(form.E.rows()),
              n_d = kinds.n_I() + kinds.n_C();
  const std::vector<Index> order = order_of_states(places, n_d);
  Vector of_states(n_d + kinds.n_I());  // the units of the states
  stack_rows(of_states, units.columns(kinds.inertial.places), units.columns(kinds.rate_constrained.places),
             units.columns(kinds.viscous.places), units.columns(kinds.inertial.places));
  const MultiVector of_x =
      of_states.asDiagonal() * kinds.Y * second_order.weierstrass.T_inverse().topRows(kinds.Y.cols());
  const Vector per_unit = units.columns.cwiseInverse();
  // The unknowns of the first-order form after the displacements are rates or momenta, which E computes
  // from rates.
  const MultiVector of_q = of_x.leftCols(n) * per_unit.asDiagonal(),
                    of_v =
                        of_x.rightCols(n_x - n) * form.E.bottomLeftCorner(n_x - n, n) * per_unit.asDiagonal(),
                    of_d = of_states.asDiagonal() * coordinates.Y_of_d;
  return [=](const Vector& q, const Vector& v, double time) -> Vector {
    Vector y = of_q * q + of_v * v;
    if (!d.terms.empty()) y += of_d * given(d, time);
    return y(order);
  };
}

/// The forces that must be known with their derivatives, and the resulting kinds.
struct Structure {
  KnownForces forces;
  WeierstrassKinds kinds;
};

/**
 * Determines the kinds with as few known forces as possible. The first set of forces that suffices is taken
 * from this list: the forces whose derivatives act on displacements; also the forces with an instantaneous
 * effect on displacements of states; also the forces with an instantaneous effect on any displacement; all
 * forces. If all forces are known, every displacement is a state or follows from states, and no state is
 * hidden: q and q' without forces determine the unknowns of the first-order form.
 */
Structure structure_of(const WeierstrassResponse& response) {
  const KnownForces differentiated = differentiated_forces(response);
  for (const auto& more :
       {&only_differentiated_forces, &forces_on_states, &forces_with_instantaneous_effect, &all_forces}) {
    const KnownForces forces = more(response, differentiated);
    if (const auto kinds = weierstrass_kinds(response, forces)) return {forces, *kinds};
  }
  throw NotAvailable(
      "The " + std::to_string(response.n_states()) +
      " states of the finite part of the pencil cannot be determined from displacements and their rates "
      "up to rounding. Set tiny entries to zero that should be zero.");
}

}  // namespace

WeierstrassEquations weierstrass_equations(const DenseFreeSystem& system, const UnitFactors& units,
                                           const GivenMotion& given, const WeierstrassOptions& options) {
  const Vector &V = units.rows, &W = units.columns;
  const auto scaled = [&](const MultiVector& A) -> MultiVector {
    return V.asDiagonal() * A * W.asDiagonal();
  };
  const SecondOrderWeierstrass second_order =
      weierstrass_of(scaled(system.M), scaled(system.C), scaled(system.K), options);
  const WeierstrassResponse response(second_order);
  const auto [forces, kinds] = structure_of(response);
  const CoordinatePlaces places(kinds);
  const TimeCombination d = values_of_known_forces(system, V, given, forces);
  const ScaledCoordinates found = coordinates_of(response, forces, kinds, d);

  WeierstrassEquations result;
  result.places = places.dofs;
  result.kinds = places.kinds;
  const Vector W_p = W(places.dofs), per_W_p = W_p.cwiseInverse();
  const auto coordinate_matrix = [&](const MultiVector& A) {
    const MultiVector sorted = A(places.order, places.order);
    return sparse(W_p.asDiagonal() * sorted * per_W_p.asDiagonal());
  };
  const auto from_free = [&](const Vector& left, const MultiVector& A, const Vector& right) {
    const MultiVector sorted = A(Eigen::all, places.order);
    return sparse(left.asDiagonal() * sorted * right.asDiagonal());
  };
  result.S = from_free(W, found.S, per_W_p);
  result.X = from_free(W.cwiseInverse(), found.X, W_p);
  result.Z = from_free(V, found.Z_T.transpose(), W_p);
  result.M = coordinate_matrix(found.M);
  result.C = coordinate_matrix(found.C);
  result.K = coordinate_matrix(found.K);
  result.offset = scaled_rows(W, found.offset);
  const auto n = static_cast<Index>(places.dofs.size());
  MultiVector sorted_rows = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    sorted_rows(i, places.order[static_cast<std::size_t>(i)]) = W_p[i];
  result.load = sparse(sorted_rows) * found.load;

  std::vector<Index> rate_constrained(static_cast<std::size_t>(kinds.n_b()));
  std::iota(rate_constrained.begin(), rate_constrained.end(), kinds.n_I());
  const Vector W_b = W(kinds.rate_constrained.places);
  const MultiVector R = found.K(rate_constrained, places.order), S_b = found.S(Eigen::all, rate_constrained);
  result.S_b = sparse(W.asDiagonal() * S_b * W_b.cwiseInverse().asDiagonal());
  result.rate_rows = sparse(W_b.asDiagonal() * R * per_W_p.asDiagonal());
  MultiVector minus_constrained = MultiVector::Zero(kinds.n_b(), n);
  for (Index i = 0; i < kinds.n_b(); ++i)
    minus_constrained(i, rate_constrained[static_cast<std::size_t>(i)]) = -W_b[i];
  result.constrained_rates = sparse(minus_constrained) * found.load;
  result.L = sparse(V.asDiagonal() * forces.L);
  result.states = states_of(second_order, kinds, places, units, found, d, given);
  result.nilpotency_index = second_order.weierstrass.nilpotency_index();
  return result;
}

}  // namespace halfdof::internal
