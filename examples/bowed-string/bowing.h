// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/sampled_memory.h>

#include <vector>

/// A string or a beam under a bow that is drawn across it with the speed 1.5. The friction force decreases
/// from 4 at rest to 1 at high relative speed.
namespace bowing {

using halfdof::Index;
using halfdof::Vector;

constexpr double bow_speed = 1.5, at_rest = 4, kinetic = 1, falls_over = 1 / 0.32;

halfdof::NamedLaw bow();

/// The motion of the contact point and the friction force over time.
struct Track {
  Vector time, displacement, rate, force;
};

/// A transition from slip to stick: its time, and the jump of the friction force.
struct Onset {
  double time, gap;
};

/// The initial displacement and rate of the contact point in Szalai (2014), section 5 b, where only mode 1
/// moves.
constexpr double first_displacement = -2.9224, first_rate = -2.7668;

/// Integrates the equation with memory whose kernel is a sum over modes. The exponentials of the modes are
/// propagated exactly.
Track by_modes(const halfdof::ClassicalModes& modes, double step, double end);
/// Finds the transitions from slip to stick in the same integration.
std::vector<Onset> onsets(const halfdof::ClassicalModes& modes, double step, double end);
/// Integrates the equation with memory of the string with all its modes, whose kernel is sampled from its
/// closed form.
Track by_closed_kernel(const halfdof::StringKernel& string, double step, double end);
/// Integrates the equations of all modes by the Moreau-Jean method, without a memory kernel.
Track by_full_model(const halfdof::ClassicalModes& modes, double step, double end);

}  // namespace bowing
