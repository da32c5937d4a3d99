#pragma once

#include <halfdof/inclusions/scalar_function.h>

#include <optional>
#include <string>

/// What several laws ask of their numbers.
namespace halfdof::law_checks {

/// The value at a time. @throws InvalidInput with law, quantity, value and time if it is negative
double not_negative(const std::string& law, const std::string& quantity, const ScalarFunction& function,
                    double time);

/// @throws InvalidInput unless it is between 0 and 1, or absent
void restitution(const std::string& law, std::optional<double> value);

}  // namespace halfdof::law_checks
