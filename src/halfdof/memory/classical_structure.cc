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
        "The structure has several rigid-body modes. contact_modes() replaces them by linear combinations, "
        "so that the modal coordinates of a given state are not known. Use structure_modes() instead.");
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

/// Coefficients a and b of proportional (Rayleigh) damping, C = a M + b K.
struct ProportionalDamping {
  double a = 0, b = 0;
};

/// Determines the coefficients of proportional damping by a least-squares fit of products of M, C and K with
/// three random vectors; the result is correct with probability one. @throws NotAvailable if C is not a
/// combination a M + b K
template <class Engine>
ProportionalDamping proportional_damping(const FreeSystem<Engine>& system) {
  MultiVector x(system.dofs().n_local(), 3);
  x.col(0) = pseudo_random(system.dofs());
  x.col(1) = x.col(0).reverse().cwiseAbs2();
  x.col(2) = (3 * x.col(0)).array().sin();
  const Vector c = matrix_times(system.C(), x).reshaped();
  if (c.isZero(0)) return {};
  const Vector m = matrix_times(system.M(), x).reshaped(), k = matrix_times(system.K(), x).reshaped();
  Vector k_orthogonal_to_m = k;
  for (int pass = 0; pass < 2; ++pass)
    k_orthogonal_to_m -= m * (m.dot(k_orthogonal_to_m) / m.squaredNorm());
  ProportionalDamping found;
  if (k_orthogonal_to_m.norm() > 1e-10 * k.norm())
    found.b = k_orthogonal_to_m.dot(c) / k_orthogonal_to_m.dot(k);
  found.a = m.dot(c - found.b * k) / m.squaredNorm();
  if ((found.a * m + found.b * k - c).norm() > 1e-10 * c.norm())
    throw NotAvailable(
        "The damping of the structure couples its modes, because C is not a combination a M + b K. Use "
        "structure_modes() instead, or give a damping ratio of the modes in place of C.");
  // Coefficients that may be rounding errors are set to zero, because a rounding error of a that is
  // negligible in C may be a large damping of slow modes.
  if (std::abs(found.a) * m.norm() <= 1e-13 * c.norm()) found.a = 0;
  if (std::abs(found.b) * k.norm() <= 1e-13 * c.norm()) found.b = 0;
  return found;
}

template <class Engine>
ProportionalDamping checked_damping(const ReducedSystem<Engine>& reduced,
                                    const ClassicalStructureOptions& options) {
  const FreeSystem<Engine>& system = reduced.free();
  if (!system.is_symmetric())
    throw NotAvailable(
        "The matrices of the structure are unsymmetric, so that the left eigenvectors differ from the modes. "
        "Use structure_modes() instead.");
  if (options.n_modes < 1)
    throw InvalidInput("The requested number of modes is " + std::to_string(options.n_modes) +
                       ", but must be at least 1.");
  if (reduced.classification().n_inertial() == 0)
    throw NotAvailable(
        "The structure has no mass, so that no mode oscillates. Use structure_modes() instead.");
  if (!options.damping_ratio) {
    if (reduced.classification().n_viscous() > 0)
      throw NotAvailable(
          "The structure has viscous degrees of freedom, whose modes decay without oscillation. Use "
          "structure_modes() instead.");
    return proportional_damping(system);
  }
  if (!matrix_times(system.C(), pseudo_random(system.dofs())).isZero(0))
    throw InvalidInput("Both a damping ratio and a damping matrix C were given. Remove one of the two.");
  return {};
}

/// The squares of the lowest natural frequencies, ascending, and their mode shapes.
struct LowestModes {
  Vector squares;
  MultiVector shapes;
  FactorizationPtr<double> stiffness;  ///< factorization of K + shift M
  double shift = 0;
  double highest_frequency_kept = std::numeric_limits<double>::infinity();
};

