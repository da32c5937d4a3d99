// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>
#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/rounding_limits.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/reduction/unreduced_system.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Partitions a state vector. Each process stores its entries of q_I, then those of q_C, then those of v_I.
Partition partition_of_states(const Classification& classification, const Partition& dofs) {
  return Partition(2 * classification.inertial().n_local() + classification.viscous().n_local(),
                   dofs.shared_communicator());
}

/// Applies a real linear operator to complex vectors.
ComplexMultiVector complex_product(const std::function<MultiVector(ConstView<double>)>& apply,
                                   ConstView<Complex> Y) {
  MultiVector parts(Y.rows(), 2 * Y.cols());
  parts << Y.real(), Y.imag();
  const MultiVector product = apply(parts);
  ComplexMultiVector result(product.rows(), Y.cols());
  result.real() = product.leftCols(Y.cols());
  result.imag() = product.rightCols(Y.cols());
  return result;
}

/// Computes the products M S and C S of coordinates whose accelerations or rates act only on multipliers.
template <class Engine>
ForcesBalancedByMultipliers forces_balanced_by_multipliers(const FreeSystem<Engine>& free,
                                                           const Classification& kinds) {
  using Sparse = Eigen::SparseMatrix<double>;
  const Selection& dofs = free.assembled().free();
  const Sparse S = entries_of<Engine>(*free.coordinates());
  // Coordinates whose rates are constrained have no equation, and their accelerations are known.
  const Vector equations = Engine::column_norms(*free.equations());
  const auto columns = [&](const typename Engine::Matrix& A, const Selection& coordinates) {
    const Sparse on_free = entries_of<Engine>(Engine::submatrix(A, dofs, dofs));
    const Sparse S_k = S * unit_columns(coordinates.local(), static_cast<Index>(S.cols()));
    const Sparse sizes = Sparse(on_free.cwiseAbs()) * Sparse(S_k.cwiseAbs());
    Sparse product = on_free * S_k;
    product.prune([&](Index i, Index j, double value) {
      return equations[coordinates.local()[static_cast<std::size_t>(j)]] > 0 &&
             std::abs(value) > zero_threshold * sizes.coeff(i, j);
    });
    return product;
  };
  return {columns(free.assembled().M(), kinds.viscous()), columns(free.assembled().M(), kinds.algebraic()),
          columns(free.assembled().C(), kinds.algebraic())};
}

}  // namespace

template <class Engine>
struct ReducedSystem<Engine>::Implementation {
  Implementation(const AssembledSystem<Engine>& assembled, const ReductionOptions& options)
      : Implementation(eliminate(FreeSystem<Engine>(assembled), options), options) {}
  Implementation(LinearizedStateForce<Engine> of_state, const ReductionOptions& options)
      : Implementation(eliminate(tangent_system(of_state), of_state.kinds, options), options) {
    linearized_state_force.emplace(std::move(of_state));
  }
  Implementation(Elimination<Engine> elimination, const ReductionOptions& options)
      : chosen(std::move(elimination)),
        shifted(options.shifted),
        states(partition_of_states(chosen.classification, chosen.free.dofs())),
        pencil(chosen.free, options.shifted),
        unreduced(chosen, pencil, options.shifted) {}

  const StateColumns<Engine>& columns_of_states() const {
    std::call_once(state_columns_once, [this] {
      const FreeSystem<Engine>& free = chosen.free;
      const Classification& classification = chosen.classification;
      std::vector<Index> all(static_cast<std::size_t>(free.dofs().n_local()));
      std::iota(all.begin(), all.end(), 0);
      const Selection rows(std::move(all), free.dofs());
      state_columns = StateColumns<Engine>{Engine::submatrix(free.M(), rows, classification.inertial()),
                                           Engine::submatrix(free.K(), rows, classification.inertial()),
                                           Engine::submatrix(free.K(), rows, classification.viscous())};
    });
    return *state_columns;
  }
  const ForcesBalancedByMultipliers& forces_balanced_by_multipliers() const {
    std::call_once(balanced_forces_once, [this] {
      const ConstrainedForm<Engine>* form = chosen.free.constraints();
      if (form != nullptr && std::count(form->is_multiplier.begin(), form->is_multiplier.end(), true) > 0)
        balanced_forces = halfdof::forces_balanced_by_multipliers(chosen.free, chosen.classification);
    });
    return balanced_forces;
  }
  Elimination<Engine> chosen;
  FactorizationOptions shifted;
  Partition states;
  KeptPencil<Engine> pencil;
  UnreducedSystem<Engine> unreduced;
  std::optional<LinearizedStateForce<Engine>> linearized_state_force;
  mutable std::once_flag state_columns_once;
  mutable std::optional<StateColumns<Engine>> state_columns;
  mutable std::once_flag balanced_forces_once;
  mutable ForcesBalancedByMultipliers balanced_forces;
};

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(const AssembledSystem<Engine>& assembled,
                                     const ReductionOptions& options)
    : implementation_(assembled.state_force()
                          ? std::make_shared<const Implementation>(
                                state_force_linearized_at_rest(assembled, options), options)
                          : std::make_shared<const Implementation>(assembled, options)) {}

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(const AssembledSystem<Engine>& assembled, double time,
                                     const AssembledMotion& motion, const ReductionOptions& options)
    : implementation_(assembled.state_force()
                          ? std::make_shared<const Implementation>(
                                LinearizedStateForce<Engine>(assembled, time, motion, options), options)
                          : std::make_shared<const Implementation>(assembled, options)) {}

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(LinearizedStateForce<Engine> of_state)
    : implementation_(std::make_shared<const Implementation>(of_state, of_state.options)) {}

