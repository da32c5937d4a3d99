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

/// The effect of reactions that act throughout a step on half DoFs, for some columns of H at a time.
template <class Engine>
class ImpulseResponse {
 public:
  ImpulseResponse(const Inclusions<Engine>& inclusions, const std::vector<DirectionRule>& rules)
      : inclusions_(inclusions), kinds_(inclusions.reduced().classification()), rules_(rules) {}

  /// Returns whether reactions in the directions first ... first + n - 1 move half DoFs on which direction j
  /// acts. Shape: m x n.
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> seen(Index first, Index n) const {
    MultiVector force = inclusions_.H().columns(first, n);
    for (Index k = 0; k < n; ++k)
      if (rules_[static_cast<std::size_t>(first + k)].is_blended) force.col(k).setZero();
    const MultiVector x = inclusions_.reduced().elimination().solve(force);
    const MultiVector a = kinds_.inertial().only(x), c = kinds_.viscous().only(x),
                      k = kinds_.algebraic().only(x);
    const FreeSystem<Engine>& system = inclusions_.reduced().free();
    const MultiVector Ma = product(system.M(), a), Cc = product(system.C(), c);
    const auto pushed_K = are_pushed(kinds_.algebraic(), Ma + Cc),
               pushed_C = are_pushed(kinds_.viscous(), Ma);
    auto result = moves(k);
    const auto rates = moves(c);
    for (Index j = 0; j < result.rows(); ++j)
      for (Index i = 0; i < n; ++i)
        result(j, i) =
            (result(j, i) && pushed_K[i]) || (sees_rate(j) && rates(j, i) && (pushed_C[i] || pushed_K[i]));
    return result;
  }

 private:
  static MultiVector product(const typename Engine::Matrix& A, const MultiVector& x) {
    MultiVector Ax = MultiVector::Zero(x.rows(), x.cols());
    A.add_product(1., x, Ax);
    return Ax;
  }
  bool sees_rate(Index j) const {
    const DirectionRule& rule = rules_[static_cast<std::size_t>(j)];
    return rule.is_blended && rule.enforced_on == EnforcedOn::end_rate;
  }
  /// Returns, for each column of the forces p, whether forces act on DoFs of a kind, relative to the largest
  /// force. Shape of p: free DoFs x n.
  Eigen::Array<bool, Eigen::Dynamic, 1> are_pushed(const Selection& kind, const MultiVector& p) const {
    const Communicator& communicator = inclusions_.reduced().communicator();
    const MultiVector of_kind = kind.selected_rows(p);
    Vector here = Vector::Zero(p.cols()), largest = here;
    if (of_kind.rows() > 0) here = of_kind.cwiseAbs().colwise().maxCoeff().transpose();
    if (p.rows() > 0) largest = p.cwiseAbs().colwise().maxCoeff().transpose();
    communicator.max(here.data(), static_cast<int>(here.size()));
    communicator.max(largest.data(), static_cast<int>(largest.size()));
    return here.array() > rounding * largest.array();
  }
  /// Returns whether H^T x exceeds the rounding error of its terms. Shapes: x free DoFs x n, result m x n.
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> moves(const MultiVector& x) const {
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
void require_means(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                   const std::vector<DirectionRule>& rules) {
  if (inclusions.reduced().elimination().is_upper_triangular()) return;
  const ImpulseResponse<Engine> response(inclusions, rules);
  const Index m = inclusions.n_directions();
  for (Index first = 0; first < m; first += solve_batch) {
    const Index n = std::min(solve_batch, m - first);
    const auto seen = response.seen(first, n);
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < m; ++j)
        if (seen(j, k))
          throw NotAvailable(
              "The reaction of \"" + outcome.directions[static_cast<std::size_t>(first + k)].name +
              "\", which acts throughout a step, immediately moves half degrees of freedom on which \"" +
              outcome.directions[static_cast<std::size_t>(j)].name +
              "\" acts: in their rows M has entries in columns of masses, or C in columns of viscous "
              "DoFs. With theta < 1 they would alternate from step to step. Take implicit Euler or "
              "Moreau-Jean with theta = 1, or correct M and C if they should be symmetric.");
  }
}

template void require_means(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                            const std::vector<DirectionRule>&);

}  // namespace halfdof::internal
