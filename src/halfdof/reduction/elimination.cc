#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/classification/constraint_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/rank_decision.h>
#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/weierstrass_coordinates.h>

#include <utility>

namespace halfdof {

namespace {

/// The system with zeros in the columns that are null.
template <class Engine>
FreeSystem<Engine> with_null_columns(const FreeSystem<Engine>& system, const Classification& classification) {
  const auto n_local = static_cast<std::size_t>(system.dofs().n_local());
  std::vector<bool> inertial(n_local, false);
  for (const Index j : classification.inertial().local())
    inertial[static_cast<std::size_t>(j)] = true;
  std::vector<bool> damped(n_local, true);
  for (const Index j : classification.algebraic().local())
    damped[static_cast<std::size_t>(j)] = false;
  return system.keep_columns(inertial, damped);
}

template <class Engine>
Elimination<Engine> eliminate(ReductionMethod method, const FreeSystem<Engine>& system,
                              const Classification& kinds, bool has_dropped,
                              const ReductionOptions& options) {
  const FreeSystem<Engine> free = has_dropped ? with_null_columns(system, kinds) : system;
  return {method,
          "",
          system,
          kinds,
          has_dropped,
          free,
          MixedColumnMatrix<Engine>(free, kinds, options.elimination)};
}

template <class Engine>
Elimination<Engine> by_null_columns(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const Classification kinds = classify_dofs(system, options.classification);
  return eliminate(ReductionMethod::null_columns, system, kinds, kinds.n_dropped_columns() > 0, options);
}

template <class Engine>
Elimination<Engine> eliminate(const KernelCoordinates<Engine>& coordinates, const ReductionOptions& options) {
  return eliminate(ReductionMethod::kernel, coordinates.system, coordinates.classification, true, options);
}

std::string hidden_kernels(GlobalIndex n_mass, GlobalIndex n_damping) {
  std::string text = "The kernels of M and C are wider than their null columns: ";
  if (n_mass > 0) text += std::to_string(n_mass) + " dimensions of ker M";
  if (n_mass > 0 && n_damping > 0) text += " and ";
  if (n_damping > 0) text += std::to_string(n_damping) + " of that of both";
  return text + " show in no single column.";
}

template <class Engine>
Elimination<Engine> by_kernels(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  return eliminate(kernel_coordinates(system, options.kernel), options);
}

/// By kernels what null columns leave singular; nothing where there are none, or they do not mend it.
template <class Engine>
std::optional<Elimination<Engine>> by_hidden_kernels(const FreeSystem<Engine>& system,
                                                     const ReductionOptions& options) {
  try {
    const KernelCoordinates<Engine> coordinates = kernel_coordinates(system, options.kernel);
    if (coordinates.n_hidden_mass + coordinates.n_hidden_damping == 0) return std::nullopt;
    Elimination<Engine> found = eliminate(coordinates, options);
    found.reason = "Null columns leave D singular. " +
                   hidden_kernels(coordinates.n_hidden_mass, coordinates.n_hidden_damping);
    return found;
  } catch (const SingularElimination&) {
  } catch (const AmbiguousRank&) {
  } catch (const NotAvailable&) {
  }
  return std::nullopt;
}

/// In constrained coordinates by null columns, otherwise by kernels.
template <class Engine>
Elimination<Engine> by_constraints(const ConstraintCoordinates<Engine>& constrained,
                                   const ReductionOptions& options) {
  const auto eliminated = [&]() -> Elimination<Engine> {
    try {
      return by_null_columns(constrained.system, options);
    } catch (const SingularElimination&) {
      if (auto found = by_hidden_kernels(constrained.system, options)) return *std::move(found);
      throw;
    }
  };
  Elimination<Engine> found = eliminated();
  found.method = ReductionMethod::constraints;
  found.before = constrained.before;
  found.constraints = constrained.report;
  return found;
}

/// Nothing where there are no multipliers, or what they constrain stays singular.
template <class Engine>
std::optional<Elimination<Engine>> by_hidden_constraints(const FreeSystem<Engine>& system,
                                                         const ReductionOptions& options) {
  try {
    const ConstraintCoordinates<Engine> constrained = constraint_coordinates(system, options.kernel);
    if (constrained.report.n_multipliers == 0) return std::nullopt;
    Elimination<Engine> found = by_constraints(constrained, options);
    found.reason = "Null columns leave D singular: " + std::to_string(constrained.report.n_multipliers) +
                   " algebraic DoFs, or combinations of them, multiply constraints." +
                   (found.reason.empty() ? "" : " Among what these leave: " + found.reason);
    return found;
  } catch (const SingularElimination&) {
  } catch (const AmbiguousRank&) {
  } catch (const NotAvailable&) {
  }
  return std::nullopt;
}

template <class Engine>
Elimination<Engine> by_weierstrass_form(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const auto coordinates = [&] {
    try {
      return weierstrass_coordinates(system, options.weierstrass);
    } catch (const SingularPencil&) {
      by_null_columns(system, options);  // names the DoFs, the cause and the remedy
      throw;
    }
  }();
  Elimination<Engine> found =
      eliminate(ReductionMethod::weierstrass, coordinates.system, coordinates.classification, false, options);
  found.before = system;
  found.reason = coordinates.text;
  return found;
}

/// Nothing where the pencil is large or singular, or its structure is not clear.
template <class Engine>
std::optional<Elimination<Engine>> by_weierstrass_form_if_small(const FreeSystem<Engine>& system,
                                                                const ReductionOptions& options) {
  if (system.dofs().n_global() > options.max_weierstrass) return std::nullopt;
  try {
    Elimination<Engine> found = by_weierstrass_form(system, options);
    found.reason =
        "Null columns leave D singular, and neither kernels nor constraints mend it. " + found.reason;
    return found;
  } catch (const SingularElimination&) {
  } catch (const AmbiguousRank&) {
  } catch (const NotAvailable&) {
  }
  return std::nullopt;
}

}  // namespace

template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const Stage stage("eliminate");
  switch (options.method) {
    case ReductionMethod::null_columns:
      return by_null_columns(system, options);
    case ReductionMethod::kernel:
      return by_kernels(system, options);
    case ReductionMethod::constraints: {
      const ConstraintCoordinates<Engine> constrained = constraint_coordinates(system, options.kernel);
      if (constrained.report.n_multipliers > 0) return by_constraints(constrained, options);
      throw NotAvailable(
          "The method \"constraints\" was asked for, but no algebraic DoF is a multiplier: K_KK is regular. "
          "Take "
          "auto, null-columns or kernel.");
    }
    case ReductionMethod::weierstrass:
      return by_weierstrass_form(system, options);
    case ReductionMethod::automatic:
      break;
    default:
      throw InvalidInput(std::string("The method \"") + name_of(options.method) +
                         "\" makes no reduced system. Give auto, null-columns, kernel, constraints or "
                         "weierstrass.");
  }
  try {
    return by_null_columns(system, options);
  } catch (const SingularElimination&) {
    if (system.dofs().communicator().size() > 1 || has_zero_lines(system)) throw;
    if (auto found = by_hidden_kernels(system, options)) return *std::move(found);
    if (auto found = by_hidden_constraints(system, options)) return *std::move(found);
    if (auto found = by_weierstrass_form_if_small(system, options)) return *std::move(found);
    throw;
  }
}

template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const Classification& declared,
                              const ReductionOptions& options) {
  if (options.method != ReductionMethod::automatic && options.method != ReductionMethod::null_columns)
    throw NotAvailable(
        std::string("The method \"") + name_of(options.method) +
        "\" was asked for, but systems with a state force are reduced by the null columns of their "
        "pattern: kernels and constraints would turn with the state. Take auto or null-columns.");
  try {
    return eliminate(ReductionMethod::null_columns, system, declared, false, options);
  } catch (const SingularElimination& error) {
    throw SingularElimination(
        std::string(error.what()) +
            " Beside a state force constraints are not eliminated, with_constraints() or "
            "not: take dependences, or stiff springs.",
        error.parts());
  }
}

template Elimination<InstantiatedEngine> eliminate(const FreeSystem<InstantiatedEngine>&,
                                                   const ReductionOptions&);
template Elimination<InstantiatedEngine> eliminate(const FreeSystem<InstantiatedEngine>&,
                                                   const Classification&, const ReductionOptions&);

}  // namespace halfdof
