// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/inclusions.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace halfdof {

namespace {

/// Tolerance for the rounded entries of tangents, relative to the squared length of a tangent.
constexpr double orthonormal = 1e-3;
/// The number of DoFs of two rigid bodies. Tangents that act on more DoFs are not checked.
constexpr std::size_t most_dofs_of_tangents = 12;

/// The entries of both tangents, one pair for each DoF on which at least one of the tangents acts.
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

/// Whether two tangents are orthogonal and equally long on a subset of these DoFs, given as bits.
bool are_orthonormal(const std::vector<std::pair<double, double>>& entries, std::size_t on) {
  double first = 0, second = 0, product = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if ((on >> k & 1U) == 0) continue;
    first += entries[k].first * entries[k].first;
    second += entries[k].second * entries[k].second;
    product += entries[k].first * entries[k].second;
  }
  const double size = std::max(first, second);
  return std::min(first, second) > 0 && std::abs(first - second) <= orthonormal * size &&
         std::abs(product) <= orthonormal * size;
}

/// Checks that tangents are orthonormal, because the law limits the length of the tangential reaction in
/// every direction. The DoFs may include rotations of rigid bodies. Only the entries on displacements have to
/// be orthonormal, but it is not known which DoFs are displacements: the check passes if the tangents are
/// orthonormal on any subset of their DoFs.
void check_tangents(const Inclusion& inclusion) {
  if (inclusion.law->dimension() != 3 || inclusion.law->level(0) != LawLevel::gap) return;
  const auto entries = entries_of_tangents(inclusion);
  if (entries.size() > most_dofs_of_tangents) return;
  for (std::size_t on = (std::size_t(1) << entries.size()) - 1; on > 0; --on)
    if (are_orthonormal(entries, on)) return;
  throw InvalidInput(
      "The tangents of \"" + inclusion.name +
      "\" are not orthonormal: they are neither equally long and orthogonal, nor are they so on any subset "
      "of the DoFs on which they act. " +
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
                       ". Give one for each; a contact begins with its normal.");
  for (const Direction& direction : inclusion.directions)
    if (direction.entries().back().dof >= n_dofs)
      throw InvalidInput("The inclusion \"" + inclusion.name + "\" names DoF " +
                         std::to_string(direction.entries().back().dof) +
                         ", but the assembled DoFs run from 0 to " + std::to_string(n_dofs - 1) +
                         ". Indices are 0-based.");
}

}  // namespace

void check_inclusions(const std::vector<Inclusion>& inclusions, GlobalIndex n_dofs) {
  std::set<std::string> names;
  for (const Inclusion& inclusion : inclusions) {
    if (inclusion.name.empty())
      throw InvalidInput(
          "An inclusion has no name. Give each a name of its own: reports and reactions are listed by it.");
    if (!names.insert(inclusion.name).second)
      throw InvalidInput("Two inclusions are named \"" + inclusion.name +
                         "\". Give each a name of its own: reports and reactions are listed by it.");
    if (!inclusion.law)
      throw InvalidInput("The inclusion \"" + inclusion.name +
                         "\" has no law. Give it one: dry friction, unilateral contact, ...");
    check_directions(inclusion, n_dofs);
    check_tangents(inclusion);
  }
}

}  // namespace halfdof
