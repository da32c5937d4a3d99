#include <halfdof/base/errors.h>
#include <halfdof/classification/unit_factors.h>
#include <halfdof/linear_algebra/dense_decompositions.h>
#include <halfdof/linear_algebra/dense_solves.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/rank_decision.h>
#include <halfdof/reduction/first_order_form.h>
#include <halfdof/reduction/weierstrass_coordinates.h>
#include <halfdof/reduction/weierstrass_directions.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Relative to what is multiplied: below it a product is rounding of zero.
constexpr double rounding_of_products = 1e-10;

/// The entries of a matrix whose data have a size, without rounding of zeros.
MultiVector without_rounding(const MultiVector& X, double size) {
  return (X.array().abs() > rounding_of_products * size).select(X, 0.);
}

/// A B without rounding of zeros, as product_without_rounding() of sparse ones.
MultiVector product(const MultiVector& A, const MultiVector& B) {
  constexpr double rounding = 1e-13;
  const MultiVector AB = A * B, sizes = A.cwiseAbs() * B.cwiseAbs();
  return (AB.array().abs() > rounding * sizes.array()).select(AB, 0.);
}

double largest(const MultiVector& X) {
  return X.size() > 0 ? X.cwiseAbs().maxCoeff() : 0.;
}

/// Orthonormal bases: of the range of a matrix, and of what is orthogonal to it.
struct RangeSplit {
  MultiVector range, rest;
};

RangeSplit range_of(const MultiVector& X, double size, const std::string& name) {
  const auto n = static_cast<Index>(X.rows());
  if (X.size() == 0 || size == 0) return {MultiVector(n, 0), MultiVector::Identity(n, n)};
  const SingularValueDecomposition svd = singular_value_decomposition(X);
  const Index r = decide_rank({name, n, static_cast<Index>(X.cols()), 0, size,
                               1e-15 * static_cast<double>(std::max(X.rows(), X.cols())) * size,
                               rounding_of_products * size},
                              svd.values)
                      .rank;
  return {svd.U.leftCols(r), svd.U.rightCols(n - r)};
}

/// Eigen's decompositions want entries.
MultiVector inverse(const MultiVector& A) {
  return A.size() > 0 ? MultiVector(A.fullPivLu().inverse()) : A;
}

MultiVector least_squares(const MultiVector& A, const MultiVector& b) {
  if (A.size() == 0 || b.size() == 0) return MultiVector::Zero(A.cols(), b.cols());
  return A.colPivHouseholderQr().solve(b);
}

/// DoFs with which the columns of a basis are told apart.
std::vector<Index> pivots_of(const MultiVector& basis) {
  std::vector<Index> pivots;
  if (basis.cols() == 0) return pivots;
  const Eigen::ColPivHouseholderQR<MultiVector> qr(basis.transpose());
  for (Eigen::Index j = 0; j < basis.cols(); ++j)
    pivots.push_back(static_cast<Index>(qr.colsPermutation().indices()[j]));
  return pivots;
}

/// (1) of WeierstrassCoordinates.
struct Response {
  MultiVector A_1, B_1, T_q;
  std::vector<MultiVector> G;
  double size_of_G = 0;  ///< of the products that they are
  double rate = 1;       ///< unit [1/s]

  Index n() const { return static_cast<Index>(T_q.rows()); }
  Index n_states() const { return static_cast<Index>(A_1.rows()); }
};

Response response_of(const FirstOrderForm& first_order, const WeierstrassForm& form) {
  Response response{form.A_1(), form.Z_1() * first_order.B, first_order.Q * form.T_1(), {},
                    0,          form.balance().rate};
  const MultiVector Q_T_2 = first_order.Q * form.T_2();
  for (const MultiVector& image : nilpotent_images(form, first_order.B)) {
    const double size = Q_T_2.norm() * image.norm();
    response.G.push_back(without_rounding(-(Q_T_2 * image), size));
    if (response.G.size() == 1) response.size_of_G = size;
  }
  if (response.G.empty()) response.G.push_back(MultiVector::Zero(response.n(), response.n()));
  return response;
}

/// L and Pi.
struct KnownForces {
  MultiVector L, projection;
};

