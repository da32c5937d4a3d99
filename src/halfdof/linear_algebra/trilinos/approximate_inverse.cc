// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/trilinos/approximate_inverse.h>
#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Ifpack_AdditiveSchwarz.h>
#include <Ifpack_IC.h>
#include <Ifpack_ILU.h>
#include <ml_MultiLevelPreconditioner.h>
#include <ml_epetra_utils.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace halfdof::trilinos {

using namespace internal;

namespace {

/// The diagonal suffices as preconditioner if this number of conjugate gradient steps reduces the residual to
/// the fraction trial_reduction. The condition number of the scaled matrix is then below about 50; the mass
/// matrices of trilinear finite elements have a condition number of 27.
constexpr int n_trial_steps = 12;
/// Fraction of the residual that the trial steps must reach.
constexpr double trial_reduction = 0.02;

/// Largest number of rows of the coarsest multigrid level. The number does not grow with the model, because
/// the matrix of this level is factorized on one process.
constexpr int coarsest_size = 1000;

/// Largest asymmetry of the matrices of coarse levels that rounding causes, relative to the norms of their
/// columns.
constexpr double asymmetry_of_products = 1e-12;

constexpr int level_of_fill = 2;  ///< level of fill of the incomplete factorization
/// Overlap of the subdomains of the incomplete factorization. There is no overlap, because Ifpack 13.2 writes
/// beyond its arrays if subdomains overlap and a process has few rows.
constexpr int schwarz_overlap = 0;
constexpr double diagonal_shift = 0.1;  ///< shift of the diagonal relative to the largest row sum

/// Returns the inner product of two distributed vectors. Collective.
double inner_product(const Communicator& communicator, const Vector& x, const Vector& y) {
  double product = x.dot(y);
  communicator.sum(&product, 1);
  return product;
}

/// Returns whether a few steps of conjugate gradients, preconditioned by the diagonal d of A, reduce a
/// residual to the fraction trial_reduction. Collective.
bool is_well_conditioned(const TrilinosMatrix& A, const Vector& d) {
  const Communicator& communicator = A.rows().communicator();
  const Vector noise = pseudo_random(A.rows());
  Vector r = d.cwiseProduct(Vector((1 + 0.5 * noise.array()).matrix())), z = r.cwiseQuotient(d), p = z;
  const double begin = inner_product(communicator, r, z);
  double before = begin;
  for (int step = 0; step < n_trial_steps; ++step) {
    Vector Ap = Vector::Zero(p.size());
    A.add_product(1., p, Ap);
    const double curvature = inner_product(communicator, p, Ap);
    if (!(curvature > 0)) return false;
    r -= before / curvature * Ap;
    z = r.cwiseQuotient(d);
    const double now = inner_product(communicator, r, z);
    if (!(now > trial_reduction * trial_reduction * begin)) return true;
    p = z + now / before * p;
    before = now;
  }
  return false;
}

/// Returns the nonzero columns of near_null_space. If there are no such columns, or if all these columns are
/// zero on rows that are coupled with each other, a further column is added, which is one on the rows where
/// all other columns are zero, and zero elsewhere.
MultiVector complete_near_null_space(const TrilinosMatrix& A, const MultiVector& near_null_space) {
  const Communicator& communicator = A.rows().communicator();
  const Index n = A.rows().n_local();
  std::vector<Index> kept;
  for (Index c = 0; c < near_null_space.cols(); ++c)
    if (communicator.any(!near_null_space.col(c).isZero(0.))) kept.push_back(c);
  MultiVector vectors(n, static_cast<Eigen::Index>(kept.size()) + 1);
  for (std::size_t c = 0; c < kept.size(); ++c)
    vectors.col(static_cast<Eigen::Index>(c)) = near_null_space.col(kept[c]);
  Vector ones_where_all_vanish = Vector::Ones(n);
  if (!kept.empty())
    ones_where_all_vanish = (vectors.leftCols(vectors.cols() - 1).cwiseAbs().rowwise().maxCoeff().array() > 0)
                                .select(Vector::Zero(n), ones_where_all_vanish);
  vectors.rightCols(1) = ones_where_all_vanish;

  const Vector stored = at_stored_columns(A, ones_where_all_vanish);
  bool couples = false;
  for_each_entry(A, [&](int row, int column, double value) {
    couples = couples || (ones_where_all_vanish[row] > 0 && stored[column] > 0 && value != 0 &&
                          A.entries().GRID(row) != A.entries().GCID(column));
  });
  if (!kept.empty() && !communicator.any(couples)) return vectors.leftCols(vectors.cols() - 1);
  return vectors;
}

/// Returns the product of a preconditioner of Epetra with vectors.
MultiVector apply_inverse(const Epetra_Operator& inverse, const TrilinosMatrix& A, ConstView<double> r) {
  MultiVector z(r.rows(), r.cols());
  Epetra_MultiVector image = view(A.entries().DomainMap(), z);
  inverse.ApplyInverse(view(A.entries().RangeMap(), r), image);
  return z;
}

/// Returns whether a preconditioner was constructed on all processes, and its product with a pseudo-random
/// vector is finite. Collective.
bool is_usable(const Epetra_Operator& inverse, const TrilinosMatrix& A, bool made) {
  const Communicator& communicator = A.rows().communicator();
  // If the construction fails on some processes only, all processes must know the failure before the next
  // collective call.
  if (communicator.any(!made)) return false;
  return !communicator.any(!apply_inverse(inverse, A, pseudo_random(A.rows())).allFinite());
}

/// Returns the matrix of the coarsest multigrid level.
TrilinosMatrix coarsest_matrix(const ML& levels) {
  Epetra_CrsMatrix* entries = nullptr;
  ML_Operator2EpetraCrsMatrix(&levels.Amat[levels.ML_coarsest_level], entries);
  return TrilinosMatrix(std::shared_ptr<const Epetra_CrsMatrix>(entries));
}

/**
 * Returns whether a multigrid cycle is known to be positive definite. Let D and L be the diagonal and the
 * strictly lower triangle of the matrix A of a level. The matrix M = (D + L) D^{-1} (D + L^T) of a symmetric
 * Gauss-Seidel sweep is positive definite if D is. The matrix M^{-1} (2 M - A) M^{-1} of two sweeps is then
 * positive definite as well, because 2 M - A = M + L D^{-1} L^T. The coarse-grid correction is positive
 * semidefinite if the matrix of the coarsest level is. These statements do not hold for several processes,
 * because sweeps omit the couplings between processes: the result is false then. Collective.
 */
bool is_definite_cycle(const ML& levels, const Communicator& communicator) {
  if (communicator.size() > 1) return false;
  bool has_positive_diagonals = true;
  const auto [first, last] = std::minmax(levels.ML_finest_level, levels.ML_coarsest_level);
  for (int level = first; level <= last; ++level) {
    ML_Operator& A = levels.Amat[level];
    double* diagonal = nullptr;
    ML_Operator_Get_Diag(&A, A.outvec_leng, &diagonal);
    has_positive_diagonals = has_positive_diagonals &&
                             std::all_of(diagonal, diagonal + A.outvec_leng, [](double d) { return d > 0; });
  }
  if (communicator.any(!has_positive_diagonals)) return false;
  FactorizationOptions options;
  options.symmetry_tolerance = asymmetry_of_products;
  try {
    return TrilinosEngine::factorize(coarsest_matrix(levels), options)->report().is_positive_definite;
  } catch (const SingularMatrix&) {
    return false;
  }
}

/// Returns a multigrid cycle as preconditioner; `apply` of the result is empty if ML cannot treat the matrix.
ApproximateInverse multigrid(const TrilinosMatrix& A, bool is_symmetric, const MultiVector& near_null_space) {
  const StageTimer stage("multigrid");
  const auto vectors = std::make_shared<MultiVector>(complete_near_null_space(A, near_null_space));
  Teuchos::ParameterList list;
  ML_Epetra::SetDefaults(is_symmetric ? "SA" : "NSSA", list);
  list.set("ML output", 0);
  list.set("aggregation: type", "Uncoupled");
  list.set("smoother: type", "symmetric Gauss-Seidel");
  list.set("smoother: sweeps", 1);
  list.set("coarse: type", "Amesos-KLU");
  list.set("coarse: max size", coarsest_size);
  list.set("low memory usage", true);
  list.set("null space: type", "pre-computed");
  list.set("null space: dimension", static_cast<int>(vectors->cols()));
  vectors->conservativeResize(std::max<Eigen::Index>(1, vectors->rows()), vectors->cols());
  list.set("null space: vectors", vectors->data());
  const std::shared_ptr<ML_Epetra::MultiLevelPreconditioner> levels(
      new ML_Epetra::MultiLevelPreconditioner(A.entries(), list));
  if (!is_usable(*levels, A, levels->IsPreconditionerComputed())) return {};
  const int n_levels = levels->GetML()->ML_num_actual_levels;
  return {[A, levels, vectors](ConstView<double> r) { return apply_inverse(*levels, A, r); },
          "multigrid with " + std::to_string(n_levels) + (n_levels == 1 ? " level" : " levels"),
          is_symmetric && is_definite_cycle(*levels->GetML(), A.rows().communicator())};
}

/// Returns incomplete factors of A, whose diagonal is shifted away from zero by `shift`; null if the factors
/// are not usable.
template <class Factors>
std::shared_ptr<const Epetra_Operator> incomplete_factors(const TrilinosMatrix& A, double shift) {
  auto factors = std::make_shared<Ifpack_AdditiveSchwarz<Factors>>(
      const_cast<Epetra_CrsMatrix*>(&A.entries()), schwarz_overlap);
  Teuchos::ParameterList list;
  list.set("fact: level-of-fill", level_of_fill);
  list.set("fact: absolute threshold", shift);
  const bool made =
      factors->SetParameters(list) == 0 && factors->Initialize() == 0 && factors->Compute() == 0;
  if (!is_usable(*factors, A, made)) return nullptr;
  return factors;
}

}  // namespace

