// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/base/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * An array of NumPy as a .npy file holds it (NumPy Enhancement Proposal 1, versions 1.0 to 3.0): "\x93NUMPY",
 * the version, the size of the header, the header, a literal of Python such as
 * `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, and the numbers.
 */
struct NpyArray {
  char kind = 0;  ///< f, i, u, c (complex), b (Boolean), S (bytes), U (text), O (objects), V (structs)
  std::uint64_t item_size = 0;  ///< bytes of an item; for U of one character
  ByteOrder order = machine_order;
  bool fortran_order = false;  ///< whether the first index changes fastest
  std::vector<std::int64_t> shape;
  std::int64_t n_items = 0;
  const char* data = nullptr;  ///< null if the items are no numbers and no text

  bool is_complex() const { return kind == 'c'; }
  bool is_numeric() const { return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'c' || kind == 'b'; }
};

/// Returns the array whose bytes `reader` holds, from its first byte to its last.
/// @throws FileError if the bytes are no array, or the file is cut off or goes on after the numbers
NpyArray read_npy_array(ByteReader& reader);

/// Writes the first n items as double to `items`, or the real parts of complex ones. Integers beyond 2^53 are
/// refused, as double does not hold them.
void copy_real(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader);

/// Writes the imaginary parts of the first n items of a complex array to `items`.
void copy_imaginary(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader);

/// Writes the first n items of an array of integers to `items`.
/// @throws FileError if one is not within 0 ... largest
void copy_indices(const NpyArray& array, std::int64_t n, std::int64_t largest, Index* items,
                  const ByteReader& reader);

/// Returns the text of an array with one item, as far as it is ASCII.
std::string text_item(const NpyArray& array);

/// The bytes before the numbers of an array in version 1.0. @param type For instance "<f8"; @param shape For
/// instance "(3,)"
/// @param fortran_order Whether the numbers stand column by column
std::string npy_header(const std::string& type, const std::string& shape, bool fortran_order = false);

}  // namespace halfdof::internal
