#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/integrators/gaps_beside_sunken.h>
#include <halfdof/integrators/impact_law.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

namespace {

/// Directions that move each other by less than this part of what they could have nothing in common.
constexpr double coupled = 1e-8;

bool are_coupled(const MultiVector& W, Index j, Index k) {
  return std::abs(W(j, k)) > coupled * std::sqrt(W(j, j) * W(k, k));
}

/// Contacts that are inside and move a direction, directly or by each other; none where their depths are
/// small beside its way to `reach`.
std::vector<Index> that_matter(const MultiVector& W, std::vector<Index> inside, Index j, double reach,
                               const Vector& g) {
  // Depths add up to more where reactions press contacts into each other; no cheap bound tells how much more.
  constexpr double magnified = 4;
  std::vector<Index> members, next{j};
  double moved = 0;
  while (!next.empty()) {
    const Index by = next.back();
    next.pop_back();
    const auto found =
        std::partition(inside.begin(), inside.end(), [&](Index k) { return !are_coupled(W, by, k); });
    for (auto k = found; k != inside.end(); ++k) {
      members.push_back(*k);
      next.push_back(*k);
      moved -= g[*k] * std::sqrt(W(j, j) / W(*k, *k));
    }
    inside.erase(found, inside.end());
  }
  if (std::abs(g[j] - reach) > magnified * moved) members.clear();
  return members;
}

}  // namespace

Vector gaps_beside_sunken(const MultiVector& W, const std::vector<bool>& have_sunk,
                          const std::vector<bool>& strikes, const Vector& reach, const Vector& g) {
  Vector corrected = g;
  std::vector<Index> inside;
  for (Index k = 0; k < static_cast<Index>(g.size()); ++k)
    if (have_sunk[static_cast<std::size_t>(k)] && g[k] < 0 && W(k, k) > 0) inside.push_back(k);
  for (Index j = 0; !inside.empty() && j < static_cast<Index>(g.size()); ++j) {
    if (!strikes[static_cast<std::size_t>(j)]) continue;
    const std::vector<Index> members = that_matter(W, inside, j, reach[j], g);
    if (members.empty()) continue;
    std::vector<ImpactContact> contacts;
    for (const Index k : members)
      contacts.push_back({"contact " + std::to_string(k), 1, 0.});
    try {
      const Vector mu = impact_by_law(ImpactLaw::newton, contacts, W(members, members), g(members)).impulses;
      corrected[j] += W(j, members).dot(mu);
    } catch (const NoReactions&) {
      // Obstacles that contradict each other have no place where the contacts belong.
    }
  }
  return corrected;
}

}  // namespace halfdof
