// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/assembled/differentiated_right_sides.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/assembled/unit_factors.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/linear_algebra/ranks/pivot_rows.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// The matrices M, C and K on all assembled DoFs, without stored zeros.
struct SystemMatrices {
  Sparse M, C, K;
  std::vector<bool> is_free;

  Index n() const { return static_cast<Index>(K.rows()); }
};

template <class Engine>
SystemMatrices matrices_of(const SystemDescription<Engine>& description) {
  const auto sparse = [&](const std::optional<typename Engine::Matrix>& A) -> Sparse {
    const Index n = description.stiffness.rows().n_local();
    Sparse entries = A ? entries_of<Engine>(*A) : Sparse(n, n);
    entries.prune([](Index, Index, double value) { return value != 0; });
    return entries;
  };
  SystemMatrices system{
      sparse(description.mass), sparse(description.damping), sparse(description.stiffness), {}};
  system.is_free.assign(static_cast<std::size_t>(system.n()), true);
  for (const Index i : description.constrained)
    system.is_free.at(static_cast<std::size_t>(i)) = false;
  return system;
}

/// Calls act(row, column, value) for every entry of A whose row and column belong to free DoFs.
template <class Act>
void for_free_entries(const SystemMatrices& system, const Sparse& A, const Act& act) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    if (!system.is_free[static_cast<std::size_t>(j)]) continue;
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      if (system.is_free[static_cast<std::size_t>(entry.row())])
        act(static_cast<std::size_t>(entry.row()), static_cast<std::size_t>(j), entry.value());
  }
}

/// Finds the multipliers. A multiplier is an algebraic DoF that appears in no equation of an algebraic DoF;
/// the own equation of the multiplier contains other DoFs, but no accelerations.
std::vector<Index> multipliers_of(const SystemMatrices& system) {
  std::vector<bool> is_algebraic = system.is_free,
                    contains_others = std::vector<bool>(is_algebraic.size(), false);
  for (const Sparse* const A : {&system.M, &system.C})
    for_free_entries(system, *A, [&](std::size_t, std::size_t j, double) { is_algebraic[j] = false; });
  std::vector<bool> is_multiplier = is_algebraic;
  for_free_entries(system, system.M, [&](std::size_t i, std::size_t, double) { is_multiplier[i] = false; });
  for (const Sparse* const A : {&system.C, &system.K})
    for_free_entries(system, *A, [&](std::size_t i, std::size_t, double) { contains_others[i] = true; });
  for_free_entries(system, system.K, [&](std::size_t i, std::size_t j, double) {
    if (is_algebraic[i] && is_algebraic[j]) is_multiplier[i] = is_multiplier[j] = false;
  });
  std::vector<Index> found;
  for (std::size_t i = 0; i < contains_others.size(); ++i)
    if (is_multiplier[i] && contains_others[i]) found.push_back(static_cast<Index>(i));
  return found;
}

/// The rows of A_1 and A_2 of some constraints A_1 q' + A_2 q = b, with a column for each assembled DoF.
struct ConstraintRows {
  Sparse A_1, A_2;
  std::vector<bool> is_on_rates;  ///< for each constraint, whether the constraint contains rates of free DoFs
  /// Whether a constraint without rates of free DoFs contains rates of constrained DoFs.
  bool contain_rates_of_supports = false;
};

ConstraintRows rows_of(const SystemMatrices& system, const std::vector<Index>& multipliers) {
  const Sparse J_T = unit_columns(multipliers, system.n()).transpose();
  ConstraintRows rows{J_T * system.C, J_T * system.K, std::vector<bool>(multipliers.size(), false)};
  const auto visit = [&](bool is_free, const auto& act) {
    for (Index j = 0; j < rows.A_1.outerSize(); ++j)
      if (system.is_free[static_cast<std::size_t>(j)] == is_free)
        for (Sparse::InnerIterator entry(rows.A_1, j); entry; ++entry)
          act(static_cast<std::size_t>(entry.row()));
  };
  visit(true, [&](std::size_t row) { rows.is_on_rates[row] = true; });
  visit(false, [&](std::size_t row) { rows.contain_rates_of_supports |= !rows.is_on_rates[row]; });
  return rows;
}

