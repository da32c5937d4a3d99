#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/diagonal_solver.h>

#include <utility>

namespace halfdof {

namespace {

template <class Scalar>
class DiagonalFactorization : public ReportedFactorization<Scalar> {
 public:
  using Diagonal = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

  explicit DiagonalFactorization(Diagonal diagonal) : diagonal_(std::move(diagonal)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    return (b.array().colwise() / diagonal_).matrix();
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override { return solve(b); }

 private:
  Diagonal diagonal_;
};

}  // namespace

bool is_diagonal(const SquarePattern& pattern) {
  for (Index j = 0; j < pattern.n; ++j) {
    const auto begin = static_cast<std::size_t>(pattern.starts[static_cast<std::size_t>(j)]);
    const auto end = static_cast<std::size_t>(pattern.starts[static_cast<std::size_t>(j) + 1]);
    if (end > begin + 1 || (end == begin + 1 && pattern.rows[begin] != j)) return false;
  }
  return true;
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_diagonal(const SquarePattern& pattern,
                                                    const std::vector<Scalar>& values) {
  Eigen::Array<Scalar, Eigen::Dynamic, 1> diagonal(pattern.n);
  for (Index j = 0; j < pattern.n; ++j) {
    const auto begin = pattern.starts[static_cast<std::size_t>(j)];
    const bool present = pattern.starts[static_cast<std::size_t>(j) + 1] > begin;
    diagonal[j] = present ? values[static_cast<std::size_t>(begin)] : Scalar(0);
    if (diagonal[j] == Scalar(0))
      throw SingularMatrix(describe(pattern) + " is diagonal, and the entry in row " + std::to_string(j) +
                           " is zero: the matrix is singular.");
  }
  auto factorization = std::make_unique<DiagonalFactorization<Scalar>>(std::move(diagonal));
  factorization->report().solver = Solver::diagonal;
  factorization->report().reason = "diagonal";
  factorization->report().n_factor_entries = pattern.n;
  factorization->report().bytes = static_cast<double>(pattern.n) * sizeof(Scalar);
  return factorization;
}

template ReportedFactorizationPtr<double> factorize_diagonal(const SquarePattern&,
                                                             const std::vector<double>&);
template ReportedFactorizationPtr<Complex> factorize_diagonal(const SquarePattern&,
                                                              const std::vector<Complex>&);

}  // namespace halfdof
