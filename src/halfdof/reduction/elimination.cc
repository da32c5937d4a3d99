#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/unit_roundoff.h>
#include <halfdof/classification/constraint_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/rank_decision.h>
#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/weierstrass_coordinates.h>

#include <Eigen/LU>

#include <limits>
#include <utility>
#include <vector>

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

/**
 * Holds the number of states against the degree of det P where that is known: rounding may hide that a rank
 * is smaller, and a method that is misled by it keeps states that the system does not have, or drops small
 * entries that are none of rounding. Constraints that are redundant leave no determinant; where there is one
 * in spite of them, they are independent.
 * @throws SingularElimination
 */
template <class Engine>
Elimination<Engine> certified(Elimination<Engine> elimination, const FreeSystem<Engine>& given) {
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  if (!exact) return elimination;
  const bool is_redundant = !elimination.constraints.redundant.empty();
  if (is_redundant && (!exact->is_regular() || exact->is_of_rounded)) return elimination;
  const GlobalIndex n_states = elimination.classification.n_states();
  std::optional<Complex> lost;  // what rounded entries have of small ones may be rounding, and no state
  const auto agrees = [&] {
    if (exact->n_finite == n_states) return true;
    if (!exact->is_of_rounded || exact->n_finite < n_states) return false;
    if (!given.coordinates()) lost = surely_lost(given, n_states);  // others hold rounding of coordinates
    return !lost;
  };
  if (exact->is_regular() && agrees()) {
    if (exact->n_finite > n_states && !given.coordinates())
      elimination.reason += (elimination.reason.empty() ? "" : " ") + std::string("Dropped is what may be ") +
                            "rounding of entries that have many digits: as they stand, " +
                            std::to_string(exact->n_finite - n_states) + " more eigenvalues are finite.";
    return elimination;
  }
  const std::string
      pencil = "the pencil lambda^2 M + lambda C + K ",
      name = name_of(elimination.method),
      cause = "the method \"" + name + "\" would leave " + std::to_string(n_states) +
              " states, but exactly " + pencil +
              (exact->is_regular() ? "has " + std::to_string(exact->n_finite) + " finite eigenvalues"
                                   : "is singular") +
              (lost ? ", one of them of modulus " + number_text(std::abs(*lost)) +
                          " 1/s, which no rounding of the entries makes infinite"
                    : "") +
              ", so that rounding hides a rank that decides on states",
      remedy = "Take the method auto, which goes on to others, or null-columns, which names the DoFs.";
  throw SingularElimination("The elimination is singular: " + cause + ". " + remedy,
                            {{name, {}, cause, remedy}});
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
  return certified(eliminate(kernel_coordinates(system, options.kernel), options), system);
}

/// What null columns leave singular, and why even the most general method does not mend it.
SingularElimination refusal(const SingularElimination& by_columns, const std::string& why_not) {
  const std::string tried =
      "Neither kernels of M and C nor constraints mend it, and the Weierstrass form of the pencil does not "
      "apply";
  std::vector<SingularPart> parts = by_columns.parts();
  parts.push_back({name_of(ReductionMethod::weierstrass), {}, tried, why_not});
  return SingularElimination(std::string(by_columns.what()) + " " + tried + ": " + why_not, std::move(parts));
}

/**
 * Whether D may be singular but for the rounding of a change of coordinates, which leaves errors of about
 * @f$ u\,|Z|^T |A|\,|S| @f$ in every entry of @f$ Z^T A S @f$: where @f$ \sum_{ij} |D^{-1}|_{ji} @f$ times
 * these reaches 1 / clear_rank_gap (Demmel, SIAM J. Matrix Anal. Appl. 13, 1992). Equilibration would hide
 * that, since it makes rows of rounding errors as large as others.
 */
template <class Engine>
bool may_be_singular_by_rounding(const Elimination<Engine>& elimination, const FreeSystem<Engine>& given) {
  const FreeSystem<Engine>& changed = elimination.free;
  if (!changed.coordinates() || given.dofs().communicator().size() > 1) return false;
  const MultiVector S = Engine::to_dense(*changed.coordinates()).cwiseAbs(),
                    Z = changed.equations() ? MultiVector(Engine::to_dense(*changed.equations()).cwiseAbs())
                                            : S;
  const auto n = static_cast<Index>(S.cols());
  if (Z.cols() != n || S.rows() != given.dofs().n_local() || Z.rows() != S.rows()) return false;
  MultiVector D(n, n), terms(n, n);
  const std::vector<ColumnSource> sources = column_sources(elimination.classification, n);
  const auto take = [&](ColumnSource source, const typename Engine::Matrix& A,
                        const typename Engine::Matrix& of_given) {
    const MultiVector dense = Engine::to_dense(A),
                      sizes = Z.transpose() * Engine::to_dense(of_given).cwiseAbs() * S;
    for (Index j = 0; j < n; ++j) {
      if (sources[static_cast<std::size_t>(j)] != source) continue;
      D.col(j) = dense.col(j);
      terms.col(j) = sizes.col(j);
    }
  };
  take(ColumnSource::mass, changed.M(), given.M());
  take(ColumnSource::damping, changed.C(), given.C());
  take(ColumnSource::stiffness, changed.K(), given.K());
  const double sum = D.inverse().cwiseAbs().transpose().cwiseProduct(terms).sum();
  return !(clear_rank_gap * unit_roundoff * sum < 1);
}

