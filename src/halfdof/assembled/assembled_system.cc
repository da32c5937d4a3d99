// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/agreement.h>
#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/free_matrix.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/joined.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/shape_text.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

bool same_numbering(const Partition& a, const Partition& b) {
  bool same = a.n_local() == b.n_local();
  for (Index i = 0; same && i < a.n_local(); ++i)
    same = a.global_index(i) == b.global_index(i);
  return !a.communicator().any(!same);
}

template <class Engine>
void check_matrix(const typename Engine::Matrix& A, const std::string& name, const Partition& dofs) {
  if (A.rows().n_global() != A.columns().n_global())
    throw InvalidInput("The " + name + " matrix is not square: it is " +
                       shape_text(A.rows().n_global(), A.columns().n_global()) +
                       ". Every assembled matrix needs one row and one column for each degree of freedom.");
  if (A.rows().n_global() != dofs.n_global())
    throw InvalidInput("The " + name + " matrix is " +
                       shape_text(A.rows().n_global(), A.columns().n_global()) +
                       ", but the stiffness matrix is " + shape_text(dofs.n_global(), dofs.n_global()) +
                       ". Assemble all matrices over the same degrees of freedom.");
  if (!same_numbering(A.rows(), dofs) || !same_numbering(A.columns(), dofs))
    throw InvalidInput(
        "The " + name +
        " matrix is distributed over the processes in another way than the rows of the stiffness "
        "matrix. Assemble all matrices with the same row and domain maps.");
  if (const auto entry = Engine::find_non_finite(A))
    throw NotFinite("The " + name + " matrix holds " + number_text(entry->value) + " in row " +
                    std::to_string(entry->row) + ", column " + std::to_string(entry->column) +
                    " (0-based). Every entry must be finite: check the material data and the element that "
                    "couples these two degrees of freedom.");
}

template <class Container>
void check_label(const Container& container, const char* name, Index n_local) {
  if (!container.empty() && container.size() != static_cast<std::size_t>(n_local))
    throw InvalidInput(std::string("The labels name the ") + name + " of " +
                       std::to_string(container.size()) + " degrees of freedom, but this process owns " +
                       std::to_string(n_local) +
                       ". Give one entry for each degree of freedom, or leave the list empty.");
}

void check_labels(const DoFLabels& labels, Index n_local) {
  check_label(labels.component, "component", n_local);
  check_label(labels.node, "node", n_local);
  check_label(labels.point, "support point", n_local);
  check_label(labels.constraint, "constraint", n_local);
  for (const Index component : labels.component)
    if (component < 0 || static_cast<std::size_t>(component) >= labels.component_names.size())
      throw InvalidInput("A label refers to component " + std::to_string(component) + ", but only " +
                         std::to_string(labels.component_names.size()) +
                         " components have a name. Give a name for every component.");
}

/// Checks the shape and the entries of the near null space.
/// @param k The largest number of vectors on any process
void check_near_null_space(const MultiVector& vectors, Index n_local, double k) {
  if (vectors.rows() == n_local && static_cast<double>(vectors.cols()) == k && vectors.allFinite()) return;
  throw InvalidInput("The near null space on this process is a " + std::to_string(vectors.rows()) + " x " +
                     std::to_string(vectors.cols()) + " matrix" +
                     (vectors.allFinite() ? "" : " with entries that are not finite") +
                     ". Expected is a finite " + std::to_string(n_local) + " x " + number_text(k) +
                     " matrix: one row for each degree of freedom of this process, and one column for each "
                     "vector. The number of vectors must be the same on all processes.");
}

/// Checks that all processes give the same component names, because tables by component are summed over all
/// processes.
/// @param all The component names of each process, joined()
void check_component_names(const std::vector<std::string>& all) {
  const auto other = std::find_if(all.begin(), all.end(), [&](const auto& names) { return names != all[0]; });
  if (other != all.end())
    throw InvalidInput("The components are called \"" + all[0] + "\" on the first process, but \"" + *other +
                       "\" on process " + std::to_string(other - all.begin()) +
                       ". Give all processes the same component names in the same order, also those that own "
                       "no degree of freedom of a component.");
}

