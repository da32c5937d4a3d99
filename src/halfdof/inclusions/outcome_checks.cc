// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/outcome_checks.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof::internal {

namespace {

/// Checks the coefficient of restitution, which applies to the normal direction of a contact.
void check_restitution(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!inclusion.law->restitution() || direction.has_form(ReducedLaw::measure_inclusion)) return;
  std::ostringstream message;
  message << "The contact \"" << inclusion.name
          << "\" has a coefficient of restitution, e = " << *inclusion.law->restitution()
          << ", but acts on no mass that could rebound: it has become a " << name_of(direction.reduced_law());
  if (direction.reduced_law() == ReducedLaw::lipschitz_contact)
    message << ", and its reaction follows from the displacements without impacts";
  message << ". Leave the coefficient out, or give the contact a mass.";
  throw InvalidInput(message.str());
}

void check_homogeneity(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!direction.has_form(ReducedLaw::play) || inclusion.law->is_positively_homogeneous()) return;
  throw InvalidInput(
      "The law of \"" + inclusion.name + "\", " + inclusion.law->name() +
      ", depends on the slip rate, but the inclusion acts on algebraic degrees of freedom: there "
      "it becomes a rate-independent play, which needs a law that is positively homogeneous. "
      "Give the DoFs damping or mass, or take dry friction.");
}

/// Refuses a contact whose reaction decreases so fast as its gap opens that the gap would jump.
void check_adhesion(const Inclusion& inclusion, const DirectionOutcome& direction) {
  const double l = inclusion.law->one_sided_lipschitz_constant();
  if (inclusion.law->dimension() > 1 || !direction.has_form(ReducedLaw::lipschitz_contact) ||
      l * direction.W < 1)
    return;
  std::ostringstream message;
  message
      << "The reaction of the contact \"" << inclusion.name << "\" (" << inclusion.law->name()
      << ") falls as its gap opens, but the contact acts on algebraic degrees of freedom: l W_K = "
      << l * direction.W << ", with l = " << l << " the steepest fall and W_K = " << direction.W
      << ", must be below one, or the gap would jump. Stiffen these degrees of freedom, give them damping or "
         "mass, or take a law that falls more slowly.";
  throw InvalidInput(message.str());
}

/// Checks that either all columns of a law can move or none can, because the law couples them.
void check_columns_move(const Inclusion& inclusion, Index first, const InclusionOutcome& outcome) {
  std::string resting;
  Index n_resting = 0;
  for (Index k = 0; k < inclusion.law->dimension(); ++k) {
    const DirectionOutcome& direction = outcome.directions[static_cast<std::size_t>(first + k)];
    if (!direction.decided_by.empty()) continue;
    resting += (n_resting++ == 0 ? "\"" : ", \"") + direction.name + "\"";
  }
  if (n_resting == 0 || n_resting == inclusion.law->dimension()) return;
  throw InvalidInput(
      "The DoFs on which " + resting + " acts cannot move, while \"" + inclusion.name + "\" (" +
      inclusion.law->name() +
      ") moves along its other directions. Leave out tangents that are held (friction in space with one "
      "tangent, unilateral contact with none), or free their DoFs; if the normal is held, remove the "
      "contact.");
}

void check_weakening(const Inclusion& inclusion, const DirectionOutcome& direction) {
  const double l = inclusion.law->one_sided_lipschitz_constant();
  if (!(l > 0)) return;
  const auto refuse = [&](const std::string& reason) {
    throw InvalidInput(
        "The friction of \"" + inclusion.name + "\" (" + inclusion.law->name() +
        ") weakens as it slips, but the inclusion acts on degrees of freedom without inertia: " + reason +
        " Give them mass, or take friction that does not weaken.");
  };
  if (direction.has_form(ReducedLaw::play))
    refuse("no damping limits their rates, so that the state would jump.");
  if (!direction.has_form(ReducedLaw::lipschitz_friction) || l * direction.W < 1) return;
  std::ostringstream reason;
  reason << "l W_C = " << l * direction.W << ", with l = " << l
         << " the steepest decrease and W_C = " << direction.W
         << ", must be below one, or the rate would jump.";
  refuse(reason.str());
}

}  // namespace

void check_directions_move_forward(const InclusionOutcome& outcome) {
  if (outcome.split.negative.empty()) return;
  std::string names;
  for (const Index j : outcome.split.negative)
    names += (names.empty() ? "\"" : ", \"") + outcome.directions[static_cast<std::size_t>(j)].name + "\"";
  throw InvalidInput(
      "A positive reaction of " + names +
      " would move its own direction backwards (the diagonal of the Delassus matrix is negative), "
      "so that no friction or contact law makes sense there. Look for an electric potential or "
      "a multiplier among its DoFs, or for a stiffness, damping or mass with the wrong sign.");
}

void check_joint_weakening(const std::vector<Inclusion>& acting, const InclusionOutcome& outcome) {
  if (outcome.instantaneous_responses.C.size() == 0) return;
  std::vector<Index> viscous;
  std::vector<double> l;
  std::string names;
  Index first = 0;
  for (const Inclusion& inclusion : acting) {
    const Index d = inclusion.law->dimension();
    const double l_of_law = inclusion.law->one_sided_lipschitz_constant();
    // Laws without a finite constant do not depend only on their rates.
    const double steepest = std::isfinite(l_of_law) ? l_of_law : 0.;
    for (Index j = first; j < first + d; ++j)
      if (outcome.directions[static_cast<std::size_t>(j)].has_form(ReducedLaw::lipschitz_friction)) {
        viscous.push_back(j);
        l.push_back(steepest);
        if (steepest > 0) names += (names.empty() ? "\"" : ", \"") + inclusion.name + "\"";
      }
    first += d;
  }
  if (viscous.empty()) return;
  const double together = joint_weakening(outcome.instantaneous_responses.C(viscous, viscous),
                                          Eigen::Map<const Vector>(l.data(), static_cast<Index>(l.size())));
  if (together < 1) return;
  std::ostringstream message;
  message << "The frictions of " << names
          << " weaken as they slip, and the viscous degrees of freedom that they share let their rates jump "
             "together: the largest eigenvalue of sqrt(l_i l_j) W_C(i, j) is "
          << together
          << ", and must be below one. Give these DoFs mass or more damping, or reduce the slope with which "
             "the friction weakens.";
  throw InvalidInput(message.str());
}

void check_law_fits(const Inclusion& inclusion, Index first, const InclusionOutcome& outcome) {
  const Law& law = *inclusion.law;
  check_columns_move(inclusion, first, outcome);
  for (Index k = 0; k < law.dimension(); ++k) {
    const DirectionOutcome& direction = outcome.directions[static_cast<std::size_t>(first + k)];
    if (law.level(k) == LawLevel::gap) {
      check_restitution(inclusion, direction);
      check_adhesion(inclusion, direction);
    } else if (law.level(0) == LawLevel::rate) {
      // If a normal reaction determines the threshold (Coulomb), friction does not depend only on the rate.
      check_weakening(inclusion, direction);
      check_homogeneity(inclusion, direction);
    }
  }
}

}  // namespace halfdof::internal
