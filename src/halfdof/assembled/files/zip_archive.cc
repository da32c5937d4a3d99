// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/zip_archive.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/input_file.h>

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace halfdof::internal {

namespace {

/// Largest number of bytes that one call reads or writes.
constexpr std::uint64_t block_size = std::uint64_t(1) << 30;

/// Deflate represents at most 258 bytes by two bits, which is a ratio of 1032 (RFC 1951).
constexpr std::uint64_t max_deflate_ratio = 1032;

constexpr const char* copy_again = "Copy the file or write it again.";

/// Whether the file ends with the complete end record of a zip archive: 22 bytes, and a comment of the length
/// that is stated in these bytes. The check is needed because the library minizip accepts an end record that
/// is cut off.
bool has_complete_end(const std::filesystem::path& path, std::uint64_t size) {
  constexpr std::uint64_t record_size = 22, longest_comment = 65535;
  std::string end(static_cast<std::size_t>(std::min(size, record_size + longest_comment)), '\0');
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(size - end.size()));
  in.read(end.data(), static_cast<std::streamsize>(end.size()));
  for (std::size_t n = record_size; in && n <= end.size(); ++n) {
    const char* const record = end.data() + (end.size() - n);
    if (std::memcmp(record, "PK\5\6", 4) == 0 &&
        number_at<std::uint16_t>(record + 20, ByteOrder::little) == n - record_size)
      return true;
  }
  return false;
}

/// A zip archive that is open for reading.
class Unzip {
 public:
  explicit Unzip(const std::filesystem::path& path) : path_(path) {
    const std::string reason = why_unreadable(path);
    if (!reason.empty()) throw FileError(path, "the file cannot be read: " + reason + ".");
    size_ = std::filesystem::file_size(path);
    if (has_complete_end(path, size_)) file_ = unzOpen64(path.c_str());
    if (file_ == nullptr)
      throw FileError(path, std::string("the file is not a complete zip archive: its list of contents, which "
                                        "is at its end, is missing or corrupt. ") +
                                copy_again);
  }
  ~Unzip() { unzClose(file_); }
  Unzip(const Unzip&) = delete;
  Unzip& operator=(const Unzip&) = delete;

  std::vector<ZipMember> members() {
    unz_global_info64 info;
    require(unzGetGlobalInfo64(file_, &info), "the list of contents");
    // Each file needs at least 46 bytes in the list of contents and 30 bytes before its data.
    if (info.number_entry > size_ / 76) throw_corrupt("the number of files in it");
    std::vector<ZipMember> members;
    for (ZPOS64_T k = 0; k < info.number_entry; ++k) {
      require(k == 0 ? unzGoToFirstFile(file_) : unzGoToNextFile(file_), "the list of contents");
      members.push_back(current());
    }
    return members;
  }

 private:
  ZipMember current() {
    unz_file_info64 info;
    std::string name(65536, '\0');
    require(unzGetCurrentFileInfo64(file_, &info, name.data(), static_cast<uLong>(name.size()), nullptr, 0,
                                    nullptr, 0),
            "the list of contents");
    name.resize(std::min<std::size_t>(name.size(), info.size_filename));
    check(name, info);
    require(unzOpenCurrentFile(file_), name);
    ZipMember member{name, ByteBlock(info.uncompressed_size)};
    for (std::uint64_t n_read = 0; n_read < member.bytes.size;) {
      const auto n_wanted = static_cast<unsigned>(std::min(member.bytes.size - n_read, block_size));
      const int n = unzReadCurrentFile(file_, member.bytes.data.get() + n_read, n_wanted);
      if (n <= 0) throw_corrupt(name);
      n_read += static_cast<std::uint64_t>(n);
    }
    require(unzCloseCurrentFile(file_), name);  // compares the check sums
    return member;
  }

  /// Checks the method of compression, and compares the sizes with the size of the archive before memory is
  /// allocated.
  void check(const std::string& name, const unz_file_info64& info) {
    if ((info.flag & 1) != 0)
      throw FileError(path_,
                      "'" + name + "' in the archive is encrypted. Write the archive without a password.");
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      throw FileError(path_, "'" + name + "' in the archive is compressed by method " +
                                 std::to_string(info.compression_method) +
                                 "; known are 0 (stored) and 8 (deflated).");
    const bool is_stored = info.compression_method == 0;
    if (info.compressed_size > size_ - n_compressed_) throw_corrupt("the size of '" + name + "'");
    n_compressed_ += info.compressed_size;
    if (is_stored ? info.uncompressed_size != info.compressed_size
                  : info.uncompressed_size / max_deflate_ratio > info.compressed_size)
      throw_corrupt("the size of '" + name + "'");
  }

  void require(int error, const std::string& quantity) {
    if (error != UNZ_OK) throw_corrupt(quantity);
  }

  [[noreturn]] void throw_corrupt(const std::string& quantity) {
    throw FileError(path_,
                    "the zip archive is cut off or corrupt: " + quantity + " cannot be read. " + copy_again);
  }

  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  std::uint64_t n_compressed_ = 0;  ///< compressed bytes of the files that have been read
  unzFile file_ = nullptr;
};

/// A zip archive that is open for writing.
class Zip {
 public:
  explicit Zip(const std::filesystem::path& target) : target_(target), file_(target) {
    zip_ = zipOpen64(file_.temporary_path().c_str(), APPEND_STATUS_CREATE);
    require(zip_ == nullptr ? ZIP_ERRNO : ZIP_OK);
  }
  ~Zip() {
    if (zip_ != nullptr) zipClose(zip_, nullptr);
  }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;

  void write(const ZipSource& source) {
    zip_fileinfo info = {};
    info.dosDate =
        1 << 21 | 1 << 16;  // the date is always 1 January 1980, so that equal matrices give equal files
    std::uint64_t size = 0;
    for (const std::string_view part : source.parts)
      size += part.size();
    require(zipOpenNewFileInZip64(zip_, source.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0,
                                  size >= 0xffffffff ? 1 : 0));
    for (std::string_view part : source.parts)
      while (!part.empty()) {
        const std::string_view block = part.substr(0, block_size);
        require(zipWriteInFileInZip(zip_, block.data(), static_cast<unsigned>(block.size())));
        part.remove_prefix(block.size());
      }
    require(zipCloseFileInZip(zip_));
  }

  void commit() {
    require(zipClose(std::exchange(zip_, nullptr), nullptr));
    file_.commit();
  }

 private:
  void require(int error) {
    if (error != ZIP_OK)
      throw FileError(target_,
                      "the file cannot be written: the disk may be full, or the file is not a regular file.");
  }

  std::filesystem::path target_;
  AtomicFile file_;
  zipFile zip_ = nullptr;
};

}  // namespace

std::vector<ZipMember> read_zip(const std::filesystem::path& file) {
  return Unzip(file).members();
}

void write_zip(const std::filesystem::path& file, const std::vector<ZipSource>& sources) {
  Zip zip(file);
  for (const ZipSource& source : sources)
    zip.write(source);
  zip.commit();
}

}  // namespace halfdof::internal
