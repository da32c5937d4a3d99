#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {
namespace {

/**
 * One over the entry that is to become one: the largest, and where several are equally large (symmetric
 * shapes), the one with the lowest assembled index, so that the result does not depend on rounding or on the
 * number of processes.
 */
ComplexVector normalizing_factors(const Partition& dofs, ConstView<Complex> shapes) {
  const Index k = static_cast<Index>(shapes.cols());
  Vector largest = Vector::Zero(k), first = Vector::Constant(k, -std::numeric_limits<double>::infinity());
  if (shapes.rows() > 0) largest = shapes.cwiseAbs().colwise().maxCoeff().transpose();
  dofs.communicator().max(largest.data(), k);

  ComplexVector chosen = ComplexVector::Zero(k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < shapes.rows(); ++i)
      if (const auto index = -static_cast<double>(dofs.global_index(i));
          std::abs(shapes(i, j)) >= 0.99 * largest[j] && index > first[j]) {
        first[j] = index;
        chosen[j] = shapes(i, j);
      }
  Vector lowest = first;
  dofs.communicator().max(lowest.data(), k);
  for (Index j = 0; j < k; ++j)
    if (first[j] != lowest[j]) chosen[j] = 0;
  dofs.communicator().sum(reinterpret_cast<double*>(chosen.data()), 2 * k);

  for (Index j = 0; j < k; ++j)
    chosen[j] = largest[j] > 0 ? std::abs(chosen[j]) / (largest[j] * chosen[j]) : 1.;
  return chosen;
}

template <class Engine>
Vector assembled_residuals(const ReducedSystem<Engine>& reduced, const ComplexVector& lambda,
                           const ComplexMultiVector& x) {
  const FreeSystem<Engine>& system = reduced.free();
  ComplexMultiVector residual = ComplexMultiVector::Zero(x.rows(), x.cols());
  system.K().add_product(Complex(1), x, residual);
  const ComplexMultiVector rate = x * lambda.asDiagonal();
  system.C().add_product(Complex(1), rate, residual);
  system.M().add_product(Complex(1), ComplexMultiVector(rate * lambda.asDiagonal()), residual);

  const Vector modulus = lambda.cwiseAbs();
  const Vector scale = (modulus.array().square() * one_norm<Engine>(system.M()) +
                        modulus.array() * one_norm<Engine>(system.C()) + one_norm<Engine>(system.K()))
                           .matrix();
  return norms_of_columns(reduced.communicator(), residual)
      .cwiseQuotient(scale.cwiseProduct(norms_of_columns(reduced.communicator(), x)));
}

/// y with every entry off by one unit in the last place, up and down in turn.
ComplexMultiVector rounded(const ComplexMultiVector& y) {
  ComplexMultiVector perturbed = y;
  for (Index j = 0; j < y.cols(); ++j)
    for (Index i = 0; i < y.rows(); ++i)
      perturbed(i, j) *= 1 + ((i + i / 3) % 2 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  return perturbed;
}

}  // namespace

template <class Engine>
ComplexMultiVector free_displacements(const ReducedSystem<Engine>& reduced, ConstView<Complex> states) {
  MultiVector parts(states.rows(), 2 * states.cols());
  parts << states.real(), states.imag();
  const MultiVector x =
      reduced.highest_derivatives(parts, MultiVector::Zero(reduced.free().dofs().n_local(), parts.cols()));
  MultiVector q = reduced.displacement_states(parts);
  const Selection& algebraic = reduced.classification().algebraic();
  algebraic.add_to(algebraic.restrict(x), q);

  ComplexMultiVector result(q.rows(), states.cols());
  result.real() = q.leftCols(states.cols());
  result.imag() = q.rightCols(states.cols());
  return result;
}

template <class Engine>
std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<Engine>& reduced,
                                                   const std::vector<Complex>& eigenvalues,
                                                   ConstView<Complex> states, double zero_scale) {
  const Communicator& communicator = reduced.communicator();
  const ComplexMultiVector y = states;
  const ComplexVector lambda =
      Eigen::Map<const ComplexVector>(eigenvalues.data(), static_cast<Index>(eigenvalues.size()));
  const Vector assembled = assembled_residuals(reduced, lambda, free_displacements(reduced, y));
  const ComplexMultiVector Ay = reduced.apply_homogeneous(y);
  const Vector scale = lambda.cwiseAbs().cwiseMax(zero_scale).cwiseProduct(norms_of_columns(communicator, y));
  const Vector off = norms_of_columns(communicator, Ay - y * lambda.asDiagonal());
  const Vector rounding = norms_of_columns(communicator, reduced.apply_homogeneous(rounded(y)) - Ay);

  std::vector<EigenpairResidual> residuals;
  for (Index j = 0; j < lambda.size(); ++j)
    residuals.push_back({assembled[j], off[j] / scale[j], rounding[j] / scale[j]});
  return residuals;
}

template <class Engine>
Eigenmodes eigenmodes(const ReducedSystem<Engine>& reduced, const std::vector<Complex>& eigenvalues,
                      ComplexMultiVector states) {
  const Partition& dofs = reduced.assembled().dofs();
  Eigenmodes modes{{}, std::move(states), {}, {}};
  modes.shapes = ComplexMultiVector::Zero(dofs.n_local(), modes.states.cols());
  const ComplexMultiVector x = free_displacements(reduced, modes.states);
  reduced.assembled().free().add_to(x, modes.shapes);
  const ComplexVector factors = normalizing_factors(dofs, modes.shapes);
  modes.states *= factors.asDiagonal();
  modes.shapes *= factors.asDiagonal();

  modes.eigenvalues = round_zeros<Engine>(reduced.free(), eigenvalues, x);
  const double scale = zero_scale(modes.eigenvalues, characteristic_rate(reduced.free()));
  modes.residuals = eigenpair_residuals(reduced, eigenvalues, modes.states, scale);
  return modes;
}

template ComplexMultiVector free_displacements(const ReducedSystem<InstantiatedEngine>&, ConstView<Complex>);
template std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<InstantiatedEngine>&,
                                                            const std::vector<Complex>&, ConstView<Complex>,
                                                            double);
template Eigenmodes eigenmodes(const ReducedSystem<InstantiatedEngine>&, const std::vector<Complex>&,
                               ComplexMultiVector);

}  // namespace halfdof
