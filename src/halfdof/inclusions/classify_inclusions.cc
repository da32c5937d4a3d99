// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/direction_matrix_of.h>
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/inclusions/outcome_checks.h>
#include <halfdof/inclusions/reaction_split.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

constexpr std::array<DoFKind, 3> kinds_lightest_first = {DoFKind::algebraic, DoFKind::viscous,
                                                         DoFKind::inertial};

/// A sparse basis of reactions. The first basis contains the unit vectors, and each column of a later basis
/// is a combination of few unit vectors.
using SparseBasis = Eigen::SparseMatrix<double>;

/// Returns the column of a kind in arrays of shape m x 3, whose columns have the order of DoFKind: I, C, K.
Index column(DoFKind kind) {
  return static_cast<Index>(kind);
}

/// Returns lower bounds of the diagonal entries of U^T W V, which hold for definite matrices. @param least
/// response_lower_bounds() of one kind of DoFs
Vector lower_bounds_of_diagonal(const SparseBasis& U, const SparseBasis& V, const Vector& least) {
  return SparseBasis(U.cwiseAbs().cwiseProduct(V.cwiseAbs())).transpose() * least;
}

/// Returns the diagonal of |U|^T |W| |V|. The rounding errors of the diagonal of U^T W V are relative to it.
Vector magnitude_of_diagonal(const SparseBasis& U, const SparseBasis& V, const MultiVector& W) {
  const SparseBasis U_abs = U.cwiseAbs(), V_abs = V.cwiseAbs();
  const MultiVector W_V = W.cwiseAbs() * V_abs;
  Vector magnitude(V.cols());
  for (Index i = 0; i < magnitude.size(); ++i)
    magnitude[i] = U_abs.col(i).dot(W_V.col(i));
  return magnitude;
}

/// Whether a response may be a rounding error, because it is far below the lower bound `least` for a definite
/// matrix, or the lower bound is zero.
bool may_be_rounding_error(double response, double least) {
  return response != 0 && (least == 0 || std::abs(response) <= 1e-3 * least);
}

/// The entries of |H||u| and |H||v| on each DoF, for a motion u and a reaction v of the directions.
using AbsoluteEntries = std::map<GlobalIndex, std::pair<double, double>>;

template <class Engine>
AbsoluteEntries absolute_entries(const Inclusions<Engine>& inclusions, const Vector& u, const Vector& v) {
  AbsoluteEntries all;
  for (Index j = 0; j < u.size(); ++j) {
    if (u[j] == 0 && v[j] == 0) continue;
    const std::size_t i = inclusions.inclusion_of(j);
    const auto within = static_cast<std::size_t>(j - inclusions.first_direction(i));
    for (const WeightedDoF& entry : inclusions.acting()[i].directions[within].entries()) {
      all[entry.dof].first += std::abs(entry.weight * u[j]);
      all[entry.dof].second += std::abs(entry.weight * v[j]);
    }
  }
  return all;
}

/// Computes the instantaneous responses to reactions at the level of a kind.
template <class Engine>
class ResponsesByKind {
 public:
  explicit ResponsesByKind(const Inclusions<Engine>& inclusions) : inclusions_(inclusions) {}

  /// Whether the responses of this kind include motions of lighter DoFs.
  bool is_coupled(DoFKind kind) const {
    const bool acts_on_K = inclusions_.acts_on(DoFKind::algebraic),
               acts_on_C = inclusions_.acts_on(DoFKind::viscous);
    return kind == DoFKind::inertial ? acts_on_K || acts_on_C : kind == DoFKind::viscous && acts_on_K;
  }

  /// Returns the rates (kind viscous) or the accelerations (kind inertial) of the directions at the instant
  /// at which constant reactions V are applied, by (1) or (2) of instantaneous_responses.h. Shapes: V m x p,
  /// result m x p.
  MultiVector operator()(DoFKind kind, const MultiVector& V) const {
    return responses(kind, inclusions_.H(), V);
  }

