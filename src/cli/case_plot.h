#pragma once

#include "case_file.h"
#include <string>
#include <vector>

namespace halfdof::cli {

/// Holds every [[plot]] against the columns of the table, before anything is computed.
/// @throws FileError with the line of what the table has not, of a panel with more than four curves or with
///     several units, or without [output] plot
void check_panels(const CaseFile& given, const std::vector<std::string>& columns);

/// Draws the columns of the table that CaseTable wrote, as every [[plot]] says: one panel each. Without any
/// they are drawn over the first one, four of one quantity a panel.
/// @throws InvalidInput if the table has nothing to draw; NotAvailable, Error without gnuplot
void plot_table(const CaseFile& given);

}  // namespace halfdof::cli
