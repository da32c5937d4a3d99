// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/**
 * The form that a law takes after the elimination, by the kind of DoFs that decides its direction and by the
 * quantity that the law constrains.
 *
 * | decided by | law on the rate, r(w) | law on the gap, r(g) |
 * |---|---|---|
 * | inertial DoFs | Filippov inclusion in the velocity: stick-slip | measure inclusion: impacts |
 * | viscous DoFs | w = w_free(y) + W_C r has a Lipschitz solution | first-order sweeping process in q_C |
 * | algebraic DoFs | rate-independent play: r is a state | g = g_free(y) + W_K r has a Lipschitz solution |
 * | none (the direction cannot move) | r recovered afterwards | infeasible or redundant |
 */
enum class ReducedLaw {
  filippov_inclusion,
  measure_inclusion,
  lipschitz_friction,
  sweeping_process,
  play,
  lipschitz_contact,
  recovered_reaction,
  prescribed_gap,
};

/// Returns the name in reports, such as "Filippov inclusion" or "measure inclusion with impacts".
const char* name_of(ReducedLaw reduced_law);

/// Returns the entry of the table of ReducedLaw in the row of decided_by and the column of level.
ReducedLaw reduced_law_of(DoFKind decided_by, LawLevel level);

/// The DoFs on which one direction acts, and the form of its law after the elimination.
struct DirectionOutcome {
  std::string name;  ///< name of the inclusion, with the number of the direction if it has several
  std::string law;
  LawLevel level;
  ActedKinds acts_on;
  /// Kinds of DoFs that decide the direction, lightest first. There are several kinds if the direction is
  /// split, and none if the direction cannot move.
  std::vector<DoFKind> decided_by;
  /// One form for each kind in decided_by, or a single form for a direction that cannot move.
  std::vector<ReducedLaw> reduced_laws;
  /// Diagonal entry of the Delassus matrix of the lightest kind; 0 if the direction cannot move.
  double W;

  /// The form of the law on the lightest kind of DoFs that decides the direction.
  ReducedLaw reduced_law() const { return reduced_laws.front(); }
  /// Whether the law has taken this form, in whole or in part.
  bool has_form(ReducedLaw reduced_law) const;
};

/**
 * Limits of the size of dense Delassus matrices. Above the limits a Delassus matrix is an operator, whose
 * products are computed by linear solves. The operator is sufficient for initial conditions and for the steps
 * of implicit integrators; explicit and event-driven integrators need dense matrices. Integrators use the
 * options that were passed to classify_inclusions().
 */
struct DelassusOptions {
  Index max_dense = 1000;  ///< number m of directions up to which W is a dense m x m matrix
  /// Memory on this process up to which the columns of P_h^{-1} H that a step needs are kept.
  double max_column_bytes = 5e8;
  double law_tolerance = 1e-12;  ///< OneStepOptions::tolerance in the steps of implicit integrators
};

/**
 * The instantaneous responses of the directions to unit reactions, by kind of DoF,
 * @f[ W_a = H^T J_a (D^{-1})_a H, \qquad a = I, C, K, \qquad (1) @f]
 * with D the mixed-column matrix and (D^{-1})_a the rows of D^{-1} that belong to DoFs of kind a (I inertial,
 * C viscous, K algebraic). The three Delassus matrices have different units: W_I is acceleration
 * per force (an inverse mass), W_C rate per force (an inverse damping), W_K displacement per force (a
 * compliance). If M, C and K are symmetric, then W_K is exactly symmetric, W_C is symmetric on
 * ker W_K, and W_I is symmetric on the part of ker W_K on which W_C vanishes. Shapes: m x m; every process
 * has the whole matrices.
 */
struct DelassusMatrices {
  MultiVector I, C, K;
};

/// Computes the Delassus matrices (1) of DelassusMatrices by m solves with D in batches. @throws NotAvailable
/// if m > options.max_dense; InvalidInput if a result is not finite. Collective.
template <class Engine>
DelassusMatrices delassus_matrices(const Inclusions<Engine>& inclusions, const DelassusOptions& options = {});

/**
 * The parts of the reactions that the kinds of DoFs decide. The lightest kind decides first: reactions in the
 * range of W_K move algebraic DoFs at once; of the remaining reactions, the reactions in the range of W_C on
 * ker W_K set viscous DoFs in motion at once; the reactions that remain then accelerate masses through W_I.
 * The reaction of a direction that acts on several kinds, or on the same DoFs as other directions, may have
 * several parts.
 */
struct ReactionSplit {
  /// The part of the reactions that one kind decides.
  struct Part {
    DoFKind kind;
    Index rank;                     ///< number of independent reactions
    bool is_monotone;               ///< whether W + W^T is positive semidefinite on this part
    std::vector<Index> directions;  ///< directions whose reactions contribute to this part, ascending
  };

