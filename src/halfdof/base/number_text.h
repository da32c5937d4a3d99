#pragma once

#include <string>

namespace halfdof {

/// A real number for messages, with up to ten digits: "2.5", "1e-09", "nan". std::to_string would print 1e-9
/// as "0.000000".
std::string number_text(double number);

}  // namespace halfdof
