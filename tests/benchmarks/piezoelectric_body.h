// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace halfdof::benchmark {

/**
 * Instead of the electric potential a pore pressure p at every node (viscous): balance of forces and of
 * fluid,
 * @f[ \rho u'' - \mathrm{div}\,\sigma(u) + \nabla p = f, \qquad
 *     s\,p' + \mathrm{div}\,u' - \mathrm{div}\,\kappa\,(\nabla p + \rho_f u'') = 0 @f]
 * (Biot 1956; Zienkiewicz and others 1980). C is unsymmetric, and C_CC is not diagonal.
 */
struct PoreFluid {
  double storage = 0;       ///< s; where positive, there is such a fluid
  double permeability = 1;  ///< kappa, in the law of Darcy
  double upwind = 0;   ///< share of a cell by which the storage is tested upstream: C_CC is unsymmetric too
  double density = 0;  ///< rho_f: entries of M in the rows of the pressures
};

/// What makes the matrices of a PiezoelectricBody unsymmetric.
struct Unsymmetric {
  double gyroscopic = 0;  ///< spin: a skew part of C between the first two displacements, relative to M
  double follower = 0;    ///< a skew part of K between them
  PoreFluid fluid = {};
};

/**
 * A square or cube of n_cells^dim bilinear or trilinear elements, clamped and grounded at the first
 * coordinate zero, with all kinds of DoFs: displacements (inertial) and the electric potential (algebraic, K
 * quasi-definite) at every node, or a pore pressure, and in every cell the internal variable of a Zener
 * branch on the mean dilatation (viscous, C_CC diagonal). Unit size, stiffness-proportional damping. About 4
 * n_cells^2 or 5 n_cells^3 DoFs.
 */
template <int dim>
class PiezoelectricBody {
 public:
  using Storage = EigenMatrix::Storage;

  /// @param relaxation_time Of the Zener branches: their eigenvalues lie about -0.7 / relaxation_time
  explicit PiezoelectricBody(int n_cells, const Unsymmetric& skew = {}, double relaxation_time = 0.1)
      : n_cells_(n_cells),
        n_nodes_(power(n_cells + 1)),
        n_dofs_(n_per_node * n_nodes_ + power(n_cells)),
        relaxation_time_(relaxation_time) {
    integrate_element(skew);
  }

  int n_dofs() const { return n_dofs_; }
  Storage mass() const { return matrix(mass_, Vector::Zero(n_corners * n_per_node), 0); }
  Storage damping() const {
    return matrix(damping_, Vector::Zero(n_corners * n_per_node), branch() * relaxation_time_);
  }
  Storage stiffness() const { return matrix(stiffness_, -branch() * dilatation_, branch()); }

  /// With a load on the last node along its last displacement that oscillates.
  AssembledSystem<EigenEngine> assemble() const {
    SystemDescription<EigenEngine> description;
    description.mass = EigenMatrix(mass());
    description.damping = EigenMatrix(damping());
    description.stiffness = EigenMatrix(stiffness());
    description.constrained = constrained();
    const int n = n_dofs_, tip = n_per_node * (n_nodes_ - 1) + dim - 1;
    description.load = [n, tip](double time) -> Vector { return std::sin(time) * Vector::Unit(n, tip); };
    return AssembledSystem<EigenEngine>(std::move(description));
  }

  std::vector<Index> constrained() const {
    std::vector<Index> all;
    for (int node = 0; node < n_nodes_; node += n_cells_ + 1)
      for (int component = 0; component < n_per_node; ++component)
        all.push_back(n_per_node * node + component);
    return all;
  }

 protected:
  static constexpr int n_per_node = dim + 1, n_corners = 1 << dim, n_strains = dim * (dim + 1) / 2,
                       n_near = dim == 2 ? 9 : 27;
  using Element = MultiVector;  ///< displacements and potential of the corners, one corner after the other

  static int power(int n) { return dim == 2 ? n * n : n * n * n; }
  static int bit(int corner, int d) { return corner >> d & 1; }
  double branch() const { return 0.5 / power(n_cells_); }

