// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/skipped_variable.h>

#include <filesystem>
#include <vector>

/**
 * @file
 * Matrices in MATLAB files (.mat) of the versions 5 (also compressed, which MATLAB calls 7) and 7.3, which is
 * HDF5. Version 5 is read here (MathWorks, MAT-File Level 5 File Format), with the check sums of compressed
 * variables; version 7.3 is read by matio and HDF5. These find out whether a file was cut off, but version
 * 1.10 of HDF5 writes behind its buffers in reading some files whose bytes were altered.
 */
namespace halfdof::internal {

/**
 * Reads every variable that is a matrix of numbers, in the order of the file (of their names in
 * version 7.3): sparse or dense, real or complex,
 * of any numeric type, or logical. Zeros of dense ones are not stored.
 * @param skipped Text, cells, structs, objects, arrays of more than two dimensions, and matrices with entries
 *     that are NaN or infinite are appended to it, if it is not null
 * @throws FileError if the file is cut off, damaged, of version 4, or holds no matrix
 */
std::vector<FileMatrix> read_matlab(const std::filesystem::path& file,
                                    std::vector<SkippedVariable>* skipped = nullptr);

}  // namespace halfdof::internal
