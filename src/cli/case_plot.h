// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "case_file.h"
#include <string>
#include <vector>

namespace halfdof::cli {

/// Checks, before the computation, that the table has the columns that every [[plot]] names.
/// @throws FileError with the line of a column that the table does not have, or of a panel with more than
///     four curves or several units; also if [output] plot is missing
void check_panels(const CaseFile& given, const std::vector<std::string>& columns);

/// Draws columns of the table that CaseTable wrote, one panel for each [[plot]]. Without a [[plot]],
/// displacements, velocities, reactions and the dissipated energy are drawn over time, at most four columns
/// in a panel.
/// @throws InvalidInput if the table has nothing to draw; NotAvailable, Error without gnuplot
void plot_table(const CaseFile& given);

}  // namespace halfdof::cli