/// Returns the coefficients of the highest derivative in each constraint: the row of A_1 for a constraint on
/// rates, and the row of A_2 for a constraint on displacements. Shape: constraints x DoFs.
Sparse leading_matrix(const ConstraintRows& rows) {
  const auto m = static_cast<Index>(rows.is_on_rates.size());
  Sparse on_rates(m, m), on_displacements(m, m);
  for (Index i = 0; i < m; ++i)
    (rows.is_on_rates[static_cast<std::size_t>(i)] ? on_rates : on_displacements).insert(i, i) = 1;
  return on_rates * rows.A_1 + on_displacements * rows.A_2;
}

std::vector<Index> free_dofs(const SystemMatrices& system) {
  std::vector<Index> free;
  for (Index i = 0; i < system.n(); ++i)
    if (system.is_free[static_cast<std::size_t>(i)]) free.push_back(i);
  return free;
}

/// The DoFs for which independent constraints are solved, and the multipliers of redundant constraints.
struct DependentDoFs {
  std::vector<Index> multipliers;  ///< assembled DoFs, one for each independent constraint
  std::vector<Index>
      dependent;  ///< in the order of `multipliers`: the DoF for which the constraint is solved
  std::vector<Index> redundant;  ///< multipliers of redundant constraints
};

/// Chooses the dependent DoFs as pivots of the scaled leading_matrix() (pivot_rows()). DoFs in `keep` have a
/// small weight, so that other DoFs are preferred. The result has no value if the row of a constraint on
/// rates depends linearly on other rows: a combination of the constraints is then a hidden constraint on
/// displacements.
std::optional<DependentDoFs> choose_dependent_dofs(const SystemMatrices& system,
                                                   const std::vector<Index>& multipliers,
                                                   const std::vector<Index>& keep) {
  constexpr double weight_of_kept_dofs = 1e-5;
  const std::vector<Index> free = free_dofs(system);
  const Sparse J = unit_columns(free, system.n()), J_T = J.transpose();
  const auto among_free = [&](const Sparse& A) { return Sparse(Sparse(J_T * A) * J); };
  const UnitFactors units = unit_factors(among_free(system.M), among_free(system.C), among_free(system.K));
  const ConstraintRows rows = rows_of(system, multipliers);
  const Sparse A = leading_matrix(rows) * J;
  Vector weights = Vector::Ones(system.n());
  for (const Index i : keep)
    weights[i] = weight_of_kept_dofs;
  weights = units.columns.cwiseProduct(Vector(weights(free)));
  const auto pivots_of = [&](const std::vector<Index>& some) {
    const Sparse of_some = unit_columns(some, static_cast<Index>(A.rows())).transpose() * A;
    return pivot_rows(Sparse(weights.asDiagonal() * Sparse(of_some.transpose())));
  };
  std::vector<Index> on_displacements, on_rates;
  for (std::size_t k = 0; k < multipliers.size(); ++k)
    (rows.is_on_rates[k] ? on_rates : on_displacements).push_back(static_cast<Index>(k));
  DependentDoFs choice;
  PivotRows pivots = pivots_of(on_displacements);
  for (const Index k : pivots.dependent)
    choice.redundant.push_back(
        multipliers[static_cast<std::size_t>(on_displacements[static_cast<std::size_t>(k)])]);
  std::vector<Index> independent = on_displacements;
  if (!on_rates.empty()) {
    independent = on_rates;
    for (const Index k : pivots.columns)
      independent.push_back(on_displacements[static_cast<std::size_t>(k)]);
    pivots = pivots_of(independent);
    if (!pivots.dependent.empty()) return std::nullopt;
  }
  for (std::size_t k = 0; k < pivots.rows.size(); ++k) {
    const Index of_all = independent[static_cast<std::size_t>(pivots.columns[k])];
    choice.multipliers.push_back(multipliers[static_cast<std::size_t>(of_all)]);
    choice.dependent.push_back(free[static_cast<std::size_t>(pivots.rows[k])]);
  }
  return choice;
}

