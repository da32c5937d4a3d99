#include <halfdof/base/errors.h>
#include <halfdof/inclusions/joint_weakening.h>
#include <halfdof/inclusions/outcome_checks.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof {

namespace {

/// Restitution acts on the normal, the first direction on a gap.
void check_restitution(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!inclusion.law->restitution() || direction.has_become(Cell::measure_inclusion)) return;
  std::ostringstream message;
  message << "The contact \"" << inclusion.name
          << "\" has a coefficient of restitution, e = " << *inclusion.law->restitution()
          << ", but meets no mass that could rebound: it has become a " << name_of(direction.cell());
  if (direction.cell() == Cell::lipschitz_contact)
    message << ", and its reaction follows from the displacements without impacts";
  message << ". Leave the coefficient out, or give the contact a mass.";
  throw InvalidInput(message.str());
}

void check_homogeneity(const Inclusion& inclusion, const DirectionOutcome& direction) {
  if (!direction.has_become(Cell::play) || inclusion.law->is_positively_homogeneous()) return;
  throw InvalidInput(
      "The law of \"" + inclusion.name + "\", " + inclusion.law->name() +
      ", depends on how fast it slips, but the inclusion sits on algebraic degrees of freedom: "
      "what is left there is a rate-independent play, which needs a law that is positively "
      "homogeneous. Give the DoFs damping or mass, or take dry friction.");
}

/// Contact whose reaction falls as it opens jumps where nothing holds it back.
void check_adhesion(const Inclusion& inclusion, const DirectionOutcome& direction) {
  const double l = inclusion.law->one_sided_lipschitz_constant();
  if (inclusion.law->dimension() > 1 || !direction.has_become(Cell::lipschitz_contact) || l * direction.W < 1)
    return;
  std::ostringstream message;
  message
      << "The reaction of the contact \"" << inclusion.name << "\" (" << inclusion.law->name()
      << ") falls as its gap opens, but the contact sits on algebraic degrees of freedom: l W_K = "
      << l * direction.W << ", with l = " << l << " the steepest fall and W_K = " << direction.W
      << ", must be below one, or the gap would jump. Stiffen what it sits on, give it damping or mass, or "
         "take a law that falls more gently.";
  throw InvalidInput(message.str());
}

/// The columns of a law that is no sum of laws of its columns must all move something.
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
      "Nothing can move that " + resting + " pushes, while \"" + inclusion.name + "\" (" +
      inclusion.law->name() +
      ") moves along its other directions. Leave out tangents that are held (friction in space with one "
      "tangent, unilateral contact with none), or free their DoFs; where a normal is held, the contact is "
      "none.");
}

void check_weakening(const Inclusion& inclusion, const DirectionOutcome& direction) {
  const double l = inclusion.law->one_sided_lipschitz_constant();
  if (!(l > 0)) return;
  const auto refuse = [&](const std::string& reason) {
    throw InvalidInput(
        "The friction of \"" + inclusion.name + "\" (" + inclusion.law->name() +
        ") weakens as it slips, but the inclusion sits on degrees of freedom without inertia: " + reason +
        " Give them mass, or take friction that does not weaken.");
  };
  if (direction.has_become(Cell::play)) refuse("nothing holds them back, so that the state would jump.");
  if (!direction.has_become(Cell::lipschitz_friction) || l * direction.W < 1) return;
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
  if (outcome.at_once.C.size() == 0) return;
  std::vector<Index> viscous;
  std::vector<double> l;
  std::string names;
  Index first = 0;
  for (const Inclusion& inclusion : acting) {
    const Index d = inclusion.law->dimension();
    const double l_of_law = inclusion.law->one_sided_lipschitz_constant();
    // Laws without such a constant are not functions of their rates alone.
    const double steepest = std::isfinite(l_of_law) ? l_of_law : 0.;
    for (Index j = first; j < first + d; ++j)
      if (outcome.directions[static_cast<std::size_t>(j)].has_become(Cell::lipschitz_friction)) {
        viscous.push_back(j);
        l.push_back(steepest);
        if (steepest > 0) names += (names.empty() ? "\"" : ", \"") + inclusion.name + "\"";
      }
    first += d;
  }
  if (viscous.empty()) return;
  const double together = joint_weakening(outcome.at_once.C(viscous, viscous),
                                          Eigen::Map<const Vector>(l.data(), static_cast<Index>(l.size())));
  if (together < 1) return;
  std::ostringstream message;
  message
      << "The frictions of " << names
      << " weaken as they slip, and the viscous degrees of freedom that they share let their rates jump "
         "together: the largest eigenvalue of sqrt(l_i l_j) W_C(i, j) is "
      << together
      << ", and must be below one. Give these DoFs mass or more damping, or take friction that falls more "
         "gently.";
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
      // Where a normal reaction sets the threshold (Coulomb), friction is not a function of the rate alone.
      check_weakening(inclusion, direction);
      check_homogeneity(inclusion, direction);
    }
  }
}

}  // namespace halfdof
