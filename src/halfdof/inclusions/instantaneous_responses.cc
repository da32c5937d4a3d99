// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace halfdof::internal {

namespace {

/// The instantaneous responses of all free DoFs to some loads, computed from the highest derivatives x =
/// D^{-1} loads and their derivatives x' and x'' with respect to time. Directions that act only on inertial
/// DoFs need only x.
template <class Engine>
class ResponsesToLoads {
 public:
  ResponsesToLoads(const ReducedSystem<Engine>& system, const MultiVector& loads)
      : system_(system), kinds_(system.classification()), x_(system.elimination().solve(loads)) {}

  MultiVector displacements() const { return kinds_.algebraic().only(x_); }

  MultiVector rates(bool acts_on_K) {
    MultiVector v = kinds_.viscous().only(x_);
    if (acts_on_K) v += kinds_.algebraic().only(rate());
    return v;
  }

  MultiVector accelerations(bool acts_on_C, bool acts_on_K) {
    MultiVector a = kinds_.inertial().only(x_);
    if (acts_on_C) a += kinds_.viscous().only(rate());
    if (acts_on_K) a += kinds_.algebraic().only(next(&x_, rate()));
    return a;
  }

 private:
  const MultiVector& rate() {
    if (!rate_) rate_ = next(nullptr, x_);
    return *rate_;
  }

  /// Returns -D^{-1}(K J_I q_I + C J_I v_I + K J_C q_C), with q_I from the first argument (zero if it is
  /// null) and v_I and q_C from the second argument.
  MultiVector next(const MultiVector* of_q_I, const MultiVector& of_rest) const {
    MultiVector Y(system_.n_local_states(), of_rest.cols());
    const MultiVector v_I = kinds_.inertial().selected_rows(of_rest);
    const MultiVector q_I =
        of_q_I ? kinds_.inertial().selected_rows(*of_q_I) : MultiVector::Zero(v_I.rows(), v_I.cols());
    stack_rows(Y, q_I, kinds_.viscous().selected_rows(of_rest), v_I);
    return system_.highest_derivatives(Y, MultiVector::Zero(of_rest.rows(), of_rest.cols()));
  }

  const ReducedSystem<Engine>& system_;
  const Classification& kinds_;
  MultiVector x_;
  std::optional<MultiVector> rate_;  ///< x', once it is computed
};

/// Calls `use` for one batch of columns of V after the other. The arguments of `use` are the responses to
/// these columns, the number of the first column, and the number of columns.
template <class Engine, class Function>
void for_each_batch(const ReducedSystem<Engine>& system, const DirectionMatrix& H, const MultiVector& V,
                    const Function& use) {
  for (Index first = 0; first < V.cols(); first += solve_batch) {
    const Index n = std::min(solve_batch, static_cast<Index>(V.cols()) - first);
    use(ResponsesToLoads<Engine>(system, H.force(V.middleCols(first, n))), first, n);
  }
}

}  // namespace

template <class Engine>
MultiVector rate_jumps(const ReducedSystem<Engine>& system, const DirectionMatrix& H, const MultiVector& V) {
  MultiVector all(V.rows(), V.cols());
  for_each_batch(system, H, V, [&](ResponsesToLoads<Engine> responses, Index first, Index n) {
    all.middleCols(first, n) = H.components(responses.rates(true));
  });
  return all;
}

template <class Engine>
MultiVector acceleration_jumps(const ReducedSystem<Engine>& system, const DirectionMatrix& H,
                               const MultiVector& V) {
  MultiVector all(V.rows(), V.cols());
  for_each_batch(system, H, V, [&](ResponsesToLoads<Engine> responses, Index first, Index n) {
    all.middleCols(first, n) = H.components(responses.accelerations(true, true));
  });
  return all;
}

template <class Engine>
DelassusMatrices instantaneous_responses(const Inclusions<Engine>& inclusions, const MultiVector& V) {
  const bool acts_on_K = inclusions.acts_on(DoFKind::algebraic),
             acts_on_C = inclusions.acts_on(DoFKind::viscous);
  const MultiVector none(V.rows(), V.cols());
  DelassusMatrices all{none, none, none};
  for_each_batch(
      inclusions.reduced(), inclusions.H(), V, [&](ResponsesToLoads<Engine> responses, Index first, Index n) {
        all.K.middleCols(first, n) = inclusions.H().components(responses.displacements());
        all.C.middleCols(first, n) = inclusions.H().components(responses.rates(acts_on_K));
        all.I.middleCols(first, n) = inclusions.H().components(responses.accelerations(acts_on_C, acts_on_K));
      });
  return all;
}

template <class Engine>
MultiVector response_diagonals(const Inclusions<Engine>& inclusions) {
  const bool acts_on_K = inclusions.acts_on(DoFKind::algebraic),
             acts_on_C = inclusions.acts_on(DoFKind::viscous);
  const Index m = inclusions.n_directions();
  MultiVector diagonals = MultiVector::Zero(m, 3);
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    const MultiVector H_columns(inclusions.H().free().middleCols(first, n));
    ResponsesToLoads<Engine> responses(inclusions.reduced(), inclusions.H().columns(first, n));
    const auto add = [&](const MultiVector& x, DoFKind kind) {
      diagonals.col(static_cast<Index>(kind)).segment(first, n) =
          H_columns.cwiseProduct(x).colwise().sum().transpose();
    };
    add(responses.accelerations(acts_on_C, acts_on_K), DoFKind::inertial);
    add(responses.rates(acts_on_K), DoFKind::viscous);
    add(responses.displacements(), DoFKind::algebraic);
  }
  inclusions.reduced().communicator().sum(diagonals.data(), static_cast<int>(diagonals.size()));
  return diagonals;
}

template <class Engine>
MultiVector response_lower_bounds(const Inclusions<Engine>& inclusions) {
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

template MultiVector rate_jumps(const ReducedSystem<InstantiatedEngine>&, const DirectionMatrix&,
                                const MultiVector&);
template MultiVector acceleration_jumps(const ReducedSystem<InstantiatedEngine>&, const DirectionMatrix&,
                                        const MultiVector&);
template DelassusMatrices instantaneous_responses(const Inclusions<InstantiatedEngine>&, const MultiVector&);
template MultiVector response_diagonals(const Inclusions<InstantiatedEngine>&);
template MultiVector response_lower_bounds(const Inclusions<InstantiatedEngine>&);

}  // namespace halfdof::internal
