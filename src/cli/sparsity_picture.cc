// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sparsity_picture.h"

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include "markup.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr std::array<DoFKind, 4> all_kinds = {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic,
                                              DoFKind::constrained};
/// Colours that differ also for colour-blind readers (Okabe and Ito, Color Universal Design, 2008), each for
/// cells that are nearly empty up to those that are full.
constexpr const char* colors[4][4] = {{"#a9d3ec", "#66b0dc", "#2b8ac6", "#005f96"},
                                      {"#f7c6a3", "#ee9658", "#dc6d1c", "#b04a00"},
                                      {"#a3dccb", "#56bd9d", "#14996f", "#006f50"},
                                      {"#cfcfcf", "#a8a8a8", "#828282", "#5c5c5c"}};
constexpr int full = 3;  ///< the darkest of the four colours

constexpr double side = 240, left = 34, top = 26, below = 58, gap = 14;  ///< lengths of a panel [pixels]

/// Numbers of entries of each kind in the cells of a picture.
struct Cells {
  Index n = 0;                                ///< number of rows of cells
  std::vector<std::array<Index, 4>> entries;  ///< by rows

  const std::array<Index, 4>& at(Index row, Index column) const {
    return entries[static_cast<std::size_t>(row) * static_cast<std::size_t>(n) +
                   static_cast<std::size_t>(column)];
  }
};

/// Returns the cell of a row or column.
Index cell_of(Index place, Index n, Index n_cells) {
  return static_cast<Index>(static_cast<std::int64_t>(place) * n_cells / n);
}

Cells cells_of(const SparsityPanel& panel) {
  const auto n = static_cast<Index>(panel.order.size());
  Cells cells;
  cells.n = std::min(n, most_exact_rows);
  cells.entries.resize(static_cast<std::size_t>(cells.n) * static_cast<std::size_t>(cells.n));
  std::vector<Index> place(static_cast<std::size_t>(panel.matrix.rows().n_local()), -1);
  for (Index k = 0; k < n; ++k)
    place[static_cast<std::size_t>(panel.order[static_cast<std::size_t>(k)])] = k;
  const EigenMatrix::Entries& A = panel.matrix.entries();
  for (Index j = 0; j < static_cast<Index>(A.outerSize()); ++j) {
    const Index column = place[static_cast<std::size_t>(j)];
    if (column < 0) continue;
    const auto kind = static_cast<std::size_t>(panel.kinds[static_cast<std::size_t>(j)]);
    for (EigenMatrix::Entries::InnerIterator entry(A, j); entry; ++entry) {
      const Index row = place[static_cast<std::size_t>(entry.row())];
      if (row < 0 || entry.value() == 0) continue;
      const auto cell =
          static_cast<std::size_t>(cell_of(row, n, cells.n)) * static_cast<std::size_t>(cells.n) +
          static_cast<std::size_t>(cell_of(column, n, cells.n));
      ++cells.entries[cell][kind];
    }
  }
  return cells;
}

Index n_entries(const std::array<Index, 4>& cell) {
  return std::accumulate(cell.begin(), cell.end(), Index(0));
}

/// Index of the colour of a cell, kind * 4 + level; -1 for an empty one.
int color_of(const std::array<Index, 4>& cell, Index densest, bool is_exact) {
  const Index n = n_entries(cell);
  if (n == 0) return -1;
  const auto kind = std::max_element(cell.begin(), cell.end()) - cell.begin();
  const double share = std::sqrt(static_cast<double>(n) / densest);
  const int level = is_exact ? full : std::min(full, static_cast<int>(4 * share));
  return static_cast<int>(kind) * 4 + level;
}

/// Writes one path for each colour, with neighbours of a row in one rectangle. One unit is one cell.
void write_cells(std::ostream& out, const Cells& cells, Index densest, bool is_exact) {
  std::array<std::ostringstream, 16> paths;
  for (Index i = 0; i < cells.n; ++i)
    for (Index j = 0; j < cells.n;) {
      const int color = color_of(cells.at(i, j), densest, is_exact);
      Index end = j + 1;
      while (end < cells.n && color_of(cells.at(i, end), densest, is_exact) == color)
        ++end;
      if (color >= 0)
        paths[static_cast<std::size_t>(color)] << 'M' << j << ' ' << i << 'h' << end - j << "v1h-" << end - j
                                               << 'z';
      j = end;
    }
  for (std::size_t color = 0; color < paths.size(); ++color)
    if (const std::string path = paths[color].str(); !path.empty())
      out << "<path fill=\"" << colors[color / 4][color % 4] << "\" d=\"" << path << "\"/>";
}

/// Writes lines between the kinds of a sorted pattern.
void write_borders(std::ostream& out, const SparsityPanel& panel) {
  const std::size_t n = panel.order.size();
  const auto kind = [&](std::size_t k) { return panel.kinds[static_cast<std::size_t>(panel.order[k])]; };
  if (!std::is_sorted(panel.order.begin(), panel.order.end(), [&](Index a, Index b) {
        return panel.kinds[static_cast<std::size_t>(a)] < panel.kinds[static_cast<std::size_t>(b)];
      }))
    return;
  for (std::size_t k = 1; k < n; ++k) {
    if (kind(k) == kind(k - 1)) continue;
    const double at = side * static_cast<double>(k) / static_cast<double>(n);
    out << "<path stroke=\"#777\" stroke-width=\"0.7\" fill=\"none\" d=\"M" << at << " 0v" << side << "M0 "
        << at << 'h' << side << "\"/>";
  }
}

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << escaped(text)
      << "</text>";
}

