#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/trilinos/direct_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <BelosEpetraAdapter.hpp>
#include <BelosLinearProblem.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <EpetraExt_Transpose_RowMatrix.h>

#include <Ifpack_AdditiveSchwarz.h>
#include <Ifpack_IC.h>
#include <Ifpack_ILU.h>

#include <cmath>
#include <string>
#include <utility>

namespace halfdof::trilinos {

namespace {

constexpr double tolerance = 1e-8;  ///< of |b - A x| relative to |b|, in each of the passes
constexpr int n_passes = 2;  ///< the second one refines: shorter iterations reach further than one long
constexpr int most_iterations = 2000, restart = 200;
constexpr int level_of_fill = 2;
/// Ifpack 13.2 writes beyond its arrays where processes overlap and have few rows of their own.
constexpr int schwarz_overlap = 0;
constexpr double golden_section = 0.6180339887498949;  ///< its multiples, modulo one, look random
constexpr double diagonal_shift = 0.1;                 ///< of the largest row sum

using Problem = Belos::LinearProblem<double, Epetra_MultiVector, Epetra_Operator>;

template <class T>
Teuchos::RCP<T> borrowed(const T& object) {
  return Teuchos::rcp(const_cast<T*>(&object), false);
}

/// Incomplete factors of A plus a shift of its diagonal, on the rows of each process; nothing where they are
/// no use.
template <class Factors>
std::unique_ptr<Epetra_Operator> incomplete_factors(const Epetra_CrsMatrix& A, double shift) {
  auto factors =
      std::make_unique<Ifpack_AdditiveSchwarz<Factors>>(const_cast<Epetra_CrsMatrix*>(&A), schwarz_overlap);
  Teuchos::ParameterList list;
  list.set("fact: level-of-fill", level_of_fill);
  list.set("fact: absolute threshold", shift);
  const bool made =
      factors->SetParameters(list) == 0 && factors->Initialize() == 0 && factors->Compute() == 0;
  Epetra_MultiVector ones(A.RangeMap(), 1), image(A.DomainMap(), 1);
  ones.PutScalar(1.);
  // Pivots may fail on some processes alone: nothing collective before all know.
  const bool applied = made && factors->ApplyInverse(ones, image) == 0;
  const Eigen::Map<const Vector> values(image.Values(), image.MyLength());
  int here = applied && values.allFinite() ? 1 : 0, everywhere = 0;
  A.Comm().MinAll(&here, &everywhere, 1);
  if (!everywhere) return nullptr;
  return factors;
}

/// Where a zero on the diagonal spoils incomplete factors, those of a shifted matrix (Manteuffel 1980).
std::unique_ptr<Epetra_Operator> preconditioner_of(const Epetra_CrsMatrix& A, bool is_definite) {
  for (const double shift : {0., diagonal_shift * A.NormInf()}) {
    auto factors =
        is_definite ? incomplete_factors<Ifpack_IC>(A, shift) : incomplete_factors<Ifpack_ILU>(A, shift);
    if (factors) return factors;
  }
  throw SingularMatrix(
      "The incomplete factors that precondition a Krylov iteration have zero pivots. Take \"mumps\".");
}

/// Krylov iterations with one matrix: conjugate gradients where it is definite, otherwise GMRES.
class Iteration {
 public:
  Iteration(const Epetra_CrsMatrix& A, bool is_definite)
      : A_(A), is_definite_(is_definite), preconditioner_(preconditioner_of(A, is_definite)) {}

  MultiVector solve(ConstView<double> b) const {
    const Stage stage("solve");
    MultiVector x = MultiVector::Zero(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      MultiVector residual = b.col(c), correction(b.rows(), 1), product(b.rows(), 1);
      for (int pass = 0; pass < n_passes; ++pass) {
        double norm = 0;
        view(A_.RangeMap(), residual).Norm2(&norm);
        if (norm == 0) break;  // nothing to compare residuals with
        correction.setZero();
        solve_one(residual, correction);
        x.col(c) += correction;
        Epetra_MultiVector image = view(A_.RangeMap(), product);
        A_.Multiply(false, view(A_.DomainMap(), correction), image);
        residual -= product;
      }
    }
    return x;
  }

