// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/rounding_limits.h>
#include <halfdof/reduction/state_space.h>

#include <algorithm>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the position of a local assembled DoF within a selection that contains it.
Index position_in(const Selection& selection, Index local) {
  const auto found = std::lower_bound(selection.local().begin(), selection.local().end(), local);
  return static_cast<Index>(found - selection.local().begin());
}

/// Returns whether a local assembled DoF is constrained.
template <class Engine>
bool is_constrained(const AssembledSystem<Engine>& assembled, Index local) {
  const std::vector<Index>& listed = assembled.constrained().local();
  return std::binary_search(listed.begin(), listed.end(), local);
}

/// Computes the weights of states and loads in outputs by solves with the transposed D.
template <class Engine>
class OutputBuilder {
 public:
  OutputBuilder(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs)
      : reduced_(reduced),
        system_(reduced.free()),
        assembled_(reduced.assembled()),
        kinds_(reduced.classification()),
        outputs_(outputs),
        q_(zero_on_free_dofs()),
        rate_(zero_on_free_dofs()),
        acceleration_(zero_on_free_dofs()),
        reactions_(MultiVector::Zero(assembled_.constrained().n_local(), n_outputs())) {
    weights_.states = MultiVector::Zero(reduced.n_local_states(), n_outputs());
    weights_.loads = MultiVector::Zero(assembled_.dofs().n_local(), n_outputs());
    weights_.direct_loads = weights_.loads;
    weights_.prescribed.fill(reactions_);
  }

  OutputWeights build() {
    for (Index i = 0; i < n_outputs(); ++i)
      set_unit_weight(outputs_[static_cast<std::size_t>(i)], i);
    weights_.offset = {q_, rate_, acceleration_};
    for (MultiVector* const of_free : {&q_, &rate_, &acceleration_})
      *of_free = system_.weights_of_coordinates(std::move(*of_free));
    add_reactions();
    add_multipliers();
    refuse_algebraic_accelerations();
    MultiVector x = eliminate_derivatives();
    kinds_.inertial().add_to(kinds_.inertial().selected_rows(acceleration_), x);
    kinds_.viscous().add_to(kinds_.viscous().selected_rows(rate_), x);
    kinds_.algebraic().add_to(kinds_.algebraic().selected_rows(q_), x);
    eliminate(x);
    q_states() += kinds_.inertial().selected_rows(q_);
    viscous_states() += kinds_.viscous().selected_rows(q_);
    rate_states() += kinds_.inertial().selected_rows(rate_);
    weights_.loads += weights_.direct_loads;
    return std::move(weights_);
  }

 private:
  Index n_outputs() const { return static_cast<Index>(outputs_.size()); }
  Index n_I() const { return kinds_.inertial().n_local(); }
  MultiVector zero_on_coordinates() const { return MultiVector::Zero(system_.dofs().n_local(), n_outputs()); }
  MultiVector zero_on_free_dofs() const {
    return MultiVector::Zero(assembled_.free().n_local(), n_outputs());
  }

  auto q_states() { return weights_.states.topRows(n_I()); }
  auto viscous_states() { return weights_.states.middleRows(n_I(), kinds_.viscous().n_local()); }
  auto rate_states() { return weights_.states.bottomRows(n_I()); }

  /// Sets the weight of the DoF of an output to one, if this process owns the DoF.
  void set_unit_weight(const Output& output, Index column) {
    const Index local = assembled_.dofs().local_index(output.dof);
    if (local < 0) return;
    const auto derivative = static_cast<std::size_t>(output.quantity);
    if (!is_constrained(assembled_, local)) {
      MultiVector* const of_free[] = {&q_, &rate_, &acceleration_};
      (*of_free[derivative])(position_in(assembled_.free(), local), column) = 1;
    } else if (output.quantity == OutputQuantity::reaction) {
      reactions_(position_in(assembled_.constrained(), local), column) = 1;
      weights_.direct_loads(local, column) = -1;
    } else {
      weights_.prescribed[derivative](position_in(assembled_.constrained(), local), column) = 1;
    }
  }

