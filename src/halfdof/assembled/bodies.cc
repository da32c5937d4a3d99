#include <halfdof/assembled/bodies.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace halfdof {

namespace {

/// Disjoint sets of the local DoFs; each is known by one of its members.
class LocalSets {
 public:
  explicit LocalSets(Index n) : above_(static_cast<std::size_t>(n)) {
    std::iota(above_.begin(), above_.end(), 0);
  }

  Index root(Index i) {
    while (above(i) != i)
      i = above(i) = above(above(i));
    return i;
  }
  void unite(Index i, Index j) { above(root(i)) = root(j); }

 private:
  Index& above(Index i) { return above_[static_cast<std::size_t>(i)]; }

  std::vector<Index> above_;
};

/// The same for a few DoFs in assembled numbering, each set known by its lowest member.
class GlobalSets {
 public:
  GlobalIndex root(GlobalIndex i) {
    auto found = above_.emplace(i, i).first;
    while (found->second != found->first)
      found = above_.emplace(found->second, found->second).first;
    return found->first;
  }
  void unite(GlobalIndex i, GlobalIndex j) {
    const GlobalIndex a = root(i), b = root(j);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::map<GlobalIndex, GlobalIndex> above_;
};

/// An own DoF and one of another process.
using Bridge = std::pair<Index, GlobalIndex>;

/// Unites what the rows of this process connect. @return what leads to other processes
template <class Engine>
std::set<Bridge> unite_locally(const AssembledSystem<Engine>& system, LocalSets& sets) {
  const Partition& dofs = system.dofs();
  std::vector<bool> is_free(static_cast<std::size_t>(dofs.n_local()));
  for (const Index i : system.free().local())
    is_free[static_cast<std::size_t>(i)] = true;
  std::set<Bridge> bridges;
  for (const auto* A : {&system.M(), &system.K()}) {
    const OwnedRows rows = Engine::to_rows(*A);
    for (const Index i : system.free().local())
      for (OwnedRows::InnerIterator entry(rows, i); entry; ++entry) {
        if (entry.value() == 0.) continue;
        const Index j = dofs.local_index(entry.col());
        if (j < 0)
          bridges.emplace(i, entry.col());
        else if (is_free[static_cast<std::size_t>(j)])
          sets.unite(i, j);
      }
  }
  return bridges;
}

}  // namespace

template <class Engine>
Bodies find_bodies(const AssembledSystem<Engine>& system) {
  const Partition& dofs = system.dofs();
  const Communicator& communicator = dofs.communicator();
  LocalSets sets(dofs.n_local());
  const std::set<Bridge> bridges = unite_locally(system, sets);
  const auto root = [&](Index i) { return dofs.global_index(sets.root(i)); };

  // Bridges as (root here, DoF there), then as (root here, root there) from the owner of the other end.
  std::vector<GlobalIndex> asked, answered;
  for (const auto& [i, j] : bridges)
    asked.insert(asked.end(), {root(i), j});
  asked = gather(communicator, asked);
  const std::vector<Index>& free = system.free().local();
  for (std::size_t k = 0; k < asked.size(); k += 2)
    if (const Index j = dofs.local_index(asked[k + 1]); std::binary_search(free.begin(), free.end(), j))
      answered.insert(answered.end(), {asked[k], root(j)});
  answered = gather(communicator, answered);
  GlobalSets all;
  for (std::size_t k = 0; k < answered.size(); k += 2)
    all.unite(answered[k], answered[k + 1]);

  std::map<GlobalIndex, GlobalIndex> lowest;  // DoF of each body, by root
  for (const Index i : free) {
    const GlobalIndex dof = dofs.global_index(i);
    const auto [found, is_new] = lowest.emplace(all.root(root(i)), dof);
    if (!is_new) found->second = std::min(found->second, dof);
  }
  std::vector<GlobalIndex> pairs;
  for (const auto& [body, dof] : lowest)
    pairs.insert(pairs.end(), {dof, body});
  pairs = gather(communicator, pairs);
  for (std::size_t k = 0; k < pairs.size(); k += 2)
    lowest[pairs[k + 1]] = std::min(lowest.emplace(pairs[k + 1], pairs[k]).first->second, pairs[k]);

  std::vector<GlobalIndex> order;
  for (const auto& entry : lowest)
    order.push_back(entry.second);
  std::sort(order.begin(), order.end());
  Bodies bodies{static_cast<Index>(order.size()),
                std::vector<Index>(static_cast<std::size_t>(dofs.n_local()), -1)};
  for (const Index i : free) {
    const GlobalIndex first = lowest.at(all.root(root(i)));
    bodies.body_of[static_cast<std::size_t>(i)] =
        static_cast<Index>(std::lower_bound(order.begin(), order.end(), first) - order.begin());
  }
  return bodies;
}

template Bodies find_bodies<InstantiatedEngine>(const AssembledSystem<InstantiatedEngine>&);

}  // namespace halfdof
