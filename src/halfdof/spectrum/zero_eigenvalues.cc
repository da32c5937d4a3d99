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

namespace {

/// Part of the largest terms in a row that counts as rounding.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

/// w of eigenvalues, of those that are nearly zero at a rate that stands for them.
template <class Engine>
MultiVector scales_of(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> x) {
  const double smallest = smallest_relative_rate * scales.rate();
  return scales(lambda.cwiseAbs().cwiseMax(smallest).cast<Complex>(), x)
      .cwiseMax(std::numeric_limits<double>::min());
}

}  // namespace

template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products) {
  constexpr double largest_rounding = 1e-6;
  const FreeSystem<Engine>& system = scales.system();
  const Communicator& communicator = system.dofs().communicator();
  const ComplexMultiVector Cx = products.Cx * lambda.asDiagonal();
  const ComplexMultiVector Mx = products.Mx * lambda.cwiseProduct(lambda).asDiagonal();

  const MultiVector w = scales_of(scales, lambda, x);
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

template <class Engine>
bool any_at_rest(const TermScales<Engine>& scales, ConstView<Complex> x) {
  ComplexMultiVector Kx = ComplexMultiVector::Zero(x.rows(), x.cols());
  scales.system().K().add_product(Complex(1), x, Kx);
  const MultiVector w = scales_of(scales, ComplexVector::Zero(x.cols()), x);
  const Vector terms = largest_entries(scales.system().dofs().communicator(), moduli(Kx).cwiseQuotient(w));
  return (terms.array() <= rounding).any();
}

template TermProducts term_products(const FreeSystem<InstantiatedEngine>&, ConstView<Complex>);
template std::vector<Complex> round_zeros(const TermScales<InstantiatedEngine>&, const std::vector<Complex>&,
                                          ConstView<Complex>);
template ComplexVector round_zeros(const TermScales<InstantiatedEngine>&, ComplexVector, ConstView<Complex>,
                                   const TermProducts&);
template bool any_at_rest(const TermScales<InstantiatedEngine>&, ConstView<Complex>);

}  // namespace halfdof
