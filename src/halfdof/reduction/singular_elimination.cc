// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/singular_elimination.h>
#include <halfdof/reduction/singular_finding.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr std::size_t max_named = 10;  ///< largest number of DoFs that a message names
/// A computed null vector is accepted if the product of its residual and the condition limit is at most
/// this number.
constexpr double max_scaled_residual = 10;
/// Condition numbers below this fraction of the condition limit need not be estimated accurately.
constexpr double accurate_fraction = 1e-3;

/// A DoF on which a block is singular, with the size of its entry in the null vectors.
struct SingularDoF {
  double weight;
  GlobalIndex dof;
  std::string description;
};

/// The DoFs on which a block is singular for the same cause, those with the largest entries first.
struct Group {
  std::vector<SingularDoF> dofs;
  SingularCause cause;
  bool are_all = true;  ///< whether the group contains all DoFs of the finding

  void keep_first(std::size_t max_dofs) {
    are_all = are_all && dofs.size() <= max_dofs;
    dofs.resize(std::min(dofs.size(), max_dofs));
  }
};

/// Gathers the DoFs with the largest weights of all processes on each process, at most max_named.
template <class Engine>
Group group_of_finding(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block,
                       const SingularFinding& finding) {
  const Vector& weights = finding.weights;
  const Communicator& communicator = system.dofs().communicator();
  const double largest = communicator.max(weights.size() > 0 ? weights.maxCoeff() : 0.);
  std::vector<std::pair<double, Index>> local;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > regular_part * largest) local.emplace_back(-weights[i], i);
  std::sort(local.begin(), local.end());
  local.resize(std::min(local.size(), max_named + 1));

  std::ostringstream lines;
  lines.precision(17);
  for (const auto& [weight, i] : local) {
    const Index free = block.dofs.local()[static_cast<std::size_t>(i)];
    lines << -weight << ' ' << system.assembled_index(free) << ' ' << system.describe(free) << '\n';
  }

  std::vector<SingularDoF> all;
  for (const std::string& part : communicator.gather(lines.str())) {
    std::istringstream stream(part);
    SingularDoF found{};
    while (stream >> found.weight >> found.dof && std::getline(stream >> std::ws, found.description))
      all.push_back(found);
  }
  // Equal entries of a null vector may differ by rounding. They count as equal, and are sorted by DoF.
  const auto rank = [largest](const SingularDoF& found) {
    return std::make_pair(-std::round(1e3 * found.weight / largest), found.dof);
  };
  std::sort(all.begin(), all.end(),
            [&](const SingularDoF& a, const SingularDoF& b) { return rank(a) < rank(b); });
  Group group{std::move(all), finding.cause};
  group.keep_first(max_named);
  return group;
}

/// Limits the DoFs of all groups together to max_named. The smallest groups keep all their DoFs, if
/// possible.
void limit_named_dofs(std::vector<Group>& groups) {
  if (groups.size() > max_named) groups.resize(max_named);
  std::vector<Group*> by_size;
  for (Group& group : groups)
    by_size.push_back(&group);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Group* a, const Group* b) { return a->dofs.size() < b->dofs.size(); });
  std::size_t n_left = max_named;
  for (std::size_t g = 0; g < by_size.size(); ++g) {
    by_size[g]->keep_first(n_left / (by_size.size() - g));
    n_left -= by_size[g]->dofs.size();
  }
}

SingularPart part_of(const std::string& block, const Group& group) {
  const SingularExplanation why = explanation(block, group.cause, group.dofs.size() > 1);
  SingularPart part{block, {}, why.cause, why.remedy};
  for (const SingularDoF& found : group.dofs) {
    part.dofs.push_back(found.dof);
    part.names.push_back(found.description);
  }
  return part;
}

std::string message_of(const std::string& block, GlobalIndex size, const std::vector<Group>& groups,
                       const std::vector<SingularPart>& parts) {
  std::ostringstream message;
  message << quantity(block) << " (" << block << ", " << size << " x " << size << ") is singular";
  for (std::size_t g = 0; g < groups.size(); ++g)
    message << (g == 0 ? " on " : " It is also singular on ") << list_of(parts[g].names)
            << (groups[g].are_all ? ": " : " (the largest entries): ") << parts[g].cause << ". "
            << parts[g].remedy;
  return message.str();
}

/// Returns whether a matrix is exactly singular, although its condition number is below the limit, because
/// rounding bounds the condition numbers that can be computed.
template <class Engine>
bool is_exactly_singular(const typename Engine::Matrix& A, double condition) {
  constexpr double surely_regular = 1e10;
  const Partition& rows = A.rows();
  return condition >= surely_regular && rows.communicator().size() == 1 &&
         rows.n_global() <= exact_structure_limit && exact_rank(Engine::to_dense(A)) < rows.n_global();
}