/// The DoF numbers of the new unknowns v_d and a_d (rate and acceleration of the dependent DoF) of each
/// constraint. The number is -1 if the constraint does not need the unknown.
struct Unknowns {
  std::vector<Index> rates, accelerations;
  Index n = 0;  ///< number of all DoFs, the new unknowns included
};

Unknowns number_new_unknowns(const SystemMatrices& system, const ConstraintRows& rows,
                             const DependentDoFs& choice) {
  std::vector<bool> is_damped(static_cast<std::size_t>(system.n()), false);
  const auto mark_damped_columns = [&](const Sparse& A) {
    for (Index j = 0; j < A.outerSize(); ++j)
      if (Sparse::InnerIterator(A, j)) is_damped[static_cast<std::size_t>(j)] = true;
  };
  mark_damped_columns(system.C);
  Sparse of_rates(rows.A_2.rows(), rows.A_2.rows());
  for (Index i = 0; i < of_rates.rows(); ++i)
    if (rows.is_on_rates[static_cast<std::size_t>(i)]) of_rates.insert(i, i) = 1;
  mark_damped_columns(of_rates * rows.A_2);

  // If one unknown v_d is needed, then the unknowns v_d of all coupled constraints are needed, and all
  // constraints are treated as coupled.
  bool needed = false;
  for (std::size_t k = 0; k < choice.dependent.size(); ++k)
    needed |= !rows.is_on_rates[k] && is_damped[static_cast<std::size_t>(choice.dependent[k])];
  Unknowns unknowns{{}, {}, system.n()};
  for (std::size_t k = 0; k < choice.dependent.size(); ++k)
    unknowns.rates.push_back(needed && !rows.is_on_rates[k] ? unknowns.n++ : -1);
  for (std::size_t k = 0; k < choice.dependent.size(); ++k)
    unknowns.accelerations.push_back(unknowns.n++);
  return unknowns;
}

/// The matrices of the equations of motion together with the differentiated constraints. The new unknowns
/// have entries only in K.
struct EnlargedMatrices {
  Sparse M, C, K;
};

EnlargedMatrices enlarged_matrices(const SystemMatrices& system, const ConstraintRows& rows,
                                   const DependentDoFs& choice, const Unknowns& unknowns) {
  // The columns of q_d'' in M and of q_d' in C become the columns of a_d and v_d in K.
  std::vector<Index> of_accelerations(static_cast<std::size_t>(system.n()), -1), of_rates = of_accelerations;
  std::vector<bool> has_no_rate(of_rates.size(), false);
  for (std::size_t k = 0; k < choice.dependent.size(); ++k) {
    const auto d = static_cast<std::size_t>(choice.dependent[k]);
    of_accelerations[d] = unknowns.accelerations[k];
    of_rates[d] = unknowns.rates[k];
    has_no_rate[d] = !rows.is_on_rates[k];
  }
  Triplets M, C, K;
  const auto take = [](const Sparse& A, const auto& row_of, const std::vector<Index>& unknown, Triplets& A_t,
                       Triplets& K_t, const std::vector<bool>* omitted_columns) {
    for (Index j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator entry(A, j); entry; ++entry) {
        const Index row = row_of(static_cast<std::size_t>(entry.row()));
        if (row < 0) continue;
        const Index column = unknown[static_cast<std::size_t>(j)];
        if (column >= 0)
          K_t.emplace_back(row, column, entry.value());
        else if (omitted_columns == nullptr || !(*omitted_columns)[static_cast<std::size_t>(j)])
          A_t.emplace_back(row, j, entry.value());
      }
  };
  const auto itself = [](std::size_t i) { return static_cast<Index>(i); };
  const std::vector<Index> none(of_rates.size(), -1);
  take(system.M, itself, of_accelerations, M, K, nullptr);
  take(system.C, itself, of_rates, C, K, &has_no_rate);
  take(system.K, itself, none, K, K, nullptr);
  const auto rate_row = [&](std::size_t k) { return unknowns.rates[k]; };
  const auto first_of_rates = [&](std::size_t k) {
    return rows.is_on_rates[k] ? unknowns.accelerations[k] : -1;
  };
  const auto second = [&](std::size_t k) { return unknowns.accelerations[k]; };
  take(rows.A_2, rate_row, of_rates, C, K, &has_no_rate);
  take(leading_matrix(rows), second, of_accelerations, M, K, nullptr);
  take(rows.A_2, first_of_rates, of_rates, C, K, &has_no_rate);

  const auto matrix = [&](const Triplets& entries) {
    Sparse A(unknowns.n, unknowns.n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  };
  return {matrix(M), matrix(C), matrix(K)};
}

/// Returns the component names of the new unknowns, such as "rate of u_x".
std::vector<std::string> names_of(const DoFLabels& labels, const DependentDoFs& choice,
                                  const Unknowns& unknowns) {
  std::vector<std::string> names;
  const auto add = [&](const char* what, const std::vector<Index>& places) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::string name = labels.component_name(choice.dependent[k]);
      if (places[k] >= 0) names.push_back(what + (name.empty() ? std::string() : " of " + name));
    }
  };
  add("rate", unknowns.rates);
  add("acceleration", unknowns.accelerations);
  return names;
}

