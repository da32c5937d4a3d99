// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/partition.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace halfdof {

Partition::Partition(Index n_rows) : Partition(n_rows, Communicator::self()) {}

Partition::Partition(Index n_local, std::shared_ptr<const Communicator> communicator)
    : n_local_(n_local),
      n_global_(communicator->count(n_local)),
      first_(communicator->sum_before(n_local)),
      communicator_(std::move(communicator)) {}

Partition::Partition(std::vector<GlobalIndex> owned, std::shared_ptr<const Communicator> communicator)
    : Partition(static_cast<Index>(owned.size()), std::move(communicator)) {
  bool consecutive = true;
  for (std::size_t i = 0; i < owned.size(); ++i)
    consecutive = consecutive && owned[i] == first_ + static_cast<GlobalIndex>(i);
  if (!communicator_->any(!consecutive)) return;

  auto by_index = std::make_shared<std::vector<Index>>(owned.size());
  std::iota(by_index->begin(), by_index->end(), 0);
  std::sort(by_index->begin(), by_index->end(), [&](Index a, Index b) {
    return owned[static_cast<std::size_t>(a)] < owned[static_cast<std::size_t>(b)];
  });
  by_index_ = std::move(by_index);
  owned_ = std::make_shared<const std::vector<GlobalIndex>>(std::move(owned));
}

Index Partition::local_index(GlobalIndex global) const {
  if (!owned_) {
    const GlobalIndex local = global - first_;
    return local >= 0 && local < n_local_ ? static_cast<Index>(local) : -1;
  }
  const auto found =
      std::lower_bound(by_index_->begin(), by_index_->end(), global,
                       [&](Index local, GlobalIndex value) { return global_index(local) < value; });
  return found != by_index_->end() && global_index(*found) == global ? *found : -1;
}

Selection::Selection(std::vector<Index> local, const Partition& of)
    : local_(std::make_shared<const std::vector<Index>>(std::move(local))),
      partition_(static_cast<Index>(local_->size()), of.shared_communicator()) {}

}  // namespace halfdof
