#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <limits>

namespace halfdof {

namespace {

template <class Matrix>
ComplexMultiVector product(const Matrix& A, ConstView<Complex> x) {
  ComplexMultiVector result = ComplexMultiVector::Zero(x.rows(), x.cols());
  A.add_product(Complex(1), x, result);
  return result;
}

}  // namespace

template <class Engine>
std::vector<Complex> round_zeros(const TermScales<Engine>& scales, std::vector<Complex> eigenvalues,
                                 ConstView<Complex> x) {
  constexpr double rounding = 100 * std::numeric_limits<double>::epsilon(), largest_rounding = 1e-6;
  const FreeSystem<Engine>& system = scales.system();
  const Communicator& communicator = system.dofs().communicator();
  const ComplexVector lambda =
      Eigen::Map<const ComplexVector>(eigenvalues.data(), static_cast<Index>(eigenvalues.size()));
  const ComplexMultiVector Kx = product(system.K(), x);
  const ComplexMultiVector Cx = product(system.C(), x) * lambda.asDiagonal();
  const ComplexMultiVector Mx = product(system.M(), x) * lambda.cwiseProduct(lambda).asDiagonal();

  const double smallest = smallest_relative_rate * characteristic_rate(system);
  const MultiVector w = scales(lambda.cwiseAbs().cwiseMax(smallest).cast<Complex>(), x)
                            .cwiseMax(std::numeric_limits<double>::min());
  const Vector terms =
      largest_entries(communicator, (Mx.cwiseAbs() + Cx.cwiseAbs() + Kx.cwiseAbs()).cwiseQuotient(w));
  const Vector residual = largest_entries(communicator, (Mx + Cx + Kx).cwiseAbs().cwiseQuotient(w));
  for (Index j = 0; j < terms.size(); ++j)
    if (terms[j] <= std::max(rounding, std::min(10 * residual[j], largest_rounding)))
      eigenvalues[static_cast<std::size_t>(j)] = 0;
  return eigenvalues;
}

template std::vector<Complex> round_zeros(const TermScales<InstantiatedEngine>&, std::vector<Complex>,
                                          ConstView<Complex>);

}  // namespace halfdof
