// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Amesos_Klu.h>
#include <Epetra_LinearProblem.h>

#include <utility>

namespace halfdof::trilinos {

namespace {

/// Returns the matrix with the given pattern, which contains both triangles, and values.
TrilinosMatrix matrix_of(const Pattern& pattern, const std::vector<double>& values) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    entries.emplace_back(pattern.rows.local_index(pattern.entry_rows[k] - 1), pattern.entry_columns[k] - 1,
                         values[k]);
  OwnedRows rows(pattern.rows.n_local(), pattern.columns.n_global());
  rows.setFromTriplets(entries.begin(), entries.end());
  return TrilinosMatrix(rows, pattern.rows, pattern.columns);
}

/// A factorization by KLU of Amesos.
class KluFactorization : public ReportedFactorization<double> {
 public:
  explicit KluFactorization(const Pattern& pattern, const std::vector<double>& values)
      : A_(matrix_of(pattern, values)),
        problem_(const_cast<Epetra_CrsMatrix*>(&A_.entries()), nullptr, nullptr),
        klu_(problem_) {
    const int code = klu_.SymbolicFactorization() == 0 ? klu_.NumericFactorization() : -1;
    if (code != 0)
      throw SingularMatrix(
          describe(pattern) +
          " is singular: its LU factorization by KLU failed, because a column has no nonzero "
          "pivot. Remove linearly dependent equations, or DoFs that no equation determines.");
  }

  MultiVector solve(ConstView<double> b) const override {
    return solve(b, false, A_.entries().RangeMap(), A_.entries().DomainMap());
  }
  MultiVector solve_transposed(ConstView<double> b) const override {
    return solve(b, true, A_.entries().DomainMap(), A_.entries().RangeMap());
  }

 private:
  MultiVector solve(ConstView<double> b, bool transposed, const Epetra_Map& from,
                    const Epetra_Map& to) const {
    const StageTimer stage("solve");
    MultiVector x = MultiVector::Zero(to.NumMyElements(), b.cols());
    if (b.cols() == 0) return x;
    Epetra_MultiVector right_hand_side = view(from, b), solution = view(to, x);
    problem_.SetRHS(&right_hand_side);
    problem_.SetLHS(&solution);
    klu_.SetUseTranspose(transposed);
    if (klu_.Solve() != 0)
      throw Error("KLU failed to solve a linear system of " + std::to_string(x.rows()) +
                  " local unknowns with its factors. Choose another solver.");
    return x;
  }

  TrilinosMatrix A_;
  mutable Epetra_LinearProblem problem_;
  mutable Amesos_Klu klu_;
};

}  // namespace

ReportedFactorizationPtr<double> factorize_klu(const Pattern& pattern, const std::vector<double>& values) {
  auto factorization = std::make_unique<KluFactorization>(pattern, values);
  factorization->report().solver = Solver::klu;
  factorization->report().ordering = "AMD";
  factorization->report().alternative = Solver::mumps;
  return factorization;
}

}  // namespace halfdof::trilinos
