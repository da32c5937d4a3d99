#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_elimination.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

/// Whether the selected rows of A hold nothing but zeros.
bool are_null(const Selection& rows, const Vector& row_norms, const Communicator& communicator) {
  return !communicator.any(rows.n_local() > 0 && rows.restrict(row_norms).maxCoeff() > 0);
}

/// Null rows wherever there are null columns: D is block triangular in the order (I, C, K).
template <class Engine>
bool has_null_rows(const FreeSystem<Engine>& system, const Classification& classification) {
  const Communicator& communicator = system.dofs().communicator();
  const Vector M = Engine::row_norms(system.M());
  const Vector C = Engine::row_norms(system.C());
  return are_null(classification.viscous(), M, communicator) &&
         are_null(classification.algebraic(), M, communicator) &&
         are_null(classification.algebraic(), C, communicator);
}

/// The columns of D of one kind of DoFs, and the name of their diagonal block.
template <class Engine>
struct Kind {
  const char* block;
  const typename Engine::Matrix& source;
  const Selection& dofs;
};

template <class Engine>
using Kinds = std::array<Kind<Engine>, 3>;

template <class Engine>
Kinds<Engine> kinds_of(const FreeSystem<Engine>& system, const Classification& classification) {
  return {{{"K_KK", system.K(), classification.algebraic()},
           {"C_CC", system.C(), classification.viscous()},
           {"M_II", system.M(), classification.inertial()}}};
}

/// The rows of one kind in the columns of another.
template <class Engine>
typename Engine::Matrix coupling(const Kind<Engine>& rows, const Kind<Engine>& columns) {
  return Engine::submatrix(columns.source, rows.dofs, columns.dofs);
}

/// The kinds in an order in which the rows of each hold nothing of those behind it; nothing where there is none.
template <class Engine>
std::vector<std::size_t> triangular_order(const FreeSystem<Engine>& system,
                                          const Classification& classification) {
  if (has_null_rows(system, classification)) return {0, 1, 2};
  const Kinds<Engine> kinds = kinds_of(system, classification);
  const Communicator& communicator = system.dofs().communicator();
  std::array<std::array<bool, 3>, 3> couples{};
  for (std::size_t a = 0; a < kinds.size(); ++a)
    for (std::size_t b = 0; b < kinds.size(); ++b)
      couples[a][b] = a != b && communicator.any(coupling(kinds[a], kinds[b]).n_local_entries() > 0);
  std::vector<std::size_t> order;
  const auto is_next = [&](std::size_t a) {
    if (std::find(order.begin(), order.end(), a) != order.end()) return false;
    for (std::size_t b = 0; b < kinds.size(); ++b)
      if (couples[a][b] && std::find(order.begin(), order.end(), b) == order.end()) return false;
    return true;
  };
  while (order.size() < kinds.size()) {
    std::size_t next = 0;
    while (next < kinds.size() && !is_next(next))
      ++next;
    if (next == kinds.size()) return {};
    order.push_back(next);
  }
  return order;
}

/// A block for one's own list of blocks; nothing where it is empty.
template <class Engine>
FactorizationPtr<double> factorize_listed(const FreeSystem<Engine>& system,
                                          const Classification& classification,
                                          const SingularBlock<Engine>& block,
                                          const EliminationOptions& options,
                                          std::vector<EliminationBlock>& blocks) {
  if (block.dofs.n_global() == 0) return nullptr;
  FactorizedBlock factorized =
      factorize_block(system, classification, block, options.factorization, options.condition_limit);
  blocks.push_back({block.name, factorized.factorization->report(), factorized.condition});
  return std::move(factorized.factorization);
}

/// y_r -= A x, unless one of the two is empty on all processes.
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
MixedColumnMatrix<Engine>::MixedColumnMatrix(const FreeSystem<Engine>& system,
                                             const Classification& classification,
                                             const EliminationOptions& options)
    : classification_(classification), condition_warning_(options.condition_warning) {
  if (options.path != EliminationPath::whole) factorize_parts(system, options);
  if (options.path == EliminationPath::block_triangular && !is_block_triangular())
    throw NotAvailable(
        "The block-triangular elimination was asked for, but the mass or the damping matrix has entries in "
        "the rows "
        "of half degrees of freedom whose columns are null. Take the path `whole`, or let it be chosen.");
  if (!is_block_triangular()) factorize_whole(system, options);
}

template <class Engine>
void MixedColumnMatrix<Engine>::factorize_parts(const FreeSystem<Engine>& system,
                                                const EliminationOptions& options) {
  const Kinds<Engine> kinds = kinds_of(system, classification_);
  const auto selected = [&](const Kind<Engine>& rows, const Kind<Engine>& columns) {
    const Stage stage("select blocks of D");
    return coupling(rows, columns);
  };
  const std::vector<std::size_t> order = [&] {
    const Stage stage("select blocks of D");
    return triangular_order(system, classification_);
  }();
  is_upper_triangular_ = order == std::vector<std::size_t>{0, 1, 2};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Kind<Engine>& kind = kinds[order[k]];
    Part part{kind.dofs,
              factorize_listed<Engine>(system, classification_, {kind.block, selected(kind, kind), kind.dofs},
                                       options, blocks_),
              {}};
    for (std::size_t before = 0; before < k; ++before)
      part.couplings.push_back(selected(kind, kinds[order[before]]));
    parts_.push_back(std::move(part));
  }
}

template <class Engine>
void MixedColumnMatrix<Engine>::factorize_whole(const FreeSystem<Engine>& system,
                                                const EliminationOptions& options) {
  const Index n_local = system.dofs().n_local();
  std::vector<Index> all(static_cast<std::size_t>(n_local));
  std::iota(all.begin(), all.end(), 0);
  D_ = factorize_listed<Engine>(
      system, classification_,
      {"D",
       Engine::select_columns(system.M(), system.C(), system.K(), column_sources(classification_, n_local)),
       Selection(std::move(all), system.dofs())},
      options, blocks_);
}

template <class Engine>
MultiVector MixedColumnMatrix<Engine>::solve(ConstView<double> b) const {
  if (!is_block_triangular()) return D_ ? D_->solve(b) : MultiVector(b);
  std::vector<MultiVector> known;
  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  for (const Part& part : parts_) {
    MultiVector y = part.dofs.restrict(b);
    for (std::size_t before = 0; before < known.size(); ++before)
      subtract_product(part.couplings[before], known[before], y);
    known.push_back(part.factorization ? part.factorization->solve(y) : y);
    part.dofs.add_to(known.back(), x);
  }
  return x;
}

template <class Engine>
MultiVector MixedColumnMatrix<Engine>::solve_transposed(ConstView<double> b) const {
  if (!is_block_triangular()) return D_ ? D_->solve_transposed(b) : MultiVector(b);
  std::vector<MultiVector> known(parts_.size());
  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  for (std::size_t p = parts_.size(); p-- > 0;) {
    const Part& part = parts_[p];
    MultiVector y = part.dofs.restrict(b);
    for (std::size_t behind = parts_.size(); behind-- > p + 1;)
      subtract_transposed_product(parts_[behind].couplings[p], known[behind], y);
    known[p] = part.factorization ? part.factorization->solve_transposed(y) : y;
    part.dofs.add_to(known[p], x);
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

}  // namespace halfdof
