// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>

/**
 * Compares the errors and costs of all integrators with inclusions for three motions with known closed forms:
 * the machine of Fig. 5.2, which sticks and slips, and the machine of Fig. 5.4, which falls on a stop with
 * the coefficient of restitution 0 or 1/2. Prints a table, and draws the error over the cost.
 * @throws halfdof::Error if the error of an integrator is larger than its order allows
 */
void compare_integrators(const std::filesystem::path& picture);