  std::vector<Part> parts;  ///< parts with rank > 0, by kind, lightest first
  /// Kinds that decide each direction, lightest first. There is no kind if the direction cannot move.
  std::vector<std::vector<DoFKind>> kinds_of;
  std::vector<double>
      response;  ///< response of each direction to its own unit reaction, on its lightest kind
  /// Groups of linearly dependent directions: only combinations of the reactions of a group are determined.
  std::vector<std::vector<Index>> dependent;
  std::vector<Index> negative;  ///< directions whose own positive reaction moves them backwards

  /// The part that a kind decides, or null if there is none.
  const Part* part(DoFKind kind) const;
};

/// What is known about existence and uniqueness of the solution of a model with given initial data.
enum class WellPosedness {
  unique,     ///< exactly one solution exists
  existence,  ///< a solution exists; others may exist
  open,       ///< no known theorem applies
};

/**
 * The strongest result on existence and uniqueness of the solution that holds for a model, and the hypotheses
 * of stronger results that fail.
 *
 * | result | hypotheses |
 * |---|---|
 * | unique (Picard, Lindelöf) | every law has become single valued and Lipschitz |
 * | unique (Dumont et al. 2001, Theorem 1.1) | Filippov inclusions, each one-sided Lipschitz |
 * | unique (Bastien and Lamarque 2009, Proposition A.1) | maximal monotone: plays, sweeping, friction |
 * | unique (Moreau 1977; Edmond and Thibault 2005) | plays whose thresholds are Lipschitz functions of time |
 * | existence (Dumont et al. 2001, Theorem 1.1) | linear growth, closed convex values |
 * | existence (Paoli and Schatzman; Dumont et al. 2001, Theorem 1.2) | one smooth contact, 0 < e <= 1 |
 *
 * Several set-valued laws are monotone in a common metric if M, C and K are symmetric. A single law is always
 * monotone in some metric.
 */
struct Statement {
  WellPosedness result = WellPosedness::unique;
  std::string theorem;               ///< source of the theorem; "" if no theorem applies
  std::vector<std::string> failing;  ///< failing hypotheses of stronger results, one sentence each
  std::vector<std::string> checked;  ///< hypotheses that were checked and hold, one sentence each
  std::string text;                  ///< the whole statement as sentences
};

/// The result of classify_inclusions(): the forms of the laws of a model after the elimination. Numbering:
/// directions, as in Inclusions.
struct InclusionOutcome {
  std::vector<DirectionOutcome> directions;
  ReactionSplit split;
  /// The Delassus matrices W_I, W_C, W_K. Above DelassusOptions::max_dense directions they are empty, each
  /// direction is classified separately, and linearly dependent directions are not detected.
  DelassusMatrices W;
  /// The instantaneous responses to constant reactions, including responses through coupled DoFs:
  /// displacements W_K, rates and accelerations by (1) and (2) of instantaneous_responses.h. These matrices
  /// decide the forms of the laws, and integrators use them for consistent initial conditions. W_C and W_I do
  /// not suffice, since they are zero if a constraint connects a massless node to a DoF that moves. All are
  /// empty if W is empty.
  DelassusMatrices instantaneous_responses;
  DelassusOptions options;         ///< options of the classification, which integrators use too
  Index n_play_states = 0;         ///< number of independent reactions of plays
  GlobalIndex n_states = 0;        ///< number of states: N_s = 2 N_I + N_C plus n_play_states
  std::vector<std::string> notes;  ///< sentences: merged or dependent directions, fixed contacts
  Statement statement;

  /// Directions whose law has taken this form, in whole or in part, in ascending order.
  std::vector<Index> directions_in(ReducedLaw reduced_law) const;
};

/**
 * Finds the form that the law of every direction takes after the elimination. A direction is decided by the
 * lightest kind of DoFs whose diagonal Delassus entry is positive: for example, a massless node decides the
 * gap between a mass and this node, so that no impacts occur. Several directions are split together: first
 * the range of W_K, then W_C on ker W_K, then W_I on the remaining kernel (see ReactionSplitter for the
 * tolerance). Restitution applies only to the part that W_I decides.
 *
 * Collective.
 * @throws InvalidInput if a contact with a coefficient of restitution acts on no inertial DoF; if friction
 * that weakens with the rate acts on algebraic DoFs, or on viscous ones with l W_C >= 1, where l is its
 * steepest decrease (its rate would have to jump); if a law on algebraic DoFs is not positively homogeneous;
 * if a positive reaction would move its own direction backwards (for example on an electric potential).
 */
template <class Engine>
InclusionOutcome classify_inclusions(const Inclusions<Engine>& inclusions,
                                     const DelassusOptions& options = {});

/**
 * Prints the table (inclusion, law, level, the kinds of DoFs on which it acts, its form after the
 * elimination, its Delassus entry), then the notes, the number of states, and the result on existence and
 * uniqueness that holds.
 */
std::ostream& operator<<(std::ostream& out, const InclusionOutcome& outcome);

}  // namespace halfdof
