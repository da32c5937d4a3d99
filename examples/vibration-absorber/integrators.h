// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>

/**
 * The machine of Fig. 5.2, which sticks and slips, and that of Fig. 5.4 let fall on a stop (restitution 0 and
 * 1/2), by all integrators with inclusions: errors against the closed form, and what they cost. Prints a
 * table, and draws error over cost.
 * @throws halfdof::Error if one misses the closed form by more than its order allows
 */
void compare_integrators(const std::filesystem::path& picture);
