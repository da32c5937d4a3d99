// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/without_conjugates.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <limits>

namespace halfdof::internal {

namespace {

/// Returns w at the eigenvalues; nearly zero eigenvalues are replaced by a small rate.
template <class Engine>
MultiVector scales_of(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> x) {
  const double smallest = smallest_relative_rate * scales.rate();
  return scales(lambda.cwiseAbs().cwiseMax(smallest).cast<Complex>(), x)
      .cwiseMax(std::numeric_limits<double>::min());
}

/// Returns |x^H K x|.
template <class Engine>
Vector rest_energies(const TermScales<Engine>& scales, ConstView<Complex> x, const ComplexMultiVector& Kx) {
  return products_by_columns(scales.system().dofs().communicator(), x.conjugate().eval(), Kx).cwiseAbs();
}

/// Returns the effect on |x^H K x| of rounding of the entries of K.
template <class Engine>
Vector rounding_of_rest(const TermScales<Engine>& scales, ConstView<Complex> x) {
  return unit_roundoff * scales.bilinear_bound(ComplexVector::Zero(x.cols()), x, x);
}

/// Returns which eigenvalues are zeros according to their right vectors.
template <class Engine>
std::vector<bool> zeros_by_terms(const TermScales<Engine>& scales, const ComplexVector& lambda,
                                 ConstView<Complex> x, const TermProducts& products) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon(), largest_rounding = 1e-6;
  const Communicator& communicator = scales.system().dofs().communicator();
  const ComplexMultiVector Cx = products.Cx * lambda.asDiagonal();
  const ComplexMultiVector Mx = products.Mx * lambda.cwiseProduct(lambda).asDiagonal();
  const MultiVector w = scales_of(scales, lambda, x);
  const Vector terms =
      largest_entries(communicator, (moduli(Mx) + moduli(Cx) + moduli(products.Kx)).cwiseQuotient(w));
  const Vector residual = largest_entries(communicator, moduli(Mx + Cx + products.Kx).cwiseQuotient(w));
  std::vector<bool> zeros;
  for (Index j = 0; j < static_cast<Index>(terms.size()); ++j)
    zeros.push_back(terms[j] <= std::max(rounding, std::min(10 * residual[j], largest_rounding)));
  return zeros;
}

}  // namespace

template <class Engine>
std::vector<bool> are_zeros(const TermScales<Engine>& scales, const ComplexVector& lambda,
                            ConstView<Complex> p, ConstView<Complex> x, const TermProducts& products) {
  constexpr double most = 4, far_better = 1e-3;
  const Communicator& communicator = scales.system().dofs().communicator();
  const Vector residual = residuals_along(scales.system(), lambda, p, products);
  const Vector radius = radii(scales.system(), lambda, p, products,
                              unit_roundoff * scales.bilinear_bound(lambda, p, x) + residual);
  const Vector rest =
      products_by_columns(communicator, p, products.Kx)
          .cwiseAbs()
          .cwiseMax(products_by_columns(communicator, p.conjugate().eval(), products.Kx).cwiseAbs());
  const Vector rounding = unit_roundoff * scales.bilinear_bound(ComplexVector::Zero(x.cols()), p, x);
  std::vector<bool> zeros;
  for (Index j = 0; j < static_cast<Index>(lambda.size()); ++j)
    zeros.push_back(std::abs(lambda[j]) <= most * radius[j] &&
                    rest[j] <= std::max(most * most * rounding[j], far_better * residual[j]));
  return zeros;
}

template <class Engine>
ComplexVector round_zeros(const TermScales<Engine>& scales, ComplexVector lambda, ConstView<Complex> x,
                          const TermProducts& products) {
  const std::vector<bool> zeros = scales.has_own_left_vectors() ? are_zeros(scales, lambda, x, x, products)
                                                                : zeros_by_terms(scales, lambda, x, products);
  for (std::size_t j = 0; j < zeros.size(); ++j)
    if (zeros[j]) lambda[static_cast<Index>(j)] = 0;
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
bool is_static_null_vector(const TermScales<Engine>& scales, ConstView<Complex> x) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const Communicator& communicator = scales.system().dofs().communicator();
  ComplexMultiVector Kx = ComplexMultiVector::Zero(x.rows(), 1);
  scales.system().K().add_product(Complex(1), x, Kx);
  if (scales.has_own_left_vectors()) return rest_energies(scales, x, Kx)[0] <= rounding_of_rest(scales, x)[0];
  const MultiVector w = scales_of(scales, ComplexVector::Zero(1), x);
  return largest_entries(communicator, moduli(Kx).cwiseQuotient(w))[0] <= 4 * epsilon;
}

template std::vector<bool> are_zeros(const TermScales<InstantiatedEngine>&, const ComplexVector&,
                                     ConstView<Complex>, ConstView<Complex>, const TermProducts&);
template std::vector<Complex> round_zeros(const TermScales<InstantiatedEngine>&, const std::vector<Complex>&,
                                          ConstView<Complex>);
template ComplexVector round_zeros(const TermScales<InstantiatedEngine>&, ComplexVector, ConstView<Complex>,
                                   const TermProducts&);
template bool is_static_null_vector(const TermScales<InstantiatedEngine>&, ConstView<Complex>);

}  // namespace halfdof::internal
