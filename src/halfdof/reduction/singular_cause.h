#pragma once

#include <string>
#include <vector>

namespace halfdof {

/// The name of lambda^2 M + lambda C + K at some lambda, where that is the block.
constexpr const char* pencil_block = "P";
/// The name of the stiffness of all free DoFs, of which a rest asks.
constexpr const char* stiffness_block = "K";

/// Why a block of D, D itself or the pencil P is singular on some DoFs: their unknowns, or their equations.
enum class SingularCause {
  unconnected,           ///< rows and columns are zero in M, C and K
  meets_constrained,     ///< they are but for constrained DoFs
  empty_equation,        ///< the rows are, the columns are not
  unused_unknown,        ///< the columns are, the rows are not
  too_few_equations,     ///< the unknowns have entries in fewer equations than they are, whatever the values
  too_few_unknowns,      ///< the equations hold fewer unknowns than they are, whatever the values
  floating,              ///< a motion that M, C and K do not see (of a block: its own columns in all rows)
  hidden_constraint,     ///< a motion that the rows of the block do not see, but others do
  redundant_constraint,  ///< multipliers of constraints that depend on one another
  dependent_unknowns,    ///< a null vector of the pencil that is another one for each lambda
  dependent_equations    ///< rows that depend on one another
};

/// One clause each, the remedy a sentence.
struct SingularExplanation {
  std::string cause, remedy;
};

/// @param block "K_KK", "C_CC", "M_II", "D", pencil_block or stiffness_block @param several more than one DoF
SingularExplanation explanation(const std::string& block, SingularCause cause, bool several);

/// "The stiffness of the algebraic DoFs": what a block is, to begin a sentence.
std::string quantity(const std::string& block);

/// "a, b and c".
std::string list_of(const std::vector<std::string>& names);

}  // namespace halfdof