/// Factorizes a matrix. There is no result if the matrix is singular, to working precision or exactly.
template <class Engine>
std::optional<FactorizedBlock> factorized(const typename Engine::Matrix& A,
                                          const FactorizationOptions& options, double condition_limit) {
  try {
    FactorizedBlock block{Engine::factorize(A, options), 0};
    const StageTimer stage("estimate the condition");
    block.condition =
        equilibrated_condition_number<Engine>(A, *block.factorization, accurate_fraction * condition_limit);
    if (block.condition < condition_limit && !is_exactly_singular<Engine>(A, block.condition)) return block;
  } catch (const SingularMatrix&) {
  }
  return std::nullopt;
}

/// Returns whether a cause makes the pencil itself singular, so that no method eliminates the DoFs.
bool makes_pencil_singular(SingularCause cause, const std::string& block) {
  switch (cause) {
    case SingularCause::unconnected:
    case SingularCause::only_constrained_dofs:
    case SingularCause::empty_equation:
    case SingularCause::unused_unknown:
      return true;
    case SingularCause::floating:
      return block == "K_KK";
    default:
      return false;
  }
}

/// Removes the findings with multipliers of constraints if there are other findings with DoFs that no
/// method eliminates, because the multipliers can be eliminated.
std::vector<SingularFinding> without_eliminable_multipliers(std::vector<SingularFinding> findings,
                                                            const std::string& block) {
  if (std::any_of(findings.begin(), findings.end(), [&](const SingularFinding& finding) {
        return makes_pencil_singular(finding.cause, block);
      }))
    findings.erase(std::remove_if(findings.begin(), findings.end(),
                                  [](const SingularFinding& finding) {
                                    return finding.cause == SingularCause::hidden_constraint;
                                  }),
                   findings.end());
  return findings;
}

/// The findings from the pattern and from the null vectors of a block.
struct AllFindings {
  std::vector<SingularFinding> certain;
  /// Findings from the vectors nearest to null vectors, used if a factorization fails and nothing is certain.
  std::vector<SingularFinding> nearest;
};

template <class Engine>
Attempt<AllFindings> all_findings(const FreeSystem<Engine>& system, const Classification& classification,
                                  const SingularBlock<Engine>& block, double condition_limit) {
  auto [findings, repaired] = pattern_findings(system, block);
  Attempt<NumericalFindings> numbers = numerical_findings(system, classification, block, repaired);
  if (!numbers) return numbers.refusal();
  if (numbers->residual * condition_limit > max_scaled_residual)
    return AllFindings{without_eliminable_multipliers(std::move(findings), block.name), numbers->findings};
  std::move(numbers->findings.begin(), numbers->findings.end(), std::back_inserter(findings));
  return AllFindings{without_eliminable_multipliers(std::move(findings), block.name), {}};
}

/// Builds the exception that names the DoFs of each finding with cause and remedy.
template <class Engine>
SingularElimination singular_elimination(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block,
                                         const std::vector<SingularFinding>& findings) {
  std::vector<Group> groups;
  for (const SingularFinding& finding : findings)
    groups.push_back(group_of_finding(system, block, finding));
  limit_named_dofs(groups);
  std::vector<SingularPart> parts;
  for (const Group& group : groups)
    parts.push_back(part_of(block.name, group));
  const std::string message = message_of(block.name, block.dofs.n_global(), groups, parts);
  return SingularElimination(message, std::move(parts));
}

}  // namespace

template <class Engine>
std::optional<SingularElimination> find_singular(const FreeSystem<Engine>& system,
                                                 const Classification& classification,
                                                 const SingularBlock<Engine>& block, double condition_limit) {
  const AllFindings found = all_findings(system, classification, block, condition_limit).value();
  if (found.certain.empty()) return std::nullopt;
  return singular_elimination(system, block, found.certain);
}

template <class Engine>
Attempt<FactorizedBlock> factorize_block(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block,
                                         const FactorizationOptions& options, double condition_limit) {
  if (auto result = factorized<Engine>(block.matrix, options, condition_limit)) return *std::move(result);
  Attempt<AllFindings> found = all_findings(system, classification, block, condition_limit);
  if (!found) return found.refusal();
  return Refusal(
      singular_elimination(system, block, found->certain.empty() ? found->nearest : found->certain));
}

template std::optional<SingularElimination> find_singular(const FreeSystem<InstantiatedEngine>&,
                                                          const Classification&,
                                                          const SingularBlock<InstantiatedEngine>&, double);
template Attempt<FactorizedBlock> factorize_block(const FreeSystem<InstantiatedEngine>&,
                                                  const Classification&,
                                                  const SingularBlock<InstantiatedEngine>&,
                                                  const FactorizationOptions&, double);

}  // namespace halfdof::internal
