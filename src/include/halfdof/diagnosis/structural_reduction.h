// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/reduced_system.h>

#include <iosfwd>

/**
 * @file
 * The elimination of half DoFs from systems with structural damping. It is that of the real embedding of
 * StructuralSystem; everything that is told about it is told in the DoFs of the application. Both halves of
 * the embedding have the same kinds, so that numbers of the embedding are twice those of the complex system.
 * All functions are collective.
 */
namespace halfdof {

/// Reduces the embedding: the result has 2 N_s states, those of D and of its conjugate.
/// @throws SingularElimination with the DoFs of the application; otherwise as ReducedSystem
template <class Engine>
ReducedSystem<Engine> reduce(const StructuralSystem<Engine>& system, const ReductionOptions& options = {});

/// Returns the kinds of the DoFs of the application: those of the columns of M, C + i C_i and K + i K_i.
template <class Engine>
Classification classify_dofs(const StructuralSystem<Engine>& system,
                             const ClassificationOptions& options = {});

/// Returns the same from the reduction of the embedding by null columns, with its null tolerance.
template <class Engine>
Classification application_kinds(const StructuralSystem<Engine>& system,
                                 const ReducedSystem<Engine>& of_embedding);

/// Diagnoses the complex pencil of a system whose embedding was reduced.
template <class Engine>
Diagnosis diagnose(const StructuralSystem<Engine>& system, const ReducedSystem<Engine>& of_embedding);
/// Diagnoses the complex pencil of any system, also a singular one.
template <class Engine>
Diagnosis diagnose(const StructuralSystem<Engine>& system, const DiagnosisOptions& options = {});

/// Prints kinds by component, N_s of the complex system, the solvers of the embedding, and the diagnosis.
/// Written by rank 0.
template <class Engine>
void print_summary(std::ostream& out, const StructuralSystem<Engine>& system,
                   const ReducedSystem<Engine>& of_embedding);

}  // namespace halfdof
