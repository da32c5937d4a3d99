// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace halfdof::internal {

namespace {

/// Deviation of the value at a quarter of the step from the parabola that counts as a kink, relative to the
/// second difference. This bound is half of the smallest deviation that a kink between straight lines causes.
constexpr double kink_in_quarters = 1. / 16;

/// Deviation from the parabola that rounding may cause, relative to the largest value.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

EndRates end_rates(const std::array<double, 5>& values, double length, LawLevel level) {
  const auto& [begin, first, middle, last, end] = values;
  const double mean = (end - begin) / length, second = begin - 2 * middle + end,
               off_first = first - (3 * begin + 6 * middle - end) / 8,
               off_last = last - (3 * end + 6 * middle - begin) / 8,
               size = std::max({std::abs(begin), std::abs(middle), std::abs(end)});
  if (std::max(std::abs(off_first), std::abs(off_last)) >
      kink_in_quarters * std::abs(second) + rounding * size) {
    const double after = (end - last) / (length / 4),
                 rate = level == LawLevel::gap ? std::min(after, mean) : after;
    return {rate, rate, true};
  }
  return {mean - 2 * second / length, mean + 2 * second / length};
}

namespace {

/// Returns whether the kink of a motion is in the last quarter of a step.
bool has_kink_in_last_quarter(const std::array<double, 5>& values) {
  const auto bend = [&](std::size_t k) { return std::abs(values[k - 1] - 2 * values[k] + values[k + 1]); };
  return bend(3) > bend(1) + bend(2);
}

/// Returns the prescribed motion at a time after the end of a step, or nothing if it has no value at this
/// time.
template <class Engine>
std::optional<Vector> prescribed_after_end(const Inclusions<Engine>& inclusions, double time) {
  try {
    return inclusions.prescribed(time);
  } catch (const UndefinedFunction&) {
    return std::nullopt;
  }
}

}  // namespace

template <class Engine>
PrescribedStep prescribed_step(const Inclusions<Engine>& inclusions, double begin, double end) {
  PrescribedStep step;
  step.begin = inclusions.prescribed(begin);
  const double h = end - begin;
  if (!inclusions.has_moving_supports()) {
    step.end = step.begin;
    step.begin_rate = step.end_rate = Vector::Zero(step.begin.size());
    return step;
  }
  step.end = inclusions.prescribed(end);
  const Vector first = inclusions.prescribed(begin + 0.25 * h),
               middle = inclusions.prescribed(begin + 0.5 * h),
               last = inclusions.prescribed(begin + 0.75 * h);
  step.begin_rate.resize(step.begin.size());
  step.end_rate.resize(step.begin.size());
  std::optional<Vector> after;
  bool is_after_known = false;
  for (Index j = 0; j < static_cast<Index>(step.begin.size()); ++j) {
    const std::array<double, 5> values = {step.begin[j], first[j], middle[j], last[j], step.end[j]};
    const bool is_gap = inclusions.level(j) == LawLevel::gap;
    EndRates rates = end_rates(values, h, inclusions.level(j));
    if (rates.has_kink && has_kink_in_last_quarter(values)) {
      const double before = last[j] - middle[j], there = step.end[j] - last[j];
      if (is_gap && !is_after_known) after = prescribed_after_end(inclusions, end + 0.25 * h);
      is_after_known = is_after_known || is_gap;
      const bool is_left = !is_gap || (after && ((*after)[j] - step.end[j] - before) * (there - before) > 0);
      rates.begin = rates.end = is_left ? before / (0.25 * h) : (step.end[j] - step.begin[j]) / h;
    }
    step.begin_rate[j] = rates.begin;
    step.end_rate[j] = rates.end;
  }
  return step;
}

template <class Engine>
Vector prescribed_size(const Inclusions<Engine>& inclusions, double time) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const TimeFunction& motion = reduced.assembled().prescribed().value;
  Vector size = Vector::Zero(inclusions.n_directions());
  if (inclusions.acts_on(DoFKind::constrained) && motion) {
    size = inclusions.H().constrained().cwiseAbs().transpose() * motion(time).cwiseAbs();
    reduced.communicator().sum(size.data(), static_cast<int>(size.size()));
  }
  if (reduced.free().constraints())
    size += inclusions.H().on_dofs().cwiseAbs().transpose() * reduced.free().offset(time).cwiseAbs();
  for (Index j = 0; j < size.size(); ++j) {
    const std::size_t i = inclusions.inclusion_of(j);
    size[j] += inclusions.acting()[i].law->support(j - inclusions.first_direction(i)).size(time);
  }
  return size;
}

template Vector prescribed_size(const Inclusions<InstantiatedEngine>&, double);
template PrescribedStep prescribed_step(const Inclusions<InstantiatedEngine>&, double, double);

}  // namespace halfdof::internal
