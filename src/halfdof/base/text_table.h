#pragma once

#include <halfdof/base/table_cell.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

/// How the numbers of a column are printed.
enum class NumberStyle {
  general,     ///< `digits` significant ones: 17.7059, 1e-12
  fixed,       ///< `digits` behind the point: 17.71
  scientific,  ///< `digits` behind the point: 1.77e+01
};

/// Head of a column; a plain string will do.
struct TextColumn {
  TextColumn(std::string title, NumberStyle number_style = NumberStyle::general, int number_digits = 6)
      : name(std::move(title)), style(number_style), digits(number_digits) {}
  TextColumn(const char* title) : TextColumn(std::string(title)) {}

  std::string name;
  NumberStyle style;
  int digits;
};

/**
 * A table for people:
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
 * Columns are as wide as their widest entry (UTF-8 text is measured in characters). Those that hold nothing
 * but numbers are aligned on the right, all others on the left; an empty text leaves a cell blank.
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

/// A number as the tables print it; a complex one reads -0.689723 + 17.7059i. What is printed as zero has no
/// sign.
std::string to_text(double number, NumberStyle style = NumberStyle::general, int digits = 6);
std::string to_text(Complex number, NumberStyle style = NumberStyle::general, int digits = 6);

}  // namespace halfdof
