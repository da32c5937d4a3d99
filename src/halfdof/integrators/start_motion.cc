#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/integrators/start_motion.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Accelerations that depend on time alone are differences of rates over so many intervals, each a quarter of
/// the one before: from this time in units of the model's own, one over its characteristic_rate().
constexpr double longest_interval = 1e-2;
constexpr int n_intervals = 19;

/// Lighter kinds have larger ones.
int rank(DoFKind kind) {
  return kind == DoFKind::constrained ? -1 : static_cast<int>(kind);
}

}  // namespace

template <class Engine>
StartMotion<Engine>::StartMotion(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome)
    : inclusions_(inclusions), outcome_(outcome) {
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    is_any_tied_ = is_any_tied_ || is_tied(j);
    for (const DoFKind kind : {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic})
      is_any_mixed_ = is_any_mixed_ || (meets(j, kind) && rank(kind) > rank(kind_of(j)));
  }
}

template <class Engine>
DoFKind StartMotion<Engine>::kind_of(Index direction) const {
  const std::vector<DoFKind>& kinds = outcome_.directions[static_cast<std::size_t>(direction)].decided_by;
  return kinds.empty() ? DoFKind::constrained : kinds.front();
}

template <class Engine>
bool StartMotion<Engine>::meets(Index j, DoFKind kind) const {
  return outcome_.directions[static_cast<std::size_t>(j)].meets[static_cast<std::size_t>(kind)];
}

/// Whether a direction meets algebraic DoFs, which a constraint ties to the heavier ones that decide.
template <class Engine>
bool StartMotion<Engine>::is_tied(Index j) const {
  const DoFKind kind = kind_of(j);
  return (kind == DoFKind::inertial || kind == DoFKind::viscous) && meets(j, DoFKind::algebraic);
}

template <class Engine>
Vector StartMotion<Engine>::rates(const State& state, const Vector& r) const {
  Vector w = all_rates(state, r);
  for (Index j = 0; j < w.size(); ++j)
    if (meets(j, DoFKind::algebraic) && !is_tied(j)) w[j] = 0;
  return w;
}

/// Those that algebraic DoFs decide without the part of these.
template <class Engine>
Vector StartMotion<Engine>::all_rates(const State& state, const Vector& r) const {
  if (!is_any_tied_) return inclusions_.state_rates(state, r);
  return inclusions_.rates(state, r, Vector::Zero(r.size()));
}

template <class Engine>
double StartMotion<Engine>::rest(const State& state, const Vector& r, const Vector& w,
                                 double tolerance) const {
  return std::max(tolerance * scale_of_rates(state, w), rounding_of_rates(state, r));
}

/// What the rates of tied directions are rounded by: the elimination finds them among those of all algebraic
/// DoFs, multipliers too.
template <class Engine>
double StartMotion<Engine>::rounding_of_rates(const State& state, const Vector& r) const {
  if (!is_any_tied_) return 0;
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const MultiVector all = reduced.rates_of_highest_derivatives(state, inclusions_.H().force(r),
                                                               Vector::Zero(reduced.free().dofs().n_local()));
  const MultiVector algebraic = reduced.classification().algebraic().restrict(all);
  const double here = algebraic.size() > 0 ? algebraic.cwiseAbs().maxCoeff() : 0.;
  return 1e-13 * reduced.communicator().max(here);
}

/// The largest of what relative rates are differences of, |H_f|^T |v|, |H_D|^T |q_D'| and |h'|: where
/// everything moves along with its support, they are the rounding of these.
template <class Engine>
double StartMotion<Engine>::scale_of_rates(const State& state, const Vector& w) const {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const MultiVector speed = reduced.velocity_states(state.y).cwiseAbs();
  Vector size = inclusions_.H().free().cwiseAbs().transpose() * speed.col(0);
  const TimeFunction& motion = reduced.assembled().prescribed().rate;
  if (inclusions_.meets(DoFKind::constrained) && motion)
    size += inclusions_.H().constrained().cwiseAbs().transpose() * motion(state.time).cwiseAbs();
  if (reduced.free().constraints())
    size +=
        inclusions_.H().on_dofs().cwiseAbs().transpose() * reduced.free().offset(state.time, 1).cwiseAbs();
  reduced.communicator().sum(size.data(), static_cast<int>(size.size()));
  double largest = 0;
  for (Index j = 0; j < size.size(); ++j) {
    const double of_support = support(j).derivative(state.time);
    largest = std::max({largest, size[j] + std::abs(of_support), std::abs(w[j])});
  }
  return largest;
}

/// Of the directions, under reactions that stay as they are: rates are affine in the state, and what loads,
/// supports and prescribed motions add to them depends on time alone.
template <class Engine>
Vector StartMotion<Engine>::accelerations(const State& state, const Vector& r) const {
  const Vector none = Vector::Zero(r.size());
  const State moving{state.time, inclusions_.derivative(state, r)};
  const State resting{state.time, Vector::Zero(state.y.size())};
  return all_rates(moving, none) - all_rates(resting, none) + accelerations_in_time(state, r);
}

template <class Engine>
const ScalarFunction& StartMotion<Engine>::support(Index j) const {
  const std::size_t i = inclusions_.inclusion_of(j);
  return inclusions_.acting()[i].law->support(j - inclusions_.first_direction(i));
}

/// Rates without those of the supports that are differentiated exactly.
template <class Engine>
Vector StartMotion<Engine>::rates_to_differentiate(const State& state, const Vector& r) const {
  Vector w = all_rates(state, r);
  for (Index j = 0; j < w.size(); ++j)
    if (support(j).is_differentiated_exactly()) w[j] += support(j).derivative(state.time);
  return w;
}

/// Those of supports are exact where they can be. Of the rest, differences over shorter and shorter
/// intervals, extrapolated to none; of each direction the pair that agrees best, so that fast motions are
/// resolved and slow ones not lost in rounding.
template <class Engine>
Vector StartMotion<Engine>::accelerations_in_time(const State& state, const Vector& r) const {
  Vector best = Vector::Zero(r.size());
  if (!inclusions_.has_moving_supports() && !inclusions_.meets(DoFKind::viscous) && !is_any_tied_)
    return best;
  const Vector here = rates_to_differentiate(state, r);
  Vector change = Vector::Constant(best.size(), std::numeric_limits<double>::infinity());
  Vector last, last_extrapolated;
  double interval = longest_interval / characteristic_rate(inclusions_.reduced().free());
  for (int k = 0; k < n_intervals; ++k, interval /= 4) {
    const State then{state.time + interval, state.y};
    if (then.time == state.time) break;
    const Vector difference = (rates_to_differentiate(then, r) - here) / (then.time - state.time);
    const Vector extrapolated = k > 0 ? Vector((4 * difference - last) / 3) : difference;
    for (Index j = 0; k > 1 && j < best.size(); ++j) {
      const double now = std::abs(extrapolated[j] - last_extrapolated[j]);
      if (!(now < change[j])) continue;
      change[j] = now;
      best[j] = extrapolated[j];
    }
    last = difference;
    last_extrapolated = extrapolated;
  }
  for (Index j = 0; j < best.size(); ++j)
    if (support(j).is_differentiated_exactly()) best[j] -= support(j).second_derivative(state.time);
  return best;
}

template class StartMotion<InstantiatedEngine>;

}  // namespace halfdof
