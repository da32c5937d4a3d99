#pragma once

#include <halfdof/base/types.h>

#include <numeric>
#include <vector>

namespace halfdof {

/// Sets of numbers 0 ... n-1 that are united two by two.
class DisjointSets {
 public:
  explicit DisjointSets(Index n) : parent_(static_cast<std::size_t>(n)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Index root(Index i) {
    while (parent(i) != i)
      i = parent(i) = parent(parent(i));
    return i;
  }
  void unite(Index i, Index j) { parent(root(i)) = root(j); }

  /// Each ascending, in the order of their first members.
  std::vector<std::vector<Index>> sets() {
    const auto n = static_cast<Index>(parent_.size());
    std::vector<Index> place(parent_.size(), -1);
    std::vector<std::vector<Index>> all;
    for (Index i = 0; i < n; ++i) {
      Index& at = place[static_cast<std::size_t>(root(i))];
      if (at < 0) {
        at = static_cast<Index>(all.size());
        all.emplace_back();
      }
      all[static_cast<std::size_t>(at)].push_back(i);
    }
    return all;
  }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }

  std::vector<Index> parent_;
};

}  // namespace halfdof