  /// Adds the weights of r_D = M_Df q_f'' + C_Df q_f' + K_Df q_f + M_DD q_D'' + C_DD q_D' + K_DD q_D - f_D.
  void add_reactions() {
    const auto is_reaction = [](const Output& output) { return output.quantity == OutputQuantity::reaction; };
    if (std::none_of(outputs_.begin(), outputs_.end(), is_reaction)) return;
    add_force_terms(assembled_.constrained(), reactions_,
                    [&](const auto&, MultiVector weights, int derivative) {
                      weights = system_.weights_of_coordinates(std::move(weights));
                      // The columns that a null tolerance dropped are omitted in reactions, too.
                      if (kinds_.n_dropped_columns() > 0)
                        for (const Selection* columns : null_coordinates(derivative))
                          weights(columns->local(), Eigen::all).setZero();
                      return weights;
                    });
  }

  /// Adds the weights of the multiplier part N mu of displacements, which balances f - M q'' - C q' - K q
  /// on the free DoFs.
  void add_multipliers() {
    if (!system_.constraints()) return;
    for (const std::size_t derivative : {std::size_t{1}, std::size_t{2}})
      refuse_derivatives_of_multipliers(system_.constraints()->residual_weights(weights_.offset[derivative]),
                                        derivative == 1 ? "rate" : "acceleration");
    const MultiVector equation_weights = system_.constraints()->residual_weights(weights_.offset[0]);
    if (equation_weights.isZero(0.)) return;
    const Eigen::SparseMatrix<double> sizes_of_S = entries_of<Engine>(*system_.coordinates()).cwiseAbs();
    const MultiVector equation_weight_sizes = equation_weights.cwiseAbs();
    add_force_terms(assembled_.free(), -equation_weights,
                    [&](const auto& on_free, const MultiVector& weights, int derivative) {
                      MultiVector of_coordinates = system_.weights_of_coordinates(weights),
                                  sizes = zero_on_free_dofs();
                      absolute_of<Engine>(on_free).add_transposed_product(1., equation_weight_sizes, sizes);
                      const MultiVector rounding = zero_threshold * (sizes_of_S.transpose() * sizes);
                      for (const Selection* columns : null_coordinates(derivative))
                        for (const Index i : columns->local())
                          for (Index o = 0; o < n_outputs(); ++o)
                            if (std::abs(of_coordinates(i, o)) <= rounding(i, o)) of_coordinates(i, o) = 0;
                      return of_coordinates;
                    });
    assembled_.free().add_to(equation_weights, weights_.direct_loads);
  }

  /// Refuses outputs that need a time derivative of multipliers.
  /// @param equation_weights Weights of this derivative of the multipliers
  void refuse_derivatives_of_multipliers(const MultiVector& equation_weights,
                                         const std::string& derivative) const {
    for (Index o = 0; o < n_outputs(); ++o)
      if (!equation_weights.col(o).isZero(0.))
        throw NotAvailable(
            "The " + describe(outputs_[static_cast<std::size_t>(o)]) + " needs the " + derivative +
            " of a multiplier of a constraint. Multipliers follow from accelerations, so that their " +
            derivative +
            " is not available. Request the displacement of the multiplier, which is its value.");
  }

  /// Returns the selections of coordinates whose rates (derivative 1) or accelerations (derivative 2) do
  /// not appear in the equations.
  std::vector<const Selection*> null_coordinates(int derivative) const {
    if (derivative == 0) return {};
    if (derivative == 1) return {&kinds_.algebraic()};
    return {&kinds_.viscous(), &kinds_.algebraic()};
  }

