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

/// Tolerance of one pass: several short iterations with refinement are more accurate than a single long one.
constexpr double tolerance_of_pass = 1e-8;
constexpr double rough = 1e-4;  ///< tolerance of rough solves for estimates
constexpr int most_passes = 8;
constexpr double least_gain = 2;  ///< least reduction of the residual after which another pass follows
constexpr int most_iterations = 2000, restart = 100;
/// If an iteration has failed and |A x| is at most this number times |A||x|, x counts as a null vector.
constexpr double of_null_vector = 1e-9;
constexpr double rounding = 1e-14;  ///< rounding error of a product A x relative to |A||x|

using Problem = Belos::LinearProblem<double, Epetra_MultiVector, Epetra_Operator>;

enum class Method { conjugate_gradients, gmres };

const char* name_of(Method method) {
  return method == Method::conjugate_gradients ? "conjugate gradients" : "GMRES";
}

template <class T>
Teuchos::RCP<T> borrowed(const T& object) {
  return Teuchos::rcp(const_cast<T*>(&object), false);
}

/// The result of an iteration.
struct Outcome {
  Vector x;
  int n_steps = 0;
  bool has_converged = false;
  double residual = 0;      ///< |b - A x| / |b|
  double first_change = 0;  ///< largest entry of the first refinement relative to the largest entry of x
};

/// Krylov iterations with one matrix and one preconditioner, in the order of the blocks of the matrix.
class Iteration {
 public:
  Iteration(SplitMatrix A, ApproximateInverse inverse, Method method)
      : A_(std::move(A)), inverse_(std::move(inverse)), method_(method), map_(linear_map(A_.rows())) {}

  /**
   * Iterates with refinement until |b - A x| <= tolerance |b|, or as long as the residual decreases. In the
   * latter case the iteration counts as converged if x was refined at least once and |b - A x| <= rounding |
   * |A||x| |, which is about the rounding error of the product A x: in an ill-conditioned system, x is much
   * larger than b.
   */
  Outcome run(const Vector& b, double tolerance) const;