ApproximateInverse approximate_inverse(const TrilinosMatrix& A, bool is_symmetric,
                                       const MultiVector& near_null_space) {
  if (A.rows().n_global() == 0)
    return {[](ConstView<double> r) -> MultiVector { return r; }, "no rows", true};
  const Vector d = diagonal_of(A);
  if (!is_well_conditioned(A, d))
    if (ApproximateInverse inverse = multigrid(A, is_symmetric, near_null_space); inverse.apply)
      return inverse;
  return {[d](ConstView<double> r) -> MultiVector { return r.array().colwise() / d.array(); }, "diagonal",
          !A.rows().communicator().any(!(d.array() > 0).all())};
}

/// If the incomplete factors are not usable, for instance because of zeros on the diagonal, the incomplete
/// factors of a matrix with a shifted diagonal are used (Manteuffel 1980).
ApproximateInverse incomplete_factorization(const TrilinosMatrix& A, bool is_definite) {
  for (const double shift : {0., diagonal_shift * A.entries().NormInf()})
    if (const auto factors =
            is_definite ? incomplete_factors<Ifpack_IC>(A, shift) : incomplete_factors<Ifpack_ILU>(A, shift))
      return {[A, factors](ConstView<double> r) { return apply_inverse(*factors, A, r); },
              "incomplete factors", false};
  throw NoConvergence(
      "No preconditioner for a Krylov iteration could be computed, because the incomplete factorization of "
      "the matrix has zero pivots. The matrix may be regular all the same: choose "
      "the direct solver \"mumps\".",
      1.);
}

}  // namespace halfdof::trilinos
