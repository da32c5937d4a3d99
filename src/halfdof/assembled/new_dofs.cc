#include <halfdof/assembled/new_dofs.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace halfdof {

namespace {

/// The assembled DoFs with their numbers, then n_new more on this process.
Partition enlarged(const Partition& dofs, Index n_new) {
  std::vector<GlobalIndex> owned(static_cast<std::size_t>(dofs.n_local() + n_new));
  for (Index i = 0; i < dofs.n_local(); ++i)
    owned[static_cast<std::size_t>(i)] = dofs.global_index(i);
  std::iota(owned.begin() + dofs.n_local(), owned.end(),
            dofs.n_global() + dofs.communicator().sum_before(n_new));
  return Partition(std::move(owned), dofs.shared_communicator());
}

/// J of the assembled DoFs among all: J^T A J has A in its place and zeros elsewhere.
template <class Engine>
typename Engine::Matrix embedding(const Partition& assembled, const Partition& all) {
  OwnedRows rows(assembled.n_local(), all.n_global());
  for (Index i = 0; i < assembled.n_local(); ++i)
    rows.insert(i, static_cast<Index>(assembled.global_index(i))) = 1;
  return Engine::from_rows(rows, assembled, all);
}

TimeFunction padded(const TimeFunction& function, Index n_new) {
  if (!function) return {};
  return [function, n_new](double time) {
    const Vector given = function(time);
    Vector all = Vector::Zero(given.size() + n_new);
    all.head(given.size()) = given;
    return all;
  };
}

DoFLabels padded(DoFLabels labels, Index n_before, Index n_new, const std::vector<std::string>& names) {
  const auto n_all = static_cast<std::size_t>(n_before + n_new);
  if (!labels.node.empty()) labels.node.resize(n_all, -1);
  if (!labels.point.empty()) labels.point.resize(n_all, {NAN, NAN, NAN});
  if (!labels.constraint.empty()) labels.constraint.resize(n_all, -1);
  if (labels.component_names.empty() && names.empty()) return labels;

  if (labels.component.empty() && (n_before > 0 || labels.component_names.empty())) {
    labels.component_names = {"unnamed"};
    labels.component.assign(static_cast<std::size_t>(n_before), 0);
  }
  const auto first = static_cast<Index>(labels.component_names.size());
  std::vector<std::string>& all = labels.component_names;
  for (const std::string& name : names) {
    const auto found = std::find(all.begin() + first, all.end(), name);
    labels.component.push_back(static_cast<Index>(found - all.begin()));
    if (found == all.end()) all.push_back(name);
  }
  return labels;
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& description, Index n_new,
                                        const std::vector<std::string>& names) {
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
  result.labels = padded(description.labels, assembled.n_local(), n_new, names);
  return result;
}

template SystemDescription<InstantiatedEngine> with_new_dofs(const SystemDescription<InstantiatedEngine>&,
                                                             Index, const std::vector<std::string>&);

}  // namespace halfdof