 private:
  void solve_one(ConstView<double> b, View<double> x) const {
    Epetra_MultiVector right = view(A_.RangeMap(), b), solution = view(A_.DomainMap(), x);
    const auto problem = Teuchos::rcp(new Problem(borrowed<Epetra_Operator>(A_), borrowed(solution),
                                                  borrowed<const Epetra_MultiVector>(right)));
    const auto preconditioner =
        Teuchos::rcp(new Belos::EpetraPrecOp(borrowed<Epetra_Operator>(*preconditioner_)));
    if (is_definite_)
      problem->setLeftPrec(preconditioner);
    else
      problem->setRightPrec(preconditioner);
    problem->setProblem();

    const auto list = Teuchos::parameterList();
    list->set("Convergence Tolerance", tolerance);
    list->set("Maximum Iterations", most_iterations);
    if (!is_definite_) list->set("Num Blocks", restart);
    const auto run = [&](auto&& solver) {
      bool converged = false;
      try {
        converged = solver.solve() == Belos::Converged;
      } catch (const Belos::BelosError&) {
        // A direction of negative curvature, or a residual that is no number.
      }
      if (converged) return;
      throw NoConvergence(std::string("The Krylov iteration (") + name() +
                              ") did not reach a relative residual of " + number_text(tolerance) +
                              " within " + std::to_string(most_iterations) +
                              " steps. Take a direct solver, \"mumps\": the matrix is too hard for the "
                              "preconditioner, or singular.",
                          solver.achievedTol());
    };
    if (is_definite_)
      run(Belos::PseudoBlockCGSolMgr<double, Epetra_MultiVector, Epetra_Operator>(problem, list));
    else
      run(Belos::PseudoBlockGmresSolMgr<double, Epetra_MultiVector, Epetra_Operator>(problem, list));
  }

  const char* name() const { return is_definite_ ? "conjugate gradients" : "GMRES"; }

  const Epetra_CrsMatrix& A_;
  bool is_definite_;
  std::unique_ptr<Epetra_Operator> preconditioner_;
};

enum class MatrixForm { definite, indefinite, unsymmetric };

class KrylovSolves : public ReportedFactorization<double> {
 public:
  KrylovSolves(TrilinosMatrix A, MatrixForm form)
      : A_(std::move(A)), form_(form), iteration_(A_.entries(), form == MatrixForm::definite) {
    report().solver = Solver::krylov;
    report().alternative = Solver::mumps;
  }

  MultiVector solve(ConstView<double> b) const override { return iteration_.solve(b); }

  MultiVector solve_transposed(ConstView<double> b) const override {
    if (form_ != MatrixForm::unsymmetric) return solve(b);
    if (!transposed_) {
      auto& entries = const_cast<Epetra_CrsMatrix&>(A_.entries());
      transposed_ = std::make_unique<Iteration>(dynamic_cast<Epetra_CrsMatrix&>(transpose_(entries)), false);
    }
    return transposed_->solve(b);
  }

 private:
  TrilinosMatrix A_;
  MatrixForm form_;
  Iteration iteration_;
  mutable EpetraExt::RowMatrix_Transpose transpose_;  ///< owns what it returns
  mutable std::unique_ptr<Iteration> transposed_;     ///< made when first asked for
};

}  // namespace

ReportedFactorizationPtr<double> iterate_krylov(const Pattern& pattern, const std::vector<double>& values,
                                                const FactorizationOptions& options) {
  TrilinosMatrix A = matrix_of(pattern, values);
  if (TrilinosEngine::asymmetry(A) > options.symmetry_tolerance)
    return std::make_unique<KrylovSolves>(std::move(A), MatrixForm::unsymmetric);
  if (sign_of_diagonal(pattern, values) > 0) {
    // Conjugate gradients find out by themselves whether the matrix is definite.
    try {
      auto definite = std::make_unique<KrylovSolves>(A, MatrixForm::definite);
      MultiVector b(A.rows().n_local(), 1);
      for (Index i = 0; i < A.rows().n_local(); ++i)
        b(i, 0) = std::fmod(golden_section * static_cast<double>(A.rows().global_index(i) + 1), 1.) - 0.5;
      definite->solve(b);
      return definite;
    } catch (const NoConvergence&) {
    }
  }
  return std::make_unique<KrylovSolves>(std::move(A), MatrixForm::indefinite);
}

}  // namespace halfdof::trilinos
