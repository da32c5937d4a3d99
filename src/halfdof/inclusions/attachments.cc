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
    throw InvalidInput("The mass of a point mass is " + number_text(mass) +
                       ", but must be positive and finite. Correct the mass.");
}

}  // namespace

void add_along(std::vector<MatrixEntry>& entries, const Direction& h, double value) {
  if (!std::isfinite(value))
    throw InvalidInput("The coefficient of an element along a direction (stiffness, damping or mass) is " +
                       number_text(value) + ", but must be finite. Correct the coefficient.");
  for (const WeightedDoF& row : h.entries())
    for (const WeightedDoF& column : h.entries())
      entries.push_back({row.dof, column.dof, value * row.weight * column.weight});
}

std::vector<GlobalIndex> point_mass(LumpedElements& elements, GlobalIndex n_assembled, double mass,
                                    const std::vector<std::string>& names) {
  check_mass(mass);
  if (names.empty())
    throw InvalidInput("A point mass has no names of displacements. Give one name for each displacement.");
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
    throw InvalidInput(
        "A point mass on rigid rods has " + std::to_string(n) +
        " rods, but the matrix of their axes has the shape " + std::to_string(axes.rows()) + " x " +
        std::to_string(axes.cols()) +
        ". Give as many rods as the point has displacements, and one row with the axis of each rod.");
  for (Index i = 0; i < n; ++i)
    if (!(std::abs(axes.row(i).norm() - 1) <= unit_tolerance))
      throw InvalidInput("The axis of rod " + std::to_string(i) + " of a point mass has the length " +
                         number_text(axes.row(i).norm()) +
                         ", but must be a unit vector. Divide the axis by its "
                         "length.");
  const Vector singular_values = Eigen::JacobiSVD<MultiVector>(axes).singularValues();
  if (!(singular_values[0] < condition_limit * singular_values[n - 1]))
    throw InvalidInput(
        "The rods of a point mass do not determine its displacements, because the axes of the rods are "
        "linearly dependent. Change the axis of one rod, or use a point mass with degrees of freedom of its "
        "own (point_mass()) and springs.");
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