/// Returns the size of the largest group of free DoFs that constraints couple, directly or through other
/// DoFs.
Index size_of_largest_coupled_group(const SystemMatrices& system, const std::vector<Index>& multipliers) {
  const Sparse A = leading_matrix(rows_of(system, multipliers));
  DisjointSets dofs(static_cast<std::size_t>(system.n()));
  std::vector<Index> first(multipliers.size(), -1);
  for (const Index j : free_dofs(system))
    for (Sparse::InnerIterator entry(A, j); entry; ++entry) {
      Index& of_row = first[static_cast<std::size_t>(entry.row())];
      if (of_row < 0) of_row = j;
      dofs.union_set(of_row, j);
    }
  std::size_t largest = 0;
  for (const std::vector<Index>& group : members_of(dofs))
    largest = std::max(largest, group.size());
  return static_cast<Index>(largest);
}

/// Whether a free DoF has null columns in M and C, so that the DoF may be a multiplier. The result is false
/// for invalid descriptions, which AssembledSystem rejects.
template <class Engine>
bool may_have_multipliers(const SystemDescription<Engine>& description) {
  const Index n = description.stiffness.rows().n_local();
  Vector norms = Vector::Zero(n);
  for (const auto* const A : {&description.mass, &description.damping}) {
    if (!*A) continue;
    if ((*A)->rows().n_local() != n || (*A)->columns().n_local() != n) return false;
    norms += Engine::column_norms(**A);
  }
  for (const Index i : description.constrained) {
    if (i < 0 || i >= n) return false;
    norms[i] = 1;
  }
  return description.stiffness.columns().n_local() == n && (norms.array() == 0).any();
}

}  // namespace

