#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/null_space.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <random>

namespace halfdof {

namespace {

constexpr GlobalIndex max_dimension = 12;
constexpr int n_iterations = 4;
/// Perturbation of an equilibrated matrix; the null vectors come out as exact as this is small.
constexpr double perturbation = 1e-10;
/// Squares of singular values are resolved to rounding, singular values therefore to its root.
constexpr double null_singular_value = 1e-7;

MultiVector random_block(Index n_rows, Index n_columns, int seed) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
  std::normal_distribution<double> normal;
  return MultiVector::NullaryExpr(n_rows, n_columns, [&] { return normal(generator); });
}

/// Orthonormal basis of the range of X over all processes, by its Gram matrix, twice for accuracy.
MultiVector orthonormalized(const Communicator& communicator, MultiVector X) {
  for (int pass = 0; pass < 2; ++pass) {
    for (Index j = 0; j < X.cols(); ++j)
      X.col(j) /= norm(communicator, X.col(j));
    const Eigen::SelfAdjointEigenSolver<MultiVector> gram(inner_products(communicator, X, X));
    const double largest = gram.eigenvalues().tail(1)[0];
    const auto n_kept = static_cast<Index>((gram.eigenvalues().array() > 1e-14 * largest).count());
    X = (X * gram.eigenvectors().rightCols(n_kept) *
         gram.eigenvalues().tail(n_kept).cwiseSqrt().cwiseInverse().asDiagonal())
            .eval();
  }
  return X;
}

}  // namespace

template <class Engine>
NullSpace null_space(const typename Engine::Matrix& A) {
  const Communicator& communicator = A.rows().communicator();
  const Equilibration scale = equilibrate<Engine>(A);
  const auto B = Engine::scaled(A, scale.rows, scale.columns);
  const Index n_local = A.columns().n_local();

  Vector shift =
      perturbation * (Vector::Ones(n_local) + random_block(n_local, 1, communicator.rank() + 1).cwiseAbs());
  const auto B_shifted = Engine::factorize(Engine::sum(1., B, 1., Engine::diagonal(shift, A.rows())));

  const auto dimension = static_cast<Index>(std::min(max_dimension, A.rows().n_global()));
  MultiVector X = orthonormalized(communicator, random_block(n_local, dimension, communicator.rank() + 101));
  for (int iteration = 0; iteration < n_iterations; ++iteration)
    X = orthonormalized(communicator, B_shifted->solve(B_shifted->solve_transposed(X)));

  MultiVector BX = MultiVector::Zero(A.rows().n_local(), X.cols());
  B.add_product(1., X, BX);
  const Eigen::SelfAdjointEigenSolver<MultiVector> squares(inner_products(communicator, BX, BX));
  const double limit = null_singular_value * null_singular_value;
  const auto n_null = std::max<Index>(1, static_cast<Index>((squares.eigenvalues().array() < limit).count()));
  return {X * squares.eigenvectors().leftCols(n_null), scale.columns};
}

template NullSpace null_space<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof
