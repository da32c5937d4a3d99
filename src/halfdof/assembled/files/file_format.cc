// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/abaqus.h>
#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/harwell_boeing.h>
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/assembled/files/matrix_market_parts.h>
#include <halfdof/assembled/files/nastran_dmig.h>
#include <halfdof/assembled/files/nastran_op4.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/assembled/files/petsc_binary.h>
#include <halfdof/base/gzip_reader.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

namespace halfdof {

using namespace internal;

namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

/// The beginning of a file, by which its format is recognized.
struct FileStart {
  fs::path file;
  bool is_compressed = false;  ///< whether gzip compressed the file
  std::string bytes;           ///< the first 1024 bytes, decompressed
  std::vector<std::string>
      lines;         ///< the first eight lines that are not blank; no lines if the file is binary
  std::string data;  ///< the first line that is neither a comment nor a keyword of Abaqus

  bool begins_with(std::string_view mark) const {
    return std::string_view(bytes).substr(0, mark.size()) == mark;
  }
};

/// Returns the first 1024 bytes of a file, decompressed if gzip compressed the file.
/// @param is_compressed Set to true if the file is compressed, otherwise to false
std::string first_bytes(const fs::path& file, bool& is_compressed) {
  std::ifstream stream(file, std::ios::binary);
  const auto read = [&stream](char* begin, std::size_t size) {
    stream.read(begin, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(stream.gcount());
  };
  std::string bytes(1024, '\0');
  bytes.resize(read(bytes.data(), bytes.size()));
  is_compressed = std::string_view(bytes).substr(0, gzip_mark.size()) == gzip_mark;
  if (!is_compressed) return bytes;
  GzipReader gzip(bytes, read, [&](const std::string& reason) { throw FileError(file, reason); });
  std::string decompressed(1024, '\0');
  std::size_t n = 0;
  for (std::size_t n_more = 1; n_more > 0 && n < decompressed.size(); n += n_more)
    n_more = gzip.read(decompressed.data() + n, decompressed.size() - n);
  decompressed.resize(n);
  return decompressed;
}

FileStart read_start(const fs::path& file) {
  FileStart start;
  start.file = file;
  TextScanner scanner(file, '\n');  // throws the reason if the file cannot be read
  start.bytes = first_bytes(file, start.is_compressed);
  if (start.bytes.find('\0') != std::string::npos) return start;
  bool continues_keyword = false;
  for (std::string_view line;
       (start.lines.size() < 8 || start.data.empty()) && scanner.next_whole_line(line);) {
    const std::string_view whole = line;
    line = trimmed(line);
    if (line.empty()) continue;
    if (start.lines.size() < 8) start.lines.emplace_back(whole);
    const bool is_keyword = line[0] == '*' && line.substr(0, 2) != "**";
    if (start.data.empty() && line[0] != '*' && line[0] != '#' && !continues_keyword) start.data = line;
    continues_keyword = (is_keyword || continues_keyword) && line.back() == ',';
  }
  return start;
}

bool is_matrix_market(const FileStart& start) {
  return !start.lines.empty() && upper_case(start.lines[0].substr(0, 14)) == "%%MATRIXMARKET";
}

bool is_harwell_boeing(const FileStart& start) {
  // The title may be blank, so that the formats are in the third or in the fourth line that is not blank.
  for (const std::size_t k : {std::size_t(1), std::size_t(2)}) {
    if (start.lines.size() <= k + 1) return false;
    const std::string type = upper_case(trimmed(start.lines[k].substr(0, 3)));
    if (type.size() == 3 && "RICPQ"sv.find(type[0]) != std::string_view::npos &&
        "USHZR"sv.find(type[1]) != std::string_view::npos && "AE"sv.find(type[2]) != std::string_view::npos &&
        trimmed(start.lines[k + 1])[0] == '(')
      return true;
  }
  return false;
}

bool is_op4_text(const FileStart& start) {
  if (start.lines.empty()) return false;
  const std::string_view line = start.lines[0];
  for (const std::size_t begin : {0u, 8u, 16u, 24u})
    if (!whole_number(field(line, begin, 8))) return false;
  const std::string_view format = field(line, 40, line.size());
  return format.find('.') != std::string_view::npos && format.find_first_of("EDed") != std::string_view::npos;
}

/// Splits a line at blanks, tabs and commas.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; (begin = line.find_first_not_of(" \t,\r", begin)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t,\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// Whether the first line of data consists of n whole numbers and one real number.
bool has_whole_numbers(const FileStart& start, std::size_t n) {
  const std::vector<std::string_view> words = words_of(start.data);
  if (words.size() != n + 1 || !real_number(words[n])) return false;
  return std::all_of(words.begin(), words.end() - 1,
                     [](std::string_view word) { return whole_number(word); });
}

bool is_matrix_input(const FileStart& start) {
  const auto is_keyword = [](const std::string& line) {
    return upper_case(trimmed(line)).substr(0, 13) == "*MATRIX INPUT";
  };
  return std::any_of(start.lines.begin(), start.lines.end(), is_keyword) ||
         (start.data.find(',') != std::string::npos && has_whole_numbers(start, 4));
}

bool is_coordinate_list(const FileStart& start) {
  return start.data.find(',') == std::string::npos && has_whole_numbers(start, 2);
}

bool is_calculix(const FileStart& start) {
  return has_calculix_extension(start.file) && is_coordinate_list(start);
}

bool is_dmig(const FileStart& start) {
  if (start.lines.empty()) return false;
  TextScanner scanner(start.file, '\n');
  for (std::string_view line; scanner.next_whole_line(line);) {
    const std::string word = upper_case(line.substr(0, 5));
    if (word == "DMIG " || word == "DMIG*" || word == "DMIG,") return true;
  }
  return false;
}

bool is_matlab_hdf5(const FileStart& start) {
  const std::string_view bytes = start.bytes;
  const std::string_view hdf5 = "\x89HDF\r\n\x1a\n"sv;
  return start.begins_with(hdf5) ||
         bytes.substr(std::min(bytes.size(), std::size_t(512)), hdf5.size()) == hdf5;
}

bool is_matlab(const FileStart& start) {
  const std::string_view bytes = start.bytes;
  const std::string_view byte_order = bytes.size() >= 128 ? bytes.substr(126, 2) : "";
  return start.begins_with("MATLAB") && (byte_order == "IM" || byte_order == "MI");
}

bool is_npz(const FileStart& start) {
  return start.begins_with("PK\x03\x04");
}

bool is_npy(const FileStart& start) {
  return start.begins_with("\x93NUMPY");
}

/// Whether the file begins with the class id of a matrix or of a vector, of 32 or 64 bits.
bool is_petsc(const FileStart& start) {
  for (const std::string_view id : {"\x00\x12\x7B\x50"sv, "\x00\x12\x7B\x4E"sv})
    if (start.begins_with(id) || start.begins_with(std::string(4, '\0') + std::string(id))) return true;
  return false;
}

/// Whether the file begins with a Fortran record of 24 or 48 bytes, in either byte order.
bool is_op4_binary(const FileStart& start) {
  for (const std::size_t length : {std::size_t(24), std::size_t(48)}) {
    const char n = static_cast<char>(length);
    for (const std::string& mark : {std::string{n, 0, 0, 0}, std::string{0, 0, 0, n}})
      if (start.begins_with(mark) &&
          std::string_view(start.bytes).substr(std::min(start.bytes.size(), length + 4), 4) == mark)
        return true;
  }
  return false;
}

/// Whether the file begins with a variable of a MATLAB file of version 4. Such a variable begins with five
/// integers of 32 bits: type, number of rows, number of columns, 1 if complex, and length of the name. The
/// name and a null byte follow.
bool is_matlab_4(const FileStart& start) {
  if (start.bytes.size() < 21) return false;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    std::int32_t header[5];
    for (std::size_t k = 0; k < 5; ++k)
      header[k] = number_at<std::int32_t>(start.bytes.data() + 4 * k, order);
    const auto [type, n_rows, n_columns, is_complex, length] = header;
    if (type < 0 || type > 4052 || type / 100 % 10 != 0 || type / 10 % 10 > 5 || type % 10 > 2 ||
        n_rows < 0 || n_columns < 0 || (is_complex != 0 && is_complex != 1) || length < 2 || length > 64)
      continue;
    const std::string name = start.bytes.substr(20, static_cast<std::size_t>(length));
    if (name.size() == static_cast<std::size_t>(length) && std::strlen(name.c_str()) + 1 == name.size() &&
        std::isalpha(static_cast<unsigned char>(name[0])))
      return true;
  }
  return false;
}

using Skipped = std::vector<SkippedVariable>;

std::vector<FileMatrix> read_matrix_market_file(const fs::path& file, Skipped*) {
  return {read_matrix_market_parts(file)};
}

/// Removes imaginary parts whose entries are all zero, of real matrices in complex storage.
void drop_zero_parts(std::vector<FileMatrix>& matrices) {
  for (FileMatrix& matrix : matrices) {
    const Eigen::SparseMatrix<double>& part = matrix.imaginary;
    const double* const values = part.valuePtr();
    if (std::all_of(values, values + part.nonZeros(), [](double value) { return value == 0; }))
      matrix.imaginary.resize(0, 0);
  }
}

/// Calls the reader of a format whose files contain nothing but matrices.
template <std::vector<FileMatrix> (*read)(const fs::path&)>
std::vector<FileMatrix> read_all(const fs::path& file, Skipped*) {
  return read(file);
}

enum class Encoding { binary, text };

struct Format {
  Encoding encoding;
  FileFormat format;
  const char* name;
  bool (*recognize)(const FileStart&);
  std::vector<FileMatrix> (*read)(const fs::path&, Skipped*);
};

/// All formats in the order in which they are tried: first binary formats, then text formats that a keyword
/// identifies, and then lists of numbers.
constexpr std::array<Format, 13> formats = {{
    {Encoding::binary, FileFormat::matlab_hdf5, "MATLAB file of version 7.3 (.mat)", is_matlab_hdf5,
     read_matlab},
    {Encoding::binary, FileFormat::matlab, "MATLAB file (.mat)", is_matlab, read_matlab},
    {Encoding::binary, FileFormat::numpy_npz, "NumPy archive (.npz)", is_npz, read_npz},
    {Encoding::binary, FileFormat::numpy_npy, "NumPy array (.npy)", is_npy, read_all<read_npy>},
    {Encoding::binary, FileFormat::petsc, "PETSc binary", is_petsc, read_all<read_petsc>},
    {Encoding::binary, FileFormat::nastran_op4, "Nastran OP4", is_op4_binary, read_all<read_op4_binary>},
    {Encoding::text, FileFormat::matrix_market, "Matrix Market", is_matrix_market, read_matrix_market_file},
    {Encoding::text, FileFormat::nastran_op4, "Nastran OP4", is_op4_text, read_all<read_op4_text>},
    {Encoding::text, FileFormat::harwell_boeing, "Harwell-Boeing", is_harwell_boeing,
     read_all<read_harwell_boeing>},
    {Encoding::text, FileFormat::calculix, "CalculiX matrix storage", is_calculix, read_all<read_calculix>},
    {Encoding::text, FileFormat::abaqus_matrix_input, "Abaqus matrix input", is_matrix_input,
     read_all<read_abaqus_matrix_input>},
    {Encoding::text, FileFormat::abaqus_coordinate, "Abaqus coordinate list", is_coordinate_list,
     read_all<read_abaqus_coordinate>},
    {Encoding::text, FileFormat::nastran_dmig, "Nastran DMIG", is_dmig, read_all<read_nastran_dmig>},
}};

const Format& recognize_format(const fs::path& file) {
  const FileStart start = read_start(file);
  if (start.bytes.empty()) throw FileError(file, "the file is empty; a matrix is expected.");
  std::string names;
  for (const Format& format : formats) {
    if (format.recognize(start)) {
      if (start.is_compressed && format.encoding == Encoding::binary)
        throw FileError(file,
                        std::string("the file is a ") + format.name +
                            ", compressed by gzip. Compressed files are supported only for text formats: "
                            "decompress the file by gunzip.");
      return format;
    }
    if (names.find(format.name) == std::string::npos)
      names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  if (is_matlab_4(start))
    throw FileError(file,
                    "the file is a MATLAB file of version 4, which is not supported. Save the matrices again "
                    "with the option -v7 (in MATLAB or Octave), or by scipy.io.savemat without format='4'.");
  throw FileError(file, "the format is unknown: the file begins with '" +
                            shown(start.lines.empty() ? start.bytes : start.lines[0]) +
                            "'. Known formats are: " + names + ".");
}

}  // namespace

const char* name_of(FileFormat format) {
  for (const Format& known : formats)
    if (known.format == format) return known.name;
  return "unknown";
}

FileFormat format_of(const fs::path& file) {
  return recognize_format(file).format;
}

namespace internal {

fs::path without_matrix_name(const fs::path& file, std::string& name) {
  name.clear();
  const std::string text = file.string();
  const std::size_t colon = text.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || fs::exists(file, ignored) || !fs::exists(text.substr(0, colon), ignored))
    return file;
  name = text.substr(colon + 1);
  return text.substr(0, colon);
}

FileContent read_content(const fs::path& file) {
  FileContent content;
  content.file = without_matrix_name(file, content.name);
  const Format& format = recognize_format(content.file);
  content.format = format.format;
  std::optional<StageTimer> stage;  // the reader of Matrix Market files measures its own stage
  if (content.format != FileFormat::matrix_market) stage.emplace("read a file");
  content.matrices = format.read(content.file, &content.skipped);
  drop_zero_parts(content.matrices);
  if (content.name.empty()) return content;
  std::string names;
  for (FileMatrix& matrix : content.matrices) {
    if (matrix.name == content.name) {
      FileMatrix found = std::move(matrix);
      content.matrices.clear();
      content.matrices.push_back(std::move(found));
      return content;
    }
    names += (names.empty() ? "" : ", ") + shown(matrix.name);
  }
  for (const SkippedVariable& variable : content.skipped)
    if (variable.name == content.name)
      throw FileError(content.file,
                      shown(variable.name) + " is no matrix of numbers: " + variable.reason + ".");
  throw FileError(content.file, "there is no matrix " + shown(content.name) + " in the file. " +
                                    (content.matrices.size() == 1 && content.matrices[0].name.empty()
                                         ? "The file contains one matrix without a name: omit the name."
                                         : "The file contains: " + names + "."));
}

}  // namespace internal

}  // namespace halfdof
