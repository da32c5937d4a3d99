// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <Eigen/LU>

#include <algorithm>

namespace halfdof {

using namespace internal;

namespace {

/// Returns X^T Y, summed over all processes, without conjugation.
ComplexMultiVector transposed_products(const Communicator& communicator, const ComplexMultiVector& X,
                                       const ComplexMultiVector& Y) {
  ComplexMultiVector result = X.transpose() * Y;
  communicator.sum(reinterpret_cast<double*>(result.data()), static_cast<int>(2 * result.size()));
  return result;
}

/// Returns m_j = Re(r^T M v_j beta_j) of each eigenvalue, beta = (Z^T Y)^{-1} Z^T b. Shapes: r_I local
/// inertial DoFs x directions, Mr the same.
template <class Engine>
MultiVector masses(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest,
                   const MultiVector& r_I, const MultiVector& Mr_I) {
  const Communicator& communicator = reduced.communicator();
  const ComplexMultiVector Z = left_eigenvectors(reduced, nearest);
  const ComplexMultiVector& Y = nearest.basis();
  const ComplexMultiVector beta =
      transposed_products(communicator, Z, Y)
          .fullPivLu()
          .solve(transposed_products(communicator, reduced.v_I(Z), r_I.cast<Complex>()));
  const ComplexMultiVector momentum = transposed_products(communicator, reduced.v_I(Y), Mr_I.cast<Complex>());
  MultiVector of_each = momentum.cwiseProduct(beta).real();
  // Copies of an eigenvalue share the mass of their invariant subspace equally.
  const auto n = nearest.eigenvalues.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Index> copies;
    for (std::size_t k = 0; k < n; ++k)
      if (nearest.eigenvalues[k] == nearest.eigenvalues[j]) copies.push_back(static_cast<Index>(k));
    if (copies.front() == static_cast<Index>(j) && copies.size() > 1)
      of_each(copies, Eigen::all) = MultiVector(of_each(copies, Eigen::all))
                                        .colwise()
                                        .mean()
                                        .replicate(static_cast<Index>(copies.size()), 1);
  }
  return of_each;
}

}  // namespace

template <class Engine>
std::vector<MassDirection> component_directions(const AssembledSystem<Engine>& system) {
  const DoFLabels& labels = system.labels();
  std::vector<MassDirection> directions;
  for (std::size_t c = 0; c < labels.component_names.size(); ++c) {
    Vector motion = Vector::Zero(system.dofs().n_local());
    for (std::size_t i = 0; i < labels.component.size(); ++i)
      if (labels.component[i] == static_cast<Index>(c)) motion[static_cast<Index>(i)] = 1;
    Vector Mr = Vector::Zero(motion.size());
    system.M().add_product(1., motion, Mr);
    const double largest = Mr.size() > 0 ? system.free().selected_rows(Mr).cwiseAbs().sum() : 0;
    if (system.dofs().communicator().sum(largest) > 0)
      directions.push_back({labels.component_names[c], std::move(motion)});
  }
  return directions;
}

template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest,
                     const std::vector<MassDirection>& directions) {
  const auto n_directions = static_cast<Index>(directions.size());
  ModeTable table;
  MultiVector r(reduced.free().dofs().n_local(), n_directions);
  for (Index d = 0; d < n_directions; ++d) {
    const MassDirection& direction = directions[static_cast<std::size_t>(d)];
    table.directions.push_back(direction.name);
    r.col(d) = reduced.free().restrict(direction.motion);
  }
  MultiVector Mr = MultiVector::Zero(r.rows(), r.cols()), MTr = Mr;
  reduced.free().M().add_product(1., r, Mr);
  reduced.free().M().add_transposed_product(1., r, MTr);
  for (Index d = 0; d < n_directions; ++d)
    table.total_mass.push_back(reduced.communicator().sum(r.col(d).dot(Mr.col(d))));

  const Selection& I = reduced.classification().inertial();
  const MultiVector each = masses(reduced, nearest, I.selected_rows(r), I.selected_rows(MTr));
  table.effective_mass = MultiVector::Zero(each.rows(), n_directions);
  for (std::size_t j = 0; j < nearest.eigenvalues.size(); ++j) {
    const auto row = static_cast<Index>(table.modes.size());
    table.effective_mass.row(row) = each.row(static_cast<Index>(j));
    table.modes.push_back(mode_of(nearest.eigenvalues[j]));
    if (nearest.eigenvalues[j].imag() != 0)
      table.effective_mass.row(row) += each.row(static_cast<Index>(++j));
  }
  table.effective_mass.conservativeResize(static_cast<Index>(table.modes.size()), Eigen::NoChange);
  return table;
}

template <class Engine>
ModeTable mode_table(const ReducedSystem<Engine>& reduced, const NearestEigenvalues& nearest) {
  return mode_table(reduced, nearest, component_directions(reduced.assembled()));
}

template std::vector<MassDirection> component_directions(const AssembledSystem<InstantiatedEngine>&);
template ModeTable mode_table(const ReducedSystem<InstantiatedEngine>&, const NearestEigenvalues&,
                              const std::vector<MassDirection>&);
template ModeTable mode_table(const ReducedSystem<InstantiatedEngine>&, const NearestEigenvalues&);

}  // namespace halfdof
