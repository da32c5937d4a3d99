#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/null_space.h>
#include <halfdof/reduction/singular_elimination.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

constexpr std::size_t max_named = 10;
/// An entry of the null vectors below this times the largest belongs to a healthy part.
constexpr double healthy = 1e-3;
/// Size, relative to the columns that are added up, at which a product counts as zero.
constexpr double zero_product = 1e-6;

struct Culprit {
  double weight;
  GlobalIndex dof;
  std::string description;
};

/// What keeps the elimination from going through.
enum class Cause { unconnected, floating, hidden_constraint };

/// DoFs that are singular for one reason.
struct Group {
  std::vector<Culprit> culprits;
  bool are_all;  ///< none was left out for brevity
  Cause cause;
};

/// Gathers the heaviest DoFs of all processes on each, at most `max_dofs`.
template <class Engine>
Group heaviest(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block, const Vector& weights,
               std::size_t max_dofs, Cause cause) {
  const Communicator& communicator = system.dofs().communicator();
  const double largest = communicator.max(weights.size() > 0 ? weights.maxCoeff() : 0.);
  std::vector<std::pair<double, Index>> local;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] > healthy * largest) local.emplace_back(-weights[i], i);
  std::sort(local.begin(), local.end());
  local.resize(std::min(local.size(), max_dofs + 1));

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
  // Equal entries of a null vector differ by rounding: they count as equal, and the lower DoF comes first.
  const auto rank = [largest](const Culprit& culprit) {
    return std::make_pair(-std::round(1e3 * culprit.weight / largest), culprit.dof);
  };
  std::sort(all.begin(), all.end(), [&](const Culprit& a, const Culprit& b) { return rank(a) < rank(b); });
  const bool are_all = all.size() <= max_dofs;
  all.resize(std::min(all.size(), max_dofs));
  return {std::move(all), are_all, cause};
}

/// 1 where a DoF of the block has a null column and a null row in M, C and K, 0 elsewhere.
template <class Engine>
Vector unconnected(const FreeSystem<Engine>& system, const SingularBlock<Engine>& block) {
  Vector norms = Vector::Zero(system.dofs().n_local());
  for (const auto* A : {&system.M(), &system.C(), &system.K()})
    norms += Engine::column_norms(*A) + Engine::row_norms(*A);
  return (block.dofs.restrict(norms).array() == 0).template cast<double>();
}

/// The matrix whose columns stand in the block: M, C or K; D takes each column from its own.
template <class Engine>
Vector full_product(const FreeSystem<Engine>& system, const Classification& classification, const Vector& z) {
  Vector product = Vector::Zero(z.size());
  const auto add = [&](const typename Engine::Matrix& A, const Selection& kind) {
    Vector part = Vector::Zero(z.size());
    kind.add_to(kind.restrict(z), part);
    A.add_product(1., part, product);
  };
  add(system.M(), classification.inertial());
  add(system.C(), classification.viscous());
  add(system.K(), classification.algebraic());
  return product;
}

/// Whether the null vectors vanish in all rows (nothing holds them) or only in the rows of the block.
template <class Engine>
Cause cause_of(const FreeSystem<Engine>& system, const Classification& classification,
               const SingularBlock<Engine>& block, const NullSpace& null_space) {
  if (block.name == pencil_block) return Cause::floating;
  const Communicator& communicator = system.dofs().communicator();
  const Vector column_norms = Engine::column_norms(Engine::select_columns(
      system.M(), system.C(), system.K(), column_sources(classification, system.dofs().n_local())));
  bool floats = true;
  for (Index j = 0; j < null_space.basis.cols(); ++j) {
    Vector z = Vector::Zero(system.dofs().n_local());
    block.dofs.add_to(null_space.column_scale.cwiseProduct(null_space.basis.col(j)), z);
    const Vector product = full_product(system, classification, z);
    const double scale = communicator.sum(column_norms.cwiseProduct(z.cwiseAbs()).sum());
    floats = floats && norm(communicator, product) <= zero_product * scale;
  }
  return floats ? Cause::floating : Cause::hidden_constraint;
}

std::string quantity(const std::string& block) {
  if (block == "K_KK") return "The stiffness of the algebraic DoFs";
  if (block == "C_CC") return "The damping of the viscous DoFs";
  if (block == "M_II") return "The mass of the inertial DoFs";
  if (block == pencil_block) return "The pencil lambda^2 M + lambda C + K";
  return "The mixed-column matrix D of mass, damping and stiffness columns";
}

struct Explanation {
  std::string cause, remedy;
};

