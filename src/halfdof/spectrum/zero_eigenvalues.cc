#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/without_conjugates.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <limits>

namespace halfdof {

template <class Engine>
TermProducts term_products(const FreeSystem<Engine>& system, ConstView<Complex> x) {
  const auto product = [&x](const typename Engine::Matrix& A) {
    ComplexMultiVector result = ComplexMultiVector::Zero(x.rows(), x.cols());
    A.add_product(Complex(1), x, result);
    return result;
  };
  return {product(system.M()), product(system.C()), product(system.K())};
}

template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon(), largest_rounding = 1e-6;
  const FreeSystem<Engine>& system = scales.system();
  const Communicator& communicator = system.dofs().communicator();
  const ComplexMultiVector Cx = products.Cx * lambda.asDiagonal();
  const ComplexMultiVector Mx = products.Mx * lambda.cwiseProduct(lambda).asDiagonal();

  const double smallest = smallest_relative_rate * scales.rate();
  const MultiVector w = scales(lambda.cwiseAbs().cwiseMax(smallest).cast<Complex>(), x)
                            .cwiseMax(std::numeric_limits<double>::min());
  const Vector terms =
      largest_entries(communicator, (moduli(Mx) + moduli(Cx) + moduli(products.Kx)).cwiseQuotient(w));
  const Vector residual = largest_entries(communicator, moduli(Mx + Cx + products.Kx).cwiseQuotient(w));
  for (Index j = 0; j < terms.size(); ++j)
    if (terms[j] <= std::max(rounding, std::min(10 * residual[j], largest_rounding))) lambda[j] = 0;
  return lambda;
}

template <class Engine>
std::vector<Complex> round_zeros(const TermScales<Engine>& scales, const std::vector<Complex>& eigenvalues,
                                 ConstView<Complex> x) {
  const WithoutConjugates distinct(scales.system().dofs().communicator(), eigenvalues, x);
  const ComplexMultiVector few = distinct.vectors(x);
  const ComplexVector rounded =
      round_zeros(scales, distinct.values(eigenvalues), few, term_products(scales.system(), few));
  return distinct.expanded(rounded);
}

template TermProducts term_products(const FreeSystem<InstantiatedEngine>&, ConstView<Complex>);
template std::vector<Complex> round_zeros(const TermScales<InstantiatedEngine>&, const std::vector<Complex>&,
                                          ConstView<Complex>);
template ComplexVector round_zeros(const TermScales<InstantiatedEngine>&, ComplexVector, ConstView<Complex>,
                                   const TermProducts&);

}  // namespace halfdof
