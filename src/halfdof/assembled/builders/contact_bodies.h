// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof::internal {

constexpr Index n_linear = 4;      ///< number of the affine fields a = (1, x, y, z)
constexpr Index n_quadratic = 10;  ///< number of the products of two affine fields

/// Returns the position of the product a_k a_l among the n_quadratic products.
Index index_of_product(Index k, Index l);

/**
 * The bodies that have contact DoFs S, and the affine fields a = (1, x, y, z) on S and on the other free DoFs
 * R of these bodies. The coordinates x, y, z are relative to the middle of each body, divided by half of its
 * largest extent. If a component of a body has mass on a DoF without a support point, the fields of this
 * component are (1, 0, 0, 0). Numbering: DoFs are local and assembled; only bodies with contact DoFs have
 * numbers.
 */
template <class Engine>
class ContactBodies {
 public:
  /// Finds the bodies and the fields. Collective. @param contact The contact DoFs of all processes, in
  /// assembled numbering
  ContactBodies(const AssembledSystem<Engine>& system, const std::vector<GlobalIndex>& contact);

  Index n_bodies() const { return n_bodies_; }
  Index n_components() const { return n_components_; }
  /// Returns the body of a local assembled DoF, or -1 for constrained DoFs and DoFs of bodies without
  /// contact.
  Index body(Index i) const { return body_[static_cast<std::size_t>(i)]; }
  Index component(Index i) const { return component_[static_cast<std::size_t>(i)]; }

  const Vector& contact() const { return contact_; }  ///< a vector with the entry one on S and zero elsewhere
  const Vector& rest() const { return rest_; }        ///< a vector with the entry one on R and zero elsewhere
  const MultiVector& a() const { return a_; }         ///< the affine fields on S and R, one in each column

  /// Computes the products of the fields, in the order of index_of_product().
  MultiVector products() const;
  /// Returns the fields with zeros at the DoFs of all other components.
  MultiVector restricted_to(Index component, MultiVector fields) const;

 private:
  void find_coordinates(const AssembledSystem<Engine>& system);

  Index n_bodies_ = 0, n_components_ = 1;
  std::vector<Index> body_, component_;
  Vector contact_, rest_;
  MultiVector a_;
};

/**
 * Computes the moments fields^T A fields for each body and each pair (c, d) of n components, where only the
 * rows of A of component c and the columns of component d are used. The result consists of k x k blocks side
 * by side; the block number (body n + c) n + d contains the moments of (c, d). Shapes: A n_dofs x n_dofs,
 * fields local DoFs x k. Collective.
 */
template <class Engine>
MultiVector moments(const ContactBodies<Engine>& bodies, const typename Engine::Matrix& A,
                    const MultiVector& fields);

}  // namespace halfdof::internal
