// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/eigen/klu_solver.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <klu.h>

#include <utility>

namespace halfdof::internal {

namespace {

klu_l_common make_common() {
  klu_l_common common;
  klu_l_defaults(&common);
  common.scale = 0;
  return common;
}

/// The functions of KLU for the scalar type. Complex numbers are packed: each imaginary part follows its real
/// part. The arguments of the functions are not const, but KLU writes only into right-hand sides.
template <class Scalar>
struct Klu;

template <>
struct Klu<double> {
  static klu_l_numeric* factor(const SquarePattern& pattern, const double* values, klu_l_symbolic* symbolic,
                               klu_l_common* common) {
    return klu_l_factor(const_cast<std::int64_t*>(pattern.starts.data()),
                        const_cast<std::int64_t*>(pattern.rows.data()), const_cast<double*>(values), symbolic,
                        common);
  }
  static void solve(klu_l_symbolic* symbolic, klu_l_numeric* numeric, DenseMatrix<double>& x,
                    klu_l_common* common) {
    klu_l_solve(symbolic, numeric, x.rows(), x.cols(), x.data(), common);
  }
  static void solve_transposed(klu_l_symbolic* symbolic, klu_l_numeric* numeric, DenseMatrix<double>& x,
                               klu_l_common* common) {
    klu_l_tsolve(symbolic, numeric, x.rows(), x.cols(), x.data(), common);
  }
  static void free(klu_l_numeric* numeric) {
    klu_l_common common = make_common();
    klu_l_free_numeric(&numeric, &common);
  }
};

template <>
struct Klu<Complex> {
  static double* reals_of(const Complex* values) {
    return const_cast<double*>(reinterpret_cast<const double*>(values));
  }

  static klu_l_numeric* factor(const SquarePattern& pattern, const Complex* values, klu_l_symbolic* symbolic,
                               klu_l_common* common) {
    return klu_zl_factor(const_cast<std::int64_t*>(pattern.starts.data()),
                         const_cast<std::int64_t*>(pattern.rows.data()), reals_of(values), symbolic, common);
  }
  static void solve(klu_l_symbolic* symbolic, klu_l_numeric* numeric, DenseMatrix<Complex>& x,
                    klu_l_common* common) {
    klu_zl_solve(symbolic, numeric, x.rows(), x.cols(), reals_of(x.data()), common);
  }
  static void solve_transposed(klu_l_symbolic* symbolic, klu_l_numeric* numeric, DenseMatrix<Complex>& x,
                               klu_l_common* common) {
    constexpr std::int64_t not_conjugated = 0;
    klu_zl_tsolve(symbolic, numeric, x.rows(), x.cols(), reals_of(x.data()), not_conjugated, common);
  }
  static void free(klu_l_numeric* numeric) {
    klu_l_common common = make_common();
    klu_zl_free_numeric(&numeric, &common);
  }
};

void check_status(const klu_l_common& common, const SquarePattern& pattern) {
  if (common.status == KLU_OK) return;
  if (common.status == KLU_SINGULAR) {
    const bool by_pattern = common.structural_rank >= 0 && common.structural_rank < pattern.n;
    throw SingularMatrix(describe(pattern) + " is singular: " +
                         (by_pattern ? "the positions of its nonzero entries admit a rank of at most " +
                                           std::to_string(common.structural_rank)
                                     : "its LU factorization by KLU has a zero pivot in column " +
                                           std::to_string(common.singular_col)) +
                         ". Remove linearly dependent equations, or DoFs that no equation determines.");
  }
  if (common.status == KLU_OUT_OF_MEMORY || common.status == KLU_TOO_LARGE) throw_out_of_memory(pattern, 0.);
  throw Error(describe(pattern) + " could not be factorized, because KLU failed with the status " +
              std::to_string(common.status) + ". Choose another solver.");
}

/// A factorization of KLU.
template <class Scalar>
class KluFactorization : public ReportedFactorization<Scalar> {
 public:
  KluFactorization(std::shared_ptr<klu_l_symbolic> symbolic, std::shared_ptr<klu_l_numeric> numeric)
      : symbolic_(std::move(symbolic)), numeric_(std::move(numeric)), common_(make_common()) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    const StageTimer stage("solve");
    DenseMatrix<Scalar> x = b;
    Klu<Scalar>::solve(symbolic_.get(), numeric_.get(), x, &common_);
    return x;
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x = b;
    Klu<Scalar>::solve_transposed(symbolic_.get(), numeric_.get(), x, &common_);
    return x;
  }

