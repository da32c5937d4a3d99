// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

namespace halfdof::internal {

/// The name of the matrix P = lambda^2 M + lambda C + K at some lambda in messages.
constexpr const char* pencil_block = "P";
/// The name of the stiffness of all free DoFs in messages. The stiffness must be regular for an
/// equilibrium.
constexpr const char* stiffness_block = "K";

/// The cause for which a block of D, D itself or the pencil P is singular on some DoFs. The comments
/// below describe the unknowns (columns) and the equations (rows) of these DoFs.
enum class SingularCause {
  unconnected,            ///< rows and columns are zero in M, C and K
  only_constrained_dofs,  ///< rows and columns are zero except in columns of constrained DoFs
  empty_equation,         ///< the rows are zero in M, C and K, the columns are not
  unused_unknown,         ///< the columns are zero in M, C and K, the rows are not
  too_few_equations,      ///< by the pattern, the unknowns occur in fewer equations than there are unknowns
  too_few_unknowns,       ///< by the pattern, the equations contain fewer unknowns than there are equations
  /// A motion z with M z = C z = K z = 0; in a block of D, a motion with D z = 0; in the stiffness, a
  /// motion with K z = 0.
  floating,
  hidden_constraint,     ///< a null vector z of the block with D z not zero
  redundant_constraint,  ///< multipliers of constraints that depend on one another
  dependent_unknowns,    ///< null vectors of the pencil that depend on lambda
  dependent_equations    ///< linearly dependent rows
};

/// The explanation of a singular matrix in a message: the cause is a clause, the remedy a sentence.
struct SingularExplanation {
  std::string cause, remedy;
};

/// Explains a cause. @param block "K_KK", "C_CC", "M_II", "D", pencil_block or stiffness_block
/// @param several Whether there is more than one DoF
SingularExplanation explanation(const std::string& block, SingularCause cause, bool several);

/// Describes a block for the beginning of a sentence: "The stiffness of the algebraic DoFs".
std::string quantity(const std::string& block);

/// Joins names to a list in a sentence: "a, b and c".
std::string list_of(const std::vector<std::string>& names);

}  // namespace halfdof::internal
