#include <halfdof/assembled/state_force.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <functional>

namespace halfdof {

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
StateForce<Engine> sum(const StateForce<Engine>& first, const StateForce<Engine>& second) {
  if (!first || !second) return first ? first : second;
  StateForce<Engine> both;
  both.force = [first, second](double time, const LiftedState& motion) -> Vector {
    return first.force(time, motion) + second.force(time, motion);
  };
  both.tangents = [first, second](double time, const LiftedState& motion) {
    return sum(first.tangents(time, motion), second.tangents(time, motion));
  };
  both.pattern = sum(first.pattern, second.pattern);
  if (first.time_derivative && second.time_derivative)
    both.time_derivative = [first, second](double time, const LiftedState& motion) -> Vector {
      return first.time_derivative(time, motion) + second.time_derivative(time, motion);
    };
  return both;
}

template <class Engine>
StateForce<Engine> embedded(const StateForce<Engine>& p, const typename Engine::Matrix& J) {
  if (!p) return {};
  const Index n = J.rows().n_local(), n_all = J.columns().n_local();
  const auto on_first = [n, n_all](const std::function<Vector(double, const LiftedState&)>& function) {
    return [=](double time, const LiftedState& motion) {
      Vector all = Vector::Zero(n_all);
      all.head(n) = function(
          time, LiftedState{motion.displacement.head(n), motion.rate.head(n), motion.acceleration.head(n)});
      return all;
    };
  };
  StateForce<Engine> all;
  all.force = on_first(p.force);
  if (p.time_derivative) all.time_derivative = on_first(p.time_derivative);
  all.tangents = [p, J, n](double time, const LiftedState& motion) {
    return embedded<Engine>(p.tangents(time, LiftedState{motion.displacement.head(n), motion.rate.head(n),
                                                         motion.acceleration.head(n)}),
                            J);
  };
  all.pattern = embedded<Engine>(p.pattern, J);
  return all;
}

template StateForce<InstantiatedEngine> sum(const StateForce<InstantiatedEngine>&,
                                            const StateForce<InstantiatedEngine>&);
template StateForce<InstantiatedEngine> embedded(const StateForce<InstantiatedEngine>&,
                                                 const InstantiatedEngine::Matrix&);

}  // namespace halfdof
