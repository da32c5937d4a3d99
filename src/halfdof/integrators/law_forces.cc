#include <halfdof/integrators/law_verification.h>

#include <algorithm>
#include <cmath>
#include <limits>

/// What a verification compares with what: forces that undo rates and gaps within a step, and what rounding
/// leaves of rates that reactions hold.

namespace halfdof {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What solving for reactions makes of the last digits of what they hold in balance.
constexpr double held_back = 30;

}  // namespace

/// The Delassus matrix of the kind that decides a direction; empty where it is not written out.
const MultiVector& LawVerification::delassus_of(Index direction) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  return outcome.decided_by.front() == DoFKind::algebraic ? outcome_.W.K
         : outcome.decided_by.front() == DoFKind::viscous ? outcome_.W.C
                                                          : outcome_.W.I;
}

/// How far reactions would move a direction within a step, were they not balanced.
double LawVerification::moved_by(Index direction, const Vector& r, double step) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  if (outcome.decided_by.empty()) return 0;
  const MultiVector& W = delassus_of(direction);
  const double own = std::abs(r[direction]);
  const double all = W.size() > 0 ? W.row(direction).cwiseAbs().dot(r.cwiseAbs()) / outcome.W : own;
  return all / force_per(LawLevel::gap, direction, step);
}

double LawVerification::rounding_of_held(Index direction, const SeenPoint& from, const SeenPoint& to) const {
  const Vector r = from.state.r.cwiseAbs().cwiseMax(to.state.r.cwiseAbs());
  const double step = to.state.time - from.state.time;
  return (epsilon * held_back + options_.state_tolerance) * moved_by(direction, r, step) / step;
}

/// Where a step sees the mean of its ends, the gaps of algebraic DoFs are counted on from step to step, and
/// what rounding adds to them changes its sign in each: the sum walks at random, and its change is twice the
/// sum.
double LawVerification::rounding_of_rate(Index direction, const SeenPoint& from, const SeenPoint& to) const {
  const double step = to.state.time - from.state.time,
               length = std::abs(to.s[direction]) + std::abs(to.prescribed[direction]),
               moved = std::abs(to.s[direction] - from.s[direction]) +
                       std::abs(to.prescribed[direction] - from.prescribed[direction]);
  const bool is_counted_on =
      options_.end_weight < 1 && outcome_.directions[static_cast<std::size_t>(direction)]
                                     .meets[static_cast<std::size_t>(DoFKind::algebraic)];
  return (8 * epsilon *
              ((is_counted_on ? std::sqrt(n_steps_) : 1.) * length + std::abs(to.state.time) / step * moved) +
          options_.state_tolerance * length) /
             step +
         rounding_of_held(direction, from, to);
}

/// The force that undoes a unit rate, or gap, of a direction within a step.
double LawVerification::force_per(LawLevel level, Index direction, double step) const {
  const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(direction)];
  if (outcome.decided_by.empty()) return 1.;
  double rate = 0;
  switch (outcome.decided_by.front()) {
    case DoFKind::algebraic:
      rate = outcome.W / step;
      break;
    case DoFKind::viscous:
      rate = outcome.W;
      break;
    case DoFKind::inertial:
    case DoFKind::constrained:
      rate = outcome.W * step;
      break;
  }
  return 1 / (level == LawLevel::rate ? rate : rate * step);
}

/// The largest rate that a reaction would give its direction within a step, where that has mass or damping:
/// of what friction holds at rest, rates are rounding beside it.
double LawVerification::rate_by_reactions(const Vector& r, double step) const {
  double largest = 0;
  for (Index j = 0; step > 0 && j < r.size(); ++j) {
    const DirectionOutcome& outcome = outcome_.directions[static_cast<std::size_t>(j)];
    const bool is_moved = !outcome.decided_by.empty() && (outcome.decided_by.front() == DoFKind::inertial ||
                                                          outcome.decided_by.front() == DoFKind::viscous);
    if (is_moved) largest = std::max(largest, std::abs(r[j]) / force_per(LawLevel::rate, j, step));
  }
  return largest;
}

/// The rates of an inclusion without what may be rounding: the shorter a step, the larger the force that a
/// rate stands for. @param w of all directions
Vector LawVerification::beyond_rounding(const Place& place, const Vector& w, const SeenPoint& from,
                                        const SeenPoint& to) const {
  Vector own = place.own(w);
  for (Index k = 0; k < own.size(); ++k) {
    if (place.law().level(k) != LawLevel::rate) continue;
    const double noise = rounding_of_rate(place.first + k, from, to);
    own[k] -= std::clamp(own[k], -noise, noise);
  }
  return own;
}

/// The factor rho of rates in a natural map: what undoes them within a step. The resolvent of a law that
/// weakens by l has one value for rho > l alone, however long the step was.
double LawVerification::factor_of_rates(const Place& place, double step) const {
  const Index d = place.law().dimension();
  const double undoes = force_per(LawLevel::rate, place.first + d - 1, step),
               l = place.law().one_sided_lipschitz_constant();
  return d == 1 && std::isfinite(l) ? std::max(undoes, 2 * l) : undoes;
}

auto LawVerification::pair_of(std::size_t i, const Vector& w, const Vector& g, const Vector& r,
                              double step) const -> Pair {
  const Law& law = places_[i].law();
  const Index first = places_[i].first, d = law.dimension();
  Pair pair{Vector(d), r, 1.};
  // Gaps are undone within the longest step of the run: short ones make no force of rounding. Tangents
  // share one factor: their directions count.
  const auto factor = [&](Index k) {
    return law.level(k) == LawLevel::rate ? factor_of_rates(places_[i], step)
                                          : force_per(LawLevel::gap, first + k, size_step_);
  };
  for (Index k = 0; k < d; ++k)
    pair.met[k] = factor(k) * (law.level(k) == LawLevel::rate ? w[k] : g[k]);
  if (d == 1) pair.rho = factor(0);
  return pair;
}

}  // namespace halfdof
