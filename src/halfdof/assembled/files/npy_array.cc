// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/npy_array.h>
#include <halfdof/base/characters.h>
#include <halfdof/base/text_scanner.h>

#include <limits>

namespace halfdof::internal {

namespace {

constexpr std::string_view mark = "\x93NUMPY";

/// Parses the header of an array, which is a literal dictionary of Python.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const ByteReader& reader) : text_(text), reader_(reader) {}

  /// Skips blanks, and then the character c if it follows. Returns whether it follows.
  bool accept(char c) {
    at_ = std::min(text_.find_first_not_of(" \n\t\r", at_), text_.size());
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "'");
  }
  std::string quoted_string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("a closing quote");
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    accept(' ');
    for (const std::string_view word : {"True", "False"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    fail("True or False");
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(whole_number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }
  [[noreturn]] void fail(const std::string& expected) const {
    reader_.fail("the rest '" + shown(text_.substr(std::min(at_, text_.size()))) +
                 "' of the header should begin with " + expected +
                 ", as in {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.");
  }

 private:
  std::int64_t whole_number() {
    accept(' ');
    std::int64_t number = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - begin < 18; ++at_)
      number = 10 * number + (text_[at_] - '0');
    if (at_ == begin) fail("a whole number of at most 18 digits");
    accept('L');  // Python 2 appends this letter
    return number;
  }

  std::string_view text_;
  const ByteReader& reader_;
  std::size_t at_ = 0;
};

/// Sets kind, item_size and order of the array according to a type such as "<f8".
void set_type(NpyArray& array, const std::string& type, const ByteReader& reader) {
  if (type.size() < 2 || std::string_view("<>|=").find(type[0]) == std::string_view::npos)
    reader.fail("the type of the numbers is '" + shown(type) + "'; a type such as '<f8' is expected.");
  array.kind = type[1];
  array.order = type[0] == '>' ? ByteOrder::big : type[0] == '<' ? ByteOrder::little : machine_order;
  std::size_t at = 2;
  for (; at < type.size() && is_digit(type[at]) && at < 11; ++at)
    array.item_size = 10 * array.item_size + static_cast<std::uint64_t>(type[at] - '0');
}

void read_header(NpyArray& array, std::string_view text, const ByteReader& reader) {
  HeaderParser header(text, reader);
  bool has_type = false, has_order = false, has_shape = false;
  header.expect('{');
  while (!header.accept('}')) {
    const std::string key = header.quoted_string();
    header.expect(':');
    if (key == "descr" && !has_type) {
      has_type = true;
      if (header.accept('[')) {
        array.kind = 'V';  // arrays of structs are skipped, so that the rest of the header is not needed
        return;
      }
      set_type(array, header.quoted_string(), reader);
    } else if (key == "fortran_order" && !has_order) {
      has_order = true;
      array.fortran_order = header.boolean();
    } else if (key == "shape" && !has_shape) {
      has_shape = true;
      array.shape = header.shape();
    } else {
      header.fail("'descr', 'fortran_order' and 'shape', each once, not '" + shown(key) + "'");
    }
    if (!header.accept(',')) {
      header.expect('}');
      break;
    }
  }
  if (!has_type || !has_order || !has_shape) header.fail("'descr', 'fortran_order' and 'shape'");
}

bool has_known_size(const NpyArray& array) {
  const std::uint64_t n = array.item_size;
  switch (array.kind) {
    case 'f':
      return n == 4 || n == 8;
    case 'c':
      return n == 8 || n == 16;
    case 'b':
      return n == 1;
    default:
      return n == 1 || n == 2 || n == 4 || n == 8;
  }
}

/// Returns the product of the sizes in all dimensions. @throws FileError if the product exceeds the range of
/// int64
std::int64_t number_of_items(const std::vector<std::int64_t>& shape, const ByteReader& reader) {
  std::int64_t n = 1;
  for (const std::int64_t size : shape)
    if (size == 0) return 0;
  for (const std::int64_t size : shape) {
    if (n > std::numeric_limits<std::int64_t>::max() / size)
      reader.fail("the number of items of the array exceeds 2^63 - 1; the file is damaged.");
    n *= size;
  }
  return n;
}

/// Calls use(convert, zero), where convert(p) returns the real number at p as double, and zero has the type
/// of the numbers.
template <class Use>
void call_with_number_type(const NpyArray& array, const Use& use) {
  const auto of = [&](auto zero) {
    using Number = decltype(zero);
    use([order = array.order](const char* p) { return static_cast<double>(number_at<Number>(p, order)); },
        zero);
  };
  const bool is_float = array.kind == 'f' || array.kind == 'c';
  const std::uint64_t size = array.kind == 'c' ? array.item_size / 2 : array.item_size;
  if (is_float) return size == 4 ? of(0.f) : of(0.);
  if (array.kind == 'i')
    return size == 1   ? of(std::int8_t(0))
           : size == 2 ? of(std::int16_t(0))
           : size == 4 ? of(std::int32_t(0))
                       : of(std::int64_t(0));
  return size == 1   ? of(std::uint8_t(0))
         : size == 2 ? of(std::uint16_t(0))
         : size == 4 ? of(std::uint32_t(0))
                     : of(std::uint64_t(0));
}

void copy(const NpyArray& array, std::int64_t n, std::uint64_t offset, double* items,
          const ByteReader& reader) {
  call_with_number_type(array, [&](const auto& convert, auto zero) {
    using Number = decltype(zero);
    const char* p = array.data + offset;
    for (std::int64_t k = 0; k < n; ++k, p += array.item_size) {
      items[k] = convert(p);
      if constexpr (std::is_integral_v<Number>)
        if (const auto integer = number_at<Number>(p, array.order); !fits_double(integer))
          reader.fail("the modulus of the integer " + std::to_string(integer) +
                      " exceeds 2^53, so that double precision does not represent it exactly.");
    }
  });
}

}  // namespace

