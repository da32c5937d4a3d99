#include <halfdof/base/errors.h>
#include <halfdof/inclusions/inclusion.h>

#include <set>

namespace halfdof {

namespace {

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
  }
}

}  // namespace halfdof
