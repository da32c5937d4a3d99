// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <string>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

template <class Engine>
void check_is_time_invariant(const SystemDescription<Engine>& description) {
  if (description.load || description.state_force || description.prescribed.moves() ||
      description.right_sides.moves())
    throw NotAvailable(
        "The system has structural damping and loads, motions or forces that are functions of time, but "
        "structural damping has no causal motion. Remove the functions of time to compute modes and "
        "frequency responses, or replace the structural damping by Prony branches (fit_loss_factor()).");
}

template <class Engine>
void check(const typename Engine::Matrix& A, const Partition& dofs, const char* quantity) {
  if (A.rows().n_global() != dofs.n_global() || A.columns().n_global() != dofs.n_global())
    throw InvalidInput(std::string("The imaginary part of the ") + quantity + " is " +
                       std::to_string(A.rows().n_global()) + " x " + std::to_string(A.columns().n_global()) +
                       ", but the system has " + std::to_string(dofs.n_global()) +
                       " degrees of freedom. Assemble the matrix over all degrees of freedom.");
  if (const auto entry = Engine::find_non_finite(A))
    throw NotFinite(
        std::string("The imaginary part of the ") + quantity + " has the entry " + number_text(entry->value) +
        " in row " + std::to_string(entry->row) + ", column " + std::to_string(entry->column) +
        " (counted from 0). Every entry must be finite: check the element that produces this entry.");
}

/// Returns the matrix that selects the real parts (first = 0) or the imaginary parts (first = n_local) from
/// the DoFs of the embedding.
template <class Engine>
typename Engine::Matrix restriction(const Partition& dofs, const Partition& all, Index first) {
  OwnedRows rows(dofs.n_local(), all.n_global());
  for (Index i = 0; i < dofs.n_local(); ++i)
    rows.insert(i, static_cast<Index>(all.global_index(first + i))) = 1;
  return Engine::from_rows(rows, dofs, all);
}

/// Returns the distribution of the DoFs of the embedding. DoF n_dofs + i is the imaginary part of DoF i, and the
/// same process stores both.
Partition doubled(const Partition& dofs) {
  std::vector<GlobalIndex> owned;
  for (const GlobalIndex first : {GlobalIndex{0}, dofs.n_global()})
    for (Index i = 0; i < dofs.n_local(); ++i)
      owned.push_back(first + dofs.global_index(i));
  return Partition(std::move(owned), dofs.shared_communicator());
}

/// Computes the real embedding of complex matrices.
template <class Engine>
class Embedding {
 public:
  using Matrix = typename Engine::Matrix;

  Embedding(const Partition& dofs, const Partition& all)
      : real_(restriction<Engine>(dofs, all, 0)),
        imaginary_(restriction<Engine>(dofs, all, dofs.n_local())) {}

  /// Returns the real embedding [A, -B; B, A] of A + i B. A missing B is zero.
  Matrix of(const Matrix& A, const std::optional<Matrix>& B) const {
    const Matrix diagonal = Engine::sum(1., Engine::triple_product(real_, A, real_), 1.,
                                        Engine::triple_product(imaginary_, A, imaginary_));
    if (!B) return diagonal;
    const Matrix coupling = Engine::sum(1., Engine::triple_product(imaginary_, *B, real_), -1.,
                                        Engine::triple_product(real_, *B, imaginary_));
    return Engine::sum(1., diagonal, 1., coupling);
  }

 private:
  Matrix real_, imaginary_;
};

template <class Item>
void repeat(std::vector<Item>& list) {
  const std::size_t n = list.size();
  for (std::size_t i = 0; i < n; ++i)
    list.push_back(list[i]);
}

/// Returns the labels of all real parts, followed by the labels of the imaginary parts. Collective.
DoFLabels doubled(DoFLabels labels, const Partition& dofs) {
  if (!dofs.communicator().any(!labels.component.empty())) {
    labels.component_names = {"real part"};
    labels.component.assign(static_cast<std::size_t>(dofs.n_local()), 0);
  }
  const auto n_components = static_cast<Index>(labels.component_names.size());
  for (Index c = 0; c < n_components; ++c) {
    const std::string name = labels.component_names[static_cast<std::size_t>(c)];
    labels.component_names.push_back(name == "real part" ? "imaginary part" : name + ", imaginary part");
  }
  repeat(labels.component);
  for (std::size_t i = labels.component.size() / 2; i < labels.component.size(); ++i)
    labels.component[i] += n_components;
  repeat(labels.node);
  repeat(labels.point);
  repeat(labels.constraint);
  return labels;
}

std::vector<Index> doubled(std::vector<Index> dofs, Index n_local) {
  repeat(dofs);
  for (std::size_t i = dofs.size() / 2; i < dofs.size(); ++i)
    dofs[i] += n_local;
  return dofs;
}

template <class Engine>
AssembledSystem<Engine> embedded(const SystemDescription<Engine>& description,
                                 const ImaginaryParts<Engine>& imaginary) {
  using Matrix = typename Engine::Matrix;
  check_is_time_invariant(description);
  const Partition& dofs = description.stiffness.rows();
  if (imaginary.stiffness) check<Engine>(*imaginary.stiffness, dofs, "stiffness");
  if (imaginary.damping) check<Engine>(*imaginary.damping, dofs, "damping");
  const Index n = dofs.n_local();
  const Partition all = doubled(dofs);
  const Embedding<Engine> embedding(dofs, all);

  SystemDescription<Engine> large;
  large.stiffness = embedding.of(description.stiffness, imaginary.stiffness);
  if (description.mass) large.mass = embedding.of(*description.mass, {});
  if (description.damping || imaginary.damping)
    large.damping = embedding.of(
        description.damping ? *description.damping : Matrix(Engine::diagonal(Vector::Zero(n), dofs)),
        imaginary.damping);
  large.constrained = doubled(description.constrained, n);
  large.multipliers = doubled(description.multipliers, n);
  large.labels = doubled(description.labels, dofs);
  const MultiVector& slow = description.near_null_space;
  large.near_null_space = MultiVector::Zero(2 * slow.rows(), 2 * slow.cols());
  large.near_null_space.topLeftCorner(slow.rows(), slow.cols()) = slow;
  large.near_null_space.bottomRightCorner(slow.rows(), slow.cols()) = slow;
  return AssembledSystem<Engine>(std::move(large));
}

}  // namespace

template <class Engine>
StructurallyDampedSystem<Engine>::StructurallyDampedSystem(const SystemDescription<Engine>& description,
                                                           const ImaginaryParts<Engine>& imaginary)
    : real_part_(description), embedding_(embedded(description, imaginary)) {}

template <class Engine>
ComplexMultiVector StructurallyDampedSystem<Engine>::joined(ConstView<Complex> of_embedding) const {
  const Eigen::Index n = of_embedding.rows() / 2;
  return of_embedding.topRows(n) + Complex(0, 1) * of_embedding.bottomRows(n);
}

template class StructurallyDampedSystem<InstantiatedEngine>;

}  // namespace halfdof
