// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/merging.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace halfdof::internal {

namespace {

using IntervalLawPtr = std::shared_ptr<const IntervalLaw>;

/// Returns the law of an inclusion if several laws of its type along one line may be merged, otherwise null.
IntervalLawPtr summable_law(const Inclusion& inclusion) {
  const auto law = std::dynamic_pointer_cast<const IntervalLaw>(inclusion.law);
  return law && law->is_summable() ? law : nullptr;
}

/// Whether the motions of the supports of two laws along the directions h and c h are proportional, h_b(t) =
/// c h_a(t). For friction only the rates of the supports must be proportional; obstacles of contacts must
/// have the same position.
bool have_equal_supports(const IntervalLaw& a, const IntervalLaw& b, double factor) {
  const ScalarFunction& h_a = a.support(0);
  const ScalarFunction& h_b = b.support(0);
  const bool both_rest = h_a.is_constant() && h_b.is_constant();
  return (both_rest && a.level(0) == LawLevel::rate) || h_b.is_multiple_of(h_a, factor);
}

/// Whether two inclusions are contacts with Coulomb friction whose columns, obstacles and coefficients are
/// equal, so that the sum of their reactions lies in the same cone.
bool have_same_friction_cone(const Inclusion& a, const Inclusion& b) {
  const auto* law_a = dynamic_cast<const CoulombFriction*>(a.law.get());
  const auto* law_b = dynamic_cast<const CoulombFriction*>(b.law.get());
  if (!law_a || !law_b || law_a->dimension() != law_b->dimension() ||
      law_a->restitution() != law_b->restitution() ||
      !law_b->friction().is_multiple_of(law_a->friction(), 1.))
    return false;
  for (Index column = 0; column < law_a->dimension(); ++column) {
    const auto k = static_cast<std::size_t>(column);
    const auto factor = parallel_factor(a.directions[k], b.directions[k]);
    if (!factor || std::abs(*factor - 1) > 1e-12 ||
        !law_b->support(column).is_multiple_of(law_a->support(column), 1.))
      return false;
  }
  return true;
}

/// Returns the factor c if the direction of b is c times the direction of a and the inclusions may be merged,
/// otherwise nothing.
std::optional<double> merging_factor(const Inclusion& a, const Inclusion& b) {
  if (have_same_friction_cone(a, b)) return 1.;
  const IntervalLawPtr law_a = summable_law(a), law_b = summable_law(b);
  if (!law_a || !law_b || law_a->level(0) != law_b->level(0)) return std::nullopt;
  const auto factor = parallel_factor(a.directions.front(), b.directions.front());
  if (!factor || !have_equal_supports(*law_a, *law_b, *factor)) return std::nullopt;
  const bool is_contact = law_a->level(0) == LawLevel::gap;
  if (is_contact && (*factor < 0 || law_a->restitution() != law_b->restitution())) return std::nullopt;
  return factor;
}

/// Inclusions along one line. `members` are their positions among the given inclusions, and `factors` are the
/// factors c_j of their directions.
struct ParallelInclusions {
  std::vector<std::size_t> members;
  std::vector<double> factors;
};

Inclusion merged(const std::vector<Inclusion>& given, const ParallelInclusions& line) {
  if (line.members.size() == 1) return given[line.members.front()];
  const Inclusion& first = given[line.members.front()];
  std::string name;
  std::vector<ParallelLaws::Part> parts;
  for (std::size_t k = 0; k < line.members.size(); ++k) {
    const Inclusion& member = given[line.members[k]];
    name += (k == 0 ? "" : " + ") + member.name;
    parts.push_back({summable_law(member), line.factors[k]});
  }
  if (first.directions.size() > 1) return {std::move(name), first.law, first.directions};
  return inclusion(std::move(name), std::make_shared<const ParallelLaws>(std::move(parts)),
                   first.directions.front());
}

std::vector<GlobalIndex> dofs_of(const Inclusion& inclusion) {
  std::vector<GlobalIndex> dofs;
  for (const Direction& direction : inclusion.directions)
    for (const WeightedDoF& entry : direction.entries())
      dofs.push_back(entry.dof);
  return dofs;
}

}  // namespace

ParallelLaws::ParallelLaws(std::vector<Part> parts) : parts_(std::move(parts)) {
  assert(!parts_.empty() && parts_.front().factor == 1.);
}

Interval ParallelLaws::interval_of(const Part& part, double time, ContactState before) const {
  const Interval own = part.law->reaction_interval(part.law->parameters(time, before));
  if (part.factor > 0) return {part.factor * own.lower, part.factor * own.upper};
  return {part.factor * own.upper, part.factor * own.lower};
}

bool ParallelLaws::is_autonomous() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.law->is_autonomous(); });
}

