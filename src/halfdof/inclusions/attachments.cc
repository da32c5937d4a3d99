// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/inclusions.h>

#include <Eigen/LU>
#include <Eigen/SVD>

#include <cmath>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

void check_mass(double mass) {
  if (!(mass > 0) || !std::isfinite(mass))
    throw InvalidInput("A point mass is " + number_text(mass) +
                       ", but must be positive and finite. Correct it.");
}

}  // namespace

void add_along(std::vector<MatrixEntry>& entries, const Direction& h, double value) {
  if (!std::isfinite(value))
    throw InvalidInput("An element along a direction has the value " + number_text(value) +
                       ". It must be finite.");
  for (const WeightedDoF& row : h.entries())
    for (const WeightedDoF& column : h.entries())
      entries.push_back({row.dof, column.dof, value * row.weight * column.weight});
}

std::vector<GlobalIndex> point_mass(LumpedElements& elements, GlobalIndex n_assembled, double mass,
                                    const std::vector<std::string>& names) {
  check_mass(mass);
  if (names.empty())
    throw InvalidInput("A point mass was given without names of its displacements. Give one for each.");
  std::vector<GlobalIndex> dofs;
  for (const std::string& name : names) {
    dofs.push_back(n_assembled + static_cast<GlobalIndex>(elements.new_dofs.size()));
    elements.new_dofs.push_back(name);
    elements.mass.push_back({dofs.back(), dofs.back(), mass});
  }
  return dofs;
}

std::vector<Direction> mass_on_rods(LumpedElements& elements, double mass, const MultiVector& axes,
                                    const std::vector<Direction>& ends) {
  constexpr double unit_tolerance = 1e-8, condition_limit = 1e8;
  check_mass(mass);
  const auto n = static_cast<Index>(ends.size());
  if (n == 0 || axes.rows() != n || axes.cols() != n)
    throw InvalidInput("A point mass on rigid rods has " + std::to_string(n) + " rods and axes of shape " +
                       std::to_string(axes.rows()) + " x " + std::to_string(axes.cols()) +
                       ". Give as many rods as the point has displacements, and the axis of each as a row.");
  for (Index i = 0; i < n; ++i)
    if (!(std::abs(axes.row(i).norm() - 1) <= unit_tolerance))
      throw InvalidInput("The axis of rod " + std::to_string(i) + " has the length " +
                         number_text(axes.row(i).norm()) + ". Give unit vectors.");
  const Vector sizes = Eigen::JacobiSVD<MultiVector>(axes).singularValues();
  if (!(sizes[0] < condition_limit * sizes[n - 1]))
    throw InvalidInput(
        "The rods of a point mass do not hold it: their axes depend on each other. Turn one of them, or give "
        "the mass degrees of freedom of its own (point_mass()) and springs.");
  const MultiVector R_inverse = axes.inverse();
  std::vector<Direction> u;
  for (Index k = 0; k < n; ++k) {
    std::vector<WeightedDoF> entries;
    for (Index i = 0; i < n; ++i)
      for (const WeightedDoF& entry : ends[static_cast<std::size_t>(i)].entries())
        entries.push_back({entry.dof, R_inverse(k, i) * entry.weight});
    u.emplace_back(std::move(entries));
    add_along(elements.mass, u.back(), mass);
  }
  return u;
}

LinearConstraint rigid_link(const Direction& a, const Direction& b) {
  const Direction difference = combine(1., a, -1., b);
  return {difference.entries()};
}

LinearConstraint rigid_link(GlobalIndex a, GlobalIndex b) {
  const Direction difference = between(a, b);
  return {difference.entries()};
}

}  // namespace halfdof
