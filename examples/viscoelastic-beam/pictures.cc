// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace halfdof;

namespace {

Vector scaled(const std::vector<double>& values, double factor = 1) {
  return factor * Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The positions (x, y) and displacements (u, v) of the corners of a cell, one corner after the other.
constexpr std::size_t n_corners = 4;
using Corners = std::array<double, 4 * n_corners>;

/// Gathers the cells of all processes on process 0.
template <class LinearAlgebra>
std::vector<Corners> gather_cells(const Beam<LinearAlgebra>& beam,
                                  const typename LinearAlgebra::Vector& shape) {
  const auto on_cells = beam.linear_algebra.ghosted(shape);
  // The vertices are reordered so that they follow the boundary of the cell.
  constexpr std::array<unsigned int, n_corners> order{0, 1, 3, 2};
  std::vector<Corners> here;
  for (const auto& cell : beam.dof_handler.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    Corners corners;
    for (std::size_t i = 0; i < n_corners; ++i)
      for (unsigned int d = 0; d < 2; ++d) {
        corners[4 * i + d] = cell->vertex(order[i])[d];
        corners[4 * i + 2 + d] = on_cells(cell->vertex_dof_index(order[i], d));
      }
    here.push_back(corners);
  }
  std::vector<Corners> all;
  for (const auto& share : dealii::Utilities::MPI::gather(beam.mesh.get_communicator(), here))
    all.insert(all.end(), share.begin(), share.end());
  return all;
}

MeshPanel mode_panel(const std::string& title, const std::vector<Corners>& cells) {
  double largest = 0;
  for (const Corners& c : cells)
    for (std::size_t i = 0; i < n_corners; ++i)
      largest = std::max(largest, std::hypot(c[4 * i + 2], c[4 * i + 3]));
  const double factor = 0.03 / largest;  // the largest displacement in the picture is 0.03 m

  MeshPanel panel;
  panel.title = title;
  panel.value_label = "|u| / max";
  for (const Corners& c : cells) {
    MeshCell undeformed, deformed;
    for (std::size_t i = 0; i < n_corners; ++i) {
      const double x = c[4 * i], y = c[4 * i + 1], u = c[4 * i + 2], v = c[4 * i + 3];
      undeformed.corners.push_back({x, y, 0});
      deformed.corners.push_back({x + factor * u, y + factor * v, 0});
      deformed.value += std::hypot(u, v) / largest / n_corners;
    }
    panel.outline.push_back(undeformed);
    panel.cells.push_back(deformed);
  }
  panel.range = {{0, 1}};
  return panel;
}

}  // namespace

void draw_ring_down(const Record& record, const std::string& file) {
  const Vector milliseconds = scaled(record.time, 1e3);
  const Axis time{"time [ms]"};
  Plot plot;
  plot.title = "Ring-down of the sandwich beam";
  plot.panels = {CurvePanel{"",
                            time,
                            {"vertical displacement [mm]"},
                            {{"end of the tip mass (inertial)", milliseconds, scaled(record.tip, 1e3)},
                             {"middle of the joint (algebraic)", milliseconds, scaled(record.joint, 1e3)}}},
                 CurvePanel{"",
                            time,
                            {"energy [J/m]"},
                            {{"kinetic", milliseconds, scaled(record.kinetic)},
                             {"elastic", milliseconds, scaled(record.elastic)},
                             {"sum", milliseconds, scaled(record.kinetic) + scaled(record.elastic)}}}};
  write_png(plot, file);
}

template <class LinearAlgebra>
void draw_modes(const Beam<LinearAlgebra>& beam,
                const std::vector<ModeShape<typename LinearAlgebra::Vector>>& modes,
                const std::string& file) {
  Plot plot;
  plot.title = "Modes of the sandwich beam";
  plot.n_columns = 2;
  for (const auto& mode : modes)
    plot.panels.push_back(mode_panel(mode.title, gather_cells(beam, mode.displacement)));
  if (dealii::Utilities::MPI::this_mpi_process(beam.mesh.get_communicator()) == 0) write_png(plot, file);
}

template void draw_modes(const Beam<SerialLinearAlgebra>&,
                         const std::vector<ModeShape<SerialLinearAlgebra::Vector>>&, const std::string&);
template void draw_modes(const Beam<DistributedLinearAlgebra>&,
                         const std::vector<ModeShape<DistributedLinearAlgebra::Vector>>&, const std::string&);
