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

/// Numbers of vectors that are sought; the larger one if all of the first vectors are null.
constexpr GlobalIndex few = 3, most = 12;
constexpr int most_iterations = 4, n_refinements = 3;
/// Size of the perturbation of an equilibrated matrix; null vectors have relative errors of this size.
constexpr double perturbation = 1e-10;
/// Condition number of the perturbed matrix above which the perturbation did not make the matrix regular.
constexpr double missed = 1e13;
/// Condition number below which the matrix is regular without perturbation, so that no vector need converge.
constexpr double surely_regular = 1e8;
/// Singular values up to this count as zero: their squares have rounding errors, so this is the root of
/// rounding.
constexpr double null_singular_value = 1e-7;

/// The perturbed matrix B + delta, factorized.
template <class Engine>
struct Perturbed {
  typename Engine::Matrix delta;
  FactorizationPtr<double> factorization;
  double condition;  ///< |(B + delta)^-1|, where |B| is about one
};

/// Factorizes B + delta; no value if it is singular.
template <class Engine>
std::optional<Perturbed<Engine>> factorized(const typename Engine::Matrix& B, typename Engine::Matrix delta) {
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

/// Moves the diagonal of B away from zero, so that semidefinite matrices become definite. If the null vectors
/// of rows and columns have no DoF in common, this has little effect, and all entries are changed instead. No
/// value if the matrix remains singular.
template <class Engine>
std::optional<Perturbed<Engine>> perturbed(const typename Engine::Matrix& B) {
  const MultiVector random = pseudo_random(B.columns(), 2).array().abs() + 1;
  const Vector size = perturbation * random.col(0);
  const Vector shift = (diagonal_of<Engine>(B).array() < 0).select(-size, size);
  auto on_diagonal = factorized<Engine>(B, Engine::diagonal(shift, B.rows()));
  if (on_diagonal && on_diagonal->condition < missed) return on_diagonal;
  auto everywhere = factorized<Engine>(B, Engine::scaled(B, size, random.col(1)));
  return everywhere ? std::move(everywhere) : std::move(on_diagonal);
}

/// Ritz vectors of a subspace, with the squares of their singular values, ascending.
struct RitzVectors {
  MultiVector vectors;
  Vector squares;

  Index n_null() const {
    return static_cast<Index>((squares.array() < null_singular_value * null_singular_value).count());
  }
  /// Whether the subspace contains vectors that are not null, and the residuals of the null vectors have the
  /// size of the perturbation.
  bool have_converged() const {
    const Index n = n_null();
    return n > 0 && n < squares.size() && squares[n - 1] < 100 * perturbation * perturbation;
  }
  /// Returns the null vectors, or the vector with the smallest singular value.
  MultiVector null_vectors() const { return vectors.leftCols(std::max<Index>(1, n_null())); }
};

/// @param BX B X for an orthonormal X
RitzVectors ritz_vectors(const Communicator& communicator, const MultiVector& X, const MultiVector& BX) {
  const SymmetricEigenpairs squares = symmetric_eigenpairs(inner_products(communicator, BX, BX));
  return {X * squares.vectors, squares.values};
}

struct RitzPairs {
  RitzVectors right, left;
};

template <class Engine>
RitzPairs smallest_singular_vectors(const typename Engine::Matrix& B, const Perturbed<Engine>& nearby,
                                    Index dimension) {
  const Communicator& communicator = B.rows().communicator();
  MultiVector X = orthonormalized(communicator, pseudo_random(B.columns(), dimension));
  RitzPairs pairs;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const MultiVector Y = orthonormalized(communicator, nearby.factorization->solve_transposed(X));
    X = orthonormalized(communicator, nearby.factorization->solve(Y));
    MultiVector BX = MultiVector::Zero(X.rows(), X.cols()), BY = MultiVector::Zero(Y.rows(), Y.cols());
    B.add_product(1., X, BX);
    B.add_transposed_product(1., Y, BY);
    pairs = {ritz_vectors(communicator, X, BX), ritz_vectors(communicator, Y, BY)};
    if (nearby.condition < surely_regular || (pairs.right.have_converged() && pairs.left.have_converged()))
      break;
  }
  return pairs;
}

/// Computes |B x| / |x| in the 1-norm. The iteration x -> (B + delta)^-1 delta x removes the effect of the
/// perturbation from a null vector.
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
        "A singular matrix remains singular although its entries were perturbed: some entries are missing."));
  RitzPairs pairs;
  for (const GlobalIndex dimension : {few, most}) {
    pairs = smallest_singular_vectors<Engine>(B, *nearby,
                                              static_cast<Index>(std::min(dimension, A.rows().n_global())));
    if (pairs.right.n_null() < pairs.right.squares.size()) break;
  }
  const auto is_sound = [&B](const RitzVectors& vectors) {  // with the same result on all processes
    return vectors.squares.size() > 0 && vectors.squares.allFinite() &&
           !B.rows().communicator().any(!vectors.vectors.allFinite());
  };
  if (!is_sound(pairs.right) || !is_sound(pairs.left))
    return Refusal(NotAvailable(
        "Numbers overflow in the search for what makes the matrices singular, because entries of the "
        "matrices or of their inverse differ by too many orders of magnitude. Set entries to zero "
        "that should be zero, or write the model in other units."));
  const double residual = nearby->condition < surely_regular
                              ? 1 / nearby->condition
                              : residual_of<Engine>(pairs.right.vectors.col(0), B, *nearby);
  return NullSpaces{
      {pairs.right.null_vectors(), scale.columns}, {pairs.left.null_vectors(), scale.rows}, residual};
}

template Attempt<NullSpaces> null_spaces<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof::internal
