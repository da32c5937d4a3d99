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

template <class Engine>
Vector balancing_columns(const FreeSystem<Engine>& system) {
  constexpr int n_iterations = 6;  // what differs by 1e18 at first differs by less than two then
  const double rate = characteristic_rate(system);
  Vector rows = Vector::Ones(system.dofs().n_local()), columns = rows;
  for (int iteration = 0; iteration < n_iterations; ++iteration) {
    Vector row_sums = Vector::Zero(rows.size()), column_sums = row_sums;
    const auto add = [&](double factor, const typename Engine::Matrix& A) {
      const typename Engine::Matrix scaled = Engine::scaled(A, rows, columns);
      row_sums += factor * Engine::row_norms(scaled);
      column_sums += factor * Engine::column_norms(scaled);
    };
    add(rate * rate, system.M());
    add(rate, system.C());
    add(1, system.K());
    divide_by_roots(rows, row_sums);
    divide_by_roots(columns, column_sums);
  }
  return columns;
}

}  // namespace

template <class Engine>
TermScales<Engine>::TermScales(const FreeSystem<Engine>& system)
    : system_(system), column_scales_(balancing_columns(system)) {
  const Vector ones = Vector::Ones(column_scales_.size());
  const auto row_sums = [&](const typename Engine::Matrix& A) {
    return Engine::row_norms(Engine::scaled(A, ones, column_scales_));
  };
  M_rows_ = row_sums(system.M());
  C_rows_ = row_sums(system.C());
  K_rows_ = row_sums(system.K());
}

template <class Engine>
Vector TermScales<Engine>::size_of(ConstView<Complex> x) const {
  return largest_entries(system_.dofs().communicator(),
                         column_scales_.cwiseInverse().asDiagonal() * x.cwiseAbs());
}

template <class Engine>
MultiVector TermScales<Engine>::operator()(const ComplexVector& eigenvalues, ConstView<Complex> x) const {
  const Vector size = size_of(x), modulus = eigenvalues.cwiseAbs();
  return M_rows_ * modulus.cwiseAbs2().cwiseProduct(size).transpose() +
         C_rows_ * modulus.cwiseProduct(size).transpose() + K_rows_ * size.transpose();
}

template <class Engine>
MultiVector TermScales<Engine>::of_terms(ConstView<Complex> a, ConstView<Complex> v,
                                         ConstView<Complex> q) const {
  return M_rows_ * size_of(a).transpose() + C_rows_ * size_of(v).transpose() +
         K_rows_ * size_of(q).transpose();
}

template class TermScales<InstantiatedEngine>;

}  // namespace halfdof
