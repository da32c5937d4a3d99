// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/diagnosis/largest_of.h>
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/reduction/kernel/null_space.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_finding.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace halfdof::internal {

namespace {

/// A product of a matrix with null vectors counts as zero if its norm is below this fraction of the sum
/// of the norms of its terms.
constexpr double zero_product = 1e-6;
/// Entries of computed null vectors below this fraction of the largest entry count as errors of the
/// iteration.
constexpr double null_vector_noise = 1e-7;
/// The groups of DoFs are reported as one group if there are more than this number.
constexpr std::size_t max_groups = 5;

std::vector<Index> indices_above(double limit, const Vector& weights) {
  std::vector<Index> dofs;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > limit) dofs.push_back(i);
  return dofs;
}

/// Groups the DoFs with nonzero entries in null vectors so that the columns of DoFs in different groups
/// have no common rows.
/// @param A The matrix, on one process @param weights Norm of each row of the null vectors
std::vector<std::vector<Index>> connected_groups(const Eigen::SparseMatrix<double>& A,
                                                 const Vector& weights) {
  const double largest = weights.maxCoeff();
  const std::vector<Index> dofs = indices_above(null_vector_noise * largest, weights);
  DisjointSets places(dofs.size());
  std::vector<Index> first(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < dofs.size(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, dofs[k]); entry; ++entry) {
      Index& of_row = first[static_cast<std::size_t>(entry.row())];
      if (of_row < 0) of_row = static_cast<Index>(k);
      places.union_set(static_cast<std::size_t>(of_row), k);
    }
  std::vector<std::vector<Index>> groups;
  for (std::vector<Index>& group : members_of(places)) {
    for (Index& place : group)
      place = dofs[static_cast<std::size_t>(place)];
    if (weights(group).maxCoeff() > regular_part * largest) groups.push_back(std::move(group));
  }
  return groups;
}

/// A group of DoFs with nonzero entries in null vectors: local DoFs in ascending order.
struct NullGroup {
  std::vector<Index> dofs;
  GlobalIndex extent;  ///< number of DoFs with large entries on all processes
};

/// Returns the connected groups on one process, and on several processes one group of all DoFs.
/// @param A A matrix whose columns are the DoFs; for null vectors of rows, the transposed matrix
std::vector<NullGroup> null_groups(const Communicator& communicator, const Eigen::SparseMatrix<double>& A,
                                   const Vector& weights) {
  const double largest = largest_of(communicator, weights);
  std::vector<std::vector<Index>> lists;
  if (communicator.size() == 1) lists = connected_groups(A, weights);
  if (lists.empty() || lists.size() > max_groups)
    lists = {indices_above(null_vector_noise * largest, weights)};
  std::vector<NullGroup> groups;
  for (std::vector<Index>& dofs : lists) {
    const auto extent = static_cast<GlobalIndex>(indices_above(regular_part * largest, weights(dofs)).size());
    groups.push_back({std::move(dofs), communicator.count(extent)});
  }
  return groups;
}

/// Joins the groups of equations that have a DoF in common with a group of unknowns.
NullGroup overlapping_equations(const Communicator& communicator, const std::vector<NullGroup>& equations,
                                const NullGroup& unknowns) {
  NullGroup all{{}, 0};
  for (const NullGroup& group : equations) {
    std::vector<Index> common;
    std::set_intersection(group.dofs.begin(), group.dofs.end(), unknowns.dofs.begin(), unknowns.dofs.end(),
                          std::back_inserter(common));
    if (!communicator.any(!common.empty())) continue;
    all.dofs.insert(all.dofs.end(), group.dofs.begin(), group.dofs.end());
    all.extent += group.extent;
  }
  return all;
}

/// Returns whether the product of D with the null vectors vanishes, or for the pencil, whether the
/// products of M, C and K with them all vanish.
template <class Engine>
bool assembled_products_vanish(const FreeSystem<Engine>& system, const Classification& classification,
                               const SingularBlock<Engine>& block, const MultiVector& null_vectors) {
  const Communicator& communicator = system.dofs().communicator();
  const bool is_pencil = block.name == pencil_block;
  const auto vanishes = [&](const MultiVector& product, double scale) {
    return norm(communicator, product.reshaped()) <= zero_product * scale;
  };
  MultiVector z = MultiVector::Zero(system.dofs().n_local(), null_vectors.cols());
  block.dofs.add_to(null_vectors, z);
  MultiVector sum = MultiVector::Zero(z.rows(), z.cols());
  double scale = 0;
  const auto add = [&](const typename Engine::Matrix& A, const MultiVector& x) {
    A.add_product(1., x, sum);
    scale += communicator.sum(Engine::column_norms(A).dot(x.cwiseAbs().rowwise().sum()));
  };
  if (is_pencil) {
    for (const auto* A : {&system.M(), &system.C(), &system.K()}) {
      sum.setZero();
      scale = 0;
      add(*A, z);
      if (!vanishes(sum, scale)) return false;
    }
    return true;
  }
  add(system.M(), classification.inertial().only(z));
  add(system.C(), classification.viscous().only(z));
  add(system.K(), classification.algebraic().only(z));
  return vanishes(sum, scale);
}

/// Returns whether the diagonal block of the DoFs with large entries in null vectors has nonzero
/// entries.
template <class Engine>
bool diagonal_block_has_entries(const SingularBlock<Engine>& block, const MultiVector& basis) {
  const Partition& dofs = block.matrix.rows();
  const Vector weights = basis.rowwise().norm();
  const Selection own(indices_above(regular_part * largest_of(dofs.communicator(), weights), weights), dofs);
  return dofs.communicator().any(Engine::submatrix(block.matrix, own, own).n_local_entries() > 0);
}

/// Determines why the unknowns of a group are not determined.
/// @param basis Null vectors in equilibrated coordinates @param scale Factors from equilibrated
/// coordinates to DoFs
template <class Engine>
SingularCause cause_of_unknowns(const FreeSystem<Engine>& system, const Classification& classification,
                                const SingularBlock<Engine>& block, const MultiVector& basis,
                                const Vector& scale) {
  if (block.name == stiffness_block) return SingularCause::floating;
  const bool is_pencil = block.name == pencil_block;
  if (is_pencil && !diagonal_block_has_entries(block, basis)) return SingularCause::redundant_constraint;
  if (assembled_products_vanish(system, classification, block, MultiVector(scale.asDiagonal() * basis)))
    return SingularCause::floating;
  return is_pencil ? SingularCause::dependent_unknowns : SingularCause::hidden_constraint;
}

/// Returns the rows of some DoFs in an array of null vectors, with zeros in all other rows.
MultiVector rows_only(const MultiVector& basis, const std::vector<Index>& dofs) {
  MultiVector part = MultiVector::Zero(basis.rows(), basis.cols());
  part(dofs, Eigen::all) = basis(dofs, Eigen::all);
  return part;
}

}  // namespace

