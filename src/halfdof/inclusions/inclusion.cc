// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/inclusions.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace halfdof {

namespace {

/// Largest inner product of two orthogonal tangents and largest difference of their squared lengths, relative
/// to the squared length of a tangent. The tolerance allows for tangents whose entries were rounded to a few
/// digits.
constexpr double orthonormality_tolerance = 1e-3;
/// Tangents are checked up to this number of DoFs, which is the number of DoFs of two rigid bodies in space.
constexpr std::size_t max_dofs_of_tangents = 12;

/// Returns the entries of both tangents, one pair for each DoF on which at least one of the tangents acts.
std::vector<std::pair<double, double>> entries_of_tangents(const Inclusion& inclusion) {
  std::map<GlobalIndex, std::pair<double, double>> entries;
  for (const WeightedDoF& entry : inclusion.directions[1].entries())
    entries[entry.dof].first += entry.weight;
  for (const WeightedDoF& entry : inclusion.directions[2].entries())
    entries[entry.dof].second += entry.weight;
  std::vector<std::pair<double, double>> all;
  all.reserve(entries.size());
  for (const auto& [dof, weights] : entries)
    all.push_back(weights);
  return all;
}

/// Whether two tangents are orthogonal and equally long if only some of their entries count. The k-th entry
/// counts if bit k of `subset` is set.
bool are_orthonormal(const std::vector<std::pair<double, double>>& entries, std::size_t subset) {
  double first = 0, second = 0, product = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if ((subset >> k & 1U) == 0) continue;
    first += entries[k].first * entries[k].first;
    second += entries[k].second * entries[k].second;
    product += entries[k].first * entries[k].second;
  }
  const double size = std::max(first, second);
  return std::min(first, second) > 0 && std::abs(first - second) <= orthonormality_tolerance * size &&
         std::abs(product) <= orthonormality_tolerance * size;
}

/// Checks that the two tangents of a contact in space are orthonormal, because the law limits the length of
/// the tangential reaction in every direction. The DoFs may include rotations of rigid bodies. Only the
/// entries on displacements have to be orthonormal, but the DoFs that are displacements are not known here:
/// the check passes if the tangents are orthonormal on any subset of their DoFs.
void check_tangents(const Inclusion& inclusion) {
  if (inclusion.law->dimension() != 3 || inclusion.law->level(0) != LawLevel::gap) return;
  const auto entries = entries_of_tangents(inclusion);
  if (entries.size() > max_dofs_of_tangents) return;
  for (std::size_t subset = (std::size_t(1) << entries.size()) - 1; subset > 0; --subset)
    if (are_orthonormal(entries, subset)) return;
  throw InvalidInput("The two tangents of the inclusion \"" + inclusion.name +
                     "\" are not orthonormal: there is no set of DoFs on which they are equally long and "
                     "orthogonal. The law " +
                     inclusion.law->name() +
                     " limits the length of the tangential reaction in every direction. Give two tangents "
                     "of equal length at a right angle.");
}

void check_directions(const Inclusion& inclusion, GlobalIndex n_dofs) {
  const auto n = static_cast<Index>(inclusion.directions.size());
  if (n != inclusion.law->dimension())
    throw InvalidInput("The inclusion \"" + inclusion.name + "\" has " + std::to_string(n) +
                       " directions, but its law, " + inclusion.law->name() + ", needs " +
                       std::to_string(inclusion.law->dimension()) +
                       ". Give this number of directions; the first direction of a contact is its "
                       "normal.");
  for (const Direction& direction : inclusion.directions)
    if (direction.entries().back().dof >= n_dofs)
      throw InvalidInput("The inclusion \"" + inclusion.name + "\" acts on DoF " +
                         std::to_string(direction.entries().back().dof) +
                         ", but the assembled DoFs run from 0 to " + std::to_string(n_dofs - 1) +
                         ". Correct the index of the DoF; indices begin with 0.");
}

}  // namespace

void check_inclusions(const std::vector<Inclusion>& inclusions, GlobalIndex n_dofs) {
  std::set<std::string> names;
  for (const Inclusion& inclusion : inclusions) {
    if (inclusion.name.empty())
      throw InvalidInput(
          "An inclusion has no name. Give each inclusion a unique name, because results are listed by these "
          "names.");
    if (!names.insert(inclusion.name).second)
      throw InvalidInput("Two inclusions are named \"" + inclusion.name +
                         "\". Give each inclusion a unique name, because results are listed by these names.");
    if (!inclusion.law)
      throw InvalidInput(
          "The inclusion \"" + inclusion.name +
          "\" has no law. Give the inclusion a law, such as dry friction or unilateral contact.");
    check_directions(inclusion, n_dofs);
    check_tangents(inclusion);
  }
}

}  // namespace halfdof
