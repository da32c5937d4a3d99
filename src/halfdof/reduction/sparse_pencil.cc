// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/linear_algebra/ranks/pivot_rows.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/state_space.h>

#include <Eigen/LU>
#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = EigenMatrix::Storage;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// A block of algebraic DoFs that are eliminated together, with the same number of rows by which they are
/// eliminated. Blocks have no DoFs or rows in common.
struct Block {
  std::vector<Index> columns;  ///< positions among the algebraic DoFs
  std::vector<Index> rows;     ///< positions among the eliminating rows
};

/// Returns the n x n_columns matrix J of zeros and ones that maps y to x = J y with x(rows[i]) =
/// y(first_column + i).
Sparse placement_matrix(const std::vector<Index>& rows, Index first_column, Index n, Index n_columns) {
  Triplets ones;
  for (std::size_t i = 0; i < rows.size(); ++i)
    ones.emplace_back(rows[i], first_column + static_cast<Index>(i), 1.);
  Sparse J(n, n_columns);
  J.setFromTriplets(ones.begin(), ones.end());
  return J;
}

std::vector<Index> index_range(Index first, Index n) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// The free rows of the equation of motion in the form E y' + K_algebraic q_K = A y + F, with E y' = M J_I
/// v_I' + C J_C q_C'.
struct AssembledColumns {
  Sparse E, A, K_algebraic;
};

AssembledColumns assembled_columns(const ReducedSystem<EigenEngine>& reduced) {
  const Classification& kinds = reduced.classification();
  const FreeSystem<EigenEngine>& system = reduced.free();
  const Index n = system.dofs().n_local();
  const Index n_states = reduced.n_local_states();
  const Index n_I = kinds.inertial().n_local();
  const Index n_C = kinds.viscous().n_local();
  const Sparse q_I = placement_matrix(kinds.inertial().local(), 0, n, n_states);
  const Sparse q_C = placement_matrix(kinds.viscous().local(), n_I, n, n_states);
  const Sparse v_I = placement_matrix(kinds.inertial().local(), n_I + n_C, n, n_states);
  const Sparse q_K = placement_matrix(kinds.algebraic().local(), 0, n, kinds.algebraic().n_local());

  AssembledColumns columns;
  columns.E = system.M().entries() * v_I + system.C().entries() * q_C;
  const Sparse q = q_I + q_C;
  columns.A = -1. * system.K().entries() * q - 1. * system.C().entries() * v_I;
  columns.K_algebraic = system.K().entries() * q_K;
  return columns;
}

/// Returns the diagonal blocks of a matrix after a permutation: rows and columns that are connected by
/// entries.
std::vector<Block> connected_blocks(const Sparse& K) {
  const auto n_rows = static_cast<std::size_t>(K.rows()), n_columns = static_cast<std::size_t>(K.cols());
  boost::disjoint_sets_with_storage<> sets(n_rows + n_columns);
  for (Index j = 0; j < K.cols(); ++j)
    for (Sparse::InnerIterator entry(K, j); entry; ++entry)
      sets.union_set(static_cast<std::size_t>(entry.row()), n_rows + static_cast<std::size_t>(j));

  std::vector<Block> by_representative(n_rows + n_columns);
  for (std::size_t i = 0; i < n_rows; ++i)
    by_representative[sets.find_set(i)].rows.push_back(static_cast<Index>(i));
  for (std::size_t j = 0; j < n_columns; ++j)
    by_representative[sets.find_set(n_rows + j)].columns.push_back(static_cast<Index>(j));
  std::vector<Block> blocks;
  for (Block& block : by_representative)
    if (!block.columns.empty() || !block.rows.empty()) blocks.push_back(std::move(block));
  return blocks;
}

/// Counts the different rows in which the given columns of A have entries.
/// @param last_seen For each row, the stamp of the last call that found the row @param stamp A new number
/// for each call
double count_rows(const Sparse& A, const std::vector<Index>& columns, std::vector<Index>& last_seen,
                  Index stamp) {
  double n = 0;
  for (const Index j : columns)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      if (std::exchange(last_seen[static_cast<std::size_t>(entry.row())], stamp) != stamp) ++n;
  return n;
}

