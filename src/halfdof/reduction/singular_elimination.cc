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

constexpr std::size_t max_named = 10;
/// A null vector is accepted if its residual times the condition limit is at most this number.
constexpr double above_rounding = 10;
/// Condition numbers below this fraction of the limit need not be estimated accurately.
constexpr double matters = 1e-3;

struct Culprit {
  double weight;
  GlobalIndex dof;
  std::string description;
};

/// DoFs that are singular for the same cause.
struct Group {
  std::vector<Culprit> culprits;
  SingularCause cause;
  bool are_all = true;  ///< whether no DoF was omitted

  void keep(std::size_t max_dofs) {
    are_all = are_all && culprits.size() <= max_dofs;
    culprits.resize(std::min(culprits.size(), max_dofs));
  }
};

/// Gathers the DoFs with the largest weights of all processes on each process, one more than can be named.
template <class Engine>
Group group_of(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block,
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

  std::vector<Culprit> all;
  for (const std::string& part : communicator.gather(lines.str())) {
    std::istringstream stream(part);
    Culprit culprit{};
    while (stream >> culprit.weight >> culprit.dof && std::getline(stream >> std::ws, culprit.description))
      all.push_back(culprit);
  }
  // Equal entries of a null vector may differ by rounding: they count as equal, and are sorted by DoF.
  const auto rank = [largest](const Culprit& culprit) {
    return std::make_pair(-std::round(1e3 * culprit.weight / largest), culprit.dof);
  };
  std::sort(all.begin(), all.end(), [&](const Culprit& a, const Culprit& b) { return rank(a) < rank(b); });
  Group group{std::move(all), finding.cause};
  group.keep(max_named);
  return group;
}

/// Distributes the names that a message may contain: smaller groups are named in full first.
void share_names(std::vector<Group>& groups) {
  if (groups.size() > max_named) groups.resize(max_named);
  std::vector<Group*> by_size;
  for (Group& group : groups)
    by_size.push_back(&group);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Group* a, const Group* b) { return a->culprits.size() < b->culprits.size(); });
  std::size_t n_left = max_named;
  for (std::size_t g = 0; g < by_size.size(); ++g) {
    by_size[g]->keep(n_left / (by_size.size() - g));
    n_left -= by_size[g]->culprits.size();
  }
}

SingularPart part_of(const std::string& block, const Group& group) {
  const SingularExplanation why = explanation(block, group.cause, group.culprits.size() > 1);
  SingularPart part{block, {}, why.cause, why.remedy};
  for (const Culprit& culprit : group.culprits) {
    part.dofs.push_back(culprit.dof);
    part.names.push_back(culprit.description);
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

/// Whether a matrix is exactly singular although its condition number, which rounding bounds, is below the
/// limit.
template <class Engine>
bool is_exactly_singular(const typename Engine::Matrix& A, double condition) {
  constexpr double surely_regular = 1e10;
  const Partition& rows = A.rows();
  return condition >= surely_regular && rows.communicator().size() == 1 &&
         rows.n_global() <= exact_structure_limit && exact_rank(Engine::to_dense(A)) < rows.n_global();
}

/// Factorizes a matrix; no value if it is singular, to working precision or exactly.
template <class Engine>
std::optional<FactorizedBlock> factorized(const typename Engine::Matrix& A,
                                          const FactorizationOptions& options, double condition_limit) {
  try {
    FactorizedBlock block{Engine::factorize(A, options), 0};
    const Stage stage("estimate the condition");
    block.condition = condition_number<Engine>(A, *block.factorization, matters * condition_limit);
    if (block.condition < condition_limit && !is_exactly_singular<Engine>(A, block.condition)) return block;
  } catch (const SingularMatrix&) {
  }
  return std::nullopt;
}

/// Whether DoFs with this cause make the pencil itself singular, so that no method eliminates them.
bool is_of_pencil(SingularCause cause, const std::string& block) {
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

/// Removes multipliers, which can be eliminated as constraints, from findings with DoFs that no method
/// eliminates.
std::vector<SingularFinding> without_sound_multipliers(std::vector<SingularFinding> findings,
                                                       const std::string& block) {
  if (std::any_of(findings.begin(), findings.end(),
                  [&](const SingularFinding& finding) { return is_of_pencil(finding.cause, block); }))
    findings.erase(std::remove_if(findings.begin(), findings.end(),
                                  [](const SingularFinding& finding) {
                                    return finding.cause == SingularCause::hidden_constraint;
                                  }),
                   findings.end());
  return findings;
}

struct AllFindings {
  std::vector<SingularFinding> certain;
  std::vector<SingularFinding> nearest;  ///< used if a factorization failed although nothing is certain
};

template <class Engine>
Attempt<AllFindings> all_findings(const FreeSystem<Engine>& system, const Classification& classification,
                                  const SingularBlock<Engine>& block, double condition_limit) {
  auto [findings, mended] = pattern_findings(system, block);
  Attempt<NumericalFindings> numbers = numerical_findings(system, classification, block, mended);
  if (!numbers) return numbers.refusal();
  if (numbers->residual * condition_limit > above_rounding)
    return AllFindings{without_sound_multipliers(std::move(findings), block.name), numbers->findings};
  std::move(numbers->findings.begin(), numbers->findings.end(), std::back_inserter(findings));
  return AllFindings{without_sound_multipliers(std::move(findings), block.name), {}};
}

template <class Engine>
SingularElimination refusal(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block,
                            const std::vector<SingularFinding>& findings) {
  std::vector<Group> groups;
  for (const SingularFinding& finding : findings)
    groups.push_back(group_of(system, block, finding));
  share_names(groups);
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
  return refusal(system, block, found.certain);
}

template <class Engine>
Attempt<FactorizedBlock> factorize_block(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block,
                                         const FactorizationOptions& options, double condition_limit) {
  if (auto result = factorized<Engine>(block.matrix, options, condition_limit)) return *std::move(result);
  Attempt<AllFindings> found = all_findings(system, classification, block, condition_limit);
  if (!found) return found.refusal();
  return Refusal(refusal(system, block, found->certain.empty() ? found->nearest : found->certain));
}

template std::optional<SingularElimination> find_singular(const FreeSystem<InstantiatedEngine>&,
                                                          const Classification&,
                                                          const SingularBlock<InstantiatedEngine>&, double);
template Attempt<FactorizedBlock> factorize_block(const FreeSystem<InstantiatedEngine>&,
                                                  const Classification&,
                                                  const SingularBlock<InstantiatedEngine>&,
                                                  const FactorizationOptions&, double);

}  // namespace halfdof::internal
