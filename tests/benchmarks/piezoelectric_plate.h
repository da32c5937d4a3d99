#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/Dense>

#include <cmath>
#include <vector>

namespace halfdof::benchmark {

/**
 * A square plate of n_cells x n_cells bilinear elements, clamped and grounded on the left, with all kinds of
 * DoFs: two displacements (inertial) and the electric potential (algebraic) at every node, and in every cell
 * the internal variable of a Maxwell branch on the mean dilatation (viscous). Unit size, plane strain,
 * stiffness-proportional damping. About 4 n_cells^2 DoFs.
 */
class PiezoelectricPlate {
 public:
  explicit PiezoelectricPlate(int n_cells) : n_cells_(n_cells), n_nodes_((n_cells + 1) * (n_cells + 1)) {
    integrate_element();
    for (int y = 0; y < n_cells; ++y)
      for (int x = 0; x < n_cells; ++x)
        add_cell(x, y);
  }

  int n_dofs() const { return 3 * n_nodes_ + n_cells_ * n_cells_; }

  /// With a vertical load on the upper right corner that oscillates.
  AssembledSystem<EigenEngine> assemble() const {
    SystemDescription<EigenEngine> description;
    description.mass = matrix(M_);
    description.damping = matrix(C_);
    description.stiffness = matrix(K_);
    for (int y = 0; y <= n_cells_; ++y)
      for (int component = 0; component < 3; ++component)
        description.constrained.push_back(3 * node(0, y) + component);
    const int n = n_dofs(), tip = 3 * node(n_cells_, n_cells_) + 1;
    description.load = [n, tip](double time) -> Vector { return std::sin(time) * Vector::Unit(n, tip); };
    return AssembledSystem<EigenEngine>(std::move(description));
  }

 private:
  using Entries = std::vector<Eigen::Triplet<double>>;
  using Element = Eigen::Matrix<double, 12, 12>;  ///< u_x, u_y, phi of the nodes, one node after the other

  int node(int x, int y) const { return y * (n_cells_ + 1) + x; }

  EigenMatrix matrix(const Entries& entries) const {
    Eigen::SparseMatrix<double> result(n_dofs(), n_dofs());
    result.setFromTriplets(entries.begin(), entries.end());
    return EigenMatrix(std::move(result));
  }

  void integrate_element() {
    const double h = 1. / n_cells_, gauss = 0.5 - 0.5 / std::sqrt(3.);
    Eigen::Matrix<double, 5, 5> law;  // stress and electric displacement of strain and field
    law << 1.35, 0.58, 0, 0, 0.3, 0.58, 1.35, 0, 0, -0.7, 0, 0, 0.38, -0.6, 0,  //
        0, 0, -0.6, -1, 0, 0.3, -0.7, 0, 0, -1;
    for (const double x : {gauss, 1 - gauss})
      for (const double y : {gauss, 1 - gauss}) {
        Eigen::Matrix<double, 5, 12> gradients = Eigen::Matrix<double, 5, 12>::Zero();
        Eigen::Matrix<double, 2, 12> values = Eigen::Matrix<double, 2, 12>::Zero();
        for (int i = 0; i < 4; ++i) {
          const double along_x = i % 2 ? x : 1 - x, along_y = i / 2 ? y : 1 - y;
          const double dx = (i % 2 ? 1 : -1) * along_y / h, dy = (i / 2 ? 1 : -1) * along_x / h;
          gradients.block<5, 3>(0, 3 * i) << dx, 0, 0, 0, dy, 0, dy, dx, 0, 0, 0, dx, 0, 0, dy;
          values(0, 3 * i) = values(1, 3 * i + 1) = along_x * along_y;
        }
        stiffness_ += h * h / 4 * gradients.transpose() * law * gradients;
        mass_ += h * h / 4 * values.transpose() * values;
        dilatation_ += 0.25 * (gradients.row(0) + gradients.row(1)).transpose();
      }
    const double branch = 0.5 * h * h;
    stiffness_ += branch * dilatation_ * dilatation_.transpose();
  }

  void add_cell(int x, int y) {
    const int nodes[] = {node(x, y), node(x + 1, y), node(x, y + 1), node(x + 1, y + 1)};
    const auto dof = [&](int i) { return 3 * nodes[i / 3] + i % 3; };
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        K_.emplace_back(dof(i), dof(j), stiffness_(i, j));
        if (i % 3 < 2 && j % 3 < 2) {
          M_.emplace_back(dof(i), dof(j), mass_(i, j));
          C_.emplace_back(dof(i), dof(j), 1e-3 * stiffness_(i, j));
        }
      }
    const int inner = 3 * n_nodes_ + y * n_cells_ + x;
    const double branch = 0.5 / (n_cells_ * n_cells_), relaxation_time = 0.1;
    for (int i = 0; i < 12; ++i)
      if (i % 3 < 2) {
        K_.emplace_back(dof(i), inner, -branch * dilatation_[i]);
        K_.emplace_back(inner, dof(i), -branch * dilatation_[i]);
      }
    K_.emplace_back(inner, inner, branch);
    C_.emplace_back(inner, inner, branch * relaxation_time);
  }

  int n_cells_, n_nodes_;
  Element stiffness_ = Element::Zero(), mass_ = Element::Zero();
  Eigen::Matrix<double, 12, 1> dilatation_ = Eigen::Matrix<double, 12, 1>::Zero();
  Entries M_, C_, K_;
};

}  // namespace halfdof::benchmark