/// Returns an upper bound of the number of entries after the elimination by the eliminating rows, relative
/// to the number before it.
double predicted_fill(const AssembledColumns& columns, const std::vector<Block>& blocks,
                      const std::vector<Index>& eliminating) {
  const Sparse rows_of_E = columns.E.transpose();
  const Sparse rows_of_A = columns.A.transpose();
  std::vector<Index> seen_rows(static_cast<std::size_t>(columns.K_algebraic.rows()), -1);
  std::vector<Index> seen_in_E(static_cast<std::size_t>(columns.E.cols()), -1);
  std::vector<Index> seen_in_A = seen_in_E;

  const auto before =
      static_cast<double>(columns.E.nonZeros() + columns.A.nonZeros() + columns.K_algebraic.nonZeros());
  double added = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto stamp = static_cast<Index>(i);
    const auto b = static_cast<double>(blocks[i].columns.size());
    std::vector<Index> rows;
    for (const Index k : blocks[i].rows)
      rows.push_back(eliminating[static_cast<std::size_t>(k)]);
    const double s = count_rows(columns.K_algebraic, blocks[i].columns, seen_rows, stamp);
    const double t =
        count_rows(rows_of_E, rows, seen_in_E, stamp) + count_rows(rows_of_A, rows, seen_in_A, stamp);
    added += b * b + s * (b + t);
  }
  return before > 0 ? (before + added) / before : 1;
}

/// Computes the inverse of a square matrix block by block. There is no result if a block is singular.
std::optional<Sparse> inverse(const Sparse& K, const std::vector<Block>& blocks) {
  Triplets entries;
  std::vector<Index> place(static_cast<std::size_t>(K.rows()));
  for (const Block& block : blocks) {
    const auto b = static_cast<Index>(block.columns.size());
    if (block.rows.size() != block.columns.size()) return std::nullopt;
    for (Index i = 0; i < b; ++i)
      place[static_cast<std::size_t>(block.rows[static_cast<std::size_t>(i)])] = i;
    MultiVector dense = MultiVector::Zero(b, b);
    for (Index k = 0; k < b; ++k)
      for (Sparse::InnerIterator entry(K, block.columns[static_cast<std::size_t>(k)]); entry; ++entry)
        dense(place[static_cast<std::size_t>(entry.row())], k) = entry.value();
    const std::optional<MultiVector> inverted = inverse_of(dense);
    if (!inverted) return std::nullopt;
    for (Index i = 0; i < b; ++i)
      for (Index j = 0; j < b; ++j)
        if ((*inverted)(i, j) != 0)
          entries.emplace_back(block.columns[static_cast<std::size_t>(i)],
                               block.rows[static_cast<std::size_t>(j)], (*inverted)(i, j));
  }
  Sparse result(K.cols(), K.rows());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// The rows by which algebraic DoFs are eliminated, and the inverse of their stiffness in these rows.
struct LocalElimination {
  std::vector<Index> rows;
  double fill;
  Sparse inverse;
};

/// Eliminates algebraic DoFs by some rows. There is no result if the stiffness in these rows is singular.
/// @throws BeyondLimit
std::optional<LocalElimination> eliminate_by_rows(std::vector<Index> rows, const AssembledColumns& columns,
                                                  double max_fill) {
  const Sparse& K = columns.K_algebraic;
  const Sparse J = placement_matrix(rows, 0, static_cast<Index>(K.rows()), static_cast<Index>(rows.size()));
  const Sparse square = Sparse(J.transpose()) * K;
  const std::vector<Block> blocks = connected_blocks(square);
  const double fill = predicted_fill(columns, blocks, rows);
  if (!(fill <= max_fill)) {
    std::ostringstream message;
    message << "The elimination of the " << K.cols()
            << " algebraic DoFs fills the sparse pencil, which would have up to " << fill
            << " times as many entries as the assembled matrices, more than the limit of " << max_fill
            << ". Use the operator form (apply, shifted, lift), which has no fill-in, or raise "
               "SparsePencilOptions::max_fill.";
    throw BeyondLimit(message.str());
  }
  std::optional<Sparse> inverted = inverse(square, blocks);
  if (!inverted) return std::nullopt;
  return LocalElimination{std::move(rows), fill, *std::move(inverted)};
}

/// Names up to ten of the algebraic DoFs.
std::string names_of_algebraic(const ReducedSystem<EigenEngine>& reduced) {
  constexpr std::size_t max_listed = 10;
  const std::vector<Index>& algebraic = reduced.classification().algebraic().local();
  std::string names;
  for (std::size_t i = 0; i < std::min(algebraic.size(), max_listed); ++i)
    names += (i ? ", " : "") + reduced.free().describe(algebraic[i]);
  return names + (algebraic.size() > max_listed ? ", ..." : "");
}

/// Eliminates algebraic DoFs by their own rows. If the stiffness is singular in these rows, the pivot rows
/// of an LU factorization of the algebraic columns are used, where each row is scaled by its norm.
LocalElimination local_elimination(const ReducedSystem<EigenEngine>& reduced, const AssembledColumns& columns,
                                   double max_fill) {
  if (auto own = eliminate_by_rows(reduced.classification().algebraic().local(), columns, max_fill))
    return *std::move(own);
  const Sparse& K = columns.K_algebraic;
  const Vector inverse_row_norms =
      column_norms(Sparse(K.transpose())).unaryExpr([](double norm) { return norm > 0 ? 1 / norm : 0.; });
  const PivotRows pivots = pivot_rows(Sparse(inverse_row_norms.asDiagonal() * K));
  if (pivots.dependent.empty())
    if (auto others = eliminate_by_rows(pivots.rows, columns, max_fill)) return *std::move(others);
  throw NotAvailable("The sparse pencil eliminates the " + std::to_string(K.cols()) +
                     " algebraic DoFs by as many rows of their stiffness, but the stiffness is singular or "
                     "nearly singular in their own rows and in the pivot rows of an LU factorization: " +
                     names_of_algebraic(reduced) +
                     ". Use the operator form or the dense matrices, which are computed with D as a whole.");
}

}  // namespace

