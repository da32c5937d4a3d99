// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/implicit_step.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/kept_matrices.h>

#include <sstream>

namespace halfdof::internal {

template <class Engine, class Scalar>
ImplicitStep<Engine, Scalar>::ImplicitStep(const ReducedSystem<Engine>& reduced, Scalar sigma,
                                           const std::string& integrator)
    : reduced_(reduced), sigma_(sigma) {
  try {
    step_matrix_ = reduced_.factorize_pencil(sigma * sigma, sigma, Scalar(1));
  } catch (const SingularMatrix& error) {
    std::ostringstream message;
    message
        << "The step matrix sigma^2 M + sigma C + K of " << integrator << " is singular at sigma = " << sigma
        << " 1/s: " << error.what()
        << " Sigma is an eigenvalue of the system, which therefore has a growing motion. Give a shorter time "
           "step.";
    throw SingularMatrix(message.str());
  }
}

template <class Engine, class Scalar>
void ImplicitStep<Engine, Scalar>::set_state_increment(ConstScalarView x, ConstScalarView offset,
                                                       ScalarVector& delta) const {
  delta.setZero(reduced_.n_local_states());
  add_state_increment(Scalar(1), x, offset, delta);
}

template <class Engine, class Scalar>
void ImplicitStep<Engine, Scalar>::add_state_increment(Scalar factor, ConstScalarView x,
                                                       ConstScalarView offset, ScalarVector& y) const {
  const std::vector<Index>&inertial = reduced_.classification().inertial().local(),
        &viscous = reduced_.classification().viscous().local();
  const auto n_I = static_cast<Index>(inertial.size()), n_C = static_cast<Index>(viscous.size());
  for (Index i = 0; i < n_C; ++i)
    y[n_I + i] += factor * x[viscous[static_cast<std::size_t>(i)]];
  for (Index i = 0; i < n_I; ++i) {
    const Scalar x_i = x[inertial[static_cast<std::size_t>(i)]];
    y[i] += factor * x_i;
    y[n_I + n_C + i] += factor * (sigma_ * x_i - offset[i]);
  }
}

namespace {

/// Above this number of free DoFs the whole matrices M and K are applied, because copies of their columns
/// would double the storage.
constexpr GlobalIndex largest_n_dofs_with_copies = 1000000;

template <class Engine>
bool has_column_copies(const ReducedSystem<Engine>& reduced) {
  return reduced.free().dofs().n_global() <= largest_n_dofs_with_copies;
}

}  // namespace

template <class Engine>
void add_momentum(const ReducedSystem<Engine>& reduced, double factor, ConstView<double> v_I, Vector& rhs) {
  if (has_column_copies(reduced)) {
    reduced.state_columns().M_I.add_product(factor, v_I, rhs);
    return;
  }
  Vector v = Vector::Zero(rhs.size());
  reduced.classification().inertial().add_to(v_I, v);
  reduced.free().M().add_product(factor, v, rhs);
}

template <class Engine>
void subtract_elastic_forces(const ReducedSystem<Engine>& reduced, const Vector& y, Vector& rhs) {
  if (has_column_copies(reduced)) {
    reduced.state_columns().K_I.add_product(-1., reduced.q_I(y), rhs);
    reduced.state_columns().K_C.add_product(-1., reduced.q_C(y), rhs);
    return;
  }
  Vector q = Vector::Zero(rhs.size());
  reduced.classification().inertial().add_to(reduced.q_I(y), q);
  reduced.classification().viscous().add_to(reduced.q_C(y), q);
  reduced.free().K().add_product(-1., q, rhs);
}

template class ImplicitStep<InstantiatedEngine, double>;
template class ImplicitStep<InstantiatedEngine, Complex>;
template void add_momentum(const ReducedSystem<InstantiatedEngine>&, double, ConstView<double>, Vector&);
template void subtract_elastic_forces(const ReducedSystem<InstantiatedEngine>&, const Vector&, Vector&);

}  // namespace halfdof::internal
