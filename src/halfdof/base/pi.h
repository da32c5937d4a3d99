#pragma once

namespace halfdof {

constexpr double pi = 3.14159265358979323846;

}  // namespace halfdof
