// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_elimination.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// The kinds of DoFs, in the order of the rows and columns in which D is block triangular if null columns
/// have null rows.
enum KindIndex : std::size_t { algebraic, viscous, inertial, n_kinds };

/// The blocks of D: the rows of one kind of DoFs in the columns of another kind. Blocks are read from M, C
/// and K when they are needed. Collective.
template <class Engine>
class BlocksOfD {
 public:
  using Matrix = typename Engine::Matrix;

  BlocksOfD(const FreeSystem<Engine>& system, const Classification& classification)
      : kinds_{{{"K_KK", system.stiffness(), classification.algebraic()},
                {"C_CC", system.damping(), classification.viscous()},
                {"M_II", system.mass(), classification.inertial()}}} {}

  const char* name(std::size_t kind) const { return kinds_[kind].block; }
  const Selection& dofs(std::size_t kind) const { return kinds_[kind].dofs; }

  /// Reads the blocks of some row kinds in the columns of one kind, unless they have been read. All these
  /// blocks are read in one pass over the columns.
  void read_blocks(const std::vector<std::size_t>& rows, std::size_t columns) {
    const StageTimer stage("select blocks of D");
    std::vector<std::size_t> missing;
    std::vector<Selection> selections;
    for (const std::size_t kind : rows)
      if (!blocks_[kind][columns]) {
        missing.push_back(kind);
        selections.push_back(dofs(kind));
      }
    if (missing.empty()) return;
    std::vector<Matrix> read = kinds_[columns].source.row_blocks(selections, dofs(columns));
    for (std::size_t m = 0; m < missing.size(); ++m)
      blocks_[missing[m]][columns] = std::move(read[m]);
  }

  /// Returns a block that was read, and removes it from this object.
  Matrix release_block(std::size_t rows, std::size_t columns) {
    Matrix block = *std::move(blocks_[rows][columns]);
    blocks_[rows][columns].reset();
    return block;
  }

  /// Returns an order of the kinds in which the rows of each kind have no entries in the columns of later
  /// kinds. The result is empty if there is no such order.
  std::vector<std::size_t> triangular_order() {
    read_blocks({algebraic}, algebraic);
    read_blocks({algebraic, viscous}, viscous);
    read_blocks({algebraic, viscous, inertial}, inertial);
    if (!has_entries(algebraic, viscous) && !has_entries(algebraic, inertial) &&
        !has_entries(viscous, inertial))
      return {algebraic, viscous, inertial};
    for (std::size_t kind = 0; kind < n_kinds; ++kind)
      read_blocks({algebraic, viscous, inertial}, kind);
    std::vector<std::size_t> order;
    while (order.size() < n_kinds) {
      std::size_t next = 0;
      while (next < n_kinds && !may_come_next(next, order))
        ++next;
      if (next == n_kinds) return {};
      order.push_back(next);
    }
    return order;
  }

 private:
  struct Kind {
    const char* block;
    const FreeMatrix<Engine>& source;
    const Selection& dofs;
  };

  bool has_entries(std::size_t rows, std::size_t columns) const {
    const Matrix& block = *blocks_[rows][columns];
    return block.rows().communicator().any(block.n_local_entries() > 0);
  }

  bool may_come_next(std::size_t kind, const std::vector<std::size_t>& order) const {
    const auto is_ordered = [&](std::size_t other) {
      return std::find(order.begin(), order.end(), other) != order.end();
    };
    if (is_ordered(kind)) return false;
    for (std::size_t other = 0; other < n_kinds; ++other)
      if (other != kind && !is_ordered(other) && has_entries(kind, other)) return false;
    return true;
  }

  std::array<Kind, n_kinds> kinds_;
  std::array<std::array<std::optional<Matrix>, n_kinds>, n_kinds> blocks_;
};

/// Computes y -= A x, unless A has no rows or no columns on all processes.
template <class Matrix>
void subtract_product(const Matrix& A, const MultiVector& x, MultiVector& y) {
  if (A.rows().n_global() > 0 && A.columns().n_global() > 0) A.add_product(-1., x, y);
}

template <class Matrix>
void subtract_transposed_product(const Matrix& A, const MultiVector& x, MultiVector& y) {
  if (A.rows().n_global() > 0 && A.columns().n_global() > 0) A.add_transposed_product(-1., x, y);
}

}  // namespace