/// Rayleigh-Ritz approximation of K y = omega^2 M y in the range of X.
std::pair<Vector, MultiVector> rayleigh_ritz(const MultiVector& X, const MultiVector& KX,
                                             const MultiVector& MX) {
  const Eigen::LLT<MultiVector> mass(X.transpose() * MX);
  if (mass.info() != Eigen::Success)
    throw NotAvailable(
        "The mass matrix of the structure is not positive definite on the lowest modes. Use "
        "structure_modes() instead.");
  const MultiVector half = mass.matrixL().solve(X.transpose() * KX);
  const MultiVector whole = mass.matrixL().solve(half.transpose());
  const SymmetricEigenpairs pairs = symmetric_eigenpairs((whole + whole.transpose()) / 2);
  return {pairs.values, X * mass.matrixU().solve(pairs.vectors)};
}

/// Returns residual attachment modes (Craig 2000), with which static displacements are exact. They are the
/// static displacements `moved` under some forces, made M-orthogonal to the modes and to each other.
/// Displacements that lie in the span of the modes up to rounding errors are dropped.
template <class Engine>
MultiVector attachment_modes(const FreeSystem<Engine>& system, const MultiVector& shapes, MultiVector moved) {
  constexpr double negligible = 1e-6;  // limit of the remaining part, relative to the displacement
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

/// Computes the n lowest modes by Krylov-Schur iteration with the factorized matrix K + shift M.
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
  // A further inverse iteration reduces contributions of high modes and computes consistent displacements of
  // DoFs without mass.
  X = found.stiffness->solve(matrix_times(system.M(), X));
  X = X.leftCols(std::min<Eigen::Index>(X.cols(), options.n_eigenvalues)).eval();
  std::tie(found.squares, found.shapes) =
      rayleigh_ritz(X, matrix_times(system.K(), X), matrix_times(system.M(), X));
  if (found.squares.size() == n_inertial) return found;
  found.highest_frequency_kept = std::sqrt(std::max(found.squares.tail<1>()[0], 0.));
  // The forces on the modes are subtracted before the solve, since the response of the modes may be much
  // larger than the response of the omitted modes.
  const MultiVector omitted_forces =
      H - matrix_times(system.M(), found.shapes) * (found.shapes.transpose() * H);
  X = side_by_side(
      {found.shapes, attachment_modes(system, found.shapes, found.stiffness->solve(omitted_forces))});
  std::tie(found.squares, found.shapes) =
      rayleigh_ritz(X, matrix_times(system.K(), X), matrix_times(system.M(), X));
  return found;
}

/// Computes the n lowest modes with the shift zero, or with a small positive shift if K is singular because
/// of rigid-body modes.
template <class Engine>
LowestModes lowest_modes(const ReducedSystem<Engine>& reduced, Index n, const MultiVector& H) {
  // The unit of the rounding error of phi^T K phi for a rigid-body mode phi.
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
  const StageTimer stage("modes of contacts");
  check_has_memory(inclusions, loads);
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const ProportionalDamping damping = checked_damping(reduced, options);
  const Index m = inclusions.n_directions();
  const MultiVector F = unit_forces(inclusions, loads);
  LowestModes lowest = lowest_modes(reduced, options.n_modes, F);
  const auto n = lowest.squares.size();
  if (lowest.squares.minCoeff() < 0)
    throw InvalidInput(
        "The stiffness matrix K of the structure is not positive semidefinite: the square of a natural "
        "frequency is " +
        std::to_string(lowest.squares.minCoeff()) +
        " (rad/s)^2, so that this mode grows. Check the signs of the entries of K.");

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
          "The structure has rigid-body modes with a damping that is proportional to the mass, which no "
          "damping ratio describes. Use structure_modes() instead.");
    if (omega > 0 && omega <= lowest.highest_frequency_kept)
      found.residual =
          std::max(found.residual,
                   (K_shapes.col(k) - omega * omega * found.weights.col(k)).norm() / K_shapes.col(k).norm());
  }
  const MultiVector components = displacement_components(inclusions, observed, found.shapes);
  found.modes.at_contacts = F.leftCols(m).transpose() * found.shapes;
  found.modes.at_loads = F.rightCols(F.cols() - m).transpose() * found.shapes;
  found.modes.at_observed = components.bottomRows(components.rows() - m);
  found.highest_frequency_kept = lowest.highest_frequency_kept;
  if ((found.modes.frequency.array() > 0).all() && lowest.shift == 0) {
    // The modes and attachment modes contain the whole static compliance except the compliance of DoFs
    // without mass.
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
