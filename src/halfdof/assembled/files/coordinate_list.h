// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <cmath>
#include <limits>

/**
 * @file
 * Lists of "row column value", counted from one, without a line that states the size of the matrix. The
 * largest index is taken as the size.
 */
namespace halfdof::internal {

/// The entries of a square matrix.
struct CoordinateList {
  std::vector<ListedEntry> entries;
  Index n = 0;  ///< number of rows and columns
};

/// Reads the value of an entry, which has to be finite.
inline double read_finite_value(TextScanner& scanner) {
  const double value = scanner.real_number("the value");
  if (!std::isfinite(value))
    scanner.fail("the value is " + number_text(value) +
                 ". Every entry must be finite: check the element that produces this entry.");
  return value;
}

/// Reads a list of "row column value". @param check check(entry) may reject an entry by scanner.fail()
template <class Check>
CoordinateList read_coordinate_list(TextScanner& scanner, const Check& check) {
  CoordinateList list;
  const auto read_index = [&scanner](const char* quantity) {
    const GlobalIndex index = scanner.whole_number(quantity);
    if (index < 1 || index >= std::numeric_limits<Index>::max())
      scanner.fail(std::string(quantity) + " is " + std::to_string(index) +
                   "; rows and columns count from 1 to at most 2^31 - 2.");
    return static_cast<Index>(index - 1);
  };
  while (scanner.next_line()) {
    ListedEntry entry = {};
    entry.row = read_index("the row index");
    entry.column = read_index("the column index");
    entry.value = read_finite_value(scanner);
    check(entry);
    list.entries.push_back(entry);
    list.n = std::max({list.n, entry.row + 1, entry.column + 1});
    scanner.end_line();
  }
  scanner.require_last_line_end();
  if (list.entries.empty()) scanner.fail("the file lists no entry \"row column value\".");
  if (!is_plausible(list.n, static_cast<GlobalIndex>(list.entries.size())))
    scanner.fail("the largest index is " + std::to_string(list.n) + ", but the file lists " +
                 std::to_string(list.entries.size()) +
                 " entries only. At least one entry for every 100 rows is expected: "
                 "correct the index, or list zeros.");
  return list;
}

}  // namespace halfdof::internal
