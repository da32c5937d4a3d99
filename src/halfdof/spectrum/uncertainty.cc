#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/uncertainty.h>

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
Vector uncertainties(const TermScales<Engine>& scales, const ComplexVector& lambda, ConstView<Complex> p,
                     ConstView<Complex> x, const TermProducts& products) {
  return radii(scales.system(), lambda, p, products, unit_roundoff * scales.between(lambda, p, x));
}

template TermProducts term_products(const FreeSystem<InstantiatedEngine>&, ConstView<Complex>);
template Vector residuals_along(const FreeSystem<InstantiatedEngine>&, const ComplexVector&,
                                ConstView<Complex>, const TermProducts&);
template Vector radii(const FreeSystem<InstantiatedEngine>&, const ComplexVector&, ConstView<Complex>,
                      const TermProducts&, const Vector&);
template Vector uncertainties(const TermScales<InstantiatedEngine>&, const ComplexVector&, ConstView<Complex>,
                              ConstView<Complex>, const TermProducts&);

}  // namespace halfdof
