// SPDX-License-Identifier: LGPL-2.1-or-later
#include "html_page.h"

#include "../markup.h"
#include "page_style.h"
#include <algorithm>
#include <variant>

namespace halfdof::cli {

namespace {

bool is_number(const TableCell& cell) {
  return !std::holds_alternative<std::string>(cell.value());
}

std::string text_of(const TableCell& cell) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string>)
          return value;
        else if constexpr (std::is_same_v<Value, GlobalIndex>)
          return std::to_string(value);
        else
          return to_text(value);
      },
      cell.value());
}

}  // namespace

void HtmlPage::section(const std::string& id, const std::string& heading) {
  if (!sections_.empty()) body_ << "</section>\n";
  sections_.emplace_back(id, heading);
  body_ << "<section id=\"" << escaped(id) << "\"><h2>" << escaped(heading) << "</h2>\n";
}

void HtmlPage::heading(const std::string& text) {
  body_ << "<h3>" << escaped(text) << "</h3>\n";
}

void HtmlPage::paragraph(const std::string& text) {
  body_ << "<p>" << escaped(text) << "</p>\n";
}

void HtmlPage::list(const std::vector<std::string>& texts) {
  body_ << "<ul>";
  for (const std::string& text : texts)
    body_ << "<li>" << escaped(text) << "</li>\n";
  body_ << "</ul>\n";
}

void HtmlPage::table(const std::string& caption, const std::vector<std::string>& heads,
                     const std::vector<Row>& rows) {
  std::vector<bool> is_numeric(heads.size(), true);
  for (const Row& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      is_numeric[c] = is_numeric[c] && (is_number(row[c]) || text_of(row[c]).empty());
  const auto open = [&](const char* tag, std::size_t c) {
    body_ << '<' << tag << (is_numeric[c] ? " class=\"number\"" : "")
          << (tag[1] == 'h' ? " scope=\"col\">" : ">");
  };
  body_ << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" << escaped(caption)
        << "\"><table><caption><span>" << escaped(caption) << "</span></caption><thead><tr>";
  for (std::size_t c = 0; c < heads.size(); ++c) {
    open("th", c);
    body_ << escaped(heads[c]) << "</th>";
  }
  body_ << "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    body_ << "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      open("td", c);
      body_ << escaped(text_of(row[c])) << "</td>";
    }
    body_ << "</tr>\n";
  }
  body_ << "</tbody></table></div>\n";
}

void HtmlPage::figure(const std::vector<std::string>& svgs, const std::string& caption, int width) {
  body_ << "<figure><div class=\"pictures\" style=\"grid-template-columns:repeat(auto-fit,minmax(min(100%,"
        << width << "px),1fr))\">";
  for (const std::string& svg : svgs)
    body_ << "<div>" << svg << "</div>\n";
  body_ << "</div><figcaption>" << escaped(caption) << "</figcaption></figure>\n";
}

std::string HtmlPage::text(const HtmlPage& summary) const {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n<title>" +
      escaped(title_) + "</title>\n<style>" + page_style + "</style>\n</head>\n<body>\n<h1>" +
      escaped(title_) + "</h1>\n<nav aria-label=\"Sections\"><ul>";
  for (const auto& [id, heading] : sections_)
    page += "<li><a href=\"#" + escaped(id) + "\">" + escaped(heading) + "</a></li>";
  return page + "</ul></nav>\n<main>\n" + summary.body_.str() + body_.str() +
         (sections_.empty() ? "" : "</section>\n") + "</main>\n</body>\n</html>\n";
}

}  // namespace halfdof::cli
