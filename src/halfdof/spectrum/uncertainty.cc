// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/uncertainty.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

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
Vector residuals_along(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                       const TermProducts& products) {
  return products_by_columns(system.dofs().communicator(), p, residual_of(products, lambda)).cwiseAbs();
}

template <class Engine>
Vector radii(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
             const TermProducts& products, const Vector& delta) {
  const auto of_p = [&](const ComplexMultiVector& Ax) {
    return products_by_columns(system.dofs().communicator(), p, Ax);
  };
  const ComplexVector m = of_p(products.Mx), c = of_p(products.Cx);
  const Eigen::ArrayXd slope = (2. * lambda.cwiseProduct(m) + c).cwiseAbs().array();
  const Eigen::ArrayXd d = delta.array();
  return (d == 0).select(0., 2 * d / (slope + (slope.square() + 4 * m.cwiseAbs().array() * d).sqrt()));
}

template <class Engine>
Vector corrections(const FreeSystem<Engine>& system, const ComplexVector& lambda, ConstView<Complex> p,
                   const TermProducts& products) {
  const auto of_p = [&](const ComplexMultiVector& Ax) {
    return products_by_columns(system.dofs().communicator(), p, Ax);
  };
  const ComplexVector m = of_p(products.Mx), slope = 2. * lambda.cwiseProduct(m) + of_p(products.Cx),
                      rest = of_p(residual_of(products, lambda));
  Vector distance = Vector::Zero(lambda.size());
  for (Index j = 0; j < distance.size(); ++j) {
    const Complex root = std::sqrt(slope[j] * slope[j] - 4. * m[j] * rest[j]);
    const double larger = std::max(std::abs(slope[j] + root), std::abs(slope[j] - root));
    if (larger > 0) distance[j] = 2 * std::abs(rest[j]) / larger;
  }
  return distance;
}

template <class Engine>
Vector uncertainties(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> p,
                     ConstView<Complex> x, const TermProducts& products) {
  return radii(scales.system(), lambda, p, products, unit_roundoff * scales.bilinear_bound(lambda, p, x));
}

template TermProducts term_products(const FreeSystem<InstantiatedEngine>&, ConstView<Complex>);
template Vector residuals_along(const FreeSystem<InstantiatedEngine>&, const ComplexVector&,
                                ConstView<Complex>, const TermProducts&);
template Vector radii(const FreeSystem<InstantiatedEngine>&, const ComplexVector&, ConstView<Complex>,
                      const TermProducts&, const Vector&);
template Vector corrections(const FreeSystem<InstantiatedEngine>&, const ComplexVector&, ConstView<Complex>,
                            const TermProducts&);
template Vector uncertainties(const TermScales<InstantiatedEngine>&, const ComplexVector&, ConstView<Complex>,
                              ConstView<Complex>, const TermProducts&);

}  // namespace halfdof::internal