  /// Adds the weights of weights^T (M q'' + C q' + K q) for some rows of the assembled equations. For A =
  /// K, C and M between these rows and the free DoFs, w = A^T weights are the weights of the k-th
  /// derivatives of the free DoFs; the function `of_coordinates(A, w, k)` converts w to weights of the
  /// coordinates.
  template <class OfCoordinates>
  void add_force_terms(const Selection& rows, const MultiVector& weights,
                       const OfCoordinates& of_coordinates) {
    const Selection &free = assembled_.free(), &d = assembled_.constrained();
    MultiVector* const of_free[] = {&q_, &rate_, &acceleration_};
    const typename Engine::Matrix* const matrices[] = {&assembled_.K(), &assembled_.C(), &assembled_.M()};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto on_free = Engine::submatrix(*matrices[k], rows, free);
      MultiVector of_rows = zero_on_free_dofs();
      on_free.add_transposed_product(1., weights, of_rows);
      weights_.offset[k] += of_rows;
      *of_free[k] += of_coordinates(on_free, of_rows, static_cast<int>(k));
      Engine::submatrix(*matrices[k], rows, d).add_transposed_product(1., weights, weights_.prescribed[k]);
    }
  }

  /// Returns the columns that have a nonzero entry on any process.
  std::vector<Index> used_columns(const MultiVector& weights) const {
    Vector largest = Vector::Zero(weights.cols());
    if (weights.rows() > 0) largest = weights.cwiseAbs().colwise().maxCoeff().transpose();
    reduced_.communicator().max(largest.data(), static_cast<int>(largest.size()));
    std::vector<Index> used;
    for (Index i = 0; i < largest.size(); ++i)
      if (largest[i] != 0) used.push_back(i);
    return used;
  }

  void refuse_algebraic_accelerations() const {
    const std::vector<Index> used = used_columns(kinds_.algebraic().selected_rows(acceleration_));
    if (used.empty()) return;
    throw NotAvailable(
        "The " + describe(outputs_[static_cast<std::size_t>(used.front())]) +
        " needs the acceleration of an algebraic degree of freedom, which depends on the "
        "second derivative of the load. Give that degree of freedom inertia, or differentiate a "
        "displacement or a rate numerically.");
  }

  /// Computes D^{-T} w for the columns of w that are not zero.
  MultiVector solve_transposed(const MultiVector& w) const {
    MultiVector u = zero_on_coordinates();
    const std::vector<Index> used = used_columns(w);
    if (!used.empty())
      u(Eigen::all, used) = reduced_.elimination().solve_transposed(MultiVector(w(Eigen::all, used)));
    return u;
  }

  MultiVector transposed_product(const typename Engine::Matrix& A, const MultiVector& u) const {
    MultiVector y = zero_on_coordinates();
    A.add_transposed_product(1., u, y);
    return y;
  }

  /// Replaces the weights of algebraic rates and viscous accelerations, which are rows of x' = D^{-1}(F' -
  /// C J_I a_I - K J_I v_I - K J_C q_C'), by weights of F' and of states. Returns the remaining weights on
  /// x = (a_I; q_C'; q_K).
  MultiVector eliminate_derivatives() {
    MultiVector x = zero_on_coordinates();
    MultiVector derivatives = zero_on_coordinates();
    kinds_.viscous().add_to(kinds_.viscous().selected_rows(acceleration_), derivatives);
    kinds_.algebraic().add_to(kinds_.algebraic().selected_rows(rate_), derivatives);
    if (used_columns(derivatives).empty()) return x;

    const MultiVector u = solve_transposed(derivatives);
    const MultiVector Cu = transposed_product(system_.C(), u);
    const MultiVector Ku = transposed_product(system_.K(), u);
    weights_.load_rates = MultiVector::Zero(assembled_.dofs().n_local(), n_outputs());
    system_.add_weights_to(u, weights_.load_rates);
    weights_.free_load_rates = u;
    rate_states() -= kinds_.inertial().selected_rows(Ku);
    kinds_.inertial().add_to(-kinds_.inertial().selected_rows(Cu), x);
    kinds_.viscous().add_to(-kinds_.viscous().selected_rows(Ku), x);
    return x;
  }

  /// Replaces weights on x = D^{-1}(F - C J_I v_I - K J_I q_I - K J_C q_C) by weights of F and of states.
  void eliminate(const MultiVector& x) {
    const MultiVector u = solve_transposed(x);
    const MultiVector Ku = transposed_product(system_.K(), u);
    system_.add_weights_to(u, weights_.loads);
    weights_.free_loads = u;
    q_states() -= kinds_.inertial().selected_rows(Ku);
    viscous_states() -= kinds_.viscous().selected_rows(Ku);
    rate_states() -= kinds_.inertial().selected_rows(transposed_product(system_.C(), u));
  }

  const ReducedSystem<Engine>& reduced_;
  const FreeSystem<Engine>& system_;
  const AssembledSystem<Engine>& assembled_;
  const Classification& kinds_;
  const std::vector<Output>& outputs_;
  MultiVector q_, rate_, acceleration_;  ///< weights of displacements, rates and accelerations of
                                         ///< coordinates
  MultiVector reactions_;                ///< weights of reactions at constrained DoFs
  OutputWeights weights_;
};

