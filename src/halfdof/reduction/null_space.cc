#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/dense_decompositions.h>
#include <halfdof/linear_algebra/diagonal_of.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/orthonormal.h>
#include <halfdof/reduction/null_space.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace halfdof {

namespace {

/// How many vectors are sought: more where all of them turn out to be null.
constexpr GlobalIndex few = 3, most = 12;
constexpr int most_iterations = 4, n_refinements = 3;
/// Perturbation of an equilibrated matrix; the null vectors come out as exact as this is small.
constexpr double perturbation = 1e-10;
/// Condition number of the perturbed matrix above which the perturbation has missed what is singular.
constexpr double missed = 1e13;
/// And below which the matrix is regular without it, so that no vector has to converge.
constexpr double surely_regular = 1e8;
/// Squares of singular values are resolved to rounding, singular values therefore to its root.
constexpr double null_singular_value = 1e-7;

/// B + delta, and B's difference from it.
template <class Engine>
struct Perturbed {
  typename Engine::Matrix delta;
  FactorizationPtr<double> factorization;
  double condition;  ///< |(B + delta)^-1|, where |B| is about one
};

/// Nothing where it is singular all the same.
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

/// Its diagonal away from zero, so that what is semidefinite becomes definite; where the null vectors of rows
/// and of columns have no DoF in common this changes little, and all entries are changed instead.
template <class Engine>
Perturbed<Engine> perturbed(const typename Engine::Matrix& B) {
  const MultiVector random = pseudo_random(B.columns(), 2).array().abs() + 1;
  const Vector size = perturbation * random.col(0);
  const Vector shift = (diagonal_of<Engine>(B).array() < 0).select(-size, size);
  auto on_diagonal = factorized<Engine>(B, Engine::diagonal(shift, B.rows()));
  if (on_diagonal && on_diagonal->condition < missed) return *std::move(on_diagonal);
  auto everywhere = factorized<Engine>(B, Engine::scaled(B, size, random.col(1)));
  if (everywhere) return *std::move(everywhere);
  if (on_diagonal) return *std::move(on_diagonal);
  throw SingularMatrix(
      "A singular matrix stays singular where its entries are changed: entries that are missing make it so.");
}

/// Those of a subspace, and the squares of their singular values, ascending.
struct RitzVectors {
  MultiVector vectors;
  Vector squares;

  Index n_null() const {
    return static_cast<Index>((squares.array() < null_singular_value * null_singular_value).count());
  }
  /// Vectors that are not null were found too, and the null ones are as null as the perturbation lets them
  /// be.
  bool are_settled() const {
    const Index n = n_null();
    return n > 0 && n < squares.size() && squares[n - 1] < 100 * perturbation * perturbation;
  }
  /// The smallest one at least.
  MultiVector null_vectors() const { return vectors.leftCols(std::max<Index>(1, n_null())); }
};

/// @param BX B X of an orthonormal X
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
    if (nearby.condition < surely_regular || (pairs.right.are_settled() && pairs.left.are_settled())) break;
  }
  return pairs;
}

/// |B x| / |x| in the 1-norm. x -> (B + delta)^-1 delta x takes what the perturbation has added to a null
/// vector away.
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
NullSpaces null_spaces(const typename Engine::Matrix& A) {
  const Equilibration scale = equilibrate<Engine>(A);
  const auto B = Engine::scaled(A, scale.rows, scale.columns);
  const Perturbed<Engine> nearby = perturbed<Engine>(B);
  RitzPairs pairs;
  for (const GlobalIndex dimension : {few, most}) {
    pairs = smallest_singular_vectors<Engine>(B, nearby,
                                              static_cast<Index>(std::min(dimension, A.rows().n_global())));
    if (pairs.right.n_null() < pairs.right.squares.size()) break;
  }
  const auto is_sound = [&B](const RitzVectors& vectors) {  // the same on all processes
    return vectors.squares.size() > 0 && vectors.squares.allFinite() &&
           !B.rows().communicator().any(!vectors.vectors.allFinite());
  };
  if (!is_sound(pairs.right) || !is_sound(pairs.left))
    throw NotAvailable(
        "Numbers overflow in the search for what makes the matrices singular, because entries of the "
        "matrices or of their inverse differ by too many orders of magnitude. Set those to zero that stand "
        "for nothing, or write the model in other units.");
  const double residual = nearby.condition < surely_regular
                              ? 1 / nearby.condition
                              : residual_of<Engine>(pairs.right.vectors.col(0), B, nearby);
  return {{pairs.right.null_vectors(), scale.columns}, {pairs.left.null_vectors(), scale.rows}, residual};
}

template NullSpaces null_spaces<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof
