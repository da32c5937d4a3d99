// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/constraint_relations.h>

#include <algorithm>
#include <utility>

namespace halfdof {

namespace {

using dealii::types::global_dof_index;
using Triplets = std::vector<Eigen::Triplet<double, Index>>;

OwnedRows rows_from(const Triplets& entries, const Partition& dofs) {
  OwnedRows rows(dofs.n_local(), dofs.n_global());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

}  // namespace

template <class Engine>
ConstraintRelations<Engine>::ConstraintRelations(const dealii::AffineConstraints<double>& constraints,
                                                 const Partition& dofs)
    : dofs_(dofs) {
  const Communicator& communicator = dofs.communicator();
  if (communicator.any(!constraints.is_closed()))
    throw InvalidInput(
        "The AffineConstraints are not closed, so that chains of constraints are not resolved. Call "
        "AffineConstraints::close() before.");
  Triplets T, S;
  std::vector<double> inhomogeneities;
  bool stores_all = true;
  for (Index i = 0; i < dofs.n_local(); ++i) {
    const auto dof = static_cast<global_dof_index>(dofs.global_index(i));
    stores_all = stores_all && constraints.can_store_line(dof);
    if (!stores_all) break;
    S.emplace_back(i, static_cast<Index>(dof), 1.);
    if (!constraints.is_constrained(dof)) {
      T.emplace_back(i, static_cast<Index>(dof), 1.);
      continue;
    }
    constrained_.push_back(i);
    inhomogeneities.push_back(constraints.get_inhomogeneity(dof));
    const auto& entries = *constraints.get_constraint_entries(dof);
    if (!entries.empty()) following_.push_back(i);
    for (const auto& [other, weight] : entries)
      T.emplace_back(i, static_cast<Index>(other), weight), S.emplace_back(T.back());
  }
  if (communicator.any(!stores_all))
    throw InvalidInput(
        "The AffineConstraints do not store the lines of all degrees of freedom of this process. Construct "
        "the AffineConstraints with the locally relevant DoFs of the DoFHandler.");

  inhomogeneities_ =
      Eigen::Map<const Vector>(inhomogeneities.data(), static_cast<Eigen::Index>(inhomogeneities.size()));
  inhomogeneous_ = communicator.any(!inhomogeneities_.isZero(0.));
  n_constrained_ = communicator.count(static_cast<GlobalIndex>(constrained_.size()));
  n_following_ = communicator.count(static_cast<GlobalIndex>(following_.size()));
  T_ = Engine::from_rows(rows_from(T, dofs), dofs, dofs);
  S_ = Engine::from_rows(rows_from(S, dofs), dofs, dofs);
}

template <class Engine>
Vector ConstraintRelations<Engine>::inhomogeneities(
    const dealii::AffineConstraints<double>& constraints) const {
  Vector g(static_cast<Eigen::Index>(constrained_.size()));
  for (std::size_t k = 0; k < constrained_.size(); ++k) {
    const auto dof = static_cast<global_dof_index>(dofs_.global_index(constrained_[k]));
    if (!constraints.is_constrained(dof))
      throw InvalidInput(
          "DoF " + std::to_string(dof) +
          " is constrained by the constraints of the assembly, but not by the moving constraints. "
          "Give constraints with the same lines at all times; only inhomogeneities may depend on time.");
    g[static_cast<Eigen::Index>(k)] = constraints.get_inhomogeneity(dof);
  }
  return g;
}

template <class Engine>
Vector ConstraintRelations<Engine>::distribute(const Vector& q) const {
  Vector result = Vector::Zero(q.size());
  T_.add_product(1., q, result);
  return result;
}

template <class Engine>
typename Engine::Matrix ConstraintRelations<Engine>::condensed(const Matrix& A) const {
  return Engine::triple_product(T_, A, S_);
}

template <class Engine>
Vector ConstraintRelations<Engine>::condensed(const Vector& f) const {
  Vector result = Vector::Zero(f.size());
  T_.add_transposed_product(1., f, result);
  return result;
}

namespace {

/// Whether the values of a matrix show that the matrix is raw, or that it is condensed.
struct Evidence {
  bool raw = false;
  bool condensed = false;
};

Evidence evidence_of(const OwnedRows& rows, const std::vector<Index>& constrained, const Partition& dofs) {
  const Communicator& communicator = dofs.communicator();
  bool couples_free = false, couples_constrained = false, diagonal_alone = false;
  auto next = constrained.begin();
  for (Index i = 0; i < dofs.n_local(); ++i) {
    bool couples = false, diagonal = false;
    for (OwnedRows::InnerIterator entry(rows, i); entry; ++entry)
      if (entry.value() != 0.) (entry.col() == dofs.global_index(i) ? diagonal : couples) = true;
    const bool is_constrained = next != constrained.end() && *next == i;
    if (is_constrained) ++next;
    (is_constrained ? couples_constrained : couples_free) |= couples;
    diagonal_alone |= is_constrained && diagonal && !couples;
  }
  double found_anywhere[] = {couples_free ? 1. : 0., couples_constrained ? 1. : 0., diagonal_alone ? 1. : 0.};
  communicator.max(found_anywhere, 3);
  return {found_anywhere[1] > 0, found_anywhere[1] == 0 && found_anywhere[2] > 0 && found_anywhere[0] > 0};
}

[[noreturn]] void throw_contradiction(const std::string& found, const std::string& what_to_do) {
  throw InvalidInput("The rows of constrained degrees of freedom (hanging nodes, Dirichlet values) " + found +
                     ". " + what_to_do);
}

}  // namespace

template <class Engine>
MatrixForm find_form(const std::vector<GivenMatrix>& matrices, const ConstraintRelations<Engine>& relations,
                     const Partition& dofs, MatrixForm requested) {
  std::string raw, condensed;
  for (const GivenMatrix& matrix : matrices) {
    const Evidence evidence = evidence_of(*matrix.rows, relations.constrained(), dofs);
    if (evidence.raw) raw += (raw.empty() ? "" : ", ") + matrix.name;
    if (evidence.condensed) condensed += (condensed.empty() ? "" : ", ") + matrix.name;
  }
  if (requested == MatrixForm::condensed && !raw.empty())
    throw_contradiction(
        "have entries in columns of other DoFs in the " + raw + ", which was declared condensed",
        "Assemble this matrix by AffineConstraints::distribute_local_to_global, or assemble all matrices "
        "without constraints and set the option `form` to raw.");
  if (requested == MatrixForm::raw && raw.empty() && !condensed.empty())
    throw_contradiction("have only a diagonal entry in the " + condensed + ", which was declared raw",
                        "Assemble the matrices without constraints, or set the option `form` to condensed.");
  if (requested != MatrixForm::detect) return requested;

  if (!raw.empty() && !condensed.empty())
    throw_contradiction("have entries in columns of other DoFs in the " + raw +
                            ", but only a diagonal entry in the " + condensed,
                        "Assemble all matrices with the constraints, or all matrices without. If the "
                        "matrices are correct (for "
                        "example a diagonal mass matrix), set the option `form`.");
  if (raw.empty() && condensed.empty() && relations.n_following() > 0)
    throw_contradiction("do not show whether the matrices were assembled with or without constraints",
                        "Set the option `form` to raw (without) or condensed (with).");
  return raw.empty() ? MatrixForm::condensed : MatrixForm::raw;
}

#define INSTANTIATE(Engine)                                                                          \
  template class ConstraintRelations<Engine>;                                                        \
  template MatrixForm find_form(const std::vector<GivenMatrix>&, const ConstraintRelations<Engine>&, \
                                const Partition&, MatrixForm);

INSTANTIATE(EigenEngine)
INSTANTIATE(TrilinosEngine)
#undef INSTANTIATE

}  // namespace halfdof