  /// Returns the sum of the absolute values of the terms of a response, sum_kl |H u|_k |L_kl| |H v|_l, with L
  /// the responses of single DoFs to unit forces on single DoFs. The rounding error of the response is
  /// relative to this sum. The function needs two or three solves with D for each DoF.
  double response_without_cancellation(DoFKind kind, const Vector& u, const Vector& v) const {
    std::vector<Direction> single;
    std::vector<double> of_u, of_v;
    for (const auto& [dof, entries] : absolute_entries(inclusions_, u, v)) {
      single.push_back(Direction({{dof, 1.}}));
      of_u.push_back(entries.first);
      of_v.push_back(entries.second);
    }
    const DirectionMatrix E = direction_matrix(inclusions_.reduced(), single);
    const MultiVector L =
        responses(kind, E, MultiVector::Identity(E.n_directions(), E.n_directions())).cwiseAbs();
    return Eigen::Map<const Vector>(of_u.data(), E.n_directions())
        .dot(L * Eigen::Map<const Vector>(of_v.data(), E.n_directions()));
  }

 private:
  MultiVector responses(DoFKind kind, const DirectionMatrix& H, const MultiVector& V) const {
    return kind == DoFKind::inertial ? acceleration_jumps(inclusions_.reduced(), H, V)
                                     : rate_jumps(inclusions_.reduced(), H, V);
  }

  const Inclusions<Engine>& inclusions_;
};

/// Splits the reactions of all directions together: first by W_K, then by W_C on the kernel of W_K, and
/// finally by W_I on the remaining kernel.
template <class Engine>
ReactionSplit split_jointly(const Inclusions<Engine>& inclusions, const DelassusMatrices& W) {
  ReactionSplitter splitter(inclusions.n_directions(), symmetry_of(inclusions.reduced()));
  const MultiVector least = response_lower_bounds(inclusions);
  const ResponsesByKind<Engine> responses(inclusions);
  const auto decide = [&](DoFKind kind, const MultiVector& W_a) {
    if (splitter.is_finished()) return;
    const SparseBasis V = splitter.reactions().sparseView(), U = splitter.motions().sparseView();
    const bool is_coupled = responses.is_coupled(kind);
    const MultiVector P =
        U.transpose() * (is_coupled ? responses(kind, splitter.reactions()) : MultiVector(W_a * V));
    const Vector of_kind = lower_bounds_of_diagonal(U, V, least.col(column(kind)));
    Vector bounds = of_kind.cwiseMax(magnitude_of_diagonal(U, V, W_a));
    for (Index i = 0; is_coupled && i < bounds.size(); ++i)
      if (may_be_rounding_error(P(i, i), of_kind[i]))
        bounds[i] = std::max(bounds[i], responses.response_without_cancellation(
                                            kind, splitter.motions().col(i), splitter.reactions().col(i)));
    splitter.decide(kind, P, bounds);
  };
  decide(DoFKind::algebraic, W.K);
  decide(DoFKind::viscous, W.C);
  decide(DoFKind::inertial, W.I);
  return splitter.finish();
}

/// Splits the reaction of each direction separately. A direction is decided by the lightest kind of DoFs
/// whose response to the reaction exceeds rounding errors.
template <class Engine>
ReactionSplit split_separately(const Inclusions<Engine>& inclusions) {
  const Index m = inclusions.n_directions();
  const MultiVector diagonals = response_diagonals(inclusions), least = response_lower_bounds(inclusions);
  const ResponsesByKind<Engine> responses(inclusions);
  ReactionSplit split;
  split.kinds_of.resize(static_cast<std::size_t>(m));
  split.response.resize(static_cast<std::size_t>(m), 0.);
  for (const DoFKind kind : kinds_lightest_first) {
    ReactionSplit::Part part{kind, 0, true, {}};
    for (Index j = 0; j < m; ++j) {
      auto& kinds = split.kinds_of[static_cast<std::size_t>(j)];
      if (!kinds.empty()) continue;
      const double response = diagonals(j, column(kind));
      double bound = least(j, column(kind));
      if (responses.is_coupled(kind) && may_be_rounding_error(response, bound)) {
        const Vector alone = Vector::Unit(m, j);
        bound = std::max(bound, responses.response_without_cancellation(kind, alone, alone));
      }
      if (std::abs(response) <= split_tolerance * bound) continue;
      if (response < 0) split.negative.push_back(j);
      kinds.push_back(kind);
      split.response[static_cast<std::size_t>(j)] = response;
      part.directions.push_back(j);
    }
    part.rank = static_cast<Index>(part.directions.size());
    if (part.rank > 0) split.parts.push_back(part);
  }
  return split;
}

