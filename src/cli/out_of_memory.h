// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <exception>

namespace halfdof::cli {

/// Makes GMP and FLINT throw std::bad_alloc if memory is exhausted; by default they end the program. Where
/// the exception cannot be caught, the program ends with its message.
void take_missing_memory_as_errors();

/// Checks whether an allocation has failed since take_missing_memory_as_errors(). Streams of the standard
/// library hide such a failure, and numbers read from them are then zeros. @throws std::bad_alloc if one has
/// failed
void throw_if_allocation_failed();

/// Lets the BLAS allocate its work space now. OpenBLAS repeats a failed allocation for ever; in that case the
/// program ends with a message after two seconds of processor time of this thread.
void reserve_memory_of_blas();

/// Returns the message of an error, also for exhausted memory. It allocates no memory, and the text is valid
/// as long as the error.
const char* message_of(const std::exception& error);

}  // namespace halfdof::cli
