// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/law_checks.h>
#include <halfdof/inclusions/outcome_checks.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof::internal {

namespace {

/// Checks that a contact with a coefficient of restitution acts on mass.
void check_restitution(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!inclusion.law->restitution() || direction.has_form(ReducedLaw::measure_inclusion)) return;
  std::ostringstream message;
  message << "The contact \"" << inclusion.name
          << "\" has a coefficient of restitution, e = " << *inclusion.law->restitution()
          << ", but acts on no mass that could rebound: after the elimination its law is a "
          << name_of(direction.reduced_law());
  if (direction.reduced_law() == ReducedLaw::lipschitz_contact)
    message << ", and its reaction follows from the displacements without impacts";
  message << ". Remove the coefficient, or give the contact a mass.";
  throw InvalidInput(message.str());
}

void check_homogeneity(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!direction.has_form(ReducedLaw::play) || inclusion.law->is_positively_homogeneous()) return;
  throw InvalidInput(
      "The law of \"" + inclusion.name + "\", " + inclusion.law->name() +
      ", depends on the slip rate, but the inclusion acts on algebraic degrees of freedom, where the law "
      "becomes a rate-independent play. A play needs a positively homogeneous law, whose reactions do not "
      "depend on the magnitude of the slip rate. Give the DoFs damping or mass, or take dry friction.");
}

/// Refuses a contact whose reaction decreases so steeply with the gap that the gap would jump.
void check_adhesion(const Inclusion& inclusion, const DirectionOutcome& direction) {
  const double l = inclusion.law->one_sided_lipschitz_constant();
  if (inclusion.law->dimension() > 1 || !direction.has_form(ReducedLaw::lipschitz_contact) ||
      l * direction.W < 1)
    return;
  std::ostringstream message;
  message
      << "The reaction of the contact \"" << inclusion.name << "\" (" << inclusion.law->name()
      << ") decreases as its gap opens, but the contact acts on algebraic degrees of freedom: l W_K = "
      << l * direction.W << ", with l = " << l
      << " the steepest decrease of the reaction and W_K = " << direction.W
      << " the compliance of the contact, must be below one, or the gap would jump. Stiffen these degrees of "
         "freedom, give them damping or mass, or take a law whose reaction decreases more slowly.";
  throw InvalidInput(message.str());
}

/// Checks that either all columns of a law can move or none can, because the law couples them.
void check_columns_move(const Inclusion& inclusion, Index first, const InclusionOutcome& outcome) {
  std::string held;
  Index n_held = 0;
  for (Index k = 0; k < inclusion.law->dimension(); ++k) {
    const DirectionOutcome& direction = outcome.directions[static_cast<std::size_t>(first + k)];
    if (!direction.decided_by.empty()) continue;
    held += (n_held++ == 0 ? "\"" : ", \"") + direction.name + "\"";
  }
  if (n_held == 0 || n_held == inclusion.law->dimension()) return;
  throw InvalidInput(
      "The inclusion \"" + inclusion.name + "\" (" + inclusion.law->name() + ") cannot move along " + held +
      ", but along its other directions. If a tangent cannot move, leave this tangent out (friction with one "
      "tangent, or unilateral contact without friction), or free its DoFs; if the normal cannot move, remove "
      "the contact.");
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
      " would move its own direction backwards (the diagonal entry of the Delassus matrix is negative), "
      "so that no friction or contact law is possible there. Look for an electric potential or "
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
    // The one-sided Lipschitz constant of a law is infinite only if the law does not depend on the rate
    // alone.
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
  const double largest_eigenvalue =
      joint_weakening(outcome.instantaneous_responses.C(viscous, viscous),
                      Eigen::Map<const Vector>(l.data(), static_cast<Index>(l.size())));
  if (largest_eigenvalue < 1) return;
  std::ostringstream message;
  message
      << "The frictions of " << names
      << " weaken as they slip, and their rates would jump together, because these frictions act on the same "
         "viscous degrees of freedom: the largest eigenvalue of sqrt(l_i l_j) W_C(i, j), with l_i the "
         "steepest decrease of the friction force and W_C the Delassus matrix (rate per force), is "
      << largest_eigenvalue
      << ", but must be below one. Give these DoFs mass or more damping, or reduce the slope with which "
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
      // Coulomb friction is not checked, because its threshold depends on the normal reaction.
      check_weakening(inclusion, direction);
      check_homogeneity(inclusion, direction);
    }
  }
}

}  // namespace halfdof::internal
