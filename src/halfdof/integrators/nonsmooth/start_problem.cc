// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/integrators/nonsmooth/start_problem.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/dense_form.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns the rows of the directions `enforced_on`, each from the matrix of the kind of DoFs that decides
/// the direction.
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

/// Returns the diagonal blocks of an operator, one block for each law. The operator is applied to several
/// columns in one call.
template <class Operator>
std::vector<LocalMatrix> diagonal_blocks(const std::vector<NamedLaw>& laws, Index n_columns,
                                         const Operator& apply) {
  std::vector<LocalMatrix> blocks;
  std::vector<std::pair<std::size_t, Index>> places;  // The inclusion of each column, and its first column.
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

Eigen::SparseMatrix<double> StartLaws::reaction_matrix(Index n_directions) const {
  Eigen::SparseMatrix<double> P(n_directions, static_cast<Index>(enforced_on.size()));
  P.setFromTriplets(reaction_entries.begin(), reaction_entries.end());
  return P;
}

template <class Engine>
std::unique_ptr<InstantaneousLawProblem> start_problem(const Inclusions<Engine>& inclusions,
                                                       const InclusionOutcome& outcome,
                                                       const StartLaws& some) {
  const Index m = inclusions.n_directions();
  const Eigen::SparseMatrix<double> P = some.reaction_matrix(m);
  if (outcome.instantaneous_responses.K.rows() == m)
    return std::make_unique<InstantaneousLawProblem>(
        some.laws, some.kinds, rows_of(outcome.instantaneous_responses, some.enforced_on, some.kinds) * P);

  const auto apply = [inclusions, P, enforced_on = some.enforced_on,
                      kinds = some.kinds](const MultiVector& r) -> MultiVector {
    return rows_of(instantaneous_responses(inclusions, P * r), enforced_on, kinds);
  };
  return std::make_unique<InstantaneousLawProblem>(
      some.laws, some.kinds, [apply](const Vector& r, Vector& Wr) { Wr = apply(r); },
      diagonal_blocks(some.laws, static_cast<Index>(P.cols()), apply));
}

template std::unique_ptr<InstantaneousLawProblem> start_problem(const Inclusions<InstantiatedEngine>&,
                                                                const InclusionOutcome&, const StartLaws&);

}  // namespace halfdof::internal
