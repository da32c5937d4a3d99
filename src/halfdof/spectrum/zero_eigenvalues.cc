#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <limits>

namespace halfdof {

namespace {

constexpr double rounding = 100 * std::numeric_limits<double>::epsilon();

template <class Matrix>
ComplexMultiVector product(const Matrix& A, ConstView<Complex> x) {
  ComplexMultiVector result = ComplexMultiVector::Zero(x.rows(), x.cols());
  A.add_product(Complex(1), x, result);
  return result;
}

/// Largest modulus in each column, over all processes.
Vector largest_entries(const Communicator& communicator, ConstView<Complex> x) {
  Vector largest = Vector::Zero(x.cols());
  if (x.rows() > 0) largest = x.cwiseAbs().colwise().maxCoeff().transpose();
  communicator.max(largest.data(), static_cast<int>(largest.size()));
  return largest;
}

/// Row norms of s^2 |M| + s |C| + |K|.
template <class Engine>
Vector row_norms(const FreeSystem<Engine>& system, double s) {
  return s * s * Engine::row_norms(system.M()) + s * Engine::row_norms(system.C()) +
         Engine::row_norms(system.K());
}

/// For each column, whether no entry is above the bound, on any process.
std::vector<bool> within(const Communicator& communicator, const MultiVector& values,
                         const MultiVector& bounds) {
  Vector excess = Vector::Constant(values.cols(), -1);
  if (values.rows() > 0) excess = (values - bounds).colwise().maxCoeff().transpose();
  communicator.max(excess.data(), static_cast<int>(excess.size()));
  std::vector<bool> result;
  for (const double value : excess)
    result.push_back(value <= 0);
  return result;
}

}  // namespace

template <class Engine>
std::vector<Complex> round_zeros(const FreeSystem<Engine>& system, std::vector<Complex> eigenvalues,
                                 ConstView<Complex> x) {
  const Communicator& communicator = system.dofs().communicator();
  const ComplexVector lambda =
      Eigen::Map<const ComplexVector>(eigenvalues.data(), static_cast<Index>(eigenvalues.size()));
  const ComplexMultiVector Kx = product(system.K(), x);
  const ComplexMultiVector Cx = product(system.C(), x) * lambda.asDiagonal();
  const ComplexMultiVector Mx = product(system.M(), x) * lambda.cwiseProduct(lambda).asDiagonal();

  const double s = 1e-4 * characteristic_rate(system);
  MultiVector bounds = rounding * row_norms(system, s) * largest_entries(communicator, x).transpose();
  const Vector residual = largest_entries(communicator, Kx + Cx + Mx);
  bounds = bounds.cwiseMax((10 * residual).transpose().replicate(bounds.rows(), 1));

  const std::vector<bool> is_zero =
      within(communicator, Mx.cwiseAbs() + Cx.cwiseAbs() + Kx.cwiseAbs(), bounds);
  for (std::size_t j = 0; j < is_zero.size(); ++j)
    if (is_zero[j]) eigenvalues[j] = 0;
  return eigenvalues;
}

template std::vector<Complex> round_zeros(const FreeSystem<InstantiatedEngine>&, std::vector<Complex>,
                                          ConstView<Complex>);

}  // namespace halfdof
