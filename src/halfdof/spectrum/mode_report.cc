// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/text_table.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <algorithm>
#include <ostream>

namespace halfdof {

void ModeTable::print(std::ostream& out, std::size_t n_rows) const {
  std::vector<TextColumn> columns{{"frequency [Hz]", NumberStyle::general, 6},
                                  {"damping ratio", NumberStyle::general, 4},
                                  "kind",
                                  {"eigenvalue [1/s]", NumberStyle::general, 6}};
  for (const std::string& direction : directions)
    columns.emplace_back("mass " + direction + " [%]", NumberStyle::fixed, 2);

  TextTable table(columns);
  for (std::size_t j = 0; j < std::min(n_rows, modes.size()); ++j) {
    const Mode& mode = modes[j];
    std::vector<TableCell> row{
        mode.frequency, mode.damping_ratio, name_of(mode.kind),
        mode.eigenvalue.imag() == 0 ? TableCell(mode.eigenvalue.real()) : TableCell(mode.eigenvalue)};
    for (std::size_t d = 0; d < directions.size(); ++d)
      row.push_back(total_mass[d] == 0
                        ? TableCell("-")
                        : TableCell(100 * effective_mass(static_cast<Index>(j), static_cast<Index>(d)) /
                                    total_mass[d]));
    table.add_row(row);
  }
  out << table;
  if (modes.size() > n_rows) out << "... and " << modes.size() - n_rows << " modes more\n";
}

}  // namespace halfdof
