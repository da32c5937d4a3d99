// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices of Nastran's module OUTPUT4 (NX Nastran DMAP Programmer's Guide, OUTPUT4). A text file has, for
 * each matrix,
 *
 * @code{.unparsed}
 *        7       5       2       2LOW     1P,3E23.16       columns, rows, form, type, name, format
 * (4I8,A8,A)        1       2       4                                 column, first row, words
 *   (3I8)  1.0000000000000000E+00 1.0000000000000000E+00 1.0000000000000000E+00
 *  1.0000000000000000E+00
 *        8       1       1                                 the last column plus one: the end, with a dummy
 * value  1.0000000000000000E+00
 * @endcode
 *
 * A first row 0 begins a sparse column, a sequence of strings: a line with 65536 (L + 1) + row, or, where the
 * number of rows is negative (BIGMAT), with L + 1 and row, and then the values, which take L words. A double
 * takes two words in strings; in dense columns the number of words is that of values, or twice as many, since
 * programs differ. Types are 1 and 2 (real), 3 and 4 (complex). All entries of symmetric matrices are listed.
 * Matrices have no labels.
 */
namespace halfdof::internal {

/// Reads all matrices of a text file. @throws FileError with the line that is wrong, also if the file is cut
/// off
std::vector<FileMatrix> read_op4_text(const std::filesystem::path& file);

/// Reads all matrices of a binary file.
std::vector<FileMatrix> read_op4_binary(const std::filesystem::path& file);

}  // namespace halfdof::internal
