// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

std::string name_of_row(const std::vector<std::string>& names, Index i) {
  return "Constraint " + std::to_string(i) +
         (names.empty() ? "" : " (" + names[static_cast<std::size_t>(i)] + ")");
}

/// Returns the names of the first DoFs for messages: "DoF 3 (node 1, x), DoF 5, DoF 8 and 2 more".
std::string names_of(const DoFLabels& labels, const std::vector<Index>& dofs) {
  constexpr std::size_t n_shown = 3;
  std::string names;
  for (std::size_t k = 0; k < std::min(dofs.size(), n_shown); ++k)
    names += (k == 0 ? "" : ", ") + labels.describe(dofs[k], dofs[k]);
  return names + (dofs.size() > n_shown ? " and " + std::to_string(dofs.size() - n_shown) + " more" : "");
}

/// Returns a vector with the entry one for each free DoF and zero for each constrained DoF.
Vector free_indicator(std::vector<Index> constrained, Index n_dofs) {
  std::sort(constrained.begin(), constrained.end());
  Vector ones(n_dofs);
  for (Index dof = 0; dof < n_dofs; ++dof)
    ones[dof] = std::binary_search(constrained.begin(), constrained.end(), dof) ? 0 : 1;
  return ones;
}

/// Rejects zero rows, and rows that have entries only in columns of constrained DoFs: no reaction of a
/// multiplier can enforce these constraints.
void check_acts_on_free(const Sparse& A_1, const Sparse& A_2, const Vector& free, const DoFLabels& labels,
                        const std::vector<std::string>& names) {
  const auto is_constrained = [&](Index dof) { return free[dof] == 0; };
  const Sparse sizes = Sparse(A_1.cwiseAbs()) + Sparse(A_2.cwiseAbs()), of_rows = sizes.transpose();
  for (Index i = 0; i < of_rows.outerSize(); ++i) {
    std::vector<Index> dofs;
    for (Sparse::InnerIterator entry(of_rows, i); entry; ++entry)
      if (entry.value() > 0) dofs.push_back(static_cast<Index>(entry.row()));
    if (dofs.empty())
      throw InvalidInput(name_of_row(names, i) +
                         " is zero in A_1 and in A_2, so that it constrains nothing. Remove the "
                         "constraint, or correct its entries.");
    if (std::all_of(dofs.begin(), dofs.end(), is_constrained))
      throw InvalidInput(
          name_of_row(names, i) + " acts only on constrained degrees of freedom, " + names_of(labels, dofs) +
          ", whose motion is already prescribed, so that no reaction can enforce it. Remove the row, or "
          "remove one of these degrees of freedom from the list of constrained ones.");
  }
}

/// Returns the entries of A_1 or A_2 after checks of the shape and of finite values. An absent matrix is
/// zero.
template <class Engine>
Sparse rows_of(const std::optional<typename Engine::Matrix>& A, const std::string& name, Index n_rows,
               Index n, const std::vector<std::string>& names) {
  if (!A) return Sparse(n_rows, n);
  const Sparse rows = entries_of<Engine>(*A);
  if (rows.rows() != n_rows || rows.cols() != n)
    throw InvalidInput("The matrix " + name + " of constraints is " + std::to_string(rows.rows()) + " x " +
                       std::to_string(rows.cols()) + ", but there are " + std::to_string(n_rows) +
                       " constraints on " + std::to_string(n) +
                       " assembled degrees of freedom. Give one row for each constraint, and one "
                       "column for each degree of freedom.");
  for (Index j = 0; j < rows.outerSize(); ++j)
    for (Sparse::InnerIterator entry(rows, j); entry; ++entry)
      if (!std::isfinite(entry.value()))
        throw InvalidInput(name_of_row(names, static_cast<Index>(entry.row())) + " holds " +
                           number_text(entry.value()) + " in " + name + ", column " + std::to_string(j) +
                           ". Every entry must be finite.");
  return rows;
}

/// A hidden constraint on displacements that replaces a row of B, the matrix of reaction directions.
struct HiddenConstraint {
  Index row;                                 ///< row of B to be replaced; this row is a constraint on rates
  Eigen::SparseVector<double> coefficients;  ///< coefficients of the hidden constraint on all assembled DoFs
};

