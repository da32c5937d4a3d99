// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/// The places of the entries of a square matrix that are not zero. Row and column k of the picture are those
/// of number order[k].
struct SparsityPanel {
  std::string name;  ///< "M"
  EigenMatrix matrix;
  std::vector<DoFKind> kinds;  ///< kind of each column of the matrix
  std::vector<Index> order;    ///< a permutation, or the numbers that are shown
};

/// The patterns of M, C, K and D, with the DoFs in their own order and sorted by kind.
struct SparsityOfModel {
  std::vector<SparsityPanel> as_given, by_kind;
};

/// Number of rows up to which every entry is drawn. Larger patterns are drawn by cells of several entries.
constexpr Index most_exact_rows = 120;

/**
 * Returns the patterns of the assembled M, C and K (all DoFs, assembled numbering) and, if the reduction is
 * given, of D = [M J_I | C J_C | K J_K] in the coordinates of the reduction (free DoFs).
 * @param kinds kinds of the DoFs in assembled numbering
 */
SparsityOfModel sparsity_of(const AssembledSystem<EigenEngine>& assembled, const std::vector<DoFKind>& kinds,
                            const ReducedSystem<EigenEngine>* reduced);

/**
 * Returns an element `<svg>` with one panel for each pattern, `n_columns` panels side by side, and a legend
 * of the kinds. Entries have the colour of the kind of their column. A pattern with more than most_exact_rows
 * rows is drawn by cells, each in the colour of the kind with the most entries in it, the darker the more of
 * its entries are not zero; a line below the panel says the size of the cells.
 */
std::string sparsity_svg(const std::vector<SparsityPanel>& panels, std::size_t n_columns,
                         const std::string& description);

}  // namespace halfdof::cli