template <class Engine>
Attempt<MixedColumnMatrix<Engine>> MixedColumnMatrix<Engine>::factorized(const FreeSystem<Engine>& system,
                                                                         const Classification& classification,
                                                                         const EliminationOptions& options) {
  MixedColumnMatrix D(classification, options.condition_warning);
  std::optional<Refusal> refusal;
  if (options.path != EliminationPath::whole) refusal = D.factorize_parts(system, options);
  if (!refusal && options.path == EliminationPath::block_triangular && !D.is_block_triangular())
    refusal = NotAvailable(
        "The block-triangular elimination was requested, but the mass or the damping matrix has entries in "
        "the rows of half degrees of freedom whose columns are null. Use the path `whole` or `automatic`.");
  if (!refusal && !D.is_block_triangular()) refusal = D.factorize_whole(system, options);
  if (refusal) return *std::move(refusal);
  return D;
}

template <class Engine>
Attempt<FactorizationPtr<double>> MixedColumnMatrix<Engine>::factorize(const FreeSystem<Engine>& system,
                                                                       const SingularBlock<Engine>& block,
                                                                       const EliminationOptions& options) {
  if (block.dofs.n_global() == 0) return FactorizationPtr<double>();
  Attempt<FactorizedBlock> factorized =
      factorize_block(system, classification_, block, options.factorization, options.condition_limit);
  if (!factorized) return factorized.refusal();
  blocks_.push_back({block.name, factorized->factorization->report(), factorized->condition});
  return std::move(factorized->factorization);
}

template <class Engine>
std::optional<Refusal> MixedColumnMatrix<Engine>::factorize_parts(const FreeSystem<Engine>& system,
                                                                  const EliminationOptions& options) {
  BlocksOfD<Engine> blocks(system, classification_);
  const std::vector<std::size_t> order = blocks.triangular_order();
  is_upper_triangular_ = order == std::vector<std::size_t>{algebraic, viscous, inertial};
  for (const std::size_t kind : order) {
    auto factorization =
        factorize(system, {blocks.name(kind), blocks.release_block(kind, kind), blocks.dofs(kind)}, options);
    if (!factorization) return factorization.refusal();
    parts_.push_back({blocks.dofs(kind), std::move(*factorization), {}});
  }
  // The other blocks are read after all factorizations, because the factorizations need the most memory.
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::vector<std::size_t> later(order.begin() + static_cast<std::ptrdiff_t>(k) + 1, order.end());
    blocks.read_blocks(later, order[k]);
    for (std::size_t p = k + 1; p < order.size(); ++p)
      parts_[p].couplings.push_back(blocks.release_block(order[p], order[k]));
  }
  return std::nullopt;
}

template <class Engine>
std::optional<Refusal> MixedColumnMatrix<Engine>::factorize_whole(const FreeSystem<Engine>& system,
                                                                  const EliminationOptions& options) {
  const Index n_local = system.dofs().n_local();
  std::vector<Index> all(static_cast<std::size_t>(n_local));
  std::iota(all.begin(), all.end(), 0);
  auto factorization = factorize(
      system,
      {"D",
       Engine::select_columns(system.M(), system.C(), system.K(), column_sources(classification_, n_local)),
       Selection(std::move(all), system.dofs())},
      options);
  if (!factorization) return factorization.refusal();
  D_ = std::move(*factorization);
  return std::nullopt;
}

template <class Engine>
MultiVector MixedColumnMatrix<Engine>::solve(ConstView<double> b) const {
  if (!is_block_triangular()) return D_ ? D_->solve(b) : MultiVector(b);
  std::vector<MultiVector> solved;
  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  for (const Part& part : parts_) {
    MultiVector y = part.dofs.selected_rows(b);
    for (std::size_t before = 0; before < solved.size(); ++before)
      subtract_product(part.couplings[before], solved[before], y);
    solved.push_back(part.factorization ? part.factorization->solve(y) : y);
    part.dofs.add_to(solved.back(), x);
  }
  return x;
}

template <class Engine>
MultiVector MixedColumnMatrix<Engine>::solve_transposed(ConstView<double> b) const {
  if (!is_block_triangular()) return D_ ? D_->solve_transposed(b) : MultiVector(b);
  std::vector<MultiVector> solved(parts_.size());
  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  for (std::size_t p = parts_.size(); p-- > 0;) {
    const Part& part = parts_[p];
    MultiVector y = part.dofs.selected_rows(b);
    for (std::size_t later = parts_.size(); later-- > p + 1;)
      subtract_transposed_product(parts_[later].couplings[p], solved[later], y);
    solved[p] = part.factorization ? part.factorization->solve_transposed(y) : y;
    part.dofs.add_to(solved[p], x);
  }
  return x;
}

template <class Engine>
double MixedColumnMatrix<Engine>::condition() const {
  double largest = 1;
  for (const EliminationBlock& block : blocks_)
    largest = std::max(largest, block.condition);
  return largest;
}

template class MixedColumnMatrix<InstantiatedEngine>;

}  // namespace halfdof::internal
