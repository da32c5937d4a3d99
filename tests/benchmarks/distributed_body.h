// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/engine.h>

#include "piezoelectric_body.h"
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace halfdof::benchmark {

/**
 * The PiezoelectricBody in 3D, distributed by rows in slabs along its last coordinate: each process assembles
 * the rows that it owns, and no other. Without the clamped and grounded DoFs, which are left out from the
 * start.
 */
class DistributedBody : private PiezoelectricBody<3> {
 public:
  DistributedBody(int n_cells, std::shared_ptr<const Communicator> communicator)
      : PiezoelectricBody<3>(n_cells) {
    const int size = communicator->size(), rank = communicator->rank();
    for (int of = 0; of <= size; ++of) {
      first_nodes_.push_back((n_cells + 1) * of / size * (n_cells + 1) * (n_cells + 1));
      first_cells_.push_back(n_cells * of / size * n_cells * n_cells);
    }
    nodes_ = {first_nodes_[static_cast<std::size_t>(rank)], first_nodes_[static_cast<std::size_t>(rank) + 1]};
    cells_ = {first_cells_[static_cast<std::size_t>(rank)], first_cells_[static_cast<std::size_t>(rank) + 1]};
    std::vector<GlobalIndex> owned;
    for (int node = nodes_.first; node < nodes_.second; ++node)
      if (!is_clamped(node))
        for (int component = 0; component < n_per_node; ++component)
          owned.push_back(number(n_per_node * node + component));
    for (int cell = cells_.first; cell < cells_.second; ++cell)
      owned.push_back(number(n_per_node * n_nodes_ + cell));
    dofs_ = Partition(std::move(owned), std::move(communicator));
  }

  const Partition& dofs() const { return dofs_; }
  TrilinosMatrix mass() const { return rows_of(mass_, Vector::Zero(n_corners * n_per_node), 0); }
  TrilinosMatrix damping() const {
    return rows_of(damping_, Vector::Zero(n_corners * n_per_node), branch() * relaxation_time_);
  }
  TrilinosMatrix stiffness() const { return rows_of(stiffness_, -branch() * dilatation_, branch()); }

  /// Three translations and three rotations: zero at potentials and variables of cells.
  MultiVector rigid_motions() const {
    MultiVector motions = MultiVector::Zero(dofs_.n_local(), 6);
    Index i = 0;
    for (int node = nodes_.first; node < nodes_.second; ++node) {
      if (is_clamped(node)) continue;
      const double h = 1. / n_cells_;
      const double x = h * (node % (n_cells_ + 1)) - 0.5,
                   y = h * (node / (n_cells_ + 1) % (n_cells_ + 1)) - 0.5,
                   z = h * (node / (n_cells_ + 1) / (n_cells_ + 1)) - 0.5;
      motions.block(i, 0, 3, 3).setIdentity();
      motions.block(i, 3, 3, 3) << 0, z, -y, -z, 0, x, y, -x, 0;
      i += n_per_node;
    }
    return motions;
  }

  /// On the last displacement of the node farthest from the clamp.
  Vector tip_load() const {
    Vector load = Vector::Zero(dofs_.n_local());
    const Index tip = dofs_.local_index(number(n_per_node * (n_nodes_ - 1) + 2));
    if (tip >= 0) load[tip] = 1;
    return load;
  }

 private:
  bool is_clamped(int node) const { return node % (n_cells_ + 1) == 0; }
  int free_node(int node) const { return node - (node + n_cells_) / (n_cells_ + 1); }

  /// Of a DoF that is not clamped, numbered as the body does: by processes, on each nodes before cells.
  int number(int dof) const {
    const bool at_node = dof < n_per_node * n_nodes_;
    const int place = at_node ? dof / n_per_node : dof - n_per_node * n_nodes_;
    const std::vector<int>& first = at_node ? first_nodes_ : first_cells_;
    std::size_t owner = 0;
    while (place >= first[owner + 1])
      ++owner;
    return at_node ? n_per_node * free_node(place) + dof % n_per_node + first_cells_[owner]
                   : n_per_node * free_node(first_nodes_[owner + 1]) + place;
  }

  /// Row of a symmetric matrix: the column that the body assembles.
  void append(Index row, const std::vector<int>& columns, const std::vector<double>& values,
              OwnedRows& rows) const {
    std::vector<std::pair<int, double>> entries;
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k] >= n_per_node * n_nodes_ || !is_clamped(columns[k] / n_per_node))
        entries.emplace_back(number(columns[k]), values[k]);
    std::sort(entries.begin(), entries.end());
    rows.startVec(row);
    for (const auto& [column, value] : entries)
      rows.insertBack(row, column) = value;
  }

  TrilinosMatrix rows_of(const Element& element, const Vector& inner, double own) const {
    OwnedRows rows(dofs_.n_local(), dofs_.n_global());
    rows.reserve(Eigen::Index{n_near} * n_per_node * dofs_.n_local());  // what is not filled takes no memory
    std::vector<int> columns;
    std::vector<double> values;
    Index row = 0;
    for (int node = nodes_.first; node < nodes_.second; ++node)
      for (int component = 0; component < n_per_node && !is_clamped(node); ++component) {
        columns.clear(), values.clear();
        add_column(element, inner, node, component, columns, values);
        append(row++, columns, values, rows);
      }
    for (int cell = cells_.first; cell < cells_.second; ++cell) {
      columns.clear(), values.clear();
      for (int corner = 0; corner < n_corners; ++corner)
        for (int component = 0; component < n_per_node; ++component)
          if (const double value = inner[corner * n_per_node + component]; value != 0) {
            columns.push_back(n_per_node * corner_of(cell, corner) + component);
            values.push_back(value);
          }
      if (own != 0) {
        columns.push_back(n_per_node * n_nodes_ + cell);
        values.push_back(own);
      }
      append(row++, columns, values, rows);
    }
    rows.finalize();
    return TrilinosMatrix(rows, dofs_, dofs_);
  }

  std::vector<int> first_nodes_, first_cells_;  ///< of each process, and behind the last
  std::pair<int, int> nodes_, cells_;           ///< owned: first and behind the last
  Partition dofs_;
};

}  // namespace halfdof::benchmark
