#include <halfdof/base/number_text.h>

#include <sstream>

namespace halfdof {

std::string number_text(double number) {
  std::ostringstream text;
  text.precision(10);
  text << number + 0.;  // -0 has no sign
  return text.str();
}

}  // namespace halfdof
