// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/integrators/nonsmooth/start_problem.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the rows of the directions `enforced_on`, each from the matrix of its kind.
MultiVector rows_of(const DelassusMatrices& all, const std::vector<Index>& enforced_on,
                    const std::vector<DoFKind>& kinds) {
  MultiVector rows(static_cast<Index>(enforced_on.size()), all.K.cols());
  for (std::size_t k = 0; k < enforced_on.size(); ++k) {
    const MultiVector& W = kinds[k] == DoFKind::algebraic ? all.K
                           : kinds[k] == DoFKind::viscous ? all.C
                                                          : all.I;
    rows.row(static_cast<Index>(k)) = W.row(enforced_on[k]);
  }
  return rows;
}

/// Returns the diagonal blocks, one for each law, of an operator, which is applied to several columns in one
/// call.
template <class Operator>
std::vector<LocalMatrix> diagonal_blocks(const std::vector<NamedLaw>& laws, Index n_columns,
                                         const Operator& apply) {
  std::vector<LocalMatrix> blocks;
  std::vector<std::pair<std::size_t, Index>> places;  // inclusion and first column of each column
  for (const NamedLaw& named : laws) {
    const Index d = named.law->dimension();
    places.insert(places.end(), static_cast<std::size_t>(d),
                  {blocks.size(), static_cast<Index>(places.size())});
    blocks.emplace_back(d, d);
  }
  for (Index begin = 0; begin < n_columns; begin += solve_batch) {
    const Index n = std::min(solve_batch, n_columns - begin);
    MultiVector unit = MultiVector::Zero(n_columns, n);
    unit.middleRows(begin, n).setIdentity();
    const MultiVector columns = apply(unit);
    for (Index k = 0; k < n; ++k) {
      const auto [inclusion, first] = places[static_cast<std::size_t>(begin + k)];
      LocalMatrix& block = blocks[inclusion];
      block.col(begin + k - first) = columns.col(k).segment(first, block.rows());
    }
  }
  return blocks;
}

}  // namespace

Eigen::SparseMatrix<double> StartMembers::push_matrix(Index n_directions) const {
  Eigen::SparseMatrix<double> P(n_directions, static_cast<Index>(enforced_on.size()));
  P.setFromTriplets(pushes.begin(), pushes.end());
  return P;
}

template <class Engine>
std::unique_ptr<MixedLevels> start_problem(const Inclusions<Engine>& inclusions,
                                           const InclusionOutcome& outcome, const StartMembers& some) {
  const Index m = inclusions.n_directions();
  const Eigen::SparseMatrix<double> P = some.push_matrix(m);
  if (outcome.instantaneous_responses.K.rows() == m)
    return std::make_unique<MixedLevels>(
        some.laws, some.kinds, rows_of(outcome.instantaneous_responses, some.enforced_on, some.kinds) * P);

  const auto apply = [inclusions, P, enforced_on = some.enforced_on,
                      kinds = some.kinds](const MultiVector& r) -> MultiVector {
    return rows_of(instantaneous_responses(inclusions, P * r), enforced_on, kinds);
  };
  return std::make_unique<MixedLevels>(
      some.laws, some.kinds, [apply](const Vector& r, Vector& Wr) { Wr = apply(r); },
      diagonal_blocks(some.laws, static_cast<Index>(P.cols()), apply));
}

template std::unique_ptr<MixedLevels> start_problem(const Inclusions<InstantiatedEngine>&,
                                                    const InclusionOutcome&, const StartMembers&);

}  // namespace halfdof::internal