Explanation explanation(const std::string& block, Cause cause, bool several) {
  if (cause == Cause::unconnected) {
    if (several)
      return {
          "their rows and columns are zero in the mass, the damping and the stiffness matrix, so that "
          "nothing "
          "connects them to anything",
          "Connect them, remove them, or list them as constrained."};
    return {
        "its row and column are zero in the mass, the damping and the stiffness matrix, so that nothing "
        "connects it to anything",
        "Connect it, remove it, or list it as constrained."};
  }
  if (block == pencil_block)
    return {
        "the determinant of lambda^2 M + lambda C + K is zero for every lambda: whatever the loads, the "
        "equations do not determine the motion",
        "Connect what floats (an electrode needs a reference potential), and remove constraints that stand "
        "twice."};
  if (block == "C_CC" && cause == Cause::floating)
    return {
        "the dampers do not see their common motion, which is an algebraic degree of freedom that no single "
        "column shows",
        "Give one of them a damper to ground or to a node with mass, or replace them by a common and a "
        "relative "
        "displacement."};
  if (block == "C_CC")
    return {
        "they are coupled by damping only to other kinds of DoFs, as multipliers of a velocity constraint "
        "are",
        "Give them damping of their own, or pass them as constraints."};
  if (block == "M_II")
    return {"a motion of them carries no mass although each has a mass column",
            "Replace them by displacements in which the mass matrix has null columns, or correct the mass "
            "matrix."};
  if (cause == Cause::floating)
    return {several ? "no spring holds their common displacement" : "no spring holds its displacement",
            std::string(several ? "Connect one of them to ground or to a node with mass, or remove them."
                                : "Connect it to ground or to a node with mass, or remove it.") +
                " A floating electrode needs a reference potential."};
  return {std::string(several ? "they have" : "it has") + " no stiffness of " + (several ? "their" : "its") +
              " own and act" + (several ? "" : "s") +
              " only through other DoFs: a Lagrange multiplier or another hidden constraint",
          "Remove the constrained displacement by a dependence, or pass the multipliers as constraints."};
}

std::string list_of(const std::vector<Culprit>& culprits) {
  std::string list;
  for (std::size_t i = 0; i < culprits.size(); ++i)
    list += (i == 0 ? "" : i + 1 == culprits.size() ? " and " : ", ") + culprits[i].description;
  return list;
}

std::string message_of(const std::string& block, GlobalIndex size, const std::vector<Group>& groups,
                       const std::vector<SingularPart>& parts) {
  std::ostringstream message;
  message << quantity(block) << " (" << block << ", " << size << " x " << size << ") is singular";
  for (std::size_t g = 0; g < groups.size(); ++g)
    message << (g == 0 ? " on " : " And it is singular on ") << list_of(groups[g].culprits)
            << (groups[g].are_all ? ": " : " (the largest entries): ") << parts[g].cause << ". "
            << parts[g].remedy;
  return message.str();
}

/// DoFs without any connection, and those that take part in the other null vectors.
template <class Engine>
std::vector<Group> groups_of(const FreeSystem<Engine>& system, const Classification& classification,
                             const SingularBlock<Engine>& block) {
  const Communicator& communicator = system.dofs().communicator();
  const Vector alone = unconnected(system, block);
  const bool some_alone = communicator.any(alone.size() > 0 && alone.maxCoeff() > 0);
  NullSpace null = null_space<Engine>(block.matrix);
  const Vector connected = 1 - alone.array();
  null.basis = (connected.asDiagonal() * null.basis).eval();
  const Vector weights = null.basis.rowwise().norm();

  std::vector<Group> groups;
  if (!some_alone || communicator.sum(weights.squaredNorm()) > healthy)
    groups.push_back(heaviest(system, block, weights, some_alone ? max_named / 2 : max_named,
                              cause_of(system, classification, block, null)));
  if (some_alone) {
    const std::size_t n_other = groups.empty() ? 0 : groups[0].culprits.size();
    groups.insert(groups.begin(), heaviest(system, block, alone, max_named - n_other, Cause::unconnected));
  }
  return groups;
}

}  // namespace

template <class Engine>
SingularElimination singular_elimination(const FreeSystem<Engine>& system,
                                         const Classification& classification,
                                         const SingularBlock<Engine>& block) {
  const std::vector<Group> groups = groups_of(system, classification, block);
  std::vector<SingularPart> parts;
  for (const Group& group : groups) {
    const Explanation why = explanation(block.name, group.cause, group.culprits.size() > 1);
    parts.push_back({block.name, {}, why.cause, why.remedy});
    for (const Culprit& culprit : group.culprits)
      parts.back().dofs.push_back(culprit.dof);
  }
  const std::string message = message_of(block.name, block.dofs.n_global(), groups, parts);
  return SingularElimination(message, std::move(parts));
}

template <class Engine>
FactorizedBlock factorize_block(const FreeSystem<Engine>& system, const Classification& classification,
                                const SingularBlock<Engine>& block, const FactorizationOptions& options,
                                double condition_limit) {
  FactorizedBlock factorized;
  try {
    factorized.factorization = Engine::factorize(block.matrix, options);
  } catch (const SingularMatrix&) {
    throw singular_elimination(system, classification, block);
  }
  factorized.condition = condition_number<Engine>(block.matrix, *factorized.factorization);
  if (!(factorized.condition < condition_limit)) throw singular_elimination(system, classification, block);
  return factorized;
}

template SingularElimination singular_elimination(const FreeSystem<InstantiatedEngine>&,
                                                  const Classification&,
                                                  const SingularBlock<InstantiatedEngine>&);
template FactorizedBlock factorize_block(const FreeSystem<InstantiatedEngine>&, const Classification&,
                                         const SingularBlock<InstantiatedEngine>&,
                                         const FactorizationOptions&, double);

}  // namespace halfdof
