// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/block_diagonal.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/linear_algebra/ranks/nilpotent_form.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/state_scales.h>
#include <halfdof/memory/structure_checks.h>
#include <halfdof/memory/structure_modes.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/shift_inverse.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

double StructureModes::omitted_response(double omega, bool is_undamped) const {
  if (std::isinf(slowest_omitted)) return 0;
  const double at_rest = keeps_compliance ? 0 : omitted_compliance;
  const double q = is_undamped ? std::pow(omega / slowest_omitted, 2) : omega / slowest_omitted;
  return q < 1 ? at_rest + omitted_compliance * q / (1 - q) : std::numeric_limits<double>::infinity();
}

double StructureModes::omitted_motion(Index contact, const Vector& variations, const Vector& largest) const {
  if (omitted_sizes.size() == 0) return 0;
  const Vector acting = keeps_compliance ? variations : Vector(variations + largest);
  return omitted_sizes[contact] * omitted_sizes.dot(acting);
}

Vector StructureModes::restrict(const Vector& y, const Vector& r, const Vector& f) const {
  Vector x = restrict(y - lift(Vector::Zero(Q.cols()), r, f));
  for (Eigen::Index i = x.size() - n_fast; i < x.size(); ++i)
    x[i] = -(modes.B.row(i).dot(r) + modes.B_f.row(i).dot(f)) /
           modes.J[modes.J.size() - static_cast<std::size_t>(x.size() - i)](0, 0);
  return x;
}

double StructureModes::omitted_part(const Vector& y) const {
  const double size = y.norm();
  return size > 0 ? (y - Q * (P.transpose() * y)).norm() / size : 0.;
}

namespace {

/// Up to this number of states all eigenvalues are computed by dense matrices, also if only some are
/// requested.
constexpr Index max_states_for_all = 300;

/// Bases Q and P of a right and a left invariant subspace of the state matrix A, with P^T Q = I, and T = P^T
/// A Q.
struct InvariantPair {
  MultiVector Q, P, T;
  double shift = 0;  ///< shift of the shift-and-invert iteration that found the subspaces [1/s]
  /// Lower bound of the moduli of the eigenvalues that were not computed [1/s].
  double slowest_omitted = std::numeric_limits<double>::infinity();
};

template <class Engine>
InvariantPair all_modes(const ReducedSystem<Engine>& reduced, Index max_dense) {
  const Index n = reduced.n_local_states();
  if (n > max_dense)
    throw NotAvailable(
        "All eigenvalues of " + std::to_string(n) +
        " states were requested, but dense matrices are limited to " + std::to_string(max_dense) +
        " states (max_dense). Request only the eigenvalues nearest the origin (n_eigenvalues).");
  const Vector scales = state_scales(reduced), inverse = scales.cwiseInverse();
  return {MultiVector(scales.asDiagonal()), MultiVector(inverse.asDiagonal()),
          inverse.asDiagonal() * dense_state_matrix(reduced) * scales.asDiagonal()};
}

/// Returns a basis of the invariant subspace of the n eigenvalues nearest the shift, by Krylov-Schur
/// iteration.
MultiVector dominant_basis(const ShiftInverse<double>& inverse, Index n) {
  SubspaceOptions options;
  options.n_eigenvalues = n;
  options.n_basis = std::max(2 * n + 1, n + 30);
  options.max_restarts = 100;
  return dominant_subspace(inverse.apply, inverse.partition, options).Q;
}

/// Returns left eigenvectors for symmetric M, C and K. They follow from the displacements x of the right
/// eigenvectors and their eigenvalues lambda as ((lambda M + C) x; C x; M x), in the order of the states.
/// @param T contains the eigenvalues
template <class Engine>
MultiVector left_of_symmetric(const ReducedSystem<Engine>& reduced, const MultiVector& X,
                              const MultiVector& T) {
  const Selection &I = reduced.classification().inertial(), &C = reduced.classification().viscous();
  const MultiVector MX = matrix_times(reduced.free().M(), X), CX = matrix_times(reduced.free().C(), X);
  return stacked({I.selected_rows(MultiVector(MX * T + CX)), C.selected_rows(CX), I.selected_rows(MX)});
}

/// Returns the displacements of the free DoFs in states Y under forces F on these DoFs.
template <class Engine>
MultiVector displacements(const ReducedSystem<Engine>& reduced, const MultiVector& Y, const MultiVector& F) {
  MultiVector q = displacement_states(reduced, Y);
  const Selection& K = reduced.classification().algebraic();
  K.add_to(K.selected_rows(reduced.highest_derivatives(Y, F)), q);
  return q;
}

/// Computes the invariant subspaces of the n eigenvalues nearest the shift. There is no result if the shift
/// is so close to an eigenvalue that the other eigenvalues would lose accuracy. @param may_be_near whether
/// such a shift is accepted
template <class Engine>
std::optional<InvariantPair> nearest_modes(const ReducedSystem<Engine>& reduced, Index n, double shift,
                                           bool may_be_near) {
  const ShiftInverse<double> inverse = reduced_shift_inverse(reduced, shift);
  InvariantPair pair;
  pair.shift = shift;
  pair.Q = dominant_basis(inverse, n);
  const auto k = static_cast<Index>(pair.Q.cols());
  const MultiVector RQ = inverse.apply(pair.Q), I = MultiVector::Identity(k, k);
  const auto of_inverse = [&](const MultiVector& T_R) -> MultiVector {
    return shift * I - solve_dense(T_R, I);
  };
  const MultiVector by_Q = of_inverse(pair.Q.transpose() * RQ);
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const Complex& value : eigenvalues(by_Q)) {
    nearest = std::min(nearest, std::abs(value - shift));
    farthest = std::max(farthest, std::abs(value - shift));
  }
  if (!may_be_near && nearest < 1e-5 * farthest) return std::nullopt;
  pair.slowest_omitted = farthest;
  const MultiVector none = MultiVector::Zero(reduced.free().dofs().n_local(), k);
  MultiVector L = reduced.free().is_symmetric()
                      ? left_of_symmetric(reduced, displacements(reduced, pair.Q, none), by_Q)
                      : dominant_basis(transposed_shift_inverse<Engine, double>(reduced, shift), k);
  if (L.cols() == k) {
    L = orthonormal_range(L);
    const MultiVector LQ = L.transpose() * pair.Q;
    if (reciprocal_condition(LQ) > 1e-10) {
      pair.P = solve_dense(LQ, L.transpose()).transpose();
      pair.T = of_inverse(pair.P.transpose() * RQ);
      return pair;
    }
  }
  throw NoConvergence(
      "The left and the right eigenvectors of the " + std::to_string(k) +
          " eigenvalues nearest the origin belong to different eigenvalues, since several "
          "eigenvalues have the same distance from the origin. Request a few more eigenvalues, or a "
          "few less.",
      1.);
}

