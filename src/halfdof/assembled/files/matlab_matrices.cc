// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matlab_array.h>
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/base/text_scanner.h>

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <new>
#include <set>

namespace halfdof::internal {

namespace {

constexpr std::uint32_t matrix_type = 14, compressed_type = 15;  ///< data types of elements
constexpr std::uint64_t header_size = 128;

/// Deflate represents at most 258 bytes by two bits, which is a ratio of 1032 (RFC 1951).
constexpr std::uint64_t max_deflate_ratio = 1032;

/// A data element of a MATLAB file of version 5.
struct Element {
  std::uint32_t type = 0;
  std::string_view bytes;
};

/// Reads a data element and the padding up to a multiple of eight bytes. A small element of up to four bytes
/// is stored in its tag.
Element next_element(ByteReader& reader, const char* quantity) {
  const auto first = reader.number<std::uint32_t>(quantity);
  if (first >> 16 != 0) {
    const std::uint32_t n = first >> 16;
    if (n > 4)
      reader.fail("a small element should have at most 4 bytes; this one has " + std::to_string(n) + ".");
    return {first & 0xffff, {reader.take(4, 1, quantity), n}};
  }
  const auto n = reader.number<std::uint32_t>(quantity);
  const Element element{first, {reader.take(n, 1, quantity), n}};
  if (first != compressed_type)
    reader.take(std::min<std::uint64_t>((8 - n % 8) % 8, reader.n_left()), 1, quantity);
  return element;
}

MatlabNumbers next_numbers(ByteReader& reader, const char* quantity) {
  const Element element = next_element(reader, quantity);
  const std::uint64_t size = matlab_number_size(element.type);
  if (size == 0)
    reader.fail(std::string(quantity) + " should be numbers; the type is " + std::to_string(element.type) +
                ".");
  return {element.type, element.bytes.data(), element.bytes.size() / size, reader.order()};
}

/// Decompresses a zlib stream that contains one element of known size.
class Inflater {
 public:
  Inflater(std::string_view compressed, const ByteReader& reader) : reader_(reader), stream_() {
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
    stream_.avail_in = static_cast<uInt>(compressed.size());
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses the next n bytes and writes them to `begin`.
  void read(char* begin, std::uint64_t n) {
    stream_.next_out = reinterpret_cast<Bytef*>(begin);
    stream_.avail_out = static_cast<uInt>(n);
    while (stream_.avail_out > 0)
      if (at_end_ || !advance()) fail();
  }
  /// Checks that no data follow, and that the check sum is right.
  void finish() {
    char byte;
    stream_.next_out = reinterpret_cast<Bytef*>(&byte);
    stream_.avail_out = 1;
    while (!at_end_)
      if (!advance() || stream_.avail_out == 0) fail();
  }

 private:
  bool advance() {
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    at_end_ = result == Z_STREAM_END;
    return result == Z_OK || at_end_;
  }
  [[noreturn]] void fail() const {
    reader_.fail(
        "the compressed variable that ends here is cut off or corrupt. Copy or write the file again.");
  }

  const ByteReader& reader_;
  z_stream stream_;
  bool at_end_ = false;
};

/// Decompresses an element that contains a matrix element, and returns the bytes of the matrix element
/// without its tag.
ByteBlock inflated(std::string_view compressed, const ByteReader& reader) {
  Inflater inflater(compressed, reader);
  char tag[8];
  inflater.read(tag, sizeof tag);
  const auto type = number_at<std::uint32_t>(tag, reader.order());
  const auto size = number_at<std::uint32_t>(tag + 4, reader.order());
  if (type != matrix_type)
    reader.fail("the compressed element that ends here should hold a variable (type 14), not type " +
                std::to_string(type) + ".");
  if (size / max_deflate_ratio > compressed.size())
    reader.fail("the compressed variable that ends here cannot have the " + std::to_string(size) +
                " bytes that its tag states.");
  ByteBlock bytes(size);
  inflater.read(bytes.data.get(), size);
  inflater.finish();
  return bytes;
}

/// Reads the parts of a variable. The values are read only if the variable is numeric.
MatlabArray read_variable(ByteReader& reader) {
  constexpr std::uint32_t complex_flag = 0x800, opaque = 17;
  MatlabArray variable;
  const MatlabNumbers flags = next_numbers(reader, "the flags of the variable");
  if (flags.type != 6 || flags.n < 2)
    reader.fail("the flags of a variable should be two numbers of type 6 (uint32).");
  const auto word = number_at<std::uint32_t>(flags.data, reader.order());
  variable.array_class = word & 0xff;
  variable.is_complex = (word & complex_flag) != 0;
  if (variable.array_class != opaque) {
    const MatlabNumbers sizes = next_numbers(reader, "the sizes of the variable");
    if (sizes.type != 5) reader.fail("the sizes of a variable should have type 5 (int32).");
    for (std::uint64_t k = 0; k < sizes.n; ++k)
      variable.sizes.push_back(number_at<std::int32_t>(sizes.data + 4 * k, reader.order()));
  }
  variable.name = next_element(reader, "the name of the variable").bytes;
  if (!variable.is_numeric()) return variable;
  if (variable.is_sparse()) {
    variable.rows = next_numbers(reader, "the rows of the entries");
    variable.column_begins = next_numbers(reader, "the beginnings of the columns");
  }
  variable.real = next_numbers(reader, "the values");
  if (variable.is_complex) variable.imaginary = next_numbers(reader, "the imaginary parts of the values");
  return variable;
}

void add_variable(const std::filesystem::path& file, std::string_view bytes, ByteOrder order,
                  std::uint64_t begin, MatlabContents& contents) {
  ByteReader reader(file, bytes, order, "the variable at byte " + std::to_string(begin));
  const MatlabArray variable = read_variable(reader);
  // A variable without a name contains data of objects.
  if (variable.name.empty()) return;
  contents.add(variable, [&](const std::string& reason) { reader.fail(reason); });
}

void read_version_5(ByteReader& reader, MatlabContents& contents) {
  reader.go_to(header_size);
  while (!reader.at_end()) {
    const std::uint64_t begin = reader.position();
    const Element element = next_element(reader, "a variable");
    if (element.type == compressed_type) {
      const ByteBlock bytes = inflated(element.bytes, reader);
      add_variable(reader.file(), {bytes.data.get(), bytes.size}, reader.order(), begin, contents);
    } else if (element.type == matrix_type) {
      add_variable(reader.file(), element.bytes, reader.order(), begin, contents);
    } else {
      reader.go_to(begin);
      reader.fail("a variable should begin here, with type 14 or 15 (compressed), not type " +
                  std::to_string(element.type) + ".");
    }
  }
}

MatlabContents contents_of(const std::filesystem::path& file) {
  MatlabContents contents;
  ByteBlock bytes = read_bytes(file);
  const std::string_view text(bytes.data.get(), bytes.size);
  if (text.size() < header_size)
    throw FileError(file, "a MATLAB file begins with a header of 128 bytes, and this file has " +
                              std::to_string(text.size()) + " bytes.");
  const std::string_view mark = text.substr(126, 2);
  const ByteOrder order = mark == "IM" ? ByteOrder::little : ByteOrder::big;
  const auto version = number_at<std::uint16_t>(text.data() + 124, order);
  if ((mark != "IM" && mark != "MI") || (version != 0x100 && version != 0x200))
    throw FileError(
        file,
        "this is no MATLAB file of the versions 5 to 7.3, because the version and the byte order mark 'IM' "
        "or 'MI' are missing at byte 124. If the file has version 4, save the "
        "matrices again with the option -v7.");
  if (version == 0x200) {
    check_end_of_hdf5({file, text, ByteOrder::little});
    bytes = ByteBlock();  // frees the memory, because the HDF5 library reads the file itself
    read_matlab_hdf5(file, contents);
  } else {
    ByteReader reader(file, text, order);
    read_version_5(reader, contents);
  }
  return contents;
}

void require_unique_names(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  std::vector<std::string> names;
  names.reserve(matrices.size());
  for (const FileMatrix& matrix : matrices)
    names.push_back(matrix.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw FileError(file, "the file contains two variables '" + shown(*twice) + "'. Write the file again.");
}

}  // namespace

std::vector<FileMatrix> read_matlab(const std::filesystem::path& file,
                                    std::vector<SkippedVariable>* skipped) {
  MatlabContents contents;
  try {
    contents = contents_of(file);
  } catch (const std::bad_alloc&) {
    throw FileError(file, "what the file holds does not fit in the memory.");
  }
  if (contents.matrices.empty()) {
    std::string reasons;
    for (const auto& [name, reason] : contents.skipped)
      reasons.append(" '").append(shown(name)).append("': ").append(reason).append(".");
    throw FileError(file, "the file holds no matrix." + reasons);
  }
  require_unique_names(file, contents.matrices);
  if (skipped != nullptr) skipped->insert(skipped->end(), contents.skipped.begin(), contents.skipped.end());
  return std::move(contents.matrices);
}

void check_matlab_names(const std::vector<std::string>& names) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> used;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > 63 || !is_letter(name[0]) ||
        !std::all_of(name.begin(), name.end(), fits))
      throw InvalidInput(
          "'" + name +
          "' is not a valid name of a MATLAB variable. A name begins with a letter and has at most 63 "
          "letters, digits and underscores.");
    if (!used.insert(name).second)
      throw InvalidInput("The name '" + name +
                         "' is given to two variables of one MATLAB file. Rename one of them.");
  }
}

}  // namespace halfdof::internal
