// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/joined.h>
#include <halfdof/reduction/singular_cause.h>

namespace halfdof::internal {

namespace {

/// Explains the causes whose text is the same for every block; the explanation is empty for other causes.
SingularExplanation explain_for_any_block(SingularCause cause, bool several) {
  const std::string their = several ? "their" : "its", them = several ? "them" : "it";
  switch (cause) {
    case SingularCause::unconnected:
      return {their + (several ? " rows and columns are" : " row and column are") +
                  " zero in the mass, the damping and the stiffness matrix, so that nothing connects " +
                  them + " to anything",
              "Connect " + them + ", remove " + them + ", or list " + them + " as constrained."};
    case SingularCause::only_constrained_dofs:
      return {their + (several ? " equations contain" : " equation contains") +
                  " only constrained degrees of freedom, whose motion is given, so that nothing determines " +
                  them + ": for instance a multiplier of a constraint on a motion that is prescribed already",
              "Remove " + them + ", list " + them +
                  " as constrained, or remove one of the degrees of freedom on which " +
                  (several ? "they act" : "it acts") + " from the list of constrained ones."};
    case SingularCause::empty_equation:
      return {their + (several ? " equations are" : " equation is") +
                  " empty: the row is zero in the mass, the damping and the stiffness matrix, although other "
                  "equations contain the unknown",
              "Assemble the missing " + std::string(several ? "equations" : "equation") +
                  " (rows are lost where only one side of a coupling is entered), or list " + them +
                  " as constrained."};
    case SingularCause::unused_unknown:
      return {"no equation contains " + them +
                  ": the column is zero in the mass, the damping and the stiffness "
                  "matrix, although the row is not",
              "Assemble the missing " + std::string(several ? "columns" : "column") +
                  " (they are lost where only one side of a coupling is entered), or list " + them +
                  " as constrained."};
    case SingularCause::too_few_equations:
      return {
          "whatever the values of the entries, these unknowns occur in fewer "
          "equations than there are unknowns",
          "Give each unknown an entry in an equation of its own, remove surplus unknowns, or "
          "list unknowns as constrained."};
    case SingularCause::too_few_unknowns:
      return {
          "whatever the values of the entries, the equations of these DoFs contain fewer "
          "unknowns than there are equations",
          "Remove equations that constrain the same unknowns, or give each equation an unknown of its own."};
    case SingularCause::redundant_constraint:
      return {
          "they are multipliers of constraints that depend on one another, so that the motion does not "
          "determine their values",
          "Remove constraints that are given twice or follow from others."};
    case SingularCause::dependent_equations:
      return {
          "the equations of these DoFs depend on one another: one of them follows from the others",
          "Remove or correct an equation that is given twice; entries of a row may have been lost or entered "
          "in another row."};
    default:
      return {};
  }
}

/// Explains why lambda^2 M + lambda C + K is singular for every lambda.
SingularExplanation explain_singular_pencil(SingularCause cause, bool several) {
  if (cause == SingularCause::floating)
    return {std::string("neither mass nor damping nor stiffness acts on ") +
                (several ? "a common motion of them" : "its motion") +
                ": a floating electrode, a massless part that nothing holds, or an "
                "unknown that can take any value",
            "Connect the floating part to ground or to a node with mass (an electrode needs a reference "
            "potential), or list one of the DoFs as constrained."};
  return {
      "the determinant of lambda^2 M + lambda C + K is zero for every lambda: whatever the loads, the "
      "equations do not determine the motion",
      "Look for entries that cancel: an element that was assembled with a wrong sign or twice, or a "
      "constraint that follows from others."};
}

/// Explains why the stiffness of all free DoFs is singular, so that no equilibrium is unique.
SingularExplanation explain_singular_stiffness(bool several) {
  return {
      several
          ? "the stiffness does not resist a common motion of them, for instance a rigid motion of a body "
            "without supports, so that their position in an equilibrium is not determined"
          : "the stiffness does not resist its motion, so that its position in an "
            "equilibrium is not determined",
      "Constrain this motion (list DoFs as constrained, or connect them by springs to ground or to a body "
      "with supports), or compute a time history instead of an equilibrium."};
}

/// Explains why C_CC, the damping of the viscous DoFs, is singular.
SingularExplanation explain_singular_damping(SingularCause cause) {
  if (cause == SingularCause::floating)
    return {
        "no damper acts on their common motion, which is an algebraic degree of freedom although none of "
        "their columns is null",
        "Give one of them a damper to ground or to a node with mass, or replace them by a common "
        "and a relative displacement."};
  return {
      "damping couples them only to DoFs of other kinds, as it couples multipliers of a velocity constraint",
      "Give each of them a damper of its own, or use the method auto or constraints, "
      "which eliminates multipliers."};
}

/// Explains why the stiffness K_KK of the algebraic DoFs is singular, or else the matrix D of the
/// elimination.
SingularExplanation explain_singular_algebraic_stiffness(SingularCause cause, bool several) {
  if (cause == SingularCause::floating)
    return {several ? "no spring holds their common displacement" : "no spring holds its displacement",
            std::string(several ? "Connect one of them to ground or to a node with mass, or remove them."
                                : "Connect it to ground or to a node with mass, or remove it.") +
                " A floating electrode needs a reference potential."};
  return {
      std::string(several ? "they have" : "it has") + " no stiffness of " + (several ? "their" : "its") +
          " own and act" + (several ? "" : "s") +
          " only through other DoFs: a Lagrange multiplier or another hidden constraint",
      "Express the constrained displacement by other displacements, or use the method auto or constraints, "
      "which eliminates multipliers."};
}

}  // namespace

SingularExplanation explanation(const std::string& block, SingularCause cause, bool several) {
  const SingularExplanation common = explain_for_any_block(cause, several);
  if (!common.cause.empty()) return common;
  if (block == pencil_block) return explain_singular_pencil(cause, several);
  if (block == stiffness_block && cause == SingularCause::floating)
    return explain_singular_stiffness(several);
  if (block == "C_CC") return explain_singular_damping(cause);
  if (block == "M_II")
    return {
        "a common motion of them carries no mass, although each of their columns "
        "in the mass matrix has entries",
        "Replace them by displacements for which the mass matrix has null "
        "columns, or correct the mass matrix."};
  return explain_singular_algebraic_stiffness(cause, several);
}

std::string quantity(const std::string& block) {
  if (block == "K_KK") return "The stiffness of the algebraic DoFs";
  if (block == "C_CC") return "The damping of the viscous DoFs";
  if (block == "M_II") return "The mass of the inertial DoFs";
  if (block == pencil_block) return "The pencil lambda^2 M + lambda C + K";
  if (block == stiffness_block) return "The stiffness";
  return "The mixed-column matrix D of mass, damping and stiffness columns";
}

std::string list_of(const std::vector<std::string>& names) {
  return joined(names, ", ", " and ");
}

}  // namespace halfdof::internal
