// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/trilinos/epetra_operator.h>
#include <halfdof/linear_algebra/trilinos/krylov_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>
#include <halfdof/linear_algebra/trilinos/refinement.h>
#include <halfdof/linear_algebra/trilinos/split_matrix.h>

#include <BelosEpetraAdapter.hpp>
#include <BelosLinearProblem.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <Epetra_Comm.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::trilinos {

using namespace internal;

namespace {

/// Tolerance of one pass of iterative refinement. Several short Krylov iterations with refinement are more
/// accurate than a single long iteration.
constexpr double tolerance_of_pass = 1e-8;
constexpr double rough_tolerance = 1e-4;  ///< tolerance of rough solves for estimates
constexpr int max_passes = 8;             ///< largest number of refinement passes
/// Smallest factor by which a pass must reduce the residual so that another pass follows.
constexpr double min_reduction = 2;
constexpr int max_iterations = 2000;  ///< largest number of Krylov steps in one pass
constexpr int restart = 100;          ///< number of GMRES steps between restarts
/// If an iteration has failed, x counts as a null vector of A if |A x| is at most this number times |A||x|.
constexpr double null_vector_tolerance = 1e-9;
constexpr double rounding = 1e-14;  ///< rounding error of a product A x relative to |A||x|

using Problem = Belos::LinearProblem<double, Epetra_MultiVector, Epetra_Operator>;

enum class Method { conjugate_gradients, gmres };

const char* name_of(Method method) {
  return method == Method::conjugate_gradients ? "conjugate gradients" : "GMRES";
}

/// Returns a reference-counted pointer that does not own the object.
template <class T>
Teuchos::RCP<T> non_owning_pointer(const T& object) {
  return Teuchos::rcp(const_cast<T*>(&object), false);
}

/// The result of a Krylov iteration.
struct KrylovResult {
  Vector x;
  int n_steps = 0;
  bool has_converged = false;
  double residual = 0;      ///< relative residual |b - A x| / |b|
  double first_change = 0;  ///< largest entry of the first refinement relative to the largest entry of x
};

/// Krylov iterations with one matrix and one preconditioner. All vectors have the order of the blocks of the
/// matrix.
class KrylovIteration {
 public:
  KrylovIteration(SplitMatrix A, ApproximateInverse inverse, Method method)
      : A_(std::move(A)), inverse_(std::move(inverse)), method_(method), map_(linear_map(A_.rows())) {}

  /**
   * Iterates with refinement until |b - A x| <= tolerance |b|, or until the residual no longer decreases. In
   * the latter case, the iteration counts as converged if x was refined at least once and the norm of b - A x
   * is at most `rounding` times the norm of |A||x|. This bound is about the rounding error of the product A
   * x, which may be larger than tolerance |b|, because x is much larger than b in an ill-conditioned system.
   */
  KrylovResult run(const Vector& b, double tolerance) const;

  /**
   * Returns whether convergence of this iteration proves that a symmetric A is positive definite. Conjugate
   * gradients with a positive definite preconditioner B stop at directions of negative curvature. If no such
   * direction occurs, all zeros theta of the residual polynomial are positive. The component of the residual
   * along an eigenvector of B A with a negative eigenvalue lambda would then grow by the factor prod(1 -
   * lambda / theta) > 1. If the residual becomes small for a right-hand side that contains all eigenvectors,
   * B A therefore has no negative eigenvalue.
   */
  bool proves_definiteness() const {
    return method_ == Method::conjugate_gradients && inverse_.is_positive_definite;
  }

  const SplitMatrix& matrix() const { return A_; }
  std::string name() const { return std::string(name_of(method_)) + ", " + inverse_.name; }

 private:
  static Epetra_Map linear_map(const Partition& rows) {
    return Epetra_Map(-1, rows.n_local(), 0, *epetra_communicator(rows.communicator()));
  }
  double norm(const Vector& x) const {
    double square = x.squaredNorm();
    A_.rows().communicator().sum(&square, 1);
    return std::sqrt(square);
  }
  double largest(const Vector& x) const {
    return A_.rows().communicator().max(x.size() > 0 ? x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.);
  }
  /// Returns whether the residual is as small as the rounding error of the product A x.
  bool is_within_rounding(const KrylovResult& outcome, double norm_of_b) const {
    return outcome.residual * norm_of_b <= rounding * norm(A_.bound_of_product(outcome.x.cwiseAbs()));
  }
  /// Runs one Krylov iteration of Belos and stores the last iterate in x. @return Whether the iteration has
  /// converged
  bool run_once(const Vector& b, double tolerance, Vector& x, int& n_steps) const;
  /// Converts a function on vectors of Eigen to the product of an EpetraOperator.
  EpetraOperator::Product product_from(const std::function<MultiVector(ConstView<double>)>& apply) const;

  SplitMatrix A_;
  ApproximateInverse inverse_;
  Method method_;
  Epetra_Map map_;
};

EpetraOperator::Product KrylovIteration::product_from(
    const std::function<MultiVector(ConstView<double>)>& apply) const {
  return [apply](const Epetra_MultiVector& x, Epetra_MultiVector& y) {
    for (int j = 0; j < x.NumVectors(); ++j)
      Eigen::Map<Vector>(y[j], y.MyLength()) = apply(Eigen::Map<const Vector>(x[j], x.MyLength()));
  };
}

bool KrylovIteration::run_once(const Vector& b, double tolerance, Vector& x, int& n_steps) const {
  using Teuchos::rcp;
  Epetra_MultiVector right = view(map_, b), solution = view(map_, x);
  const auto product =
      rcp(new EpetraOperator(map_, product_from([this](ConstView<double> v) { return A_.product(v); })));
  const auto problem = rcp(new Problem(product, non_owning_pointer(solution),
                                       non_owning_pointer<const Epetra_MultiVector>(right)));
  const auto inverse = rcp(new EpetraOperator(map_, product_from(inverse_.apply)));
  if (method_ == Method::conjugate_gradients)
    problem->setLeftPrec(inverse);
  else
    problem->setRightPrec(inverse);
  problem->setProblem();

  const auto list = Teuchos::parameterList();
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", max_iterations);
  const auto converges = [&](auto&& solver) {
    bool converged = false;
    try {
      converged = solver.solve() == Belos::Converged;
    } catch (const Belos::BelosError&) {
      // Belos throws for a direction of negative curvature, or a residual that is NaN.
    }
    n_steps += solver.getNumIters();
    return converged;
  };
  if (method_ == Method::conjugate_gradients)
    return converges(Belos::PseudoBlockCGSolMgr<double, Epetra_MultiVector, Epetra_Operator>(problem, list));
  list->set("Num Blocks", restart);
  list->set("Orthogonalization", "ICGS");
  return converges(Belos::PseudoBlockGmresSolMgr<double, Epetra_MultiVector, Epetra_Operator>(problem, list));
}

KrylovResult KrylovIteration::run(const Vector& b, double tolerance) const {
  KrylovResult result;
  result.x = Vector::Zero(b.size());
  const double norm_of_b = norm(b);
  result.has_converged = norm_of_b == 0;  // for b = 0, the solution is x = 0
  Vector residual = b;
  result.residual = 1;
  bool goes_on = !result.has_converged;
  int pass = 0;
  for (; goes_on && pass < max_passes; ++pass) {
    Vector correction = Vector::Zero(b.size());
    const double of_pass = std::max(tolerance_of_pass, 0.5 * tolerance / result.residual);
    const bool has_corrected = run_once(residual, of_pass, correction, result.n_steps);
    if (pass == 1) result.first_change = largest(correction) / largest(result.x);
    const Vector x = result.x + correction;
    residual = b - A_.product(x);
    const double now = norm(residual) / norm_of_b, before = result.residual;
    if (now < before || pass == 0) result.x = x;
    if (now < before) result.residual = now;
    result.has_converged = result.residual <= tolerance;
    goes_on = !result.has_converged && has_corrected && now * min_reduction < before;
  }
  if (!result.has_converged) result.has_converged = pass > 1 && is_within_rounding(result, norm_of_b);
  return result;
}

[[noreturn]] void throw_no_convergence(const KrylovIteration& iteration, const KrylovResult& outcome) {
  throw NoConvergence(
      "The Krylov iteration (" + iteration.name() + ") for a linear system of " +
          std::to_string(iteration.matrix().rows().n_global()) + " unknowns did not converge: after " +
          std::to_string(outcome.n_steps) + " steps, the relative residual is " +
          number_text(outcome.residual) +
          ". The preconditioner is not suitable for this matrix, or the matrix is singular: choose "
          "the direct solver \"mumps\".",
      outcome.residual);
}

/// Returns the largest entry of x over all processes; NaN if an entry is NaN. Collective.
double largest_of(const Communicator& communicator, const MultiVector& x) {
  return communicator.max(x.size() > 0 ? x.maxCoeff<Eigen::PropagateNaN>() : 0.);
}

/// Returns the largest entry of |A x| divided by the largest entry of |A||x|; one if x is zero or not finite.
/// The result is near zero if x is a null vector of A.
double relative_image(const LinearCombination<double>& A, const MultiVector& x) {
  const Communicator& communicator = A.rows().communicator();
  const MultiVector zero = MultiVector::Zero(A.rows().n_local(), 1);
  const double image = largest_of(communicator, A.residual(x, zero).cwiseAbs()),
               bound = largest_of(communicator, A.bound_of_product(x.cwiseAbs()));
  return bound > 0 && std::isfinite(bound) ? image / bound : 1;
}

/// Checks for singularities that are found without an iteration: whether A has null rows, and whether a
/// vector of the near null space or the constant vector is a null vector of A. @throws SingularMatrix
void check_known_null_vectors(const LinearCombination<double>& A, const MultiVector& near_null_space) {
  const Vector row_norms = A.bound_of_product(MultiVector::Ones(A.columns().n_local(), 1));
  const Vector is_zero = (row_norms.array() == 0).cast<double>();
  if (A.rows().communicator().any(is_zero.sum() > 0)) throw_singular(A.rows(), is_zero);
  MultiVector known(A.columns().n_local(), near_null_space.cols() + 1);
  known.leftCols(near_null_space.cols()) = near_null_space;
  known.rightCols(1).setOnes();
  for (Eigen::Index c = 0; c < known.cols(); ++c)
    if (relative_image(A, known.col(c)) <= rounding) throw_singular(A.columns(), known.col(c).cwiseAbs());
}

/// A Krylov iteration that converged in a trial solve, and the number of its steps.
struct TrialResult {
  KrylovIteration iteration;
  int n_steps;
};

/// Tests a Krylov iteration by a trial solve of A x = b with a pseudo-random b.
/// @throws NoConvergence if the iteration does not converge; SingularMatrix if x shows that A is singular
TrialResult test_iteration(KrylovIteration iteration, const LinearCombination<double>& A,
                           const FactorizationOptions& options) {
  const SplitMatrix& matrix = iteration.matrix();
  const KrylovResult outcome = iteration.run(matrix.ordered(pseudo_random(A.rows())), options.tolerance);
  const MultiVector x = matrix.unordered(outcome.x);
  const bool is_null_vector = !outcome.has_converged && relative_image(A, x) <= null_vector_tolerance;
  if (is_null_vector || outcome.first_change > largest_correction) throw_singular(A.columns(), x.cwiseAbs());
  if (!outcome.has_converged) throw_no_convergence(iteration, outcome);
  return {std::move(iteration), outcome.n_steps};
}

/// Returns the selection of all rows.
Selection all_of(const Partition& rows) {
  std::vector<Index> all(static_cast<std::size_t>(rows.n_local()));
  std::iota(all.begin(), all.end(), 0);
  return Selection(std::move(all), rows);
}

/// Tries GMRES with a block preconditioner, and then with incomplete factors of the whole matrix.
/// @throws NoConvergence, SingularMatrix
TrialResult try_gmres(const LinearCombination<double>& A, const SplitMatrix& split,
                      const FactorizationOptions& options) {
  if (ApproximateInverse blocks = split.block_inverse(options.near_null_space); blocks.apply) try {
      return test_iteration({split, std::move(blocks), Method::gmres}, A, options);
    } catch (const NoConvergence&) {
    }
  const Selection all = all_of(A.rows());
  ApproximateInverse whole = incomplete_factorization(block_of(A, all, all), false);
  const auto in_order = [split, apply = std::move(whole.apply)](ConstView<double> r) {
    return split.ordered(apply(split.unordered(r)));
  };
  return test_iteration({split, {in_order, whole.name, false}, Method::gmres}, A, options);
}

/// Computes the transposed matrix A^T of a linear combination A.
LinearCombination<double> transpose(const LinearCombination<double>& A) {
  const Selection all = all_of(A.rows());
  return LinearCombination<double>({{1., transposed(block_of(A, all, all))}});
}

/// Krylov iterations with the interface of a factorization.
class KrylovFactorization : public ReportedFactorization<double> {
 public:
  KrylovFactorization(LinearCombination<double> A, TrialResult trial, const FactorizationOptions& options)
      : A_(std::move(A)), iteration_(std::move(trial.iteration)), options_(options) {
    report().solver = Solver::krylov;
    report().alternative = Solver::mumps;
    report().iteration = iteration_.name();
    report().n_steps = trial.n_steps;
    report().is_positive_definite = iteration_.proves_definiteness();
  }

