// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/reaction_split.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/dense/stack.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Entries of a null vector below this value, relative to its largest entry, count as zero.
constexpr double negligible = 1e-8;

/// Returns the reduced echelon form of a basis N: a basis of the same span that contains an identity matrix
/// in some rows, so that linear dependencies of different directions are in different columns.
MultiVector echelon_basis(const MultiVector& N) {
  if (N.cols() == 0) return N;
  const std::vector<Index> pivots = independent_columns(N.transpose(), 0);
  const MultiVector reduced = N * inverse_of(N(pivots, Eigen::all)).value();
  return (reduced.array().abs() < negligible * reduced.cwiseAbs().maxCoeff()).select(0., reduced);
}

double least_eigenvalue_of_symmetric_part(const MultiVector& Q) {
  return symmetric_eigenvalues(0.5 * (Q + Q.transpose())).minCoeff();
}

/// Whether the condition number of the symmetric part of Q shows that this part is definite, so that Q is
/// regular. In most cases the check makes the computation of eigenvalues unnecessary.
bool is_clearly_definite(const MultiVector& Q, double tolerance) {
  return reciprocal_condition_of_definite(0.5 * (Q + Q.transpose())) > 100 * tolerance;
}

MultiVector with_unit_diagonal(const MultiVector& W) {
  const Vector d = W.diagonal().cwiseSqrt().cwiseInverse();
  return d.asDiagonal() * W * d.asDiagonal();
}

}  // namespace

const ReactionSplit::Part* ReactionSplit::part(DoFKind kind) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.kind == kind; });
  return found != parts.end() ? &*found : nullptr;
}

}  // namespace halfdof

namespace halfdof::internal {

/// Bases of the right and the left kernel of Q: Q V = 0, U^T Q = 0, and V^T U = I if possible.
struct ReactionSplitter::Kernel {
  MultiVector V, U;
  bool is_monotone;  ///< whether Q + Q^T is positive semidefinite
};

ReactionSplitter::ReactionSplitter(Index n_directions, Symmetry symmetry, double tolerance)
    : symmetry_(symmetry),
      tolerance_(tolerance),
      V_(MultiVector::Identity(n_directions, n_directions)),
      U_(V_),
      unit_response_reaction_(Vector::Ones(n_directions)) {
  split_.kinds_of.resize(static_cast<std::size_t>(n_directions));
  split_.response.resize(static_cast<std::size_t>(n_directions), 0.);
}

ReactionSplitter::Kernel ReactionSplitter::kernel(const MultiVector& Q) const {
  const MultiVector none(Q.cols(), 0);
  if (is_clearly_definite(Q, tolerance_)) return {none, none, true};
  const bool is_monotone =
      least_eigenvalue_of_symmetric_part(Q) >= -tolerance_ * static_cast<double>(Q.cols());
  if (symmetry_ == Symmetry::symmetric) {
    const SymmetricEigenpairs eigen = symmetric_eigenpairs(Q);
    const Vector magnitude = eigen.values.cwiseAbs();
    std::vector<Index> null;
    for (Index i = 0; i < magnitude.size(); ++i)
      if (magnitude[i] <= tolerance_ * magnitude.maxCoeff()) null.push_back(i);
    const MultiVector V = echelon_basis(eigen.vectors(Eigen::all, null));
    return {V, V, is_monotone};
  }
  const LeastSquares decomposition(Q, tolerance_);
  if (decomposition.rank() == Q.cols()) return {none, none, is_monotone};
  const MultiVector V = echelon_basis(decomposition.kernel()), left = decomposition.left_kernel();
  const std::optional<MultiVector> pairing = inverse_of(V.transpose() * left);
  return {V, pairing ? MultiVector(left * *pairing) : left, is_monotone};
}

std::vector<Index> ReactionSplitter::directions_of_column(Index column) const {
  const Vector share = V_.col(column).cwiseQuotient(unit_response_reaction_).cwiseAbs();
  std::vector<Index> directions;
  for (Index j = 0; j < share.size(); ++j)
    if (share[j] > negligible * share.maxCoeff()) directions.push_back(j);
  return directions;
}

void ReactionSplitter::decide(DoFKind kind, const MultiVector& P, const Vector& bounds) {
  std::vector<Index> active, passive;
  std::vector<Index> directions;
  for (Index i = 0; i < P.cols(); ++i) {
    if (std::abs(P(i, i)) <= tolerance_ * bounds[i]) {
      passive.push_back(i);
      continue;
    }
    const std::vector<Index> of_column = directions_of_column(i);
    // The first column in which a direction appears is a unit vector, because combinations contain only
    // directions that already have a response.
    const auto first = static_cast<std::size_t>(of_column.front());
    if (split_.kinds_of[first].empty()) split_.response[first] = P(i, i);
    if (P(i, i) < 0) {
      split_.negative.insert(split_.negative.end(), of_column.begin(), of_column.end());
      continue;
    }
    active.push_back(i);
    directions.insert(directions.end(), of_column.begin(), of_column.end());
    if (of_column.size() == 1)
      unit_response_reaction_[of_column.front()] = std::abs(V_(of_column.front(), i)) / std::sqrt(P(i, i));
  }
  if (active.empty()) return;
  std::sort(directions.begin(), directions.end());
  directions.erase(std::unique(directions.begin(), directions.end()), directions.end());
  for (const Index j : directions)
    split_.kinds_of[static_cast<std::size_t>(j)].push_back(kind);

  MultiVector P_active = P(active, active);
  if (symmetry_ == Symmetry::symmetric) P_active = 0.5 * (P_active + P_active.transpose()).eval();
  const MultiVector Q = with_unit_diagonal(P_active);
  const Kernel null = kernel(Q);
  split_.parts.push_back({kind, static_cast<Index>(Q.cols() - null.V.cols()), null.is_monotone, directions});

  const Vector d = P_active.diagonal().cwiseSqrt().cwiseInverse();
  const auto undecided = [&](const MultiVector& basis, const MultiVector& null_vectors) {
    MultiVector rest(basis.rows(), static_cast<Index>(passive.size()) + null_vectors.cols());
    stack_columns(rest, basis(Eigen::all, passive),
                  basis(Eigen::all, active) * d.asDiagonal() * null_vectors);
    return rest;
  };
  MultiVector V = undecided(V_, null.V);
  U_ = symmetry_ == Symmetry::symmetric ? V : undecided(U_, null.U);
  V_ = std::move(V);  // The move cannot fail for lack of memory, unlike a copy.
}

ReactionSplit ReactionSplitter::finish() {
  for (Index i = 0; i < V_.cols(); ++i)
    if (const std::vector<Index> group = directions_of_column(i); group.size() > 1)
      split_.dependent.push_back(group);
  return split_;
}

Index scaled_rank(const MultiVector& W, double tolerance) {
  if (W.size() == 0) return 0;
  const MultiVector Q = with_unit_diagonal(W);
  if (is_clearly_definite(Q, tolerance)) return static_cast<Index>(Q.cols());
  return static_cast<Index>(independent_columns(Q, tolerance).size());
}

}  // namespace halfdof::internal
