#pragma once

#include <exception>

namespace halfdof::cli {

/// GMP and FLINT end the program where memory is short; from now on they throw std::bad_alloc, as all else
/// does. Where one cannot be caught, the program ends with its message.
void take_missing_memory_as_errors();

/// @throws std::bad_alloc if the memory did not suffice once since take_missing_memory_as_errors(): streams
/// of the standard library keep that to themselves, and what reads numbers from them gets zeros.
void check_memory_so_far();

/// Has the BLAS allocate now what it works in. OpenBLAS asks for it again and again, for ever, where the
/// system does not grant it; the program then ends with its message after two seconds of processor time of
/// this thread.
void reserve_memory_of_blas();

/// What an error says, in words where memory is short; it takes no memory and lives as long as the error.
const char* message_of(const std::exception& error);

}  // namespace halfdof::cli