/// Returns the listed local DoFs in ascending order, after checks of their range and uniqueness.
/// @param what The noun for messages, such as "constrained degrees of freedom"
std::vector<Index> sorted_list(std::vector<Index> listed, const std::string& what, const Partition& dofs) {
  for (const Index i : listed)
    if (i < 0 || i >= dofs.n_local())
      throw InvalidInput("The list of " + what + " holds " + std::to_string(i) +
                         ", but the indices run from 0 to " + std::to_string(dofs.n_local() - 1) +
                         ". Indices are 0-based.");
  std::sort(listed.begin(), listed.end());
  const auto repeated = std::adjacent_find(listed.begin(), listed.end());
  if (repeated != listed.end())
    throw InvalidInput("The list of " + what + " holds DoF " + std::to_string(dofs.global_index(*repeated)) +
                       " twice. List each degree of freedom only once.");
  return listed;
}

std::vector<Index> complement(const std::vector<Index>& sorted, Index n) {
  std::vector<Index> rest;
  rest.reserve(static_cast<std::size_t>(n) - sorted.size());
  auto next = sorted.begin();
  for (Index i = 0; i < n; ++i)
    if (next != sorted.end() && *next == i)
      ++next;
    else
      rest.push_back(i);
  return rest;
}

/// Returns a function of time that checks the result of `function` and sorts its entries by the listed DoFs,
/// ascending. Its calls are collective.
/// @param name The noun for messages, such as "prescribed motion q_D" @param what See sorted_list()
TimeFunction sorted_function(const TimeFunction& function, const std::string& name, const std::string& what,
                             const std::vector<Index>& listed, const Partition& dofs) {
  if (!function) return nullptr;
  std::vector<Index> order(listed.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return listed[static_cast<std::size_t>(a)] < listed[static_cast<std::size_t>(b)];
  });
  return [function, name, what, order, communicator = dofs.shared_communicator()](double time) -> Vector {
    Vector value;
    call_together(*communicator, [&] {
      value = function(time);
      if (value.size() != static_cast<Eigen::Index>(order.size()) || !value.allFinite())
        throw InvalidInput(
            "The " + name + " has " + std::to_string(value.size()) + " entries at t = " + number_text(time) +
            (value.allFinite() ? "," : ", not all finite,") + " but this process lists " +
            std::to_string(order.size()) + " " + what + ". Return one finite value for each of them.");
    });
    return value(order);
  };
}

/// Applies sorted_function() to a motion and its derivatives, with the same parameters.
PrescribedMotion sorted_motion(const PrescribedMotion& motion, const std::string& name,
                               const std::string& what, const std::vector<Index>& listed,
                               const Partition& dofs) {
  const auto sorted = [&](const TimeFunction& function, const char* primes) {
    return sorted_function(function, name + primes, what, listed, dofs);
  };
  return {sorted(motion.value, ""), sorted(motion.rate, "'"), sorted(motion.acceleration, "''"),
          sorted(motion.jerk, "'''")};
}

/// Evaluates a function of the application and checks the result. Collective: an error on one process is
/// thrown on all processes.
/// @throws InvalidInput unless the result has one entry for each DoF, NotFinite unless all entries are finite
template <class Engine>
Vector evaluate(const std::function<Vector()>& function, const char* name, double time,
                const AssembledSystem<Engine>& system) {
  const Index n_local = system.dofs().n_local();
  Vector value;
  call_together(system.dofs().communicator(), [&] {
    value = function();
    if (value.size() != n_local)
      throw InvalidInput(std::string("The ") + name + " has " + std::to_string(value.size()) +
                         " entries at t = " + number_text(time) + ", but this process has " +
                         std::to_string(n_local) +
                         " assembled degrees of freedom. Return one entry for each of them, "
                         "constrained degrees of freedom included.");
    if (are_finite(value)) return;
    for (Index i = 0; i < n_local; ++i)
      if (!std::isfinite(value[i]))
        throw NotFinite(std::string("The ") + name + " is " + number_text(value[i]) + " at t = " +
                        number_text(time) + " on " + system.describe(i) + ". It must be finite.");
  });
  return value;
}

