// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <halfdof/plots/plot.h>

using namespace halfdof;

namespace {

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Returns the first part of the name of a case: "dynamical" of "dynamical, clamped".
std::string inertia_of(const ChainRun& run) {
  return run.chosen.name.substr(0, run.chosen.name.find(','));
}

template <class Read>
Curve curve(const ChainRun& run, const std::string& name, const Read& read,
            CurveStyle style = CurveStyle::line) {
  return {name, vector_of(run.times), run.over_time(read), style};
}

CurvePanel clamped_motion(const std::vector<ChainRun>& runs) {
  CurvePanel panel{"Clamped: the last node", {"time [-]"}, {"v_n [-]"}};
  for (const ChainRun& run : runs)
    if (run.chosen.end == End::clamped)
      panel.curves.push_back(
          curve(run, inertia_of(run), [](const RecoveredQuantities& at) { return at.v[at.v.size() - 1]; }));
  return panel;
}

CurvePanel clamped_reactions(const std::vector<ChainRun>& runs) {
  CurvePanel panel{"Clamped: reactions F_0 (solid) and F_{n+1} (dashed)", {"time [-]"}, {"force [-]"}};
  for (const CurveStyle style : {CurveStyle::line, CurveStyle::dashed_line})
    for (const ChainRun& run : runs)
      if (run.chosen.end == End::clamped) {
        const bool is_left = style == CurveStyle::line;
        panel.curves.push_back(curve(
            run, (is_left ? "F_0, " : "F_{n+1}, ") + inertia_of(run),
            [&](const RecoveredQuantities& at) { return is_left ? at.F_0 : at.F_end; }, style));
      }
  return panel;
}

CurvePanel free_end(const std::vector<ChainRun>& runs) {
  CurvePanel panel{"Right end not clamped: its displacement x", {"time [-]"}, {"x [-]"}};
  for (const ChainRun& run : runs)
    if (run.chosen.end != End::clamped)
      panel.curves.push_back(curve(
          run, run.chosen.name, [](const RecoveredQuantities& at) { return at.x; },
          run.chosen.end == End::force_known ? CurveStyle::line : CurveStyle::dashed_line));
  return panel;
}

CurvePanel orders(const std::vector<ChainRun>& runs) {
  CurvePanel panel{"Implicit Euler until t = 10",
                   {"step h [-]", AxisScale::logarithmic},
                   {"relative error of v [-]", AxisScale::logarithmic}};
  for (const ChainRun& run : runs)
    panel.curves.push_back({run.chosen.name, run.euler.step, run.euler.error, CurveStyle::line_with_points});
  for (const ChainRun& run : runs)
    if (run.chosen.inertia == Inertia::quasistatic && run.chosen.end == End::clamped)
      panel.curves.push_back({run.chosen.name + ", scheme as printed", run.euler.step,
                              run.euler.printed_error, CurveStyle::dashed_line});
  return panel;
}

}  // namespace

void draw(const std::vector<ChainRun>& runs, const std::filesystem::path& file) {
  Plot plot;
  plot.title = "A chain on dry friction, n = " + std::to_string(runs.front().model.chain.n());
  plot.n_columns = 2;
  plot.width = 1200;
  for (CurvePanel panel : {clamped_motion(runs), free_end(runs), clamped_reactions(runs), orders(runs)}) {
    panel.height = 260;
    plot.panels.push_back(std::move(panel));
  }
  write_png(plot, file);
}

void draw(const std::vector<Loop>& loops, const std::filesystem::path& file) {
  const auto some = [](const Vector& values) { return Vector(values(Eigen::seq(0, Eigen::last, 8))); };
  Plot plot;
  plot.title = "Steady hysteresis loops of massless springs and dry friction";
  plot.n_columns = static_cast<int>(loops.size());
  plot.width = 1200;
  for (const Loop& loop : loops)
    plot.panels.push_back(
        CurvePanel{loop.name,
                   {"displacement [-]"},
                   {"force [-]"},
                   {{"Masing's rule", loop.masing_displacement, loop.masing_force},
                    {"implicit Euler", some(loop.displacement), some(loop.force), CurveStyle::points}},
                   260});
  write_png(plot, file);
}
