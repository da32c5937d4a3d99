#include "case_plot.h"

#include <halfdof/output/plot.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::cli {

namespace {

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< NaN for texts
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');)
    all.push_back(cell);
  return all;
}

/// NaN where there is none.
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

Vector vector_of(const std::vector<double>& values) {
  return Vector::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

void plot_table(const std::filesystem::path& file, const std::filesystem::path& picture) {
  const Table table = read(file);
  Plot plot;
  const std::pair<const char*, const char*> quantities[] = {
      {"q[", "displacement [length]"},
      {"v[", "velocity [length/s]"},
      {"r[", "reaction [force]"},
      {"dissipated", "dissipated energy [force length]"}};
  for (const auto& [begin, label] : quantities) {
    CurvePanel panel{"", {"time [s]"}, {label}};
    for (std::size_t c = 0; c < table.names.size(); ++c)
      if (table.names[c].rfind(begin, 0) == 0)
        panel.curves.push_back({table.names[c], vector_of(table.columns[0]), vector_of(table.columns[c])});
    if (!panel.curves.empty()) plot.panels.emplace_back(std::move(panel));
  }
  if (plot.panels.empty())
    throw InvalidInput(
        "The table " + file.string() +
        " has no columns to plot. Ask for displacements, velocities or reactions, or for no plot.");
  write_png(plot, picture);
}

}  // namespace halfdof::cli
