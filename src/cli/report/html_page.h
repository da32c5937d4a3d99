// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/text_table.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::cli {

/**
 * A page of HTML in one file, with its style inside and nothing loaded from elsewhere. All texts are escaped;
 * only figures are taken as they are.
 */
class HtmlPage {
 public:
  using Row = std::vector<TableCell>;

  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  /// Begins a section, which ends where the next one begins. @param id letters, digits and hyphens
  void section(const std::string& id, const std::string& heading);
  void heading(const std::string& text);
  void paragraph(const std::string& text);
  void list(const std::vector<std::string>& texts);
  /// Adds a table; numbers are aligned on the right and shown with six digits. On a narrow page it scrolls.
  void table(const std::string& caption, const std::vector<std::string>& heads, const std::vector<Row>& rows);
  /// Adds pictures side by side, as many as there is room for.
  /// @param svgs elements `<svg>` @param caption one for all
  /// @param width least width of each, unless the page is narrower [pixels]
  void figure(const std::vector<std::string>& svgs, const std::string& caption, int width);

  /// Returns the whole page: the title, a list of the sections, `summary`, and the sections.
  std::string text(const HtmlPage& summary) const;

 private:
  std::string title_;
  std::ostringstream body_;
  std::vector<std::pair<std::string, std::string>> sections_;  ///< id and heading
};

}  // namespace halfdof::cli
