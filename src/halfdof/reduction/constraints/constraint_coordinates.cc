// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/reduction/constraints/constraint_coordinates.h>
#include <halfdof/reduction/constraints/constraint_levels.h>

#include <Eigen/SPQRSupport>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse identity(Index n) {
  Sparse one(n, n);
  one.setIdentity();
  return one;
}

/// The matrices of a system on its n free DoFs, scaled to units in which their entries are near one.
struct ScaledMatrices {
  UnitFactors units;
  Sparse M, C, K;
  Sparse C_D, K_D;  ///< columns of constrained DoFs, which keep their units
  Sparse J_K;       ///< unit columns of the algebraic DoFs
  Index size() const { return static_cast<Index>(K.rows()); }
  Sparse K_KK() const { return Sparse(J_K.transpose() * K) * J_K; }
};

template <class Engine>
ScaledMatrices scaled_matrices_of(const FreeSystem<Engine>& system) {
  const Sparse M = entries_of<Engine>(system.M()), C = entries_of<Engine>(system.C()),
               K = entries_of<Engine>(system.K());
  const UnitFactors units = unit_factors(M, C, K);
  const auto of_constrained = [&](const Sparse& A_D) -> Sparse { return units.rows.asDiagonal() * A_D; };
  return {units,
          units.scaled(M),
          units.scaled(C),
          units.scaled(K),
          of_constrained(entries_of<Engine>(system.C_constrained())),
          of_constrained(entries_of<Engine>(system.K_constrained())),
          unit_columns(classify_dofs(system).algebraic().local(), system.dofs().n_local())};
}

/// The multipliers N = ker K_KK and their equations L = ker K_KK^T, with orthogonal complements.
struct Multipliers {
  Sparse N, L;                ///< free DoFs x multipliers
  Sparse complement_of_N;     ///< orthonormal basis of all displacements orthogonal to N
  std::vector<Index> places;  ///< the DoFs of the columns of `complement_of_N`
  Sparse complement_of_L;     ///< orthonormal basis of all equations orthogonal to L
};

/// Returns an orthonormal basis of the orthogonal complement of the null columns of a basis among the
/// algebraic DoFs.
/// @param places Set to the DoFs of the columns of the result
Sparse orthogonal_complement(const ScaledMatrices& blocks, const ColumnCompression& basis,
                             std::vector<Index>& places) {
  const Index n = blocks.size();
  const Sparse J_T = blocks.J_K.transpose();
  const Sparse with_basis =
      identity(n) - Sparse(blocks.J_K * J_T) + Sparse(blocks.J_K * Sparse(basis.S * J_T));
  std::vector<bool> is_no_null_column(static_cast<std::size_t>(n), true);
  for (const Index k : basis.null())
    is_no_null_column[static_cast<std::size_t>(Sparse::InnerIterator(blocks.J_K, k).row())] = false;
  places.clear();
  for (Index j = 0; j < n; ++j)
    if (is_no_null_column[static_cast<std::size_t>(j)]) places.push_back(j);
  return with_basis * unit_columns(places, n);
}

/// Computes the kernel of K_KK, the stiffness of the algebraic DoFs.
ColumnCompression kernel_of_K_KK(const Sparse& K_KK, const KernelOptions& options) {
  return column_compression(K_KK, column_norms(K_KK), "K_KK", EntryOrigin::given, options);
}

/// Returns whether two matrices are equal. Eigen's norm() cannot be called for a matrix without rows or
/// columns.
bool are_equal(const Sparse& A, const Sparse& B) {
  return A.size() == 0 || Sparse(A - B).norm() == 0;
}

bool is_symmetric(const Sparse& A) {
  return A.size() == 0 || EigenEngine::asymmetry(EigenMatrix(A)) <= FactorizationOptions().symmetry_tolerance;
}

Multipliers multipliers_of(const ScaledMatrices& blocks, const KernelOptions& options) {
  const Sparse K_KK = blocks.K_KK();
  const ColumnCompression right = kernel_of_K_KK(K_KK, options),
                          left = is_symmetric(K_KK) ? right : kernel_of_K_KK(K_KK.transpose(), options);
  const auto null_columns = [&](const ColumnCompression& basis) {
    return Sparse(blocks.J_K *
                  Sparse(basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols()))));
  };
  Multipliers found{null_columns(right), null_columns(left), {}, {}, {}};
  std::vector<Index> of_equations;
  found.complement_of_N = orthogonal_complement(blocks, right, found.places);
  found.complement_of_L = orthogonal_complement(blocks, left, of_equations);
  return found;
}