template <class Engine>
ReducedSystem<Engine> ReducedSystem<Engine>::with_load(const TimeFunction& load,
                                                       const TimeFunction& load_rate) const {
  if (const LinearizedStateForce<Engine>* const of_state = linearized_state_force())
    return ReducedSystem(of_state->system.with_load(load, load_rate), of_state->time, of_state->linearization,
                         of_state->options);
  Elimination<Engine> elimination = implementation_->chosen;
  elimination.free = elimination.free.with_load(load, load_rate);
  elimination.undropped = elimination.undropped.with_load(load, load_rate);
  if (elimination.in_given_coordinates)
    elimination.in_given_coordinates = elimination.in_given_coordinates->with_load(load, load_rate);
  ReductionOptions options;
  options.shifted = implementation_->shifted;
  return ReducedSystem(std::make_shared<const Implementation>(std::move(elimination), options));
}

template <class Engine>
const LinearizedStateForce<Engine>* ReducedSystem<Engine>::linearized_state_force() const {
  return implementation_->linearized_state_force ? &*implementation_->linearized_state_force : nullptr;
}

template <class Engine>
ReductionMethod ReducedSystem<Engine>::method() const {
  return implementation_->chosen.method;
}

template <class Engine>
const std::string& ReducedSystem<Engine>::reason() const {
  return implementation_->chosen.reason;
}

template <class Engine>
const FreeSystem<Engine>& ReducedSystem<Engine>::free() const {
  return implementation_->chosen.free;
}

template <class Engine>
const UnreducedSystem<Engine>& ReducedSystem<Engine>::unreduced() const {
  return implementation_->unreduced;
}

template <class Engine>
const AssembledSystem<Engine>& ReducedSystem<Engine>::assembled() const {
  return free().assembled();
}

template <class Engine>
const Communicator& ReducedSystem<Engine>::communicator() const {
  return free().dofs().communicator();
}

template <class Engine>
Vector ReducedSystem<Engine>::linear_load(double time) const {
  return free().load(time);
}

template <class Engine>
const ConstraintReport& ReducedSystem<Engine>::constraints() const {
  return implementation_->chosen.constraints;
}

template <class Engine>
const Classification& ReducedSystem<Engine>::classification() const {
  return implementation_->chosen.classification;
}

template <class Engine>
const MixedColumnMatrix<Engine>& ReducedSystem<Engine>::elimination() const {
  return implementation_->chosen.D;
}

template <class Engine>
const Partition& ReducedSystem<Engine>::states() const {
  return implementation_->states;
}

template <class Engine>
Index ReducedSystem<Engine>::n_local_states() const {
  return states().n_local();
}

template <class Engine>
MultiVector ReducedSystem<Engine>::highest_derivatives(ConstView<double> Y, ConstView<double> F) const {
  MultiVector b = F;
  free().C().add_product(-1., velocity_states(*this, Y), b);
  free().K().add_product(-1., displacement_states(*this, Y), b);
  return elimination().solve(b);
}

template <class Engine>
MultiVector ReducedSystem<Engine>::apply_homogeneous(ConstView<double> Y) const {
  const MultiVector x = highest_derivatives(Y, MultiVector::Zero(free().dofs().n_local(), Y.cols()));
  MultiVector derivative(Y.rows(), Y.cols());
  stack_rows(derivative, v_I(Y), classification().viscous().selected_rows(x),
             classification().inertial().selected_rows(x));
  return derivative;
}

template <class Engine>
ComplexMultiVector ReducedSystem<Engine>::apply_homogeneous(ConstView<Complex> Y) const {
  return complex_product([this](ConstView<double> parts) { return apply_homogeneous(parts); }, Y);
}

template <class Engine>
MultiVector ReducedSystem<Engine>::input(ConstView<double> F) const {
  const MultiVector x = elimination().solve(F);
  MultiVector derivative(n_local_states(), F.cols());
  stack_rows(derivative, MultiVector::Zero(n_I(), F.cols()), classification().viscous().selected_rows(x),
             classification().inertial().selected_rows(x));
  return derivative;
}

template <class Engine>
Vector ReducedSystem<Engine>::apply(const State& state) const {
  return apply(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
Vector ReducedSystem<Engine>::apply(const State& state, const Vector& forces) const {
  const MultiVector x = highest_derivatives(state.y, load(state, forces) + forces);
  Vector derivative(n_local_states());
  stack_rows(derivative, v_I(state.y), classification().viscous().selected_rows(x),
             classification().inertial().selected_rows(x));
  return derivative;
}

template <class Engine>
FactorizationPtr<double> ReducedSystem<Engine>::factorize_pencil(double a, double b, double c) const {
  return implementation_->pencil.factorize(a, b, c);
}

template <class Engine>
FactorizationPtr<Complex> ReducedSystem<Engine>::factorize_pencil(Complex a, Complex b, Complex c) const {
  return implementation_->pencil.factorize(a, b, c);
}

template <class Engine>
const StateColumns<Engine>& ReducedSystem<Engine>::state_columns() const {
  return implementation_->columns_of_states();
}

template <class Engine>
const ForcesBalancedByMultipliers& ReducedSystem<Engine>::forces_balanced_by_multipliers() const {
  return implementation_->forces_balanced_by_multipliers();
}

template <class Engine>
ShiftedSystem<Engine, double> ReducedSystem<Engine>::shifted(double sigma) const {
  return ShiftedSystem<Engine, double>(*this, sigma);
}

template <class Engine>
ShiftedSystem<Engine, Complex> ReducedSystem<Engine>::shifted(Complex sigma) const {
  return ShiftedSystem<Engine, Complex>(*this, sigma);
}

template class ReducedSystem<InstantiatedEngine>;

}  // namespace halfdof
