// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/structure_checks.h>
#include <halfdof/memory/structure_modes.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace halfdof {

using namespace internal;

Vector ClassicalStructure::modal_state(const Vector& q, const Vector& v) const {
  if ((modes.frequency.array() == 0).count() > 1)
    throw NotAvailable(
        "Several rigid bodies float. contact_modes() combines their modes, so that the coordinates of a "
        "start are not known. Take structure_modes().");
  Vector x(2 * shapes.cols());
  x(Eigen::seq(0, Eigen::last, 2)) = weights.transpose() * q;
  x(Eigen::seq(1, Eigen::last, 2)) = weights.transpose() * v;
  return x;
}

Vector ClassicalStructure::displacements(const Vector& x) const {
  const Vector displacements = x(Eigen::seq(0, Eigen::last, 2));
  return shapes * displacements;
}

namespace {

/// Coefficients in C = a M + b K.
struct Proportional {
  double a = 0, b = 0;
};

/// Determines a and b from products with three random vectors, which is correct with probability one. @throws
/// NotAvailable if C is not a combination of M and K
template <class Engine>
Proportional proportional_damping(const FreeSystem<Engine>& system) {
  MultiVector x(system.dofs().n_local(), 3);
  x.col(0) = pseudo_random(system.dofs());
  x.col(1) = x.col(0).reverse().cwiseAbs2();
  x.col(2) = (3 * x.col(0)).array().sin();
  const Vector c = matrix_times(system.C(), x).reshaped();
  if (c.isZero(0)) return {};
  const Vector m = matrix_times(system.M(), x).reshaped(), k = matrix_times(system.K(), x).reshaped();
  Vector beyond_m = k;
  for (int pass = 0; pass < 2; ++pass)
    beyond_m -= m * (m.dot(beyond_m) / m.squaredNorm());
  Proportional found;
  if (beyond_m.norm() > 1e-10 * k.norm()) found.b = beyond_m.dot(c) / beyond_m.dot(k);
  found.a = m.dot(c - found.b * k) / m.squaredNorm();
  if ((found.a * m + found.b * k - c).norm() > 1e-10 * c.norm())
    throw NotAvailable(
        "The damping of the structure couples its modes: C is not a combination a M + b K. Take "
        "structure_modes(), or give damping ratios of the modes instead of C.");
  // Contributions within rounding are set to zero: a rounding error of a would damp slow modes long before it
  // is visible in |C x|.
  if (std::abs(found.a) * m.norm() <= 1e-13 * c.norm()) found.a = 0;
  if (std::abs(found.b) * k.norm() <= 1e-13 * c.norm()) found.b = 0;
  return found;
}

template <class Engine>
Proportional checked_damping(const ReducedSystem<Engine>& reduced, const ClassicalStructureOptions& options) {
  const FreeSystem<Engine>& system = reduced.free();
  if (!system.is_symmetric())
    throw NotAvailable(
        "The matrices of the structure are unsymmetric, so that its modes have left eigenvectors of their "
        "own. Take structure_modes().");
  if (options.n_modes < 1)
    throw InvalidInput(std::to_string(options.n_modes) + " modes were asked for. Ask for one at least.");
  if (reduced.classification().n_inertial() == 0)
    throw NotAvailable(
        "The structure has no inertia, and so no modes that oscillate. Take structure_modes().");
  if (!options.damping_ratio) {
    if (reduced.classification().n_viscous() > 0)
      throw NotAvailable(
          "The structure has viscous degrees of freedom, which relax and do not oscillate. Take "
          "structure_modes().");
    return proportional_damping(system);
  }
  if (!matrix_times(system.C(), pseudo_random(system.dofs())).isZero(0))
    throw InvalidInput("Both a damping ratio and a damping matrix were given. Leave out one of the two.");
  return {};
}

/// The lowest modes, ascending, by squares of frequencies and mode shapes.
struct LowestModes {
  Vector squares;
  MultiVector shapes;
  FactorizationPtr<double> stiffness;  ///< factorization of K + shift M
  double shift = 0;
  double highest_frequency_kept = std::numeric_limits<double>::infinity();
};

/// Rayleigh-Ritz approximation of K y = omega^2 M y in the range of X.
std::pair<Vector, MultiVector> ritz(const MultiVector& X, const MultiVector& KX, const MultiVector& MX) {
  const Eigen::LLT<MultiVector> mass(X.transpose() * MX);
  if (mass.info() != Eigen::Success)
    throw NotAvailable(
        "The mass of the structure is not positive on its lowest modes. Take structure_modes().");
  const MultiVector half = mass.matrixL().solve(X.transpose() * KX);
  const MultiVector whole = mass.matrixL().solve(half.transpose());
  const SymmetricEigenpairs pairs = symmetric_eigenpairs((whole + whole.transpose()) / 2);
  return {pairs.values, X * mass.matrixU().solve(pairs.vectors)};
}

/// Returns residual attachment modes (Craig 2000): displacements under forces, without their part in the
/// range of the modes, M-orthogonal to the modes and to each other. Displacements that lie in the range of
/// the modes up to rounding are dropped. With attachment modes static displacements are exact.
template <class Engine>
MultiVector attachment_modes(const FreeSystem<Engine>& system, const MultiVector& shapes, MultiVector moved) {
  constexpr double negligible = 1e-6;  // relative to the displacement
  const Vector whole = moved.cwiseProduct(matrix_times(system.M(), moved)).colwise().sum().cwiseSqrt();
  for (int pass = 0; pass < 2; ++pass)
    moved -= shapes * (shapes.transpose() * matrix_times(system.M(), moved));
  MultiVector kept(moved.rows(), 0);
  for (Eigen::Index j = 0; j < moved.cols(); ++j) {
    MultiVector x = moved.col(j);
    for (int pass = 0; pass < 2; ++pass)
      x -= kept * (kept.transpose() * matrix_times(system.M(), x));
    const double size = std::sqrt(x.cwiseProduct(matrix_times(system.M(), x)).sum());
    if (size > negligible * whole[j]) kept = side_by_side({kept, x / size});
  }
  return kept;
}

/// @param H forces for which attachment modes are added
template <class Engine>
LowestModes lowest_modes(const ReducedSystem<Engine>& reduced, Index n, const MultiVector& H, double shift) {
  const FreeSystem<Engine>& system = reduced.free();
  LowestModes found;
  found.stiffness = reduced.factorize_pencil(shift, 0., 1.);
  found.shift = shift;
  const BlockOperator<double> apply = [&](ConstView<double> x) -> MultiVector {
    return found.stiffness->solve(matrix_times(system.M(), x));
  };
  SubspaceOptions options;
  const auto n_inertial = static_cast<Index>(reduced.classification().n_inertial());
  options.n_eigenvalues = std::min(n, n_inertial);
  options.n_basis = std::max(2 * options.n_eigenvalues + 1, options.n_eigenvalues + 30);
  options.max_restarts = 100;
  options.n_start_steps = 1;
  MultiVector X = dominant_subspace(apply, system.dofs(), options).Q;
  // A further inverse iteration damps fast modes and makes DoFs without mass consistent.
  X = found.stiffness->solve(matrix_times(system.M(), X));
  X = X.leftCols(std::min<Eigen::Index>(X.cols(), options.n_eigenvalues)).eval();
  std::tie(found.squares, found.shapes) = ritz(X, matrix_times(system.K(), X), matrix_times(system.M(), X));
  if (found.squares.size() == n_inertial) return found;
  found.highest_frequency_kept = std::sqrt(std::max(found.squares.tail<1>()[0], 0.));
  // The forces on the modes are subtracted before the solve, since the response of the modes may be much
  // larger.
  const MultiVector beyond = H - matrix_times(system.M(), found.shapes) * (found.shapes.transpose() * H);
  X = side_by_side({found.shapes, attachment_modes(system, found.shapes, found.stiffness->solve(beyond))});
  std::tie(found.squares, found.shapes) = ritz(X, matrix_times(system.K(), X), matrix_times(system.M(), X));
  return found;
}

/// Uses the shift zero, or a small positive one where rigid bodies float.
template <class Engine>
LowestModes lowest_modes(const ReducedSystem<Engine>& reduced, Index n, const MultiVector& H) {
  // Rounding error of phi^T K phi for a rigid-body mode.
  const double size = 1e-14 * one_norm<Engine>(reduced.free().K()),
               rate = characteristic_rate(reduced.free());
  const auto rounding = [size](const LowestModes& modes) -> Vector {
    return size * modes.shapes.colwise().squaredNorm().transpose();
  };
  try {
    LowestModes found = lowest_modes(reduced, n, H, 0.);
    if ((found.squares.array() > rounding(found).array()).all()) return found;
  } catch (const SingularMatrix&) {
  }
  LowestModes found = lowest_modes(reduced, n, H, 1e-8 * rate * rate);
  const Vector zero = rounding(found);
  for (Eigen::Index k = 0; k < found.squares.size(); ++k)
    if (std::abs(found.squares[k]) <= zero[k]) found.squares[k] = 0;
  return found;
}

}  // namespace