/// Returns the positions of the largest entries of a vector on the free DoFs, at most ten.
std::vector<Index> largest_entries(const Vector& weights) {
  constexpr std::size_t max_named = 10;
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(weights[a]) > 1.001 * std::abs(weights[b]); });
  const double largest = std::abs(weights[order.front()]);
  const auto last = std::find_if(order.begin(), order.end(),
                                 [&](Index i) { return !(std::abs(weights[i]) > 1e-3 * largest); });
  order.erase(last, order.end());
  order.resize(std::min(order.size(), max_named));
  return order;
}

/// Names DoFs for a message: "DoF 3 (rod), DoF 7 (...)".
template <class Engine>
std::string names_of(const FreeSystem<Engine>& system, const std::vector<Index>& dofs) {
  std::string names;
  for (const Index i : dofs)
    names += (names.empty() ? "" : ", ") + system.describe(i);
  return names;
}

/// Returns whether column j combines only multipliers that the user listed as multipliers of constraints.
/// Listed constraints may be redundant, so that a combination of them may have neither a row nor a force.
template <class Engine>
bool is_of_given_constraints(const FreeSystem<Engine>& system, const Sparse& combinations, Index j) {
  const AssembledSystem<Engine>& assembled = system.assembled();
  const std::vector<Index>& given = assembled.multipliers().local();
  for (Sparse::InnerIterator entry(combinations, j); entry; ++entry)
    if (std::find(given.begin(), given.end(),
                  assembled.free().local()[static_cast<std::size_t>(entry.row())]) == given.end())
      return false;
  return true;
}

/// Refuses null vectors of K_KK that are not multipliers of constraints: equations with masses, multipliers
/// without forces, or equations without DoFs.
template <class Engine>
std::optional<NotAvailable> refusal_of_equations(const FreeSystem<Engine>& system,
                                                 const ScaledMatrices& blocks, const Multipliers& found) {
  const auto refuse = [&](const Sparse& combinations, Index j, const std::string& why) {
    return NotAvailable("The stiffness of the algebraic DoFs is singular on " +
                        names_of(system, largest_entries(combinations.col(j))) + ", but " + why);
  };
  const Sparse L_T = found.L.transpose();
  const Vector forces = column_norms(product_with_exact_zeros(blocks.K, found.N)),
               of_rows = column_norms(Sparse(product_with_exact_zeros(L_T, blocks.K).transpose())) +
                         column_norms(Sparse(product_with_exact_zeros(L_T, blocks.C).transpose())),
               of_masses = column_norms(Sparse(product_with_exact_zeros(L_T, blocks.M).transpose()));
  if (found.N.cols() != found.L.cols())
    return NotAvailable(
        "The stiffness of the algebraic DoFs has " + std::to_string(found.N.cols()) +
        " null vectors (multipliers), but " + std::to_string(found.L.cols()) +
        " left null vectors (constraints). Set entries to zero that are only rounding errors.");
  for (Index j = 0; j < forces.size(); ++j) {
    if (forces[j] == 0 && !is_of_given_constraints(system, found.N, j))
      return refuse(
          found.N, j,
          "no other equation contains these DoFs, so that they are no multipliers of constraints, and "
          "nothing determines them. Connect or remove them.");
    if (of_rows[j] == 0 && !is_of_given_constraints(system, found.L, j))
      return refuse(
          found.L, j,
          "the equations of these DoFs contain no other DoF, so that they constrain nothing. Remove "
          "these equations, or assemble their missing entries.");
    if (of_masses[j] > 0)
      return refuse(
          found.L, j,
          "the equations of these DoFs contain accelerations, so that they are no constraints. Remove "
          "the entries of these rows from the mass matrix.");
  }
  return std::nullopt;
}

