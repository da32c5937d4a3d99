// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/diagnosis/largest_of.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/structural_rank.h>
#include <halfdof/reduction/singular_finding.h>

#include <algorithm>
#include <map>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// All deficient parts with the same cause are reported as one finding if there are more parts than
/// this number.
constexpr std::size_t max_parts = 5;

/// A structurally deficient part of a matrix: equations that contain too few unknowns, or unknowns that
/// occur in too few equations.
struct DeficientPart {
  std::vector<Index> dofs;
  Index deficiency;
  bool are_equations;
};

std::vector<DeficientPart> deficient_parts(const DulmageMendelsohn& structure) {
  const auto size = [](const std::vector<Index>& side) { return static_cast<Index>(side.size()); };
  std::vector<DeficientPart> parts;
  for (const PatternPart& part : structure.underdetermined)
    parts.push_back({part.columns, size(part.columns) - size(part.rows), false});
  for (const PatternPart& part : structure.overdetermined)
    parts.push_back({part.rows, size(part.rows) - size(part.columns), true});
  return parts;
}

/// Selects the smallest deficient parts of the Dulmage-Mendelsohn decomposition. The parts of unknowns
/// together account for the whole rank deficiency, and so do the parts of equations. Parts are taken in
/// ascending size, with all parts of the same size, until the parts of unknowns or those of equations
/// account for the deficiency: an empty equation, for example, is a part by itself, although the
/// matching part of unknowns contains all unknowns. In a symmetric matrix, a part of equations with the
/// same DoFs as a part of unknowns is not reported again.
std::vector<DeficientPart> smallest_parts(const DulmageMendelsohn& structure) {
  std::vector<DeficientPart> parts = deficient_parts(structure), taken;
  std::stable_sort(parts.begin(), parts.end(), [](const DeficientPart& a, const DeficientPart& b) {
    return a.dofs.size() < b.dofs.size();
  });
  const auto deficiency = static_cast<Index>(structure.unmatched_rows.size());
  Index missing_unknowns = deficiency, missing_equations = deficiency;
  std::vector<std::vector<Index>> of_unknowns;
  for (const DeficientPart& part : parts)
    if (!part.are_equations) of_unknowns.push_back(part.dofs);
  std::sort(of_unknowns.begin(), of_unknowns.end());
  for (DeficientPart& part : parts) {
    const bool are_all = missing_unknowns == 0 || missing_equations == 0;
    if (are_all && part.dofs.size() > taken.back().dofs.size()) break;
    (part.are_equations ? missing_equations : missing_unknowns) -= part.deficiency;
    if (part.are_equations && std::binary_search(of_unknowns.begin(), of_unknowns.end(), part.dofs)) continue;
    taken.push_back(std::move(part));
  }
  return taken;
}

bool are_zero(const Vector& norms, const std::vector<Index>& dofs) {
  return norms(dofs).maxCoeff() == 0;
}

bool diagonal_block_has_entries(const Sparse& A, const std::vector<Index>& dofs) {
  for (const Index j : dofs)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      if (entry.value() != 0 && std::binary_search(dofs.begin(), dofs.end(), static_cast<Index>(entry.row())))
        return true;
  return false;
}

/// 1-norms of the rows and the columns of M, C and K together.
struct AssembledNorms {
  Vector rows, columns;
};

template <class Engine>
AssembledNorms assembled_norms(const FreeSystem<Engine>& system) {
  AssembledNorms norms{Vector::Zero(system.dofs().n_local()), Vector::Zero(system.dofs().n_local())};
  for (const auto* A : {&system.M(), &system.C(), &system.K()}) {
    norms.rows += Engine::row_norms(*A);
    norms.columns += Engine::column_norms(*A);
  }
  return norms;
}

/// Returns the 1-norms of the rows of free DoFs in the columns of constrained DoFs, for M, C and K
/// together.
template <class Engine>
Vector norms_on_constrained(const FreeSystem<Engine>& system) {
  Vector norms = Vector::Zero(system.dofs().n_local());
  for (const auto* A : {&system.M_constrained(), &system.C_constrained(), &system.K_constrained()})
    norms += Engine::row_norms(*A);
  return norms;
}

SingularCause cause_of(const DeficientPart& part, const std::string& block, const Sparse& A,
                       const AssembledNorms& norms) {
  if (part.are_equations && are_zero(norms.rows, part.dofs)) return SingularCause::empty_equation;
  if (!part.are_equations && are_zero(norms.columns, part.dofs)) return SingularCause::unused_unknown;
  if (block == stiffness_block) return SingularCause::floating;
  if (block == "K_KK" || block == "C_CC" || block == "M_II") return SingularCause::hidden_constraint;
  if (block == pencil_block && part.dofs.size() > 1 && !diagonal_block_has_entries(A, part.dofs))
    return SingularCause::redundant_constraint;
  return part.are_equations ? SingularCause::too_few_unknowns : SingularCause::too_few_equations;
}

