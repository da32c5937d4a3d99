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
 * If the first row is 0, the column is sparse. A sparse column is a sequence of strings, which are values in
 * consecutive rows. A string begins with a line with the number 65536 (L + 1) + row, or, if the number of
 * rows in the header is negative (BIGMAT), with the two numbers L + 1 and row. The values follow and take L
 * words, two for each double. In dense columns, programs differ in the number of words: some count values,
 * and others count two words for each double. Types are 1 and 2 (real), 3 and 4 (complex). All entries of
 * symmetric matrices are listed. Matrices have no labels.
 */
namespace halfdof::internal {

/// Reads all matrices of a text file. @throws FileError with the line if the file is wrong or cut off
std::vector<FileMatrix> read_op4_text(const std::filesystem::path& file);

/// Reads all matrices of a binary file. @throws FileError with the position if the file is wrong or cut off
std::vector<FileMatrix> read_op4_binary(const std::filesystem::path& file);

}  // namespace halfdof::internal
