// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain_run.h"
#include "loops.h"
#include <filesystem>

/// Displacements, reactions, friction, and errors of implicit Euler over the step.
void draw(const std::vector<ChainRun>& runs, const std::filesystem::path& file);

/// Integrated loops and their closed forms.
void draw(const std::vector<Loop>& loops, const std::filesystem::path& file);
