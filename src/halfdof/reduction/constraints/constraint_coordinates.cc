// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/reduction/constraints/constraint_coordinates.h>
#include <halfdof/reduction/constraints/constraint_levels.h>
#include <halfdof/reduction/constraints/constraint_multipliers.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

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
                                                 const ScaledMatrices& blocks,
                                                 const ConstraintMultipliers& found) {
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
  const ConstraintMultipliers found = multipliers_of(blocks, options);
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