/// Computes the weights for batches of outputs, because OutputBuilder needs ten times the memory of its
/// result.
template <class Engine>
OutputWeights build_in_batches(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs) {
  const auto n_outputs = static_cast<Index>(outputs.size());
  const Index n_dofs = reduced.assembled().dofs().n_local();
  OutputWeights all;
  all.states.resize(reduced.n_local_states(), n_outputs);
  all.loads.resize(n_dofs, n_outputs);
  all.direct_loads.resize(n_dofs, n_outputs);
  all.free_loads.resize(reduced.free().dofs().n_local(), n_outputs);
  for (MultiVector& weights : all.prescribed)
    weights.resize(reduced.assembled().constrained().n_local(), n_outputs);
  for (MultiVector& weights : all.offset)
    weights.resize(reduced.assembled().free().n_local(), n_outputs);

  for (Index first = 0; first < n_outputs; first += solve_batch) {
    const Index n = std::min(solve_batch, n_outputs - first);
    const std::vector<Output> batch(outputs.begin() + first, outputs.begin() + first + n);
    const OutputWeights part = OutputBuilder<Engine>(reduced, batch).build();
    all.states.middleCols(first, n) = part.states;
    all.loads.middleCols(first, n) = part.loads;
    all.direct_loads.middleCols(first, n) = part.direct_loads;
    all.free_loads.middleCols(first, n) = part.free_loads;
    for (std::size_t derivative = 0; derivative < part.prescribed.size(); ++derivative) {
      all.prescribed[derivative].middleCols(first, n) = part.prescribed[derivative];
      all.offset[derivative].middleCols(first, n) = part.offset[derivative];
    }
    if (part.load_rates.cols() == 0) continue;
    if (all.load_rates.cols() == 0) {
      all.load_rates = MultiVector::Zero(n_dofs, n_outputs);
      all.free_load_rates = MultiVector::Zero(all.free_loads.rows(), n_outputs);
    }
    all.load_rates.middleCols(first, n) = part.load_rates;
    all.free_load_rates.middleCols(first, n) = part.free_load_rates;
  }
  return all;
}

template <class Engine>
void check_outputs(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  for (const Output& output : outputs) {
    if (output.dof < 0 || output.dof >= assembled.n_dofs())
      throw InvalidInput(
          "The " + describe(output) +
          " was requested as an output, but the assembled degrees of freedom are numbered from 0 to " +
          std::to_string(assembled.n_dofs() - 1) + ". Give a number in this range.");
    const Index local = assembled.dofs().local_index(output.dof);
    if (local >= 0 && output.quantity == OutputQuantity::reaction && !is_constrained(assembled, local))
      throw InvalidInput(
          "The reaction of " + assembled.describe(local) +
          " was requested as an output, but this degree of freedom is not constrained, and only constrained "
          "ones have reactions. The force of a constraint that is given in addition to the matrices is the "
          "multiplier of the constraint: request the displacement of this multiplier, which is numbered "
          "after the assembled degrees of freedom.");
  }
}

template <class Engine>
void check_prescribed(const AssembledSystem<Engine>& assembled, const OutputWeights& weights) {
  const PrescribedMotion& motion = assembled.prescribed();
  if (!motion.moves()) return;
  const TimeFunction* const functions[] = {&motion.value, &motion.rate, &motion.acceleration};
  const char* const names[] = {"q_D", "q_D'", "q_D''"};
  for (std::size_t i = 0; i < 3; ++i)
    if (!*functions[i] && (weights.prescribed[i].array() != 0).any())
      throw InvalidInput(std::string("The outputs need ") + names[i] +
                         " of the constrained degrees of freedom, whose motion is prescribed, but this "
                         "function of time was not given. Give it with the prescribed motion.");
}

}  // namespace

