// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace halfdof {

namespace {

std::string to_text(const std::string& text, NumberStyle, int) {
  return text;
}
std::string to_text(GlobalIndex number, NumberStyle, int) {
  return std::to_string(number);
}

/// Returns the number of characters of UTF-8 text: the number of bytes that are not continuation bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

}  // namespace

std::string to_text(double number, NumberStyle style, int digits) {
  if (std::isnan(number)) return "nan";
  const char* const format = style == NumberStyle::fixed        ? "%.*f"
                             : style == NumberStyle::scientific ? "%.*e"
                                                                : "%.*g";
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, digits, number)), ' ');
  std::snprintf(text.data(), text.size() + 1, format, digits, number);
  if (text[0] == '-' && std::strtod(text.c_str(), nullptr) == 0) text.erase(0, 1);
  return text;
}

std::string to_text(Complex number, NumberStyle style, int digits) {
  const std::string imaginary = to_text(number.imag(), style, digits);
  const bool is_negative = imaginary[0] == '-';
  return to_text(number.real(), style, digits) + (is_negative ? " - " : " + ") +
         imaginary.substr(is_negative ? 1 : 0) + "i";
}

TextTable::TextTable(std::vector<TextColumn> columns)
    : columns_(std::move(columns)), holds_text_(columns_.size(), false) {}

void TextTable::add_row(const std::vector<TableCell>& cells) {
  if (cells.size() != columns_.size())
    throw InvalidInput("A row of a table has " + std::to_string(cells.size()) + " cells, but the table has " +
                       std::to_string(columns_.size()) + " columns. Give one cell for each column.");
  std::vector<std::string> row;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const auto print = [&](const auto& value) {
      return to_text(value, columns_[j].style, columns_[j].digits);
    };
    row.push_back(std::visit(print, cells[j].value()));
    if (std::holds_alternative<std::string>(cells[j].value()) && !row.back().empty()) holds_text_[j] = true;
  }
  rows_.push_back(std::move(row));
}

std::ostream& operator<<(std::ostream& out, const TextTable& table) {
  const std::size_t n_columns = table.columns_.size();
  std::vector<std::string> head, rule;
  for (std::size_t j = 0; j < n_columns; ++j) {
    head.push_back(table.columns_[j].name);
    std::size_t widest = width(head[j]);
    for (const auto& row : table.rows_)
      widest = std::max(widest, width(row[j]));
    rule.emplace_back(widest, '-');
  }
  const auto print = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t j = 0; j < n_columns; ++j) {
      const std::string padding(rule[j].size() - width(row[j]), ' ');
      line += (j == 0 ? "" : "  ") + (table.holds_text_[j] ? row[j] + padding : padding + row[j]);
    }
    out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
  };
  print(head);
  print(rule);
  for (const auto& row : table.rows_)
    print(row);
  return out;
}

}  // namespace halfdof