/// Returns the findings for the deficient parts. Parts of a single DoF with the same cause are joined
/// to one finding. If there are more than max_parts parts, larger parts with the same cause are joined,
/// too.
std::vector<SingularFinding> findings_of(const std::vector<DeficientPart>& parts, const std::string& block,
                                         const Sparse& A, const AssembledNorms& norms) {
  const bool are_many = parts.size() > max_parts;
  std::vector<SingularFinding> findings;
  std::map<SingularCause, std::size_t> together;
  for (const DeficientPart& part : parts) {
    const SingularCause cause = cause_of(part, block, A, norms);
    std::size_t at = findings.size();
    if (are_many || part.dofs.size() == 1) at = together.try_emplace(cause, at).first->second;
    if (at == findings.size()) findings.push_back({Vector::Zero(A.cols()), cause});
    findings[at].weights(part.dofs).setOnes();
  }
  return findings;
}

/// Returns A with the value `size` added to the entries (rows[k], columns[k]).
Sparse with_entries(const Sparse& A, const std::vector<Index>& rows, const std::vector<Index>& columns,
                    double size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k)
    entries.emplace_back(rows[k], columns[k], size);
  Sparse added(A.rows(), A.cols());
  added.setFromTriplets(entries.begin(), entries.end());
  return A + added;
}

/// Returns A with additional entries of one size that give it full structural rank. Entries are added
/// on the diagonal of unmatched rows, so that other DoFs are not affected, and then at the remaining
/// pairs of unmatched rows and columns.
Sparse with_full_structural_rank(const Sparse& A, const DulmageMendelsohn& structure, double size) {
  Sparse result = with_entries(A, structure.unmatched_rows, structure.unmatched_rows, size);
  if (const auto rest = dulmage_mendelsohn(result))
    result = with_entries(result, rest->unmatched_rows, rest->unmatched_columns, size);
  return result;
}

}  // namespace

template <class Engine>
bool has_zero_rows_or_columns(const FreeSystem<Engine>& system) {
  const AssembledNorms norms = assembled_norms(system);
  return system.dofs().communicator().any((norms.rows.array() == 0 || norms.columns.array() == 0).any());
}

template <class Engine>
PatternFindings<Engine> pattern_findings(const FreeSystem<Engine>& system,
                                         const SingularBlock<Engine>& block) {
  const Partition& dofs = block.matrix.rows();
  const Communicator& communicator = dofs.communicator();
  const AssembledNorms of_all = assembled_norms(system);
  const AssembledNorms norms{block.dofs.selected_rows(of_all.rows), block.dofs.selected_rows(of_all.columns)};
  const double largest = largest_of(communicator, Engine::column_norms(block.matrix)),
               size = largest > 0 ? largest : 1;
  PatternFindings<Engine> result{{}, block.matrix};
  const Vector without_free_neighbors = ((norms.rows + norms.columns).array() == 0).template cast<double>();
  const Vector constrained_norms = block.dofs.selected_rows(norms_on_constrained(system));
  const Vector unconnected = (constrained_norms.array() == 0).select(without_free_neighbors, 0.),
               on_constrained_only = (constrained_norms.array() > 0).select(without_free_neighbors, 0.);
  for (const auto& [weights, cause] : {std::pair(&unconnected, SingularCause::unconnected),
                                       std::pair(&on_constrained_only, SingularCause::only_constrained_dofs)})
    if (largest_of(communicator, *weights) > 0) {
      result.findings.push_back({*weights, cause});
      result.repaired = Engine::sum(1., result.repaired, size, Engine::diagonal(*weights, dofs));
    }
  if (communicator.size() > 1) return result;
  const Sparse A = entries_of<Engine>(result.repaired);
  const auto structure = dulmage_mendelsohn(A);
  if (!structure || structure->rank == A.cols()) return result;
  for (SingularFinding& finding : findings_of(smallest_parts(*structure), block.name, A, norms))
    result.findings.push_back(std::move(finding));
  result.repaired = matrix_from<Engine>(with_full_structural_rank(A, *structure, size), dofs, dofs);
  return result;
}

template bool has_zero_rows_or_columns(const FreeSystem<InstantiatedEngine>&);
template PatternFindings<InstantiatedEngine> pattern_findings(const FreeSystem<InstantiatedEngine>&,
                                                              const SingularBlock<InstantiatedEngine>&);

}  // namespace halfdof::internal
