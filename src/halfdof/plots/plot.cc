// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/profile.h>
#include <halfdof/plots/gnuplot.h>
#include <halfdof/plots/panel_script.h>
#include <halfdof/plots/plot.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace halfdof::internal {

namespace panel_script {

namespace {

/// A row of panels, which is as high as its highest panel.
struct Row {
  Margins margins;
  double height = 0;
  double total() const { return margins.top + height + margins.bottom; }
};

struct Layout {
  Canvas canvas;
  double title_height = 0;
  double column_width = 0;
  Margins sides;  ///< common left and right margins, so that the axes of a column are aligned
  std::vector<Row> rows;

  double axes_width() const { return column_width - sides.left - sides.right; }
};

Layout layout_of(const Plot& plot) {
  Layout layout;
  const std::size_t n_columns = static_cast<std::size_t>(plot.n_columns);
  layout.column_width = static_cast<double>(plot.width) / plot.n_columns;
  for (const auto& panel : plot.panels)
    std::visit(
        [&](const auto& p) {
          const Margins m = margins(p, layout.column_width);
          layout.sides.left = std::max(layout.sides.left, m.left);
          layout.sides.right = std::max(layout.sides.right, m.right);
        },
        panel);
  layout.rows.resize((plot.panels.size() + n_columns - 1) / n_columns);
  for (std::size_t k = 0; k < plot.panels.size(); ++k)
    std::visit(
        [&](const auto& p) {
          Row& row = layout.rows[k / n_columns];
          const Margins m = margins(p, layout.axes_width());
          row.margins.top = std::max(row.margins.top, m.top);
          row.margins.bottom = std::max(row.margins.bottom, m.bottom);
          row.height = std::max(row.height, height(p, layout.axes_width(), layout.rows.size() == 1));
        },
        plot.panels[k]);
  layout.title_height = plot.title.empty() ? 0 : 44;
  layout.canvas.width = plot.width;
  layout.canvas.height = std::accumulate(layout.rows.begin(), layout.rows.end(), layout.title_height + 8,
                                         [](double sum, const Row& row) { return sum + row.total(); });
  return layout;
}

std::string script_of(const Plot& plot, const std::filesystem::path& file) {
  const Layout layout = layout_of(plot);
  std::ostringstream script;
  script.precision(10);
  script << "set terminal pngcairo enhanced rounded background '#ffffff' font 'DejaVu Sans,11' size "
         << std::ceil(layout.canvas.width) << ',' << std::ceil(layout.canvas.height)
         << "\nset encoding utf8\nset output " << quoted(file.string()) << "\nset multiplot\n";
  if (!plot.title.empty())
    script << "set label 9 " << quoted(plot.title) << " at screen 0.5, screen "
           << 1 - 0.55 * layout.title_height / layout.canvas.height
           << " center noenhanced font ',15' textcolor rgb '" << ink << "'\n";
  double top = layout.canvas.height - layout.title_height;
  for (std::size_t k = 0; k < plot.panels.size(); ++k) {
    const std::size_t n_columns = static_cast<std::size_t>(plot.n_columns);
    const Row& row = layout.rows[k / n_columns];
    Frame frame;
    frame.left = static_cast<double>(k % n_columns) * layout.column_width + layout.sides.left;
    frame.bottom = top - row.margins.top - row.height;
    frame.width = layout.axes_width();
    frame.height = row.height;
    std::visit([&](const auto& panel) { draw(script, panel, frame, layout.canvas, static_cast<int>(k)); },
               plot.panels[k]);
    script << "reset\n";
    if (k % n_columns == n_columns - 1) top -= row.total();
  }
  script << "unset multiplot\nset output\n";
  return script.str();
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 32 || c == 127;
    result += c == '\'' ? std::string("'.\"'\".'") : std::string(1, is_control ? ' ' : c);
  }
  return result + "'";
}

int n_characters(const std::string& text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

double round_step(double step) {
  const double power = std::pow(10., std::floor(std::log10(step)));
  for (const double factor : {1., 2., 5.})
    if (factor * power >= 0.999 * step) return factor * power;
  return 10 * power;
}

void place(std::ostream& script, const std::string& title, double room, const Frame& frame,
           const Canvas& canvas) {
  script << "set lmargin at screen " << frame.left / canvas.width << "\nset rmargin at screen "
         << (frame.left + frame.width) / canvas.width << "\nset bmargin at screen "
         << frame.bottom / canvas.height << "\nset tmargin at screen "
         << (frame.bottom + frame.height) / canvas.height << '\n';
  if (!title.empty())
    script << "set label 8 " << quoted(title) << " at screen " << frame.left / canvas.width << ", screen "
           << (frame.bottom + frame.height + room + 0.5 * line_height) / canvas.height
           << " left noenhanced font ':Bold' textcolor rgb '" << ink << "'\n";
}

}  // namespace panel_script

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

void write_png(const Plot& plot, const std::filesystem::path& file, double seconds) {
  const Stage stage("plot");
  if (plot.panels.empty() || plot.n_columns < 1 || plot.width < 100)
    throw InvalidInput("The plot '" + plot.title + "' has " + std::to_string(plot.panels.size()) +
                       " panels in " + std::to_string(plot.n_columns) + " columns and a width of " +
                       std::to_string(plot.width) + " pixels. It needs a panel, a column, and 100 pixels.");
  for (const auto& panel : plot.panels)
    std::visit([](const auto& p) { panel_script::check(p); }, panel);
  AtomicFile out(file);
  run_gnuplot(panel_script::script_of(plot, out.temporary_path()), seconds);
  std::error_code error;
  if (std::filesystem::file_size(out.temporary_path(), error) == 0 || error)
    throw FileError(file, "gnuplot drew the picture but wrote nothing. Is the disk full?");
  out.commit();
}

}  // namespace halfdof