/// Whether rounding may hide that D is singular. Of large systems that is only warned of.
template <class Engine>
bool is_doubtful(const Elimination<Engine>& elimination, const FreeSystem<Engine>& given,
                 const ReductionOptions& options) {
  if (given.dofs().n_global() > options.max_weierstrass) return false;
  if (!elimination.D.is_badly_conditioned() && !may_be_singular_by_rounding(elimination, given)) return false;
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  return !exact || exact->is_of_rounded || exact->n_finite != elimination.classification.n_states();
}

/// A way to eliminate what null columns leave singular. It returns nothing where it has nothing to mend.
template <class Engine>
using Method = std::optional<Elimination<Engine>> (*)(const FreeSystem<Engine>&, const ReductionOptions&);

/**
 * By null columns, otherwise by the first of the methods that applies. A doubtful elimination is taken only
 * if no other that is not doubtful finds fewer states.
 */
template <class Engine>
Elimination<Engine> by_first_of(const std::vector<Method<Engine>>& methods, const FreeSystem<Engine>& system,
                                const ReductionOptions& options) {
  std::optional<Elimination<Engine>> doubtful;
  const auto is_better = [&](const Elimination<Engine>& found) {
    return !is_doubtful(found, system, options) &&
           (!doubtful || found.classification.n_states() < doubtful->classification.n_states());
  };
  std::optional<SingularElimination> singular;
  try {
    Elimination<Engine> found = by_null_columns(system, options);
    if (is_better(found)) return found;
    doubtful.emplace(std::move(found));
  } catch (const SingularElimination& error) {
    if (system.dofs().communicator().size() > 1 || has_zero_lines(system)) throw;
    singular.emplace(error);
  }
  std::string why_not;  // of the last method
  for (const Method<Engine> method : methods) {
    why_not.clear();
    try {
      std::optional<Elimination<Engine>> found = method(system, options);
      if (found && is_better(*found)) return *std::move(found);
      if (found && !doubtful) doubtful.emplace(*std::move(found));
    } catch (const SingularElimination&) {
    } catch (const SingularPencil&) {
    } catch (const AmbiguousRank& error) {
      why_not = error.what();
    } catch (const NotAvailable& error) {
      why_not = error.what();
    } catch (const SingularMatrix& error) {
      why_not = error.what();
    }
  }
  if (doubtful) return *std::move(doubtful);
  throw why_not.empty() ? *singular : refusal(*singular, why_not);
}

/// By kernels what null columns leave singular; nothing where there are none.
template <class Engine>
std::optional<Elimination<Engine>> by_hidden_kernels(const FreeSystem<Engine>& system,
                                                     const ReductionOptions& options) {
  const KernelCoordinates<Engine> coordinates = kernel_coordinates(system, options.kernel);
  if (coordinates.n_hidden_mass + coordinates.n_hidden_damping == 0) return std::nullopt;
  Elimination<Engine> found = eliminate(coordinates, options);
  found.reason = "Null columns leave D singular. " +
                 hidden_kernels(coordinates.n_hidden_mass, coordinates.n_hidden_damping);
  return certified(std::move(found), system);
}

/// In constrained coordinates by null columns, otherwise by kernels.
template <class Engine>
Elimination<Engine> by_constraints(const FreeSystem<Engine>& system,
                                   const ConstraintCoordinates<Engine>& constrained,
                                   const ReductionOptions& options) {
  Elimination<Engine> found = by_first_of<Engine>({&by_hidden_kernels<Engine>}, constrained.system, options);
  found.method = ReductionMethod::constraints;
  found.before = constrained.before;
  found.constraints = constrained.report;
  return certified(std::move(found), system);
}

/// Nothing where there are no multipliers.
template <class Engine>
std::optional<Elimination<Engine>> by_hidden_constraints(const FreeSystem<Engine>& system,
                                                         const ReductionOptions& options) {
  const ConstraintCoordinates<Engine> constrained = constraint_coordinates(system, options.kernel);
  if (constrained.report.n_multipliers == 0) return std::nullopt;
  Elimination<Engine> found = by_constraints(system, constrained, options);
  found.reason = "Null columns leave D singular: " + std::to_string(constrained.report.n_multipliers) +
                 " algebraic DoFs, or combinations of them, multiply constraints." +
                 (found.reason.empty() ? "" : " Among what these leave: " + found.reason);
  return found;
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
  return certified(std::move(found), system);
}

/// Nothing where the pencil is large.
template <class Engine>
std::optional<Elimination<Engine>> by_weierstrass_form_if_small(const FreeSystem<Engine>& system,
                                                                const ReductionOptions& options) {
  if (system.dofs().n_global() > options.max_weierstrass) return std::nullopt;
  Elimination<Engine> found = by_weierstrass_form(system, options);
  found.reason =
      "Null columns leave D singular, and neither kernels nor constraints mend it. " + found.reason;
  return found;
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
      if (constrained.report.n_multipliers > 0) return by_constraints(system, constrained, options);
      throw NotAvailable(
          "The method \"constraints\" was asked for, but no algebraic DoF is a multiplier: K_KK is regular. "
          "Take auto, null-columns or kernel.");
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
  return by_first_of<Engine>(
      {&by_hidden_kernels<Engine>, &by_hidden_constraints<Engine>, &by_weierstrass_form_if_small<Engine>},
      system, options);
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
