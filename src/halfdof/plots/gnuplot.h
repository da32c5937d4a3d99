// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/**
 * Runs gnuplot on a script, without the user's settings and without a display, and waits until gnuplot ends.
 * If gnuplot takes longer than `seconds`, it is stopped.
 * @return The standard output of the script
 * @throws NotAvailable if gnuplot is not installed
 * @throws Error if gnuplot fails, with the message of gnuplot, or if gnuplot was stopped
 */
std::string run_gnuplot(const std::string& script, double seconds);

}  // namespace halfdof::internal