/// Returns the number of independent reactions of plays.
Index count_play_states(const InclusionOutcome& outcome) {
  const std::vector<Index> plays = outcome.directions_in(ReducedLaw::play);
  if (plays.empty() || outcome.W.K.size() == 0) return static_cast<Index>(plays.size());
  return scaled_rank(outcome.W.K(plays, plays));
}

/// Returns a sentence about the gap at t = 0 of a contact that cannot move. The gap is computed for the zero
/// state, since the gap of such a contact depends on the state only in rare cases.
template <class Engine>
std::string note_on_initial_gap(const Inclusions<Engine>& inclusions, Index j) {
  const AssembledSystem<Engine>& system = inclusions.reduced().assembled();
  const DirectionMatrix& H = inclusions.H();
  const std::size_t i = inclusions.inclusion_of(j);
  double obstacle = 0;
  try {
    obstacle = inclusions.acting()[i].law->support(j - inclusions.first_direction(i))(0.);
  } catch (const InvalidInput& error) {
    return std::string(
               "Its gap at t = 0 was not computed, because the position of the obstacle is not known: ") +
           error.what();
  }
  const Vector q =
      inclusions.reduced().lift({0., Vector::Zero(inclusions.reduced().n_local_states())}).displacement;
  Vector sums = Vector::Zero(2);
  const auto add = [&](const Eigen::SparseMatrix<double>& rows, const Vector& displacement) {
    if (rows.rows() == 0) return;
    sums[0] += rows.col(j).dot(displacement);
    sums[1] += rows.col(j).cwiseAbs().dot(displacement.cwiseAbs());
  };
  add(H.on_dofs(), system.free().selected_rows(q));
  add(H.constrained(), system.constrained().selected_rows(q));
  H.communicator().sum(sums.data(), 2);
  // A gap whose absolute value is below this limit counts as zero, because it may be a rounding error of its
  // terms.
  const double negligible = 1e-12 * (sums[1] + std::abs(obstacle));
  std::ostringstream text;
  text << "Its gap at t = 0 is " << sums[0] - obstacle
       << (sums[0] - obstacle < -negligible
               ? ", so that the contact is infeasible. Move the obstacle, or free a DoF."
               : ". The contact is redundant while its gap is not negative, and infeasible otherwise.");
  return text.str();
}

/// Returns a sentence for reactions of which only combinations are determined. The sentence says whether the
/// motion depends on the single reactions, which is the case if one of them is the normal reaction of a
/// contact with friction.
template <class Engine>
std::string note_on_indeterminate_motion(const Inclusions<Engine>& inclusions,
                                         const std::vector<Index>& group) {
  const bool determines_friction = std::any_of(group.begin(), group.end(), [&](Index j) {
    const Law& law = *inclusions.acting()[inclusions.inclusion_of(j)].law;
    return law.dimension() > 1 && j == inclusions.first_direction(inclusions.inclusion_of(j)) &&
           law.level(0) == LawLevel::gap;
  });
  return determines_friction ? "Friction thresholds depend on the single normal reactions, so that the "
                               "motion is not determined "
                               "either: implicit integrators compute the reactions of contacts with equal "
                               "small compliances, so that "
                               "the motion does not depend on the order of the inclusions."
                             : "The motion depends only on these combinations.";
}

