// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/base/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * An array of NumPy in a .npy file (NumPy Enhancement Proposal 1, versions 1.0 to 3.0). The file consists of
 * "\x93NUMPY", the version, the size of the header, the header, which is a literal of Python such as
 * `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, and the numbers.
 */
struct NpyArray {
  char kind = 0;  ///< f, i, u, c (complex), b (Boolean), S (bytes), U (text), O (objects), V (structs)
  std::uint64_t item_size = 0;  ///< number of bytes of an item; number of characters for the kind U
  ByteOrder order = machine_order;
  bool fortran_order = false;  ///< whether the first index changes fastest
  std::vector<std::int64_t> shape;
  std::int64_t n_items = 0;
  const char* data = nullptr;  ///< null if the items are neither numbers nor text

  bool is_complex() const { return kind == 'c'; }
  bool is_numeric() const { return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'c' || kind == 'b'; }
};

/// Returns the array that consists of all bytes of `reader`.
/// @throws FileError if the bytes are not an array, or if the file is cut off or continues after the numbers
NpyArray read_npy_array(ByteReader& reader);

/// Converts the first n items, or the real parts of complex items, to double and writes them to `items`.
/// Integers whose modulus exceeds 2^53 are rejected, because double precision does not represent all of them.
void copy_real(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader);

/// Writes the imaginary parts of the first n items of a complex array to `items`.
void copy_imaginary(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader);

/// Writes the first n items of an array of integers to `items`.
/// @throws FileError if an item does not lie within 0 ... largest
void copy_indices(const NpyArray& array, std::int64_t n, std::int64_t largest, Index* items,
                  const ByteReader& reader);

/// Returns the text of an array with one item, up to the first character that is not ASCII.
std::string text_item(const NpyArray& array);

/// Returns the bytes before the numbers of an array in version 1.0.
/// @param type The type of the numbers, for instance "<f8"
/// @param shape The shape of the array, for instance "(3,)"
/// @param fortran_order Whether the numbers are stored column by column
std::string npy_header(const std::string& type, const std::string& shape, bool fortran_order = false);

}  // namespace halfdof::internal
