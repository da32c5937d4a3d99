#include <halfdof/inclusions/delassus_chain.h>
#include <halfdof/integrators/start_problem.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <utility>

namespace halfdof {

namespace {

const MultiVector& matrix_at_once(const InclusionOutcome& outcome, DoFKind kind) {
  if (kind == DoFKind::algebraic) return outcome.at_once.K;
  return kind == DoFKind::viscous ? outcome.at_once.C : outcome.at_once.I;
}

/// The part of D^{-1} H r that belongs to one kind.
template <class Engine>
MultiVector part_of_kind(const Inclusions<Engine>& inclusions, DoFKind kind, const MultiVector& r) {
  const Classification& kinds = inclusions.reduced().classification();
  const Selection& own = kind == DoFKind::algebraic ? kinds.algebraic()
                         : kind == DoFKind::viscous ? kinds.viscous()
                                                    : kinds.inertial();
  const DirectionMatrix& H = inclusions.H();
  return H.components(own.only(inclusions.reduced().elimination().solve(H.force(r))));
}

}  // namespace

Eigen::SparseMatrix<double> StartMembers::push_matrix(Index n_directions) const {
  Eigen::SparseMatrix<double> P(n_directions, static_cast<Index>(met.size()));
  P.setFromTriplets(pushes.begin(), pushes.end());
  return P;
}

template <class Engine>
MultiVector responses_at_once(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                              DoFKind kind, const MultiVector& r) {
  const MultiVector& W = matrix_at_once(outcome, kind);
  if (W.rows() == r.rows()) return W * r;
  const bool meets_K = inclusions.meets(DoFKind::algebraic), meets_C = inclusions.meets(DoFKind::viscous);
  if (kind == DoFKind::viscous && meets_K) return rate_responses(inclusions, r);
  if (kind == DoFKind::inertial && (meets_K || meets_C)) return acceleration_responses(inclusions, r);
  return part_of_kind(inclusions, kind, r);
}

template <class Engine>
OneStepProblem start_problem(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             const StartMembers& some, DoFKind kind, double scale) {
  const Index m = inclusions.n_directions();
  const Eigen::SparseMatrix<double> P = some.push_matrix(m);
  const MultiVector& W = matrix_at_once(outcome, kind);
  if (W.rows() == m) {
    const MultiVector rows = scale * W(some.met, Eigen::all);
    return OneStepProblem(some.laws, rows * P);
  }

  const auto apply = [=, met = some.met](const MultiVector& r) -> MultiVector {
    return scale * responses_at_once(inclusions, outcome, kind, P * r)(met, Eigen::all);
  };
  std::vector<LocalMatrix> blocks;
  Index first = 0;
  for (const NamedLaw& named : some.laws) {
    const Index d = named.law->dimension();
    MultiVector unit = MultiVector::Zero(P.cols(), d);
    unit.middleRows(first, d).setIdentity();
    blocks.emplace_back(apply(unit).middleRows(first, d));
    first += d;
  }
  return OneStepProblem(
      some.laws, [apply](const Vector& r, Vector& Wr) { Wr = apply(r); }, std::move(blocks));
}

template MultiVector responses_at_once(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                       DoFKind, const MultiVector&);
template OneStepProblem start_problem(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                      const StartMembers&, DoFKind, double);

}  // namespace halfdof
