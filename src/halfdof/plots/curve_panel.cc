// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>
#include <halfdof/plots/panel_script.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <sstream>

namespace halfdof::internal::panel_script {

namespace {

using Range = std::array<double, 2>;

/// Colours that can be distinguished also by colour-blind readers and in grey (Okabe and Ito, Color Universal
/// Design, 2008).
constexpr const char* curve_colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#e69f00", "#56b4e9", "#444444"};
constexpr int point_shapes[] = {6, 2, 8, 4, 10, 1, 12};

bool is_shown(double value, const Axis& axis) {
  return std::abs(value) < 1e300 && (axis.scale != AxisScale::logarithmic || value > 1e-300);
}

bool has_points(const CurvePanel& panel) {
  return std::any_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) {
    return curve.style != CurveStyle::line && curve.style != CurveStyle::dashed_line;
  });
}

/// Returns the smallest and the largest coordinate of all points that can be shown, or (infinity, -infinity)
/// if no point can be shown.
Range data_range(const CurvePanel& panel, const Vector Curve::*coordinate) {
  Range range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : panel.curves)
    for (Eigen::Index i = 0; i < curve.x.size(); ++i)
      if (is_shown(curve.x(i), panel.x) && is_shown(curve.y(i), panel.y)) {
        range[0] = std::min(range[0], (curve.*coordinate)(i));
        range[1] = std::max(range[1], (curve.*coordinate)(i));
      }
  return range;
}

/// Returns the range widened by `share` of its length on both sides. The result is never empty.
Range widened(Range range, double share, const Axis& axis) {
  if (axis.scale == AxisScale::symmetric_logarithmic) {
    const Range shown = widened(
        {std::asinh(range[0] / axis.linear_up_to), std::asinh(range[1] / axis.linear_up_to)}, share, Axis());
    return {axis.linear_up_to * std::sinh(shown[0]), axis.linear_up_to * std::sinh(shown[1])};
  }
  if (axis.scale == AxisScale::logarithmic) {
    const double factor =
        std::max(std::pow(range[1] / range[0], share), share > 0 || range[0] == range[1] ? 1.1 : 1.);
    return {std::max(range[0] / factor, 1e-307), std::min(range[1] * factor, 1e307)};
  }
  const double size = std::max(std::abs(range[0]), std::abs(range[1]));
  double extra = share * (range[1] - range[0]);
  if (range[1] - range[0] <= 1e-9 * size) extra = 0.05 * size;
  if (size == 0) extra = 1;
  return {range[0] - extra, range[1] + extra};
}

Range x_range(const CurvePanel& panel) {
  return panel.x.range.value_or(widened(data_range(panel, &Curve::x), has_points(panel) ? 0.03 : 0, panel.x));
}

Range y_range(const CurvePanel& panel) {
  if (panel.y.range) return *panel.y.range;
  Range range = data_range(panel, &Curve::y);
  const bool from_zero = std::any_of(panel.curves.begin(), panel.curves.end(),
                                     [](const Curve& curve) { return curve.style == CurveStyle::impulses; });
  if (from_zero && panel.y.scale != AxisScale::logarithmic)
    range = {std::min(range[0], 0.), std::max(range[1], 0.)};
  return widened(range, 0.06, panel.y);
}

/// Returns the number of columns and of lines of the legend for axes of the given width [pixels].
std::array<int, 2> legend_shape(const CurvePanel& panel, double width) {
  int n_names = 0, longest = 0;
  for (const Curve& curve : panel.curves) {
    n_names += !curve.name.empty();
    longest = std::max(longest, n_characters(curve.name));
  }
  // gnuplot assumes letters of this width for SVG pictures, and adds lines to a legend with narrower columns.
  const int fitting = std::max(1, static_cast<int>(width / (11. * longest + 50)));
  const int n_columns = std::max(1, std::min(n_names, fitting));
  return {n_columns, (n_names + n_columns - 1) / n_columns};
}

/// Returns the multiples of `step` within the range, but at most 50 values.
std::vector<double> multiples(const Range& range, double step) {
  const double first = std::ceil(range[0] / step) * step;
  std::vector<double> result;
  for (int k = 0; k < 50 && first + k * step <= range[1]; ++k)
    result.push_back(first + k * step);
  return result;
}

/// Returns a round step for about n_ticks ticks, or a smaller one if fewer than two ticks would lie in the
/// range.
double tick_step(const Range& range, double n_ticks) {
  const double step = round_step((range[1] - range[0]) / n_ticks);
  return multiples(range, step).size() > 1 ? step : round_step(0.4 * step);
}