SparsePencil sparse_pencil(const ReducedSystem<EigenEngine>& reduced, const SparsePencilOptions& options) {
  const Classification& kinds = reduced.classification();
  const Index n = reduced.free().dofs().n_local();
  const Index n_I = kinds.inertial().n_local();
  const Index n_C = kinds.viscous().n_local();
  const Index n_states = reduced.n_local_states();
  const AssembledColumns columns = assembled_columns(reduced);

  const LocalElimination local = local_elimination(reduced, columns, options.max_fill);
  SparsePencil pencil;
  pencil.fill = local.fill;
  std::vector<bool> eliminates(static_cast<std::size_t>(n), false);
  for (const Index row : local.rows)
    eliminates[static_cast<std::size_t>(row)] = true;
  std::vector<Index> others;
  for (const Selection* kind : {&kinds.viscous(), &kinds.inertial(), &kinds.algebraic()})
    for (const Index row : kind->local())
      if (!eliminates[static_cast<std::size_t>(row)]) others.push_back(row);

  // The remaining rows minus multiples of the eliminating rows: T = J_r^T - K_rK K_eK^{-1} J_e^T.
  const Sparse rows_r = placement_matrix(others, 0, n, n_I + n_C);
  const Sparse rows_e = placement_matrix(local.rows, 0, n, kinds.algebraic().n_local());
  const Sparse K_rK = rows_r.transpose() * columns.K_algebraic;
  const Sparse G = K_rK * local.inverse;
  const Sparse T = Sparse(rows_r.transpose()) - Sparse(G * rows_e.transpose());

  const Sparse dynamic_rows = placement_matrix(index_range(n_I, n_I + n_C), 0, n_states, n_I + n_C);
  const Selection& free = reduced.assembled().free();
  Sparse free_placement =
      placement_matrix(free.local(), 0, static_cast<Index>(reduced.assembled().n_dofs()), free.n_local());
  if (const auto& Z = reduced.free().equations()) free_placement = free_placement * Z->entries();
  const Sparse E = dynamic_rows * Sparse(T * columns.E);
  const Sparse A = dynamic_rows * Sparse(T * columns.A);
  pencil.E = EigenMatrix(E + placement_matrix(index_range(0, n_I), 0, n_states, n_states));
  pencil.A = EigenMatrix(A + placement_matrix(index_range(0, n_I), n_I + n_C, n_states, n_states));
  pencil.B = EigenMatrix(dynamic_rows * Sparse(T * free_placement.transpose()));
  return pencil;
}

}  // namespace halfdof
