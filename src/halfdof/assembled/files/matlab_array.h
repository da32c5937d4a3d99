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

/// Numbers of a MATLAB file, in the type that they are stored in.
struct MatlabNumbers {
  std::uint32_t type =
      0;  ///< 1 to 7, 9, 12 and 13: int8, uint8, int16, ..., uint32, single, double, int64, uint64
  const char* data = nullptr;
  std::uint64_t n = 0;
  ByteOrder order = machine_order;
};

/// Returns the bytes of a number of that type, 0 if it is no type of numbers.
std::uint64_t matlab_number_size(std::uint32_t type);

/// A variable of a MATLAB file. Text, cells, structs and objects have no numbers here.
struct MatlabArray {
  std::string name;
  std::uint32_t array_class = 0;  ///< 1 cell, 2 struct, 3 object, 4 text, 5 sparse, 6 to 15 dense, others
  bool is_complex = false;
  std::vector<std::int64_t> sizes;
  MatlabNumbers real, imaginary;
  MatlabNumbers rows, column_begins;  ///< only sparse: ir and jc
  bool is_sparse() const { return array_class == 5; }
  bool is_numeric() const { return array_class >= 5 && array_class <= 15; }
};

/// The matrices of a MATLAB file and the variables that are none.
struct MatlabContents {
  std::vector<FileMatrix> matrices;
  std::vector<SkippedVariable> skipped;

  /// Appends the variable to one of the two. @param refuse Called if its parts do not fit together
  void add(const MatlabArray& variable, const Refuse& refuse);
};

/// Compares the size of a file of version 7.3 with the one that its superblock states, in the versions 0 to 3
/// (HDF5 File Format Specification, Version 3.0, II.A). HDF5 does so, too, but prints messages of its own.
/// @param reader A reader of the whole file, with little-endian numbers
void check_end_of_hdf5(ByteReader reader);

/// Reads a file of version 7.3. The numbers of `add` are valid during the call.
void read_matlab_hdf5(const std::filesystem::path& file, MatlabContents& contents);

}  // namespace halfdof::internal
