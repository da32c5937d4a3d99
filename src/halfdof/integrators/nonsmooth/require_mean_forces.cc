// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/stage_rules.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

/// Rounding error of terms that cancel, relative to their sizes.
constexpr double rounding = 1e-8;

/// The effect on half DoFs of reactions that act throughout a step. Several columns of H are treated at a
/// time.
template <class Engine>
class ImpulseResponse {
 public:
  ImpulseResponse(const Inclusions<Engine>& inclusions, const std::vector<DirectionRule>& rules)
      : inclusions_(inclusions), kinds_(inclusions.reduced().classification()), rules_(rules) {}

  /// Returns, in row j and column i, whether the reaction in direction first + i moves half DoFs on which
  /// direction j acts, for i < n. Shape: m x n.
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> moved_directions(Index first, Index n) const {
    MultiVector force = inclusions_.H().columns(first, n);
    for (Index k = 0; k < n; ++k)
      if (rules_[static_cast<std::size_t>(first + k)].is_blended) force.col(k).setZero();
    const MultiVector x = inclusions_.reduced().elimination().solve(force);
    const MultiVector a = kinds_.inertial().only(x), c = kinds_.viscous().only(x),
                      k = kinds_.algebraic().only(x);
    const FreeSystem<Engine>& system = inclusions_.reduced().free();
    const MultiVector Ma = product(system.M(), a), Cc = product(system.C(), c);
    const auto pushed_K = have_forces(kinds_.algebraic(), Ma + Cc),
               pushed_C = have_forces(kinds_.viscous(), Ma);
    auto result = move_directions(k);
    const auto rates = move_directions(c);
    for (Index j = 0; j < result.rows(); ++j)
      for (Index i = 0; i < n; ++i)
        result(j, i) = (result(j, i) && pushed_K[i]) ||
                       (is_enforced_on_blended_rate(j) && rates(j, i) && (pushed_C[i] || pushed_K[i]));
    return result;
  }

 private:
  static MultiVector product(const typename Engine::Matrix& A, const MultiVector& x) {
    MultiVector Ax = MultiVector::Zero(x.rows(), x.cols());
    A.add_product(1., x, Ax);
    return Ax;
  }
  bool is_enforced_on_blended_rate(Index j) const {
    const DirectionRule& rule = rules_[static_cast<std::size_t>(j)];
    return rule.is_blended && rule.enforced_on == EnforcedOn::end_rate;
  }
  /// Returns, for each column of the forces p, whether the forces on DoFs of a kind exceed the rounding
  /// errors of the largest force. Shape of p: free DoFs x n.
  Eigen::Array<bool, Eigen::Dynamic, 1> have_forces(const Selection& kind, const MultiVector& p) const {
    const Communicator& communicator = inclusions_.reduced().communicator();
    const MultiVector of_kind = kind.selected_rows(p);
    Vector here = Vector::Zero(p.cols()), largest = here;
    if (of_kind.rows() > 0) here = of_kind.cwiseAbs().colwise().maxCoeff().transpose();
    if (p.rows() > 0) largest = p.cwiseAbs().colwise().maxCoeff().transpose();
    communicator.max(here.data(), static_cast<int>(here.size()));
    communicator.max(largest.data(), static_cast<int>(largest.size()));
    return here.array() > rounding * largest.array();
  }
  /// Returns which entries of H^T x exceed the rounding errors of their terms. Shapes: x free DoFs x n,
  /// result m x n.
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> move_directions(const MultiVector& x) const {
    const DirectionMatrix& H = inclusions_.H();
    const Eigen::SparseMatrix<double> magnitude = H.free().cwiseAbs();
    MultiVector sizes = magnitude.transpose() * x.cwiseAbs();
    inclusions_.reduced().communicator().sum(sizes.data(), static_cast<int>(sizes.size()));
    return H.components(x).cwiseAbs().array() > rounding * sizes.array();
  }

  const Inclusions<Engine>& inclusions_;
  const Classification& kinds_;
  const std::vector<DirectionRule>& rules_;
};

}  // namespace

template <class Engine>
void require_mean_forces_on_half_dofs(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                      const std::vector<DirectionRule>& rules) {
  if (inclusions.reduced().elimination().is_upper_triangular()) return;
  const ImpulseResponse<Engine> response(inclusions, rules);
  const Index m = inclusions.n_directions();
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    const auto moved_directions = response.moved_directions(first, n);
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < m; ++j)
        if (moved_directions(j, k))
          throw NotAvailable("The reaction of \"" +
                             outcome.directions[static_cast<std::size_t>(first + k)].name +
                             "\", which acts throughout a step, immediately moves half degrees of freedom "
                             "on which \"" +
                             outcome.directions[static_cast<std::size_t>(j)].name +
                             "\" acts, because M has entries in the rows of half degrees of freedom and the "
                             "columns of masses, or C in the rows of algebraic and the columns of viscous "
                             "degrees of freedom. With theta < 1 the motion of these half degrees of freedom "
                             "would alternate from step to step. Use implicit Euler or Moreau-Jean with "
                             "theta = 1, or correct M and C if they should be symmetric.");
  }
}

template void require_mean_forces_on_half_dofs(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                               const std::vector<DirectionRule>&);

}  // namespace halfdof::internal
