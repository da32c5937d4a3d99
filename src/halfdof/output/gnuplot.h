#pragma once

#include <string>

namespace halfdof {

/**
 * Runs gnuplot on a script, without the user's settings and without a display, and waits for it: for
 * `seconds` at most, then it is ended.
 * @throws NotAvailable if gnuplot is not installed
 * @throws Error with gnuplot's own message if it fails, or takes longer
 */
void run_gnuplot(const std::string& script, double seconds);

}  // namespace halfdof
