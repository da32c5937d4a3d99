// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <exception>
#include <string>

/**
 * @file
 * Conversion of exceptions to bytes that are sent to other processes. InvalidInput, NotFinite,
 * UndefinedFunction, NotAvailable, SingularMatrix, NoConvergence, BlowUp, KindChange, SingularElimination and
 * std::bad_alloc keep their class and their data. An exception of a class derived from one of these is
 * rethrown as this base class, and every other exception as Error with its message.
 */
namespace halfdof::internal {

/// Converts an exception to bytes.
/// @param process The rank of the process on which the exception was thrown; the message names this
/// process if the exception does not come from the library itself.
std::string packed_error(const std::exception_ptr& error, int process);

/// Throws the exception that packed_error() converted to these bytes.
[[noreturn]] void throw_packed_error(const std::string& bytes);

}  // namespace halfdof::internal
