// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/root_groups.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns groups of roots of both half planes; their member `farthest` is not set.
std::vector<RootGroup> linked(std::vector<ExactRoot> roots) {
  constexpr double close = 1e-4;
  std::vector<RootGroup> groups;
  while (!roots.empty()) {
    RootGroup group;
    group.roots.push_back(roots.back());
    roots.pop_back();
    for (std::size_t k = 0; k < group.roots.size(); ++k) {
      const Complex value = group.roots[k].value;
      const auto near = std::partition(roots.begin(), roots.end(), [&](const ExactRoot& other) {
        return std::abs(other.value - value) > close * std::abs(value);
      });
      group.roots.insert(group.roots.end(), near, roots.end());
      roots.erase(near, roots.end());
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::vector<Complex> copies_of(const std::vector<ExactRoot>& roots) {
  std::vector<Complex> copies;
  for (const ExactRoot& root : roots)
    copies.insert(copies.end(), static_cast<std::size_t>(root.multiplicity), root.value);
  return copies;
}

Complex RootGroup::centre() const {
  Complex sum = 0;
  for (const ExactRoot& root : roots)
    sum += root.value;
  return sum / static_cast<double>(roots.size());
}

bool RootGroup::is_real() const {
  const Complex mean = centre();
  return std::abs(mean.imag()) <= std::numeric_limits<double>::epsilon() * std::abs(mean);
}

Index RootGroup::n_copies() const {
  return std::accumulate(roots.begin(), roots.end(), Index{0},
                         [](Index n, const ExactRoot& root) { return n + root.multiplicity; });
}

std::vector<RootGroup> root_groups(std::vector<ExactRoot> roots, double rate) {
  std::vector<RootGroup> groups = linked(std::move(roots)), upper;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double farthest = std::numeric_limits<double>::infinity();
    const Complex centre = groups[g].centre();
    for (std::size_t other = 0; other < groups.size(); ++other)
      if (other != g)
        for (const ExactRoot& root : groups[other].roots)
          farthest = std::min(farthest, std::abs(root.value - centre));
    if (std::isinf(farthest)) farthest = std::abs(centre) > 0 ? std::abs(centre) : rate;
    groups[g].farthest = farthest;
    if (groups[g].is_real() || centre.imag() > 0) upper.push_back(groups[g]);
  }
  return upper;
}

}  // namespace halfdof::internal
