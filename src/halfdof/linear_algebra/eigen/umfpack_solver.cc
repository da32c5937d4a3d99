#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/umfpack_solver.h>

#include <umfpack.h>

#include <array>
#include <utility>

namespace halfdof {

namespace {

using Control = std::array<double, UMFPACK_CONTROL>;
using Info = std::array<double, UMFPACK_INFO>;

/// UMFPACK's functions by scalar; complex numbers are packed (real and imaginary part side by side).
template <class Scalar>
struct Umfpack;

template <>
struct Umfpack<double> {
  static std::int64_t symbolic(const SquarePattern& pattern, const double* values, void** symbolic,
                               const Control& control, Info& info) {
    return umfpack_dl_symbolic(pattern.n, pattern.n, pattern.starts.data(), pattern.rows.data(), values,
                               symbolic, control.data(), info.data());
  }
  static std::int64_t numeric(const SquarePattern& pattern, const double* values, void* symbolic,
                              void** numeric, const Control& control, Info& info) {
    return umfpack_dl_numeric(pattern.starts.data(), pattern.rows.data(), values, symbolic, numeric,
                              control.data(), info.data());
  }
  static std::int64_t solve(std::int64_t system, double* x, const double* b, void* numeric,
                            const Control& control, std::int64_t* integers, double* reals) {
    Info info;
    return umfpack_dl_wsolve(system, nullptr, nullptr, nullptr, x, b, numeric, control.data(), info.data(),
                             integers, reals);
  }
  static void free_symbolic(void* symbolic) { umfpack_dl_free_symbolic(&symbolic); }
  static void free_numeric(void* numeric) { umfpack_dl_free_numeric(&numeric); }
  static constexpr std::int64_t transposed = UMFPACK_At;
};

template <>
struct Umfpack<Complex> {
  static const double* reals_of(const Complex* values) { return reinterpret_cast<const double*>(values); }

  static std::int64_t symbolic(const SquarePattern& pattern, const Complex* values, void** symbolic,
                               const Control& control, Info& info) {
    return umfpack_zl_symbolic(pattern.n, pattern.n, pattern.starts.data(), pattern.rows.data(),
                               reals_of(values), nullptr, symbolic, control.data(), info.data());
  }
  static std::int64_t numeric(const SquarePattern& pattern, const Complex* values, void* symbolic,
                              void** numeric, const Control& control, Info& info) {
    return umfpack_zl_numeric(pattern.starts.data(), pattern.rows.data(), reals_of(values), nullptr, symbolic,
                              numeric, control.data(), info.data());
  }
  static std::int64_t solve(std::int64_t system, Complex* x, const Complex* b, void* numeric,
                            const Control& control, std::int64_t* integers, double* reals) {
    Info info;
    return umfpack_zl_wsolve(system, nullptr, nullptr, nullptr, nullptr, reinterpret_cast<double*>(x),
                             nullptr, reals_of(b), nullptr, numeric, control.data(), info.data(), integers,
                             reals);
  }
  static void free_symbolic(void* symbolic) { umfpack_zl_free_symbolic(&symbolic); }
  static void free_numeric(void* numeric) { umfpack_zl_free_numeric(&numeric); }
  static constexpr std::int64_t transposed = UMFPACK_Aat;
};

Control make_control() {
  Control control;
  umfpack_dl_defaults(control.data());
  control[UMFPACK_PRL] = 0;
  control[UMFPACK_IRSTEP] = 0;
  control[UMFPACK_ORDERING] = UMFPACK_ORDERING_CHOLMOD;
  return control;
}

void check_status(std::int64_t status, const SquarePattern& pattern, const Info& info) {
  if (status == UMFPACK_OK) return;
  if (status == UMFPACK_ERROR_out_of_memory)
    throw NotAvailable(describe(pattern) +
                       " is too large to be factorized in the memory of this machine: its LU factors hold " +
                       "about " + std::to_string(info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE]) +
                       " entries. Use more memory or the Trilinos engine.");
  throw Error("UMFPACK could not factorize " + describe(pattern) + ": its status is " +
              std::to_string(status) + ".");
}

template <class Scalar>
class UmfpackFactorization : public ReportedFactorization<Scalar> {
 public:
  UmfpackFactorization(std::shared_ptr<void> numeric, Index n)
      : numeric_(std::move(numeric)),
        integers_(static_cast<std::size_t>(n)),
        reals_(static_cast<std::size_t>(n) * sizeof(Scalar) / sizeof(double)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override { return solve(UMFPACK_A, b); }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    return solve(Umfpack<Scalar>::transposed, b);
  }

