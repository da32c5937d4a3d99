#include <halfdof/inclusions/delassus_chain.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

namespace {

/// x, x' and x'' for some columns of H V.
template <class Engine>
class Responses {
 public:
  Responses(const ReducedSystem<Engine>& system, const DirectionMatrix& H, const MultiVector& V)
      : system_(system),
        kinds_(system_.classification()),
        H_(H),
        x_(system_.elimination().solve(H_.force(V))),
        rate_(next(nullptr, x_)) {}

  MultiVector rates() const {
    return H_.components(kinds_.viscous().only(x_) + kinds_.algebraic().only(rate_));
  }

  MultiVector accelerations() const {
    const MultiVector second = next(&x_, rate_);
    return H_.components(kinds_.inertial().only(x_) + kinds_.viscous().only(rate_) +
                         kinds_.algebraic().only(second));
  }

 private:
  /// -D^{-1}(K J_I q_I + C J_I v_I + K J_C q_C), q_I of one vector, v_I and q_C of another.
  MultiVector next(const MultiVector* of_q_I, const MultiVector& of_rest) const {
    MultiVector Y(system_.n_local_states(), of_rest.cols());
    const MultiVector v_I = kinds_.inertial().restrict(of_rest);
    const MultiVector q_I =
        of_q_I ? kinds_.inertial().restrict(*of_q_I) : MultiVector::Zero(v_I.rows(), v_I.cols());
    Y << q_I, kinds_.viscous().restrict(of_rest), v_I;
    return system_.highest_derivatives(Y, MultiVector::Zero(of_rest.rows(), of_rest.cols()));
  }

  const ReducedSystem<Engine>& system_;
  const Classification& kinds_;
  const DirectionMatrix& H_;
  MultiVector x_, rate_;
};

template <class Engine, class Function>
MultiVector in_batches(const ReducedSystem<Engine>& system, const DirectionMatrix& H, const MultiVector& V,
                       const Function& responses) {
  MultiVector all(V.rows(), V.cols());
  for (Index first = 0; first < V.cols(); first += solve_batch) {
    const Index n = std::min(solve_batch, static_cast<Index>(V.cols()) - first);
    all.middleCols(first, n) = responses(Responses<Engine>(system, H, V.middleCols(first, n)));
  }
  return all;
}

}  // namespace

template <class Engine>
MultiVector rate_responses(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                           const MultiVector& V) {
  return in_batches(system, H, V, [](const Responses<Engine>& responses) { return responses.rates(); });
}

template <class Engine>
MultiVector acceleration_responses(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                                   const MultiVector& V) {
  return in_batches(system, H, V,
                    [](const Responses<Engine>& responses) { return responses.accelerations(); });
}

template <class Engine>
MultiVector least_responses(const Inclusions<Engine>& inclusions) {
  const FreeSystem<Engine>& system = inclusions.reduced().free();
  const Classification& kinds = inclusions.reduced().classification();
  const Index m = inclusions.n_directions();
  MultiVector squares = MultiVector::Zero(m, 3), energies = MultiVector::Zero(m, 3);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    const MultiVector h = inclusions.H().columns(first, n);
    const auto add = [&](const typename Engine::Matrix& A, const Selection& kind, Index column) {
      const MultiVector h_a = kind.only(h);
      MultiVector A_h = MultiVector::Zero(h.rows(), n);
      A.add_product(1., h_a, A_h);
      squares.col(column).segment(first, n) = h_a.cwiseProduct(h_a).colwise().sum().transpose();
      energies.col(column).segment(first, n) = h_a.cwiseProduct(A_h).colwise().sum().transpose();
    };
    add(system.M(), kinds.inertial(), 0);
    add(system.C(), kinds.viscous(), 1);
    add(system.K(), kinds.algebraic(), 2);
  }
  inclusions.reduced().communicator().sum(squares.data(), static_cast<int>(squares.size()));
  inclusions.reduced().communicator().sum(energies.data(), static_cast<int>(energies.size()));
  return (energies.array() != 0.).select(squares.array().square() / energies.array().abs(), 0.);
}

template MultiVector rate_responses(const ReducedSystem<InstantiatedEngine>&, const DirectionMatrix&,
                                    const MultiVector&);
template MultiVector acceleration_responses(const ReducedSystem<InstantiatedEngine>&, const DirectionMatrix&,
                                            const MultiVector&);
template MultiVector least_responses(const Inclusions<InstantiatedEngine>&);

}  // namespace halfdof
