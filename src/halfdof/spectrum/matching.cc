#include <halfdof/base/errors.h>
#include <halfdof/spectrum/assignment.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/matching.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace halfdof {
namespace {

/// Distance of the nearer of a value and its conjugate.
double distance(Complex value, Complex shift) {
  return std::min(std::abs(value - shift), std::abs(std::conj(value) - shift));
}

double relative_difference(Complex a, Complex b, double zero_scale) {
  return std::abs(a - b) / std::max({std::abs(a), std::abs(b), zero_scale});
}

void check_finite(const std::vector<Complex>& eigenvalues) {
  for (const Complex& value : eigenvalues)
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag()))
      throw InvalidInput(
          "A list of eigenvalues to be matched holds one that is not finite. Count infinite "
          "eigenvalues apart, and pass the finite ones.");
}

/// Index into `longer` for each of `shorter`, or -1 where nothing is near enough.
std::vector<Index> nearest_partners(const std::vector<Complex>& shorter, const std::vector<Complex>& longer,
                                    double zero_scale, double unmatched_above) {
  MultiVector cost(longer.size(), shorter.size());
  for (std::size_t j = 0; j < shorter.size(); ++j)
    for (std::size_t i = 0; i < longer.size(); ++i)
      cost(static_cast<Index>(i), static_cast<Index>(j)) =
          std::min(relative_difference(shorter[j], longer[i], zero_scale), unmatched_above);

  std::vector<Index> partners = cheapest_assignment(cost);
  for (std::size_t j = 0; j < partners.size(); ++j)
    if (cost(partners[j], static_cast<Index>(j)) >= unmatched_above) partners[j] = -1;
  return partners;
}

struct Mean {
  Complex before = 0, after = 0;
};

Mean mean_of(const std::vector<MatchedEigenvalues*>& cluster) {
  Mean mean;
  for (const MatchedEigenvalues* pair : cluster) {
    mean.before += pair->before / static_cast<double>(cluster.size());
    mean.after += pair->after / static_cast<double>(cluster.size());
  }
  return mean;
}

/// Groups of pairs that hang together by steps of at most `radius`.
std::vector<std::vector<MatchedEigenvalues*>> connected(std::vector<MatchedEigenvalues*> pairs,
                                                        double cluster_radius, double median) {
  std::vector<std::vector<MatchedEigenvalues*>> clusters;
  while (!pairs.empty()) {
    std::vector<MatchedEigenvalues*> cluster{pairs.back()};
    pairs.pop_back();
    for (std::size_t k = 0; k < cluster.size(); ++k) {
      const Complex centre = cluster[k]->before;
      const double radius = cluster_radius * std::max(std::abs(centre), median);
      const auto far = std::partition(pairs.begin(), pairs.end(), [&](const MatchedEigenvalues* other) {
        return std::abs(other->before - centre) > radius && std::abs(other->after - centre) > radius;
      });
      cluster.insert(cluster.end(), far, pairs.end());
      pairs.erase(far, pairs.end());
    }
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

/// Lets the pairs of a defective cluster agree by their means.
void compare_clusters(std::vector<MatchedEigenvalues>& pairs, double zero_scale, double median,
                      const MatchingOptions& options) {
  std::vector<MatchedEigenvalues*> apart;
  for (MatchedEigenvalues& pair : pairs)
    if (pair.relative_difference > options.tolerance &&
        std::abs(pair.before - pair.after) <=
            2 * options.cluster_radius * std::max(std::abs(pair.before), median))
      apart.push_back(&pair);

  for (const auto& cluster : connected(std::move(apart), options.cluster_radius, median)) {
    const Mean mean = mean_of(cluster);
    const double difference = relative_difference(mean.before, mean.after, zero_scale);
    if (difference > options.tolerance) continue;
    for (MatchedEigenvalues* pair : cluster) {
      pair->relative_difference = difference;
      pair->in_cluster = true;
    }
  }
}

/// Draws the conclusion from the pairs and the lists.
void judge(SpectrumMatching& matching, const MatchingOptions& options) {
  const bool complete = matching.missing.empty() && matching.extra.empty();
  matching.max_relative_difference = complete ? 0 : 1;
  for (const MatchedEigenvalues& pair : matching.pairs)
    matching.max_relative_difference = std::max(matching.max_relative_difference, pair.relative_difference);
  matching.passed = complete && matching.max_relative_difference <= options.tolerance;
}

}  // namespace

SpectrumMatching match_eigenvalues(const std::vector<Complex>& before, const std::vector<Complex>& after,
                                   const MatchingOptions& options) {
  check_finite(before);
  check_finite(after);
  std::vector<Complex> all = before;
  all.insert(all.end(), after.begin(), after.end());

  SpectrumMatching matching;
  matching.zero_scale = zero_scale(all);
  const bool swapped = before.size() > after.size();
  const std::vector<Complex>& shorter = swapped ? after : before;
  const std::vector<Complex>& longer = swapped ? before : after;
  std::vector<Complex>& only_shorter = swapped ? matching.extra : matching.missing;
  std::vector<Complex>& only_longer = swapped ? matching.missing : matching.extra;

  const std::vector<Index> partners =
      nearest_partners(shorter, longer, matching.zero_scale, options.unmatched_above);
  std::vector<bool> taken(longer.size(), false);
  for (std::size_t j = 0; j < shorter.size(); ++j) {
    if (partners[j] < 0) {
      only_shorter.push_back(shorter[j]);
      continue;
    }
    const auto i = static_cast<std::size_t>(partners[j]);
    taken[i] = true;
    const Complex first = swapped ? longer[i] : shorter[j], second = swapped ? shorter[j] : longer[i];
    matching.pairs.push_back({first, second, relative_difference(first, second, matching.zero_scale)});
  }
  for (std::size_t i = 0; i < longer.size(); ++i)
    if (!taken[i]) only_longer.push_back(longer[i]);

  std::stable_sort(matching.pairs.begin(), matching.pairs.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.before) < std::abs(b.before); });
  compare_clusters(matching.pairs, matching.zero_scale, 1e4 * matching.zero_scale, options);

  judge(matching, options);
  return matching;
}

void forgive_rim(SpectrumMatching& matching, Complex shift, double reach, const MatchingOptions& options) {
  constexpr double as_far = 0.99;
  const auto forgive = [&](std::vector<Complex>& unmatched, std::size_t& n_rim) {
    const auto rim = std::remove_if(unmatched.begin(), unmatched.end(),
                                    [&](Complex value) { return distance(value, shift) >= as_far * reach; });
    n_rim += static_cast<std::size_t>(unmatched.end() - rim);
    unmatched.erase(rim, unmatched.end());
  };
  forgive(matching.missing, matching.n_rim_before);
  forgive(matching.extra, matching.n_rim_after);
  judge(matching, options);
}

double reach_of(const std::vector<Complex>& values, Complex shift, Index k, GlobalIndex n_all) {
  const auto n = static_cast<GlobalIndex>(values.size());
  const bool was_cut = n >= k && n < n_all;
  if (!was_cut) return std::numeric_limits<double>::infinity();
  double farthest = 0;
  for (const Complex value : values)
    farthest = std::max(farthest, distance(value, shift));
  return farthest;
}

}  // namespace halfdof