/// @param L columns that span those forces
KnownForces known_forces(const MultiVector& L) {
  const Index n = static_cast<Index>(L.rows());
  // Single equations stay what they are.
  const MultiVector at_pivots = L(pivots_of(L), Eigen::all);
  MultiVector basis = least_squares(at_pivots.transpose(), L.transpose()).transpose();
  basis = without_rounding(basis, largest(basis));
  MultiVector gram = basis.transpose() * basis;
  gram.diagonal().setZero();
  if (!gram.isZero(0.)) basis = range_of(basis, basis.norm(), "the forces that have to be known").range;
  return {basis, without_rounding(MultiVector::Identity(n, n) - basis * basis.transpose(), 1.)};
}

/// Those whose derivatives the response needs.
KnownForces differentiated_forces(const Response& response) {
  const Index n = response.n(), n_higher = static_cast<Index>(response.G.size()) - 1;
  MultiVector higher(n, n_higher * n);  // transposed, side by side, each relative to its size
  for (Index k = 0; k < n_higher; ++k) {
    const MultiVector& G = response.G[static_cast<std::size_t>(k) + 1];
    const double size = largest(G);
    higher.middleCols(k * n, n) = size > 0 ? MultiVector(G.transpose() / size) : MultiVector(G.transpose());
  }
  return known_forces(range_of(higher, higher.norm(), "the response to derivatives of forces").range);
}

/// Beside them those that move at once what states move, too.
KnownForces forces_on_states(const Response& response, const KnownForces& differentiated) {
  const MultiVector G_0 = response.G[0] * differentiated.projection;
  const MultiVector forces =
      range_of(G_0.transpose(), response.size_of_G, "the forces that displacements follow at once").range;
  const MultiVector off_states =
      range_of(response.T_q, response.T_q.norm(), "the displacements of states").rest.transpose() * G_0 *
      forces;
  const MultiVector more =
      forces * range_of(off_states.transpose(), response.size_of_G, "what forces move beside states").rest;
  MultiVector all(response.n(), differentiated.L.cols() + more.cols());
  all << differentiated.L, more;
  return known_forces(all);
}

/// Coordinates of one kind: q_f = S q~ + ..., q~ = X^T q_f, and the DoFs at whose places they stand.
struct Group {
  MultiVector X, S;
  std::vector<Index> places = {};
};

/// Rates of bound ones follow from displacements alone; they count as viscous.
struct Kinds {
  Group inertial, bound, viscous, algebraic;
  MultiVector Y;  ///< (2) of WeierstrassCoordinates

  Index n_I() const { return static_cast<Index>(inertial.X.cols()); }
  Index n_b() const { return static_cast<Index>(bound.X.cols()); }
  Index n_C() const { return n_b() + static_cast<Index>(viscous.X.cols()); }
  Index n_K() const { return static_cast<Index>(algebraic.X.cols()); }
};

MultiVector stacked(std::initializer_list<MultiVector> parts) {
  Eigen::Index n_rows = 0, n_cols = 0;
  for (const MultiVector& part : parts) {
    n_rows += part.rows();
    n_cols = part.cols();
  }
  MultiVector all(n_rows, n_cols);
  Eigen::Index first = 0;
  for (const MultiVector& part : parts) {
    all.middleRows(first, part.rows()) = part;
    first += part.rows();
  }
  return all;
}

MultiVector beside(std::initializer_list<MultiVector> parts) {
  Eigen::Index n_rows = 0, n_cols = 0;
  for (const MultiVector& part : parts) {
    n_rows = part.rows();
    n_cols += part.cols();
  }
  MultiVector all(n_rows, n_cols);
  Eigen::Index first = 0;
  for (const MultiVector& part : parts) {
    all.middleCols(first, part.cols()) = part;
    first += part.cols();
  }
  return all;
}

/// Chooses coordinates so that directions of different kinds are orthogonal, as those of kernels are:
/// q_C + a q_I + a_b q_b for q_C, and q_I + beta q_b for q_I.
void separate(Group& inertial, Group& bound, Group& viscous) {
  const auto off_viscous = [&](const MultiVector& S) -> MultiVector {
    return S - viscous.S * least_squares(viscous.S, S);
  };
  const MultiVector beta = least_squares(off_viscous(inertial.S), off_viscous(bound.S));
  inertial.X += bound.X * beta.transpose();
  bound.S -= inertial.S * beta;
  const MultiVector a = least_squares(viscous.S, inertial.S), a_b = least_squares(viscous.S, bound.S);
  viscous.X += inertial.X * a.transpose() + bound.X * a_b.transpose();
  inertial.S -= viscous.S * a;
  bound.S -= viscous.S * a_b;
}