/// Returns the residual of the invariant subspace range Q, the maximum of |A q_k - (Q J)_k|/(fastest |q_k|)
/// over the columns q_k of Q.
template <class Engine>
double invariance_residual_of(const ReducedSystem<Engine>& reduced, const MultiVector& Q,
                              const std::vector<MultiVector>& blocks, double fastest) {
  MultiVector error = reduced.apply_homogeneous(Q);
  Eigen::Index first = 0;
  for (const MultiVector& J : blocks) {
    error.middleCols(first, J.rows()) -= Q.middleCols(first, J.rows()) * J;
    first += J.rows();
  }
  double largest = 0;
  for (Eigen::Index k = 0; k < Q.cols(); ++k)
    largest = std::max(largest, error.col(k).norm() / (fastest * Q.col(k).norm()));
  return largest;
}

/// Returns a shift that is small compared with the eigenvalues of the system, but not zero.
template <class Engine>
double small_shift(const ReducedSystem<Engine>& reduced) {
  return 1e-5 * characteristic_rate(reduced.free());
}

/// Calls use(shift, is_last) with the shift zero, then with increasing shifts until one is far enough from
/// all eigenvalues. @param use returns whether the shift was far enough from all eigenvalues
template <class Engine, class Use>
void try_shifts_near_zero(const ReducedSystem<Engine>& reduced, const Use& use) {
  constexpr int n_moves = 5;
  double shift = 0, move = small_shift(reduced);
  for (int n_moved = 0;; ++n_moved) {
    try {
      if (use(shift, n_moved == n_moves)) return;
    } catch (const SingularMatrix&) {
      if (n_moved == n_moves) throw;
    }
    shift = move;
    move *= 10;
  }
}

