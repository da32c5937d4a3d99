#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof {

constexpr Index n_linear = 4;      ///< the fields a = (1, x, y, z)
constexpr Index n_quadratic = 10;  ///< their products

/// Position of the product a_k a_l among the ten.
Index number_of_product(Index k, Index l);

/**
 * The bodies that have contact DoFs S, and the affine fields a = (1, x, y, z) on S and on their other free
 * DoFs R, about the middle of each body in units of its size. Where a component of a body has a mass without
 * support point, its fields are (1, 0, 0, 0). Numbering: local assembled DoFs; bodies among those with
 * contact.
 */
template <class Engine>
class ContactBodies {
 public:
  /// Collective.
  ContactBodies(const AssembledSystem<Engine>& system, const std::vector<GlobalIndex>& contact);

  Index n_bodies() const { return n_bodies_; }
  Index n_components() const { return n_components_; }
  /// -1 for DoFs of other bodies, and constrained ones.
  Index body(Index i) const { return body_[static_cast<std::size_t>(i)]; }
  Index component(Index i) const { return component_[static_cast<std::size_t>(i)]; }

  const Vector& contact() const { return contact_; }  ///< one on S, otherwise zero
  const Vector& rest() const { return rest_; }        ///< one on R
  const MultiVector& a() const { return a_; }         ///< on S and R, about the middle of each body

  /// The products of a, as number_of_product() says.
  MultiVector products() const;
  /// The fields on one component alone.
  MultiVector only(Index component, MultiVector fields) const;

 private:
  void find_coordinates(const AssembledSystem<Engine>& system);

  Index n_bodies_ = 0, n_components_ = 1;
  std::vector<Index> body_, component_;
  Vector contact_, rest_;
  MultiVector a_;
};

/**
 * The moments fields^T A fields for each body and pair of components, side by side: columns
 * k ((body n + c) n + d) + 0 ... k - 1, with n components, have the rows of component c and the columns of d.
 * Shapes: A n_dofs x n_dofs, fields local DoFs x k. Collective.
 */
template <class Engine>
MultiVector moments(const ContactBodies<Engine>& bodies, const typename Engine::Matrix& A,
                    const MultiVector& fields);

}  // namespace halfdof