/// Evaluates a function of time; the result is zero if there is no function.
template <class Engine>
Vector evaluate(const TimeFunction& function, const char* name, double time,
                const AssembledSystem<Engine>& system) {
  if (!function) return Vector::Zero(system.dofs().n_local());
  return evaluate<Engine>([&] { return function(time); }, name, time, system);
}

template <class Engine>
using MatrixOf = std::pair<std::optional<typename Engine::Matrix> Tangents<Engine>::*, const char*>;

template <class Engine>
constexpr std::array<MatrixOf<Engine>, 3> tangent_matrices() {
  return {{{&Tangents<Engine>::mass, "tangent mass"},
           {&Tangents<Engine>::damping, "tangent damping"},
           {&Tangents<Engine>::stiffness, "tangent stiffness"}}};
}

/// Checks that the pattern has an entry in every column in which the tangent has an entry, because the kinds
/// of the DoFs follow from the pattern. Rows and columns of constrained DoFs are ignored.
/// @throws InvalidInput otherwise
template <class Engine>
void check_columns(const std::optional<typename Engine::Matrix>& tangent,
                   const std::optional<typename Engine::Matrix>& pattern, const char* name, double time,
                   const AssembledSystem<Engine>& system) {
  if (!tangent) return;
  const auto norms = [&](const typename Engine::Matrix& A) -> Vector {
    return FreeMatrix<Engine>(A, system.free()).column_norms();
  };
  const Vector found = norms(*tangent), declared = pattern ? norms(*pattern) : Vector::Zero(found.size());
  call_together(system.dofs().communicator(), [&] {
    for (Index j = 0; j < found.size(); ++j)
      if (found[j] > 0 && declared[j] == 0)
        throw InvalidInput("At t = " + number_text(time) + " the " + name +
                           " of the state force has entries in the column of " +
                           system.describe(system.free().local()[static_cast<std::size_t>(j)]) +
                           ", where its pattern has none. The kind of "
                           "a degree of freedom follows from the pattern: declare "
                           "every column that may be filled.");
  });
}

/// Returns the state force with functions that check the results of the given functions.
template <class Engine>
StateForce<Engine> checked(const StateForce<Engine>& given, const AssembledSystem<Engine>& system) {
  if (!given.tangents)
    throw InvalidInput(
        "A state force was given without its tangents, which the elimination needs. Give dp/dq'', "
        "dp/dq' and dp/dq, exactly or nearly.");
  StateForce<Engine> p = given;
  // The copies of the system in these functions share its matrices, and do not contain p yet.
  p.force = [given, system](double time, const AssembledMotion& motion) {
    return evaluate<Engine>([&] { return given.force(time, motion); }, "state force", time, system);
  };
  p.tangents = [given, system](double time, const AssembledMotion& motion) {
    Tangents<Engine> tangents;
    call_together(system.dofs().communicator(), [&] { tangents = given.tangents(time, motion); });
    for (const auto& [matrix, name] : tangent_matrices<Engine>()) {
      if (tangents.*matrix) check_matrix<Engine>(*(tangents.*matrix), name, system.dofs());
      if (matrix != &Tangents<Engine>::stiffness)
        check_columns(tangents.*matrix, given.pattern.*matrix, name, time, system);
    }
    return tangents;
  };
  if (given.time_derivative)
    p.time_derivative = [given, system](double time, const AssembledMotion& motion) {
      return evaluate<Engine>([&] { return given.time_derivative(time, motion); },
                              "time derivative of the state force", time, system);
    };
  return p;
}

}  // namespace