/// Orthonormal directions, or better those with the identity at the places, where these tell them well apart.
void normalize(Group& group) {
  if (group.S.cols() == 0) return;
  const Eigen::HouseholderQR<MultiVector> qr(group.S);
  const MultiVector R = qr.matrixQR().topRows(group.S.cols()).triangularView<Eigen::Upper>();
  const auto change = [&](const MultiVector& B) {  // S B^{-1}
    group.S = B.transpose().fullPivLu().solve(group.S.transpose()).transpose().eval();
    group.X = (group.X * B.transpose()).eval();
  };
  change(R);
  constexpr double well_apart = 0.1;
  const MultiVector there = group.S(group.places, Eigen::all);
  if (reciprocal_condition(there) > well_apart) change(there);
  group.S = without_rounding(group.S, largest(group.S));
}

/// Places of the groups, in their order: every DoF once.
void place(const std::vector<Group*>& groups) {
  std::vector<MultiVector> left;
  for (const Group* const group : groups)
    left.push_back(group->S);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g]->places = pivots_of(left[g]);
    const MultiVector there = left[g](groups[g]->places, Eigen::all);
    for (std::size_t later = g + 1; later < groups.size(); ++later) {
      const MultiVector of_later = left[later](groups[g]->places, Eigen::all);
      left[later] -= left[g] * least_squares(there, of_later);
    }
  }
}

/// @return nothing where states do not show in displacements that forces leave where they are
std::optional<Kinds> kinds_of(const Response& response, const MultiVector& free_forces) {
  const MultiVector G_0 = response.G[0] * free_forces, B_1 = response.B_1 * free_forces;
  const MultiVector& T_q = response.T_q;
  const double of_T_q = T_q.norm();
  // Displacements that forces do not move at once; those of them that they give no rate.
  const MultiVector W = range_of(G_0, response.size_of_G, "the response of displacements to forces").rest;
  const RangeSplit with_rates =
      range_of(W.transpose() * T_q * B_1, of_T_q * B_1.norm(), "the response of rates to forces");
  const MultiVector U = range_of(W.transpose() * T_q, of_T_q, "the displacements of states").range;
  const MultiVector rows = U.transpose() * (W.transpose() * T_q);  // all of them, independent
  const MultiVector row_space = range_of(rows.transpose(), rows.norm(), "the displacements of states").range;

  const MultiVector W_I = W * with_rates.rest;
  const MultiVector rates = W_I.transpose() * T_q * response.A_1 / response.rate,
                    own = rates - (rates * row_space) * row_space.transpose();
  const RangeSplit split = range_of(own, rates.norm(), "the rates of states");
  const auto n_I = split.range.cols();
  if (response.n_states() != rows.rows() + n_I) return std::nullopt;

  const MultiVector X_I = W_I * split.range;
  const MultiVector follow = W_I * split.rest,
                    X_b =
                        follow * range_of(follow.transpose() * T_q, of_T_q, "the bound displacements").range;
  // Of the displacements in W, those that complete these: orthogonal in terms of rows.
  const MultiVector in_rows =
      least_squares(rows.transpose(), (beside({X_I, X_b}).transpose() * T_q).transpose());
  const MultiVector X_C =
      W * U * range_of(in_rows, in_rows.norm(), "the inertial and bound displacements").rest;

  const MultiVector Y_I = X_I.transpose() * T_q, X_d = beside({X_I, X_b, X_C}),
                    P = inverse(stacked({X_d.transpose() * T_q, Y_I * response.A_1}));
  const auto P_d = P.leftCols(X_d.cols()), P_v = P.rightCols(n_I);
  const double size = std::max(response.size_of_G, of_T_q * P_v.norm() * response.rate);
  const MultiVector S_K =
      range_of(beside({T_q * P_v * response.rate, G_0}), size, "the algebraic displacements").range;
  MultiVector S_d = T_q * P_d;
  S_d -= S_K * (S_K.transpose() * S_d).eval();
  Kinds kinds{{X_I, S_d.leftCols(n_I)},
              {X_b, S_d.middleCols(n_I, X_b.cols())},
              {X_C, S_d.rightCols(X_C.cols())},
              {S_K, S_K},
              {}};
  separate(kinds.inertial, kinds.bound, kinds.viscous);
  const std::vector<Group*> groups = {&kinds.algebraic, &kinds.inertial, &kinds.bound, &kinds.viscous};
  place(groups);
  for (Group* const group : groups)
    normalize(*group);
  const MultiVector of_I = kinds.inertial.X.transpose() * T_q;
  kinds.Y = stacked(
      {of_I, kinds.bound.X.transpose() * T_q, kinds.viscous.X.transpose() * T_q, of_I * response.A_1});
  return kinds;
}

