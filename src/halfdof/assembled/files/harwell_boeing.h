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
 * letters: R, I or C (real, integer, complex; P, a pattern, is rejected), then U, S, H, Z or R (unsymmetric,
 * symmetric, Hermitian, skew-symmetric, rectangular), then A (assembled; E, elements, is rejected). Symmetric
 * files list one triangle. Right-hand sides that follow are skipped. The name of the matrix is the key
 * (columns 73 to 80 of the first line).
 *
 * The reader of SuiteSparse (RBio) is not used for four reasons: it expects blanks between numbers, but
 * adjacent fields may have no blank between them; it does not accept the exponent letter D; its errors do not
 * name the line; and it allocates the memory for the sizes in the header without a check.
 */
namespace halfdof::internal {

std::vector<FileMatrix> read_harwell_boeing(const std::filesystem::path& file);

/// Number of characters of a matrix's name that a file has as its key.
constexpr std::size_t harwell_boeing_key_length = 8;

/**
 * Writes all entries of a matrix with 17 digits each, both triangles of a symmetric one, because SciPy reads
 * unsymmetric square matrices only. The title is the name, and the key its first eight characters.
 *
 * RBwrite() of SuiteSparse 5.12 is not used for two reasons: it writes a matrix of ones as a pattern without
 * values, and rounds complex entries to two digits.
 */
void write_harwell_boeing(const std::filesystem::path& file, const FileMatrix& matrix);

}  // namespace halfdof::internal
