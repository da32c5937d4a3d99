// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/bodies.h>
#include <halfdof/assembled/builders/contact_bodies.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

Index index_of_product(Index k, Index l) {
  static constexpr std::array<std::array<Index, 4>, 4> number{
      {{{0, 1, 2, 3}}, {{1, 4, 5, 6}}, {{2, 5, 7, 8}}, {{3, 6, 8, 9}}}};
  return number[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)];
}

template <class Engine>
ContactBodies<Engine>::ContactBodies(const AssembledSystem<Engine>& system,
                                     const std::vector<GlobalIndex>& contact)
    : contact_(Vector::Zero(system.dofs().n_local())), rest_(contact_), a_(contact_.size(), n_linear) {
  const Partition& dofs = system.dofs();
  const Bodies bodies = find_bodies(system);
  std::vector<GlobalIndex> with_contact;
  for (const GlobalIndex dof : contact) {
    const Index i = dofs.local_index(dof);
    if (i < 0 || bodies.body_of[static_cast<std::size_t>(i)] < 0) continue;
    contact_[i] = 1;
    with_contact.push_back(bodies.body_of[static_cast<std::size_t>(i)]);
  }
  const auto distinct = [](std::vector<GlobalIndex> all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  with_contact = distinct(gather(dofs.communicator(), distinct(std::move(with_contact))));
  n_bodies_ = static_cast<Index>(with_contact.size());

  const DoFLabels& labels = system.labels();
  component_ = labels.component;
  component_.resize(static_cast<std::size_t>(dofs.n_local()), 0);
  n_components_ = static_cast<Index>(
      dofs.communicator().max(static_cast<double>(std::max<std::size_t>(labels.component_names.size(), 1))));
  for (const Index body : bodies.body_of) {
    const auto found = std::lower_bound(with_contact.begin(), with_contact.end(), body);
    const bool has_contact = found != with_contact.end() && *found == body;
    body_.push_back(has_contact ? static_cast<Index>(found - with_contact.begin()) : -1);
  }
  for (Index i = 0; i < rest_.size(); ++i)
    rest_[i] = body(i) >= 0 && contact_[i] == 0. ? 1. : 0.;
  find_coordinates(system);
}

template <class Engine>
void ContactBodies<Engine>::find_coordinates(const AssembledSystem<Engine>& system) {
  const Communicator& communicator = system.dofs().communicator();
  const Vector mass = Engine::column_norms(system.M()) + Engine::row_norms(system.M());
  const auto& points = system.labels().point;
  const auto is_known = [&](std::size_t i) {
    return i < points.size() &&
           std::all_of(points[i].begin(), points[i].end(), [](double x) { return std::isfinite(x); });
  };
  // The largest values of -x and x in each body, and whether a DoF with mass has no support point.
  const double none = -std::numeric_limits<double>::max();
  MultiVector extent = MultiVector::Constant(6, n_bodies_, none);
  MultiVector lacks_points = MultiVector::Zero(n_components_, n_bodies_);
  for (Index i = 0; i < contact_.size(); ++i) {
    if (body(i) < 0 || mass[i] == 0.) continue;
    const auto position = static_cast<std::size_t>(i);
    if (!is_known(position)) {
      lacks_points(component(i), body(i)) = 1;
      continue;
    }
    const Eigen::Vector3d x(points[position].data());
    extent.col(body(i)).head(3) = extent.col(body(i)).head(3).cwiseMax(-x);
    extent.col(body(i)).tail(3) = extent.col(body(i)).tail(3).cwiseMax(x);
  }
  communicator.max(extent.data(), static_cast<int>(extent.size()));
  communicator.max(lacks_points.data(), static_cast<int>(lacks_points.size()));

  a_.setZero();
  for (Index i = 0; i < contact_.size(); ++i) {
    if (body(i) < 0) continue;
    a_(i, 0) = 1;
    if (mass[i] == 0. || lacks_points(component(i), body(i)) > 0) continue;
    const Eigen::Vector3d high = extent.col(body(i)).tail(3), low = -extent.col(body(i)).head(3);
    const double size = (high - low).maxCoeff() / 2;
    const Eigen::Vector3d x(points[static_cast<std::size_t>(i)].data());
    if (size > 0) a_.row(i).tail(3) = ((x - (low + high) / 2) / size).transpose();
  }
}

template <class Engine>
MultiVector ContactBodies<Engine>::products() const {
  MultiVector z(a_.rows(), n_quadratic);
  for (Index k = 0; k < n_linear; ++k)
    for (Index l = k; l < n_linear; ++l)
      z.col(index_of_product(k, l)) = a_.col(k).cwiseProduct(a_.col(l));
  return z;
}

template <class Engine>
MultiVector ContactBodies<Engine>::restricted_to(Index component, MultiVector fields) const {
  for (Index i = 0; i < fields.rows(); ++i)
    if (this->component(i) != component) fields.row(i).setZero();
  return fields;
}

template <class Engine>
MultiVector moments(const ContactBodies<Engine>& bodies, const typename Engine::Matrix& A,
                    const MultiVector& fields) {
  const auto n = bodies.n_components();
  const auto k = fields.cols();
  MultiVector sums = MultiVector::Zero(k, k * bodies.n_bodies() * n * n);
  for (Index c = 0; c < n; ++c) {
    MultiVector product = MultiVector::Zero(fields.rows(), k);
    A.add_product(1., bodies.restricted_to(c, fields), product);
    for (Index i = 0; i < fields.rows(); ++i) {
      if (bodies.body(i) < 0) continue;
      const auto block = (bodies.body(i) * n + bodies.component(i)) * n + c;
      sums.middleCols(k * block, k).noalias() += fields.row(i).transpose() * product.row(i);
    }
  }
  A.rows().communicator().sum(sums.data(), static_cast<int>(sums.size()));
  return sums;
}

template class ContactBodies<InstantiatedEngine>;
template MultiVector moments(const ContactBodies<InstantiatedEngine>&, const InstantiatedEngine::Matrix&,
                             const MultiVector&);

}  // namespace halfdof::internal