/// What is known with its derivatives: d of u = (q_D, b), in units of Blocks.
template <class Engine>
TimeCombination values_of_known_forces(const FreeSystem<Engine>& system, const Vector& of_equations,
                                       const GivenMotion& given, const MultiVector& L) {
  if (given.size() == 0) return {};
  const AssembledSystem<Engine>& assembled = system.assembled();
  const Index n = system.dofs().n_local(), n_D = given.n_supports();
  const auto beside = [&](const MultiVector& of_supports, const MultiVector& of_b) {
    MultiVector all = MultiVector::Zero(n, given.size());
    if (n_D > 0) all.leftCols(n_D) = -of_supports;
    if (given.n_right_sides() > 0) all.rightCols(given.n_right_sides()) = of_b;
    const MultiVector known = L.transpose() * MultiVector(of_equations.asDiagonal() * all);
    return Sparse(without_rounding(known, largest(known)).sparseView());
  };
  MultiVector b = MultiVector::Zero(n, given.n_right_sides());
  const std::vector<Index>& free = assembled.free().local();
  for (Index k = 0; k < given.n_right_sides(); ++k) {
    const Index dof = assembled.multipliers().local()[static_cast<std::size_t>(k)];
    const auto place = std::lower_bound(free.begin(), free.end(), dof);
    if (place != free.end() && *place == dof) b(static_cast<Index>(place - free.begin()), k) = 1;
  }
  const MultiVector none = MultiVector::Zero(n, given.n_right_sides());
  return {{beside(Engine::to_dense(system.K_constrained()), b),
           beside(Engine::to_dense(system.C_constrained()), none),
           beside(Engine::to_dense(system.M_constrained()), none)}};
}

Sparse sparse(const MultiVector& X) {
  return Sparse(X.sparseView());
}

/// Where coordinates stand: in the order (I, C, K), and sorted by their DoFs.
struct Places {
  std::vector<Index> dofs;   ///< free, ascending
  std::vector<Index> order;  ///< which of (I, C, K) each one is
  std::vector<DoFKind> kinds;

