// SPDX-License-Identifier: LGPL-2.1-or-later
#include "markup.h"

#include <halfdof/base/printable.h>

#include <boost/locale/utf.hpp>

#include <iterator>

namespace halfdof::cli {

namespace utf = boost::locale::utf;

std::string escaped(const std::string& text) {
  const std::string visible = internal::printable(text);
  std::string result;
  for (auto at = visible.begin(); at != visible.end();) {
    utf::code_point point = utf::utf_traits<char>::decode(at, visible.end());
    if (!utf::is_valid_codepoint(point)) point = 0xFFFD;
    switch (point) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        utf::utf_traits<char>::encode(point, std::back_inserter(result));
    }
  }
  return result;
}

}  // namespace halfdof::cli
