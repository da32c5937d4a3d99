#pragma once

#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/reaction_split.h>
#include <halfdof/inclusions/statement.h>

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/**
 * What the elimination leaves of a law, by the kind that decides its direction and by what the law
 * constrains.
 *
 * | decided by | law on the rate, r(w) | law on the gap, r(g) |
 * |---|---|---|
 * | inertial DoFs | Filippov inclusion in the velocity: stick-slip | measure inclusion: impacts |
 * | viscous DoFs | w = w_free(y) + W_C r solved at once: Lipschitz | first-order sweeping process in q_C |
 * | algebraic DoFs | rate-independent play: r is a state | g = g_free(y) + W_K r solved at once: Lipschitz |
 * | nothing that moves | r recovered afterwards | infeasible or redundant |
 */
enum class Cell {
  filippov_inclusion,
  measure_inclusion,
  lipschitz_friction,
  sweeping_process,
  play,
  lipschitz_contact,
  recovered_reaction,
  prescribed_gap,
};

/// "Filippov inclusion", "measure inclusion with impacts", ..., as reports call it
const char* name_of(Cell cell);

/// Row and column of the table.
Cell cell_of(DoFKind decided_by, LawLevel level);

/// What one direction meets, and what its law has become.
struct DirectionOutcome {
  std::string name;  ///< of the inclusion, with the number of the direction where it has several
  std::string law;
  LawLevel level;
  MetKinds meets;
  std::vector<DoFKind>
      decided_by;           ///< lightest first; several where the direction is split; empty: nothing moves
  std::vector<Cell> cells;  ///< one for each of decided_by, or the one of a direction that cannot move
  double W;                 ///< response of the lightest kind to a unit reaction, W_a(j, j); 0: none

  /// What the lightest kind makes of it.
  Cell cell() const { return cells.front(); }
  /// Whether it has become this, in whole or in part.
  bool has_become(Cell cell) const;
};

/// What the inclusions of a model have become. Numbering: directions, as Inclusions.
struct InclusionOutcome {
  std::vector<DirectionOutcome> directions;
  ReactionSplit split;
  /// W_I, W_C, W_K; empty above DelassusOptions::max_dense directions. Then each direction is decided alone,
  /// and dependent directions are not looked for.
  DelassusMatrices W;
  /// What constant reactions move at once, with all that is tied to them: displacements W_K, rates and
  /// accelerations by (1) and (2) of delassus_chain.h. These decide and start; W_C and W_I are zero where a
  /// constraint ties a massless node to what moves. Empty as W is.
  DelassusMatrices at_once;
  DelassusOptions options;         ///< with which it was found; integrators keep to them
  Index n_play_states = 0;         ///< independent reactions of plays
  GlobalIndex n_states = 0;        ///< N_s = 2 N_I + N_C, and the reactions of plays
  std::vector<std::string> notes;  ///< merged and dependent directions, contacts that cannot move
  Statement statement;

  /// Directions that have become this, in whole or in part, ascending.
  std::vector<Index> directions_in(Cell cell) const;
};

/**
 * Finds for every direction what its law becomes. The lightest kind decides wherever its Delassus entry is
 * positive: a gap between a mass and a massless node is single valued, without impacts. Several directions
 * are split together: first the range of W_K, then W_C on ker W_K, then W_I on what is left (see
 * ReactionSplitter for the tolerance). Restitution belongs to that last part only.
 *
 * Collective.
 * @throws InvalidInput if a contact with a coefficient of restitution meets no mass; if friction that weakens
 * with the rate sits on algebraic DoFs, or on viscous ones with l W_C >= 1 (its rate would have to jump); if
 * a law on algebraic DoFs is not positively homogeneous; if a reaction would move its own direction backwards
 * (an electric potential, say).
 */
template <class Engine>
InclusionOutcome what_becomes(const Inclusions<Engine>& inclusions, const DelassusOptions& options = {});

/**
 * The table: inclusion, law, level, what it meets, what it becomes, its Delassus entry; then the notes, the
 * number of states, and which result of existence and uniqueness holds.
 */
std::ostream& operator<<(std::ostream& out, const InclusionOutcome& outcome);

}  // namespace halfdof
