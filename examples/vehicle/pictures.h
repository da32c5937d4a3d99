// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "comparison.h"
#include <filesystem>
#include <vector>

/// The motions that the picture shows.
struct MotionPictures {
  Motion first, second;        ///< motions of one second with the data of both tables
  std::vector<Motion> gaps;    ///< motions by each method near the beginning of the bump, first table
  std::vector<Motion> forces;  ///< motions by each method with contact forces averaged over 1 ms, first table
};

void draw_motions(const MotionPictures& motions, const Vehicle& vehicle, const std::filesystem::path& file);

/// Draws the errors over lambda and over the step.
void draw_errors(const std::vector<Trial>& penalties, const std::vector<Trial>& steps,
                 const std::filesystem::path& file);
