// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices in the Harwell-Boeing format (Duff, Grimes and Lewis, Sparse Matrix Test Problems, ACM TOMS 15,
 * 1989) and in its successor, the Rutherford-Boeing format, as ANSYS writes them with `*EXPORT, ..., HBMAT`:
 * a title, the numbers of lines, the type with the numbers of rows, columns and entries, the Fortran formats,
 * and then the starts of the columns, the rows and the values in fields of fixed width. Types have three
 * letters: R, I or C (real, integer, complex; P, a pattern, is refused), then U, S, H, Z or R (unsymmetric,
 * symmetric, Hermitian, skew-symmetric, rectangular), then A (assembled; E, elements, is refused). Symmetric
 * files list one triangle. Right-hand sides that follow are skipped. The name is the key (columns 73 to 80 of
 * the first line).
 *
 * The reader of SuiteSparse (RBio) is not used: it reads words that blanks separate, whereas fields may
 * touch, it does not know exponents D, it says no line, and it allocates what the header announces.
 */
namespace halfdof::internal {

std::vector<FileMatrix> read_harwell_boeing(const std::filesystem::path& file);

}  // namespace halfdof::internal