 private:
  // UMFPACK solves for one right-hand side at a time.
  DenseMatrix<Scalar> solve(std::int64_t system, ConstView<Scalar> b) const {
    static const Control control = make_control();
    DenseMatrix<Scalar> x(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c)
      Umfpack<Scalar>::solve(system, x.col(c).data(), b.col(c).data(), numeric_.get(), control,
                             integers_.data(), reals_.data());
    return x;
  }

  std::shared_ptr<void> numeric_;
  mutable std::vector<std::int64_t> integers_;
  mutable std::vector<double> reals_;
};

}  // namespace

template <class Scalar>
struct UmfpackSolver<Scalar>::Implementation {
  PatternPtr pattern;
  std::shared_ptr<void> symbolic;
  std::string ordering;
  double n_factor_entries = 0;
};

template <class Scalar>
UmfpackSolver<Scalar>::UmfpackSolver(PatternPtr pattern)
    : implementation_(std::make_unique<Implementation>()) {
  Info info;
  void* made = nullptr;
  // UMFPACK counts nonzero diagonal entries to find out whether pivots may stay on the diagonal. Which
  // entries are nonzero is all it may learn: the analysis serves many values.
  const std::vector<Scalar> ones(pattern->rows.size(), Scalar(1));
  const std::int64_t status = Umfpack<Scalar>::symbolic(*pattern, ones.data(), &made, make_control(), info);
  implementation_->symbolic.reset(made, Umfpack<Scalar>::free_symbolic);
  check_status(status, *pattern, info);

  const bool diagonal_pivots = info[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC;
  implementation_->n_factor_entries = diagonal_pivots
                                          ? info[UMFPACK_SYMMETRIC_LUNZ]
                                          : info[UMFPACK_LNZ_ESTIMATE] + info[UMFPACK_UNZ_ESTIMATE];
  implementation_->ordering = info[UMFPACK_ORDERING_USED] == UMFPACK_ORDERING_METIS ? "METIS"
                              : diagonal_pivots                                     ? "AMD"
                                                                                    : "COLAMD";
  implementation_->pattern = std::move(pattern);
}

template <class Scalar>
UmfpackSolver<Scalar>::~UmfpackSolver() = default;
template <class Scalar>
UmfpackSolver<Scalar>::UmfpackSolver(UmfpackSolver&&) noexcept = default;
template <class Scalar>
UmfpackSolver<Scalar>& UmfpackSolver<Scalar>::operator=(UmfpackSolver&&) noexcept = default;

template <class Scalar>
double UmfpackSolver<Scalar>::n_factor_entries() const {
  return implementation_->n_factor_entries;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> UmfpackSolver<Scalar>::factorize(const std::vector<Scalar>& values) const {
  const SquarePattern& pattern = *implementation_->pattern;
  Info info;
  void* made = nullptr;
  const std::int64_t status = Umfpack<Scalar>::numeric(
      pattern, values.data(), implementation_->symbolic.get(), &made, make_control(), info);
  std::shared_ptr<void> numeric(made, Umfpack<Scalar>::free_numeric);
  if (status == UMFPACK_WARNING_singular_matrix)
    throw SingularMatrix(describe(pattern) + " is singular: UMFPACK found " +
                         std::to_string(static_cast<Index>(info[UMFPACK_UDIAG_NZ])) + " nonzero pivots.");
  check_status(status, pattern, info);

  auto factorization = std::make_unique<UmfpackFactorization<Scalar>>(std::move(numeric), pattern.n);
  FactorizationReport& report = factorization->report();
  report.solver = Solver::umfpack;
  report.ordering = implementation_->ordering;
  report.n_factor_entries = static_cast<GlobalIndex>(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
  report.bytes = info[UMFPACK_NUMERIC_SIZE] * info[UMFPACK_SIZE_OF_UNIT];
  return factorization;
}

template class UmfpackSolver<double>;
template class UmfpackSolver<Complex>;

}  // namespace halfdof
