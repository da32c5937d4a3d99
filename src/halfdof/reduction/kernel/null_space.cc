// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/orthonormal.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/kernel/null_space.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// Numbers of vectors that are computed. The larger number is used if all of the first vectors are null
/// vectors.
constexpr GlobalIndex first_dimension = 3, max_dimension = 12;
constexpr int max_iterations = 4, n_refinements = 3;
/// Relative size of the perturbation of an equilibrated matrix. Null vectors have relative errors of this
/// size.
constexpr double perturbation = 1e-10;
/// Condition number of the perturbed matrix above which the perturbation has not made the matrix regular.
constexpr double singular_condition = 1e13;
/// Condition number below which the matrix is regular without perturbation, so that the vectors need not
/// converge.
constexpr double regular_condition = 1e8;
/// Singular values up to this number count as zero. Their squares have rounding errors, so that the number
/// is the square root of the unit roundoff.
constexpr double null_singular_value = 1e-7;

/// The factorized sum B + delta of a matrix and a small perturbation.
template <class Engine>
struct Perturbed {
  typename Engine::Matrix delta;
  FactorizationPtr<double> factorization;
  double condition;  ///< estimate of |(B + delta)^-1|, where |B| is about one
};

/// Factorizes B + delta. There is no result if the sum is singular.
template <class Engine>
std::optional<Perturbed<Engine>> factorize_perturbed(const typename Engine::Matrix& B,
                                                     typename Engine::Matrix delta) {
  const auto sum = Engine::sum(1., B, 1., delta);
  try {
    FactorizationPtr<double> factorization = Engine::factorize(sum);
    const auto solve = [&](const Vector& x) -> Vector { return factorization->solve(x); };
    const auto solve_transposed = [&](const Vector& x) -> Vector {
      return factorization->solve_transposed(x);
    };
    const double condition = estimate_inverse_norm(solve, solve_transposed, B.rows());
    return Perturbed<Engine>{std::move(delta), std::move(factorization), condition};
  } catch (const SingularMatrix&) {
    return std::nullopt;
  }
}

/// Perturbs the diagonal of B away from zero, so that semidefinite matrices become definite. If the null
/// vectors of rows and columns have no DoF in common, a perturbation of the diagonal has little effect, and
/// all entries are perturbed instead. There is no result if the matrix remains singular.
template <class Engine>
std::optional<Perturbed<Engine>> perturbed(const typename Engine::Matrix& B) {
  const MultiVector random = pseudo_random(B.columns(), 2).array().abs() + 1;
  const Vector size = perturbation * random.col(0);
  const Vector shift = (diagonal_of<Engine>(B).array() < 0).select(-size, size);
  auto on_diagonal = factorize_perturbed<Engine>(B, Engine::diagonal(shift, B.rows()));
  if (on_diagonal && on_diagonal->condition < singular_condition) return on_diagonal;
  auto everywhere = factorize_perturbed<Engine>(B, Engine::scaled(B, size, random.col(1)));
  return everywhere ? std::move(everywhere) : std::move(on_diagonal);
}

/// The Ritz vectors of B^T B in a subspace, with the squares of their singular values in ascending order.
struct RitzVectors {
  MultiVector vectors;
  Vector squares;

  Index n_null() const {
    return static_cast<Index>((squares.array() < null_singular_value * null_singular_value).count());
  }
  /// Returns whether the subspace contains vectors that are not null vectors, and the residuals of the null
  /// vectors have the size of the perturbation.
  bool have_converged() const {
    const Index n = n_null();
    return n > 0 && n < squares.size() && squares[n - 1] < 100 * perturbation * perturbation;
  }
  /// Returns the null vectors, or if there are none, the vector with the smallest singular value.
  MultiVector null_vectors() const { return vectors.leftCols(std::max<Index>(1, n_null())); }
};