/// Returns the constraint rows L^T (C q' + K q) = L^T b, with terms of constrained DoFs on the right side.
template <class Engine>
ConstraintRows constraint_rows_of(const FreeSystem<Engine>& system, const ScaledMatrices& blocks,
                                  const Sparse& L, const GivenMotion& given) {
  const Sparse L_T = L.transpose();
  ConstraintRows rows{product_with_exact_zeros(L_T, blocks.C), product_with_exact_zeros(L_T, blocks.K), {}};
  if (given.size() == 0) return rows;
  const AssembledSystem<Engine>& assembled = system.assembled();
  const Index n = blocks.size(), n_u = given.size(), n_D = given.n_supports();
  std::vector<Index> of_b(static_cast<std::size_t>(given.n_right_sides())),
      of_D(static_cast<std::size_t>(n_D));
  std::iota(of_b.begin(), of_b.end(), n_D);
  std::iota(of_D.begin(), of_D.end(), 0);
  std::vector<Eigen::Triplet<double>> in_equations;  // right sides b in the equations of their multipliers
  for (Index k = 0; k < given.n_right_sides(); ++k) {
    const std::vector<Index>& free = assembled.free().local();
    const Index dof = assembled.multipliers().local()[static_cast<std::size_t>(k)];
    const auto place = std::lower_bound(free.begin(), free.end(), dof);
    if (place == free.end() || *place != dof) continue;
    const auto i = static_cast<Index>(place - free.begin());
    in_equations.emplace_back(i, n_D + k, blocks.units.rows[i]);
  }
  Sparse b(n, n_u);
  b.setFromTriplets(in_equations.begin(), in_equations.end());
  const Sparse of_supports = unit_columns(of_D, n_u).transpose();
  const auto of = [&](const Sparse& A_D) {
    return n_D > 0 ? Sparse(product_with_exact_zeros(L_T, A_D) * of_supports) : Sparse(L.cols(), n_u);
  };
  rows.b.terms = {product_with_exact_zeros(L_T, b) - of(blocks.K_D), -1. * of(blocks.C_D)};
  return rows;
}

/// Returns orthonormal combinations of columns of norm one that are zero: a basis of the kernel of A.
Sparse kernel_basis(const Sparse& A, const std::string& name, const KernelOptions& options) {
  const ColumnCompression basis =
      column_compression(A, Vector::Ones(A.cols()), name, EntryOrigin::computed, options);
  return basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols()));
}

/// Returns an orthonormal basis Z of the part of the range of Z_0 on which the forces B do not act: Z^T B =
/// 0.
Sparse basis_without_forces(const Sparse& Z_0, const Sparse& B, const KernelOptions& options) {
  const Sparse rows = product_with_exact_zeros(Sparse(B.transpose()), Z_0);
  Vector sizes = column_norms(Sparse(B.transpose()));
  sizes = Sparse(Z_0.cwiseAbs()).transpose() * sizes;
  const ColumnCompression basis =
      column_compression(rows, sizes, "the forces of the multipliers", EntryOrigin::computed, options);
  return Z_0 * Sparse(basis.S * unit_columns(basis.null(), static_cast<Index>(basis.S.cols())));
}

/// Returns whether the force of every multiplier is parallel to its own constraint: to its row of rates, if
/// it has such a row.
bool forces_act_along_constraints(const ConstraintRows& rows, const Sparse& B) {
  const Sparse A_1 = rows.A_1.transpose(), A_2 = rows.A_2.transpose();
  for (Index j = 0; j < B.cols(); ++j) {
    const Eigen::SparseVector<double> force = B.col(j),
                                      along = A_1.col(j).norm() > 0 ? A_1.col(j) : A_2.col(j);
    const double size = along.squaredNorm();
    if (size == 0 && force.norm() > 0) return false;
    if (size == 0) continue;                        // the multiplier combines redundant constraints
    const double factor = force.dot(along) / size;  // each constraint may have its own unit
    if (Eigen::SparseVector<double>(force - factor * along).norm() >
        FactorizationOptions().symmetry_tolerance * force.norm())
      return false;
  }
  return true;
}

/// Returns whether the given rows are independent, and the rows on rates are independent in their rates.
bool are_independent(const ConstraintRows& rows, const ConstraintLevels& levels) {
  const Vector of_rates = column_norms(rows.A_1.transpose());
  const auto n_position = static_cast<Index>((of_rates.array() == 0).count());
  return levels.n_hidden == 0 &&
         levels.n_position + static_cast<Index>(levels.redundant.rows()) == n_position;
}

/// Returns whether the forces B do no work on the allowed motions T_a.
bool forces_do_no_work(const Sparse& B, const Sparse& T_a) {
  constexpr double rounding = 1e-12;
  const Vector work = column_norms(Sparse(T_a.transpose()) * B), size = column_norms(B);
  return (work.array() <= rounding * size.array()).all();
}

