#include <halfdof/base/errors.h>
#include <halfdof/inclusions/inclusion.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace halfdof {

namespace {

/// Of the squared length of tangents, what their rounded entries are off.
constexpr double orthonormal = 1e-3;
/// Two rigid bodies; tangents on more are not looked at.
constexpr std::size_t most_dofs_of_tangents = 12;

/// Entries of both tangents on each DoF that either meets.
std::vector<std::pair<double, double>> entries_of_tangents(const Inclusion& inclusion) {
  std::map<GlobalIndex, std::pair<double, double>> entries;
  for (const WeightedDoF& entry : inclusion.directions[1].entries())
    entries[entry.dof].first += entry.weight;
  for (const WeightedDoF& entry : inclusion.directions[2].entries())
    entries[entry.dof].second += entry.weight;
  std::vector<std::pair<double, double>> all;
  for (const auto& [dof, weights] : entries)
    all.push_back(weights);
  return all;
}

/// Whether two tangents are orthogonal and equally long on some of these DoFs, a set of bits.
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

/// The law limits the length of the tangential reaction, whatever its direction. Rotations of rigid bodies
/// stand among the DoFs besides: of displacements alone tangents have to be orthonormal, and which DoFs these
/// are is not told.
void check_tangents(const Inclusion& inclusion) {
  if (inclusion.law->dimension() != 3 || inclusion.law->level(0) != LawLevel::gap) return;
  const auto entries = entries_of_tangents(inclusion);
  if (entries.size() > most_dofs_of_tangents) return;
  for (std::size_t on = (std::size_t(1) << entries.size()) - 1; on > 0; --on)
    if (are_orthonormal(entries, on)) return;
  throw InvalidInput(
      "The tangents of \"" + inclusion.name +
      "\" are not orthonormal: they are neither equally long and orthogonal, nor are they so on any "
      "of the DoFs that they meet. " +
      inclusion.law->name() +
      " limits the length of the tangential reaction in every direction. Give two tangents "
      "of one length at a right angle.");
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
          "An inclusion has no name. Give each one of its own: reports and reactions are listed by it.");
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
