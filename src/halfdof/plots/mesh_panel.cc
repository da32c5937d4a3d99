// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/plots/panel_script.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <ostream>

namespace halfdof::internal::panel_script {

namespace {

using Range = std::array<double, 2>;
using Color = std::array<double, 3>;

using ColorMap = std::array<Color, 9>;

/// Samples of the perceptually uniform colour map "viridis" (van der Walt and Smith, 2015).
constexpr ColorMap sequential_map = {{{68, 1, 84},
                                      {71, 44, 122},
                                      {59, 81, 139},
                                      {44, 113, 142},
                                      {33, 144, 141},
                                      {39, 173, 129},
                                      {92, 200, 99},
                                      {170, 220, 50},
                                      {253, 231, 37}}};
/// Colours from blue to red through white (after Moreland, Diverging Color Maps for Scientific Visualization,
/// 2009).
constexpr ColorMap diverging_map = {{{59, 76, 192},
                                     {104, 138, 239},
                                     {154, 187, 255},
                                     {201, 216, 240},
                                     {242, 242, 242},
                                     {244, 196, 173},
                                     {244, 152, 122},
                                     {222, 96, 77},
                                     {180, 4, 38}}};

const ColorMap& color_map(const MeshPanel& panel) {
  return panel.colors == ColorScale::diverging ? diverging_map : sequential_map;
}

int rgb(const Color& color, double brightness) {
  const auto byte = [&](double c) {
    return static_cast<int>(std::lround(std::clamp(c * brightness, 0., 255.)));
  };
  return (byte(color[0]) * 256 + byte(color[1])) * 256 + byte(color[2]);
}

Color color_of(const MeshPanel& panel, const Range& range, double value) {
  const ColorMap& map = color_map(panel);
  const double position =
      std::clamp((value - range[0]) / (range[1] - range[0]), 0., 1.) * static_cast<double>(map.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(position), map.size() - 2);
  const double share = position - static_cast<double>(k);
  Color color;
  for (std::size_t c = 0; c < 3; ++c)
    color[c] = (1 - share) * map[k][c] + share * map[k + 1][c];
  return color;
}

/// Returns the unit vectors of the picture as rows: to the right, up, and towards the viewer.
Eigen::Matrix3d picture_axes(const MeshPanel& panel) {
  if (panel.dimension == 2) return Eigen::Matrix3d::Identity();
  const double degree = pi / 180;
  const double azimuth = panel.view[0] * degree, elevation = panel.view[1] * degree;
  Eigen::Matrix3d axes;
  axes.row(2) << std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
      std::sin(elevation);
  axes.row(0) << -std::sin(azimuth), std::cos(azimuth), 0;
  axes.row(1) = axes.row(2).cross(axes.row(0));
  return axes;
}

/// Returns the corners of a cell in the coordinates of the picture, one corner in each column.
Eigen::Matrix3Xd corners_in_picture(const MeshCell& cell, const Eigen::Matrix3d& axes) {
  Eigen::Matrix3Xd corners(3, static_cast<Eigen::Index>(cell.corners.size()));
  for (std::size_t k = 0; k < cell.corners.size(); ++k)
    corners.col(static_cast<Eigen::Index>(k)) =
        axes * Eigen::Map<const Eigen::Vector3d>(cell.corners[k].data());
  return corners;
}

/// Returns the brightness of a face. The brightness depends on the orientation of the face, so that the edges
/// of a body become visible.
double brightness(const MeshPanel& panel, const Eigen::Matrix3Xd& corners) {
  if (panel.dimension == 2 || corners.cols() < 3) return 1;
  const Eigen::Vector3d normal =
      (corners.col(2) - corners.col(0)).cross(corners.col(1) - corners.col(corners.cols() - 1));
  const Eigen::Vector3d light = Eigen::Vector3d(-0.3, 0.6, 1).normalized();
  const double length = normal.norm();
  return length == 0 ? 1 : 0.72 + 0.28 * std::abs(normal.dot(light)) / length;
}

Range value_range(const MeshPanel& panel) {
  if (panel.range) return *panel.range;
  Range range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const MeshCell& cell : panel.cells)
    range = {std::min(range[0], cell.value), std::max(range[1], cell.value)};
  if (panel.colors == ColorScale::diverging) {
    const double size = std::max(std::abs(range[0]), std::abs(range[1]));
    range = {-size, size};
  }
  if (range[0] == range[1]) {
    const double extra = range[0] == 0 ? 1 : 0.05 * std::abs(range[0]);
    range = {range[0] - extra, range[1] + extra};
  }
  return range;
}

/// Returns the left, right, lower and upper bound of all cells, with a small margin.
std::array<double, 4> bounds(const MeshPanel& panel) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 4> box = {infinity, -infinity, infinity, -infinity};
  const Eigen::Matrix3d axes = picture_axes(panel);
  for (const auto* cells : {&panel.cells, &panel.outline})
    for (const MeshCell& cell : *cells) {
      const Eigen::Matrix3Xd corners = corners_in_picture(cell, axes);
      box = {std::min(box[0], corners.row(0).minCoeff()), std::max(box[1], corners.row(0).maxCoeff()),
             std::min(box[2], corners.row(1).minCoeff()), std::max(box[3], corners.row(1).maxCoeff())};
    }
  const double margin = 0.02 * std::max(box[1] - box[0], box[3] - box[2]);
  return {box[0] - margin, box[1] + margin, box[2] - margin, box[3] + margin};
}

