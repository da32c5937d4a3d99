// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/new_dofs.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <cmath>
#include <optional>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

void check_dof(GlobalIndex dof, const Partition& dofs) {
  if (dof < 0 || dof >= dofs.n_global())
    throw InvalidInput("A lumped element refers to DoF " + std::to_string(dof) +
                       ", but the assembled and the new degrees of freedom together run from 0 to " +
                       std::to_string(dofs.n_global() - 1) + ". Correct the index; indices are 0-based.");
}

/// Builds the distributed matrix that is the sum of the entries. Each process uses the entries of the rows
/// that it owns.
template <class Engine>
typename Engine::Matrix matrix_of(const std::vector<MatrixEntry>& entries, const Partition& dofs) {
  std::vector<Eigen::Triplet<double, int>> here;
  for (const MatrixEntry& entry : entries) {
    for (const GlobalIndex dof : {entry.row, entry.column})
      check_dof(dof, dofs);
    if (!std::isfinite(entry.value))
      throw InvalidInput("A lumped element has the value " + number_text(entry.value) + " in row " +
                         std::to_string(entry.row) + ", column " + std::to_string(entry.column) +
                         ". Every entry must be finite.");
    if (const Index row = dofs.local_index(entry.row); row >= 0)
      here.emplace_back(row, static_cast<int>(entry.column), entry.value);
  }
  OwnedRows rows(dofs.n_local(), dofs.n_global());
  rows.setFromTriplets(here.begin(), here.end());
  return Engine::from_rows(rows, dofs, dofs);
}

/// The elongations x and the elongation rates x' of all elements. Every process has all values.
class Elongations {
 public:
  Elongations(const std::vector<NonlinearElement>& elements, const AssembledMotion& motion,
              const Partition& dofs)
      : x_(static_cast<Index>(elements.size()), 2) {
    x_.setZero();
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (const auto& [dof, sign] : {std::pair{elements[i].a, 1.}, {elements[i].b, -1.}}) {
        const Index local = dof == ground ? -1 : dofs.local_index(dof);
        if (local < 0) continue;
        x_(static_cast<Index>(i), 0) += sign * motion.displacement[local];
        x_(static_cast<Index>(i), 1) += sign * motion.rate[local];
      }
    dofs.communicator().sum(x_.data(), static_cast<int>(x_.size()));
  }
  /// Evaluates a function of the elongation and its rate for element i. A missing function is zero.
  double evaluate(const NonlinearElement::Function& function, std::size_t i) const {
    return function ? function(x_(static_cast<Index>(i), 0), x_(static_cast<Index>(i), 1)) : 0.;
  }

 private:
  MultiVector x_;
};

void check(const NonlinearElement& element, const Partition& dofs) {
  for (const GlobalIndex dof : {element.a, element.b})
    if (dof != ground) check_dof(dof, dofs);
  if (!element.force)
    throw InvalidInput(
        "A nonlinear element at DoF " + std::to_string(element.a) +
        " has no force. Give the force as a function of the elongation and of the elongation rate.");
}

template <class Engine>
StateForce<Engine> state_force_of(const std::vector<NonlinearElement>& elements, const Partition& dofs) {
  if (elements.empty()) return {};
  for (const NonlinearElement& element : elements)
    check(element, dofs);
  StateForce<Engine> p;
  p.time_derivative = p.independent_of_time;
  p.force = [elements, dofs](double, const AssembledMotion& motion) {
    const Elongations elongations(elements, motion, dofs);
    Vector force = Vector::Zero(dofs.n_local());
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (const auto& [dof, sign] : {std::pair{elements[i].a, 1.}, {elements[i].b, -1.}})
        if (const Index local = dof == ground ? -1 : dofs.local_index(dof); local >= 0)
          force[local] += sign * elongations.evaluate(elements[i].force, i);
    return force;
  };
  p.tangents = [elements, dofs](double, const AssembledMotion& motion) {
    const Elongations elongations(elements, motion, dofs);
    std::vector<MatrixEntry> damping, stiffness;
    call_together(dofs.communicator(), [&] {
      for (std::size_t i = 0; i < elements.size(); ++i) {
        add_between(damping, elements[i].a, elements[i].b, elongations.evaluate(elements[i].damping, i));
        add_between(stiffness, elements[i].a, elements[i].b, elongations.evaluate(elements[i].stiffness, i));
      }
    });
    return Tangents<Engine>{{}, matrix_of<Engine>(damping, dofs), matrix_of<Engine>(stiffness, dofs)};
  };
  std::vector<MatrixEntry> pattern;
  for (const NonlinearElement& element : elements)
    if (element.damping)
      for (const GlobalIndex dof : {element.a, element.b})
        if (dof != ground) pattern.push_back({dof, dof, 1.});
  p.pattern.damping = matrix_of<Engine>(pattern, dofs);
  return p;
}

