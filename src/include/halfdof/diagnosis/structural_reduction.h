// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>

/**
 * Elimination of half DoFs from systems with structural damping, that is with a complex stiffness. The
 * real embedding of StructurallyDampedSystem is reduced, and all results and messages are translated to the
 * DoFs of the application. Both halves of the embedding have the same kinds, so that the embedding has
 * twice as many DoFs of each kind as the complex system. All functions are collective.
 */
namespace halfdof {

/// Reduces the real embedding of a system. The result has 2 N_s states: those of the complex system and
/// of its complex conjugate.
/// @throws SingularElimination with the DoFs of the application; otherwise as ReducedSystem
template <class Engine>
ReducedSystem<Engine> reduce(const StructurallyDampedSystem<Engine>& system,
                             const ReductionOptions& options = {});

/// Returns the kinds of the DoFs of the application: those of the columns of M, C + i C_i and K + i K_i.
template <class Engine>
Classification classify_dofs(const StructurallyDampedSystem<Engine>& system,
                             const ClassificationOptions& options = {});

/// Returns the kinds of the DoFs of the application from the reduction of the embedding by null
/// columns, with the null tolerance of this reduction.
template <class Engine>
Classification application_kinds(const StructurallyDampedSystem<Engine>& system,
                                 const ReducedSystem<Engine>& of_embedding);

/// Diagnoses the complex pencil of a system whose embedding was reduced.
template <class Engine>
Diagnosis diagnose(const StructurallyDampedSystem<Engine>& system, const ReducedSystem<Engine>& of_embedding);
/// Diagnoses the complex pencil of any system, also a singular one.
template <class Engine>
Diagnosis diagnose(const StructurallyDampedSystem<Engine>& system, const DiagnosisOptions& options = {});

/// Prints the kinds by component, N_s of the complex system, the solvers of the embedding, and the
/// diagnosis. Rank 0 writes the text.
template <class Engine>
void print_summary(std::ostream& out, const StructurallyDampedSystem<Engine>& system,
                   const ReducedSystem<Engine>& of_embedding);

}  // namespace halfdof
