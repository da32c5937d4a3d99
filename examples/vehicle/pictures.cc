// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <halfdof/plots/plot.h>

#include <cmath>
#include <utility>

using namespace halfdof;

namespace {

constexpr double mm = 1e3;

Vector road_at(const Motion& motion) {
  return motion.times().unaryExpr([](double time) { return road(time); });
}

CurvePanel over_the_road(const char* title, const Motion& motion, const Vehicle& vehicle) {
  const Vector t = motion.times();
  return {title,
          {"time [s]"},
          {"displacement [mm]"},
          {{"vehicle", t, mm * motion.of(1)},
           {"road", t, mm * road_at(motion)},
           {"B", t, mm * motion.of(vehicle.head())},
           {"wheel", t, mm * motion.of(0), CurveStyle::dashed_line}},
          240};
}

CurvePanel panel_of_gaps(const std::vector<Motion>& motions) {
  CurvePanel panel{"Where the road begins, first table", {"time [ms]"}, {"wheel above the road [mm]"}, {}};
  for (const Motion& motion : motions)
    panel.curves.push_back({motion.method, 1e3 * motion.times(), mm * (motion.of(0) - road_at(motion))});
  return panel;
}

CurvePanel panel_of_forces(const std::vector<Motion>& motions) {
  CurvePanel panel{"Contact force, first table: means over 1 ms", {"time [ms]"}, {"force [kN]"}, {}};
  for (const Motion& motion : motions)
    panel.curves.push_back({motion.method, 1e3 * motion.times(), 1e-3 * motion.forces()});
  return panel;
}

Curve trend(const char* name, const std::vector<Trial>& trials, double exponent) {
  const Trial& anchor = trials.back();
  Curve curve{name, Vector(2), Vector(2), CurveStyle::dashed_line};
  curve.x << trials.front().parameter, anchor.parameter;
  curve.y << anchor.error * std::pow(trials.front().parameter / anchor.parameter, exponent), anchor.error;
  return curve;
}

Curve errors_of(const char* name, const std::vector<Trial>& trials) {
  const auto n = static_cast<Index>(trials.size());
  Curve curve{name, Vector(n), Vector(n), CurveStyle::line_with_points};
  for (Index i = 0; i < n; ++i) {
    curve.x[i] = trials[static_cast<std::size_t>(i)].parameter;
    curve.y[i] = trials[static_cast<std::size_t>(i)].error;
  }
  return curve;
}

CurvePanel panel_of_errors(const char* title, const char* parameter, std::vector<Curve> curves) {
  CurvePanel panel;
  panel.title = title;
  panel.x.label = parameter;
  panel.x.scale = AxisScale::logarithmic;
  panel.y.label = "largest error until 0.3 s [m]";
  panel.y.scale = AxisScale::logarithmic;
  panel.curves = std::move(curves);
  return panel;
}

}  // namespace

void draw_motions(const MotionPictures& motions, const Vehicle& vehicle, const std::filesystem::path& file) {
  Plot plot;
  plot.title = "A vehicle over a bump";
  plot.n_columns = 2;
  plot.width = 1200;
  plot.panels = {over_the_road("First table", motions.first, vehicle),
                 over_the_road("Second table", motions.second, vehicle), panel_of_gaps(motions.gaps),
                 panel_of_forces(motions.forces)};
  write_png(plot, file);
}

void draw_errors(const std::vector<Trial>& penalties, const std::vector<Trial>& steps,
                 const std::filesystem::path& file) {
  Plot plot;
  plot.title = "Errors of displacements, first table";
  plot.n_columns = 2;
  plot.width = 1100;
  plot.panels.push_back(panel_of_errors("Paoli-Schatzman penalty", "λ [s²]",
                                        {errors_of("Yosida", penalties), trend("∝ √λ", penalties, 0.5)}));
  plot.panels.push_back(panel_of_errors("Moreau-Jean", "time step h [s]",
                                        {errors_of("Moreau-Jean", steps), trend("∝ h", steps, 1.)}));
  write_png(plot, file);
}
