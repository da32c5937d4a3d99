// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace halfdof {

/// One entry of a table: a text, an integer, a real number or a complex number.
class TableCell {
 public:
  using Value = std::variant<std::string, GlobalIndex, double, Complex>;

  TableCell(std::string text) : value_(std::move(text)) {}
  TableCell(const char* text) : value_(std::string(text)) {}
  TableCell(double number) : value_(number) {}
  TableCell(Complex number) : value_(number) {}
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  TableCell(Integer number) : value_(static_cast<GlobalIndex>(number)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

/// How the numbers of a column are printed.
enum class NumberStyle {
  general,     ///< `digits` significant digits: 17.7059, 1e-12
  fixed,       ///< `digits` digits after the decimal point: 17.71
  scientific,  ///< `digits` digits after the decimal point: 1.77e+01
};

/// Title and number format of a column. A string converts to a column with the default format.
struct TextColumn {
  TextColumn(std::string title, NumberStyle number_style = NumberStyle::general, int number_digits = 6)
      : name(std::move(title)), style(number_style), digits(number_digits) {}
  TextColumn(const char* title) : TextColumn(std::string(title)) {}

  std::string name;
  NumberStyle style;
  int digits;
};

/**
 * A table of aligned text for human readers:
 *
 * @code
 * TextTable table({"kind", "count", {"share [%]", NumberStyle::fixed, 1}});
 * table.add_row({"viscous", 120, 12.5});
 * table.add_row({"algebraic", 8, 0.8});
 * std::cout << table;
 * @endcode
 *
 * @code{.unparsed}
 * kind       count  share [%]
 * ---------  -----  ---------
 * viscous      120       12.5
 * algebraic      8        0.8
 * @endcode
 *
 * Columns are as wide as their widest entry (UTF-8 text is measured in characters). Columns that contain only
 * numbers are aligned on the right, all others on the left; an empty text leaves a cell blank.
 */
class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);

  /// @throws InvalidInput unless there is one cell for each column
  void add_row(const std::vector<TableCell>& cells);

  std::size_t n_rows() const { return rows_.size(); }

  friend std::ostream& operator<<(std::ostream& out, const TextTable& table);

 private:
  std::vector<TextColumn> columns_;
  std::vector<bool> holds_text_;
  std::vector<std::vector<std::string>> rows_;
};

/// Formats a number as in the tables; a complex number reads -0.689723 + 17.7059i. A number that is printed
/// as zero has no sign.
std::string to_text(double number, NumberStyle style = NumberStyle::general, int digits = 6);
std::string to_text(Complex number, NumberStyle style = NumberStyle::general, int digits = 6);

}  // namespace halfdof
