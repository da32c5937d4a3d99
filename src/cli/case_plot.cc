// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_plot.h"

#include "case_keys.h"
#include "checks.h"
#include "vector_of.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace halfdof::cli {

namespace {

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< NaN in place of texts
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');)
    all.push_back(cell);
  return all;
}

/// Returns the number at the beginning of a cell; NaN if there is none.
double leading_number(const std::string& cell) {
  char* end = nullptr;
  const double number = std::strtod(cell.c_str(), &end);
  return end == cell.c_str() ? std::numeric_limits<double>::quiet_NaN() : number;
}

Table read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  Table table{cells(line), {}};
  table.columns.resize(table.names.size());
  while (std::getline(in, line)) {
    const std::vector<std::string> row = cells(line);
    for (std::size_t c = 0; c < row.size() && c < table.columns.size(); ++c)
      table.columns[c].push_back(leading_number(row[c]));
  }
  return table;
}

/// Physical quantity of columns whose names begin with `begin`.
struct Quantity {
  const char *begin, *name, *unit;
  const char* several;  ///< label of an axis that shows several quantities of one unit
};

constexpr Quantity quantities[] = {
    {"q[", "displacement", "length", "length"},
    {"v[", "velocity", "length/s", "rate"},
    {"r[", "reaction", "force", "reaction"},
    {"dissipated", "dissipated energy", "force length", "energy"},
    {"t", "time", "s", "time"},
    {"g[", "gap", "length", "length"},
    {"slip[", "slip", "length", "length"},
    {"slip_rate[", "rate of slip", "length/s", "rate"},
    {"slip_total[", "path of slip", "length", "length"},
    {"kinetic", "kinetic energy", "force length", "energy"},
    {"potential", "potential energy", "force length", "energy"},
    {"work", "work of loads", "force length", "energy"},
    {"damped", "energy lost to damping", "force length", "energy"},
    {"reaction_work", "work of reactions", "force length", "energy"},
};
constexpr std::size_t n_drawn_over_time = 4;  ///< number of quantities drawn if there is no [[plot]]
constexpr std::size_t most_curves = 4;        ///< largest number of curves in one panel

bool holds(const Quantity& quantity, const std::string& column) {
  const std::string begin = quantity.begin;
  return column == begin || (begin.size() > 1 && column.rfind(begin, 0) == 0);
}

/// Returns the quantity of a column; nullptr for texts.
const Quantity* quantity_of(const std::string& column) {
  for (const Quantity& quantity : quantities)
    if (holds(quantity, column)) return &quantity;
  return nullptr;
}

/// Returns the label of an axis: "velocity v[0] [length/s]", or the common part of several columns.
std::string label_of(const std::vector<std::string>& columns) {
  const Quantity& first = *quantity_of(columns.front());
  std::string label = first.name;
  if (columns.size() == 1 && columns.front().back() == ']') label += ", " + columns.front();
  for (const std::string& column : columns)
    if (quantity_of(column) != &first) label = first.several;
  return label + " [" + first.unit + "]";
}

/// Returns a range with margins, so that closed curves do not touch the frame; absent for time.
std::optional<std::array<double, 2>> range_of(const Vector& x, bool is_time) {
  const double least = x.minCoeff(), most = x.maxCoeff(), margin = 0.03 * (most - least);
  if (is_time || !(margin > 0)) return std::nullopt;
  return std::array<double, 2>{least - margin, most + margin};
}

CurvePanel panel_of(const Table& table, const std::string& title, const std::string& x,
                    const std::vector<std::string>& y) {
  const auto column = [&](const std::string& name) {
    const auto found = std::find(table.names.begin(), table.names.end(), name);
    return vector_of(table.columns[static_cast<std::size_t>(found - table.names.begin())]);
  };
  CurvePanel panel{title, {label_of({x})}, {label_of(y)}};
  panel.x.range = range_of(column(x), x == table.names.front());
  for (const std::string& name : y)
    panel.curves.push_back({y.size() > 1 ? name : "", column(x), column(name)});
  return panel;
}

/// Returns one panel for each quantity, or several if it has many columns.
std::vector<CurvePanel> panels_over_time(const Table& table) {
  std::vector<CurvePanel> panels;
  for (std::size_t k = 0; k < n_drawn_over_time; ++k) {
    std::vector<std::string> columns;
    for (const std::string& name : table.names)
      if (holds(quantities[k], name)) columns.push_back(name);
    for (std::size_t first = 0; first < columns.size(); first += most_curves) {
      const auto begin = columns.begin() + static_cast<std::ptrdiff_t>(first);
      const auto n = static_cast<std::ptrdiff_t>(std::min(most_curves, columns.size() - first));
      panels.push_back(panel_of(table, "", table.names.front(), {begin, begin + n}));
    }
  }
  return panels;
}

void check_column(const CaseSection& plot, const std::string& key, const std::string& name,
                  const std::vector<std::string>& columns) {
  if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
    const std::string near = nearest(name, columns);
    plot.fail(key, "names \"" + name + "\", which is no column of the table." +
                       (near.empty() ? "" : " Is \"" + near + "\" meant?") +
                       " Its columns are: " + joined(columns) + "; keys of [output] add columns.");
  }
  if (!quantity_of(name))
    plot.fail(key, "names \"" + name + "\", which holds texts. Name a column with numbers.");
}

}  // namespace

void check_panels(const CaseFile& given, const std::vector<std::string>& columns) {
  for (const CaseSection& plot : given.plots) {
    if (!given.output.has("plot"))
      plot.fail("y",
                "is drawn into the picture that [output] plot names. Give [output] plot = \"file.png\".");
    check_column(plot, "x", plot.text("x"), columns);
    const std::vector<std::string> y = plot.texts("y");
    if (y.empty() || y.size() > most_curves)
      plot.fail("y", "names " + std::to_string(y.size()) + " columns. Name 1 to " +
                         std::to_string(most_curves) + ", and give further ones a [[plot]] of their own.");
    for (const std::string& name : y) {
      check_column(plot, "y", name, columns);
      const std::string unit = quantity_of(y.front())->unit;
      if (quantity_of(name)->unit != unit)
        plot.fail("y", "names \"" + y.front() + "\" [" + unit + "] and \"" + name + "\" [" +
                           quantity_of(name)->unit + "], but one axis has one unit. Give each a [[plot]].");
    }
  }
}

void plot_table(const CaseFile& given) {
  const std::filesystem::path file = given.output.path("file");
  const Table table = read(file);
  std::vector<CurvePanel> panels;
  for (const CaseSection& plot : given.plots)
    panels.push_back(
        panel_of(table, plot.has("title") ? plot.text("title") : "", plot.text("x"), plot.texts("y")));
  if (panels.empty()) panels = panels_over_time(table);
  if (panels.empty())
    throw InvalidInput(
        "The table " + file.string() +
        " has no columns to plot over time. Ask for displacements, velocities or reactions, or for no plot.");
  Plot plot;
  plot.panels.assign(panels.begin(), panels.end());
  write_picture(plot, given.output.path("plot"));
}

}  // namespace halfdof::cli
