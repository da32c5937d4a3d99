// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace halfdof::test {

/// A tag of HTML or SVG.
struct Tag {
  std::string name;
  std::string attributes;  ///< without their values
  bool closes, is_empty;   ///< `</a>`, `<a/>`
};

/// What stands between < and > in a text, and what is wrong with it ("": nothing).
struct Markup {
  std::vector<Tag> tags;
  std::string fault;
};

/// Reads the tags. Every value of an attribute must be quoted.
inline Markup markup_of(const std::string& text) {
  Markup markup;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    std::string tag;
    char quote = 0;
    const std::size_t begin = at;
    for (++at; at < text.size() && (quote != 0 || text[at] != '>'); ++at) {
      const char c = text[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '<' || (c == '=' && text[at + 1] != '"' && text[at + 1] != '\'')) {
        markup.fault = text.substr(begin, 60);
        return markup;
      }
      if (c == '"' || c == '\'') quote = c;
      tag += c;
    }
    if (tag[0] == '!' || tag[0] == '?') continue;
    const bool closes = tag[0] == '/';
    std::size_t end = closes;
    while (end < tag.size() && std::isalnum(static_cast<unsigned char>(tag[end])))
      ++end;
    const std::string name = tag.substr(closes, end - closes);
    markup.tags.push_back({name, tag.substr(end), closes, tag.back() == '/' || name == "meta"});
    if (at == text.size() || name.empty()) markup.fault = text.substr(begin, 60);
  }
  return markup;
}

/// Returns what is wrong: "" if also each element is closed in its turn. It does not know the elements that
/// HTML allows to leave open.
inline std::string fault_of(const Markup& markup) {
  std::vector<std::string> open;
  for (const Tag& tag : markup.tags) {
    if (tag.closes) {
      if (open.empty() || open.back() != tag.name)
        return "the end of " + tag.name + " within " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!tag.is_empty) {
      open.push_back(tag.name);
    }
  }
  return !open.empty() ? open.back() + " is not closed" : markup.fault;
}

}  // namespace halfdof::test
