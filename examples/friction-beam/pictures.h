// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "bar.h"
#include "experiment.h"
#include <string>

/// Friction over slide, of the beam and of the bar; contact states over time; tractions along the beam.
void draw_loop(const Run& run, const FrictionBar& bar, const std::string& file);

/// Forces and contact states over time.
void draw_waves(const Run& run, const std::string& file);
