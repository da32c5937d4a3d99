// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of all benchmarks for people: benchmarks.csv as text, as Markdown, and how steps of chains grow
// as a picture; the chart of ratios is drawn by ratios.gp. Usage: benchmark_summary <benchmarks.csv>
// [page.md]
//
// Given a page, replaces what stands between its two lines <!-- speed --> by a table of ratios alone.

#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/plots/plot.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

/// As report.h writes it.
struct Row {
  std::string program, job, model, peer, unit, verdict;
  double ours, theirs, ratio, goal, disagreement;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line)
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

std::vector<Row> read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) throw Error(file.string() + " holds no table.");
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 11) throw Error(file.string() + " has a row of another shape: " + line);
    const auto number = [&cells](std::size_t i) { return std::strtod(cells[i].c_str(), nullptr); };
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[6], cells[10], number(4), number(5),
                    number(7), number(8), number(9)});
  }
  return rows;
}

std::string three_digits(double number) {
  if (number >= 1000 && number < 1e6) return to_text(number, NumberStyle::fixed, 0);
  return to_text(number, NumberStyle::general, 3);
}
std::string goal_of(const Row& row) {
  return row.goal == 0 ? "" : three_digits(row.goal);
}

/// "met: 12, missed: 3"
std::string count_of_verdicts(const std::vector<Row>& rows) {
  std::map<std::string, int> counts;
  for (const Row& row : rows)
    if (!row.verdict.empty()) ++counts[row.verdict];
  std::string text;
  for (const auto& [verdict, count] : counts)
    text += (text.empty() ? "" : ", ") + verdict + ": " + std::to_string(count);
  return text;
}

void write_text(const std::vector<Row>& rows, std::ostream& out) {
  TextTable table({"job", "model", "beside", "ours", "theirs", "unit", "ratio", "goal", "verdict"});
  for (const Row& row : rows)
    table.add_row({row.job, row.model, row.peer, three_digits(row.ours), three_digits(row.theirs), row.unit,
                   three_digits(row.ratio), goal_of(row), row.verdict});
  out << table << count_of_verdicts(rows) << '\n';
}

/// A table for each program.
void write_markdown(const std::vector<Row>& rows, std::ostream& out) {
  out << "# Benchmarks\n\nRatios are theirs/ours of one run; the larger, the better. "
      << count_of_verdicts(rows) << ".\n\n![Ratios and goals](ratios.png)\n";
  std::string program;
  for (const Row& row : rows) {
    if (row.program != program)
      out << "\n## " << row.program
          << "\n\n| job | model | beside | ours | theirs | ratio | goal | differ by | verdict |\n"
             "|---|---|---|---|---|---|---|---|---|\n";
    program = row.program;
    out << "| " << row.job << " | " << row.model << " | " << row.peer << " | " << three_digits(row.ours)
        << ' ' << row.unit << " | " << three_digits(row.theirs) << ' ' << row.unit << " | **"
        << three_digits(row.ratio) << "** | " << goal_of(row) << " | "
        << to_text(row.disagreement, NumberStyle::general, 2) << " | " << row.verdict << " |\n";
  }
}

/// Ratios alone, a line for each job and peer.
std::string short_table(const std::vector<Row>& rows) {
  std::vector<std::string> lines;
  std::vector<std::string> ratios;
  for (const Row& row : rows) {
    const std::string line = "| " + row.job + " | " + row.peer + " | ";
    const auto at = static_cast<std::size_t>(std::find(lines.begin(), lines.end(), line) - lines.begin());
    if (at == lines.size()) {
      lines.push_back(line);
      ratios.emplace_back();
    }
    ratios[at] += (ratios[at].empty() ? "" : "; ") + row.model + ": " +
                  (row.verdict == "disagree" ? "results differ" : "**" + three_digits(row.ratio) + "**") +
                  (row.goal == 0 ? "" : " (" + goal_of(row) + ")");
  }
  std::string all = "| job | beside | theirs/ours (goal) |\n|---|---|---|\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    all += lines[i] + ratios[i] + " |\n";
  return all;
}

void replace_in(const std::filesystem::path& readme, const std::string& table) {
  const std::string mark = "<!-- speed -->\n";
  std::ostringstream all;
  all << std::ifstream(readme).rdbuf();
  std::string text = all.str();
  const std::size_t begin = text.find(mark), end = text.find(mark, begin + 1);
  if (begin == std::string::npos || end == std::string::npos)
    throw Error(readme.string() + " has no two lines <!-- speed --> to put the table in between.");
  text.replace(begin + mark.size(), end - begin - mark.size(), '\n' + table + '\n');
  std::ofstream(readme) << text;
}

/// For ratios.gp: what was compared, ratio, goal, and the verdict as a number.
void write_for_chart(const std::vector<Row>& rows, std::ostream& out) {
  const std::map<std::string, int> numbers = {{"met", 1}, {"missed", 2}, {"disagree", 3}, {"", 4}};
  for (const Row& row : rows)
    out << row.job << " | " << row.model << " | " << row.peer << '\t' << row.ratio << '\t' << row.goal << '\t'
        << numbers.at(row.verdict) << '\n';
}

/// Steps of chains of n masses: with some contacts, and with as many as masses; stiff ones are of one length.
void plot_steps(const std::vector<Row>& rows, const std::filesystem::path& picture) {
  const std::regex chain("([0-9]+) masses, ([0-9]+) contacts");
  std::map<std::string, std::vector<std::array<double, 2>>> points;
  for (const Row& row : rows) {
    std::smatch found;
    const bool is_stiff = row.job.find("stiff") != std::string::npos;
    if (is_stiff || !std::regex_search(row.model, found, chain)) continue;
    const double n = std::stod(found[1]);
    const std::string contacts =
        found[1] == found[2] ? "as many contacts as masses" : found[2].str() + " contacts";
    points["halfdof, " + contacts].push_back({n, row.ours});
    points[row.peer + ", " + contacts].push_back({n, row.theirs});
  }
  if (points.empty()) return;
  CurvePanel panel{
      "A step of a chain", {"masses", AxisScale::logarithmic}, {"time [s]", AxisScale::logarithmic}, {}};
  for (auto& [name, of_curve] : points) {
    std::sort(of_curve.begin(), of_curve.end());
    const auto n = static_cast<Eigen::Index>(of_curve.size());
    const Eigen::Map<const Eigen::Matrix2Xd> values(of_curve.front().data(), 2, n);
    panel.curves.push_back(
        {name, values.row(0).transpose(), values.row(1).transpose(), CurveStyle::line_with_points});
  }
  write_png({"", {panel}}, picture);
}

void summarize(const std::filesystem::path& file) {
  const std::vector<Row> rows = read(file);
  const std::filesystem::path folder = file.parent_path();
  write_text(rows, std::cout);
  std::ofstream markdown(folder / "benchmarks.md");
  write_markdown(rows, markdown);
  std::ofstream chart(folder / "ratios.dat");
  write_for_chart(rows, chart);
  plot_steps(rows, folder / "steps.png");
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments < 2 || n_arguments > 3) {
    std::cerr << "usage: benchmark_summary <benchmarks.csv> [page.md]\n";
    return 2;
  }
  summarize(arguments[1]);
  if (n_arguments == 3) replace_in(arguments[2], short_table(read(arguments[1])));
}
