#pragma once

#include <exception>
#include <string>

/**
 * @file
 * An error as bytes that are sent to other processes. InvalidInput, NotFinite, UndefinedFunction,
 * NotAvailable, SingularMatrix, NoConvergence, BlowUp, KindChange, SingularElimination and std::bad_alloc
 * arrive as what they were, with their data; errors derived from these arrive as the class that they are
 * derived from, and everything else as Error with its message.
 */
namespace halfdof {

/// @param process The rank of the process on which the error was thrown; the message names it where the
///   error is none of the library's own.
std::string packed_error(const std::exception_ptr& error, int process);

/// Throws the error that packed_error() made these bytes of.
[[noreturn]] void throw_packed_error(const std::string& bytes);

}  // namespace halfdof
