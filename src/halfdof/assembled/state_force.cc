// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <functional>

namespace halfdof {

using namespace internal;

namespace {

template <class Engine>
Tangents<Engine> sum(const Tangents<Engine>& first, const Tangents<Engine>& second) {
  Tangents<Engine> both = first;
  for (auto matrix : {&Tangents<Engine>::mass, &Tangents<Engine>::damping, &Tangents<Engine>::stiffness})
    if (second.*matrix)
      both.*matrix =
          first.*matrix ? Engine::sum(1., *(first.*matrix), 1., *(second.*matrix)) : second.*matrix;
  return both;
}

template <class Engine>
Tangents<Engine> embedded(const Tangents<Engine>& tangents, const typename Engine::Matrix& J) {
  Tangents<Engine> all;
  for (auto matrix : {&Tangents<Engine>::mass, &Tangents<Engine>::damping, &Tangents<Engine>::stiffness})
    if (tangents.*matrix) all.*matrix = Engine::triple_product(J, *(tangents.*matrix), J);
  return all;
}

}  // namespace

template <class Engine>
StateForce<Engine> sum(const StateForce<Engine>& first, const StateForce<Engine>& second,
                       const Partition& dofs) {
  if (!first || !second) return first ? first : second;
  // All processes evaluate the first term before the second term, because the functions may be collective.
  const auto added = [communicator = dofs.shared_communicator()](const auto& f, const auto& g) {
    return [=](double time, const AssembledMotion& motion) -> Vector {
      Vector value;
      for (const auto* term : {&f, &g})
        call_together(*communicator, [&] {
          const Vector of_term = (*term)(time, motion);
          value = term == &f ? of_term : Vector(value + of_term);
        });
      return value;
    };
  };
  StateForce<Engine> both;
  both.force = added(first.force, second.force);
  both.tangents = [first, second, communicator = dofs.shared_communicator()](double time,
                                                                             const AssembledMotion& motion) {
    Tangents<Engine> of_first, of_second;
    call_together(*communicator, [&] { of_first = first.tangents(time, motion); });
    call_together(*communicator, [&] { of_second = second.tangents(time, motion); });
    return sum(of_first, of_second);
  };
  both.pattern = sum(first.pattern, second.pattern);
  if (first.time_derivative && second.time_derivative)
    both.time_derivative = added(first.time_derivative, second.time_derivative);
  return both;
}

template <class Engine>
StateForce<Engine> embedded(const StateForce<Engine>& p, const typename Engine::Matrix& J) {
  if (!p) return {};
  const Index n = J.rows().n_local(), n_all = J.columns().n_local();
  const auto on_first = [n, n_all](const std::function<Vector(double, const AssembledMotion&)>& function) {
    return [=](double time, const AssembledMotion& motion) {
      Vector all = Vector::Zero(n_all);
      all.head(n) = function(time, AssembledMotion{motion.displacement.head(n), motion.rate.head(n),
                                                   motion.acceleration.head(n)});
      return all;
    };
  };
  StateForce<Engine> all;
  all.force = on_first(p.force);
  if (p.time_derivative) all.time_derivative = on_first(p.time_derivative);
  all.tangents = [p, J, n](double time, const AssembledMotion& motion) {
    return embedded<Engine>(p.tangents(time, AssembledMotion{motion.displacement.head(n), motion.rate.head(n),
                                                             motion.acceleration.head(n)}),
                            J);
  };
  all.pattern = embedded<Engine>(p.pattern, J);
  return all;
}

template StateForce<InstantiatedEngine> sum(const StateForce<InstantiatedEngine>&,
                                            const StateForce<InstantiatedEngine>&, const Partition&);
template StateForce<InstantiatedEngine> embedded(const StateForce<InstantiatedEngine>&,
                                                 const InstantiatedEngine::Matrix&);

}  // namespace halfdof