template <class Engine>
ClassicalStructure classical_structure(const Inclusions<Engine>& inclusions,
                                       const ClassicalStructureOptions& options, const MultiVector& loads,
                                       const std::vector<Direction>& observed) {
  const Stage stage("modes of contacts");
  check_has_memory(inclusions, loads);
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Proportional damping = checked_damping(reduced, options);
  const Index m = inclusions.n_directions();
  const MultiVector F = unit_forces(inclusions, loads);
  LowestModes lowest = lowest_modes(reduced, options.n_modes, F);
  const auto n = lowest.squares.size();
  if (lowest.squares.minCoeff() < 0)
    throw InvalidInput("The stiffness of the structure is not positive: a mode has the square frequency " +
                       std::to_string(lowest.squares.minCoeff()) + " (rad/s)^2 and grows. Check K.");

  ClassicalStructure found;
  found.shapes = std::move(lowest.shapes);
  found.weights = matrix_times(reduced.free().M(), found.shapes);
  const MultiVector K_shapes = matrix_times(reduced.free().K(), found.shapes);
  found.modes.frequency = lowest.squares.cwiseSqrt();
  found.modes.damping_ratio = Vector::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double omega = found.modes.frequency[k];
    if (options.damping_ratio)
      found.modes.damping_ratio[k] = *options.damping_ratio;
    else if (omega > 0)
      found.modes.damping_ratio[k] = (damping.a + damping.b * omega * omega) / (2 * omega);
    else if (damping.a != 0)
      throw NotAvailable(
          "Rigid bodies float under a damping that is proportional to the mass, which no damping ratio "
          "describes. Take structure_modes().");
    if (omega > 0 && omega <= lowest.highest_frequency_kept)
      found.residual =
          std::max(found.residual,
                   (K_shapes.col(k) - omega * omega * found.weights.col(k)).norm() / K_shapes.col(k).norm());
  }
  const MultiVector components = displacements_along(inclusions, observed, found.shapes);
  found.modes.at_contacts = F.leftCols(m).transpose() * found.shapes;
  found.modes.at_loads = F.rightCols(F.cols() - m).transpose() * found.shapes;
  found.modes.at_observed = components.bottomRows(components.rows() - m);
  found.highest_frequency_kept = lowest.highest_frequency_kept;
  if ((found.modes.frequency.array() > 0).all() && lowest.shift == 0) {
    // Modes and attachment modes contain all compliance except that of DoFs without mass.
    const MultiVector H = F.leftCols(m), compliance = H.transpose() * lowest.stiffness->solve(H);
    const MultiVector of_modes = found.modes.at_contacts * lowest.squares.cwiseInverse().asDiagonal() *
                                 found.modes.at_contacts.transpose();
    if ((compliance - of_modes).norm() > 1e-8 * compliance.norm()) found.modes.static_compliance = compliance;
  }
  return found;
}

template ClassicalStructure classical_structure(const Inclusions<InstantiatedEngine>&,
                                                const ClassicalStructureOptions&, const MultiVector&,
                                                const std::vector<Direction>&);

}  // namespace halfdof
