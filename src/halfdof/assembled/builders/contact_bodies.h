// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof::internal {

constexpr Index n_linear = 4;      ///< number of the fields a = (1, x, y, z)
constexpr Index n_quadratic = 10;  ///< number of the products of two of these fields

/// Returns the position of the product a_k a_l among the n_quadratic products.
Index number_of_product(Index k, Index l);

/**
 * The bodies that have contact DoFs S, and the affine fields a = (1, x, y, z) on S and on their other free
 * DoFs R. Coordinates are relative to the middle of each body, in units of its size. If a component of a body
 * has mass on a DoF without support point, its fields are (1, 0, 0, 0). Numbering: DoFs are local and
 * assembled; bodies are numbered among those with contact DoFs.
 */
template <class Engine>
class ContactBodies {
 public:
  /// Collective.
  ContactBodies(const AssembledSystem<Engine>& system, const std::vector<GlobalIndex>& contact);

  Index n_bodies() const { return n_bodies_; }
  Index n_components() const { return n_components_; }
  /// Body of a local assembled DoF; -1 for constrained DoFs and DoFs of bodies without contact.
  Index body(Index i) const { return body_[static_cast<std::size_t>(i)]; }
  Index component(Index i) const { return component_[static_cast<std::size_t>(i)]; }

  const Vector& contact() const { return contact_; }  ///< one on S, otherwise zero
  const Vector& rest() const { return rest_; }        ///< one on R
  const MultiVector& a() const { return a_; }         ///< the fields on S and R

  /// Computes the products of the fields, in the order of number_of_product().
  MultiVector products() const;
  /// Returns the fields with zeros at the DoFs of all other components.
  MultiVector only(Index component, MultiVector fields) const;

 private:
  void find_coordinates(const AssembledSystem<Engine>& system);

  Index n_bodies_ = 0, n_components_ = 1;
  std::vector<Index> body_, component_;
  Vector contact_, rest_;
  MultiVector a_;
};

/**
 * Computes the moments fields^T A fields for each body and pair of components (c, d), side by side: the
 * columns k ((body n + c) n + d) + 0 ... k - 1, with n components, hold the moments of the rows of component
 * c and the columns of component d. Shapes: A n_dofs x n_dofs, fields local DoFs x k. Collective.
 */
template <class Engine>
MultiVector moments(const ContactBodies<Engine>& bodies, const typename Engine::Matrix& A,
                    const MultiVector& fields);

}  // namespace halfdof::internal