/// Returns the major and minor ticks of a logarithmic axis as a list of gnuplot, whose items are text,
/// position and level.
std::string logarithmic_ticks(const Range& range, double n_ticks) {
  std::ostringstream list;
  const auto add = [&](double position, const std::string& text, int level) {
    if (position < range[0] || position > range[1]) return;
    list << (list.tellp() == 0 ? "(" : ", ") << quoted(text) << ' ' << position << ' ' << level;
  };
  const double n_decades = std::log10(range[1]) - std::log10(range[0]);
  if (n_decades < 0.6) {
    for (const double tick : multiples(range, tick_step(range, n_ticks)))
      add(tick, to_text(tick), 0);
    return list.str() + ")";
  }
  const bool is_plain = n_decades < 2 || (range[0] > 0.9e-3 && range[1] < 2e4);
  const int stride = std::max(1, static_cast<int>(std::ceil(n_decades / n_ticks)));
  for (int k = static_cast<int>(std::floor(std::log10(range[0]))); std::pow(10., k) <= range[1]; ++k) {
    const double power = std::pow(10., k);
    const bool is_major = k % stride == 0;
    add(power,
        !is_major  ? ""
        : is_plain ? to_text(power)
                   : "10^{" + std::to_string(k) + "}",
        is_major ? 0 : 1);
    for (int factor = 2; factor < 10 && stride == 1; ++factor) {
      const bool is_labelled = n_decades < 2 && (factor == 2 || factor == 5);
      add(factor * power, is_labelled ? to_text(factor * power) : "", is_labelled ? 0 : 1);
    }
  }
  return list.str() + ")";
}

/// Returns the ticks of a symmetric logarithmic axis, which are zero and the powers of ten beyond the linear
/// part of the axis.
std::string symmetric_ticks(const Axis& axis, const Range& range, double n_ticks) {
  const int first = static_cast<int>(std::ceil(std::log10(2 * axis.linear_up_to)));
  const double largest = std::max(std::abs(range[0]), std::abs(range[1]));
  const int n_sides = range[0] < -axis.linear_up_to && range[1] > axis.linear_up_to ? 2 : 1;
  const double n_powers = n_sides * (std::log10(largest) - first + 1);
  const int stride = std::max(1, static_cast<int>(std::ceil(n_powers / n_ticks)));
  std::ostringstream list;
  list << "('0' 0 0";
  for (int k = first; std::pow(10., k) <= largest; ++k)
    for (const double sign : {-1., 1.}) {
      const double tick = sign * std::pow(10., k);
      if (tick < range[0] || tick > range[1]) continue;
      const bool is_major = (k - first) % stride == 0;
      const bool is_plain = k >= -2 && k <= 3;
      const std::string text =
          is_plain ? to_text(tick) : (sign < 0 ? "-10^{" : "10^{") + std::to_string(k) + "}";
      list << ", " << quoted(is_major ? text : "") << ' ' << tick << ' ' << (is_major ? 0 : 1);
    }
  return list.str() + ")";
}

/// Writes an axis of `length` pixels with ticks that are at least `distance` pixels apart.
void write_axis(std::ostream& script, char name, const Axis& axis, const Range& range, double length,
                double distance) {
  const double n_ticks = std::max(2., std::floor(length / distance));
  if (axis.scale == AxisScale::symmetric_logarithmic)
    script << "set nonlinear " << name << " via asinh(" << name << '/' << axis.linear_up_to << ") inverse "
           << axis.linear_up_to << "*sinh(" << name << ")\n";
  script << "set " << name << "range [" << range[0] << ':' << range[1] << "] noextend\nset " << name
         << "label " << quoted(axis.label) << " noenhanced textcolor rgb '" << ink << "'\nset " << name
         << "tics nomirror scale 0.6,0.3 textcolor rgb '" << ink << "' ";
  switch (axis.scale) {
    case AxisScale::linear:
      script << tick_step(range, n_ticks) << '\n';
      break;
    case AxisScale::logarithmic:
      script << logarithmic_ticks(range, n_ticks) << "\nset logscale " << name << " 10\n";
      break;
    case AxisScale::symmetric_logarithmic:
      script << symmetric_ticks(axis, range, n_ticks) << '\n';
      break;
  }
}

void write_data(std::ostream& script, const CurvePanel& panel, const Curve& curve, const std::string& name) {
  script << name << " << END\n";
  for (Eigen::Index i = 0; i < curve.x.size(); ++i) {
    if (is_shown(curve.x(i), panel.x) && is_shown(curve.y(i), panel.y))
      script << curve.x(i) << ' ' << curve.y(i) << '\n';
    else
      script << "NaN NaN\n";
  }
  script << "END\n";
}

