// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/input_file.h>
#include <halfdof/base/text_scanner.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace halfdof::internal {

std::string shown(std::string_view text) {
  const std::size_t longest = 40;
  std::string result(text.substr(0, longest));
  const auto prints = [](char c) { return c >= ' ' && c <= '~'; };
  std::replace_if(
      result.begin(), result.end(), [&](char c) { return !prints(c); }, '?');
  return text.size() > longest ? result + "..." : result;
}

TextScanner::TextScanner(std::filesystem::path file, char comment, char separator)
    : file_(std::move(file)), comment_(comment), separator_(separator), block_(new char[block_size + 1]) {
  if (const std::string obstacle = why_unreadable(file_); !obstacle.empty())
    throw FileError(file_, "the file cannot be read: " + obstacle + ".");
  descriptor_ = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError(file_, "the file cannot be read: " + system_message(errno));
  struct stat status = {};
  if (fstat(descriptor_, &status) == 0) size_ = status.st_size;
  position_ = end_ = filled_ = block_.get();
}

TextScanner::~TextScanner() {
  close(descriptor_);
}

std::size_t TextScanner::read_bytes(char* begin, std::size_t size) const {
  for (;;) {
    const ssize_t n_read = read(descriptor_, begin, size);
    if (n_read >= 0) return static_cast<std::size_t>(n_read);
    if (errno != EINTR) throw FileError(file_, line_, "reading failed: " + system_message(errno));
  }
}

/// Reads the first block of the file. The first bytes show whether the file is compressed.
std::size_t TextScanner::read_first_block(char* begin, std::size_t size) {
  std::size_t n_read = 0;
  while (n_read < gzip_mark.size()) {
    const std::size_t n_more = read_bytes(begin + n_read, size - n_read);
    if (n_more == 0) break;
    n_read += n_more;
  }
  if (std::string_view(begin, n_read).substr(0, gzip_mark.size()) != gzip_mark) return n_read;
  size_ = 0;
  gzip_ = std::make_unique<GzipReader>(
      std::string(begin, n_read), [this](char* to, std::size_t room) { return read_bytes(to, room); },
      [this](const std::string& reason) { fail(reason); });
  return gzip_->read(begin, size);
}

std::size_t TextScanner::read_block(char* begin, std::size_t size) {
  if (std::exchange(has_begun_, true)) return gzip_ ? gzip_->read(begin, size) : read_bytes(begin, size);
  return read_first_block(begin, size);
}

bool TextScanner::refill() {
  std::size_t n_kept = static_cast<std::size_t>(filled_ - end_);
  std::memmove(block_.get(), end_, n_kept);
  const char* last_line_end = nullptr;
  bool at_end_of_file = false;
  while (last_line_end == nullptr && !at_end_of_file) {
    if (n_kept == block_size)
      throw FileError(file_, line_ + 1,
                      "the line is longer than 256 KiB, so this is not a text file of numbers.");
    const std::size_t n_read = read_block(block_.get() + n_kept, block_size - n_kept);
    at_end_of_file = n_read == 0;
    last_line_end = static_cast<const char*>(memrchr(block_.get() + n_kept, '\n', n_read));
    n_kept += n_read;
  }
  if (last_line_end == nullptr && n_kept > 0) {
    const auto is_space = [](char c) { return is_blank(c) || c == '\r'; };
    lacks_line_end_ = !std::all_of(block_.get(), block_.get() + n_kept, is_space);
    last_line_end = block_.get() + n_kept;
    block_[n_kept++] = '\n';
  }
  position_ = block_.get();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (line_ == 0 && n_kept > byte_order_mark.size() &&
      std::string_view(position_, byte_order_mark.size()) == byte_order_mark)
    position_ += byte_order_mark.size();
  end_ = last_line_end == nullptr ? position_ : last_line_end + 1;
  filled_ = block_.get() + n_kept;
  return position_ != end_;
}

std::string_view TextScanner::whole_line() {
  std::string_view line;
  next_whole_line(line);
  return line;
}

bool TextScanner::next_whole_line(std::string_view& line) {
  line = {};
  if (position_ == end_ && !refill()) return false;
  ++line_;
  const char* const begin = position_;
  skip_line();
  const char* end = position_ - 1;
  if (end != begin && end[-1] == '\r') --end;
  line = {begin, static_cast<std::size_t>(end - begin)};
  return true;
}

void TextScanner::skip_line() {
  position_ =
      static_cast<const char*>(std::memchr(position_, '\n', static_cast<std::size_t>(end_ - position_))) + 1;
}

void TextScanner::end_line() {
  if (at_line_end())
    ++position_;
  else
    fail("the line should end, but it goes on with '" + shown(word()) + "'.");
}

void TextScanner::require_last_line_end() const {
  if (ends_without_line_end())
    fail(
        "the last line of the file has no line end, so that the file may be cut off within its last number. "
        "Copy or write the file again; if the file is complete, add the line end.");
}

void TextScanner::refuse_separator(const char* quantity) const {
  fail("after " + std::string(quantity) + " a '" + separator_ + "' is expected" +
       (word().empty() ? ", but the line ends." : ", not '" + shown(word()) + "'."));
}

void TextScanner::refuse_word(const char* quantity, const std::string& expected) const {
  if (word().empty()) fail(std::string(quantity) + " is missing: the line is too short.");
  fail(std::string(quantity) + " is '" + shown(word()) + "', which is not " + expected + ".");
}

double TextScanner::fortran_number(const char* quantity) {
  const std::string_view original = word();
  std::string text(original.substr(original[0] == '+'));
  const std::size_t exponent = text.find_first_of("dD");
  if (exponent != std::string::npos) text[exponent] = 'e';
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    refuse_word(quantity, "within the range of double precision (about 1e-308 to 1e308)");
  if (error != std::errc() || stop != end) refuse_word(quantity, "a number");
  position_ += original.size();
  return value;
}

std::string_view TextScanner::word() const {
  const char* stop = position_;
  while (!is_blank(*stop) && *stop != '\n' && *stop != separator_)
    ++stop;
  if (stop != position_ && *stop == '\n' && stop[-1] == '\r') --stop;
  return {position_, static_cast<std::size_t>(stop - position_)};
}

}  // namespace halfdof::internal
