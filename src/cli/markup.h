// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::cli {

/// Returns text in a form that HTML and SVG show literally, as content or as the value of an attribute in
/// double quotes. Control characters become escape sequences such as "\x1b", and bytes that are not UTF-8
/// become U+FFFD.
std::string escaped(const std::string& text);

}  // namespace halfdof::cli