template <class Engine>
AssembledSystem<Engine>::AssembledSystem(SystemDescription<Engine> description)
    : description_(with_common_functions(std::move(description))) {
  const Partition& dofs = description_.stiffness.rows();
  check_matrix<Engine>(description_.stiffness, "stiffness", dofs);
  if (dofs.n_global() == 0)
    throw InvalidInput(
        "The assembled system is empty: the stiffness matrix is 0 x 0. Give at least one degree of freedom.");

  for (std::optional<Matrix>* A : {&description_.mass, &description_.damping})
    if (!*A) *A = Engine::diagonal(Vector::Zero(dofs.n_local()), dofs);
  check_matrix<Engine>(*description_.mass, "mass", dofs);
  check_matrix<Engine>(*description_.damping, "damping", dofs);

  const char* const what[] = {"constrained degrees of freedom", "multipliers"};
  std::vector<Index> constrained, multipliers;
  const auto component_names = dofs.communicator().gather(joined(description_.labels.component_names));
  MultiVector& near_null_space = description_.near_null_space;
  const double n_vectors = dofs.communicator().max(static_cast<double>(near_null_space.cols()));
  if (n_vectors == 0) near_null_space.resize(dofs.n_local(), 0);
  call_together(dofs.communicator(), [&] {
    check_near_null_space(near_null_space, dofs.n_local(), n_vectors);
    check_component_names(component_names);
    check_labels(description_.labels, dofs.n_local());
    constrained = sorted_list(description_.constrained, what[0], dofs);
    multipliers = sorted_list(description_.multipliers, what[1], dofs);
  });
  description_.prescribed = sorted_motion(description_.prescribed, "prescribed motion q_D", what[0],
                                          description_.constrained, dofs);
  description_.right_sides = sorted_motion(description_.right_sides, "right side b of the constraints",
                                           what[1], description_.multipliers, dofs);
  multipliers_ = Selection(std::move(multipliers), dofs);
  free_ = Selection(complement(constrained, dofs.n_local()), dofs);
  constrained_ = Selection(std::move(constrained), dofs);

  const StateForce<Engine> p = std::exchange(description_.state_force, {});
  if (!p) return;
  for (const auto& [matrix, name] : tangent_matrices<Engine>())
    if (p.pattern.*matrix) check_matrix<Engine>(*(p.pattern.*matrix), name, dofs);
  description_.state_force = checked(p, *this);
}

template <class Engine>
AssembledSystem<Engine> AssembledSystem<Engine>::linearized(const Tangents<Engine>& tangents,
                                                            const TimeFunction& remainder,
                                                            const TimeFunction& remainder_rate) const {
  AssembledSystem system = *this;
  SystemDescription<Engine>& of = system.description_;
  if (tangents.mass) of.mass = Engine::sum(1., *of.mass, 1., *tangents.mass);
  if (tangents.damping) of.damping = Engine::sum(1., *of.damping, 1., *tangents.damping);
  if (tangents.stiffness) of.stiffness = Engine::sum(1., of.stiffness, 1., *tangents.stiffness);
  of.state_force = {};
  const bool has_rate = of.load_rate || !of.load;
  const auto less = [](const TimeFunction& f, const TimeFunction& c) -> TimeFunction {
    if (!f || !c) return c ? [c](double time) -> Vector { return -c(time); } : f;
    return [f, c](double time) -> Vector { return f(time) - c(time); };
  };
  if (has_rate) of.load_rate = less(of.load_rate, remainder_rate);
  of.load = less(of.load, remainder);
  return system;
}

template <class Engine>
AssembledSystem<Engine> AssembledSystem<Engine>::with_load(const TimeFunction& load,
                                                           const TimeFunction& load_rate) const {
  AssembledSystem system = *this;
  system.description_.load = load;
  system.description_.load_rate = load_rate;
  return system;
}

template <class Engine>
Vector AssembledSystem<Engine>::load(double time) const {
  Vector f = evaluate(description_.load, "load", time, *this);
  if (right_sides().value) multipliers().add_to(right_sides().value(time), f);
  return f;
}

template <class Engine>
Vector AssembledSystem<Engine>::load_rate(double time) const {
  if (!has_load_rate() && description_.load)
    throw NotAvailable(
        "The rate of the load f'(t) is needed for the rates of algebraic degrees of freedom, but was not "
        "given. Give the function load_rate in addition to load, or do not request these rates.");
  Vector rate = evaluate(description_.load_rate, "rate of the load", time, *this);
  if (!right_sides().value) return rate;
  if (!right_sides().rate)
    throw NotAvailable(
        "The rate b'(t) of the right sides of constraints is needed, but was not given. Give b'(t) in "
        "addition to b(t), as an analytic derivative: the library does not differentiate given functions.");
  multipliers().add_to(right_sides().rate(time), rate);
  return rate;
}

template class AssembledSystem<InstantiatedEngine>;

}  // namespace halfdof
