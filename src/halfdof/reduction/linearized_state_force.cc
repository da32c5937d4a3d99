// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/classification/state_force_check.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <optional>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

template <class Engine>
bool has_entries(const std::optional<typename Engine::Matrix>& A) {
  return A && A->rows().communicator().any(!Engine::column_norms(*A).isZero(0.));
}

AssembledMotion at_rest(Index n_local) {
  return {Vector::Zero(n_local), Vector::Zero(n_local), Vector::Zero(n_local)};
}

template <class Engine>
AssembledMotion checked(AssembledMotion motion, const AssembledSystem<Engine>& system) {
  for (const auto& [values, name] : {std::pair{&motion.displacement, "displacement"},
                                     {&motion.rate, "rate"},
                                     {&motion.acceleration, "acceleration"}})
    if (system.dofs().communicator().any(values->size() != system.dofs().n_local() || !values->allFinite()))
      throw InvalidInput(std::string("The ") + name + " at which a system is to be linearized has " +
                         std::to_string(values->size()) +
                         " entries, or an entry that is not finite. Give one finite value for each of the " +
                         std::to_string(system.dofs().n_local()) +
                         " assembled degrees of freedom of this process.");
  return motion;
}

NewtonOptions checked(const NewtonOptions& options) {
  const auto refuse = [](const std::string& name, const std::string& value, const std::string& expected) {
    throw InvalidInput("NewtonOptions::" + name + " is " + value + ", but it must be " + expected + ".");
  };
  if (!(options.tolerance > 0 && options.tolerance < 1))
    refuse("tolerance", number_text(options.tolerance), "a number between 0 and 1, such as 1e-10");
  if (options.max_iterations < 1)
    refuse("max_iterations", std::to_string(options.max_iterations), "at least 1");
  if (!(options.slow > 0 && options.slow < 1))
    refuse("slow", number_text(options.slow), "a number between 0 and 1, such as 0.25");
  return options;
}

ReductionOptions checked(ReductionOptions options) {
  options.newton = checked(options.newton);
  return options;
}

}  // namespace

template <class Engine>
LinearizedStateForce<Engine>::LinearizedStateForce(const AssembledSystem<Engine>& assembled, double at_time,
                                                   AssembledMotion motion,
                                                   const ReductionOptions& reduction_options)
    : system(assembled),
      time(at_time),
      linearization(checked(std::move(motion), assembled)),
      tangents(assembled.state_force().tangents(time, linearization)),
      linearization_remainder(remainder(time, linearization)),
      kinds(declared_kinds(assembled, reduction_options.classification)),
      options(checked(reduction_options)) {
  check_force_depends_on_states_only(system, kinds, time, linearization);
}

template <class Engine>
LinearizedStateForce<Engine>::LinearizedStateForce(const LinearizedStateForce& other, double at_time,
                                                   AssembledMotion motion)
    : system(other.system),
      time(at_time),
      linearization(std::move(motion)),
      tangents(system.state_force().tangents(time, linearization)),
      linearization_remainder(remainder(time, linearization)),
      kinds(other.kinds),
      options(other.options) {}

template <class Engine>
bool LinearizedStateForce<Engine>::has_mass() const {
  return has_entries<Engine>(system.state_force().pattern.mass);
}

template <class Engine>
bool LinearizedStateForce<Engine>::has_damping() const {
  return has_entries<Engine>(system.state_force().pattern.damping);
}

template <class Engine>
Vector LinearizedStateForce<Engine>::remainder(double at_time, const AssembledMotion& motion) const {
  Vector c = system.state_force().force(at_time, motion);
  if (tangents.mass) tangents.mass->add_product(-1., motion.acceleration, c);
  if (tangents.damping) tangents.damping->add_product(-1., motion.rate, c);
  if (tangents.stiffness) tangents.stiffness->add_product(-1., motion.displacement, c);
  return c;
}

}  // namespace halfdof

namespace halfdof::internal {

template <class Engine>
void check_declared_kinds(const LinearizedStateForce<Engine>& of_state) {
  ColumnHistory of_this;
  check_kinds(of_state.system, of_state.tangents, of_state.kinds, of_state.time, of_this);
}

template <class Engine>
LinearizedStateForce<Engine> state_force_linearized_at_rest(const AssembledSystem<Engine>& assembled,
                                                            const ReductionOptions& options) {
  AssembledMotion rest = at_rest(assembled.dofs().n_local());
  const PrescribedMotion& prescribed = assembled.prescribed();
  if (prescribed.value) assembled.constrained().add_to(prescribed.value(0), rest.displacement);
  if (prescribed.rate) assembled.constrained().add_to(prescribed.rate(0), rest.rate);
  return {assembled, 0, rest, options};
}

template <class Engine>
FreeSystem<Engine> tangent_system(const LinearizedStateForce<Engine>& of_state) {
  FreeSystem<Engine> system(of_state.system.linearized(of_state.tangents));
  check_declared_kinds(of_state);
  return system;
}

template struct LinearizedStateForce<InstantiatedEngine>;
template LinearizedStateForce<InstantiatedEngine> state_force_linearized_at_rest(
    const AssembledSystem<InstantiatedEngine>&, const ReductionOptions&);
template FreeSystem<InstantiatedEngine> tangent_system(const LinearizedStateForce<InstantiatedEngine>&);
template void check_declared_kinds(const LinearizedStateForce<InstantiatedEngine>&);

}  // namespace halfdof::internal
