// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/verification/time_resolution.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr double resolution = 1e-3;  ///< Allowed deviation from a parabola, relative to the largest value.
constexpr int max_depth = 14;        ///< Largest number of halvings, which is reached at jumps of a function.
constexpr double max_intervals = 4096;

}  // namespace

struct TimeResolution::Interval {
  double begin, end;
  Vector first, middle, last;  ///< Values at the beginning, the middle and the end of the interval.

  double at(double part) const { return begin + part * (end - begin); }
};

TimeResolution::TimeResolution(double longest, std::function<double(double)> largest)
    : longest_(longest), largest_(std::move(largest)) {}

ResolvedFunctions TimeResolution::operator()(const Functions& functions, double begin, double end,
                                             int n_intervals) {
  const double behind =
      512 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), std::abs(end));
  const Functions within = [&](double time) {
    const Vector values = functions(std::max(begin, std::min(time, end - behind)));
    if (size_.size() != values.size()) size_ = Vector::Zero(values.size());
    size_ = size_.cwiseMax(values.cwiseAbs());
    return values;
  };
  const double n =
      std::clamp(std::ceil((end - begin) / longest_), static_cast<double>(n_intervals), max_intervals);
  std::vector<Vector> values = {within(begin)};
  ResolvedFunctions resolved{{begin}, {}, Vector::Zero(values.front().size())};
  for (double k = 0; k < n; ++k) {
    Interval interval{
        begin + k / n * (end - begin), begin + (k + 1) / n * (end - begin), values.back(), {}, {}};
    interval.middle = within(interval.at(0.5));
    interval.last = within(interval.end);
    resolve(within, interval, 0, resolved, values);
  }
  resolved.values.resize(values.front().size(), static_cast<Index>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k)
    resolved.values.col(static_cast<Index>(k)) = values[k];
  return resolved;
}

void TimeResolution::resolve(const Functions& functions, const Interval& interval, int depth,
                             ResolvedFunctions& resolved, std::vector<Vector>& values) {
  const Vector quarter = functions(interval.at(0.25)), third = functions(interval.at(0.75));
  const Vector off =
      ((3 * interval.first + 6 * interval.middle - interval.last) / 8 - quarter)
          .cwiseAbs()
          .cwiseMax(((3 * interval.last + 6 * interval.middle - interval.first) / 8 - third).cwiseAbs());
  const bool is_off = (off.array() > resolution * size_.array()).any();
  if (depth < max_depth && largest_(is_off ? 1. : 0.) > 0) {
    const double middle = interval.at(0.5);
    resolve(functions, {interval.begin, middle, interval.first, quarter, interval.middle}, depth + 1,
            resolved, values);
    resolve(functions, {middle, interval.end, interval.middle, third, interval.last}, depth + 1, resolved,
            values);
    return;
  }
  const double length = interval.end - interval.begin;
  resolved.integral +=
      length / 12 * (interval.first + 4 * quarter + 2 * interval.middle + 4 * third + interval.last);
  for (const auto& [part, value] :
       {std::pair{0.25, &quarter}, {0.5, &interval.middle}, {0.75, &third}, {1., &interval.last}}) {
    resolved.times.push_back(interval.at(part));
    values.push_back(*value);
  }
}

}  // namespace halfdof::internal
