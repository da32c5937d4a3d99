// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/bodies.h>
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr double not_free = std::numeric_limits<double>::max();

/// Returns the matrix whose product with a vector are the entries of the vector at the given global
/// positions. Collective.
template <class Engine>
typename Engine::Matrix entry_selector(const std::vector<GlobalIndex>& positions, const Partition& of) {
  const auto n = static_cast<Index>(positions.size());
  OwnedRows rows(n, of.n_global());
  for (Index i = 0; i < n; ++i) {
    rows.startVec(i);
    rows.insertBack(i, positions[static_cast<std::size_t>(i)]) = 1;
  }
  rows.finalize();
  return Engine::from_rows(rows, Partition(n, of.shared_communicator()), of);
}

template <class Matrix>
Vector product(const Matrix& A, const Vector& x) {
  Vector y = Vector::Zero(A.rows().n_local());
  A.add_product(1., x, y);
  return y;
}

std::vector<GlobalIndex> distinct(std::vector<GlobalIndex> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Joins the sets of local DoFs that an entry of M or K connects. @return A matrix with an entry for each
/// connection to a DoF of another process
template <class Engine>
OwnedRows connect_local_dofs(const AssembledSystem<Engine>& system, DisjointSets& sets) {
  const Partition& dofs = system.dofs();
  std::vector<bool> is_free(static_cast<std::size_t>(dofs.n_local()));
  for (const Index i : system.free().local())
    is_free[static_cast<std::size_t>(i)] = true;
  std::vector<Eigen::Triplet<double>> remote_entries;
  for (const auto* A : {&system.M(), &system.K()}) {
    const OwnedRows rows = Engine::to_rows(*A);
    for (const Index i : system.free().local())
      for (OwnedRows::InnerIterator entry(rows, i); entry; ++entry) {
        if (entry.value() == 0.) continue;
        const Index j = dofs.local_index(entry.col());
        if (j < 0)
          remote_entries.emplace_back(i, static_cast<Index>(entry.col()), 1.);
        else if (is_free[static_cast<std::size_t>(j)])
          sets.union_set(i, j);
      }
  }
  OwnedRows result(dofs.n_local(), dofs.n_global());
  result.setFromTriplets(remote_entries.begin(), remote_entries.end());
  return result;
}

/// Returns for each local DoF the lowest DoF of its body. The processes exchange these values until no value
/// changes. Collective.
template <class Engine>
Vector lowest_dofs(const AssembledSystem<Engine>& system) {
  const Partition& dofs = system.dofs();
  const Communicator& communicator = dofs.communicator();
  DisjointSets sets(static_cast<std::size_t>(dofs.n_local()));
  OwnedRows remote_entries = connect_local_dofs(system, sets);
  const std::vector<Index>& free = system.free().local();
  Vector lowest = Vector::Constant(dofs.n_local(), not_free);
  for (const Index i : free)
    lowest[sets.find_set(i)] = std::min(lowest[sets.find_set(i)], static_cast<double>(dofs.global_index(i)));
  const auto spread_locally = [&] {
    for (const Index i : free)
      lowest[i] = lowest[sets.find_set(i)];
  };
  spread_locally();
  if (!communicator.any(remote_entries.nonZeros() > 0)) return lowest;

  // An entry connects the sets of its row and its column, so that both processes need the entry: the
  // transpose is added.
  const auto there = Engine::from_rows(remote_entries, dofs, dofs);
  const auto one = Engine::diagonal(Vector::Ones(dofs.n_local()), dofs);
  remote_entries = Engine::to_rows(Engine::sum(1., there, 1., Engine::triple_product(there, one, one)));
  std::vector<GlobalIndex> ends(remote_entries.innerIndexPtr(),
                                remote_entries.innerIndexPtr() + remote_entries.nonZeros());
  ends = distinct(std::move(ends));
  const auto at_ends = entry_selector<Engine>(ends, dofs);
  bool changed = true;
  while (communicator.any(changed)) {
    changed = false;
    const Vector beyond = product(at_ends, lowest);
    for (const Index i : free)
      for (OwnedRows::InnerIterator entry(remote_entries, i); entry; ++entry) {
        const double other = beyond[std::lower_bound(ends.begin(), ends.end(), entry.col()) - ends.begin()];
        double& own = lowest[sets.find_set(i)];
        changed = changed || other < own;
        own = std::min(own, other);
      }
    spread_locally();
  }
  return lowest;
}

}  // namespace

template <class Engine>
Bodies find_bodies(const AssembledSystem<Engine>& system) {
  const Partition& dofs = system.dofs();
  const Communicator& communicator = dofs.communicator();
  const Vector lowest = lowest_dofs(system);
  std::vector<GlobalIndex> here;
  for (const Index i : system.free().local())
    here.push_back(static_cast<GlobalIndex>(lowest[i]));
  here = distinct(std::move(here));

  // The number of each body is an entry of a distributed vector with one entry for each DoF.
  const GlobalIndex n = dofs.n_global(), size = communicator.size(), rank = communicator.rank();
  const Partition numbers(static_cast<Index>(n * (rank + 1) / size - n * rank / size),
                          dofs.shared_communicator());
  const auto at_lowest = entry_selector<Engine>(here, numbers);
  Vector number = Vector::Zero(numbers.n_local());
  at_lowest.add_transposed_product(1., Vector::Ones(at_lowest.rows().n_local()), number);
  const auto n_here = static_cast<GlobalIndex>((number.array() > 0).count());
  auto next = static_cast<double>(communicator.sum_before(n_here));
  for (double& entry : number)
    entry = entry > 0 ? next++ : -1;
  const Vector found = product(at_lowest, number);

  Bodies bodies{static_cast<Index>(communicator.count(n_here)),
                std::vector<Index>(static_cast<std::size_t>(dofs.n_local()), -1)};
  for (const Index i : system.free().local()) {
    const auto position = std::lower_bound(here.begin(), here.end(), static_cast<GlobalIndex>(lowest[i]));
    bodies.body_of[static_cast<std::size_t>(i)] = static_cast<Index>(found[position - here.begin()]);
  }
  return bodies;
}

template Bodies find_bodies<InstantiatedEngine>(const AssembledSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
