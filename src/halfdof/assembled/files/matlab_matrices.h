// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/skipped_variable.h>

#include <filesystem>
#include <string>
#include <vector>

/**
 * @file
 * Matrices in MATLAB files (.mat) of version 5 (compressed files are called version 7 by MATLAB) and of
 * version 7.3, which is an HDF5 file. Version 5 is read by code of this library (MathWorks, MAT-File Level 5
 * File Format), which compares the check sums of compressed variables. Version 7.3 is read by the libraries
 * matio and HDF5. Files that are cut off are detected in all versions. However, HDF5 1.10 has buffer
 * overflows for some files whose bytes were altered.
 */
namespace halfdof::internal {

/**
 * Reads every variable that is a matrix of numbers, sparse or dense, real or complex, of any numeric type, or
 * logical. The matrices are in the order of the file (in version 7.3 in the order of their names). Zeros of
 * dense matrices are not stored.
 * @param skipped If not null, the list to which all other variables are appended: text, cells, structs,
 *     objects, and arrays of more than two dimensions
 * @throws FileError if the file is cut off, damaged, of version 4, or holds no matrix
 */
std::vector<FileMatrix> read_matlab(const std::filesystem::path& file,
                                    std::vector<SkippedVariable>* skipped = nullptr);

/**
 * Writes sparse matrices as variables of a file of version 7.3 by matio, without compression. Such variables
 * may be larger than the 2 GiB of version 5.
 * @throws InvalidInput as check_matlab_names(); FileError if the file cannot be written
 */
void write_matlab_hdf5(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices);

/// @throws InvalidInput unless all names begin with a letter, have at most 63 letters, digits and
/// underscores, and differ from each other
void check_matlab_names(const std::vector<std::string>& names);

}  // namespace halfdof::internal
