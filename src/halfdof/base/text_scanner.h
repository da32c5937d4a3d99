// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/gzip_reader.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace halfdof::internal {

/// Returns the first 40 characters of a text from a file for use in messages, with each byte that is
/// not printable ASCII replaced by '?'.
std::string shown(std::string_view text);

/**
 * Reads a text file of numbers once, from start to end, in blocks that fit into the cache, and counts
 * the lines. Words are separated by spaces and tabs; a line ends with \\n or \\r\\n, and the last line
 * may end without a line end. A byte order mark (BOM) at the start of the file is skipped. A file that
 * begins with gzip_mark is decompressed while it is read, whatever its name.
 *
 * @code
 * TextScanner scanner("constrained.txt", '#');
 * while (scanner.next_line()) {
 *   const GlobalIndex dof = scanner.whole_number("the DoF");
 *   scanner.end_line();
 * }
 * @endcode
 *
 * A separator, such as the comma of "1,2, 1,1, 5.0", also ends a word; expect_separator() reads the
 * separator.
 *
 * Every function throws FileError with the line and the word if the text does not have the requested form.
 */
class TextScanner {
 public:
  /// @param comment next_line() skips lines whose first word begins with this character
  /// @param separator A character that ends words; \n stands for no separator
  /// @throws FileError if the file is missing, not a regular file, or not readable
  TextScanner(std::filesystem::path file, char comment, char separator = '\n');
  ~TextScanner();
  TextScanner(const TextScanner&) = delete;
  TextScanner& operator=(const TextScanner&) = delete;

  /// Goes to the next line that is neither blank nor a comment; returns false at the end of the file. The
  /// previous line must have been finished by end_line() or skip_line().
  bool next_line();

  /// Returns the next line unchanged, without its line end, and an empty view at the end of the file.
  /// The view is valid until the next call of a member function.
  std::string_view whole_line();

  /// Reads the next line as whole_line() does, and returns false at the end of the file.
  bool next_whole_line(std::string_view& line);

  /// Reads a word that is a decimal integer of at most 18 digits. @param quantity Name of the number in
  /// messages
  GlobalIndex whole_number(const char* quantity);

  /// Reads a word that is a decimal number in fixed or exponential notation, or "nan" or "inf", and
  /// rounds the number to the nearest double. The notation 1.5D+03 of Fortran is accepted. A number
  /// outside the range of double is an error. @param quantity Name of the number in messages
  double real_number(const char* quantity);

  /// Reads the separator, which must be the next character. @param quantity Name of the quantity before
  /// the separator, in messages
  void expect_separator(const char* quantity);

  /// Returns whether the rest of the line is blank.
  bool at_line_end();

  /// Returns whether the next word begins a comment.
  bool at_comment();

  /// Finishes the line. The rest of the line must be blank.
  void end_line();

  /// Throws FileError if the last line of the file has no line end, because the file may be cut off
  /// within its last number. Readers call this function at the end of a file whose format does not
  /// contain the number of its entries.
  void require_last_line_end() const;

  /// Returns whether the last line of the file has been read, and has no line end.
  bool ends_without_line_end() const { return lacks_line_end_ && position_ == end_; }

  /// Finishes the line and ignores its rest.
  void skip_line();

  [[noreturn]] void fail(const std::string& reason) const { throw FileError(file_, line_, reason); }

  const std::filesystem::path& file() const { return file_; }

  /// Number of the current line, counted from one.
  GlobalIndex line() const { return line_; }

  /// Size of the whole file [bytes]; 0 for a compressed file, whose decompressed size is unknown.
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
  [[noreturn]] void refuse_separator(const char* quantity) const;
  [[noreturn]] void refuse_word(const char* quantity, const std::string& expected) const;

  std::filesystem::path file_;
  char comment_;
  char separator_;
  int descriptor_ = -1;
  bool has_begun_ = false;
  bool lacks_line_end_ = false;       ///< whether the last line of the file has no line end
  std::unique_ptr<GzipReader> gzip_;  ///< null unless the file is compressed
  GlobalIndex size_ = 0;
  GlobalIndex line_ = 0;
  // Parts of the buffer: from block_ to position_, text that has been processed; from position_ to end_,
  // whole lines, each ended by \n; from end_ to filled_, the start of an incomplete line.
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
  return is_blank(*p) || *p == '\n' || (*p == '\r' && p[1] == '\n') || *p == comment_ || *p == separator_;
}

inline bool TextScanner::at_line_end() {
  skip_blanks();
  return *position_ == '\n';
}

inline bool TextScanner::at_comment() {
  skip_blanks();
  return *position_ == comment_;
}

inline void TextScanner::expect_separator(const char* quantity) {
  skip_blanks();
  if (*position_ != separator_ || separator_ == '\n') refuse_separator(quantity);
  ++position_;
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

}  // namespace halfdof::internal
