// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/kept_matrices.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/rounding_limits.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <string>

namespace halfdof {

using namespace internal;

namespace {

/// Adds the offset o(t) of constraints, or one of its derivatives, to the free DoFs of x, if it was given.
template <class Engine>
void add_offset(const FreeSystem<Engine>& free, double time, int derivative, Vector& x) {
  if (!free.constraints() || !free.has_offset(derivative)) return;
  const Vector o = free.offset(time, derivative);
  free.assembled().free().add_to(o, x);
}

/// Computes the accelerations S_b q_b'' of the coordinates q_b whose rates are constrained: q_b''
/// = r' - R q'. Entries of q_b'' that depend on rates of algebraic coordinates are set to zero.
template <class Engine>
Vector accelerations_of_rate_constrained_coordinates(const FreeSystem<Engine>& free,
                                                     const Classification& kinds, double time,
                                                     const Vector& rates) {
  const ConstrainedForm<Engine>& form = *free.constraints();
  const TimeCombination r_rate = form.constrained_rates.derivative();
  const bool is_given = form.given.missing(r_rate).empty() && !r_rate.terms.empty();
  Vector q_b = -(form.rate_rows * rates);
  if (is_given) q_b += form.given(r_rate, time);
  Vector algebraic = Vector::Zero(rates.size());
  algebraic(kinds.algebraic().local()).setOnes();
  const Vector unknown = Eigen::SparseMatrix<double>(form.rate_rows.cwiseAbs()) * algebraic;
  q_b = (unknown.array() == 0).select(q_b, 0.);
  return form.S_b * q_b;
}

/// Computes M q'' + C q' for the accelerations and rates of coordinates that act only on multipliers.
template <class Engine>
Vector forces_on_multipliers(const ReducedSystem<Engine>& reduced, const ForcesBalancedByMultipliers& hidden,
                             const State& state, const Vector& forces) {
  if (hidden.is_empty()) return Vector::Zero(reduced.assembled().free().n_local());
  const auto refuse = [](const std::string& what) {
    throw NotAvailable(
        "Multipliers of constraints depend on " + what +
        ", which is not available here. Compute transfer functions of the multipliers instead, "
        "or give mass to the degrees of freedom on which the constraints act.");
  };
  if (hidden.M_K.nonZeros() > 0) refuse("the second derivative of the load");
  if (!forces.isZero(0.)) refuse("the rate of forces in addition to the load");
  const Vector x = reduced.rates_of_highest_derivatives(state, forces, forces);
  return hidden.M_C * reduced.classification().viscous().selected_rows(x) +
         hidden.C_K * reduced.classification().algebraic().selected_rows(x);
}

/// Adds the multipliers of least norm that balance the residual: the load minus M q'' + C q' + K q and
/// minus `hidden`.
template <class Engine>
void add_multipliers(const FreeSystem<Engine>& free, const Vector& hidden, Vector residual,
                     AssembledMotion& lifted) {
  const AssembledSystem<Engine>& assembled = free.assembled();
  assembled.M().add_product(-1., lifted.acceleration, residual);
  assembled.C().add_product(-1., lifted.rate, residual);
  assembled.K().add_product(-1., lifted.displacement, residual);
  const Vector N_mu = free.constraints()->multipliers(assembled.free().selected_rows(residual) - hidden);
  assembled.free().add_to(N_mu, lifted.displacement);
}

}  // namespace

template <class Engine>
AssembledMotion ReducedSystem<Engine>::lift(const State& state) const {
  return lift(state, Vector::Zero(assembled().dofs().n_local()));
}

/// Computes the displacements, rates and accelerations of all DoFs for x = (a_I; q_C'; q_K), without
/// multipliers.
template <class Engine>
AssembledMotion ReducedSystem<Engine>::motion_with(const State& state, const MultiVector& x) const {
  const Selection& d = assembled().constrained();
  const MultiVector rates = velocity_states(*this, state.y) + classification().viscous().only(x);

  const Index n_local = assembled().dofs().n_local();
  AssembledMotion lifted{Vector::Zero(n_local), Vector::Zero(n_local), Vector::Zero(n_local)};
  free().add_to(displacement_states(*this, state.y) + classification().algebraic().only(x),
                lifted.displacement);
  free().add_to(rates, lifted.rate);
  free().add_to(classification().inertial().only(x), lifted.acceleration);
  add_offset(free(), state.time, 0, lifted.displacement);
  add_offset(free(), state.time, 1, lifted.rate);
  add_offset(free(), state.time, 2, lifted.acceleration);

  const PrescribedMotion& motion = assembled().prescribed();
  if (motion.value) d.add_to(motion.value(state.time), lifted.displacement);
  if (motion.rate) d.add_to(motion.rate(state.time), lifted.rate);
  if (motion.acceleration) d.add_to(motion.acceleration(state.time), lifted.acceleration);
  if (free().constraints())
    assembled().free().add_to(
        accelerations_of_rate_constrained_coordinates(free(), classification(), state.time, rates),
        lifted.acceleration);
  return lifted;
}

template <class Engine>
AssembledMotion ReducedSystem<Engine>::lift(const State& state, const Vector& forces) const {
  const StageTimer stage("lift");
  const Vector on_free = free().restrict_forces(forces);
  AssembledMotion lifted = motion_with(state, highest_derivatives(state.y, load(state, on_free) + on_free));
  if (free().constraints())
    add_multipliers(free(), forces_on_multipliers(*this, forces_balanced_by_multipliers(), state, on_free),
                    Vector(assembled().load(state.time) + forces), lifted);
  return lifted;
}

template <class Engine>
bool ReducedSystem<Engine>::is_multiplier(Index local_assembled) const {
  const ConstrainedForm<Engine>* form = free().constraints();
  return form != nullptr && form->is_multiplier[static_cast<std::size_t>(local_assembled)];
}

template <class Engine>
bool ReducedSystem<Engine>::has_rate(Index local_assembled) const {
  if (!free().coordinates()) return classification().kind(local_assembled) != DoFKind::algebraic;
  if (is_multiplier(local_assembled)) return false;
  const std::vector<Index>& dofs = assembled().free().local();
  const auto place = std::lower_bound(dofs.begin(), dofs.end(), local_assembled);
  if (place == dofs.end() || *place != local_assembled) return true;
  const Vector parts = free().participation(classification().algebraic());
  return parts[static_cast<Index>(place - dofs.begin())] <= negligible_participation;
}

template <class Engine>
Vector ReducedSystem<Engine>::algebraic_rates(const State& state) const {
  const Vector none = Vector::Zero(free().dofs().n_local());
  return classification().algebraic().selected_rows(rates_of_highest_derivatives(state, none, none));
}

template <class Engine>
Vector ReducedSystem<Engine>::restrict(const Vector& displacement, const Vector& rate) const {
  const Index n_local = assembled().dofs().n_local();
  if (displacement.size() != n_local || rate.size() != n_local)
    throw InvalidInput("A displacement with " + std::to_string(displacement.size()) +
                       " entries and a rate with " + std::to_string(rate.size()) +
                       " entries were given, but this process has " + std::to_string(n_local) +
                       " assembled degrees of freedom. Give one entry for each degree of "
                       "freedom, also for constrained ones.");
  const MultiVector q = free().restrict(displacement), v = free().restrict(rate);
  Vector y(n_local_states());
  stack_rows(y, classification().inertial().selected_rows(q), classification().viscous().selected_rows(q),
             classification().inertial().selected_rows(v));
  return y;
}

template <class Engine>
Vector ReducedSystem<Engine>::project(const Vector& displacement, const Vector& rate, double time) const {
  Vector y = restrict(displacement, rate);
  const ConstrainedForm<Engine>* form = free().constraints();
  if (form == nullptr) return y;
  if (form->states) {
    const Selection& f = assembled().free();
    return form->states(f.selected_rows(displacement), f.selected_rows(rate), time);
  }
  // Computes changes of inertial coordinates with the same momentum as the difference of given and present
  // values.
  const auto change = [&](const Vector& given, const Vector& present) {
    Vector difference = given - present, momentum = Vector::Zero(given.size());
    assembled().constrained().add_to(-assembled().constrained().selected_rows(difference), difference);
    assembled().M().add_product(1., difference, momentum);
    const MultiVector x = elimination().solve(free().restrict_forces(momentum));
    return Vector(classification().inertial().selected_rows(x));
  };
  const auto motion = [&] {
    const State state{time, y};
    return motion_with(state, highest_derivatives(y, load(state)));
  };
  y.head(n_I()) += change(displacement, motion().displacement);
  y.tail(n_I()) += change(rate, motion().rate);
  return y;
}

template AssembledMotion ReducedSystem<InstantiatedEngine>::motion_with(const State&,
                                                                        const MultiVector&) const;
template AssembledMotion ReducedSystem<InstantiatedEngine>::lift(const State&) const;
template AssembledMotion ReducedSystem<InstantiatedEngine>::lift(const State&, const Vector&) const;
template bool ReducedSystem<InstantiatedEngine>::is_multiplier(Index) const;
template bool ReducedSystem<InstantiatedEngine>::has_rate(Index) const;
template Vector ReducedSystem<InstantiatedEngine>::algebraic_rates(const State&) const;
template Vector ReducedSystem<InstantiatedEngine>::restrict(const Vector&, const Vector&) const;
template Vector ReducedSystem<InstantiatedEngine>::project(const Vector&, const Vector&, double) const;

}  // namespace halfdof
