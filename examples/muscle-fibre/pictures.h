// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/plots/plot.h>

#include "motion.h"
#include <filesystem>

/// Draws activation and friction, and the displacements and rates of the Z-disks. The panel `errors` is the
/// last panel.
void draw(const Fibre& fibre, const FibreMotion& motion, const halfdof::CurvePanel& errors,
          const std::filesystem::path& file);