/// Returns the matrix Z of the remaining equations, with null columns for q_b. Multipliers whose forces are
/// not determined are refused.
Attempt<Sparse> equation_basis(const ScaledMatrices& blocks, const Multipliers& found,
                               const ConstraintRows& rows, const ConstraintLevels& levels,
                               const KernelOptions& options) {
  const auto n = static_cast<Index>(levels.T.cols());
  std::vector<Index> allowed;
  for (Index j = 0; j < n; ++j)
    if (!std::binary_search(levels.bound.begin(), levels.bound.end(), j)) allowed.push_back(j);
  const Sparse J_a = unit_columns(allowed, n), T_a = levels.T * J_a;
  const Sparse B = product_with_exact_zeros(blocks.K, found.N);
  const bool have_same_basis = are_equal(found.L, found.N);
  if (have_same_basis && forces_act_along_constraints(rows, B) && are_independent(rows, levels))
    return Sparse(T_a * J_a.transpose());
  const Sparse Z = basis_without_forces(found.complement_of_L, B, options);
  if (Z.cols() != T_a.cols())
    return Refusal(NotAvailable(
        "The constraints leave " + std::to_string(T_a.cols()) + " independent motions, but " +
        (Z.cols() < T_a.cols() ? "only " : "") + std::to_string(Z.cols()) +
        " equations do not contain forces of multipliers, so that these forces are not determined. Remove "
        "constraints that follow from others, or give multipliers whose forces do no work on the "
        "motions that the constraints allow."));
  return Sparse((have_same_basis && forces_do_no_work(B, T_a) ? T_a : Z) * J_a.transpose());
}

/// Divides every column by its largest entry.
Sparse scaled_by_largest_entries(Sparse A) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    double largest = 0;
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      largest = std::max(largest, std::abs(entry.value()));
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      entry.valueRef() /= largest;
  }
  return A;
}

/// The multipliers N, each scaled to a force of norm one, and the combinations of multipliers that have no
/// force.
struct MultiplierForces {
  MultiplierForces(const ScaledMatrices& blocks, const Sparse& N, const KernelOptions& options) {
    const Sparse B = product_with_exact_zeros(blocks.K, N);
    const Vector norms = column_norms(B), scale = (norms.array() > 0).select(norms.cwiseInverse(), 1.);
    directions = N * scale.asDiagonal();
    dual = N * scale.cwiseInverse().asDiagonal();
    forces = B * scale.asDiagonal();
    force_free = kernel_basis(forces, "the forces of the multipliers", options);
  }
  Sparse directions, dual, forces, force_free;  ///< directions^T dual = I; forces force_free = 0
};

/// Recovers the multipliers that balance the residual of the equations by a QR factorization of their
/// forces. If several sets of multipliers balance the residual, the set of least norm is returned, where
/// each multiplier is weighted by the norm of its force.
class MultiplierRecovery {
 public:
  MultiplierRecovery(const UnitFactors& units, const MultiplierForces& multipliers)
      : units_(units), N_(multipliers.directions), force_free_(multipliers.force_free) {
    qr_.setPivotThreshold(1e-10);
    qr_.compute(multipliers.forces);
  }

  Vector multipliers(const Vector& residual) const {
    const Vector mu = qr_.solve(Vector(units_.rows.asDiagonal() * residual));
    return units_.columns.asDiagonal() * Vector(N_ * without_force_free(mu));
  }

  /// Applies the transpose of multipliers(). With the factorization forces P = Q R, mu = P R^{-1} Q^T
  /// residual.
  MultiVector residual_weights(const MultiVector& multiplier_weights) const {
    const auto rank = qr_.rank();
    MultiVector w = MultiVector::Zero(units_.rows.size(), multiplier_weights.cols());
    const MultiVector of_mu =
        qr_.colsPermutation().transpose() *
        without_force_free(N_.transpose() * MultiVector(units_.columns.asDiagonal() * multiplier_weights));
    const Sparse R_T = Sparse(qr_.matrixR().topLeftCorner(rank, rank)).transpose();
    w.topRows(rank) = R_T.triangularView<Eigen::Lower>().solve(of_mu.topRows(rank));
    return units_.rows.asDiagonal() * MultiVector(qr_.matrixQ() * w);
  }

 private:
  MultiVector without_force_free(const MultiVector& mu) const {
    return mu - force_free_ * MultiVector(force_free_.transpose() * mu);
  }

  UnitFactors units_;
  Sparse N_, force_free_;
  Eigen::SPQR<Sparse> qr_;
};

Sparse with_unit_columns(const Sparse& A) {
  return A * column_norms(A).cwiseInverse().asDiagonal();
}