std::vector<const ScalarFunction*> ParallelLaws::functions_of_time() const {
  std::vector<const ScalarFunction*> all;
  for (const Part& part : parts_) {
    const std::vector<const ScalarFunction*> own = part.law->functions_of_time();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

LawParameters ParallelLaws::parameters(double time, ContactState before) const {
  LawParameters sum{};
  for (const Part& part : parts_) {
    const Interval interval = interval_of(part, time, before);
    sum[0] += interval.lower;
    sum[1] += interval.upper;
  }
  return sum;
}

ContactState ParallelLaws::state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                                 double tolerance) const {
  if (level(0) == LawLevel::rate) return IntervalLaw::state(parameters, w, r, tolerance);
  return r[0] > 0 || w[0] <= tolerance ? ContactState::closed : ContactState::open;
}

std::vector<double> ParallelLaws::split(double time, double r) const {
  const LawParameters sum = parameters(time, initial_state());
  if (!std::isfinite(sum[1] - sum[0])) return split_unbounded(time, r);
  const double share = sum[1] > sum[0] ? (r - sum[0]) / (sum[1] - sum[0]) : 0.;
  std::vector<double> reactions;
  for (const Part& part : parts_) {
    const Interval interval = interval_of(part, time, initial_state());
    reactions.push_back((interval.lower + share * (interval.upper - interval.lower)) / part.factor);
  }
  return reactions;
}

// Each part gets its admissible reaction nearest to zero. The remainder is shared, in proportion to |c_j|, by
// the parts whose interval is unbounded on the side of the remainder; if all intervals are bounded on this
// side, the remainder is shared in proportion to the distances from the bounds.
std::vector<double> ParallelLaws::split_unbounded(double time, double r) const {
  std::vector<double> scaled_reactions;  // c_j r_j
  double rest = r;
  for (const Part& part : parts_) {
    const Interval interval = interval_of(part, time, initial_state());
    scaled_reactions.push_back(std::max(interval.lower, std::min(interval.upper, 0.)));
    rest -= scaled_reactions.back();
  }
  std::vector<double> margins, unbounded;
  for (std::size_t j = 0; j < parts_.size(); ++j) {
    const Interval interval = interval_of(parts_[j], time, initial_state());
    const double margin =
        rest > 0 ? interval.upper - scaled_reactions[j] : scaled_reactions[j] - interval.lower;
    margins.push_back(margin);
    unbounded.push_back(std::isfinite(margin) ? 0. : std::abs(parts_[j].factor));
  }
  const double weight = std::accumulate(unbounded.begin(), unbounded.end(), 0.);
  const std::vector<double>& shares = weight > 0 ? unbounded : margins;
  const double total = std::accumulate(shares.begin(), shares.end(), 0.);
  for (std::size_t j = 0; j < parts_.size(); ++j)
    scaled_reactions[j] =
        (scaled_reactions[j] + (total > 0 ? rest * shares[j] / total : 0.)) / parts_[j].factor;
  return scaled_reactions;
}

std::vector<Vector> MergedInclusions::split(std::size_t i, double time, const Vector& r) const {
  const std::size_t n = parts[i].size();
  if (n == 1) return {r};
  const auto* parallel = dynamic_cast<const ParallelLaws*>(acting[i].law.get());
  if (!parallel) return std::vector<Vector>(n, r / static_cast<double>(n));
  std::vector<Vector> reactions;
  for (const double part : parallel->split(time, r[0]))
    reactions.push_back(Vector::Constant(1, part));
  return reactions;
}

ContactState MergedInclusions::split(std::size_t i, std::size_t k, ContactState state) const {
  const auto* parallel = dynamic_cast<const ParallelLaws*>(acting[i].law.get());
  if (!parallel || !parallel->is_opposite(k)) return state;
  if (state == ContactState::slip_forward) return ContactState::slip_back;
  return state == ContactState::slip_back ? ContactState::slip_forward : state;
}

MergedInclusions merge_parallel(const std::vector<Inclusion>& given) {
  std::vector<ParallelInclusions> lines;
  std::map<std::vector<GlobalIndex>, std::vector<std::size_t>>
      lines_on;  // The keys are the DoFs, which are equal for inclusions along one line.
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::vector<std::size_t>& candidates = lines_on[dofs_of(given[i])];
    bool found = false;
    for (const std::size_t l : candidates) {
      const auto factor = merging_factor(given[lines[l].members.front()], given[i]);
      if (!factor) continue;
      lines[l].members.push_back(i);
      lines[l].factors.push_back(*factor);
      found = true;
      break;
    }
    if (found) continue;
    candidates.push_back(lines.size());
    lines.push_back({{i}, {1.}});
  }

  MergedInclusions result;
  for (const ParallelInclusions& line : lines) {
    result.acting.push_back(merged(given, line));
    result.parts.push_back(line.members);
  }
  return result;
}

}  // namespace halfdof::internal
