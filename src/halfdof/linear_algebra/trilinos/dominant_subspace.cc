#include <halfdof/linear_algebra/invariant_subspace.h>
#include <halfdof/linear_algebra/trilinos/epetra_operator.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <AnasaziBasicEigenproblem.hpp>
#include <AnasaziBlockKrylovSchurSolMgr.hpp>
#include <AnasaziEpetraAdapter.hpp>
#include <Epetra_Comm.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace halfdof {

using namespace trilinos;

namespace {

using BlockKrylovSchur = Anasazi::BlockKrylovSchur<double, Epetra_MultiVector, Epetra_Operator>;
using KrylovSchurState = Anasazi::BlockKrylovSchurState<double, Epetra_MultiVector>;

/**
 * Passes the largest Ritz values, down to the first whose residual is not small beside it, and beside the
 * negligible: smaller ones may converge before a larger one has come to its place. Keeps the last
 * Krylov-Schur decomposition, of which Anasazi itself gives away eigenvectors only: those of a defective
 * eigenvalue do not span its invariant subspace.
 */
class RitzResiduals : public Anasazi::StatusTest<double, Epetra_MultiVector, Epetra_Operator> {
 public:
  using Eigensolver = Anasazi::Eigensolver<double, Epetra_MultiVector, Epetra_Operator>;

  explicit RitzResiduals(double tolerance) : tolerance_(tolerance) {}

  Anasazi::TestStatus checkStatus(Eigensolver* solver) override {
    clearStatus();
    const auto* krylov_schur = dynamic_cast<BlockKrylovSchur*>(solver);
    if (!krylov_schur || !krylov_schur->isSchurCurrent()) return status_;
    state_ = krylov_schur->getState();
    const auto values = solver->getRitzValues();
    const auto residuals = solver->getRitzRes2Norms();
    const auto magnitude = [&](int i) {
      const auto& value = values[static_cast<std::size_t>(i)];
      return std::hypot(value.realpart, value.imagpart);
    };
    std::vector<int> by_magnitude(std::min(values.size(), residuals.size()));
    std::iota(by_magnitude.begin(), by_magnitude.end(), 0);
    std::stable_sort(by_magnitude.begin(), by_magnitude.end(),
                     [&](int i, int j) { return magnitude(i) > magnitude(j); });
    for (const int i : by_magnitude) {
      if (!(residuals[static_cast<std::size_t>(i)] <= tolerance_ * std::max(negligible, magnitude(i)))) break;
      passed_.push_back(i);
    }
    status_ = passed_.empty() ? Anasazi::Failed : Anasazi::Passed;
    return status_;
  }

  Anasazi::TestStatus getStatus() const override { return status_; }
  std::vector<int> whichVecs() const override { return passed_; }
  int howMany() const override { return static_cast<int>(passed_.size()); }
  void reset() override { clearStatus(); }
  void clearStatus() override {
    status_ = Anasazi::Failed;
    passed_.clear();
  }
  std::ostream& print(std::ostream& os, int) const override { return os; }

  const KrylovSchurState& state() const { return state_; }

 private:
  static constexpr double negligible = 1e-11;  ///< beside the largest eigenvalue, which is about one

  double tolerance_;
  Anasazi::TestStatus status_ = Anasazi::Failed;
  std::vector<int> passed_;
  KrylovSchurState state_;
};

/// From A V = V H + F b^T, where b has entries in its last place only.
InvariantSubspace leading(const KrylovSchurState& state, Index n_wanted) {
  const int n = state.curDim;
  const Eigen::Map<const MultiVector, 0, Eigen::OuterStride<>> H(state.H->values(), n, n,
                                                                 Eigen::OuterStride<>(state.H->stride()));
  MultiVector V(state.V->MyLength(), n);
  for (int j = 0; j < n; ++j)
    V.col(j) = Eigen::Map<const Vector>((*state.V)[j], V.rows());
  InvariantSubspace small = leading_part(H, n_wanted);
  const double residual = std::abs((*state.H)(n, n - 1)) * small.Q.row(n - 1).norm();
  return {V * small.Q, std::move(small.T), std::move(small.magnitudes), residual, true};
}

InvariantSubspace iterate(const DeflatedOperator& A, Index n_wanted, const SubspaceOptions& options) {
  using Teuchos::rcp;
  const Communicator& communicator = A.rows().communicator();
  const Epetra_Map map(-1, A.rows().n_local(), 0, *epetra_communicator(communicator));
  const auto start = rcp(new Epetra_MultiVector(map, 1));
  Eigen::Map<Vector>((*start)[0], start->MyLength()) = options.start;

  const auto product = [&A](const Epetra_MultiVector& x, Epetra_MultiVector& y) {
    for (int j = 0; j < x.NumVectors(); ++j)
      Eigen::Map<Vector>(y[j], y.MyLength()) = A(Eigen::Map<const Vector>(x[j], x.MyLength()));
  };
  const auto problem = rcp(new Anasazi::BasicEigenproblem<double, Epetra_MultiVector, Epetra_Operator>(
      rcp(new EpetraOperator(map, product)), start));
  problem->setHermitian(false);
  problem->setNEV(n_wanted);
  problem->setProblem();

  Teuchos::ParameterList parameters;
  parameters.set("Verbosity", 0);
  parameters.set("Which", "LM");
  parameters.set("Block Size", 1);
  parameters.set("Num Blocks", options.n_basis);
  parameters.set("Maximum Restarts", options.max_restarts);
  parameters.set("Dynamic Extra NEV", true);
  // The others lose orthogonality without notice where the Krylov space ends early.
  parameters.set("Orthogonalization", "SVQB");
  Anasazi::BlockKrylovSchurSolMgr<double, Epetra_MultiVector, Epetra_Operator> manager(problem, parameters);
  const auto test = rcp(new RitzResiduals(options.tolerance));
  manager.setGlobalStatusTest(test);
  const bool converged = manager.solve() == Anasazi::Converged;
  InvariantSubspace found = leading(test->state(), n_wanted);
  const MultiVector products = inner_products(communicator, found.Q, found.Q);
  const bool orthonormal = products.isIdentity(1e-10);
  found.converged = converged && orthonormal;
  return found;
}

}  // namespace

MultiVector TrilinosEngine::dominant_subspace(const LinearOperator& apply, const Partition& partition,
                                              const SubspaceOptions& options) {
  return halfdof::dominant_subspace(apply, partition, options, iterate);
}

}  // namespace halfdof
