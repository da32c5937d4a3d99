// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/saddle_point_solver.h>

#include <Eigen/OrderingMethods>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

/// The pivot of a reaction counts as zero below this value, relative to the largest term of the sum that
/// gives the pivot.
constexpr double negligible_pivot = 1e-14;

/// Returns the minimum degree ordering of the DoFs for the pattern of P + H H^T, that is, with a spring along
/// each direction.
std::vector<Index> elimination_order(const Eigen::SparseMatrix<double>& P,
                                     const Eigen::SparseMatrix<double>& H) {
  const Eigen::SparseMatrix<double> size = H.cwiseAbs(),
                                    springs = size * Eigen::SparseMatrix<double>(size.transpose()),
                                    pattern = Eigen::SparseMatrix<double>(P.cwiseAbs()) + springs;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> order;
  Eigen::AMDOrdering<Index>()(pattern, order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

}  // namespace

SaddlePointSolver::SaddlePointSolver(const Sparse& P, const Sparse& H) {
  number_unknowns(P, H);
  assemble(P, H);
  factors_.analyzePattern(K_);
}

void SaddlePointSolver::number_unknowns(const Sparse& P, const Sparse& H) {
  const std::vector<Index> order = elimination_order(P, H);
  std::vector<Index> elimination_step(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    elimination_step[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  std::vector<std::vector<Index>> directions_after_dof(order.size());
  for (Index j = 0; j < H.cols(); ++j) {
    Index last = 0;
    for (Sparse::InnerIterator entry(H, j); entry; ++entry)
      last = std::max(last, elimination_step[static_cast<std::size_t>(entry.row())]);
    directions_after_dof[static_cast<std::size_t>(last)].push_back(j);
  }
  place_of_dof_.resize(order.size());
  place_of_direction_.resize(static_cast<std::size_t>(H.cols()));
  Index place = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place_of_dof_[static_cast<std::size_t>(order[k])] = place++;
    for (const Index j : directions_after_dof[k])
      place_of_direction_[static_cast<std::size_t>(j)] = place++;
  }
}

void SaddlePointSolver::assemble(const Sparse& P, const Sparse& H) {
  std::vector<Eigen::Triplet<double, Index>> upper;
  const auto add = [&](Index i, Index j, double value) {
    upper.emplace_back(std::min(i, j), std::max(i, j), value);
  };
  const auto place = [this](Eigen::Index dof) { return place_of_dof_[static_cast<std::size_t>(dof)]; };
  for (Index j = 0; j < P.cols(); ++j)
    for (Sparse::InnerIterator entry(P, j); entry; ++entry)
      if (place(entry.row()) <= place(j)) add(place(entry.row()), place(j), entry.value());
  for (Index j = 0; j < H.cols(); ++j) {
    const Index own = place_of_direction_[static_cast<std::size_t>(j)];
    add(own, own, -1.);
    for (Sparse::InnerIterator entry(H, j); entry; ++entry)
      add(place(entry.row()), own, entry.value());
  }
  const auto n = static_cast<Index>(place_of_dof_.size() + place_of_direction_.size());
  K_.resize(n, n);
  K_.setFromTriplets(upper.begin(), upper.end());
  for (Index j = 0; j < H.cols(); ++j) {
    const Index own = place_of_direction_[static_cast<std::size_t>(j)];
    Entries& of = entries_.emplace_back(Entries{entry(own, own), {}});
    for (Sparse::InnerIterator h(H, j); h; ++h)
      of.of_H.emplace_back(entry(place(h.row()), own), h.value());
  }
  right_.resize(n);
}

/// Returns the position of the entry (i, j) of the symmetric matrix K_ in its array of values.
Eigen::Index SaddlePointSolver::entry(Index i, Index j) const {
  const Index* const rows = K_.innerIndexPtr();
  const Index* const starts = K_.outerIndexPtr();
  const Index row = std::min(i, j), column = std::max(i, j);
  return std::lower_bound(rows + starts[column], rows + starts[column + 1], row) - rows;
}

bool SaddlePointSolver::factorize(const std::vector<Index>& held) {
  for (const Entries& of : entries_) {
    K_.valuePtr()[of.diagonal] = -1;
    for (const auto& [position, value] : of.of_H)
      K_.valuePtr()[position] = 0;
  }
  for (const Index j : held) {
    const Entries& of = entries_[static_cast<std::size_t>(j)];
    K_.valuePtr()[of.diagonal] = 0;
    for (const auto& [position, value] : of.of_H)
      K_.valuePtr()[position] = value;
  }
  held_ = held;
  factors_.factorize(K_);
  if (factors_.info() != Eigen::Success) return false;
  const Vector& D = factors_.vectorD();
  const auto is_regular = [&](Index j) {
    double largest = 0;
    for (const auto& [position, value] : entries_[static_cast<std::size_t>(j)].of_H)
      largest = std::max(largest, value * value / std::abs(D[K_.innerIndexPtr()[position]]));
    return -D[place_of_direction_[static_cast<std::size_t>(j)]] > negligible_pivot * largest;
  };
  return std::all_of(held.begin(), held.end(), is_regular);
}

void SaddlePointSolver::solve(Eigen::Ref<Vector> right) const {
  right_.setZero();
  const auto place = [this](Index k) {
    return place_of_direction_[static_cast<std::size_t>(held_[static_cast<std::size_t>(k)])];
  };
  for (Index k = 0; k < right.size(); ++k)
    right_[place(k)] = right[k];
  right_ = factors_.solve(right_).eval();
  for (Index k = 0; k < right.size(); ++k)
    right[k] = -right_[place(k)];
}

}  // namespace halfdof::internal