/// Computes the Ritz vectors in the range of an orthonormal X. @param BX The product B X
RitzVectors ritz_vectors(const Communicator& communicator, const MultiVector& X, const MultiVector& BX) {
  const SymmetricEigenpairs squares = symmetric_eigenpairs(inner_products(communicator, BX, BX));
  return {X * squares.vectors, squares.values};
}

/// Ritz vectors for the right and the left null space.
struct RitzPairs {
  RitzVectors right, left;
};

/// Computes the smallest singular vectors of B by inverse iteration with the perturbed matrix.
template <class Engine>
RitzPairs smallest_singular_vectors(const typename Engine::Matrix& B, const Perturbed<Engine>& nearby,
                                    Index dimension) {
  const Communicator& communicator = B.rows().communicator();
  MultiVector X = orthonormalized(communicator, pseudo_random(B.columns(), dimension));
  RitzPairs pairs;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const MultiVector Y = orthonormalized(communicator, nearby.factorization->solve_transposed(X));
    X = orthonormalized(communicator, nearby.factorization->solve(Y));
    MultiVector BX = MultiVector::Zero(X.rows(), X.cols()), BY = MultiVector::Zero(Y.rows(), Y.cols());
    B.add_product(1., X, BX);
    B.add_transposed_product(1., Y, BY);
    pairs = {ritz_vectors(communicator, X, BX), ritz_vectors(communicator, Y, BY)};
    if (nearby.condition < regular_condition || (pairs.right.have_converged() && pairs.left.have_converged()))
      break;
  }
  return pairs;
}

/// Computes |B x| / |x| in the 1-norm for a null vector x. The iteration x -> (B + delta)^-1 delta x
/// removes the effect of the perturbation from x.
template <class Engine>
double residual_of(Vector x, const typename Engine::Matrix& B, const Perturbed<Engine>& nearby) {
  const Communicator& communicator = B.rows().communicator();
  for (int k = 0; k < n_refinements; ++k) {
    Vector changed = Vector::Zero(x.size());
    nearby.delta.add_product(1., x, changed);
    x = nearby.factorization->solve(changed);
    x /= communicator.sum(x.lpNorm<1>());
  }
  Vector Bx = Vector::Zero(x.size());
  B.add_product(1., x, Bx);
  return communicator.sum(Bx.lpNorm<1>());
}

}  // namespace

template <class Engine>
Attempt<NullSpaces> null_spaces(const typename Engine::Matrix& A) {
  const RowColumnScales scale = equilibrate<Engine>(A);
  const auto B = Engine::scaled(A, scale.rows, scale.columns);
  const std::optional<Perturbed<Engine>> nearby = perturbed<Engine>(B);
  if (!nearby)
    return Refusal(SingularMatrix(
        "A matrix remains singular although its entries were perturbed, because some rows or columns have no "
        "entries. Assemble the missing entries."));
  RitzPairs pairs;
  for (const GlobalIndex dimension : {first_dimension, max_dimension}) {
    pairs = smallest_singular_vectors<Engine>(B, *nearby,
                                              static_cast<Index>(std::min(dimension, A.rows().n_global())));
    if (pairs.right.n_null() < pairs.right.squares.size()) break;
  }
  const auto is_finite = [&B](const RitzVectors& vectors) {  // the result is the same on all processes
    return vectors.squares.size() > 0 && vectors.squares.allFinite() &&
           !B.rows().communicator().any(!vectors.vectors.allFinite());
  };
  if (!is_finite(pairs.right) || !is_finite(pairs.left))
    return Refusal(NotAvailable(
        "Numbers overflow in the search for the null vectors of a singular matrix, because entries of the "
        "matrix or of its inverse differ by too many orders of magnitude. Set entries to zero that should be "
        "zero, or write the model in other units."));
  const double residual = nearby->condition < regular_condition
                              ? 1 / nearby->condition
                              : residual_of<Engine>(pairs.right.vectors.col(0), B, *nearby);
  return NullSpaces{
      {pairs.right.null_vectors(), scale.columns}, {pairs.left.null_vectors(), scale.rows}, residual};
}

template Attempt<NullSpaces> null_spaces<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof::internal