template <class Engine>
DummyDerivatives<Engine> with_dummy_derivatives(const SystemDescription<Engine>& description,
                                                const DummyDerivativeOptions& options) {
  const Index max_group = options.max_group;
  const bool is_possible =
      description.stiffness.rows().communicator().size() == 1 && !description.state_force;
  if (max_group > 0 && !is_possible) return {description, {}, {}};
  if (description.stiffness.rows().communicator().size() > 1)
    throw NotAvailable(
        "Constraints can be solved for dependent degrees of freedom (dummy derivatives) on one process only. "
        "Run the application on one process.");
  if (description.state_force)
    throw NotAvailable(
        "Constraints with multipliers cannot be eliminated in a system with a state force, because the "
        "tangents of this force may depend on the constrained motion. Give the constraints as linear "
        "relations that express dependent degrees of freedom by others (as for "
        "hanging nodes), or use stiff springs.");
  for (const Index i : options.keep)
    if (i < 0 || i >= description.stiffness.rows().n_local())
      throw InvalidInput("The list of DoFs that should remain states holds DoF " + std::to_string(i) +
                         ", but this process has " + std::to_string(description.stiffness.rows().n_local()) +
                         " assembled degrees of freedom, which are counted from 0. Correct the list.");
  if (!may_have_multipliers<Engine>(description)) return {description, {}, {}};
  const SystemMatrices system = matrices_of<Engine>(description);
  const std::vector<Index> multipliers = multipliers_of(system);
  if (multipliers.empty() ||
      (max_group > 0 && size_of_largest_coupled_group(system, multipliers) <= max_group))
    return {description, {}, {}};
  const std::optional<DependentDoFs> chosen = choose_dependent_dofs(system, multipliers, options.keep);
  if (!chosen && max_group > 0) return {description, {}, {}};
  if (!chosen)
    throw NotAvailable(
        "The coefficients of the rates in a constraint depend linearly on the coefficients in other "
        "constraints, so that a combination of these constraints is a hidden constraint on displacements. "
        "Give the hidden constraint in place of one of these constraints, or "
        "use the method \"constraints\".");
  const DependentDoFs& choice = *chosen;
  const bool may_contradict =
      !choice.redundant.empty() && (description.right_sides.moves() || description.prescribed.moves());
  if (may_contradict && max_group > 0) return {description, {}, {}};
  if (may_contradict)
    throw NotAvailable("The constraint of " +
                       description.labels.describe(choice.redundant.front(), choice.redundant.front()) +
                       " is redundant, and a prescribed motion or right side could contradict this "
                       "constraint. Remove the constraint.");
  const ConstraintRows rows = rows_of(system, choice.multipliers);
  if (rows.contain_rates_of_supports && description.prescribed.moves()) {
    if (max_group > 0) return {description, {}, {}};
    throw NotAvailable(
        "A constraint contains displacements of free degrees of freedom, but rates only of constrained ones. "
        "Such a constraint on displacements needs third derivatives of the prescribed motion. Move the terms "
        "with these rates to the right side b(t).");
  }
  const Unknowns unknowns = number_new_unknowns(system, rows, choice);

  SystemDescription<Engine> result =
      with_new_dofs(description, unknowns.n - system.n(), names_of(description.labels, choice, unknowns));
  const Partition& dofs = result.stiffness.rows();
  const EnlargedMatrices matrices = enlarged_matrices(system, rows, choice, unknowns);
  result.mass = matrix_from<Engine>(matrices.M, dofs, dofs);
  result.damping = matrix_from<Engine>(matrices.C, dofs, dofs);
  result.stiffness = matrix_from<Engine>(matrices.K, dofs, dofs);
  result.load = checked_load(result.load, multipliers, description.labels);
  result.constrained.insert(result.constrained.end(), choice.redundant.begin(), choice.redundant.end());

  std::vector<RightSideDerivative> derivatives;
  for (std::size_t k = 0; k < choice.multipliers.size(); ++k) {
    const auto listed =
        std::find(description.multipliers.begin(), description.multipliers.end(), choice.multipliers[k]);
    const bool is_listed = listed != description.multipliers.end();
    const auto of_b = static_cast<Index>(is_listed ? listed - description.multipliers.begin() : -1);
    if (!is_listed) {  // the right side of a constraint that was not listed is zero
      result.multipliers.push_back(choice.multipliers[k]);
      derivatives.push_back({-1, 0});
    }
    if (unknowns.rates[k] >= 0) {
      result.multipliers.push_back(unknowns.rates[k]);
      derivatives.push_back({of_b, 1});
    }
    result.multipliers.push_back(unknowns.accelerations[k]);
    derivatives.push_back({of_b, rows.is_on_rates[k] ? 1 : 2});
  }
  result.right_sides = with_derivatives(description.right_sides, derivatives);
  return {std::move(result), choice.dependent, choice.redundant};
}

template DummyDerivatives<InstantiatedEngine> with_dummy_derivatives(
    const SystemDescription<InstantiatedEngine>&, const DummyDerivativeOptions&);

}  // namespace halfdof
