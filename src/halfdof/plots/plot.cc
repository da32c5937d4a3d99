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

/// A row of panels. The height of the row is the height of its highest panel.
struct Row {
  Margins margins;
  double height = 0;
  double total() const { return margins.top + height + margins.bottom; }
};

/// The sizes of all rows and columns of panels [pixels].
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

/// Settings of gnuplot for a format of pictures. Letters have about the same size in both formats, because 11
/// points are 14.7 pixels.
struct Terminal {
  const char *name, *font;
};
constexpr Terminal png = {"pngcairo enhanced rounded", "DejaVu Sans,11"},
                   svg = {"svg enhanced rounded", "sans-serif,14"};

/// Returns a gnuplot script that prints the picture to standard output.
std::string script_of(const Plot& plot, const Terminal& terminal) {
  const Layout layout = layout_of(plot);
  std::ostringstream script;
  script.precision(10);
  script << "set terminal " << terminal.name << " background '#ffffff' font '" << terminal.font << "' size "
         << std::ceil(layout.canvas.width) << ',' << std::ceil(layout.canvas.height)
         << "\nset encoding utf8\nset multiplot\n";
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
  script << "unset multiplot\n";
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

void write_axes_position(std::ostream& script, const std::string& title, double distance, const Frame& frame,
                         const Canvas& canvas) {
  script << "set lmargin at screen " << frame.left / canvas.width << "\nset rmargin at screen "
         << (frame.left + frame.width) / canvas.width << "\nset bmargin at screen "
         << frame.bottom / canvas.height << "\nset tmargin at screen "
         << (frame.bottom + frame.height) / canvas.height << '\n';
  if (!title.empty())
    script << "set label 8 " << quoted(title) << " at screen " << frame.left / canvas.width << ", screen "
           << (frame.bottom + frame.height + distance + 0.5 * line_height) / canvas.height
           << " left noenhanced font ':Bold' textcolor rgb '" << ink << "'\n";
}

}  // namespace panel_script

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

namespace {

/// Checks the plot, runs gnuplot, and returns the bytes of the picture.
std::string draw_picture(const Plot& plot, const panel_script::Terminal& terminal, double seconds) {
  const StageTimer stage("plot");
  if (plot.panels.empty() || plot.n_columns < 1 || plot.width < 100)
    throw InvalidInput("The plot '" + plot.title + "' has " + std::to_string(plot.panels.size()) +
                       " panels in " + std::to_string(plot.n_columns) + " columns and a width of " +
                       std::to_string(plot.width) +
                       " pixels. A plot needs at least one panel, one column, and a width of 100 pixels.");
  for (const auto& panel : plot.panels)
    std::visit([](const auto& p) { panel_script::check(p); }, panel);
  std::string picture = run_gnuplot(panel_script::script_of(plot, terminal), seconds);
  if (picture.empty()) throw Error("The picture was not drawn: gnuplot ended without printing a picture.");
  return picture;
}

void write(const std::filesystem::path& file, const std::string& picture) {
  AtomicFile out(file);
  out.write(picture);
  out.commit();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Returns text with the escapes that the value of an XML attribute in double quotes needs.
std::string escaped_attribute(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, "\"", "&quot;");
  return text;
}

}  // namespace

void write_png(const Plot& plot, const std::filesystem::path& file, double seconds) {
  write(file, draw_picture(plot, panel_script::png, seconds));
}

void write_svg(const Plot& plot, const std::filesystem::path& file, double seconds) {
  write(file, draw_picture(plot, panel_script::svg, seconds));
}

// The identifiers get a prefix, because gnuplot uses the same identifiers in every picture.
std::string svg_element(const Plot& plot, const std::string& name, const std::string& description,
                        double seconds) {
  std::string picture = draw_picture(plot, panel_script::svg, seconds);
  const std::size_t view = picture.find("viewBox="), end = picture.find('>', view),
                    drawing = picture.find("<g id=\"gnuplot_canvas\">");
  if (view == std::string::npos || drawing == std::string::npos)
    throw Error("The picture was not drawn: gnuplot printed no SVG.");
  const std::string box = picture.substr(view, picture.find('\n', view) - view);
  picture = picture.substr(std::max(end, drawing));
  for (const char* const begin : {"id='gp", "'#gp", "id=\"gnuplot", "id='textbox", "id='greybox"}) {
    const std::string old = begin;
    const std::size_t letters = old.find_last_of("'\"#") + 1;
    replace_all(picture, old, old.substr(0, letters) + name + '-' + old.substr(letters));
  }
  return "<svg role=\"img\" aria-label=\"" + escaped_attribute(description) + "\" " + box +
         " style=\"width:100%;max-width:" + std::to_string(plot.width) + "px\">" + picture;
}

}  // namespace halfdof