/// Computes a few more eigenvalues than requested, so that eigenvalues with the same distance from the origin
/// are kept together. If the iteration stops between equal eigenvalues, it is repeated with more eigenvalues.
template <class Engine>
InvariantPair nearest_modes(const ReducedSystem<Engine>& reduced, Index n) {
  constexpr double residual_tolerance = 1e-7;
  double residual = std::numeric_limits<double>::infinity();
  for (const Index more : {4, 6, 9, 13, 18, 25}) {
    InvariantPair pair;
    try {
      try_shifts_near_zero(reduced, [&](double shift, bool may_be_near) {
        std::optional<InvariantPair> found =
            nearest_modes(reduced, std::min(n + more, reduced.n_local_states()), shift, may_be_near);
        if (found) pair = *std::move(found);
        return found.has_value();
      });
    } catch (const NoConvergence&) {
      continue;
    }
    residual = invariance_residual_of(reduced, pair.Q, {pair.T}, pair.T.norm());
    if (residual < residual_tolerance) return pair;
  }
  throw NoConvergence(
      "The " + std::to_string(n) +
          " eigenvalues nearest the origin were not found: the residual of their invariant subspace was " +
          number_text(residual) + " in the last attempt, but must be below " +
          number_text(residual_tolerance) + ". Request a few more eigenvalues, or a few less.",
      residual);
}

double largest_modulus(const std::vector<MultiVector>& blocks) {
  double fastest = 0;
  for (const MultiVector& J : blocks)
    for (const Complex& value : eigenvalues(J))
      fastest = std::max(fastest, std::abs(value));
  return fastest;
}

/// Returns for each block whether all of its eigenvalues are zero up to rounding errors of M, C and K.
template <class Engine>
std::vector<bool> zero_blocks(const ReducedSystem<Engine>& reduced, const MultiVector& Q,
                              const BlockDiagonalForm& form, double fastest) {
  std::vector<Complex> slow;
  std::vector<std::size_t> block_of;
  ComplexMultiVector states(Q.rows(), 0);
  Eigen::Index first = 0;
  for (std::size_t b = 0; b < form.J.size(); first += form.J[b].rows(), ++b) {
    const DenseEigenpairs pairs = eigenpairs(form.J[b]);
    const bool is_slow = std::all_of(pairs.values.begin(), pairs.values.end(),
                                     [&](const Complex& value) { return std::abs(value) < 1e-3 * fastest; });
    if (!is_slow) continue;
    const MultiVector of_block = Q * form.Z.middleCols(first, form.J[b].rows());
    ComplexMultiVector more(Q.rows(), states.cols() + pairs.vectors.cols());
    stack_columns(more, states, of_block.cast<Complex>() * pairs.vectors);
    states = std::move(more);
    slow.insert(slow.end(), pairs.values.begin(), pairs.values.end());
    block_of.insert(block_of.end(), pairs.values.size(), b);
  }
  std::vector<bool> is_zero(form.J.size(), false);
  if (slow.empty()) return is_zero;
  const TermScales<Engine> scales(reduced.free());
  const std::vector<Complex> rounded = rounded_eigenvalues(reduced, scales, slow, states);
  for (const std::size_t b : block_of)
    is_zero[b] = true;
  for (std::size_t k = 0; k < rounded.size(); ++k)
    if (rounded[k] != 0.) is_zero[block_of[k]] = false;
  return is_zero;
}

/// Combines the marked blocks to one block, which comes before all other blocks.
BlockDiagonalForm unite_blocks(const BlockDiagonalForm& form, const std::vector<bool>& marked) {
  std::vector<Eigen::Index> of_marked, of_others;
  BlockDiagonalForm result;
  result.J.emplace_back(0, 0);
  Eigen::Index first = 0;
  for (std::size_t b = 0; b < form.J.size(); first += form.J[b].rows(), ++b) {
    for (Eigen::Index x = 0; x < form.J[b].rows(); ++x)
      (marked[b] ? of_marked : of_others).push_back(first + x);
    if (!marked[b]) {
      result.J.push_back(form.J[b]);
      continue;
    }
    MultiVector& one = result.J.front();
    MultiVector larger = MultiVector::Zero(one.rows() + form.J[b].rows(), one.cols() + form.J[b].cols());
    larger.topLeftCorner(one.rows(), one.cols()) = one;
    larger.bottomRightCorner(form.J[b].rows(), form.J[b].cols()) = form.J[b];
    one = std::move(larger);
  }
  std::vector<Eigen::Index> order = of_marked;
  order.insert(order.end(), of_others.begin(), of_others.end());
  result.Z = form.Z(Eigen::all, order);
  result.Z_inverse = form.Z_inverse(order, Eigen::all);
  return result;
}

