// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "comparison.h"
#include <filesystem>
#include <vector>

/// What the picture of the motion shows.
struct MotionPictures {
  Motion first, second;        ///< both tables, all the way
  std::vector<Motion> gaps;    ///< first table, where the road begins, by each method
  std::vector<Motion> forces;  ///< the same with contact forces that are means over 1 ms
};

void draw_motions(const MotionPictures& motions, const Vehicle& vehicle, const std::filesystem::path& file);

/// Errors over lambda and over the step.
void draw_errors(const std::vector<Trial>& penalties, const std::vector<Trial>& steps,
                 const std::filesystem::path& file);