std::string style_text(CurveStyle style, std::size_t k) {
  const std::string color = std::string(" linecolor rgb '") + curve_colors[k % std::size(curve_colors)] + "'";
  const std::string point =
      " pointtype " + std::to_string(point_shapes[k % std::size(point_shapes)]) + " pointsize 1.2";
  switch (style) {
    case CurveStyle::line:
      return "lines linewidth 2.2" + color;
    case CurveStyle::dashed_line:
      return "lines linewidth 2.2 dashtype (8,5)" + color;
    case CurveStyle::points:
      return "points linewidth 1.8" + point + color;
    case CurveStyle::line_with_points:
      return "linespoints linewidth 1.8" + point + color;
    case CurveStyle::impulses:
      return "impulses linewidth 2.5" + color;
  }
  return "lines";
}

void check_range(const CurvePanel& panel, const Axis& axis, const char* name) {
  if (!(axis.linear_up_to > 0) || !std::isfinite(axis.linear_up_to))
    throw InvalidInput("The " + std::string(name) + " axis of the plot panel '" + panel.title +
                       "' should be linear up to " + number_text(axis.linear_up_to) +
                       ". This limit must be positive and finite.");
  if (!axis.range) return;
  const auto& [low, high] = *axis.range;
  if (!(low < high) || !is_shown(low, axis) || !is_shown(high, axis))
    throw InvalidInput(
        "The " + std::string(name) + " axis of the plot panel '" + panel.title + "' has the range " +
        number_text(low) + " ... " + number_text(high) +
        ". The upper limit must exceed the lower one, and both must be positive on a logarithmic axis.");
}

}  // namespace

void check(const CurvePanel& panel) {
  for (const Curve& curve : panel.curves)
    if (curve.x.size() != curve.y.size())
      throw InvalidInput("The curve '" + curve.name + "' of the plot panel '" + panel.title + "' has " +
                         std::to_string(curve.x.size()) + " x and " + std::to_string(curve.y.size()) +
                         " y values. Give equally many x and y values.");
  if (data_range(panel, &Curve::x)[0] > data_range(panel, &Curve::x)[1])
    throw InvalidInput(
        "The plot panel '" + panel.title +
        "' has no point to show: all points are NaN or infinite, or not positive on a logarithmic axis.");
  check_range(panel, panel.x, "x");
  check_range(panel, panel.y, "y");
}

Margins margins(const CurvePanel& panel, double width) {
  Margins result;
  result.left = panel.y.label.empty() ? 72 : 96;
  result.right = 28;
  result.bottom = panel.x.label.empty() ? 34 : 62;
  result.top = 14 + line_height * ((panel.title.empty() ? 0 : 1) + legend_shape(panel, width)[1]);
  return result;
}

double height(const CurvePanel& panel, double width, bool alone) {
  if (panel.height > 0) return panel.height;
  return std::max(160., (alone ? 0.5 : 0.3) * width);
}

void draw(std::ostream& script, const CurvePanel& panel, const Frame& frame, const Canvas& canvas,
          int number) {
  const auto [n_columns, n_lines] = legend_shape(panel, frame.width);
  write_axes_position(script, panel.title, 4 + line_height * n_lines, frame, canvas);
  script << "set border 3 linewidth 1 linecolor rgb '" << ink
         << "'\nset tics out\nset grid back linetype 1 linewidth 1 linecolor rgb '#e2e2e2'\n";
  write_axis(script, 'x', panel.x, x_range(panel), frame.width, 75);
  write_axis(script, 'y', panel.y, y_range(panel), frame.height, 30);
  if (n_lines == 0)
    script << "unset key\n";
  else
    script << "set key at screen " << frame.left / canvas.width << ", screen "
           << (frame.bottom + frame.height + 4 + line_height * n_lines) / canvas.height
           << " left top horizontal reverse Left noenhanced samplen 2 width 1 spacing 1.1 maxcols "
           << n_columns << " textcolor rgb '" << ink << "'\n";
  const auto data_name = [&](std::size_t k) {
    return "$panel" + std::to_string(number) + "curve" + std::to_string(k);
  };
  for (std::size_t k = 0; k < panel.curves.size(); ++k)
    write_data(script, panel, panel.curves[k], data_name(k));
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const Curve& curve = panel.curves[k];
    script << (k == 0 ? "plot " : ", ") << data_name(k) << " using 1:2 with " << style_text(curve.style, k)
           << (curve.name.empty() ? " notitle" : " title " + quoted(curve.name));
  }
  script << '\n';
}

}  // namespace halfdof::internal::panel_script