/// Finds a linear combination of the columns of B^T that vanishes on the free DoFs. The same combination of
/// the
/// constraints on rates is a hidden constraint on displacements, unless it vanishes, too. The result has no
/// value if no
/// hidden constraint is found.
std::optional<HiddenConstraint> find_hidden_constraint(const Sparse& B_T, const Sparse& A_2,
                                                       const Vector& free,
                                                       const std::vector<bool>& is_on_rates) {
  const Sparse A_2_T = A_2.transpose(), A_2_T_free = free.asDiagonal() * A_2_T,
               B_T_free = free.asDiagonal() * B_T;
  constexpr double equally_large = 1 + 1e-6;  // so that rounding does not decide between equal parts
  const Vector norms = column_norms(B_T_free);
  const Sparse unit = B_T_free * norms.cwiseInverse().asDiagonal();
  const ColumnCompression basis =
      column_compression(unit, Vector::Ones(norms.size()), "the directions of constraints");
  for (const Index j : basis.null()) {
    Sparse on_rates(norms.size(), 1);
    HiddenConstraint hidden{-1, {}};
    double largest = 0;
    for (Sparse::InnerIterator entry(basis.S, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      if (!is_on_rates[static_cast<std::size_t>(i)]) continue;
      on_rates.insert(i, 0) = entry.value() / norms[i];
      if (std::abs(entry.value()) <= equally_large * largest) continue;
      largest = std::abs(entry.value());
      hidden.row = i;
    }
    if (hidden.row < 0 || product_with_exact_zeros(A_2_T_free, on_rates).nonZeros() == 0) continue;
    on_rates /= on_rates.coeff(hidden.row, 0);
    hidden.coefficients = product_with_exact_zeros(A_2_T, on_rates).col(0);
    return hidden;
  }
  return std::nullopt;
}

/// Returns B, whose rows are the directions of the reactions: of each constraint, or of the hidden constraint
/// that
/// replaces it.
Sparse reaction_directions(const Sparse& A_1, const Sparse& A_2, const Vector& free) {
  const auto m = static_cast<Index>(A_2.rows());
  const Vector rates = column_norms(Sparse(free.asDiagonal() * Sparse(A_1.transpose())));
  Sparse on_rates(m, m), on_displacements(m, m);
  std::vector<bool> is_on_rates(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) {
    is_on_rates[static_cast<std::size_t>(i)] = rates[i] > 0;
    (rates[i] > 0 ? on_rates : on_displacements).insert(i, i) = 1;
  }
  Sparse B_T = Sparse(on_rates * A_1 + on_displacements * A_2).transpose();
  while (const auto hidden = find_hidden_constraint(B_T, A_2, free, is_on_rates)) {
    B_T.col(hidden->row) = hidden->coefficients;
    is_on_rates[static_cast<std::size_t>(hidden->row)] = false;
  }
  return B_T.transpose();
}

/// Returns the block matrix [0, right^T; below, 0], whose second rows and columns belong to the multipliers.
template <class Engine>
typename Engine::Matrix bordering(const Sparse& below, const Sparse& right, const Partition& dofs) {
  const auto n = static_cast<Index>(below.cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < n; ++j) {
    for (Sparse::InnerIterator entry(below, j); entry; ++entry)
      entries.emplace_back(n + static_cast<Index>(entry.row()), j, entry.value());
    for (Sparse::InnerIterator entry(right, j); entry; ++entry)
      entries.emplace_back(j, n + static_cast<Index>(entry.row()), entry.value());
  }
  Sparse all(dofs.n_local(), dofs.n_local());
  all.setFromTriplets(entries.begin(), entries.end());
  return matrix_from<Engine>(all, dofs, dofs);
}

/// Returns a function that concatenates the values of two functions, or no function if a needed function is
/// missing.
TimeFunction stacked(const TimeFunction& first, bool has_first, Index n_first, const TimeFunction& second,
                     bool has_second, Index n_second) {
  if ((has_first && !first) || (has_second && !second)) return {};
  return [=](double time) {
    Vector both = Vector::Zero(n_first + n_second);
    if (has_first) both.head(n_first) = first(time);
    if (has_second) both.tail(n_second) = second(time);
    return both;
  };
}

PrescribedMotion stacked(const PrescribedMotion& a, Index n_a, const PrescribedMotion& b, Index n_b) {
  if (!a.moves() && !b.moves()) return {};
  const auto both = [&](const TimeFunction& first, const TimeFunction& second) {
    return stacked(first, a.moves(), n_a, second, b.moves(), n_b);
  };
  return {both(a.value, b.value), both(a.rate, b.rate), both(a.acceleration, b.acceleration),
          both(a.jerk, b.jerk)};
}

/// Returns the right side b(t) of the additional constraints, including its constant part.
template <class Engine>
PrescribedMotion right_side_of(const AdditionalConstraints<Engine>& constraints, Index m) {
  const PrescribedMotion& motion = constraints.right_side;
  const Vector& constant = constraints.constant;
  if (constant.size() != 0 && (constant.size() != m || !constant.allFinite()))
    throw InvalidInput("The constant part of the right side b of constraints has " +
                       std::to_string(constant.size()) + " entries" +
                       (constant.allFinite() ? "" : ", not all finite") + ", but there are " +
                       std::to_string(m) + " constraints. Give one finite value for each constraint.");
  if (motion.moves() && !motion.value)
    throw InvalidInput(
        "Derivatives of the right side b(t) of constraints were given, but not b(t) itself. Give b(t), too.");
  if (constant.size() == 0) return motion;
  const TimeFunction zero = [m](double) -> Vector { return Vector::Zero(m); };
  if (!motion.moves()) return {[constant](double) { return constant; }, zero, zero, zero};
  PrescribedMotion all = motion;
  all.value = [constant, value = motion.value](double time) -> Vector { return constant + value(time); };
  return all;
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_constraints(const SystemDescription<Engine>& description,
                                           const AdditionalConstraints<Engine>& constraints) {
  const Partition& dofs = description.stiffness.rows();
  if (dofs.communicator().size() > 1)
    throw NotAvailable(
        "Constraints given in addition to the matrices are supported on one process only. Run the "
        "application on one process, or replace the constraints by linear relations that express dependent "
        "degrees of freedom by others (as for hanging nodes).");
  const Index n = dofs.n_local();
  const auto& given = constraints.position ? constraints.position : constraints.rate;
  const Index m = given ? given->rows().n_local() : 0;
  if (m == 0) return description;
  const std::vector<std::string>& names = constraints.names;
  if (!names.empty() && names.size() != static_cast<std::size_t>(m))
    throw InvalidInput("Names of " + std::to_string(names.size()) +
                       " constraints were given, but there are " + std::to_string(m) +
                       ". Give one name for each constraint, or no names.");

  const Sparse A_1 = rows_of<Engine>(constraints.rate, "A_1", m, n, names),
               A_2 = rows_of<Engine>(constraints.position, "A_2", m, n, names);
  const Vector free = free_indicator(description.constrained, n);
  check_acts_on_free(A_1, A_2, free, description.labels, names);
  const Sparse B = reaction_directions(A_1, A_2, free);
  std::vector<std::string> components = names;
  if (components.empty()) components.assign(static_cast<std::size_t>(m), "multiplier");
  SystemDescription<Engine> result = with_new_dofs(description, m, components);
  const Partition& all = result.stiffness.rows();
  if (names.empty()) {
    std::vector<Index>& rows = result.labels.constraint;
    rows.resize(static_cast<std::size_t>(n) + static_cast<std::size_t>(m), -1);
    std::iota(rows.begin() + n, rows.end(), 0);
  }
  result.stiffness = Engine::sum(1., result.stiffness, 1., bordering<Engine>(A_2, B, all));
  if (constraints.rate) {
    const auto rows = bordering<Engine>(A_1, Sparse(m, n), all);
    result.damping = result.damping ? Engine::sum(1., *result.damping, 1., rows) : rows;
  }
  const auto n_before = static_cast<Index>(description.multipliers.size());
  const PrescribedMotion b = right_side_of(constraints, m);
  result.right_sides = stacked(description.right_sides, n_before, b, m);
  for (Index i = 0; i < m; ++i)
    result.multipliers.push_back(n + i);
  return result;
}

template SystemDescription<InstantiatedEngine> with_constraints(
    const SystemDescription<InstantiatedEngine>&, const AdditionalConstraints<InstantiatedEngine>&);

}  // namespace halfdof
