#pragma once

#include <exception>
#include <string>

namespace halfdof::cli {

/// GMP and FLINT end the program where memory is short; from now on they throw std::bad_alloc, as all else
/// does. Where one cannot be caught, the program ends with its message.
void take_missing_memory_as_errors();

/// What an error says, in words where memory is short.
std::string message_of(const std::exception& error);

}  // namespace halfdof::cli
