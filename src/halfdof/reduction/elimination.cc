// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/constraints/constraint_coordinates.h>
#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/kernel/kernel_coordinates.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>
#include <halfdof/reduction/weierstrass/weierstrass_coordinates.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>

#include <Eigen/LU>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace halfdof::internal {

namespace {

/// Returns the system with exact zeros in the columns of M and C that count as null.
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

/// Factorizes D for given kinds of DoFs. The attempt is refused if D is singular.
template <class Engine>
Attempt<Elimination<Engine>> eliminate(ReductionMethod method, const FreeSystem<Engine>& system,
                                       const Classification& kinds, bool has_dropped,
                                       const ReductionOptions& options) {
  const FreeSystem<Engine> free = has_dropped ? with_null_columns(system, kinds) : system;
  auto D = MixedColumnMatrix<Engine>::factorized(free, kinds, options.elimination);
  if (!D) return D.refusal();
  return Elimination<Engine>{method, "", system, kinds, has_dropped, free, std::move(*D)};
}

/**
 * Refuses an elimination whose number of states differs from the exact degree of det P, if that degree
 * is known, unless rounding of the entries explains the difference. Rounding may hide that a matrix has a
 * smaller rank; a method based on the wrong rank keeps states that the system does not have, or drops small
 * entries that are not rounding errors. With redundant constraints det P must be zero; otherwise the
 * constraints are independent, although they were found redundant.
 */
template <class Engine>
Attempt<Elimination<Engine>> check_state_count(Attempt<Elimination<Engine>> found,
                                               const FreeSystem<Engine>& given) {
  if (!found) return found;
  Elimination<Engine>& elimination = *found;
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  if (!exact) return found;
  const bool is_redundant = !elimination.constraints.redundant.empty();
  if (is_redundant && (!exact->is_regular() || exact->has_rounded_entries)) return found;
  const GlobalIndex n_states = elimination.classification.n_states();
  std::optional<Complex> lost;  // an eigenvalue that is lost by the elimination and that no rounding of
                                // the entries makes infinite
  const auto agrees = [&] {
    if (exact->n_finite == n_states) return true;
    if (!exact->has_rounded_entries || exact->n_finite < n_states) return false;
    // A change of coordinates adds rounding errors of its own.
    if (!given.coordinates()) lost = eigenvalue_lost_by_elimination(given, n_states);
    return !lost;
  };
  if (exact->is_regular() && agrees()) {
    if (exact->n_finite > n_states && !given.coordinates())
      elimination.reason += (elimination.reason.empty() ? "" : " ") +
                            std::string(
                                "Terms that may be rounding errors of the entries were dropped; the "
                                "entries exactly as given have ") +
                            std::to_string(exact->n_finite - n_states) + " more finite eigenvalues.";
    return found;
  }
  const std::string
      pencil = "the pencil lambda^2 M + lambda C + K ",
      name = name_of(elimination.method),
      cause = "the method \"" + name + "\" would leave " + std::to_string(n_states) +
              " states, but in exact arithmetic " + pencil +
              (exact->is_regular() ? "has " + std::to_string(exact->n_finite) + " finite eigenvalues"
                                   : "is singular") +
              (lost ? ", one of which has the modulus " + number_text(std::abs(*lost)) +
                          " 1/s and remains finite for any rounding of the entries"
                    : "") +
              ", so that rounding hides a rank on which the number of states depends",
      remedy = "Use the method auto, which tries other methods, or null-columns, which names the DoFs.";
  return Refusal(SingularElimination("The elimination is singular: " + cause + ". " + remedy,
                                     {{name, {}, cause, remedy}}));
}

template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_null_columns(const FreeSystem<Engine>& system,
                                                       const ReductionOptions& options) {
  const Classification kinds = classify_dofs(system, options.classification);
  return eliminate(ReductionMethod::null_columns, system, kinds, kinds.n_dropped_columns() > 0, options);
}

template <class Engine>
Attempt<Elimination<Engine>> eliminate(const KernelCoordinates<Engine>& coordinates,
                                       const ReductionOptions& options) {
  return eliminate(ReductionMethod::kernel, coordinates.system, coordinates.classification, true, options);
}

/// Describes how many dimensions the kernels of M and C have in addition to null columns.
std::string describe_hidden_kernels(GlobalIndex n_mass, GlobalIndex n_damping) {
  std::string text = "The kernels of M and C have more dimensions than null columns: ";
  if (n_mass > 0) text += std::to_string(n_mass) + " more of ker M";
  if (n_mass > 0 && n_damping > 0) text += " and ";
  if (n_damping > 0) text += std::to_string(n_damping) + " more of the intersection of both kernels";
  return text + ".";
}

template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_kernels(const FreeSystem<Engine>& system,
                                                  const ReductionOptions& options) {
  Attempt<KernelCoordinates<Engine>> coordinates = kernel_coordinates(system, options.kernel);
  if (!coordinates) return coordinates.refusal();
  return check_state_count(eliminate(*coordinates, options), system);
}

/// Combines the causes of a D that is singular for null columns with the reason why the Weierstrass
/// form does not apply.
SingularElimination combined_refusal(const SingularElimination& by_columns, const std::string& why_not) {
  const std::string tried =
      "Neither kernels of M and C nor constraints make D regular, and the Weierstrass form of the pencil "
      "does not apply";
  std::vector<SingularPart> parts = by_columns.parts();
  parts.push_back({name_of(ReductionMethod::weierstrass), {}, tried, why_not});
  return SingularElimination(std::string(by_columns.what()) + " " + tried + ": " + why_not, std::move(parts));
}

/**
 * Returns whether D may be singular up to the rounding of a change of coordinates. This rounding leaves
 * errors of about @f$ u\,|Z|^T |A|\,|S| @f$ in every entry of @f$ Z^T A S @f$. D may be singular if
 * @f$ \sum_{ij} |D^{-1}|_{ji} @f$ times these errors reaches 1 / clear_rank_gap (Demmel, SIAM J. Matrix
 * Anal. Appl. 13, 1992). The condition number after equilibration does not show this, because equilibration
 * makes rows of rounding errors as large as others.
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
  const auto copy_columns = [&](ColumnSource source, const typename Engine::Matrix& A,
                                const typename Engine::Matrix& of_given) {
    const MultiVector dense = Engine::to_dense(A),
                      sizes = Z.transpose() * Engine::to_dense(of_given).cwiseAbs() * S;
    for (Index j = 0; j < n; ++j) {
      if (sources[static_cast<std::size_t>(j)] != source) continue;
      D.col(j) = dense.col(j);
      terms.col(j) = sizes.col(j);
    }
  };
  copy_columns(ColumnSource::mass, changed.M(), given.M());
  copy_columns(ColumnSource::damping, changed.C(), given.C());
  copy_columns(ColumnSource::stiffness, changed.K(), given.K());
  const double sum = D.inverse().cwiseAbs().transpose().cwiseProduct(terms).sum();
  return !(clear_rank_gap * unit_roundoff * sum < 1);
}

/// Returns whether rounding may hide that D is singular. Large systems only get a warning and are not
/// checked here.
template <class Engine>
bool is_doubtful(const Elimination<Engine>& elimination, const FreeSystem<Engine>& given,
                 const ReductionOptions& options) {
  if (given.dofs().n_global() > options.max_weierstrass) return false;
  if (!elimination.D.is_badly_conditioned() && !may_be_singular_by_rounding(elimination, given)) return false;
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  return !exact || exact->has_rounded_entries || exact->n_finite != elimination.classification.n_states();
}

/// Returns the message of a refusal. The text is empty if D or the pencil is singular, because the
/// message on null columns then names the DoFs.
std::string message_of(const Refusal& refusal) {
  if (std::holds_alternative<SingularElimination>(refusal) || std::holds_alternative<SingularPencil>(refusal))
    return "";
  return std::visit([](const Error& reason) -> std::string { return reason.what(); }, refusal);
}

/// A method for systems whose D is singular for null columns. The method returns no value if it cannot
/// apply, because the system has no hidden kernels, no multipliers, or too many DoFs.
template <class Engine>
using Method = std::optional<Attempt<Elimination<Engine>>> (*)(const FreeSystem<Engine>&,
                                                               const ReductionOptions&);

/// Tries a method. A solver that cannot treat a matrix, or a rank that is ambiguous, throws an
/// exception; the function converts these exceptions to refusals, so that the next method is tried.
template <class Engine>
std::optional<Attempt<Elimination<Engine>>> try_method(Method<Engine> method,
                                                       const FreeSystem<Engine>& system,
                                                       const ReductionOptions& options) {
  try {
    return method(system, options);
  } catch (const SingularElimination& reason) {
    return Refusal(reason);
  } catch (const SingularPencil& reason) {
    return Refusal(reason);
  } catch (const AmbiguousRank& reason) {
    return Refusal(reason);
  } catch (const NotAvailable& reason) {
    return Refusal(reason);
  } catch (const SingularMatrix& reason) {
    return Refusal(reason);
  }
}

/**
 * Eliminates half DoFs by null columns, or else by the first of the methods that applies. A doubtful
 * elimination is used only if no later method finds fewer states without doubt.
 */
template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_first_of(const std::vector<Method<Engine>>& methods,
                                                   const FreeSystem<Engine>& system,
                                                   const ReductionOptions& options) {
  Attempt<Elimination<Engine>> best = eliminate_by_null_columns(system, options);
  if (best && !is_doubtful(*best, system, options)) return best;
  const auto* const singular = best ? nullptr : std::get_if<SingularElimination>(&best.refusal());
  if (!best && (!singular || system.dofs().communicator().size() > 1 || has_zero_rows_or_columns(system)))
    return best;
  std::string reason;  // why the last method does not apply
  for (const Method<Engine> method : methods) {
    std::optional<Attempt<Elimination<Engine>>> found = try_method(method, system, options);
    reason = found && !*found ? message_of(found->refusal()) : "";
    if (!found || !*found) continue;
    const bool is_found_doubtful = is_doubtful(**found, system, options);
    if (!is_found_doubtful &&
        (!best || (*found)->classification.n_states() < best->classification.n_states()))
      return *std::move(found);
    if (!best) best = *std::move(found);
  }
  if (best || reason.empty()) return best;
  return Refusal(combined_refusal(*singular, reason));
}

/// Eliminates half DoFs by kernels. There is no value if M and C have no kernels other than null
/// columns.
template <class Engine>
std::optional<Attempt<Elimination<Engine>>> eliminate_by_hidden_kernels(const FreeSystem<Engine>& system,
                                                                        const ReductionOptions& options) {
  Attempt<KernelCoordinates<Engine>> coordinates = kernel_coordinates(system, options.kernel);
  if (!coordinates) return coordinates.refusal();
  if (coordinates->n_hidden_mass + coordinates->n_hidden_damping == 0) return std::nullopt;
  Attempt<Elimination<Engine>> found = eliminate(*coordinates, options);
  if (found)
    found->reason = "Null columns leave D singular. " +
                    describe_hidden_kernels(coordinates->n_hidden_mass, coordinates->n_hidden_damping);
  return check_state_count(std::move(found), system);
}

/// Eliminates half DoFs in constrained coordinates by null columns, or else by kernels.
template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_constraints(const FreeSystem<Engine>& system,
                                                      const ConstraintCoordinates<Engine>& constrained,
                                                      const ReductionOptions& options) {
  Attempt<Elimination<Engine>> found =
      eliminate_by_first_of<Engine>({&eliminate_by_hidden_kernels<Engine>}, constrained.system, options);
  if (found) {
    found->method = ReductionMethod::constraints;
    found->in_given_coordinates = constrained.with_multipliers;
    found->constraints = constrained.report;
  }
  return check_state_count(std::move(found), system);
}

/// Eliminates constraints with multipliers. There is no value if the system has no multipliers.
template <class Engine>
std::optional<Attempt<Elimination<Engine>>> eliminate_by_hidden_constraints(const FreeSystem<Engine>& system,
                                                                            const ReductionOptions& options) {
  Attempt<ConstraintCoordinates<Engine>> constrained = constraint_coordinates(system, options.kernel);
  if (!constrained) return constrained.refusal();
  if (constrained->report.n_multipliers == 0) return std::nullopt;
  Attempt<Elimination<Engine>> found = eliminate_by_constraints(system, *constrained, options);
  if (found)
    found->reason = "Null columns leave D singular: " + std::to_string(constrained->report.n_multipliers) +
                    " algebraic DoFs, or combinations of them, are multipliers of constraints." +
                    (found->reason.empty() ? "" : " In the constrained coordinates: " + found->reason);
  return found;
}

template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_weierstrass_form(const FreeSystem<Engine>& system,
                                                           const ReductionOptions& options) {
  Attempt<WeierstrassCoordinates<Engine>> coordinates = weierstrass_coordinates(system, options.weierstrass);
  if (!coordinates) {
    if (std::holds_alternative<SingularPencil>(coordinates.refusal()))
      if (auto by_columns = eliminate_by_null_columns(system, options); !by_columns)
        return by_columns;  // this refusal names the DoFs, the cause and the remedy
    return coordinates.refusal();
  }
  Attempt<Elimination<Engine>> found = eliminate(ReductionMethod::weierstrass, coordinates->system,
                                                 coordinates->classification, false, options);
  if (found) {
    found->in_given_coordinates = system;
    found->reason = coordinates->text;
  }
  return check_state_count(std::move(found), system);
}

/// Eliminates half DoFs by the Weierstrass form. There is no value if the system exceeds
/// options.max_weierstrass.
template <class Engine>
std::optional<Attempt<Elimination<Engine>>> eliminate_small_by_weierstrass_form(
    const FreeSystem<Engine>& system, const ReductionOptions& options) {
  if (system.dofs().n_global() > options.max_weierstrass) return std::nullopt;
  Attempt<Elimination<Engine>> found = eliminate_by_weierstrass_form(system, options);
  if (found)
    found->reason = "Null columns leave D singular, and neither kernels nor constraints make it regular. " +
                    found->reason;
  return found;
}

/// Eliminates half DoFs by the method of the options.
template <class Engine>
Attempt<Elimination<Engine>> eliminate_by_method_of(const ReductionOptions& options,
                                                    const FreeSystem<Engine>& system) {
  switch (options.method) {
    case ReductionMethod::null_columns:
      return eliminate_by_null_columns(system, options);
    case ReductionMethod::kernel:
      return eliminate_by_kernels(system, options);
    case ReductionMethod::constraints: {
      Attempt<ConstraintCoordinates<Engine>> constrained = constraint_coordinates(system, options.kernel);
      if (!constrained) return constrained.refusal();
      if (constrained->report.n_multipliers > 0)
        return eliminate_by_constraints(system, *constrained, options);
      return Refusal(NotAvailable(
          "The method \"constraints\" was requested, but no algebraic DoF is a multiplier of a constraint: "
          "K_KK, the stiffness of the algebraic DoFs, is regular. Use the method "
          "auto, null-columns or kernel."));
    }
    case ReductionMethod::weierstrass:
      return eliminate_by_weierstrass_form(system, options);
    case ReductionMethod::automatic:
      break;
    default:
      throw InvalidInput(std::string("The method \"") + name_of(options.method) +
                         "\" does not reduce a system. Use the method auto, null-columns, "
                         "kernel, constraints or weierstrass.");
  }
  return eliminate_by_first_of<Engine>(
      {&eliminate_by_hidden_kernels<Engine>, &eliminate_by_hidden_constraints<Engine>,
       &eliminate_small_by_weierstrass_form<Engine>},
      system, options);
}

}  // namespace

