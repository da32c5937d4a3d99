#pragma once

#include <string>

namespace halfdof {

/// A text of whatever origin as messages show it: control characters, which a terminal would obey, become
/// escape sequences such as "\x1b". Line ends and tabs are kept.
std::string printable(const std::string& text);

/// Whether printable() changes the text, or it has line ends or tabs.
bool has_control_characters(const std::string& text);

}  // namespace halfdof
