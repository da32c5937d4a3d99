// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>

#include <functional>
#include <limits>
#include <string>

using namespace halfdof;

namespace {

/// Returns the entries at times of stick, and NaN at all other times.
Vector at_rest(const Vector& entries, const std::vector<bool>& sticks) {
  Vector result = entries;
  for (std::size_t i = 0; i < sticks.size(); ++i)
    if (!sticks[i]) result[static_cast<Index>(i)] = std::numeric_limits<double>::quiet_NaN();
  return result;
}

/// Returns an axis with the range of the data and a small margin.
Axis axis_with_margin(const std::string& label, const Vector& entries) {
  const double from = entries.minCoeff(), to = entries.maxCoeff(), margin = 0.05 * (to - from);
  return {label, AxisScale::linear, {{from - margin, to + margin}}};
}

}  // namespace

Motion motion_of(const Absorber& absorber, const RubbingModel& model, int n) {
  std::vector<double> times;
  for (int i = 0; i <= n; ++i)
    times.push_back(absorber.end * i / n);
  const auto n_dofs = static_cast<Index>(model.inclusions.reduced().assembled().n_dofs());
  Motion motion{Vector(n + 1), MultiVector(n + 1, n_dofs), Vector(n + 1), Vector(n + 1), {}};

  NonsmoothState state = model.start;
  Index i = 0;
  EventDriven(model.inclusions, model.outcome).run(state, times, [&](const auto& now) {
    motion.t[i] = now.time();
    motion.q.row(i) = now.lift().displacement;
    motion.v[i] = now.lift().rate[n_dofs - 1];
    motion.r[i] = now.reactions()[0][0];
    motion.sticks.push_back(i > 0 &&
                            now.contacts()[0] == ContactState::stick);  // the machine is released at i = 0
    ++i;
  });
  return motion;
}

std::vector<StickInterval> stick_intervals(const Absorber& absorber, const RubbingModel& model) {
  Trajectory trajectory;
  NonsmoothState state = model.start;
  EventDriven(model.inclusions, model.outcome).run(state, absorber.end, std::ref(trajectory));
  std::vector<StickInterval> intervals;
  for (const ContactEvent& event : trajectory.events) {
    if (event.before == ContactState::stick && !intervals.empty()) intervals.back()[1] = event.begin;
    if (event.after == ContactState::stick) intervals.push_back({event.end, absorber.end});
  }
  return intervals;
}

void write_table(const Motion& motion, const std::filesystem::path& file) {
  CsvTable csv(file, {"t [s]", "q_1 [m]", "q_2 [m]", "q_3 [m]", "q_3' [m/s]", "friction [N]"});
  for (Index i = 0; i < motion.t.size(); ++i)
    csv.add_row({motion.t[i], motion.q(i, 0), motion.q(i, 1), motion.q(i, 2), motion.v[i], motion.r[i]});
}

void draw(const std::vector<Absorber>& absorbers, const std::vector<Motion>& motions,
          const std::filesystem::path& picture) {
  Plot plot;
  plot.title = "Vibration absorber of Dumont, Goeleven and Rochdi: dry friction on the machine";
  plot.n_columns = 3;
  plot.width = 1300;
  for (std::size_t n = 0; n < absorbers.size(); ++n) {
    const Motion& motion = motions[n];
    const bool is_small = motion.q.col(2).cwiseAbs().maxCoeff() < 0.01;
    const double unit = is_small ? 1e3 : 1;
    const Vector q = unit * motion.q.col(2), v = unit * motion.v;
    const Axis time{"time [s]"}, displacement = axis_with_margin(is_small ? "q_3 [mm]" : "q_3 [m]", q),
                                 velocity = axis_with_margin(is_small ? "q_3' [mm/s]" : "q_3' [m/s]", v);
    const Vector t = motion.t, q_at_rest = at_rest(q, motion.sticks), v_at_rest = at_rest(v, motion.sticks);
    const std::string name = absorbers[n].name + ": ";
    plot.panels.push_back(CurvePanel{
        name + "displacement", time, displacement, {{"slips", t, q}, {"sticks", t, q_at_rest}}, 220});
    plot.panels.push_back(
        CurvePanel{name + "velocity", time, velocity, {{"slips", t, v}, {"sticks", t, v_at_rest}}, 220});
    plot.panels.push_back(CurvePanel{name + "phase portrait",
                                     displacement,
                                     velocity,
                                     {{"slips", q, v}, {"sticks", q_at_rest, v_at_rest, CurveStyle::points}},
                                     220});
  }
  write_png(plot, picture);
}