  LogDeterminant<Scalar> log_determinant() const override {
    using Pivots = Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
    const auto n = static_cast<Index>(symbolic_->n);
    LogDeterminant<Scalar> result = log_product(Pivots(static_cast<const Scalar*>(numeric_->Udiag), n));
    result.phase *= sign_of_permutation(numeric_->Pnum, n) * sign_of_permutation(symbolic_->Q, n);
    return result;
  }

 private:
  std::shared_ptr<klu_l_symbolic> symbolic_;
  std::shared_ptr<klu_l_numeric> numeric_;
  mutable klu_l_common common_;
};

void free_symbolic(klu_l_symbolic* symbolic) {
  klu_l_common common = make_common();
  klu_l_free_symbolic(&symbolic, &common);
}

}  // namespace

template <class Scalar>
struct KluSolver<Scalar>::Implementation {
  PatternPtr pattern;
  std::shared_ptr<klu_l_symbolic> symbolic;
};

template <class Scalar>
KluSolver<Scalar>::KluSolver(PatternPtr pattern) : implementation_(std::make_unique<Implementation>()) {
  klu_l_common common = make_common();
  implementation_->symbolic.reset(klu_l_analyze(pattern->n, const_cast<std::int64_t*>(pattern->starts.data()),
                                                const_cast<std::int64_t*>(pattern->rows.data()), &common),
                                  free_symbolic);
  check_status(common, *pattern);
  implementation_->pattern = std::move(pattern);
}

template <class Scalar>
KluSolver<Scalar>::~KluSolver() = default;
template <class Scalar>
KluSolver<Scalar>::KluSolver(KluSolver&&) noexcept = default;
template <class Scalar>
KluSolver<Scalar>& KluSolver<Scalar>::operator=(KluSolver&&) noexcept = default;

template <class Scalar>
double KluSolver<Scalar>::n_factor_entries() const {
  const klu_l_symbolic& symbolic = *implementation_->symbolic;
  return symbolic.lnz + symbolic.unz + static_cast<double>(symbolic.nzoff);
}

template <class Scalar>
double KluSolver<Scalar>::n_operations() const {
  return implementation_->symbolic->est_flops;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> KluSolver<Scalar>::factorize(const std::vector<Scalar>& values) const {
  klu_l_common common = make_common();
  std::shared_ptr<klu_l_numeric> numeric(
      Klu<Scalar>::factor(*implementation_->pattern, values.data(), implementation_->symbolic.get(), &common),
      Klu<Scalar>::free);
  check_status(common, *implementation_->pattern);

  const GlobalIndex n_factor_entries = numeric->lnz + numeric->unz + numeric->nzoff;
  const auto n_blocks = static_cast<GlobalIndex>(numeric->nblocks);
  auto factorization =
      std::make_unique<KluFactorization<Scalar>>(implementation_->symbolic, std::move(numeric));
  FactorizationReport& report = factorization->report();
  report.solver = Solver::klu;
  report.ordering = n_blocks > 1 ? "block triangular, AMD" : "AMD";
  report.n_factor_entries = n_factor_entries;
  report.bytes = static_cast<double>(n_factor_entries) * (sizeof(Scalar) + sizeof(std::int64_t));
  return factorization;
}

template class KluSolver<double>;
template class KluSolver<Complex>;

}  // namespace halfdof::internal
