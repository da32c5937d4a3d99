// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/nastran_op4.h>

#include <cstdlib>
#include <limits>
#include <new>

/**
 * @file
 * Binary OUTPUT4 files consist of Fortran records. A record is its length in bytes (int32), its bytes, and
 * the length again. A matrix begins with a record of four integers and a name, which has 24 bytes, or 48
 * bytes in files with integers of 64 bits. A record for each column follows, with three integers before the
 * words.
 */
namespace halfdof::internal {

namespace {

/// The sizes of the items of a file [bytes].
struct WordSizes {
  std::uint64_t word =
      4;  ///< size of an integer and of a number in single precision: 4, or 8 in files of 64 bits
  std::uint64_t name = 8;  ///< size of the name of a matrix
};

std::int64_t next_integer(ByteReader& reader, const WordSizes& sizes, const char* quantity) {
  return sizes.word == 4 ? reader.number<std::int32_t>(quantity) : reader.number<std::int64_t>(quantity);
}

/// Reads a Fortran record and returns its bytes, without the two lengths.
std::string_view next_record(ByteReader& reader, const char* quantity) {
  const std::uint64_t begin = reader.position();
  const auto n = reader.number<std::int32_t>(quantity);
  if (n < 0) {
    reader.go_to(begin);
    reader.fail("the length of the record of " + std::string(quantity) + " is " + std::to_string(n) +
                " bytes; it must not be negative.");
  }
  const std::string_view bytes(reader.take(static_cast<std::uint64_t>(n), 1, quantity),
                               static_cast<std::size_t>(n));
  if (const auto again = reader.number<std::int32_t>(quantity); again != n)
    reader.fail(std::string(quantity) + " of " + std::to_string(n) +
                " bytes should end with its length, but ends with " + std::to_string(again) + ".");
  return bytes;
}

/// A matrix of a file: its header and its entries.
class Op4Matrix {
 public:
  Op4Matrix(ByteReader header, const WordSizes& sizes, RejectFile refuse)
      : sizes_(sizes), refuse_(std::move(refuse)) {
    n_columns_ = next_integer(header, sizes, "the number of columns");
    const std::int64_t n_rows = next_integer(header, sizes, "the number of rows");
    const std::int64_t form = next_integer(header, sizes, "the form");
    const std::int64_t type = next_integer(header, sizes, "the type");
    is_big_ = n_rows < 0 || n_rows > 65535;
    if (n_rows == std::numeric_limits<std::int64_t>::min())
      refuse_("the number of rows is -2^63; the file is damaged.");
    n_rows_ = std::abs(n_rows);
    check_dense_size(n_rows_, n_columns_, refuse_);
    if (form != 1 && form != 2 && form != 6)
      refuse_("the form is " + std::to_string(form) +
              "; known are 1 (square), 2 (rectangular) and 6 (symmetric).");
    if (type < 1 || type > 4)
      refuse_("the type is " + std::to_string(type) +
              "; known are 1 to 4 (real and complex, single and double precision).");
    is_complex_ = type > 2;
    number_size_ = type % 2 == 0 ? 8 : sizes.word;
    const char* const name = header.take(sizes.name, 1, "the name");
    for (std::uint64_t k = 0; k < sizes.name; ++k)
      if (name[k] != ' ' && name[k] != '\0') name_ += name[k];
  }

  /// Reads the record of a column. Returns false if the record ends the matrix and is not a column.
  bool read_column(ByteReader record) {
    const std::int64_t column = next_integer(record, sizes_, "the column");
    const std::int64_t row = next_integer(record, sizes_, "the first row");
    const std::int64_t n_words = next_integer(record, sizes_, "the number of words");
    if (column == n_columns_ + 1) return false;
    if (column < 1 || column > n_columns_)
      record.fail("the column is " + std::to_string(column) + ", which lies outside 1 ... " +
                  std::to_string(n_columns_) + ".");
    // Some programs count words, and others count numbers.
    if (n_words < 0 || (static_cast<std::uint64_t>(n_words) != record.n_left() / sizes_.word &&
                        static_cast<std::uint64_t>(n_words) != record.n_left() / number_size_))
      record.fail("the column should have " + std::to_string(n_words) + " words, but " +
                  std::to_string(record.n_left()) + " bytes follow in its record.");
    if (row != 0) {
      add_numbers(record, row, record.n_left(), column, Zeros::left_out);
      return true;
    }
    while (!record.at_end())
      add_string(record, column);
    return true;
  }

  FileMatrix to_file_matrix() const {
    const auto n = static_cast<std::int64_t>(real_.size());
    check_sparse_size(n_rows_, n_columns_, n, refuse_);
    FileMatrix matrix;
    matrix.name = name_;
    const auto assembled = [&](const std::vector<ListedEntry>& entries) {
      return compressed(static_cast<Index>(n_rows_), static_cast<Index>(n_columns_), entries, Mirror::none,
                        refuse_);
    };
    assembled(real_).swap(matrix.real);
    if (is_complex_) assembled(imaginary_).swap(matrix.imaginary);
    check_finite(matrix, 1, refuse_);
    return matrix;
  }

