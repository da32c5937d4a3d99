// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "runs.h"
#include <filesystem>
#include <vector>

/// One row for each window, columns for each run.
void write_table(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file);

/// Contact force, displacement of the lower end and energy over time, standard mass beside massless contact.
void draw(const Bar& bar, const std::vector<Run>& runs, const std::filesystem::path& file);
