// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/dealii/uncoupled_dofs.h>

#include <algorithm>
#include <cstddef>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;

constexpr std::size_t max_named = 5;  // largest number of DoFs that are named in the warning

/// Which entries one row of a matrix has.
struct RowStructure {
  bool has_diagonal = false;      ///< the diagonal entry is not zero
  bool couples = false;           ///< another entry is not zero
  bool has_other_places = false;  ///< the sparsity pattern has entries outside of the diagonal
  bool all_constrained = true;    ///< all other entries are in columns of constrained DoFs
};

RowStructure structure_of_row(const OwnedRows& rows, Index i,
                              const dealii::AffineConstraints<double>& constraints, const Partition& dofs) {
  RowStructure row;
  for (OwnedRows::InnerIterator entry(rows, i); entry; ++entry) {
    if (entry.col() == dofs.global_index(i)) {
      row.has_diagonal = entry.value() != 0.;
      continue;
    }
    row.couples = row.couples || entry.value() != 0.;
    row.has_other_places = true;
    row.all_constrained =
        row.all_constrained && constraints.is_constrained(static_cast<global_dof_index>(entry.col()));
  }
  return row;
}

/// Returns whether the rows of a DoF look like rows of a constrained DoF: the diagonal entries of the first
/// two matrices are not zero, and all entries outside of the diagonal are zero in all matrices.
bool is_uncoupled(const std::vector<GivenMatrix>& matrices, Index i,
                  const dealii::AffineConstraints<double>& constraints, const Partition& dofs) {
  bool has_other_places = false, all_constrained = true;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const RowStructure row = structure_of_row(*matrices[k].rows, i, constraints, dofs);
    if (row.couples || (k < 2 && !row.has_diagonal)) return false;
    has_other_places = has_other_places || row.has_other_places;
    all_constrained = all_constrained && row.all_constrained;
  }
  return !(has_other_places && all_constrained);
}

}  // namespace

std::string warning_of_uncoupled_dofs(const std::vector<GivenMatrix>& matrices,
                                      const dealii::AffineConstraints<double>& constraints,
                                      const DoFLabels& labels, const Partition& dofs) {
  if (matrices.size() < 2) return "";
  const Communicator& communicator = dofs.communicator();
  GlobalIndex n_here = 0, n_coupled = 0;
  std::string names_here;
  for (Index i = 0; i < dofs.n_local(); ++i) {
    const GlobalIndex dof = dofs.global_index(i);
    if (constraints.is_constrained(static_cast<global_dof_index>(dof))) continue;
    if (!is_uncoupled(matrices, i, constraints, dofs))
      ++n_coupled;
    else if (++n_here <= static_cast<GlobalIndex>(max_named))
      names_here += labels.describe(i, dof) + '\n';
  }
  const GlobalIndex n = communicator.count(n_here);
  // If no DoF is coupled to another DoF, the model consists of independent oscillators, and no warning is
  // needed.
  if (communicator.count(n_coupled) == 0 || n == 0) return "";

  std::string names;
  std::size_t n_shown = 0;
  for (const std::string& there : communicator.gather(names_here))
    for (std::size_t begin = 0, end; (end = there.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (n_shown < max_named) names += (n_shown++ == 0 ? "" : ", ") + there.substr(begin, end - begin);
  const auto n_more = n - static_cast<GlobalIndex>(n_shown);
  return std::to_string(n) + (n == 1 ? " degree of freedom is" : " degrees of freedom are") +
         " not coupled to other degrees of freedom, although no constraint acts on " +
         (n == 1 ? "it" : "them") + ": the rows contain only a diagonal entry in every matrix (" + names +
         (n_more > 0 ? " and " + std::to_string(n_more) + " more" : "") +
         "). Such rows result from an assembly with AffineConstraints. If the matrices were assembled with "
         "AffineConstraints, give these constraints to assembled_from_dealii(): otherwise the artificial "
         "diagonal entries add eigenvalues, and hanging nodes do not move.";
}

}  // namespace halfdof
