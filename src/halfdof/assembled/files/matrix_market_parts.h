// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>

namespace halfdof::internal {

/// Reads a sparse matrix like read_matrix_market(), but accepts also `complex` entries, which are two numbers
/// each. A complex matrix may be `hermitian`: a_ji is the conjugate of a_ij, and diagonal entries are real.
FileMatrix read_matrix_market_parts(const std::filesystem::path& file);

}  // namespace halfdof::internal
