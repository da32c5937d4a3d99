// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "runs.h"
#include <filesystem>
#include <vector>

/// Writes a table with one row for each time, and with columns for each run.
void write_table(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file);

/// Draws the contact force, the displacement of the lower end and the energy over time, with the standard
/// mass on the left and with a massless contact node on the right.
void draw(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file);
