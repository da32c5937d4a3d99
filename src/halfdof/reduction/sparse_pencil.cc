#include <halfdof/linear_algebra/dense_solves.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/sparse_pencil.h>

#include <Eigen/LU>
#include <boost/pending/disjoint_sets.hpp>

#include <numeric>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

using Sparse = EigenMatrix::Storage;
using Triplets = std::vector<Eigen::Triplet<double>>;
using Block = std::vector<Index>;  ///< places among the algebraic DoFs

/// The n x n_columns matrix J with x(rows[i]) = y(first_column + i) for x = J y.
Sparse placement(const std::vector<Index>& rows, Index first_column, Index n, Index n_columns) {
  Triplets ones;
  for (std::size_t i = 0; i < rows.size(); ++i)
    ones.emplace_back(rows[i], first_column + static_cast<Index>(i), 1.);
  Sparse J(n, n_columns);
  J.setFromTriplets(ones.begin(), ones.end());
  return J;
}

std::vector<Index> range(Index first, Index n) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// The free rows as M J_I v_I' + C J_C q_C' + K J_K q_K = A y + F.
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
  const Sparse q_I = placement(kinds.inertial().local(), 0, n, n_states);
  const Sparse q_C = placement(kinds.viscous().local(), n_I, n, n_states);
  const Sparse v_I = placement(kinds.inertial().local(), n_I + n_C, n, n_states);
  const Sparse q_K = placement(kinds.algebraic().local(), 0, n, kinds.algebraic().n_local());

  AssembledColumns columns;
  columns.E = system.M().entries() * v_I + system.C().entries() * q_C;
  const Sparse q = q_I + q_C;
  columns.A = -1. * system.K().entries() * q - 1. * system.C().entries() * v_I;
  columns.K_algebraic = system.K().entries() * q_K;
  return columns;
}

/// The diagonal blocks of K_KK: algebraic DoFs connected by its entries.
std::vector<Block> blocks_of(const Sparse& K_KK) {
  boost::disjoint_sets_with_storage<> sets(static_cast<std::size_t>(K_KK.cols()));
  for (Index j = 0; j < K_KK.cols(); ++j)
    for (Sparse::InnerIterator entry(K_KK, j); entry; ++entry)
      sets.union_set(static_cast<std::size_t>(entry.row()), static_cast<std::size_t>(j));

  std::vector<Block> by_representative(static_cast<std::size_t>(K_KK.cols()));
  for (Index j = 0; j < K_KK.cols(); ++j)
    by_representative[sets.find_set(static_cast<std::size_t>(j))].push_back(j);
  std::vector<Block> blocks;
  for (Block& block : by_representative)
    if (!block.empty()) blocks.push_back(std::move(block));
  return blocks;
}

/// How many different rows the given columns of A meet.
double count_rows(const Sparse& A, const Block& columns, std::vector<Index>& last_seen, Index stamp) {
  double n = 0;
  for (const Index j : columns)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      if (std::exchange(last_seen[static_cast<std::size_t>(entry.row())], stamp) != stamp) ++n;
  return n;
}

/// Entries after the elimination over entries before, at most.
double predicted_fill(const AssembledColumns& columns, const std::vector<Block>& blocks,
                      const std::vector<Index>& algebraic) {
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
    const auto b = static_cast<double>(blocks[i].size());
    Block rows;
    for (const Index k : blocks[i])
      rows.push_back(algebraic[static_cast<std::size_t>(k)]);
    const double s = count_rows(columns.K_algebraic, blocks[i], seen_rows, stamp);
    const double t =
        count_rows(rows_of_E, rows, seen_in_E, stamp) + count_rows(rows_of_A, rows, seen_in_A, stamp);
    added += b * b + s * (b + t);
  }
  return before > 0 ? (before + added) / before : 1;
}

[[noreturn]] void refuse_singular(const ReducedSystem<EigenEngine>& reduced, const Block& block) {
  std::ostringstream message;
  message << "The sparse pencil eliminates algebraic DoFs by their own rows, but the stiffness among "
          << block.size() << " of them is singular: ";
  for (std::size_t i = 0; i < block.size() && i < 10; ++i)
    message << (i ? ", " : "")
            << reduced.free().describe(
                   reduced.classification().algebraic().local()[static_cast<std::size_t>(block[i])]);
  message << (block.size() > 10 ? ", ..." : "")
          << ". Use the operator form or the dense matrices, which eliminate through D as a whole.";
  throw NotAvailable(message.str());
}