template <class Engine>
Attempt<NumericalFindings> numerical_findings(const FreeSystem<Engine>& system,
                                              const Classification& classification,
                                              const SingularBlock<Engine>& block,
                                              const typename Engine::Matrix& matrix) {
  const Communicator& communicator = matrix.rows().communicator();
  Attempt<NullSpaces> found = null_spaces<Engine>(matrix);
  if (!found) return found.refusal();
  const NullSpaces& spaces = *found;
  const Vector of_unknowns = spaces.right.basis.rowwise().norm(),
               of_equations = spaces.left.basis.rowwise().norm();
  Eigen::SparseMatrix<double> A;
  if (communicator.size() == 1) A = entries_of<Engine>(matrix);
  const std::vector<NullGroup> equations = null_groups(communicator, A.transpose(), of_equations);
  NumericalFindings result{{}, spaces.residual};
  for (const NullGroup& unknowns : null_groups(communicator, A, of_unknowns)) {
    const NullGroup related_equations = overlapping_equations(communicator, equations, unknowns);
    if (0 < related_equations.extent && 2 * related_equations.extent < unknowns.extent) {
      result.findings.push_back(
          {rows_only(of_equations, related_equations.dofs), SingularCause::dependent_equations});
      continue;
    }
    const MultiVector basis = rows_only(spaces.right.basis, unknowns.dofs);
    result.findings.push_back({basis.rowwise().norm(),
                               cause_of_unknowns(system, classification, block, basis, spaces.right.scale)});
  }
  return result;
}

template Attempt<NumericalFindings> numerical_findings(const FreeSystem<InstantiatedEngine>&,
                                                       const Classification&,
                                                       const SingularBlock<InstantiatedEngine>&,
                                                       const InstantiatedEngine::Matrix&);

}  // namespace halfdof::internal
