#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/invariant_subspace.h>

#include <utility>

// GCC 12 takes Spectra's reuse of a vector for a use after free.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif
#include <Spectra/GenEigsSolver.h>
#pragma GCC diagnostic pop

namespace halfdof {

namespace {

/// In the shape that Spectra asks for.
class SpectraOperator {
 public:
  using Scalar = double;

  explicit SpectraOperator(const DeflatedOperator& A) : A_(&A) {}

  Eigen::Index rows() const { return A_->rows().n_local(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, rows()) = (*A_)(Eigen::Map<const Vector>(x, rows()));
  }

 private:
  const DeflatedOperator* A_;
};

/// Arnoldi's iteration with access to its relation A V = V H + f e^T.
class Arnoldi : public Spectra::GenEigsSolver<SpectraOperator> {
 public:
  using GenEigsSolver::GenEigsSolver;

  /// The invariant subspace, up to the residual |f| |e^T Q|.
  InvariantSubspace leading(halfdof::Index n_wanted) const {
    InvariantSubspace small = leading_part(m_fac.matrix_H(), n_wanted);
    const double residual = m_fac.f_norm() * small.Q.row(small.Q.rows() - 1).norm();
    return {m_fac.matrix_V() * small.Q, std::move(small.T), std::move(small.magnitudes), residual,
            info() == Spectra::CompInfo::Successful};
  }
};

InvariantSubspace iterate(const DeflatedOperator& A, Index n_wanted, const SubspaceOptions& options) {
  SpectraOperator for_spectra(A);
  Arnoldi arnoldi(for_spectra, n_wanted, options.n_basis);
  arnoldi.init(options.start.data());
  arnoldi.compute(Spectra::SortRule::LargestMagn, options.max_restarts, options.tolerance);
  return arnoldi.leading(n_wanted);
}

}  // namespace

MultiVector EigenEngine::dominant_subspace(const LinearOperator& apply, const Partition& partition,
                                           const SubspaceOptions& options) {
  return halfdof::dominant_subspace(apply, partition, options, iterate);
}

}  // namespace halfdof
