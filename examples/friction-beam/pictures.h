// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "bar.h"
#include "experiment.h"
#include <string>

/// Draws the friction force over the slide for the beam and the bar, the contact states over time, and the
/// tractions along the beam.
void draw_loop(const Run& run, const FrictionBar& bar, const std::string& file);

/// Draws forces and contact states over time.
void draw_waves(const Run& run, const std::string& file);
