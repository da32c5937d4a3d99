// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace halfdof::internal {

/// Returns a text of any origin in a form that is safe in messages: control characters, which a terminal
/// would obey, become escape sequences such as "\x1b". Line ends and tabs are kept.
std::string printable(const std::string& text);

/// Returns whether the text contains control characters, including line ends and tabs.
bool has_control_characters(const std::string& text);

}  // namespace halfdof::internal
