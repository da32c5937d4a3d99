// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <halfdof/plots/plot.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

using namespace halfdof;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The points of a curve.
struct Points {
  std::vector<double> x, y;

  void add(double x_new, double y_new) {
    x.push_back(x_new);
    y.push_back(y_new);
  }
  static Vector vector(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  Curve curve(const std::string& name, CurveStyle style = CurveStyle::line) const {
    return {name, vector(x), vector(y), style};
  }
};

/// Returns the friction force [kN/m] over the slide of the support [mm].
Points loop_of(const Run& run) {
  Points points;
  for (const Instant& now : run.instants)
    points.add(1e3 * now.support_displacement, 1e-3 * now.friction.sum());
  return points;
}

Points loop_of(const FrictionBar& bar) {
  Points points;
  const int n = 200;
  for (int k = 0; k <= n; ++k) {
    const double d = amplitude * k / n;
    points.add(1e3 * d, 1e-3 * bar.first_force(d));
  }
  for (const bool goes_back : {true, false})
    for (int k = 0; k <= n; ++k) {
      const double d = amplitude * (goes_back ? 1 - 2. * k / n : 2. * k / n - 1);
      points.add(1e3 * d, 1e-3 * bar.loop_force(amplitude, d, goes_back));
    }
  return points;
}

/// Returns the tractions along the beam [kPa].
Points tractions(const Run& run, const Vector& reactions) {
  Points points;
  for (std::size_t k = 0; k < run.x.size(); ++k)
    points.add(1e3 * run.x[k], 1e-3 * reactions[static_cast<Index>(k)] / run.area[k]);
  return points;
}

/// Adds horizontal lines at the height y for the times at which contact point k is in the given state.
void add_lines(Points& points, const Run& run, std::size_t k, ContactState state, double time_unit,
               double y) {
  bool was_in = false;
  for (std::size_t n = 1; n < run.instants.size(); ++n) {
    const bool is_in = run.instants[n].states[k] == state;
    const double begin = run.instants[n - 1].time / time_unit;
    if (is_in && !was_in) points.add(begin, y);
    if (!is_in && was_in) {
      points.add(begin, y);
      points.add(none, none);
    }
    was_in = is_in;
  }
  if (was_in) points.add(run.instants.back().time / time_unit, y);
  points.add(none, none);
}

/// Returns a panel with a horizontal band for each contact point, whose colour shows the contact state over
/// time.
CurvePanel states_panel(const Run& run, const std::string& time, double time_unit) {
  constexpr int n_lines = 4;  // lines of a band, which are so close that no gaps are visible
  CurvePanel panel{"", {time}, {"x [mm]"}, {}};
  panel.x.range = {{0., run.instants.back().time / time_unit}};
  panel.y.range = {{0., 1e3 * RubbingBeam<SerialLinearAlgebra>::length}};
  panel.height = 240;
  const double band = 1e3 * (run.x[1] - run.x[0]);
  for (const ContactState state :
       {ContactState::stick, ContactState::slip_back, ContactState::slip_forward, ContactState::open}) {
    Points lines;
    for (std::size_t k = 0; k < run.x.size(); ++k)
      for (int line = 0; line < n_lines; ++line)
        add_lines(lines, run, k, state, time_unit, 1e3 * run.x[k] + band * ((line + 0.5) / n_lines - 0.5));
    panel.curves.push_back(lines.curve(name_of(state)));
  }
  return panel;
}

/// Returns the step of the first slide at which the position of the support is nearest to
/// `support_displacement`.
const Instant& first_at(const Run& run, double support_displacement) {
  const auto turn = std::find_if(run.instants.begin(), run.instants.end(),
                                 [](const Instant& now) { return now.time >= quarter_time; });
  return *std::min_element(run.instants.begin(), turn + 1, [&](const Instant& a, const Instant& b) {
    return std::abs(a.support_displacement - support_displacement) <
           std::abs(b.support_displacement - support_displacement);
  });
}

/// Returns a panel of pressure and friction along the beam during the first slide.
CurvePanel tractions_panel(const Run& run) {
  CurvePanel panel{"", {"x [mm]"}, {"traction [kPa]"}, {}};
  panel.x.range = {{0., 1e3 * RubbingBeam<SerialLinearAlgebra>::length}};
  for (const double support_displacement : {0.1e-3, 0.5e-3, amplitude}) {
    const Instant& now = first_at(run, support_displacement);
    std::ostringstream name;
    name << std::setprecision(2) << "friction at " << 1e3 * now.support_displacement << " mm";
    panel.curves.push_back(tractions(run, now.friction).curve(name.str()));
  }
  panel.curves.push_back(tractions(run, first_at(run, amplitude).normal).curve("pressure at 2 mm"));
  return panel;
}

}  // namespace

void draw_loop(const Run& run, const FrictionBar& bar, const std::string& file) {
  Plot plot;
  plot.title = "A rubber beam on a support that slides slowly to and fro";
  plot.panels = {CurvePanel{"",
                            {"slide of the support [mm]"},
                            {"friction [kN/m]"},
                            {loop_of(run).curve("beam"),
                             loop_of(bar).curve("bar, in closed form", CurveStyle::dashed_line)}},
                 states_panel(run, "time [min]", 60.), tractions_panel(run)};
  write_png(plot, file);
}

void draw_waves(const Run& run, const std::string& file) {
  Points friction, limit;
  for (const Instant& now : run.instants) {
    friction.add(1e3 * now.time, -1e-3 * now.friction.sum());
    limit.add(1e3 * now.time, 1e-3 * friction_coefficient * now.normal.sum());
  }
  CurvePanel forces{"",
                    {"time [ms]"},
                    {"force [kN/m]"},
                    {friction.curve("friction"), limit.curve("coefficient times normal force")}};
  forces.x.range = {{0., 1e3 * run.instants.back().time}};
  Plot plot;
  plot.title = "The support slides steadily towards the clamp";
  plot.panels = {forces, states_panel(run, "time [ms]", 1e-3)};
  write_png(plot, file);
}
