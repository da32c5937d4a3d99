// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace halfdof {

/// A cell of a mesh with one value. The cell is a polygon (at least 3 corners, in order) or a bar (2
/// corners).
struct MeshCell {
  std::vector<std::array<double, 3>> corners = {};
  double value = 0;
};

/// The colours of the values of cells.
enum class ColorScale {
  sequential,  ///< dark to bright, from the smallest to the largest value
  diverging,   ///< blue for negative values, red for positive values, white in the middle
};

/// Visibility of the lines between cells.
enum class MeshEdges {
  automatic,  ///< shown for at most 2000 cells
  shown,
  hidden,
};

/**
 * Cells coloured by their values, drawn to scale: a mode shape, a field. In two dimensions x points to the
 * right and y up. Three-dimensional meshes are drawn in parallel projection with z up. Nearer faces hide
 * farther faces; because faces are sorted by their centres, the result is exact only for meshes of similar
 * cells.
 */
struct MeshPanel {
  std::string title = {};
  std::string value_label = {};  ///< text at the colour bar, with its unit
  std::vector<MeshCell> cells = {};
  std::vector<MeshCell> outline = {};  ///< undeformed mesh, drawn behind the cells as thin grey lines
  int dimension = 2;
  /// Direction of view for three-dimensional meshes: azimuth of the viewer, measured from x to y, and
  /// elevation [degree]
  std::array<double, 2> view = {-60, 25};
  ColorScale colors = ColorScale::sequential;
  std::optional<std::array<double, 2>> range =
      {};  ///< range of the colour bar; absent: the range of the values
  MeshEdges edges = MeshEdges::automatic;
};

/// The scale of an axis.
enum class AxisScale {
  linear,
  logarithmic,
  /// The axis is linear between -Axis::linear_up_to and Axis::linear_up_to, and logarithmic for larger moduli
  /// of both signs: the value x is shown at asinh(x / linear_up_to).
  symmetric_logarithmic,
};

/// An axis of a panel with curves.
struct Axis {
  std::string label = {};  ///< text with its unit, for example "frequency [Hz]"
  AxisScale scale = AxisScale::linear;
  std::optional<std::array<double, 2>> range = {};  ///< absent: the range of the data
  double linear_up_to = 1;  ///< limit of the linear part of a symmetric logarithmic axis; > 0
};

enum class CurveStyle { line, dashed_line, points, line_with_points, impulses };

/// A curve through points (x_i, y_i), with a name. The curve has a gap at a point with a coordinate that is
/// NaN, infinite or of a modulus above 1e300, or that is not positive on a logarithmic axis.
struct Curve {
  std::string name = {};  ///< name in the legend; curves without a name are not listed
  Vector x = {};
  Vector y = {};
  CurveStyle style = CurveStyle::line;
};

/// Curves with common axes, and a legend above them.
struct CurvePanel {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Curve> curves = {};
  int height = 0;  ///< height of the axes [pixels]; 0: automatic
};

/**
 * A picture of one or several panels:
 *
 * @code
 * Plot plot;
 * plot.title = "Engine mount";
 * plot.panels.push_back(
 *     CurvePanel{"Step response", {"time [s]"}, {"displacement [mm]"},
 *                {{"reduced", time, x}, {"small mass", time, y, CurveStyle::dashed_line}}});
 * write_png(plot, "response.png");
 * @endcode
 *
 * Texts are UTF-8 and appear in the picture literally ("ω [rad/s]", "q_C").
 */
struct Plot {
  std::string title = {};
  std::vector<std::variant<CurvePanel, MeshPanel>> panels = {};
  int n_columns = 1;  ///< number of panels side by side; panels are placed row by row
  int width = 1000;   ///< width of the picture [pixels]; the height follows from the panels
};

/**
 * Draws the picture by gnuplot, which is stopped if it takes longer than `seconds`. The file appears under
 * its name only when it is complete.
 * @throws InvalidInput if there is no panel, a panel has nothing to show, x and y of a curve differ in
 *     length, or a range is empty
 * @throws NotAvailable if gnuplot is not installed
 * @throws Error if gnuplot fails or takes longer than `seconds`
 * @throws FileError if the file cannot be written
 */
void write_png(const Plot& plot, const std::filesystem::path& file, double seconds = 60);

/// Draws the picture like write_png(), but as scalable vector graphics (SVG). @throws The same errors as
/// write_png()
void write_svg(const Plot& plot, const std::filesystem::path& file, double seconds = 60);

/**
 * Returns the picture of write_svg() as an element `<svg>` for an HTML page. The element is as wide as its
 * container, but at most as wide as Plot::width.
 * @param name Prefix of all identifiers of the element, which consists of letters and digits; each picture of
 *     a page needs a prefix of its own
 * @param description Text that screen readers read in place of the picture
 * @throws InvalidInput, NotAvailable and Error as write_png()
 */
std::string svg_element(const Plot& plot, const std::string& name, const std::string& description,
                        double seconds = 60);

}  // namespace halfdof