/// Replaces eigenvalues that are zero up to rounding by exact zeros, in one block.
template <class Engine>
void set_exact_zeros(const ReducedSystem<Engine>& reduced, const MultiVector& Q, BlockDiagonalForm& form) {
  const double fastest = largest_modulus(form.J);
  const std::vector<bool> is_zero = zero_blocks(reduced, Q, form, fastest);
  if (std::find(is_zero.begin(), is_zero.end(), true) == is_zero.end()) return;
  BlockDiagonalForm with_zeros = unite_blocks(form, is_zero);
  NilpotentForm zeros = nilpotent_form(with_zeros.J.front(), 1e-11 * fastest);
  if (zeros.dropped > 1e-8 * fastest) return;  // The blocks have no common nilpotent form.
  form = std::move(with_zeros);
  form.Z.leftCols(zeros.U.cols()) *= zeros.U;
  form.Z_inverse.topRows(zeros.U.cols()).applyOnTheLeft(zeros.U.transpose());
  form.J.front() = std::move(zeros.T);
}

/// Keeps the blocks of the n eigenvalues nearest the origin, and of further eigenvalues with the same
/// distance.
/// @return modulus of the next eigenvalue; infinite if there is no further eigenvalue
double keep_nearest(Index n, BlockDiagonalForm& form) {
  constexpr double equally_near = 1 + 1e-6;
  std::vector<double> modulus;
  std::vector<Eigen::Index> first = {0};
  for (const MultiVector& J : form.J) {
    double slowest = std::numeric_limits<double>::infinity();
    for (const Complex& value : eigenvalues(J))
      slowest = std::min(slowest, std::abs(value));
    modulus.push_back(slowest);
    first.push_back(first.back() + J.rows());
  }
  std::vector<std::size_t> order(form.J.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return modulus[a] < modulus[b]; });
  std::vector<Eigen::Index> columns;
  BlockDiagonalForm kept;
  for (const std::size_t b : order) {
    const bool is_enough = static_cast<Index>(columns.size()) >= n;
    if (is_enough && modulus[b] > equally_near * largest_modulus(kept.J)) {
      kept.Z = form.Z(Eigen::all, columns);
      kept.Z_inverse = form.Z_inverse(columns, Eigen::all);
      form = std::move(kept);
      return modulus[b];
    }
    kept.J.push_back(form.J[b]);
    for (Eigen::Index x = first[b]; x < first[b + 1]; ++x)
      columns.push_back(x);
  }
  return std::numeric_limits<double>::infinity();
}

/// Corrects the immediate rate response C B of the modes. If damping couples the modes, C B of a selection of
/// modes differs from C B of the structure, so that the rates of contacts on masses would jump with
/// reactions. The difference is added as blocks whose eigenvalues are real.
/// @param missing_rate_response C B of the whole structure minus C B of the modes. Shape: (m + n_observed) x
/// (m + n_loads)
/// @param rate modulus of the eigenvalues of the added blocks [1/s]
void add_fast_blocks(const MultiVector& missing_rate_response, double rate, ContactModes& modes) {
  if (missing_rate_response.isZero(0)) return;
  const Eigen::Index m = modes.C.rows(), p = modes.B_f.cols(), o = modes.observed.C.rows(), n = m + p;
  modes.J.insert(modes.J.end(), static_cast<std::size_t>(n), MultiVector::Constant(1, 1, -rate));
  modes.B = stacked({modes.B, MultiVector::Identity(n, m)});
  modes.B_f = stacked({modes.B_f, MultiVector::Identity(n, n).rightCols(p)});
  modes.C = side_by_side({modes.C, missing_rate_response.topRows(m)});
  modes.observed.C = side_by_side({modes.observed.C, missing_rate_response.bottomRows(o)});
}

}  // namespace

