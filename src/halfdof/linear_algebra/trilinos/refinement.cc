// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/refinement.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace halfdof::trilinos {

namespace {

/// A factorization whose solves include one step of iterative refinement.
template <class Scalar>
class RefinedFactorization : public ReportedFactorization<Scalar> {
 public:
  RefinedFactorization(ReportedFactorizationPtr<Scalar> inner, LinearCombination<Scalar> A)
      : inner_(std::move(inner)), A_(std::move(A)) {
    this->report() = inner_->report();
  }

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x = inner_->solve(b);
    x += inner_->solve(A_.residual(x, b));
    return x;
  }

  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x = inner_->solve_transposed(b);
    x += inner_->solve_transposed(A_.transposed_residual(x, b));
    return x;
  }

  DenseMatrix<Scalar> rough_solve(ConstView<Scalar> b) const override { return inner_->solve(b); }
  DenseMatrix<Scalar> rough_solve_transposed(ConstView<Scalar> b) const override {
    return inner_->solve_transposed(b);
  }

  LogDeterminant<Scalar> log_determinant() const override { return inner_->log_determinant(); }
  std::optional<MatrixInertia> inertia() const override { return inner_->inertia(); }

 private:
  ReportedFactorizationPtr<Scalar> inner_;
  LinearCombination<Scalar> A_;
};

/// Returns two right-hand sides for trial solves: the row norms of A times numbers with magnitudes between 1
/// and 2, which are the same for any number of processes.
template <class Scalar>
DenseMatrix<Scalar> trial_right_hand_sides(const LinearCombination<Scalar>& A) {
  const Vector norms = A.bound_of_product(MultiVector::Ones(A.columns().n_local(), 1));
  DenseMatrix<Scalar> b(norms.size(), 2);
  for (Index i = 0; i < b.rows(); ++i) {
    const GlobalIndex row = A.rows().global_index(i);
    const double between_0_and_1 = std::fmod(0.6180339887498949 * static_cast<double>(row + 1), 1.);
    const double sign = row % 2 == 0 ? 1 : -1;
    b(i, 0) = sign * (1 + between_0_and_1) * norms[i];
    b(i, 1) = (2 - between_0_and_1) * norms[i];
  }
  return b;
}

/// Returns the largest entry of each column over all processes; NaN if an entry is NaN. Collective.
Vector max_norms(const Communicator& communicator, const MultiVector& magnitudes) {
  Vector norms = Vector::Zero(magnitudes.cols());
  if (magnitudes.rows() > 0)
    for (Eigen::Index c = 0; c < norms.size(); ++c)
      norms[c] = magnitudes.col(c).maxCoeff<Eigen::PropagateNaN>();
  communicator.max(norms.data(), static_cast<int>(norms.size()));
  return norms;
}

/// Returns the numbers of at most three columns with the largest magnitudes as text: "columns 17, 4, 5".
/// Collective.
std::string names_of_largest(const Partition& columns, const Vector& magnitudes) {
  constexpr std::size_t max_named = 3;
  std::vector<std::pair<double, GlobalIndex>> entries;
  for (Index j = 0; j < magnitudes.size(); ++j)
    if (std::isfinite(magnitudes[j])) entries.emplace_back(magnitudes[j], columns.global_index(j));
  const auto keep_largest = [&]() {
    const std::size_t n = std::min(max_named, entries.size());
    std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(n), entries.end(),
                      [](const auto& a, const auto& b) { return a.first > b.first; });
    entries.resize(n);
  };
  keep_largest();
  std::vector<double> here;
  for (const auto& [magnitude, column] : entries)
    here.insert(here.end(), {magnitude, static_cast<double>(column)});
  const std::vector<double> all = gather(columns.communicator(), here);
  entries.clear();
  for (std::size_t k = 0; k < all.size(); k += 2)
    entries.emplace_back(all[k], static_cast<GlobalIndex>(all[k + 1]));
  keep_largest();

  std::string text = "columns";
  for (const auto& entry : entries)
    text += (text == "columns" ? " " : ", ") + std::to_string(entry.second);
  return text;
}

}  // namespace

void throw_singular(const Partition& columns, const Vector& magnitudes) {
  const std::string n = std::to_string(columns.n_global());
  throw SingularMatrix("The " + n + " x " + n +
                       " matrix is singular to working precision, so that no digit of a solution would be "
                       "correct. The null vector of the matrix is largest in the " +
                       names_of_largest(columns, magnitudes) +
                       ". Check the coefficients and supports of the DoFs of these columns.");
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> check_accuracy(ReportedFactorizationPtr<Scalar> factorization,
                                                const LinearCombination<Scalar>& A) {
  const Communicator& communicator = A.rows().communicator();
  const DenseMatrix<Scalar> b = trial_right_hand_sides(A);
  const DenseMatrix<Scalar> x = factorization->solve(b);
  const DenseMatrix<Scalar> r = A.residual(x, b);
  const DenseMatrix<Scalar> d = factorization->solve(r);

  const MultiVector x_magnitudes = x.cwiseAbs();
  const Vector corrections =
      max_norms(communicator, d.cwiseAbs()).array() / max_norms(communicator, x_magnitudes).array();
  if (!(corrections.maxCoeff<Eigen::PropagateNaN>() <= largest_correction))
    throw_singular(A.columns(), x_magnitudes.col(0));
  const MultiVector scale = A.bound_of_product(x_magnitudes) + b.cwiseAbs();
  const MultiVector errors = (scale.array() > 0).select(r.cwiseAbs().array() / scale.array(), 0.);
  if (max_norms(communicator, errors).maxCoeff() <= largest_backward_error) return factorization;
  return std::make_unique<RefinedFactorization<Scalar>>(std::move(factorization), A);
}

template ReportedFactorizationPtr<double> check_accuracy(ReportedFactorizationPtr<double>,
                                                         const LinearCombination<double>&);
template ReportedFactorizationPtr<Complex> check_accuracy(ReportedFactorizationPtr<Complex>,
                                                          const LinearCombination<Complex>&);

}  // namespace halfdof::trilinos
