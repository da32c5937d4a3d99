#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Of the second difference: half of what the quarters show where a straight line bends.
constexpr double kink_in_quarters = 1. / 16;

/// Of the largest value, what it may be off the parabola by rounding.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

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
  step.begin_rate = step.end_rate = (step.end - step.begin) / h;
  for (Index j = 0; j < step.begin.size(); ++j) {
    const double second = step.begin[j] - 2 * middle[j] + step.end[j];
    const double off_first = first[j] - (3 * step.begin[j] + 6 * middle[j] - step.end[j]) / 8,
                 off_last = last[j] - (3 * step.end[j] + 6 * middle[j] - step.begin[j]) / 8;
    const double size = std::max({std::abs(step.begin[j]), std::abs(middle[j]), std::abs(step.end[j])});
    if (std::max(std::abs(off_first), std::abs(off_last)) >
        kink_in_quarters * std::abs(second) + rounding * size)
      continue;
    step.begin_rate[j] -= 2 * second / h;
    step.end_rate[j] += 2 * second / h;
  }
  return step;
}

template <class Engine>
Vector prescribed_size(const Inclusions<Engine>& inclusions, double time) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const TimeFunction& motion = reduced.assembled().prescribed().value;
  Vector size = Vector::Zero(inclusions.n_directions());
  if (inclusions.meets(DoFKind::constrained) && motion) {
    size = inclusions.H().constrained().cwiseAbs().transpose() * motion(time).cwiseAbs();
    reduced.communicator().sum(size.data(), static_cast<int>(size.size()));
  }
  if (reduced.free().constraints())
    size += inclusions.H().on_dofs().cwiseAbs().transpose() * reduced.free().offset(time).cwiseAbs();
  for (Index j = 0; j < size.size(); ++j) {
    const std::size_t i = inclusions.inclusion_of(j);
    size[j] += std::abs(inclusions.acting()[i].law->support(j - inclusions.first_direction(i))(time));
  }
  return size;
}

template Vector prescribed_size(const Inclusions<InstantiatedEngine>&, double);
template PrescribedStep prescribed_step(const Inclusions<InstantiatedEngine>&, double, double);

}  // namespace halfdof
