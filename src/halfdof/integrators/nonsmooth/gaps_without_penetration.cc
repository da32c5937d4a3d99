// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

/// Two directions count as uncoupled if |W_jk| is at most this part of its largest possible value,
/// sqrt(W_jj W_kk).
constexpr double coupling_tolerance = 1e-8;

bool are_coupled(const MultiVector& W, Index j, Index k) {
  return std::abs(W(j, k)) > coupling_tolerance * std::sqrt(W(j, j) * W(k, k));
}

/// Returns the penetrating contacts whose reactions move direction j, directly or through each other. The
/// result is empty if the depths of these contacts are small compared with the distance of the gap to
/// `reach`.
std::vector<Index> penetrating_contacts_that_move(const MultiVector& W, std::vector<Index> inside, Index j,
                                                  double reach, const Vector& g) {
  // The reactions of several contacts may move a direction by more than the sum of their depths. This factor
  // is a guess, because no cheap bound is known.
  constexpr double depth_factor = 4;
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
  if (std::abs(g[j] - reach) > depth_factor * moved) members.clear();
  return members;
}

}  // namespace

Vector gaps_without_penetration(const MultiVector& W, const std::vector<bool>& do_not_approach,
                                const std::vector<bool>& strikes, const Vector& reach, const Vector& g) {
  Vector corrected = g;
  std::vector<Index> inside;
  for (Index k = 0; k < static_cast<Index>(g.size()); ++k)
    if (do_not_approach[static_cast<std::size_t>(k)] && g[k] < 0 && W(k, k) > 0) inside.push_back(k);
  for (Index j = 0; !inside.empty() && j < static_cast<Index>(g.size()); ++j) {
    if (!strikes[static_cast<std::size_t>(j)]) continue;
    const std::vector<Index> members = penetrating_contacts_that_move(W, inside, j, reach[j], g);
    if (members.empty()) continue;
    std::vector<ImpactContact> contacts;
    for (const Index k : members)
      contacts.push_back({"contact " + std::to_string(k), 1, 0.});
    try {
      const Vector mu = impact_by_law(ImpactLaw::newton, contacts, W(members, members), g(members)).impulses;
      corrected[j] += W(j, members).dot(mu);
    } catch (const NoReactions&) {
      // If obstacles contradict each other, the contacts cannot be moved back, and the gap is not corrected.
    }
  }
  return corrected;
}

}  // namespace halfdof::internal
