// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_cause.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the classification of the application's DoFs, which are the real parts in the embedding,
/// with their names.
template <class Engine>
Classification classification_of_real_parts(const StructurallyDampedSystem<Engine>& system,
                                            const Classification& of_embedding) {
  const AssembledSystem<Engine>& real = system.real_part();
  const auto n = static_cast<std::ptrdiff_t>(real.dofs().n_local());
  std::vector<DoFKind> kinds(of_embedding.kinds().begin(), of_embedding.kinds().begin() + n);
  NearlyNullColumns nearly_null;
  nearly_null.n = of_embedding.n_nearly_null() / 2;
  for (NearlyNullColumn column : of_embedding.nearly_null())
    if (column.dof < system.n_dofs()) {
      if (const Index local = real.dofs().local_index(column.dof); local >= 0)
        column.description = real.describe(local);
      nearly_null.first.push_back(std::move(column));
    }
  return {std::move(kinds), real.free(), std::move(nearly_null), of_embedding.n_dropped_columns() / 2};
}

/// Replaces the DoFs of the embedding in a singular part by those of the application, each DoF once.
template <class Engine>
SingularPart in_application_dofs(const StructurallyDampedSystem<Engine>& system, SingularPart part) {
  SingularPart result{part.block, {}, std::move(part.cause), std::move(part.remedy)};
  for (std::size_t k = 0; k < part.dofs.size(); ++k) {
    const GlobalIndex dof = system.application_dof(part.dofs[k]);
    if (std::find(result.dofs.begin(), result.dofs.end(), dof) != result.dofs.end()) continue;
    result.dofs.push_back(dof);
    const Index local = system.real_part().dofs().local_index(dof);
    result.names.push_back(local >= 0              ? system.real_part().describe(local)
                           : k < part.names.size() ? part.names[k]
                                                   : "DoF " + std::to_string(dof));
  }
  return result;
}

template <class Engine>
std::vector<SingularPart> in_application_dofs(const StructurallyDampedSystem<Engine>& system,
                                              const std::vector<SingularPart>& parts) {
  std::vector<SingularPart> all;
  for (const SingularPart& part : parts) {
    SingularPart one = in_application_dofs(system, part);
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const SingularPart& other) {
      return other.block == one.block && other.cause == one.cause &&
             std::is_permutation(other.dofs.begin(), other.dofs.end(), one.dofs.begin(), one.dofs.end());
    });
    if (!is_known) all.push_back(std::move(one));
  }
  return all;
}

template <class Engine>
SingularElimination in_application_dofs(const StructurallyDampedSystem<Engine>& system,
                                        const SingularElimination& of_embedding) {
  std::vector<SingularPart> parts = in_application_dofs(system, of_embedding.parts());
  std::string message = quantity(parts.front().block) + " (" + parts.front().block +
                        "), together with the structural damping, is singular";
  for (std::size_t k = 0; k < parts.size(); ++k)
    message += (k == 0 ? " on " : " It is also singular on ") + list_of(parts[k].names) + ": " +
               parts[k].cause + ". " + parts[k].remedy;
  return SingularElimination(message, std::move(parts));
}

template <class Engine>
Diagnosis in_application_dofs(const StructurallyDampedSystem<Engine>& system, Diagnosis diagnosis) {
  for (auto* const number : {&diagnosis.n_finite, &diagnosis.n_infinite})
    if (*number) **number /= 2;
  diagnosis.n_rounded /= 2;
  diagnosis.problems = in_application_dofs(system, diagnosis.problems);
  return diagnosis;
}

}  // namespace

template <class Engine>
ReducedSystem<Engine> reduce(const StructurallyDampedSystem<Engine>& system,
                             const ReductionOptions& options) {
  try {
    return reduce(system.embedding(), options);
  } catch (const SingularElimination& error) {
    throw in_application_dofs(system, error);
  }
}

template <class Engine>
Classification classify_dofs(const StructurallyDampedSystem<Engine>& system,
                             const ClassificationOptions& options) {
  return classification_of_real_parts(system, classify_dofs(FreeSystem<Engine>(system.embedding()), options));
}

template <class Engine>
Classification application_kinds(const StructurallyDampedSystem<Engine>& system,
                                 const ReducedSystem<Engine>& of_embedding) {
  return classification_of_real_parts(system, of_embedding.classification());
}

template <class Engine>
Diagnosis diagnose(const StructurallyDampedSystem<Engine>& system,
                   const ReducedSystem<Engine>& of_embedding) {
  return in_application_dofs(system, diagnose(of_embedding));
}

template <class Engine>
Diagnosis diagnose(const StructurallyDampedSystem<Engine>& system, const DiagnosisOptions& options) {
  return in_application_dofs(system, diagnose(system.embedding(), options));
}

template <class Engine>
void print_summary(std::ostream& out, const StructurallyDampedSystem<Engine>& system,
                   const ReducedSystem<Engine>& of_embedding) {
  const Classification& kinds = of_embedding.classification();
  const bool by_columns = of_embedding.method() == ReductionMethod::null_columns;
  if (by_columns) print(out, classification_of_real_parts(system, kinds), system.real_part());
  const Diagnosis diagnosis = diagnose(system, of_embedding);
  if (of_embedding.communicator().rank() != 0) return;
  if (!by_columns)
    out << "Method: " << name_of(of_embedding.method())
        << ". Independent combinations of DoFs: N_I = " << kinds.n_inertial() / 2
        << ", N_C = " << kinds.n_viscous() / 2 << ", N_K = " << kinds.n_algebraic() / 2
        << ", N_s = " << kinds.n_states() / 2 << " (2 N_I + N_C)\n";
  out << "Structural damping: D(s) = s^2 M + s (C + i C_i) + K + i K_i. Real and imaginary parts are "
         "eliminated together, as a real system of twice the size, by\n";
  for (const EliminationBlock& block : of_embedding.elimination().blocks())
    out << "  " << block.name << ": " << describe(block.factorization) << '\n';
  out << diagnosis;
}

template ReducedSystem<InstantiatedEngine> reduce(const StructurallyDampedSystem<InstantiatedEngine>&,
                                                  const ReductionOptions&);
template Classification classify_dofs(const StructurallyDampedSystem<InstantiatedEngine>&,
                                      const ClassificationOptions&);
template Classification application_kinds(const StructurallyDampedSystem<InstantiatedEngine>&,
                                          const ReducedSystem<InstantiatedEngine>&);
template Diagnosis diagnose(const StructurallyDampedSystem<InstantiatedEngine>&,
                            const ReducedSystem<InstantiatedEngine>&);
template Diagnosis diagnose(const StructurallyDampedSystem<InstantiatedEngine>&, const DiagnosisOptions&);
template void print_summary(std::ostream&, const StructurallyDampedSystem<InstantiatedEngine>&,
                            const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof
