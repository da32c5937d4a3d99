#include <halfdof/integrators/gaps_beside_sunken.h>
#include <halfdof/integrators/impact_law.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

namespace {

/// Directions that move each other by less than this part of what they could have nothing in common.
constexpr double coupled = 1e-8;

/// Contacts that are inside and may move a direction across `reach`.
std::vector<Index> that_matter(const MultiVector& W, const std::vector<Index>& inside, Index j, double reach,
                               const Vector& g) {
  std::vector<Index> members;
  double moved = 0;
  for (const Index k : inside) {
    if (k == j || std::abs(W(j, k)) <= coupled * std::sqrt(W(j, j) * W(k, k))) continue;
    members.push_back(k);
    moved -= g[k] * std::sqrt(W(j, j) / W(k, k));
  }
  if (std::abs(g[j] - reach) > moved) members.clear();
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
    const Vector mu = impact_impulses(ImpactLaw::newton, contacts, W(members, members), g(members));
    corrected[j] += W(j, members).dot(mu);
  }
  return corrected;
}

}  // namespace halfdof
