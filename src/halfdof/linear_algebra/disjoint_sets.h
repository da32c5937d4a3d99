// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <boost/pending/disjoint_sets.hpp>

#include <vector>

namespace halfdof::internal {

/// A partition of the numbers 0 ... n-1 into disjoint sets, in which two sets can be united (union-find).
using DisjointSets = boost::disjoint_sets_with_storage<>;

/// Returns the sets in the order of their smallest members; the members of each set are ascending.
inline std::vector<std::vector<Index>> members_of(DisjointSets& sets) {
  const auto n = static_cast<Index>(sets.parents().size());
  std::vector<Index> place(sets.parents().size(), -1);
  std::vector<std::vector<Index>> all;
  for (Index i = 0; i < n; ++i) {
    Index& at = place[static_cast<std::size_t>(sets.find_set(i))];
    if (at < 0) {
      at = static_cast<Index>(all.size());
      all.emplace_back();
    }
    all[static_cast<std::size_t>(at)].push_back(i);
  }
  return all;
}

}  // namespace halfdof::internal