  /// Stress and electric displacement of strain and field.
  static MultiVector law() {
    MultiVector D = MultiVector::Zero(n_strains + dim, n_strains + dim);
    D.topLeftCorner(dim, dim).setConstant(0.58);
    D.diagonal().head(dim).setConstant(1.35);
    D.diagonal().segment(dim, n_strains - dim).setConstant(0.385);
    D.diagonal().tail(dim).setConstant(-1);
    const int along = n_strains + dim - 1;  // the field along the last coordinate, to which the body is poled
    for (int d = 0; d < dim; ++d)
      D(d, along) = D(along, d) = d == dim - 1 ? -0.7 : 0.3;
    for (int d = 0; d + 1 < dim; ++d) {
      const int shear = dim == 2 ? 2 : 4 - d, field = n_strains + d;
      D(shear, field) = D(field, shear) = -0.6;
    }
    return D;
  }

  void integrate_element(const Unsymmetric& skew) {
    const int n = n_corners * n_per_node;
    const double h = 1. / n_cells_, gauss = 0.5 - 0.5 / std::sqrt(3.), weight = std::pow(h, dim) / n_corners;
    stiffness_ = mass_ = damping_ = Element::Zero(n, n);
    dilatation_ = Vector::Zero(n);
    MultiVector elastic = law();
    elastic.rightCols(dim).setZero();
    elastic.bottomRows(dim).setZero();
    const PoreFluid& fluid = skew.fluid;
    const MultiVector stiff = fluid.storage > 0 ? elastic : law();
    Element spin = Element::Zero(n, n), fluid_mass = spin, fluid_damping = spin, fluid_stiffness = spin;
    for (int point = 0; point < n_corners; ++point) {
      MultiVector B = MultiVector::Zero(n_strains + dim, n), N = MultiVector::Zero(dim, n);
      Vector pressure = Vector::Zero(n);
      for (int corner = 0; corner < n_corners; ++corner) {
        Eigen::Array3d value = Eigen::Array3d::Zero(), slope = value;
        for (int d = 0; d < dim; ++d) {
          const double x = bit(point, d) ? 1 - gauss : gauss;
          value[d] = bit(corner, d) ? x : 1 - x;
          slope[d] = (bit(corner, d) ? 1 : -1) / h;
        }
        const int first = corner * n_per_node;
        Eigen::Array3d gradient = Eigen::Array3d::Zero();
        double product = 1;
        for (int d = 0; d < dim; ++d) {
          product *= value[d];
          gradient[d] = slope[d];
          for (int e = 0; e < dim; ++e)
            if (e != d) gradient[d] *= value[e];
        }
        pressure[first + dim] = product;
        for (int d = 0; d < dim; ++d) {
          N(d, first + d) = product;
          B(d, first + d) = gradient[d];
          B(n_strains + d, first + dim) = gradient[d];
        }
        // yz, xz, xy; in the plane xy.
        for (int d = 0; d < dim; ++d)
          for (int e = d + 1; e < dim; ++e) {
            const int row = dim == 2 ? 2 : 6 - d - e;
            B(row, first + d) = gradient[e];
            B(row, first + e) = gradient[d];
          }
      }
      stiffness_ += weight * B.transpose() * stiff * B;
      damping_ += 1e-3 * weight * B.transpose() * elastic * B;
      mass_ += weight * N.transpose() * N;
      dilatation_ += B.topRows(dim).colwise().sum().transpose() / n_corners;
      const MultiVector S = N.row(0).transpose() * N.row(1) - N.row(1).transpose() * N.row(0);
      spin += weight * S;
      const Vector divergence = B.topRows(dim).colwise().sum().transpose();
      const MultiVector gradient = B.bottomRows(dim);
      const Vector upstream = pressure + fluid.upwind * h * gradient.row(0).transpose();
      fluid_mass += weight * fluid.permeability * fluid.density * gradient.transpose() * N;
      fluid_damping +=
          weight * (pressure * divergence.transpose() + fluid.storage * upstream * pressure.transpose());
      fluid_stiffness +=
          weight * (fluid.permeability * gradient.transpose() * gradient - divergence * pressure.transpose());
    }
    stiffness_ += branch() * dilatation_ * dilatation_.transpose();
    for (Element* element : {&mass_, &damping_, &stiffness_})
      *element = (*element + element->transpose()).eval() / 2;  // without what rounding adds
    damping_ += skew.gyroscopic * spin;
    stiffness_ += skew.follower * spin;
    if (fluid.storage == 0) return;
    mass_ += fluid_mass;
    damping_ += fluid_damping;
    stiffness_ += fluid_stiffness;
  }