template <class Engine>
StructureModes structure_modes(const Inclusions<Engine>& inclusions, const MultiVector& loads,
                               const std::vector<Direction>& observed, const StructureModesOptions& options) {
  const StageTimer stage("modes of contacts");
  check_has_memory(inclusions, loads);
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Index m = inclusions.n_directions(), p = static_cast<Index>(loads.cols()),
              N = reduced.n_local_states();
  const bool wants_all = options.n_eigenvalues <= 0 || options.n_eigenvalues >= N;
  const InvariantPair pair = wants_all || N <= max_states_for_all
                                 ? all_modes(reduced, options.max_dense)
                                 : nearest_modes(reduced, options.n_eigenvalues);
  BlockDiagonalForm form = block_diagonal_form(pair.T);
  set_exact_zeros(reduced, pair.Q, form);
  StructureModes found;
  found.slowest_omitted = std::numeric_limits<double>::infinity();
  if (!wants_all)
    found.slowest_omitted = std::min(keep_nearest(options.n_eigenvalues, form), pair.slowest_omitted);
  found.Q = pair.Q * form.Z;
  found.P = pair.P * form.Z_inverse.transpose();
  const bool has_all = found.Q.cols() == N;

  const MultiVector F = unit_forces(inclusions, loads);
  const auto along = [&](const MultiVector& q) { return displacement_components(inclusions, observed, q); };
  const auto n = static_cast<Index>(found.Q.cols()), o = static_cast<Index>(observed.size());
  const MultiVector nothing = MultiVector::Zero(reduced.free().dofs().n_local(), n);
  const MultiVector C = along(displacements(reduced, found.Q, nothing));
  const MultiVector B_full = reduced.input(F), B = found.P.transpose() * B_full;
  const auto components_with_exact_zeros = [&](const MultiVector& q) {
    return displacement_components_with_exact_zeros(inclusions, observed, q);
  };
  MultiVector W =
      components_with_exact_zeros(displacements(reduced, MultiVector(MultiVector::Zero(N, m + p)), F));
  const MultiVector no_force = MultiVector::Zero(F.rows(), m + p);
  const MultiVector rate_response = components_with_exact_zeros(displacements(reduced, B_full, no_force));
  const auto of_contacts = [m](const MultiVector& A) -> MultiVector { return A.topLeftCorner(m, m); };
  const MultiVector accelerations =
      components_with_exact_zeros(displacements(reduced, reduced.apply_homogeneous(B_full), no_force));
  found.instantaneous_responses = {of_contacts(W), of_contacts(rate_response), of_contacts(accelerations),
                                   MultiVector::Zero(m, m)};
  found.R = MultiVector::Zero(N, m + p);
  found.keeps_compliance = options.keeps_static_compliance;
  found.modes = {form.J, B.leftCols(m), B.rightCols(p), C.topRows(m), {}, {}, {C.bottomRows(o), {}, {}}};
  if (!has_all) {
    // The response of the kept modes is subtracted before the solve, since it may be much larger than the
    // response of the omitted modes, and again after the solve, because of rounding errors.
    const double shift = largest_modulus({form.J.front()}) > 0 ? pair.shift : small_shift(reduced);
    const MultiVector y = reduced.shifted(shift).solve(MultiVector(B_full - found.Q * B));
    const MultiVector omitted_states = y - found.Q * (found.P.transpose() * y);
    const MultiVector left = along(displacements(reduced, omitted_states, no_force));
    found.omitted_compliance = of_contacts(left).cwiseAbs().maxCoeff();
    found.omitted_sizes = F.cwiseProduct(displacements(reduced, omitted_states, no_force))
                              .colwise()
                              .sum()
                              .cwiseAbs()
                              .cwiseSqrt();
    const MultiVector missing_rate_response = rate_response - product_with_exact_zeros(C, B);
    const double fast = 2 * found.slowest_omitted;
    add_fast_blocks(missing_rate_response, fast, found.modes);
    if (found.keeps_compliance) {
      W += left - missing_rate_response / (fast + shift);
      found.R = omitted_states;
    }
  }
  found.modes.W_K = W.topLeftCorner(m, m);
  found.modes.W_f = W.topRightCorner(m, p);
  found.modes.observed.W_K = W.bottomLeftCorner(o, m);
  found.modes.observed.W_f = W.bottomRightCorner(o, p);
  require_bounded(found.modes);

  found.fastest_kept = largest_modulus(form.J);
  const double rate = found.fastest_kept > 0 ? found.fastest_kept : characteristic_rate(reduced.free());
  found.residual = invariance_residual_of(reduced, found.Q, form.J, rate);
  found.n_fast = found.modes.n_coordinates() - n;
  found.Q = side_by_side({found.Q, MultiVector::Zero(N, found.n_fast)});
  found.P = side_by_side({found.P, MultiVector::Zero(N, found.n_fast)});
  return found;
}

template StructureModes structure_modes(const Inclusions<InstantiatedEngine>&, const MultiVector&,
                                        const std::vector<Direction>&, const StructureModesOptions&);

}  // namespace halfdof