/// Returns the names and entries as a sequence of bytes, for comparison between processes.
std::string bytes_of(const LumpedElements& elements) {
  std::string bytes;
  const auto add = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  for (const std::string& name : elements.new_dofs)
    bytes += name + '\0';
  for (const auto* entries : {&elements.mass, &elements.damping, &elements.stiffness}) {
    add(entries->size());
    for (const MatrixEntry& entry : *entries)
      add(entry.row), add(entry.column), add(entry.value);
  }
  for (const NonlinearElement& element : elements.nonlinear) {
    add(element.a), add(element.b);
    add(static_cast<bool>(element.force)), add(static_cast<bool>(element.damping));
  }
  return bytes;
}

void check_same_on_all_processes(const LumpedElements& elements, const Communicator& communicator) {
  if (communicator.size() == 1 || is_same_everywhere(communicator, bytes_of(elements))) return;
  std::string numbers;
  const std::vector<GlobalIndex> n_dofs =
      gather(communicator, std::vector<GlobalIndex>{static_cast<GlobalIndex>(elements.new_dofs.size())});
  const std::vector<GlobalIndex> n_entries =
      gather(communicator, std::vector<GlobalIndex>{static_cast<GlobalIndex>(
                               elements.mass.size() + elements.damping.size() + elements.stiffness.size())});
  for (std::size_t process = 0; process < n_dofs.size(); ++process)
    numbers += (process == 0 ? "" : ", ") + std::to_string(n_dofs[process]) + " and " +
               std::to_string(n_entries[process]) + " on process " + std::to_string(process);
  throw InvalidInput("The lumped elements differ between processes (new DoFs and matrix entries: " + numbers +
                     "). Give all elements on every process, also on processes that own none of their DoFs.");
}

}  // namespace

void add_between(std::vector<MatrixEntry>& entries, GlobalIndex a, GlobalIndex b, double value) {
  for (const GlobalIndex dof : {a, b})
    if (dof != ground) entries.push_back({dof, dof, value});
  if (a == ground || b == ground) return;
  entries.push_back({a, b, -value});
  entries.push_back({b, a, -value});
}

template <class Engine>
SystemDescription<Engine> with_lumped_elements(const SystemDescription<Engine>& description,
                                               const LumpedElements& elements) {
  const Communicator& communicator = description.stiffness.rows().communicator();
  check_same_on_all_processes(elements, communicator);
  const bool is_last = communicator.rank() == communicator.size() - 1;
  const std::vector<std::string> names_here = is_last ? elements.new_dofs : std::vector<std::string>();
  SystemDescription<Engine> result =
      with_new_dofs(description, static_cast<Index>(names_here.size()), names_here);

  const auto add = [&](std::optional<typename Engine::Matrix>& A, const std::vector<MatrixEntry>& entries) {
    if (entries.empty()) return;
    const auto added = matrix_of<Engine>(entries, result.stiffness.rows());
    A = A ? Engine::sum(1., *A, 1., added) : added;
  };
  std::optional<typename Engine::Matrix> stiffness = result.stiffness;
  add(result.mass, elements.mass);
  add(result.damping, elements.damping);
  add(stiffness, elements.stiffness);
  result.stiffness = *stiffness;
  result.state_force =
      sum(result.state_force, state_force_of<Engine>(elements.nonlinear, result.stiffness.rows()),
          result.stiffness.rows());
  return result;
}

template SystemDescription<InstantiatedEngine> with_lumped_elements(
    const SystemDescription<InstantiatedEngine>&, const LumpedElements&);

}  // namespace halfdof