/// Returns ConstraintCoordinates::with_multipliers. A redundant row is a combination of the other rows and
/// their derivatives. With vectors u that have entries only in the constraint rows and are orthogonal to
/// `independent`, and combinations w of multipliers without force, P + u w^T is regular, and its
/// determinant equals that of the independent rows up to a constant factor.
template <class Engine>
FreeSystem<Engine> with_determined_multipliers(const FreeSystem<Engine>& system, const ScaledMatrices& blocks,
                                               const Sparse& L, const ConstraintRows& rows,
                                               const ConstraintLevels& levels,
                                               const MultiplierForces& multipliers,
                                               const KernelOptions& options) {
  if (levels.redundant.rows() == 0) return system;
  const ColumnCompression left =
      column_compression(levels.independent, Vector::Ones(levels.independent.cols()),
                         "the independent constraints", EntryOrigin::computed, options);
  const Sparse dependent = left.S * unit_columns(left.null(), static_cast<Index>(left.S.cols()));
  const Sparse u = with_unit_columns(L * Sparse(row_sizes(rows).asDiagonal() * dependent)),
               w = with_unit_columns(multipliers.dual * multipliers.force_free);
  assert(u.cols() == w.cols());
  const Vector per_row = blocks.units.rows.cwiseInverse(), per_column = blocks.units.columns.cwiseInverse();
  const Sparse added = per_row.asDiagonal() * Sparse(u * w.transpose()) * per_column.asDiagonal();
  return system.with_added_stiffness(matrix_from<Engine>(added, system.dofs(), system.dofs()));
}

/// Describes the redundant constraints by the DoFs of their multipliers.
template <class Engine>
std::vector<RedundantConstraints> describe_redundant(const FreeSystem<Engine>& system,
                                                     const Sparse& redundant, const Sparse& L) {
  std::vector<RedundantConstraints> all;
  const Sparse on_dofs = L * Sparse(redundant.transpose());
  for (Index i = 0; i < on_dofs.cols(); ++i) {
    const std::vector<Index> dofs = largest_entries(on_dofs.col(i));
    all.push_back(
        {{}, "the constraints of " + names_of(system, dofs) + " depend on each other or follow from others"});
    for (const Index dof : dofs)
      all.back().dofs.push_back(system.assembled_index(dof));
  }
  return all;
}

/// Sets the matrices, offsets and loads of a ConstrainedForm, equations (1) and (2) there, in the given
/// units.
template <class Engine>
void set_constrained_form(ConstrainedForm<Engine>& form, const ScaledMatrices& blocks,
                          const ConstraintLevels& levels, const Sparse& Z, const Partition& dofs) {
  // Coordinates and their equations have the units of the DoFs whose numbers they take. The equations q_b'
  // + R q~ = r have the unit of q_b.
  const Vector &W = blocks.units.columns, &V = blocks.units.rows;
  const Vector W_p = W(levels.places), V_p = V(levels.places), W_b = W_p(levels.bound),
               per_W_p = W_p.cwiseInverse();
  Vector of_equations = V_p.cwiseInverse();
  of_equations(levels.bound) = W_b;
  const Partition& coordinates = form.places.partition();
  const auto in_units = [&](const Vector& left, const Sparse& A, const Vector& right) {
    return matrix_from<Engine>(left.asDiagonal() * A * right.asDiagonal(), dofs, coordinates);
  };
  form.S = in_units(W, levels.T, per_W_p);
  form.X = in_units(W.cwiseInverse(), levels.T, W_p);
  form.Z = in_units(V, Z, V_p.cwiseInverse());

  const Index n = static_cast<Index>(levels.T.cols());
  const Sparse J_b = unit_columns(levels.bound, n), J_b_T = J_b.transpose(), Z_T = Z.transpose();
  const Sparse M = product_with_exact_zeros(Z, blocks.M, levels.T),
               M_b = M * J_b;  // the factor of q_b'' = r' - R q'
  // A symmetric matrix must remain exactly symmetric.
  const bool is_symmetric_form = levels.bound.empty() && are_equal(Z, levels.T);
  const auto matrix = [&](const Sparse& A, const Sparse& of_dofs) {
    const Sparse A_T = A.transpose();
    const Sparse B = is_symmetric_form && is_symmetric(of_dofs) ? Sparse(0.5 * (A + A_T)) : A;
    return matrix_from<Engine>(of_equations.asDiagonal() * B * per_W_p.asDiagonal(), coordinates,
                               coordinates);
  };
  form.M = matrix(sum_with_exact_zeros(M, -1, M_b * J_b_T), blocks.M);
  form.C = matrix(sum_with_exact_zeros(product_with_exact_zeros(Z, blocks.C, levels.T), -1,
                                       product_with_exact_zeros(M_b, levels.R)) +
                      Sparse(J_b * J_b_T),
                  blocks.C);
  form.K = matrix(product_with_exact_zeros(Z, blocks.K, levels.T) + Sparse(J_b * levels.R), blocks.K);

  const TimeCombination &o = levels.offset, &r = levels.r;
  form.offset = scaled_rows(W, o);
  form.load = scaled_rows(of_equations, Sparse(Z_T * blocks.M) * o.derivative().derivative() +
                                            Sparse(Z_T * blocks.C) * o.derivative() +
                                            Sparse(Z_T * blocks.K) * o + M_b * r.derivative() - J_b * r);
  form.S_b = W.asDiagonal() * Sparse(levels.T * J_b) * W_b.cwiseInverse().asDiagonal();
  form.rate_rows = W_b.asDiagonal() * levels.R * per_W_p.asDiagonal();
  form.constrained_rates = scaled_rows(W_b, r);
}

}  // namespace

template <class Engine>
Attempt<ConstraintCoordinates<Engine>> constraint_coordinates(const FreeSystem<Engine>& system,
                                                              const KernelOptions& options) {
  if (system.dofs().communicator().size() > 1)
    return Refusal(
        NotAvailable("Constraints are eliminated on one process only. Run the application on one process, or "
                     "replace the constraints by linear relations that express dependent degrees of freedom "
                     "by others (as for hanging nodes)."));
  const ScaledMatrices blocks = scaled_matrices_of(system);
  const ConstraintCoordinates<Engine> unchanged{system, {}, system};
  if (blocks.J_K.cols() == 0) return unchanged;
  const Multipliers found = multipliers_of(blocks, options);
  if (found.N.cols() + found.L.cols() == 0) return unchanged;
  if (const auto reason = refusal_of_equations(system, blocks, found)) return Refusal(*reason);

  const AssembledSystem<Engine>& assembled = system.assembled();
  auto form = std::make_shared<ConstrainedForm<Engine>>();
  form->given = GivenMotion(assembled.prescribed(), assembled.constrained().n_local(),
                            assembled.right_sides(), assembled.multipliers().n_local());
  const ConstraintRows rows = constraint_rows_of(system, blocks, found.L, form->given);
  const ConstraintLevels levels = constraint_levels(rows, found.complement_of_N, found.places, options);
  Attempt<Sparse> Z = equation_basis(blocks, found, rows, levels, options);
  if (!Z) return Z.refusal();

  std::vector<Index> places;
  for (const Index free : levels.places)
    places.push_back(assembled.free().local()[static_cast<std::size_t>(free)]);
  form->places = Selection(std::move(places), assembled.dofs());
  set_constrained_form(*form, blocks, levels, *Z, system.dofs());
  form->L = scaled_by_largest_entries(blocks.units.rows.asDiagonal() * found.L);
  form->is_multiplier.assign(static_cast<std::size_t>(assembled.dofs().n_local()), false);
  for (Index j = 0; j < found.N.outerSize(); ++j)
    for (Sparse::InnerIterator entry(found.N, j); entry; ++entry)
      form->is_multiplier[static_cast<std::size_t>(
          assembled.free().local()[static_cast<std::size_t>(entry.row())])] = true;
  const MultiplierForces multipliers(blocks, found.N, options);
  const auto recovery = std::make_shared<const MultiplierRecovery>(blocks.units, multipliers);
  form->multipliers = [recovery](const Vector& residual) { return recovery->multipliers(residual); };
  form->residual_weights = [recovery](const MultiVector& w) { return recovery->residual_weights(w); };
  form->redundant = levels.contradiction;
  const std::vector<RedundantConstraints> redundant = describe_redundant(system, levels.redundant, found.L);
  for (const RedundantConstraints& constraints : redundant)
    form->redundant_names.push_back(constraints.text);

  return ConstraintCoordinates<Engine>{
      system.in_coordinates(form),
      {static_cast<Index>(found.N.cols()), levels.n_position, levels.n_hidden,
       static_cast<Index>(levels.bound.size()), redundant},
      with_determined_multipliers(system, blocks, found.L, rows, levels, multipliers, options)};
}

template Attempt<ConstraintCoordinates<InstantiatedEngine>> constraint_coordinates(
    const FreeSystem<InstantiatedEngine>&, const KernelOptions&);

}  // namespace halfdof::internal