  /**
   * Returns whether convergence of this iteration proves that a symmetric A is positive definite. Conjugate
   * gradients with a positive definite preconditioner B stop at directions of negative curvature. If there is
   * no such direction, all zeros theta of the residual polynomial are positive, so that along an eigenvector
   * of B A with a negative eigenvalue lambda the residual grows by the factor prod(1 - lambda / theta) > 1.
   * If the residual becomes small for a right-hand side that contains all eigenvectors, there is no such
   * eigenvector.
   */
  bool shows_definiteness() const {
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
  /// Returns whether the residual is as small as the rounding error of a product with the matrix.
  bool is_rounding(const Outcome& outcome, double norm_of_b) const {
    return outcome.residual * norm_of_b <= rounding * norm(A_.bound_of_product(outcome.x.cwiseAbs()));
  }
  /// Runs one iteration of Belos; x becomes the last iterate. @return Whether it has converged
  bool run_once(const Vector& b, double tolerance, Vector& x, int& n_steps) const;
  EpetraOperator::Product columns(const std::function<MultiVector(ConstView<double>)>& apply) const;

  SplitMatrix A_;
  ApproximateInverse inverse_;
  Method method_;
  Epetra_Map map_;
};

EpetraOperator::Product Iteration::columns(const std::function<MultiVector(ConstView<double>)>& apply) const {
  return [apply](const Epetra_MultiVector& x, Epetra_MultiVector& y) {
    for (int j = 0; j < x.NumVectors(); ++j)
      Eigen::Map<Vector>(y[j], y.MyLength()) = apply(Eigen::Map<const Vector>(x[j], x.MyLength()));
  };
}

bool Iteration::run_once(const Vector& b, double tolerance, Vector& x, int& n_steps) const {
  using Teuchos::rcp;
  Epetra_MultiVector right = view(map_, b), solution = view(map_, x);
  const auto product =
      rcp(new EpetraOperator(map_, columns([this](ConstView<double> v) { return A_.product(v); })));
  const auto problem =
      rcp(new Problem(product, borrowed(solution), borrowed<const Epetra_MultiVector>(right)));
  const auto inverse = rcp(new EpetraOperator(map_, columns(inverse_.apply)));
  if (method_ == Method::conjugate_gradients)
    problem->setLeftPrec(inverse);
  else
    problem->setRightPrec(inverse);
  problem->setProblem();

  const auto list = Teuchos::parameterList();
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", most_iterations);
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

Outcome Iteration::run(const Vector& b, double tolerance) const {
  Outcome result;
  result.x = Vector::Zero(b.size());
  const double norm_of_b = norm(b);
  result.has_converged = norm_of_b == 0;  // for b = 0, the solution is x = 0
  Vector residual = b;
  result.residual = 1;
  bool goes_on = !result.has_converged;
  int pass = 0;
  for (; goes_on && pass < most_passes; ++pass) {
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
    goes_on = !result.has_converged && has_corrected && now * least_gain < before;
  }
  if (!result.has_converged) result.has_converged = pass > 1 && is_rounding(result, norm_of_b);
  return result;
}

[[noreturn]] void refuse(const Iteration& iteration, const Outcome& outcome) {
  throw NoConvergence("The Krylov iteration (" + iteration.name() + ") stopped at a relative residual of " +
                          number_text(outcome.residual) + " in " + std::to_string(outcome.n_steps) +
                          " steps. Take a direct solver, \"mumps\": the matrix is too hard for the "
                          "preconditioner, or singular.",
                      outcome.residual);
}

double largest_of(const Communicator& communicator, const MultiVector& x) {
  return communicator.max(x.size() > 0 ? x.maxCoeff<Eigen::PropagateNaN>() : 0.);
}

/// Returns the largest entry of |A x| divided by that of |A||x|; one if x is zero or not finite.
double relative_image(const Combination<double>& A, const MultiVector& x) {
  const Communicator& communicator = A.rows().communicator();
  const MultiVector zero = MultiVector::Zero(A.rows().n_local(), 1);
  const double image = largest_of(communicator, A.residual(x, zero).cwiseAbs()),
               bound = largest_of(communicator, A.bound_of_product(x.cwiseAbs()));
  return bound > 0 && std::isfinite(bound) ? image / bound : 1;
}

/// Checks for singularities that need no iteration: null rows, and null vectors among the near null space and
/// the constant vector. @throws SingularMatrix
void refuse_null_vectors(const Combination<double>& A, const MultiVector& near_null_space) {
  const Vector row_norms = A.bound_of_product(MultiVector::Ones(A.columns().n_local(), 1));
  const Vector is_zero = (row_norms.array() == 0).cast<double>();
  if (A.rows().communicator().any(is_zero.sum() > 0)) refuse_null_vector(A.rows(), is_zero);
  MultiVector known(A.columns().n_local(), near_null_space.cols() + 1);
  known.leftCols(near_null_space.cols()) = near_null_space;
  known.rightCols(1).setOnes();
  for (Eigen::Index c = 0; c < known.cols(); ++c)
    if (relative_image(A, known.col(c)) <= rounding) refuse_null_vector(A.columns(), known.col(c).cwiseAbs());
}

struct Tried {
  Iteration iteration;
  int n_steps;
};

/// Tests the iteration on A x = b with a pseudo-random b, and returns it with the number of its steps.
/// @throws NoConvergence if it does not converge; SingularMatrix if x shows that A is singular
Tried tried(Iteration iteration, const Combination<double>& A, const FactorizationOptions& options) {
  const SplitMatrix& matrix = iteration.matrix();
  const Outcome outcome = iteration.run(matrix.ordered(pseudo_random(A.rows())), options.tolerance);
  const MultiVector x = matrix.unordered(outcome.x);
  const bool is_null_vector = !outcome.has_converged && relative_image(A, x) <= of_null_vector;
  if (is_null_vector || outcome.first_change > largest_correction)
    refuse_null_vector(A.columns(), x.cwiseAbs());
  if (!outcome.has_converged) refuse(iteration, outcome);
  return {std::move(iteration), outcome.n_steps};
}

Selection all_of(const Partition& rows) {
  std::vector<Index> all(static_cast<std::size_t>(rows.n_local()));
  std::iota(all.begin(), all.end(), 0);
  return Selection(std::move(all), rows);
}

/// Tries GMRES with a block preconditioner, and then with incomplete factors of the whole matrix.
/// @throws NoConvergence, SingularMatrix
Tried try_gmres(const Combination<double>& A, const SplitMatrix& split, const FactorizationOptions& options) {
  if (ApproximateInverse blocks = split.block_inverse(options.near_null_space); blocks.apply) try {
      return tried({split, std::move(blocks), Method::gmres}, A, options);
    } catch (const NoConvergence&) {
    }
  const Selection all = all_of(A.rows());
  ApproximateInverse whole = incomplete_factorization(block_of(A, all, all), false);
  const auto in_order = [split, apply = std::move(whole.apply)](ConstView<double> r) {
    return split.ordered(apply(split.unordered(r)));
  };
  return tried({split, {in_order, whole.name, false}, Method::gmres}, A, options);
}

/// Forms A^T.
Combination<double> transposed_sum(const Combination<double>& A) {
  const Selection all = all_of(A.rows());
  return Combination<double>({{1., transposed(block_of(A, all, all))}});
}

class KrylovSolves : public ReportedFactorization<double> {
 public:
  KrylovSolves(Combination<double> A, Tried tried, const FactorizationOptions& options)
      : A_(std::move(A)), iteration_(std::move(tried.iteration)), options_(options) {
    report().solver = Solver::krylov;
    report().alternative = Solver::mumps;
    report().iteration = iteration_.name();
    report().n_steps = tried.n_steps;
    report().is_positive_definite = iteration_.shows_definiteness();
  }

  MultiVector solve(ConstView<double> b) const override { return solve(iteration_, b, options_.tolerance); }
  MultiVector solve_transposed(ConstView<double> b) const override {
    return solve(transposed(), b, options_.tolerance);
  }
  MultiVector rough_solve(ConstView<double> b) const override { return solve(iteration_, b, rough); }
  MultiVector rough_solve_transposed(ConstView<double> b) const override {
    return solve(transposed(), b, rough);
  }

 private:
  static MultiVector solve(const Iteration& iteration, ConstView<double> b, double tolerance) {
    const Stage stage("solve");
    const MultiVector right = iteration.matrix().ordered(b);
    MultiVector x(b.rows(), b.cols());
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      const Outcome outcome = iteration.run(right.col(c), tolerance);
      if (!outcome.has_converged) refuse(iteration, outcome);
      x.col(c) = outcome.x;
    }
    return iteration.matrix().unordered(x);
  }

  const Iteration& transposed() const {
    if (iteration_.matrix().is_symmetric()) return iteration_;
    if (!transposed_) {
      const Combination<double> A = transposed_sum(A_);
      transposed_.emplace(try_gmres(A, SplitMatrix(A, false), options_).iteration);
    }
    return *transposed_;
  }

  Combination<double> A_;
  Iteration iteration_;
  FactorizationOptions options_;
  mutable std::optional<Iteration> transposed_;  ///< constructed when it is first needed
};

/// Returns the iterative solver for a matrix with at least one positive diagonal entry, or with a zero
/// diagonal.
ReportedFactorizationPtr<double> iterate(const Combination<double>& A, const FactorizationOptions& options) {
  refuse_null_vectors(A, options.near_null_space);
  bool is_symmetric = true;
  for (const auto& [factor, matrix] : A.terms())
    is_symmetric =
        is_symmetric && (factor == 0 || TrilinosEngine::asymmetry(matrix) <= options.symmetry_tolerance);
  const SplitMatrix split(A, is_symmetric);
  if (is_symmetric && split.has_one_block()) try {
      // Conjugate gradients detect whether the matrix is definite.
      Iteration iteration(split, split.block_inverse(options.near_null_space), Method::conjugate_gradients);
      return std::make_unique<KrylovSolves>(A, tried(std::move(iteration), A, options), options);
    } catch (const NoConvergence&) {
    }
  return std::make_unique<KrylovSolves>(A, try_gmres(A, split, options), options);
}

Combination<double> negative(const Combination<double>& A) {
  Combination<double>::Terms terms = A.terms();
  for (auto& [factor, matrix] : terms)
    factor = -factor;
  return Combination<double>(std::move(terms));
}

GlobalIndex n_entries_of(const Combination<double>& A) {
  GlobalIndex n = 0;
  for (const auto& [factor, matrix] : A.terms())
    n = std::max(n, matrix.rows().communicator().count(matrix.n_local_entries()));
  return n;
}

ReportedFactorizationPtr<double> by_structure(const Combination<double>& A, FactorizationOptions options) {
  MultiVector& vectors = options.near_null_space;
  const Index n_local = A.rows().n_local();
  if (vectors.cols() == 0) vectors.resize(n_local, 0);
  if (A.rows().communicator().any(vectors.rows() != n_local))
    throw InvalidInput("The near null space of a " + size_of(A.terms().front().second) +
                       " matrix has another number of rows on some process: here " +
                       std::to_string(vectors.rows()) + " instead of " + std::to_string(n_local) +
                       ". Give one value for each row that a process owns.");
  const Vector diagonal = diagonal_of(A);
  const Communicator& communicator = A.rows().communicator();
  if (is_diagonal(A)) return factorize_diagonal<double>(A.rows(), diagonal);
  const bool is_negative =
      communicator.any((diagonal.array() < 0).any()) && !communicator.any((diagonal.array() > 0).any());
  return is_negative ? negated(iterate(negative(A), options)) : iterate(A, options);
}

}  // namespace

FactorizationPtr<double> iterate_krylov(const Combination<double>& A, const FactorizationOptions& options,
                                        const std::string& reason) {
  const Stage stage("factorize");
  const double start = MPI_Wtime();
  if (!same_layout(A.rows(), A.columns()))
    throw NotAvailable("A " + size_of(A.terms().front().second) +
                       " matrix cannot be given to the solver krylov: its rows and columns are distributed "
                       "differently. Choose another solver, or \"automatic\".");
  ReportedFactorizationPtr<double> result = by_structure(A, options);
  FactorizationReport& report = result->report();
  report.reason = reason;
  report.n_rows = A.rows().n_global();
  report.n_entries = n_entries_of(A);
  report.seconds = MPI_Wtime() - start;
  stage.note([&] { return describe(report); });
  return result;
}

}  // namespace halfdof::trilinos
