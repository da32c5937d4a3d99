// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain_run.h"
#include "loops.h"
#include <filesystem>

/// Draws the displacements, the reactions, and the errors of implicit Euler over the step size.
void draw(const std::vector<ChainRun>& runs, const std::filesystem::path& file);

/// Draws integrated loops and their closed forms.
void draw(const std::vector<Loop>& loops, const std::filesystem::path& file);
