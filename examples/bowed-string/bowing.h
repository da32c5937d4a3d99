// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/sampled_memory.h>

#include <vector>

/// A string or a beam under a bow that is drawn across it with the speed 1.5: friction falls with the
/// relative speed, from 4 to 1.
namespace bowing {

using halfdof::Index;
using halfdof::Vector;

constexpr double bow_speed = 1.5, at_rest = 4, kinetic = 1, falls_over = 1 / 0.32;

halfdof::NamedLaw bow();

/// What the contact does over time.
struct Track {
  Vector time, displacement, rate, force;
};

/// A comes to stick: when, and by how much the force jumps.
struct Onset {
  double time, gap;
};

/// The start of Szalai (2014), section 5 b: in range W, that is in mode 1 alone.
constexpr double first_displacement = -2.9224, first_rate = -2.7668;

/// The structure by its modes, exactly propagated.
Track by_modes(const halfdof::ClassicalModes& modes, double step, double end);
/// When slip ends, on the way.
std::vector<Onset> onsets(const halfdof::ClassicalModes& modes, double step, double end);
/// The string with all its modes, by samples of its closed kernel.
Track by_closed_kernel(const halfdof::StringKernel& string, double step, double end);
/// The equations of the modes themselves, by small steps of Moreau and Jean.
Track by_full_model(const halfdof::ClassicalModes& modes, double step, double end);

}  // namespace bowing