template <class Engine>
void add_notes(const Inclusions<Engine>& inclusions, InclusionOutcome& outcome) {
  const auto names = [&](const std::vector<Index>& directions) {
    std::string all;
    for (const Index j : directions)
      all += (all.empty() ? "\"" : ", \"") + inclusions.direction_name(j) + "\"";
    return all;
  };
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
    if (inclusions.members()[i].size() > 1)
      outcome.notes.push_back("\"" + inclusions.acting()[i].name +
                              "\" act along one line and were merged into one inclusion. " +
                              (inclusions.acting()[i].law->level(0) == LawLevel::rate
                                   ? "The single reactions are determined only during slip; at rest, each "
                                     "reaction is given the same "
                                     "fraction of its range."
                                   : "The single reactions are not determined during contact; equal shares "
                                     "of their sum are given."));
  for (const std::vector<Index>& group : outcome.split.dependent)
    outcome.notes.push_back(
        "The directions " + names(group) +
        " are linearly dependent on the DoFs that can move, so that only combinations of their reactions are "
        "determined. " +
        note_on_indeterminate_motion(inclusions, group) +
        " To determine all reactions, remove one of these inclusions, or add a DoF to the structure between "
        "them.");
  if (outcome.W.I.size() == 0 && inclusions.n_directions() > 0)
    outcome.notes.push_back(
        "There are " + std::to_string(inclusions.n_directions()) +
        " directions, more than max_dense. Each direction was classified separately, and it was not checked "
        "whether directions are linearly dependent, or whether the rates of several frictions that weaken "
        "may jump together.");

  for (const Index j : outcome.directions_in(ReducedLaw::prescribed_gap))
    outcome.notes.push_back("The contact \"" + inclusions.direction_name(j) +
                            "\" acts on no DoF that its reaction can move. " +
                            note_on_initial_gap(inclusions, j));
}

}  // namespace

template <class Engine>
InclusionOutcome classify_inclusions(const Inclusions<Engine>& inclusions, const DelassusOptions& options) {
  const Index m = inclusions.n_directions();
  InclusionOutcome outcome;
  outcome.options = options;
  if (m <= options.max_dense) {
    outcome.W = delassus_matrices(inclusions, options);
    outcome.instantaneous_responses = outcome.W;
    // If all directions act only on inertial DoFs, the instantaneous responses are the Delassus matrices.
    if (inclusions.acts_on(DoFKind::algebraic) || inclusions.acts_on(DoFKind::viscous))
      outcome.instantaneous_responses = instantaneous_responses(inclusions, MultiVector::Identity(m, m));
    outcome.split = split_jointly(inclusions, outcome.W);
  } else {
    outcome.split = split_separately(inclusions);
  }

  for (Index j = 0; j < m; ++j) {
    const auto index = static_cast<std::size_t>(j);
    const Inclusion& inclusion = inclusions.acting()[inclusions.inclusion_of(j)];
    const std::vector<DoFKind>& kinds = outcome.split.kinds_of[index];
    DirectionOutcome direction{inclusions.direction_name(j),
                               inclusion.law->name(),
                               inclusions.level(j),
                               inclusions.kinds_acted_on(j),
                               kinds,
                               {},
                               outcome.split.response[index]};
    for (const DoFKind kind : kinds)
      direction.reduced_laws.push_back(reduced_law_of(kind, direction.level));
    if (kinds.empty())
      direction.reduced_laws.push_back(reduced_law_of(DoFKind::constrained, direction.level));
    outcome.directions.push_back(std::move(direction));
  }
  check_directions_move_forward(outcome);
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
    check_law_fits(inclusions.acting()[i], inclusions.first_direction(i), outcome);
  check_joint_weakening(inclusions.acting(), outcome);

  outcome.n_play_states = count_play_states(outcome);
  outcome.n_states = inclusions.reduced().n_states() + outcome.n_play_states;
  add_notes(inclusions, outcome);
  outcome.statement = well_posedness(outcome, inclusions.acting(), symmetry_of(inclusions.reduced()));
  return outcome;
}

template InclusionOutcome classify_inclusions(const Inclusions<InstantiatedEngine>&, const DelassusOptions&);

}  // namespace halfdof