/// A cell in the coordinates of the picture, with its colour.
struct PictureCell {
  Eigen::Matrix3Xd corners;
  int color = 0;
  bool is_bar() const { return corners.cols() == 2; }
};

/// Returns the cells in the order in which they are drawn. In three dimensions, the farthest cell is the
/// first.
std::vector<PictureCell> cells_in_drawing_order(const MeshPanel& panel) {
  const Eigen::Matrix3d axes = picture_axes(panel);
  const Range range = value_range(panel);
  std::vector<PictureCell> cells;
  for (const MeshCell& cell : panel.cells) {
    const Eigen::Matrix3Xd corners = corners_in_picture(cell, axes);
    cells.push_back({corners, rgb(color_of(panel, range, cell.value), brightness(panel, corners))});
  }
  if (panel.dimension == 3)
    std::stable_sort(cells.begin(), cells.end(), [](const PictureCell& a, const PictureCell& b) {
      return a.corners.row(2).mean() < b.corners.row(2).mean();
    });
  return cells;
}

/// Writes one line for each corner, and a blank line. The first corner of a polygon is repeated at its end.
void write_corners(std::ostream& script, const Eigen::Matrix3Xd& corners, int color) {
  const Eigen::Index n = corners.cols();
  for (Eigen::Index k = 0; k < (n == 2 ? n : n + 1); ++k)
    script << corners(0, k % n) << ' ' << corners(1, k % n) << ' ' << color << '\n';
  script << '\n';
}

/// Writes the cells as objects of gnuplot. The edges of an object are drawn before the next object, so that
/// nearer cells hide them. More than 10^4 objects take seconds.
void write_objects(std::ostream& script, const std::vector<PictureCell>& cells) {
  for (const PictureCell& cell : cells) {
    script << "set object polygon";
    for (Eigen::Index k = 0; k <= cell.corners.cols(); ++k) {
      const Eigen::Index j = k % cell.corners.cols();
      script << (k == 0 ? " from " : " to ") << cell.corners(0, j) << ',' << cell.corners(1, j);
    }
    script << " front fillcolor rgb " << cell.color << " fillstyle solid border linecolor rgb ";
    if (cell.is_bar())
      script << cell.color << " linewidth 5\n";
    else
      script << "'#303030' linewidth 0.4\n";
  }
}

/// Returns the corners, moved away from the centre of the cell by `distance`.
Eigen::Matrix3Xd enlarged(const Eigen::Matrix3Xd& corners, double distance) {
  const Eigen::Vector3d center = corners.rowwise().mean();
  Eigen::Matrix3Xd result = corners;
  for (Eigen::Index k = 0; k < corners.cols(); ++k)
    result.col(k) += distance * (corners.col(k) - center).normalized();
  return result;
}

/// Writes the cells as data, which gnuplot draws much faster than objects. Polygons are enlarged by
/// `overlap`; otherwise the background would be visible between them.
void write_data(std::ostream& script, const std::string& name, const std::vector<PictureCell>& cells,
                bool bars, double overlap) {
  script << name << " << END\n";
  for (const PictureCell& cell : cells)
    if (cell.is_bar() == bars)
      write_corners(script, bars ? cell.corners : enlarged(cell.corners, overlap), cell.color);
  script << "END\n";
}

bool shows_edges(const MeshPanel& panel) {
  return panel.edges == MeshEdges::shown ||
         (panel.edges == MeshEdges::automatic && panel.cells.size() <= 2000);
}

