// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/skipped_variable.h>

#include <cstdint>
#include <string>
#include <vector>

namespace halfdof::internal {

/// An array of numbers of a MATLAB file in the stored type.
struct MatlabNumbers {
  /// 1 int8, 2 uint8, 3 int16, 4 uint16, 5 int32, 6 uint32, 7 single, 9 double, 12 int64, 13 uint64
  std::uint32_t type = 0;
  const char* data = nullptr;
  std::uint64_t n = 0;
  ByteOrder order = machine_order;
};

/// Returns the number of bytes of a number of the given type, or 0 if the type is not a type of numbers.
std::uint64_t matlab_number_size(std::uint32_t type);

/// A variable of a MATLAB file. The arrays of numbers are empty for text, cells, structs and objects.
struct MatlabArray {
  std::string name;
  std::uint32_t array_class = 0;  ///< 1 cell, 2 struct, 3 object, 4 text, 5 sparse, 6 to 15 dense, others
  bool is_complex = false;
  std::vector<std::int64_t> sizes;
  MatlabNumbers real, imaginary;
  MatlabNumbers rows, column_begins;  ///< the arrays ir and jc of a sparse matrix
  bool is_sparse() const { return array_class == 5; }
  bool is_numeric() const { return array_class >= 5 && array_class <= 15; }
};

/// The matrices of a MATLAB file, and the variables that are not matrices.
struct MatlabContents {
  std::vector<FileMatrix> matrices;
  std::vector<SkippedVariable> skipped;

  /// Appends the variable to the matrices or to the skipped variables. @param refuse Called if the parts of
  /// the variable are inconsistent
  void add(const MatlabArray& variable, const RejectFile& refuse);
};

/// Compares the size of a MATLAB file of version 7.3 with the size in its HDF5 superblock of version 0 to 3
/// (HDF5 File Format Specification, Version 3.0, II.A). The HDF5 library makes the same check, but prints
/// messages of its own.
/// @param reader A reader of the whole file, with little-endian numbers
void check_end_of_hdf5(ByteReader reader);

/// Reads a MATLAB file of version 7.3 with matio, and adds its variables to `contents`.
void read_matlab_hdf5(const std::filesystem::path& file, MatlabContents& contents);

}  // namespace halfdof::internal