  MultiVector solve(ConstView<double> b) const override { return solve(iteration_, b, options_.tolerance); }
  MultiVector solve_transposed(ConstView<double> b) const override {
    return solve(transposed(), b, options_.tolerance);
  }
  MultiVector rough_solve(ConstView<double> b) const override {
    return solve(iteration_, b, rough_tolerance);
  }
  MultiVector rough_solve_transposed(ConstView<double> b) const override {
    return solve(transposed(), b, rough_tolerance);
  }

 private:
  static MultiVector solve(const KrylovIteration& iteration, ConstView<double> b, double tolerance) {
    const StageTimer stage("solve");
    const MultiVector right = iteration.matrix().ordered(b);
    MultiVector x(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      const KrylovResult outcome = iteration.run(right.col(c), tolerance);
      if (!outcome.has_converged) throw_no_convergence(iteration, outcome);
      x.col(c) = outcome.x;
    }
    return iteration.matrix().unordered(x);
  }

  const KrylovIteration& transposed() const {
    if (iteration_.matrix().is_symmetric()) return iteration_;
    if (!transposed_) {
      const LinearCombination<double> A = transpose(A_);
      transposed_.emplace(try_gmres(A, SplitMatrix(A, false), options_).iteration);
    }
    return *transposed_;
  }