template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const StageTimer stage("eliminate");
  return eliminate_by_method_of(options, system).value();
}

template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const Classification& declared,
                              const ReductionOptions& options) {
  if (options.method != ReductionMethod::automatic && options.method != ReductionMethod::null_columns)
    throw NotAvailable(
        std::string("The method \"") + name_of(options.method) +
        "\" was requested, but a system with a state force is reduced by the null columns of the pattern of "
        "this force, because kernels and constraints would change with the state. Use auto or null-columns.");
  Attempt<Elimination<Engine>> found =
      eliminate(ReductionMethod::null_columns, system, declared, false, options);
  const auto* const singular = found ? nullptr : std::get_if<SingularElimination>(&found.refusal());
  if (singular)
    throw SingularElimination(std::string(singular->what()) +
                                  " In a system with a state force constraints are not eliminated: replace "
                                  "constraints by linear relations that express dependent degrees of freedom "
                                  "by others (as for hanging nodes), or use stiff springs.",
                              singular->parts());
  return std::move(found).value();
}

template Elimination<InstantiatedEngine> eliminate(const FreeSystem<InstantiatedEngine>&,
                                                   const ReductionOptions&);
template Elimination<InstantiatedEngine> eliminate(const FreeSystem<InstantiatedEngine>&,
                                                   const Classification&, const ReductionOptions&);

}  // namespace halfdof::internal