NpyArray read_npy_array(ByteReader& reader) {
  if (std::string_view(reader.take(mark.size(), 1, "the mark of an array of NumPy"), mark.size()) != mark) {
    reader.go_to(0);
    reader.fail("an array of NumPy should begin with \\x93NUMPY, but these bytes do not.");
  }
  const auto major = reader.number<std::uint8_t>("the version of the format");
  reader.number<std::uint8_t>("the version of the format");
  if (major < 1 || major > 3)
    reader.fail("the array has version " + std::to_string(major) + " of the format; known are 1 to 3.");
  const std::uint64_t header_size =
      major == 1 ? number_at<std::uint16_t>(reader.take(2, 1, "the size of the header"), ByteOrder::little)
                 : number_at<std::uint32_t>(reader.take(4, 1, "the size of the header"), ByteOrder::little);
  NpyArray array;
  const char* const header = reader.take(header_size, 1, "the header");
  read_header(array, {header, header_size}, reader);
  if (!array.is_numeric() && array.kind != 'S' && array.kind != 'U') return array;
  if (array.is_numeric() && !has_known_size(array)) {
    array.kind = '?';
    return array;
  }
  array.n_items = number_of_items(array.shape, reader);
  const std::uint64_t n_bytes = array.item_size * (array.kind == 'U' ? 4 : 1);
  if (n_bytes == 0) return array;
  array.data = reader.take(static_cast<std::uint64_t>(array.n_items), n_bytes, "the items of the array");
  if (!reader.at_end()) reader.fail("the file continues after the array whose size its header states.");
  return array;
}

void copy_real(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader) {
  copy(array, n, 0, items, reader);
}

void copy_imaginary(const NpyArray& array, std::int64_t n, double* items, const ByteReader& reader) {
  copy(array, n, array.item_size / 2, items, reader);
}

void copy_indices(const NpyArray& array, std::int64_t n, std::int64_t largest, Index* items,
                  const ByteReader& reader) {
  if (array.kind != 'i' && array.kind != 'u')
    reader.fail(std::string("indices should be integers (kind i or u), but these items are of the kind '") +
                array.kind + "'.");
  call_with_number_type(array, [&](const auto&, auto zero) {
    using Number = decltype(zero);
    const char* p = array.data;
    for (std::int64_t k = 0; k < n; ++k, p += array.item_size) {
      const auto number = number_at<Number>(p, array.order);
      // An unsigned number above the range of int64 becomes negative and is rejected below.
      const auto index = static_cast<std::int64_t>(number);  // NOLINT(bugprone-signed-char-misuse): no text
      if (index < 0 || index > largest)
        reader.fail("index " + std::to_string(k) + " (counted from zero) is " + std::to_string(number) +
                    ", which lies outside 0 ... " + std::to_string(largest) + ".");
      items[k] = static_cast<Index>(index);
    }
  });
}

std::string text_item(const NpyArray& array) {
  std::string text;
  if (array.n_items != 1 || array.data == nullptr || (array.kind != 'S' && array.kind != 'U')) return text;
  for (std::uint64_t k = 0; k < array.item_size; ++k) {
    const auto c = array.kind == 'S' ? static_cast<std::uint32_t>(static_cast<unsigned char>(array.data[k]))
                                     : number_at<std::uint32_t>(array.data + 4 * k, array.order);
    if (c == 0 || c > 126) break;
    text += static_cast<char>(c);
  }
  return text;
}

std::string npy_header(const std::string& type, const std::string& shape, bool fortran_order) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  // The header is padded so that the numbers begin at a multiple of 64 bytes.
  const std::size_t n_before = mark.size() + 4;
  header.resize((n_before + header.size() + 64) / 64 * 64 - n_before - 1, ' ');
  header += '\n';
  std::string bytes(mark);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

}  // namespace halfdof::internal