  LinearCombination<double> A_;
  KrylovIteration iteration_;
  FactorizationOptions options_;
  mutable std::optional<KrylovIteration> transposed_;  ///< constructed when it is first needed
};

/// Returns the iterative solver for a matrix that has a positive diagonal entry or a zero diagonal.
ReportedFactorizationPtr<double> iterative_solver(const LinearCombination<double>& A,
                                                  const FactorizationOptions& options) {
  check_known_null_vectors(A, options.near_null_space);
  bool is_symmetric = true;
  for (const auto& [factor, matrix] : A.terms())
    is_symmetric =
        is_symmetric && (factor == 0 || TrilinosEngine::asymmetry(matrix) <= options.symmetry_tolerance);
  const SplitMatrix split(A, is_symmetric);
  if (is_symmetric && split.has_one_block()) try {
      // The conjugate gradients detect whether the matrix is positive definite.
      KrylovIteration iteration(split, split.block_inverse(options.near_null_space),
                                Method::conjugate_gradients);
      return std::make_unique<KrylovFactorization>(A, test_iteration(std::move(iteration), A, options),
                                                   options);
    } catch (const NoConvergence&) {
    }
  return std::make_unique<KrylovFactorization>(A, try_gmres(A, split, options), options);
}

/// Returns -A.
LinearCombination<double> negative(const LinearCombination<double>& A) {
  LinearCombination<double>::Terms terms = A.terms();
  for (auto& [factor, matrix] : terms)
    factor = -factor;
  return LinearCombination<double>(std::move(terms));
}

GlobalIndex n_entries_of(const LinearCombination<double>& A) {
  GlobalIndex n = 0;
  for (const auto& [factor, matrix] : A.terms())
    n = std::max(n, matrix.rows().communicator().count(matrix.n_local_entries()));
  return n;
}

/// Returns the solver for a diagonal, a negative or any other matrix, see iterate_krylov().
ReportedFactorizationPtr<double> solver_by_structure(const LinearCombination<double>& A,
                                                     FactorizationOptions options) {
  MultiVector& vectors = options.near_null_space;
  const Index n_local = A.rows().n_local();
  if (vectors.cols() == 0) vectors.resize(n_local, 0);
  if (A.rows().communicator().any(vectors.rows() != n_local))
    throw InvalidInput(
        "The vectors of the near null space (FactorizationOptions::near_null_space) of a " +
        size_of(A.terms().front().second) +
        " matrix do not have one value for each row that a process owns. On this process, they have " +
        std::to_string(vectors.rows()) + " values for " + std::to_string(n_local) + " rows.");
  const Vector diagonal = diagonal_of(A);
  const Communicator& communicator = A.rows().communicator();
  if (is_diagonal(A)) return factorize_diagonal<double>(A.rows(), diagonal);
  const bool is_negative =
      communicator.any((diagonal.array() < 0).any()) && !communicator.any((diagonal.array() > 0).any());
  return is_negative ? negated(iterative_solver(negative(A), options)) : iterative_solver(A, options);
}

}  // namespace

FactorizationPtr<double> iterate_krylov(const LinearCombination<double>& A,
                                        const FactorizationOptions& options, const std::string& reason) {
  const StageTimer stage("factorize");
  const double start = MPI_Wtime();
  if (!same_layout(A.rows(), A.columns()))
    throw NotAvailable(
        "A " + size_of(A.terms().front().second) +
        " matrix cannot be solved by the solver krylov, because its rows and columns are distributed "
        "differently over the processes. Choose another solver, or \"automatic\".");
  ReportedFactorizationPtr<double> result = solver_by_structure(A, options);
  FactorizationReport& report = result->report();
  report.reason = reason;
  report.n_rows = A.rows().n_global();
  report.n_entries = n_entries_of(A);
  report.seconds = MPI_Wtime() - start;
  stage.note([&] { return describe(report); });
  return result;
}

}  // namespace halfdof::trilinos
