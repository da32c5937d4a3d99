#pragma once

#include <filesystem>

namespace halfdof::cli {

/// Draws the columns of a table that CaseTable wrote over its first one, one panel for each quantity.
/// @throws InvalidInput if the table has nothing to draw; NotAvailable, Error without gnuplot
void plot_table(const std::filesystem::path& table, const std::filesystem::path& picture);

}  // namespace halfdof::cli
