// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/linear_constraints.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <utility>

namespace halfdof::internal {

template <class Engine>
AdditionalConstraints<Engine> additional_constraints(const std::vector<LinearConstraint>& constraints,
                                                     const Partition& dofs) {
  const auto m = static_cast<Index>(constraints.size());
  const bool is_first = dofs.communicator().rank() == 0;
  const Partition rows(is_first ? m : 0, dofs.shared_communicator());
  std::vector<Eigen::Triplet<double, int>> of_rates, of_displacements;
  AdditionalConstraints<Engine> result;
  result.constant = Vector::Zero(rows.n_local());
  bool has_constant = false;
  for (Index i = 0; i < m; ++i) {
    const LinearConstraint& constraint = constraints[static_cast<std::size_t>(i)];
    const auto add = [&](const std::vector<WeightedDoF>& entries, auto& triplets) {
      for (const WeightedDoF& entry : entries) {
        if (entry.dof < 0 || entry.dof >= dofs.n_global())
          throw InvalidInput("The constraint \"" + constraint.name + "\" acts on DoF " +
                             std::to_string(entry.dof) + ", but the degrees of freedom run from 0 to " +
                             std::to_string(dofs.n_global() - 1) +
                             ". Correct the index of the DoF; indices begin with 0.");
        if (is_first) triplets.emplace_back(i, static_cast<int>(entry.dof), entry.weight);
      }
    };
    add(constraint.rate, of_rates);
    add(constraint.displacement, of_displacements);
    result.names.push_back(constraint.name);
    has_constant = has_constant || constraint.constant != 0;
    if (is_first) result.constant[i] = constraint.constant;
  }
  const auto matrix = [&](const auto& triplets) {
    OwnedRows owned(rows.n_local(), dofs.n_global());
    owned.setFromTriplets(triplets.begin(), triplets.end());
    return Engine::from_rows(owned, rows, dofs);
  };
  const auto has_any = [&](const auto& entries_of) {
    for (const LinearConstraint& constraint : constraints)
      if (!entries_of(constraint).empty()) return true;
    return false;
  };
  if (has_any([](const LinearConstraint& constraint) { return constraint.rate; }))
    result.rate = matrix(of_rates);
  if (has_any([](const LinearConstraint& constraint) { return constraint.displacement; }))
    result.position = matrix(of_displacements);
  if (!has_constant) result.constant.resize(0);
  return result;
}

template AdditionalConstraints<InstantiatedEngine> additional_constraints(
    const std::vector<LinearConstraint>&, const Partition&);

}  // namespace halfdof::internal
