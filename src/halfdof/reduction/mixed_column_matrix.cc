#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_elimination.h>

#include <algorithm>
#include <numeric>
#include <utility>

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
    : classification_(classification),
      block_triangular_(options.path != EliminationPath::whole && has_null_rows(system, classification)),
      condition_warning_(options.condition_warning) {
  if (options.path == EliminationPath::block_triangular && !block_triangular_)
    throw NotAvailable(
        "The block-triangular elimination was asked for, but the mass or the damping matrix has entries in "
        "the rows "
        "of half degrees of freedom whose columns are null. Take the path `whole`, or let it be chosen.");
  if (block_triangular_)
    factorize_blocks(system, options);
  else
    factorize_whole(system, options);
}

template <class Engine>
void MixedColumnMatrix<Engine>::factorize_blocks(const FreeSystem<Engine>& system,
                                                 const EliminationOptions& options) {
  const Selection& I = classification_.inertial();
  const Selection& C = classification_.viscous();
  const Selection& K = classification_.algebraic();
  const auto factorize = [&](const char* name, const Matrix& A, const Selection& dofs) {
    return factorize_listed<Engine>(system, classification_, {name, Engine::submatrix(A, dofs, dofs), dofs},
                                    options, blocks_);
  };
  K_KK_ = factorize("K_KK", system.K(), K);
  C_CC_ = factorize("C_CC", system.C(), C);
  M_II_ = factorize("M_II", system.M(), I);
  C_IC_ = Engine::submatrix(system.C(), I, C);
  K_IK_ = Engine::submatrix(system.K(), I, K);
  K_CK_ = Engine::submatrix(system.K(), C, K);
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
  if (!block_triangular_) return D_ ? D_->solve(b) : MultiVector(b);
  const Selection& I = classification_.inertial();
  const Selection& C = classification_.viscous();
  const Selection& K = classification_.algebraic();

  MultiVector q_K = K.restrict(b);
  if (K_KK_) q_K = K_KK_->solve(q_K);

  MultiVector rate_C = C.restrict(b);
  subtract_product(K_CK_, q_K, rate_C);
  if (C_CC_) rate_C = C_CC_->solve(rate_C);

  MultiVector a_I = I.restrict(b);
  subtract_product(K_IK_, q_K, a_I);
  subtract_product(C_IC_, rate_C, a_I);
  if (M_II_) a_I = M_II_->solve(a_I);

  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  I.add_to(a_I, x);
  C.add_to(rate_C, x);
  K.add_to(q_K, x);
  return x;
}

template <class Engine>
MultiVector MixedColumnMatrix<Engine>::solve_transposed(ConstView<double> b) const {
  if (!block_triangular_) return D_ ? D_->solve_transposed(b) : MultiVector(b);
  const Selection& I = classification_.inertial();
  const Selection& C = classification_.viscous();
  const Selection& K = classification_.algebraic();

  MultiVector x_I = I.restrict(b);
  if (M_II_) x_I = M_II_->solve_transposed(x_I);

  MultiVector x_C = C.restrict(b);
  subtract_transposed_product(C_IC_, x_I, x_C);
  if (C_CC_) x_C = C_CC_->solve_transposed(x_C);

  MultiVector x_K = K.restrict(b);
  subtract_transposed_product(K_IK_, x_I, x_K);
  subtract_transposed_product(K_CK_, x_C, x_K);
  if (K_KK_) x_K = K_KK_->solve_transposed(x_K);

  MultiVector x = MultiVector::Zero(b.rows(), b.cols());
  I.add_to(x_I, x);
  C.add_to(x_C, x);
  K.add_to(x_K, x);
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