  /// Assembled column by column. @param inner couples corners to the variable of their cell @param own its
  /// diagonal entry
  Storage matrix(const Element& element, const Vector& inner, double own) const {
    Storage A(n_dofs_, n_dofs_);
    std::vector<int> rows;
    std::vector<double> values;
    for (int node = 0; node < n_nodes_; ++node)
      for (int component = 0; component < n_per_node; ++component) {
        add_column(element, inner, node, component, rows, values);
        A.outerIndexPtr()[n_per_node * node + component + 1] = static_cast<int>(rows.size());
      }
    for (int cell = 0; cell < power(n_cells_); ++cell) {
      for (int corner = 0; corner < n_corners; ++corner)
        for (int component = 0; component < n_per_node; ++component)
          if (const double value = inner[corner * n_per_node + component]; value != 0) {
            rows.push_back(n_per_node * corner_of(cell, corner) + component);
            values.push_back(value);
          }
      if (own != 0) {
        rows.push_back(n_per_node * n_nodes_ + cell);
        values.push_back(own);
      }
      A.outerIndexPtr()[n_per_node * n_nodes_ + cell + 1] = static_cast<int>(rows.size());
    }
    A.resizeNonZeros(static_cast<Eigen::Index>(rows.size()));
    std::copy(rows.begin(), rows.end(), A.innerIndexPtr());
    std::copy(values.begin(), values.end(), A.valuePtr());
    return A;
  }

  int corner_of(int cell, int corner) const {
    int node = 0, stride = 1;
    for (int d = 0; d < dim; ++d, stride *= n_cells_ + 1, cell /= n_cells_)
      node += stride * (cell % n_cells_ + bit(corner, d));
    return node;
  }

  void add_column(const Element& element, const Vector& inner, int node, int component,
                  std::vector<int>& rows, std::vector<double>& values) const {
    Eigen::Array3i at = Eigen::Array3i::Zero();
    for (int d = 0, rest = node; d < dim; ++d, rest /= n_cells_ + 1)
      at[d] = rest % (n_cells_ + 1);
    Eigen::Array<double, n_near * n_per_node, 1> sums;
    sums.setZero();
    std::pair<int, double> cells[n_corners] = {};
    int n_cells_here = 0;
    for (int position = 0; position < n_corners; ++position) {
      // The cell in which this node is the corner of that position; positions descend as cells ascend.
      const int corner = n_corners - 1 - position;
      int cell = 0, stride = 1;
      bool exists = true;
      for (int d = 0; d < dim; ++d, stride *= n_cells_) {
        const int c = at[d] - bit(corner, d);
        exists = exists && c >= 0 && c < n_cells_;
        cell += stride * c;
      }
      if (!exists) continue;
      for (int other = 0; other < n_corners; ++other) {
        int near = 0, factor = 1;
        for (int d = 0; d < dim; ++d, factor *= 3)
          near += factor * (bit(other, d) - bit(corner, d) + 1);
        for (int c = 0; c < n_per_node; ++c)
          sums[near * n_per_node + c] += element(other * n_per_node + c, corner * n_per_node + component);
      }
      cells[n_cells_here++] = {cell, inner[corner * n_per_node + component]};
    }
    for (int near = 0; near < n_near; ++near) {
      int row = 0, stride = 1;
      for (int d = 0, rest = near; d < dim; ++d, rest /= 3, stride *= n_cells_ + 1)
        row += stride * (at[d] + rest % 3 - 1);
      for (int c = 0; c < n_per_node; ++c)
        if (const double value = sums[near * n_per_node + c]; value != 0) {
          rows.push_back(n_per_node * row + c);
          values.push_back(value);
        }
    }
    for (int k = 0; k < n_cells_here; ++k)
      if (cells[k].second != 0) {
        rows.push_back(n_per_node * n_nodes_ + cells[k].first);
        values.push_back(cells[k].second);
      }
  }

  int n_cells_, n_nodes_, n_dofs_;
  double relaxation_time_;
  Element stiffness_, mass_, damping_;
  Vector dilatation_;
};

}  // namespace halfdof::benchmark