/// K_KK^{-1}, block by block.
Sparse inverse(const Sparse& K_KK, const std::vector<Block>& blocks,
               const ReducedSystem<EigenEngine>& reduced) {
  Triplets entries;
  std::vector<Index> place(static_cast<std::size_t>(K_KK.cols()));
  for (const Block& block : blocks) {
    const auto b = static_cast<Index>(block.size());
    for (Index i = 0; i < b; ++i)
      place[static_cast<std::size_t>(block[static_cast<std::size_t>(i)])] = i;
    MultiVector dense = MultiVector::Zero(b, b);
    for (const Index k : block)
      for (Sparse::InnerIterator entry(K_KK, k); entry; ++entry)
        dense(place[static_cast<std::size_t>(entry.row())], place[static_cast<std::size_t>(k)]) =
            entry.value();
    const std::optional<MultiVector> inverted = inverse_of(dense);
    if (!inverted) refuse_singular(reduced, block);
    for (Index i = 0; i < b; ++i)
      for (Index j = 0; j < b; ++j)
        if ((*inverted)(i, j) != 0)
          entries.emplace_back(block[static_cast<std::size_t>(i)], block[static_cast<std::size_t>(j)],
                               (*inverted)(i, j));
  }
  Sparse result(K_KK.rows(), K_KK.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

SparsePencil sparse_pencil(const ReducedSystem<EigenEngine>& reduced, const SparsePencilOptions& options) {
  const Classification& kinds = reduced.classification();
  const Index n = reduced.free().dofs().n_local();
  const Index n_I = kinds.inertial().n_local();
  const Index n_C = kinds.viscous().n_local();
  const Index n_states = reduced.n_local_states();
  const AssembledColumns columns = assembled_columns(reduced);

  const Sparse K_KK =
      EigenEngine::submatrix(reduced.free().K(), kinds.algebraic(), kinds.algebraic()).entries();
  const std::vector<Block> blocks = blocks_of(K_KK);
  SparsePencil pencil;
  pencil.fill = predicted_fill(columns, blocks, kinds.algebraic().local());
  if (!(pencil.fill <= options.max_fill)) {
    std::ostringstream message;
    message << "The elimination of the " << kinds.n_algebraic()
            << " algebraic DoFs is not local: the pencil would hold up to " << pencil.fill
            << " times the entries of the assembled columns, more than the limit of " << options.max_fill
            << ". Use the operator form (apply, shifted, lift), which fills nothing, or raise "
               "SparsePencilOptions::max_fill.";
    throw BeyondLimit(message.str());
  }

  // Rows of the other DoFs, less those of the algebraic ones: T = J_r^T - K_rK K_KK^{-1} J_K^T.
  const Sparse rows_r = placement(kinds.viscous().local(), 0, n, n_I + n_C) +
                        placement(kinds.inertial().local(), n_C, n, n_I + n_C);
  const Sparse rows_K = placement(kinds.algebraic().local(), 0, n, kinds.algebraic().n_local());
  const Sparse K_rK = rows_r.transpose() * columns.K_algebraic;
  const Sparse G = K_rK * inverse(K_KK, blocks, reduced);
  const Sparse T = Sparse(rows_r.transpose()) - Sparse(G * rows_K.transpose());

  const Sparse below = placement(range(n_I, n_I + n_C), 0, n_states, n_I + n_C);
  const Selection& free = reduced.assembled().free();
  Sparse of_free =
      placement(free.local(), 0, static_cast<Index>(reduced.assembled().n_dofs()), free.n_local());
  if (const auto& Z = reduced.free().equations()) of_free = of_free * Z->entries();
  const Sparse E = below * Sparse(T * columns.E);
  const Sparse A = below * Sparse(T * columns.A);
  pencil.E = EigenMatrix(E + placement(range(0, n_I), 0, n_states, n_states));
  pencil.A = EigenMatrix(A + placement(range(0, n_I), n_I + n_C, n_states, n_states));
  pencil.B = EigenMatrix(below * Sparse(T * of_free.transpose()));
  return pencil;
}

}  // namespace halfdof
