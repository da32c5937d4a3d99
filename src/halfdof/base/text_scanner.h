#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/base/gzip_reader.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace halfdof {

/// Text of a file, fit to be shown on a terminal: at most 40 characters, and those that print.
std::string shown(std::string_view text);

/**
 * A text file of numbers, read once from front to back in blocks that stay in the cache, which knows its
 * line. Words are separated by spaces and tabs; a line ends with \\n or \\r\\n; the last one need not. The
 * mark with which some editors begin a UTF-8 file (BOM) is passed over. A file that begins as gzip does is
 * decompressed on the way, whatever its name.
 *
 * @code
 * TextScanner scanner("constrained.txt", '#');
 * while (scanner.next_line()) {
 *   const GlobalIndex dof = scanner.whole_number("the DoF");
 *   scanner.end_line();
 * }
 * @endcode
 *
 * Every function throws FileError with the line and the word where the text is not what was asked for.
 */
class TextScanner {
 public:
  /// A line whose first word begins with `comment` is passed over by next_line(). Pipes are welcome.
  /// @throws FileError if the file is missing, a directory, or not readable
  TextScanner(std::filesystem::path file, char comment);
  ~TextScanner();
  TextScanner(const TextScanner&) = delete;
  TextScanner& operator=(const TextScanner&) = delete;

  /// Goes to the next line that is neither blank nor a comment; false at the end of the file. The line
  /// before must have been left by end_line() or skip_line().
  bool next_line();

  /// The next line as it stands, without its end; valid until the next call. Empty at the end of the file.
  std::string_view whole_line();

  /// A decimal integer of at most 18 digits, and the end of its word.
  GlobalIndex whole_number(const char* quantity);

  /// A decimal number in fixed or exponential notation ("nan" and "inf" too), rounded to the nearest double,
  /// and the end of its word. Outside the range of double it is refused. Fortran's 1.5D+03 is read, too.
  double real_number(const char* quantity);

  /// True where nothing but blanks is left of the line.
  bool at_line_end();

  /// True where a comment begins.
  bool at_comment();

  /// Leaves the line, of which nothing may be left.
  void end_line();

  /// Leaves the line, whatever is left of it.
  void skip_line();

  [[noreturn]] void fail(const std::string& reason) const { throw FileError(file_, line_, reason); }

  const std::filesystem::path& file() const { return file_; }

  /// The line just read, counted from one.
  GlobalIndex line() const { return line_; }

  /// Bytes of the whole file; 0 for a pipe or a compressed file, whose length nobody knows.
  GlobalIndex size() const { return size_; }

 private:
  static constexpr std::size_t block_size = std::size_t(1) << 18;

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  bool at_word_end(const char* p) const;
  std::string_view word() const;
  double fortran_number(const char* quantity);
  void skip_blanks();
  bool refill();
  std::size_t read_bytes(char* begin, std::size_t size) const;
  std::size_t read_first_block(char* begin, std::size_t size);
  std::size_t read_block(char* begin, std::size_t size);
  [[noreturn]] void refuse_word(const char* quantity, const std::string& expected) const;

  std::filesystem::path file_;
  char comment_;
  int descriptor_ = -1;
  bool has_begun_ = false;
  std::unique_ptr<GzipReader> gzip_;  ///< of a compressed file
  GlobalIndex size_ = 0;
  GlobalIndex line_ = 0;
  // block_ .. position_ .. end_ .. filled_: read | whole lines, the last one ended by \n | begin of a line
  std::unique_ptr<char[]> block_;
  const char* position_ = nullptr;
  const char* end_ = nullptr;
  const char* filled_ = nullptr;
};

inline void TextScanner::skip_blanks() {
  while (is_blank(*position_))
    ++position_;
  if (*position_ == '\r' && position_[1] == '\n') ++position_;
}

inline bool TextScanner::at_word_end(const char* p) const {
  return is_blank(*p) || *p == '\n' || (*p == '\r' && p[1] == '\n') || *p == comment_;
}

inline bool TextScanner::at_line_end() {
  skip_blanks();
  return *position_ == '\n';
}

inline bool TextScanner::at_comment() {
  skip_blanks();
  return *position_ == comment_;
}

inline bool TextScanner::next_line() {
  while (position_ != end_ || refill()) {
    ++line_;
    if (at_line_end())
      ++position_;
    else if (*position_ == comment_)
      skip_line();
    else
      return true;
  }
  return false;
}

inline GlobalIndex TextScanner::whole_number(const char* quantity) {
  skip_blanks();
  const char* p = position_ + (*position_ == '-' || *position_ == '+');
  const char* const first_digit = p;
  GlobalIndex value = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p - '0')) < 10 && p - first_digit < 18; ++p)
    value = 10 * value + digit;
  if (p == first_digit || !at_word_end(p)) refuse_word(quantity, "a whole number of at most 18 digits");
  if (*position_ == '-') value = -value;
  position_ = p;
  return value;
}

inline double TextScanner::real_number(const char* quantity) {
  skip_blanks();
  const char* begin = position_;
  if (*begin == '+' && begin[1] != '-') ++begin;
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end_, value);
  if (error == std::errc::result_out_of_range)
    refuse_word(quantity, "within the range of double precision (about 1e-308 to 1e308)");
  if (error != std::errc()) refuse_word(quantity, "a number");
  if (!at_word_end(stop)) return fortran_number(quantity);
  position_ = stop;
  return value;
}

}  // namespace halfdof
