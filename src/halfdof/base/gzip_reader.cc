// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/gzip_reader.h>

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace halfdof::internal {

struct GzipReader::Stream : z_stream {
  Stream() : z_stream() {
    constexpr int gzip_format = 16;
    if (inflateInit2(this, MAX_WBITS + gzip_format) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(this); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  bool at_end_of_member = false;
};

GzipReader::GzipReader(std::string first, std::function<std::size_t(char*, std::size_t)> read,
                       std::function<void(const std::string&)> fail)
    : compressed_(std::move(first)),
      read_(std::move(read)),
      fail_(std::move(fail)),
      stream_(std::make_unique<Stream>()) {
  stream_->next_in = reinterpret_cast<Bytef*>(compressed_.data());
  stream_->avail_in = static_cast<uInt>(compressed_.size());
}

GzipReader::~GzipReader() = default;

/// Reads more compressed bytes; returns false at the end of the file.
bool GzipReader::refill() {
  compressed_.resize(std::size_t(1) << 16);
  const std::size_t n_read = read_(compressed_.data(), compressed_.size());
  stream_->next_in = reinterpret_cast<Bytef*>(compressed_.data());
  stream_->avail_in = static_cast<uInt>(n_read);
  return n_read > 0;
}

/// Prepares the stream for the next member of the gzip file; returns false at the end of the file.
/// Zeros after a member are skipped, because archives from tapes are padded with zeros.
bool GzipReader::begin_next_member() {
  while (stream_->avail_in > 0 || refill()) {
    if (*stream_->next_in != 0) {
      inflateReset(stream_.get());
      stream_->at_end_of_member = false;
      return true;
    }
    ++stream_->next_in;
    --stream_->avail_in;
  }
  return false;
}

std::size_t GzipReader::read(char* begin, std::size_t size) {
  const auto room = static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  stream_->next_out = reinterpret_cast<Bytef*>(begin);
  stream_->avail_out = room;
  while (stream_->avail_out == room) {
    if (stream_->at_end_of_member && !begin_next_member()) break;
    if (stream_->avail_in == 0 && !refill())
      fail_("the compressed file is cut off: its data end too early. Copy or write the file again.");
    const int result = inflate(stream_.get(), Z_NO_FLUSH);
    stream_->at_end_of_member = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END)
      fail_(std::string("the compressed file is corrupt (") +
            (stream_->msg != nullptr ? stream_->msg : "no gzip data") + "). Copy or write the file again.");
  }
  return room - stream_->avail_out;
}

}  // namespace halfdof::internal