std::string describe(const Output& output) {
  return std::string(name_of(output.quantity)) + " of DoF " + std::to_string(output.dof);
}

const char* name_of(OutputQuantity quantity) {
  switch (quantity) {
    case OutputQuantity::displacement:
      return "displacement";
    case OutputQuantity::rate:
      return "rate";
    case OutputQuantity::acceleration:
      return "acceleration";
    case OutputQuantity::reaction:
      break;
  }
  return "reaction";
}

template <class Engine>
OutputMap<Engine>::OutputMap(const ReducedSystem<Engine>& reduced, std::vector<Output> outputs,
                             const DenseFormOptions& options)
    : reduced_(reduced), outputs_(std::move(outputs)), options_(options) {
  call_together(reduced.communicator(), [&] { check_outputs(reduced, outputs_); });
  weights_ = build_in_batches(reduced, outputs_);
  call_together(reduced.communicator(), [&] { check_prescribed(reduced.assembled(), weights_); });
}

template <class Engine>
Vector OutputMap<Engine>::evaluate(const State& state) const {
  const AssembledSystem<Engine>& assembled = reduced_.assembled();
  if (state.y.size() != reduced_.n_local_states())
    throw InvalidInput("The state has " + std::to_string(state.y.size()) +
                       " entries, but the reduced system has " + std::to_string(reduced_.n_local_states()) +
                       " states on this process. Give one entry for each state.");
  // The rates of algebraic DoFs are computed with the tangents at the state.
  if (needs_load_rate() && reduced_.depends_on_state())
    return OutputMap(reduced_.tangent(state, Vector::Zero(reduced_.free().dofs().n_local())), outputs_,
                     options_)
        .evaluate(state);
  const Vector no_forces = Vector::Zero(reduced_.free().dofs().n_local());
  Vector z = weights_.states.transpose() * state.y + weights_.free_loads.transpose() * reduced_.load(state) +
             weights_.direct_loads.transpose() *
                 Vector(assembled.load(state.time) - reduced_.remainder(state, no_forces));
  if (needs_load_rate()) z += weights_.free_load_rates.transpose() * reduced_.free().load_rate(state.time);
  const PrescribedMotion& motion = assembled.prescribed();
  if (motion.value) z += weights_.prescribed[0].transpose() * motion.value(state.time);
  if (motion.rate) z += weights_.prescribed[1].transpose() * motion.rate(state.time);
  if (motion.acceleration) z += weights_.prescribed[2].transpose() * motion.acceleration(state.time);
  if (reduced_.free().constraints())
    for (int derivative = 0; derivative < 3; ++derivative)
      if (const MultiVector& weights = weights_.offset[static_cast<std::size_t>(derivative)];
          !weights.isZero(0.))
        z += weights.transpose() * reduced_.free().offset(state.time, derivative);
  reduced_.communicator().sum(z.data(), static_cast<int>(z.size()));
  return z;
}

template <class Engine>
MultiVector OutputMap<Engine>::state_matrix() const {
  check_dense_size("output matrix C_o", n_outputs(), reduced_.n_states(), options_);
  return gather_rows(reduced_.states(), weights_.states).transpose();
}

template <class Engine>
MultiVector OutputMap<Engine>::feed_through() const {
  check_dense_size("feed-through matrix D_o", n_outputs(), reduced_.assembled().n_dofs(), options_);
  return gather_rows(reduced_.assembled().dofs(), weights_.loads).transpose();
}

template <class Engine>
MultiVector OutputMap<Engine>::rate_feed_through() const {
  const AssembledSystem<Engine>& assembled = reduced_.assembled();
  check_dense_size("feed-through matrix D_o'", n_outputs(), assembled.n_dofs(), options_);
  if (!needs_load_rate()) return MultiVector::Zero(n_outputs(), assembled.n_dofs());
  return gather_rows(assembled.dofs(), weights_.load_rates).transpose();
}

template class OutputMap<InstantiatedEngine>;

}  // namespace halfdof