void write_panel(std::ostream& out, const SparsityPanel& panel, double x, double y) {
  const Cells cells = cells_of(panel);
  const auto n = static_cast<Index>(panel.order.size());
  Index densest = 0, total = 0;
  for (const auto& cell : cells.entries) {
    densest = std::max(densest, n_entries(cell));
    total += n_entries(cell);
  }
  out << "<g transform=\"translate(" << x + left << ' ' << y + top << ")\">";
  write_text(out, 0, -9, "start",
             panel.name + ": " + std::to_string(n) + " × " + std::to_string(n) + ", " +
                 std::to_string(total) + (total == 1 ? " entry" : " entries"));
  const std::string last = std::to_string(std::max(0, n - 1));
  write_text(out, -5, 10, "end", "0");
  if (n > 1) write_text(out, -5, side, "end", last);
  write_text(out, 0, side + 15, "start", "0");
  if (n > 1) write_text(out, side, side + 15, "end", last);
  write_text(out, side / 2, side + 15, "middle", "column");
  out << "<text transform=\"translate(-8 " << side / 2 << ") rotate(-90)\" text-anchor=\"middle\">row</text>";
  if (n > cells.n) {
    const double rows = static_cast<double>(n) / cells.n;
    std::ostringstream size;
    size.precision(3);
    size << "cell: " << rows << " × " << rows << ", at most " << densest << " nonzeros";
    write_text(out, 0, side + 31, "start", size.str());
  }
  if (n > 0) {
    out << "<g transform=\"scale(" << side / cells.n << ")\" shape-rendering=\"crispEdges\">";
    write_cells(out, cells, densest, n == cells.n);
    out << "</g>";
  }
  write_borders(out, panel);
  out << "<rect width=\"" << side << "\" height=\"" << side
      << "\" fill=\"none\" stroke=\"#333\" stroke-width=\"1\"/></g>";
}

/// Writes the kinds that occur, with their colours. @return the height of the legend
double write_legend(std::ostream& out, const std::vector<SparsityPanel>& panels, double width, double y) {
  constexpr double line = 20, column = 132;
  double x = left;
  for (std::size_t k = 0; k < all_kinds.size(); ++k) {
    const bool occurs = std::any_of(panels.begin(), panels.end(), [&](const SparsityPanel& panel) {
      return std::any_of(panel.order.begin(), panel.order.end(),
                         [&](Index j) { return panel.kinds[static_cast<std::size_t>(j)] == all_kinds[k]; });
    });
    if (!occurs) continue;
    if (x + column > width + 20) {
      x = left;
      y += line;
    }
    out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"12\" height=\"12\" fill=\"" << colors[k][full]
        << "\"/>";
    write_text(out, x + 17, y + 11, "start", name_of(all_kinds[k]));
    x += column;
  }
  return y + line;
}

std::vector<Index> in_order(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

SparsityPanel sorted(SparsityPanel panel) {
  std::stable_sort(panel.order.begin(), panel.order.end(), [&](Index a, Index b) {
    return panel.kinds[static_cast<std::size_t>(a)] < panel.kinds[static_cast<std::size_t>(b)];
  });
  return panel;
}

/// Returns D on the coordinates of the reduction, in their order.
SparsityPanel mixed_columns(const ReducedSystem<EigenEngine>& reduced) {
  const FreeSystem<EigenEngine>& free = reduced.free();
  const Classification& classification = reduced.classification();
  const Index n = free.dofs().n_local();
  std::vector<DoFKind> kinds;
  for (const Index place : free.places().local())
    kinds.push_back(classification.kind(place));
  const EigenMatrix D = EigenEngine::select_columns(free.mass()(), free.damping()(), free.stiffness()(),
                                                    column_sources(classification, n));
  return {"D", D, kinds, in_order(n)};
}

}  // namespace

SparsityOfModel sparsity_of(const AssembledSystem<EigenEngine>& assembled, const std::vector<DoFKind>& kinds,
                            const ReducedSystem<EigenEngine>* reduced) {
  SparsityOfModel model;
  const std::vector<Index> order = in_order(static_cast<Index>(assembled.n_dofs()));
  model.as_given = {{"M", assembled.M(), kinds, order},
                    {"C", assembled.C(), kinds, order},
                    {"K", assembled.K(), kinds, order}};
  if (reduced != nullptr) model.as_given.push_back(mixed_columns(*reduced));
  for (const SparsityPanel& panel : model.as_given)
    model.by_kind.push_back(sorted(panel));
  return model;
}

std::string sparsity_svg(const std::vector<SparsityPanel>& panels, std::size_t n_columns,
                         const std::string& description) {
  const double width = left + static_cast<double>(n_columns) * (side + left) - left + gap;
  std::ostringstream drawing;
  const double row_height = top + side + below - 18;
  for (std::size_t k = 0; k < panels.size(); ++k)
    write_panel(drawing, panels[k], static_cast<double>(k % n_columns) * (side + left),
                static_cast<double>(k / n_columns) * row_height);
  const double rows = std::ceil(static_cast<double>(panels.size()) / static_cast<double>(n_columns));
  const double height = write_legend(drawing, panels, width, rows * row_height + 6) + 4;
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"" << escaped(description)
      << "\" viewBox=\"0 0 " << width << ' ' << height << "\" style=\"width:100%;max-width:" << width * 1.15
      << "px\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><g font-family=\"sans-serif\" "
         "font-size=\"12\" fill=\"#222\">"
      << drawing.str() << "</g></svg>\n";
  return svg.str();
}

}  // namespace halfdof::cli
