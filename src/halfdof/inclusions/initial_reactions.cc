#include <halfdof/base/errors.h>
#include <halfdof/inclusions/initial_reactions.h>
#include <halfdof/inclusions/one_step_solver.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <Eigen/QR>

#include <algorithm>
#include <sstream>
#include <utility>

namespace halfdof {

namespace {

/// The inclusions with a play among their directions, and all their directions.
struct Plays {
  std::vector<std::size_t> inclusions;
  std::vector<Index> directions;
};

template <class Engine>
Plays find_plays(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
  Plays plays;
  for (const Index j : outcome.directions_in(Cell::play))
    if (plays.inclusions.empty() || plays.inclusions.back() != inclusions.inclusion_of(j))
      plays.inclusions.push_back(inclusions.inclusion_of(j));
  for (const std::size_t i : plays.inclusions)
    for (Index k = 0; k < inclusions.acting()[i].law->dimension(); ++k)
      plays.directions.push_back(inclusions.first_direction(i) + k);
  return plays;
}

/// Directions that move algebraic DoFs: plays, and contacts on massless nodes.
std::vector<Index> algebraic_directions(const InclusionOutcome& outcome) {
  const ReactionSplit::Part* part = outcome.split.part(DoFKind::algebraic);
  return part ? part->directions : std::vector<Index>();
}

/// What the reactions of plays have to hold.
struct HeldDisplacements {
  Vector held;       ///< H^T J_K (q_K(0) - q_K,free)
  Vector magnitude;  ///< |H^T J_K q_K(0)| + |H^T J_K q_K,free|, to which its rounding is relative
};

template <class Engine>
HeldDisplacements held_displacements(const Inclusions<Engine>& inclusions, const Vector& displacement,
                                     const Vector& rate, double time) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Selection& algebraic = reduced.classification().algebraic();
  const State state{time, reduced.restrict(displacement, rate)};
  const auto along_directions = [&](const Vector& assembled) -> Vector {
    const MultiVector q = reduced.assembled().free().restrict(assembled);
    return inclusions.H().components(algebraic.only(q));
  };
  const Vector given = along_directions(displacement);
  const Vector free = along_directions(reduced.lift(state).displacement);
  return {given - free, given.cwiseAbs() + free.cwiseAbs()};
}

/// W x = b with the least x in the scaling in which W has a unit diagonal.
Vector least_solution(const MultiVector& W, const Vector& b) {
  const Vector d = W.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::CompleteOrthogonalDecomposition<MultiVector> decomposition;
  decomposition.setThreshold(1e-10);
  decomposition.compute(d.asDiagonal() * W * d.asDiagonal());
  return d.cwiseProduct(Vector(decomposition.solve(d.cwiseProduct(b))));
}

/// Splits the reactions of some inclusions among them.
class PlayReactions {
 public:
  PlayReactions(const std::vector<Inclusion>& acting, const Plays& plays, double time) {
    for (const std::size_t i : plays.inclusions)
      laws_.push_back({acting[i].law, acting[i].name});
    for (const NamedLaw& named : laws_)
      parameters_.push_back(parameters_of(named, time, named.law->initial_state()));
  }

  const std::vector<NamedLaw>& laws() const { return laws_; }

  /// The reactions of each inclusion.
  std::vector<Vector> parts(const Vector& r) const {
    std::vector<Vector> parts;
    Index first = 0;
    for (const NamedLaw& named : laws_) {
      parts.push_back(r.segment(first, named.law->dimension()));
      first += named.law->dimension();
    }
    return parts;
  }

  /// How far outside its set each reaction is, beyond what is negligible to a magnitude.
  std::vector<double> excess(const Vector& r, const Vector& magnitude) const {
    const std::vector<Vector> reactions = parts(r), magnitudes = parts(magnitude);
    std::vector<double> excess;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      const double distance = laws_[i].law->distance(parameters_[i], reactions[i]);
      excess.push_back(distance <= 1e-10 * magnitudes[i].norm() ? 0. : distance);
    }
    return excess;
  }

 private:
  std::vector<NamedLaw> laws_;
  std::vector<LawParameters> parameters_;
};

[[noreturn]] void refuse(const PlayReactions& plays, const Vector& r, const std::vector<double>& excess) {
  const auto worst =
      static_cast<std::size_t>(std::max_element(excess.begin(), excess.end()) - excess.begin());
  std::ostringstream message;
  message << "The initial displacements of the algebraic degrees of freedom need the reaction "
          << plays.parts(r)[worst].transpose() << " of \"" << plays.laws()[worst].name << "\", which is "
          << excess[worst]
          << " outside what its law admits. Correct the initial displacements or the load at the start, or "
             "ask for "
             "the reaction to be projected.";
  throw InvalidInput(message.str());
}

/// Equation (2).
Vector relaxed(const PlayReactions& plays, const MultiVector& W, const Vector& r, double time) {
  OneStepSolver solver(OneStepProblem(plays.laws(), W));
  LawsAtTime laws = solver.problem().laws_at(time);
  Vector projected = r, w = Vector::Zero(r.size());
  solver.solve(laws, -W * r, projected, w);
  return projected;
}

}  // namespace

template <class Engine>
InitialReactions initial_reactions(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                   const Vector& displacement, const Vector& rate, double time,
                                   OutsideSet outside) {
  const Vector none = Vector::Zero(inclusions.n_directions());
  InitialReactions result{none, none, {}};
  const Plays plays = find_plays(inclusions, outcome);
  if (plays.directions.empty()) return result;
  require_delassus(outcome.W.K, inclusions.n_directions(), "Plays", "W_K");

  const std::vector<Index> algebraic = algebraic_directions(outcome);
  const HeldDisplacements s = held_displacements(inclusions, displacement, rate, time);
  Vector holding = Vector::Zero(inclusions.n_directions()), magnitude = holding;
  holding(algebraic) = least_solution(outcome.W.K(algebraic, algebraic), s.held(algebraic));
  magnitude(algebraic) = s.magnitude(algebraic).cwiseQuotient(outcome.W.K.diagonal()(algebraic));
  const Vector given = holding(plays.directions);
  const PlayReactions reactions(inclusions.acting(), plays, time);
  const std::vector<double> excess = reactions.excess(given, magnitude(plays.directions));
  const bool is_admissible = *std::max_element(excess.begin(), excess.end()) == 0;
  if (!is_admissible && outside == OutsideSet::refuse) refuse(reactions, given, excess);

  const Vector taken = is_admissible
                           ? given
                           : relaxed(reactions, outcome.W.K(plays.directions, plays.directions), given, time);
  result.holding = holding;
  result.holding(plays.directions) = taken;
  for (std::size_t k = 0; k < plays.directions.size(); ++k)
    if (outcome.directions[static_cast<std::size_t>(plays.directions[k])].cell() == Cell::play)
      result.r[plays.directions[k]] = taken[static_cast<Index>(k)];
  if (is_admissible) return result;
  const std::vector<Vector> before = reactions.parts(given), after = reactions.parts(taken);
  for (std::size_t i = 0; i < before.size(); ++i)
    if ((after[i] - before[i]).norm() > 1e-10 * before[i].norm())
      result.projected.push_back({reactions.laws()[i].name, before[i], after[i]});
  return result;
}

template InitialReactions initial_reactions(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&,
                                            const Vector&, const Vector&, double, OutsideSet);

}  // namespace halfdof