 private:
  enum class Zeros { left_out, kept };

  /// Reads numbers of a column in consecutive rows.
  void add_numbers(ByteReader& record, std::int64_t row, std::uint64_t n_bytes, std::int64_t column,
                   Zeros zeros) {
    const std::uint64_t item_size = number_size_ * (is_complex_ ? 2 : 1);
    const std::uint64_t n = n_bytes / item_size;
    if (n_bytes % item_size != 0)
      record.fail("the numbers have " + std::to_string(n_bytes) + " bytes, which is not a multiple of " +
                  std::to_string(item_size) + ", the size of a number.");
    if (row < 1 || row > n_rows_ || n > static_cast<std::uint64_t>(n_rows_ - row + 1))
      record.fail(std::to_string(n) + " numbers from row " + std::to_string(row) + " on lie outside 1 ... " +
                  std::to_string(n_rows_) + ".");
    for (std::uint64_t k = 0; k < n; ++k) {
      const double real = next_number(record), imaginary = is_complex_ ? next_number(record) : 0;
      if (zeros == Zeros::left_out && real == 0 && imaginary == 0) continue;
      const Index i = static_cast<Index>(row - 1 + static_cast<std::int64_t>(k)),
                  j = static_cast<Index>(column - 1);
      real_.push_back({i, j, real});
      if (is_complex_) imaginary_.push_back({i, j, imaginary});
    }
  }

  void add_string(ByteReader& record, std::int64_t column) {
    std::int64_t length = next_integer(record, sizes_, "the length of a string");  // number of words plus one
    std::int64_t row = 0;
    if (is_big_) {
      row = next_integer(record, sizes_, "the first row of a string");
    } else {
      row = length % 65536;
      length /= 65536;
    }
    if (length < 1 || static_cast<std::uint64_t>(length - 1) > record.n_left() / sizes_.word)
      record.fail("a string should have " + std::to_string(length - 1) + " words, but " +
                  std::to_string(record.n_left()) + " bytes are left in the column.");
    add_numbers(record, row, static_cast<std::uint64_t>(length - 1) * sizes_.word, column, Zeros::kept);
  }

  double next_number(ByteReader& record) const {
    return number_size_ == 8 ? record.number<double>("a number")
                             : static_cast<double>(record.number<float>("a number"));
  }

  WordSizes sizes_;
  RejectFile refuse_;
  std::string name_;
  std::int64_t n_rows_ = 0, n_columns_ = 0;
  std::uint64_t number_size_ = 8;
  bool is_big_ = false, is_complex_ = false;
  std::vector<ListedEntry> real_, imaginary_;
};

/// The byte order and the size of words of a file.
struct Layout {
  ByteOrder order;
  WordSizes sizes;
};

/// Finds the layout by the length of the first record, which is a header of 24 or 48 bytes.
Layout layout_of(ByteReader reader) {
  const char* const mark = reader.take(1, 4, "the length of a header");
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    const auto length = number_at<std::int32_t>(mark, order);
    if (length == 24) return {order, {4, 8}};
    if (length == 48) return {order, {8, 16}};
  }
  reader.go_to(0);
  reader.fail(
      "a binary OUTPUT4 file should begin with the length of a record, 24 or 48, in either byte order.");
}

FileMatrix next_matrix(ByteReader& reader, const WordSizes& sizes) {
  const std::uint64_t begin = reader.position();
  const auto nested = [&](std::string_view bytes) {
    return ByteReader(reader.file(), bytes, reader.order(),
                      "the record that ends at byte " + std::to_string(reader.position()));
  };
  const std::string_view header = next_record(reader, "the header of a matrix");
  if (header.size() != 4 * sizes.word + sizes.name)
    reader.fail("the header of a matrix should have " + std::to_string(4 * sizes.word + sizes.name) +
                " bytes; the record before this byte has " + std::to_string(header.size()) + ".");
  Op4Matrix matrix(nested(header), sizes, [&](const std::string& reason) {
    reader.fail("in the matrix that begins at byte " + std::to_string(begin) + ", " + reason);
  });
  bool is_column = true;
  while (is_column) {
    const std::string_view record = next_record(reader, "a column");
    is_column = matrix.read_column(nested(record));
  }
  return matrix.to_file_matrix();
}

}  // namespace

std::vector<FileMatrix> read_op4_binary(const std::filesystem::path& file) {
  try {
    const ByteBlock bytes = read_bytes(file);
    const std::string_view text(bytes.data.get(), bytes.size);
    const auto [order, sizes] = layout_of({file, text, ByteOrder::little});
    ByteReader reader(file, text, order);
    std::vector<FileMatrix> matrices;
    do
      matrices.push_back(next_matrix(reader, sizes));
    while (!reader.at_end());
    return matrices;
  } catch (const std::bad_alloc&) {
    throw FileError(file, "what the file holds does not fit in the memory.");
  }
}

}  // namespace halfdof::internal