void write_color_bar(std::ostream& script, const MeshPanel& panel, const Frame& frame, const Canvas& canvas) {
  const double bar_height = std::min(frame.height, 320.);
  const Range range = value_range(panel);
  script << "set colorbox vertical user origin screen " << (frame.left + frame.width + 18) / canvas.width
         << ", screen " << (frame.bottom + 0.5 * (frame.height - bar_height)) / canvas.height
         << " size screen " << 16 / canvas.width << ", screen " << bar_height / canvas.height
         << " noborder\nset cbrange [" << range[0] << ':' << range[1]
         << "]\nset cbtics nomirror out scale 0.4 textcolor rgb '" << ink << "' "
         << round_step((range[1] - range[0]) / (bar_height / 36)) << "\nset cblabel "
         << quoted(panel.value_label) << " offset 0.7 noenhanced textcolor rgb '" << ink
         << "'\nset palette maxcolors 0 defined (";
  const ColorMap& map = color_map(panel);
  for (std::size_t k = 0; k < map.size(); ++k) {
    char color[16];
    std::snprintf(color, sizeof color, "'#%06x'", static_cast<unsigned>(rgb(map[k], 1)));
    script << (k == 0 ? "" : ", ") << k << ' ' << color;
  }
  script << ")\n";
}

}  // namespace

void check(const MeshPanel& panel) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidInput("The mesh panel '" + panel.title + "' of a plot " + what);
  };
  if (panel.cells.empty()) refuse("has no cell. Give at least one cell.");
  if (panel.dimension != 2 && panel.dimension != 3)
    refuse("has dimension " + std::to_string(panel.dimension) + ". The dimension must be 2 or 3.");
  for (const auto* cells : {&panel.cells, &panel.outline})
    for (const MeshCell& cell : *cells) {
      const auto is_finite = [](const std::array<double, 3>& p) {
        return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
      };
      if (cell.corners.size() < 2) refuse("has a cell with fewer than two corners.");
      if (!std::isfinite(cell.value) || !std::all_of(cell.corners.begin(), cell.corners.end(), is_finite))
        refuse("has a cell whose value or corner is NaN or infinite.");
    }
  const auto box = bounds(panel);
  if (!(box[1] > box[0]) || !(box[3] > box[2])) refuse("has no extent: all corners lie in one point.");
  if (panel.range && !((*panel.range)[0] < (*panel.range)[1]))
    refuse("has a range of values whose upper limit does not exceed the lower limit.");
}

Margins margins(const MeshPanel& panel, double) {
  Margins result;
  result.left = 28;
  result.right = panel.value_label.empty() ? 96 : 124;
  result.bottom = 18;
  result.top = 14 + line_height * (panel.title.empty() ? 0 : 1);
  return result;
}

double height(const MeshPanel& panel, double width, bool) {
  const auto box = bounds(panel);
  return std::clamp(width * (box[3] - box[2]) / (box[1] - box[0]), 110., 0.8 * width);
}

void draw(std::ostream& script, const MeshPanel& panel, const Frame& frame, const Canvas& canvas,
          int number) {
  write_axes_position(script, panel.title, 4, frame, canvas);
  const auto box = bounds(panel);
  // Both axes have the same scale, so that the range of one axis may be larger than the bounds of the cells.
  const double unit = std::max((box[1] - box[0]) / frame.width, (box[3] - box[2]) / frame.height);
  const double x = 0.5 * (box[0] + box[1]), y = 0.5 * (box[2] + box[3]);
  script << "unset border\nunset xtics\nunset ytics\nunset key\nset xrange [" << x - 0.5 * unit * frame.width
         << ':' << x + 0.5 * unit * frame.width << "] noextend\nset yrange [" << y - 0.5 * unit * frame.height
         << ':' << y + 0.5 * unit * frame.height << "] noextend\n";
  write_color_bar(script, panel, frame, canvas);
  const std::string name = "$panel" + std::to_string(number);
  script << name << "outline << END\n";
  for (const MeshCell& cell : panel.outline)
    write_corners(script, corners_in_picture(cell, picture_axes(panel)), 0);
  script << "END\n";
  const std::vector<PictureCell> cells = cells_in_drawing_order(panel);
  const bool as_objects = shows_edges(panel);
  if (as_objects) {
    write_objects(script, cells);
  } else {
    write_data(script, name + "polygons", cells, false, 0.6 * unit);
    write_data(script, name + "bars", cells, true, 0);
  }
  const auto n_bars =
      std::count_if(cells.begin(), cells.end(), [](const PictureCell& cell) { return cell.is_bar(); });
  script << "plot NaN with points palette";  // this plot draws only the colour bar
  if (!panel.outline.empty())
    script << ", " << name << "outline with lines linewidth 1 linecolor rgb '#b0b0b0'";
  if (!as_objects && n_bars < static_cast<std::ptrdiff_t>(cells.size()))
    script << ", " << name
           << "polygons with filledcurves closed fillcolor rgb variable fillstyle solid noborder";
  if (!as_objects && n_bars > 0)
    script << ", " << name << "bars with lines linewidth 5 linecolor rgb variable";
  script << '\n';
}

}  // namespace halfdof::internal::panel_script
