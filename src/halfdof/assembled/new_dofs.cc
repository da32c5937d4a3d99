// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/agreement.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the partition of the assembled DoFs, which keep their numbers, and of n_new additional DoFs on
/// this process.
Partition enlarged(const Partition& dofs, Index n_new) {
  std::vector<GlobalIndex> owned(static_cast<std::size_t>(dofs.n_local() + n_new));
  for (Index i = 0; i < dofs.n_local(); ++i)
    owned[static_cast<std::size_t>(i)] = dofs.global_index(i);
  std::iota(owned.begin() + dofs.n_local(), owned.end(),
            dofs.n_global() + dofs.communicator().sum_before(n_new));
  return Partition(std::move(owned), dofs.shared_communicator());
}

/// Returns the matrix J that selects the assembled DoFs from all DoFs (assembled and new). J^T A J is A with
/// zeros in the rows and columns of the new DoFs.
template <class Engine>
typename Engine::Matrix embedding(const Partition& assembled, const Partition& all) {
  OwnedRows rows(assembled.n_local(), all.n_global());
  for (Index i = 0; i < assembled.n_local(); ++i)
    rows.insert(i, static_cast<Index>(assembled.global_index(i))) = 1;
  return Engine::from_rows(rows, assembled, all);
}

/// Returns the function with n_new zeros appended to its values.
TimeFunction padded(const TimeFunction& function, Index n_new) {
  if (!function) return {};
  return [function, n_new](double time) {
    const Vector given = function(time);
    Vector all = Vector::Zero(given.size() + n_new);
    all.head(given.size()) = given;
    return all;
  };
}

/// Returns the distinct names of all processes in the order of the ranks. Collective.
std::vector<std::string> distinct(const std::vector<std::string>& names, const Communicator& communicator) {
  std::string here;
  for (const std::string& name : names)
    here += name + '\0';
  std::vector<std::string> all;
  for (const std::string& there : communicator.gather(here))
    for (std::size_t begin = 0, end; (end = there.find('\0', begin)) != std::string::npos; begin = end + 1)
      if (const std::string name = there.substr(begin, end - begin);
          std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(name);
  return all;
}

/// Returns the labels with entries for the new DoFs. @param names Component names of the new DoFs of this
/// process
DoFLabels padded(DoFLabels labels, Index n_before, Index n_new, std::vector<std::string> names,
                 const Communicator& communicator) {
  const auto n_all = static_cast<std::size_t>(n_before + n_new);
  if (!labels.node.empty()) labels.node.resize(n_all, -1);
  if (!labels.point.empty()) labels.point.resize(n_all, {NAN, NAN, NAN});
  if (!labels.constraint.empty()) labels.constraint.resize(n_all, -1);
  if (!communicator.any(!labels.component_names.empty() || !names.empty())) return labels;

  std::vector<std::string>& all = labels.component_names;
  const std::string unnamed = "unnamed";
  const bool is_unnamed = labels.component.empty() && n_before > 0;
  if (communicator.any(is_unnamed)) {
    if (is_unnamed)
      labels.component.assign(static_cast<std::size_t>(n_before), static_cast<Index>(all.size()));
    all.push_back(unnamed);
  }
  if (names.empty()) names.assign(static_cast<std::size_t>(n_new), unnamed);
  const auto first = static_cast<Index>(all.size());
  const std::vector<std::string> added = distinct(names, communicator);
  all.insert(all.end(), added.begin(), added.end());
  for (const std::string& name : names)
    labels.component.push_back(
        static_cast<Index>(std::find(all.begin() + first, all.end(), name) - all.begin()));
  return labels;
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& given, Index n_new,
                                        const std::vector<std::string>& names) {
  const SystemDescription<Engine> description = with_common_functions(given);
  const Partition& assembled = description.stiffness.rows();
  const Partition all = enlarged(assembled, n_new);
  const auto J = embedding<Engine>(assembled, all);

  SystemDescription<Engine> result = description;
  result.stiffness = Engine::triple_product(J, description.stiffness, J);
  if (description.mass) result.mass = Engine::triple_product(J, *description.mass, J);
  if (description.damping) result.damping = Engine::triple_product(J, *description.damping, J);
  result.load = padded(description.load, n_new);
  result.load_rate = padded(description.load_rate, n_new);
  result.state_force = embedded<Engine>(description.state_force, J);
  const Index n_given = static_cast<Index>(description.near_null_space.rows());
  if (n_given > 0 || description.near_null_space.cols() > 0) {
    result.near_null_space.conservativeResize(n_given + n_new, Eigen::NoChange);
    result.near_null_space.bottomRows(n_new).setZero();
  }
  result.labels = padded(description.labels, assembled.n_local(), n_new, names, assembled.communicator());
  return result;
}

template SystemDescription<InstantiatedEngine> with_new_dofs(const SystemDescription<InstantiatedEngine>&,
                                                             Index, const std::vector<std::string>&);

}  // namespace halfdof::internal
