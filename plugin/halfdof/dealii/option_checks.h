// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/dealii/assembled.h>

#include <string>
#include <utility>

/**
 * @file
 * Checks of DealIIOptions before they are used. All functions are collective.
 */
namespace halfdof {

/// Whether a matrix was not given, that is, never initialized.
template <class MatrixType>
bool is_absent(const MatrixType& matrix) {
  return !is_initialized(matrix);
}

/// Checks that all processes give the same matrices and options. @throws InvalidInput if processes give
/// different options; the message contains the name of the option
template <class MatrixType>
void check_same_everywhere(const MatrixType& mass, const MatrixType& damping,
                           const DealIIOptions<MatrixType>& options, const Communicator& communicator) {
  const DealIIStateForce<MatrixType>& p = options.state_force;
  std::string contacts;
  for (const GlobalIndex dof : options.massless_contact)
    contacts += std::to_string(dof) + ' ';
  const std::pair<std::string, const char*> parts[] = {
      {std::to_string(is_absent(mass)), "the mass matrix"},
      {std::to_string(is_absent(damping)), "the damping matrix"},
      {std::to_string(static_cast<int>(options.form)), "DealIIOptions::form"},
      {std::to_string(options.viscoelastic.size()), "DealIIOptions::viscoelastic"},
      {std::to_string(static_cast<bool>(p.force)) + std::to_string(static_cast<bool>(p.tangents)) +
           std::to_string(static_cast<bool>(p.time_derivative)),
       "DealIIOptions::state_force"},
      {std::to_string(p.pattern.mass != nullptr) + std::to_string(p.pattern.damping != nullptr) +
           std::to_string(p.pattern.stiffness != nullptr),
       "the pattern of DealIIOptions::state_force"},
      {std::to_string(options.dummy_derivatives.max_group), "DealIIOptions::dummy_derivatives"},
      {std::to_string(options.with_constraints.size()), "DealIIOptions::with_constraints"},
      {contacts, "DealIIOptions::massless_contact"}};
  for (const auto& [bytes, name] : parts)
    if (!is_same_everywhere(communicator, bytes))
      throw InvalidInput(std::string("Processes give different values of ") + name +
                         ". Give the same value on every process, also on processes without DoFs.");
}

[[noreturn]] inline void refuse_attachment(GlobalIndex dof) {
  throw InvalidInput(
      "An attached element acts on DoF " + std::to_string(dof) +
      ", whose displacement depends on other DoFs by constraints (for example a hanging node). Attach "
      "the element to one of these other DoFs, or to a vertex that is no hanging node.");
}

/// Checks that no attached element acts on a DoF whose displacement depends on other DoFs by constraints.
/// @throws InvalidInput if an element acts on such a DoF
template <class Engine>
void check_attachments(const LumpedElements& elements, const ConstraintRelations<Engine>& relations,
                       const Partition& dofs) {
  call_together(dofs.communicator(), [&] {
    for (const auto* matrix : {&elements.mass, &elements.damping, &elements.stiffness})
      for (const MatrixEntry& entry : *matrix)
        for (const Index i : relations.following())
          if (dofs.global_index(i) == entry.row || dofs.global_index(i) == entry.column)
            refuse_attachment(dofs.global_index(i));
    for (const NonlinearElement& element : elements.nonlinear)
      for (const Index i : relations.following())
        if (dofs.global_index(i) == element.a || dofs.global_index(i) == element.b)
          refuse_attachment(dofs.global_index(i));
  });
}

}  // namespace halfdof
