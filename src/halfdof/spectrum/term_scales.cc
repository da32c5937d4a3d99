#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/term_scales.h>

namespace halfdof {

namespace {

/// Brings sums nearer to one; leaves null rows and columns alone.
void divide_by_roots(Vector& scales, const Vector& sums) {
  for (Index i = 0; i < scales.size(); ++i)
    if (sums[i] > 0) scales[i] /= std::sqrt(sums[i]);
}

/// |A|, entry by entry.
template <class Engine>
typename Engine::Matrix absolute(const typename Engine::Matrix& A) {
  const OwnedRows rows = Engine::to_rows(A).cwiseAbs();
  return Engine::from_rows(rows, A.rows(), A.columns());
}

/// Column factors that make the sums of rows and columns of a matrix without negative entries about one.
template <class Matrix>
Vector balancing_columns(const Matrix& A) {
  constexpr int n_iterations = 6;  // what differs by 1e18 at first differs by less than two then
  Vector rows = Vector::Ones(A.rows().n_local()), columns = rows;
  for (int iteration = 0; iteration < n_iterations; ++iteration) {
    Vector row_sums = Vector::Zero(rows.size()), column_sums = row_sums;
    A.add_product(1., columns, row_sums);
    A.add_transposed_product(1., rows, column_sums);
    divide_by_roots(rows, rows.cwiseProduct(row_sums));
    divide_by_roots(columns, columns.cwiseProduct(column_sums));
  }
  return columns;
}

}  // namespace

template <class Engine>
TermScales<Engine>::TermScales(const FreeSystem<Engine>& system)
    : system_(system), rate_(characteristic_rate(system)), is_symmetric_(system.is_symmetric()) {
  const typename Engine::Matrix M = absolute<Engine>(system.M()), C = absolute<Engine>(system.C()),
                                K = absolute<Engine>(system.K());
  column_scales_ = balancing_columns(Engine::sum(1, Engine::sum(rate_ * rate_, M, rate_, C), 1, K));
  const auto row_sums = [&](const typename Engine::Matrix& A) {
    Vector sums = Vector::Zero(column_scales_.size());
    A.add_product(1., column_scales_, sums);
    return sums;
  };
  M_rows_ = row_sums(M);
  C_rows_ = row_sums(C);
  K_rows_ = row_sums(K);
}

template <class Engine>
Vector TermScales<Engine>::size_of(ConstView<Complex> x) const {
  return largest_entries(system_.dofs().communicator(),
                         column_scales_.cwiseInverse().asDiagonal() * moduli(x));
}

template <class Engine>
MultiVector TermScales<Engine>::operator()(const ComplexVector& eigenvalues, ConstView<Complex> x) const {
  const Vector size = size_of(x), modulus = eigenvalues.cwiseAbs();
  return M_rows_ * modulus.cwiseAbs2().cwiseProduct(size).transpose() +
         C_rows_ * modulus.cwiseProduct(size).transpose() + K_rows_ * size.transpose();
}

template <class Engine>
Vector TermScales<Engine>::between(const ComplexVector& eigenvalues, ConstView<Complex> x) const {
  const Vector modulus = eigenvalues.cwiseAbs();
  const MultiVector squares = column_scales_.cwiseInverse().asDiagonal() * x.cwiseAbs2();
  Vector sums = (squares.transpose() * M_rows_).cwiseProduct(modulus.cwiseAbs2()) +
                (squares.transpose() * C_rows_).cwiseProduct(modulus) + squares.transpose() * K_rows_;
  system_.dofs().communicator().sum(sums.data(), static_cast<int>(sums.size()));
  return sums;
}

template <class Engine>
MultiVector TermScales<Engine>::of_terms(ConstView<Complex> a, ConstView<Complex> v,
                                         ConstView<Complex> q) const {
  return M_rows_ * size_of(a).transpose() + C_rows_ * size_of(v).transpose() +
         K_rows_ * size_of(q).transpose();
}

template class TermScales<InstantiatedEngine>;

}  // namespace halfdof
