// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "piezoelectric_body.h"
#include <array>

namespace halfdof::benchmark {

/**
 * A clamped cube of trilinear elements, elastic alone, with damping proportional to its stiffness, and two
 * pads that slide along its free face, each a mass on springs to the nodes around it. All DoFs are free and
 * inertial: three a node, then the pads. About 3 n_cells^3.
 */
class ElasticBlock {
 public:
  explicit ElasticBlock(int n_cells) : n_cells_(n_cells) {
    const int n_edge = n_cells + 1, n_nodes = n_edge * n_edge * n_edge;
    for (int node = 0; node < n_nodes; ++node) {
      first_of_.push_back(node % n_edge == 0 ? -1 : n_dofs_);  // clamped
      if (first_of_.back() >= 0) n_dofs_ += 3;
    }
  }

  Index n_dofs() const { return n_dofs_ + 2; }
  /// The DoFs of the pads.
  std::array<Index, 2> pads() const { return {n_dofs_, n_dofs_ + 1}; }

  AssembledSystem<EigenEngine> assemble() const {
    const PiezoelectricBody<3> body(n_cells_);
    Triplets of_M = displacements(body.mass()), of_K = displacements(body.stiffness());
    for (int pad = 0; pad < 2; ++pad) {
      of_M.emplace_back(n_dofs_ + pad, n_dofs_ + pad, 0.01);
      add_springs(pad, of_K);
    }
    Eigen::SparseMatrix<double> M(n_dofs(), n_dofs()), K(n_dofs(), n_dofs());
    M.setFromTriplets(of_M.begin(), of_M.end());
    K.setFromTriplets(of_K.begin(), of_K.end());
    return assembled_system<EigenEngine>(EigenMatrix(M), EigenMatrix(Eigen::SparseMatrix<double>(1e-3 * K)),
                                         EigenMatrix(K));
  }

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;

  /// Of a DoF of the body; -1 of one that is clamped, a potential or a variable of a cell.
  Index from_body(Index dof) const {
    const auto node = static_cast<std::size_t>(dof / 4);
    return node < first_of_.size() && dof % 4 < 3 && first_of_[node] >= 0 ? first_of_[node] + dof % 4 : -1;
  }

  Triplets displacements(const PiezoelectricBody<3>::Storage& A) const {
    Triplets entries;
    for (Index column = 0; column < A.cols(); ++column)
      for (PiezoelectricBody<3>::Storage::InnerIterator entry(A, column); entry; ++entry)
        if (const Index i = from_body(static_cast<Index>(entry.row())), j = from_body(column);
            i >= 0 && j >= 0)
          entries.emplace_back(i, j, entry.value());
    return entries;
  }

  /// Between a pad and what moves along the second coordinate on the face opposite the clamped one.
  void add_springs(int pad, Triplets& of_K) const {
    const int n_edge = n_cells_ + 1;
    std::vector<Index> around;
    for (int node = n_cells_; node < n_edge * n_edge * n_edge; node += n_edge) {
      const double y = 1. * (node / n_edge % n_edge) / n_cells_,
                   z = 1. * (node / (n_edge * n_edge)) / n_cells_;
      if (std::hypot(y - (pad == 0 ? 0.3 : 0.7), z - 0.5) < 0.15)
        around.push_back(first_of_[static_cast<std::size_t>(node)] + 1);
    }
    const double spring = 0.05 / static_cast<double>(around.size());
    for (const Index node : around)
      for (const Index i : {n_dofs_ + pad, node})
        for (const Index j : {n_dofs_ + pad, node})
          of_K.emplace_back(i, j, i == j ? spring : -spring);
  }

  int n_cells_;
  Index n_dofs_ = 0;             ///< of the body
  std::vector<Index> first_of_;  ///< of a node; -1 if clamped
};

}  // namespace halfdof::benchmark
