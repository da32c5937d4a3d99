#include <halfdof/assembled/lumped_elements.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>
#include <optional>

namespace halfdof {

namespace {

/// The rows of this process that the entries make.
template <class Engine>
typename Engine::Matrix matrix_of(const std::vector<MatrixEntry>& entries, const Partition& dofs) {
  std::vector<Eigen::Triplet<double, int>> here;
  for (const MatrixEntry& entry : entries) {
    for (const GlobalIndex dof : {entry.row, entry.column})
      if (dof < 0 || dof >= dofs.n_global())
        throw InvalidInput("A lumped element refers to DoF " + std::to_string(dof) +
                           ", but the assembled and the new degrees of freedom together run from 0 to " +
                           std::to_string(dofs.n_global() - 1) + ". Correct the index; it is 0-based.");
    if (!std::isfinite(entry.value))
      throw InvalidInput("A lumped element has the value " + number_text(entry.value) + " in row " +
                         std::to_string(entry.row) + ", column " + std::to_string(entry.column) +
                         ". Every entry must be finite.");
    if (const Index row = dofs.local_index(entry.row); row >= 0)
      here.emplace_back(row, static_cast<int>(entry.column), entry.value);
  }
  OwnedRows rows(dofs.n_local(), dofs.n_global());
  rows.setFromTriplets(here.begin(), here.end());
  return Engine::from_rows(rows, dofs, dofs);
}

}  // namespace

void add_between(std::vector<MatrixEntry>& entries, GlobalIndex a, GlobalIndex b, double value) {
  for (const GlobalIndex dof : {a, b})
    if (dof != ground) entries.push_back({dof, dof, value});
  if (a == ground || b == ground) return;
  entries.push_back({a, b, -value});
  entries.push_back({b, a, -value});
}

template <class Engine>
SystemDescription<Engine> with_lumped_elements(const SystemDescription<Engine>& description,
                                               const LumpedElements& elements) {
  const Communicator& communicator = description.stiffness.rows().communicator();
  const bool is_last = communicator.rank() == communicator.size() - 1;
  SystemDescription<Engine> result = with_new_dofs(
      description, is_last ? static_cast<Index>(elements.new_dofs.size()) : 0, elements.new_dofs);

  const auto add = [&](std::optional<typename Engine::Matrix>& A, const std::vector<MatrixEntry>& entries) {
    if (entries.empty()) return;
    const auto added = matrix_of<Engine>(entries, result.stiffness.rows());
    A = A ? Engine::sum(1., *A, 1., added) : added;
  };
  std::optional<typename Engine::Matrix> stiffness = result.stiffness;
  add(result.mass, elements.mass);
  add(result.damping, elements.damping);
  add(stiffness, elements.stiffness);
  result.stiffness = *stiffness;
  return result;
}

template SystemDescription<InstantiatedEngine> with_lumped_elements(
    const SystemDescription<InstantiatedEngine>&, const LumpedElements&);

}  // namespace halfdof
