// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/**
 * Runs gnuplot on a script, without the user's settings and without a display, and waits until it ends.
 * After `seconds` gnuplot is stopped.
 * @return what the script printed to standard output
 * @throws NotAvailable if gnuplot is not installed
 * @throws Error with gnuplot's own message if it fails, or if it was stopped
 */
std::string run_gnuplot(const std::string& script, double seconds);

}  // namespace halfdof::internal
