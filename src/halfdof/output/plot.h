#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/output/mesh_panel.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace halfdof {

enum class AxisScale { linear, logarithmic };

struct Axis {
  std::string label = {};  ///< with its unit: "frequency [Hz]"
  AxisScale scale = AxisScale::linear;
  std::optional<std::array<double, 2>> range = {};  ///< absent: that of the data
};

enum class CurveStyle { line, dashed_line, points, line_with_points, impulses };

/// Points (x_i, y_i) under a name. One that is NaN or infinite (or beyond 1e300), or not positive on a
/// logarithmic axis, leaves a gap.
struct Curve {
  std::string name = {};  ///< in the legend; empty: not listed
  Vector x = {};
  Vector y = {};
  CurveStyle style = CurveStyle::line;
};

/// Curves over common axes, the legend above them.
struct CurvePanel {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Curve> curves = {};
  int height = 0;  ///< of the axes [pixels]; 0: chosen
};

/**
 * A picture of one or several panels:
 *
 * @code
 * Plot plot;
 * plot.title = "Engine mount";
 * plot.panels.push_back(CurvePanel{"Step response", {"time [s]"}, {"displacement [mm]"},
 *                                  {{"reduced", time, x}, {"small mass", time, y,
 * CurveStyle::dashed_line}}}); write_png(plot, "response.png");
 * @endcode
 *
 * Texts are UTF-8 and stand in the picture as they are ("ω [rad/s]", "q_C").
 */
struct Plot {
  std::string title = {};
  std::vector<std::variant<CurvePanel, MeshPanel>> panels = {};
  int n_columns = 1;  ///< panels fill row by row
  int width = 1000;   ///< pixels; the height follows from the panels
};

/**
 * Draws the picture by gnuplot, which gets at most `seconds` for it. The file appears only when it is
 * complete.
 * @throws InvalidInput if there is no panel, a panel has nothing to show, x and y of a curve differ in
 * length, or a range is empty
 * @throws NotAvailable if gnuplot is not installed
 * @throws Error if gnuplot fails or takes longer
 * @throws FileError if the file cannot be written
 */
void write_png(const Plot& plot, const std::filesystem::path& file, double seconds = 60);

}  // namespace halfdof
