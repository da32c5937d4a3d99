// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>

#include <functional>
#include <string>
#include <utility>

using namespace halfdof;

namespace {

/// Returns the times between which the exact solution is linear. A time at which the exact solution jumps is
/// repeated.
Vector exact_times(const Bar& bar, double end) {
  Vector t(6);
  t << 0, bar.contact_begin(), bar.contact_begin(), bar.contact_end(), bar.contact_end(), end;
  return t;
}

/// The quantity that a row of panels shows.
struct Quantity {
  Quantity(Axis axis, std::function<Vector(const Run&)> of, Vector exact)
      : axis(std::move(axis)), of(std::move(of)), exact(std::move(exact)) {}

  Axis axis;
  std::function<Vector(const Run&)> of;
  Vector exact;  ///< at the exact times
};

/// Returns a panel with curves of some methods with one kind of mass, and the exact curve. Only panels with a
/// title have a legend.
CurvePanel panel(const std::string& title, const Bar& bar, const std::vector<Run>& runs,
                 const std::string& mass, const std::vector<std::string>& methods, const Quantity& quantity) {
  CurvePanel panel{title, {"time [s]"}, quantity.axis, {}, 200};
  const auto name = [&](const std::string& text) { return title.empty() ? std::string() : text; };
  for (const std::string& method : methods)
    for (const Run& run : runs)
      if (run.mass == mass && run.method == method)
        panel.curves.push_back({name(method), run.time, quantity.of(run)});
  panel.curves.push_back({name("elastic bar, exact"), exact_times(bar, runs.front().time.tail(1)[0]),
                          quantity.exact, CurveStyle::dashed_line});
  return panel;
}

}  // namespace

void write_table(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file) {
  std::vector<std::string> columns = {"t [s]", "exact tip [m]"};
  for (const Run& run : runs)
    for (const char* quantity : {"force [N]", "tip [m]", "energy [J]"})
      columns.push_back(run.mass + ", " + run.method + ": " + quantity);
  CsvTable csv(file, columns);
  const Vector& t = runs.front().time;
  for (Index i = 0; i < t.size(); ++i) {
    std::vector<TableCell> row = {t[i], bar.tip(t[i])};
    for (const Run& run : runs)
      row.insert(row.end(), {run.force[i], run.tip[i], run.energy[i]});
    csv.add_row(row);
  }
}

void draw(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file) {
  const double end = runs.front().time.tail(1)[0], F = bar.contact_force();
  Vector exact_force(6);
  exact_force << 0, 0, F, F, 0, 0;
  const Axis force_axis{"contact force [N]", {}, {{0, 600}}}, tip_axis{"lower end [m]"},
      energy_axis{"energy [J]", {}, {{480, 505}}};
  const Quantity force(
      force_axis, [](const Run& run) { return run.force; }, exact_force);
  const Quantity tip(
      tip_axis, [](const Run& run) { return run.tip; },
      exact_times(bar, end).unaryExpr([&](double t) { return bar.tip(t); }));
  const Quantity energy(
      energy_axis, [](const Run& run) { return run.energy; }, Vector::Constant(6, bar.energy()));
  Plot plot;
  plot.title = "Elastic bar on a rigid floor";
  plot.n_columns = 2;
  for (const Quantity* row : {&force, &tip, &energy}) {
    const bool is_first = row == &force;
    plot.panels.push_back(panel(is_first ? "Contact node with mass" : "", bar, runs, "standard",
                                {"Moreau-Jean, e = 1", "Moreau-Jean, e = 0", "implicit Euler"}, *row));
    plot.panels.push_back(panel(is_first ? "Massless contact node" : "", bar, runs, "massless",
                                {"set-valued Runge-Kutta", "Moreau-Jean", "implicit Euler"}, *row));
  }
  write_png(plot, file);
}
