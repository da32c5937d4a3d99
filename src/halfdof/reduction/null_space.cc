#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/dense_decompositions.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/orthonormal.h>
#include <halfdof/reduction/null_space.h>

#include <algorithm>

namespace halfdof {

namespace {

constexpr GlobalIndex max_dimension = 12;
constexpr int n_iterations = 4;
/// Perturbation of an equilibrated matrix; the null vectors come out as exact as this is small.
constexpr double perturbation = 1e-10;
/// Squares of singular values are resolved to rounding, singular values therefore to its root.
constexpr double null_singular_value = 1e-7;

}  // namespace

template <class Engine>
NullSpace null_space(const typename Engine::Matrix& A) {
  const Communicator& communicator = A.rows().communicator();
  const Equilibration scale = equilibrate<Engine>(A);
  const auto B = Engine::scaled(A, scale.rows, scale.columns);
  const Index n_local = A.columns().n_local();

  const auto dimension = static_cast<Index>(std::min(max_dimension, A.rows().n_global()));
  const MultiVector random = pseudo_random(A.columns(), dimension + 1);
  const Vector shift = perturbation * (Vector::Ones(n_local) + random.col(dimension).cwiseAbs());
  const auto B_shifted = Engine::factorize(Engine::sum(1., B, 1., Engine::diagonal(shift, A.rows())));

  MultiVector X = orthonormalized(communicator, random.leftCols(dimension));
  for (int iteration = 0; iteration < n_iterations; ++iteration)
    X = orthonormalized(communicator, B_shifted->solve(B_shifted->solve_transposed(X)));

  MultiVector BX = MultiVector::Zero(A.rows().n_local(), X.cols());
  B.add_product(1., X, BX);
  const SymmetricEigenpairs squares = symmetric_eigenpairs(inner_products(communicator, BX, BX));
  const double limit = null_singular_value * null_singular_value;
  const auto n_null = std::max<Index>(1, static_cast<Index>((squares.values.array() < limit).count()));
  return {X * squares.vectors.leftCols(n_null), scale.columns};
}

template NullSpace null_space<InstantiatedEngine>(const InstantiatedEngine::Matrix&);

}  // namespace halfdof