  explicit Places(const Kinds& of) {
    std::vector<std::pair<Index, DoFKind>> all;
    const auto add = [&](const Group& some, DoFKind kind) {
      for (const Index dof : some.places)
        all.emplace_back(dof, kind);
    };
    add(of.inertial, DoFKind::inertial);
    add(of.bound, DoFKind::viscous);
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

/// (2) and (3) of WeierstrassCoordinates in units of Blocks; coordinates and states in the order (I, C, K).
struct Coordinates {
  MultiVector S, X, Z_T, M, C, K;
  TimeCombination offset, load;
  MultiVector Y_of_d;  ///< - Y Gamma
};

/// X^T S = I, with columns that are orthogonal to o as well where that can be.
MultiVector dual(const MultiVector& S, const MultiVector& X, const MultiVector& of_offset) {
  if (of_offset.cols() == 0) return X;
  MultiVector all(S.rows(), S.cols() + of_offset.cols());
  all << S, of_offset;
  if (range_of(all, all.norm(), "displacements and what is known of them").range.cols() < all.cols())
    return X;
  const MultiVector inverse = all.completeOrthogonalDecomposition().pseudoInverse();
  return inverse.topRows(S.cols()).transpose();
}

/// Combines equations, which Z takes, so that forces of algebraic coordinates stand in their equations alone, and those
/// of viscous ones in none of inertial ones: the rest follows by what couples the coordinates, as it does in models.
MultiVector separating_rows(const MultiVector& Z_T, const Kinds& kinds) {
  const Index n_I = kinds.n_I(), n_b = kinds.n_b(), n_d = n_I + kinds.n_C(),
              n = static_cast<Index>(Z_T.rows());
  MultiVector R = MultiVector::Identity(n, n);
  const auto separate = [&](Index first, Index n_rows, Index first_of_others) {
    const MultiVector rows = R * Z_T, others = rows.bottomRows(n - first_of_others).transpose(),
                      part = rows.middleRows(first, n_rows).transpose();
    R.middleRows(first, n_rows) -=
        least_squares(others, part).transpose() * R.bottomRows(n - first_of_others).eval();
  };
  separate(n_I + n_b, n_d - n_I - n_b, n_d);
  separate(0, n_I, n_I + n_b);
  return without_rounding(R, largest(R));
}

Coordinates coordinates_of(const Response& response, const KnownForces& forces, const Kinds& kinds,
                           const TimeCombination& d) {
  const Index n_I = kinds.n_I(), n_C = kinds.n_C(), n_K = kinds.n_K(), n_d = n_I + n_C, n = n_d + n_K;
  const MultiVector &A_1 = response.A_1, &T_q = response.T_q, &S_K = kinds.algebraic.S;
  const MultiVector X_K_T = kinds.algebraic.X.transpose();
  const MultiVector G_0 = response.G[0] * forces.projection, B_1 = response.B_1 * forces.projection,
                    B_d = response.B_1 * forces.L;
  const MultiVector P = inverse(kinds.Y);
  const auto P_v = P.rightCols(n_I);
  const MultiVector Y_v = kinds.Y.bottomRows(n_I), Y_C = kinds.Y.middleRows(n_I, n_C),
                    Y_x = stacked({Y_v, Y_C});

  Coordinates found;
  found.S = beside({kinds.inertial.S, kinds.bound.S, kinds.viscous.S, S_K});
  const MultiVector from_states = product(stacked({Y_x * A_1, X_K_T * T_q}), P);
  found.M = MultiVector::Zero(n, n);
  found.M.topLeftCorner(n_I, n_I).setIdentity();
  found.C = MultiVector::Zero(n, n);
  found.C.leftCols(n_I) = -from_states.rightCols(n_I);
  found.C.block(n_I, n_I, n_C, n_C).setIdentity();
  found.K = MultiVector::Zero(n, n);
  found.K.leftCols(n_d) = -from_states.leftCols(n_d);
  found.K.bottomRightCorner(n_K, n_K).setIdentity();
  found.Z_T = stacked({product(Y_x, B_1), product(X_K_T, G_0)});

  // Rates that follow from displacements alone: of neither rates nor forces.
  found.C.block(n_I, 0, kinds.n_b(), n_I).setZero();
  found.Z_T.middleRows(n_I, kinds.n_b()).setZero();

  // The coordinates of the finite part that d alone moves are left to o, so that q_I' = v_I.
  const MultiVector v_of_d = kinds.inertial.X.transpose() * T_q * B_d, Gamma = -P_v * v_of_d;
  found.Y_of_d = MultiVector::Zero(response.n_states(), B_d.cols());
  found.Y_of_d.bottomRows(n_I) = v_of_d;
  const MultiVector none = MultiVector::Zero(n_K, B_d.cols());
  found.load = sparse(stacked({Y_x * Gamma, none})) * d.derivative() -
               sparse(stacked({Y_x * (A_1 * Gamma + B_d), none})) * d;
  TimeCombination derivative = d;
  MultiVector offsets(T_q.rows(), 0);
  for (std::size_t k = 0; k < response.G.size(); ++k) {
    MultiVector of_d = response.G[k] * forces.L;
    if (k == 0) of_d += T_q * Gamma;
    const double size = largest(of_d);
    const MultiVector of_d_K = product(X_K_T, of_d), rest = without_rounding(of_d - S_K * of_d_K, size);
    // What follows d in algebraic coordinates, these do themselves, so that o needs as few derivatives as can be.
    found.load = found.load - sparse(stacked({MultiVector::Zero(n_d, B_d.cols()), of_d_K})) * derivative;
    found.offset = found.offset + sparse(rest) * derivative;
    offsets.conservativeResize(Eigen::NoChange, offsets.cols() + B_d.cols());
    offsets.rightCols(B_d.cols()) = rest / std::max(size, std::numeric_limits<double>::min());
    derivative = derivative.derivative();
  }
  const MultiVector X = beside({kinds.inertial.X, kinds.bound.X, kinds.viscous.X, kinds.algebraic.X});
  const MultiVector R = separating_rows(found.Z_T, kinds);
  for (MultiVector* const of_rows : {&found.Z_T, &found.C, &found.K})
    *of_rows = product(R, *of_rows);
  found.load = sparse(R) * found.load;
  const MultiVector range =
      d.terms.empty() ? MultiVector(T_q.rows(), 0) : range_of(offsets, offsets.norm(), "what is known").range;
  found.X = dual(found.S, X, range);
  return found;
}

/// Rows of (q_I; q_C; v_I) in the order (I, C, K) of coordinates for those sorted by DoFs.
std::vector<Index> sorted_states(const Places& places, Index n_d) {
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

/// y of displacements and rates of the free DoFs: the finite part of what they are in the first-order form.
std::function<Vector(const Vector&, const Vector&, double)> states_of(
    const SecondOrderWeierstrass& second_order, const Kinds& kinds, const Places& places,
    const UnitFactors& units, const Coordinates& coordinates, const TimeCombination& d,
    const GivenMotion& given) {
  const FirstOrderForm& form = second_order.first_order;
  const Index n = static_cast<Index>(form.B.cols()), n_x = static_cast<Index>(form.E.rows()),
              n_d = kinds.n_I() + kinds.n_C();
  const std::vector<Index> sorted = sorted_states(places, n_d);
  Vector of_states(n_d + kinds.n_I());  // their units
  of_states << units.columns(kinds.inertial.places), units.columns(kinds.bound.places),
      units.columns(kinds.viscous.places), units.columns(kinds.inertial.places);
  const MultiVector of_x =
      of_states.asDiagonal() * kinds.Y * second_order.weierstrass.T_inverse().topRows(kinds.Y.cols());
  const Vector per_unit = units.columns.cwiseInverse();
  // What stands beside the displacements are rates or momenta, by what E has of the displacements there.
  const MultiVector of_q = of_x.leftCols(n) * per_unit.asDiagonal(),
                    of_v =
                        of_x.rightCols(n_x - n) * form.E.bottomLeftCorner(n_x - n, n) * per_unit.asDiagonal(),
                    of_d = of_states.asDiagonal() * coordinates.Y_of_d;
  return [=](const Vector& q, const Vector& v, double time) -> Vector {
    Vector y = of_q * q + of_v * v;
    if (!d.terms.empty()) y += of_d * given(d, time);
    return y(sorted);
  };
}

std::string text_of(const WeierstrassForm& form, Index n_differentiated) {
  std::string text = "The pencil is regular, and its infinite part is deflated: nilpotency index " +
                     std::to_string(form.nilpotency_index());
  if (n_differentiated > 0)
    text += "; loads on " + std::to_string(n_differentiated) +
            " combinations of equations have to be known with their derivatives";
  return text + ".";
}

}  // namespace

template <class Engine>
WeierstrassCoordinates<Engine> weierstrass_coordinates(const FreeSystem<Engine>& system,
                                                       const WeierstrassOptions& options) {
  if (system.dofs().communicator().size() > 1)
    throw NotAvailable(
        "The Weierstrass form is that of dense matrices on one process. Run the application on one process.");
  const UnitFactors units = unit_factors(entries_of<Engine>(system.M()), entries_of<Engine>(system.C()),
                                         entries_of<Engine>(system.K()));
  const Vector &V = units.rows, &W = units.columns;
  const auto scaled = [&](const typename Engine::Matrix& A) -> MultiVector {
    return V.asDiagonal() * Engine::to_dense(A) * W.asDiagonal();
  };
  const SecondOrderWeierstrass second_order =
      weierstrass_of(scaled(system.M()), scaled(system.C()), scaled(system.K()), options);
  const WeierstrassForm& weierstrass = second_order.weierstrass;
  const Response response = response_of(second_order.first_order, weierstrass);
  KnownForces forces = differentiated_forces(response);
  std::optional<Kinds> found_kinds = kinds_of(response, forces.projection);
  if (!found_kinds) {
    forces = forces_on_states(response, forces);
    found_kinds = kinds_of(response, forces.projection);
  }
  if (!found_kinds)
    throw NotAvailable("The finite part of the pencil has " + std::to_string(response.n_states()) +
                       " states, of which some show in no displacement but together with forces that act at "
                       "once: of second order, "
                       "with half DoFs, this system is none. Take WeierstrassForm itself, with all unknowns "
                       "of the first-order form.");
  const Kinds& kinds = *found_kinds;
  const Places places(kinds);

  const AssembledSystem<Engine>& assembled = system.assembled();
  auto form = std::make_shared<ConstrainedForm<Engine>>();
  form->given = GivenMotion(assembled.prescribed(), assembled.constrained().n_local(),
                            assembled.right_sides(), assembled.multipliers().n_local());
  const TimeCombination d = values_of_known_forces(system, V, form->given, forces.L);
  const Coordinates found = coordinates_of(response, forces, kinds, d);

  std::vector<Index> dofs;
  std::vector<DoFKind> of_dofs(static_cast<std::size_t>(assembled.dofs().n_local()), DoFKind::constrained);
  for (std::size_t i = 0; i < places.dofs.size(); ++i) {
    dofs.push_back(assembled.free().local()[static_cast<std::size_t>(places.dofs[i])]);
    of_dofs[static_cast<std::size_t>(dofs.back())] = places.kinds[i];
  }
  form->places = Selection(dofs, assembled.dofs());
  const Partition &free = system.dofs(), &coordinates = form->places.partition();
  const Vector W_p = W(places.dofs), per_W_p = W_p.cwiseInverse();
  const auto among = [&](const MultiVector& A) {
    const MultiVector sorted = A(places.order, places.order);
    return matrix_from<Engine>(sparse(W_p.asDiagonal() * sorted * per_W_p.asDiagonal()), coordinates,
                               coordinates);
  };
  const auto from_free = [&](const Vector& left, const MultiVector& A, const Vector& right) {
    const MultiVector sorted = A(Eigen::all, places.order);
    return matrix_from<Engine>(sparse(left.asDiagonal() * sorted * right.asDiagonal()), free, coordinates);
  };
  form->S = from_free(W, found.S, per_W_p);
  form->X = from_free(W.cwiseInverse(), found.X, W_p);
  form->Z = from_free(V, found.Z_T.transpose(), W_p);
  form->M = among(found.M);
  form->C = among(found.C);
  form->K = among(found.K);
  form->offset = scaled_rows(W, found.offset);
  const auto n = static_cast<Index>(places.dofs.size());
  MultiVector sorted_rows = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    sorted_rows(i, places.order[static_cast<std::size_t>(i)]) = W_p[i];
  form->load = sparse(sorted_rows) * found.load;
  std::vector<Index> bound(static_cast<std::size_t>(kinds.n_b()));
  std::iota(bound.begin(), bound.end(), kinds.n_I());
  const Vector W_b = W(kinds.bound.places);
  const MultiVector R = found.K(bound, places.order), S_b = found.S(Eigen::all, bound);
  form->S_b = sparse(W.asDiagonal() * S_b * W_b.cwiseInverse().asDiagonal());
  form->rate_rows = sparse(W_b.asDiagonal() * R * per_W_p.asDiagonal());
  MultiVector minus_bound = MultiVector::Zero(kinds.n_b(), n);
  for (Index i = 0; i < kinds.n_b(); ++i)
    minus_bound(i, bound[static_cast<std::size_t>(i)]) = -W_b[i];
  form->bound_rates = sparse(minus_bound) * found.load;
  form->L = sparse(V.asDiagonal() * forces.L);
  form->is_multiplier.assign(of_dofs.size(), false);
  form->multipliers = [](const Vector& rest) -> Vector { return Vector::Zero(rest.size()); };
  form->states = states_of(second_order, kinds, places, units, found, d, form->given);
  form->longest_chain = static_cast<int>(weierstrass.nilpotency_index()) + 2;

  return {system.in_coordinates(form), Classification(std::move(of_dofs), form->places, {}, 0),
          text_of(weierstrass, static_cast<Index>(forces.L.cols()))};
}

template WeierstrassCoordinates<InstantiatedEngine> weierstrass_coordinates(
    const FreeSystem<InstantiatedEngine>&, const WeierstrassOptions&);

}  // namespace halfdof
