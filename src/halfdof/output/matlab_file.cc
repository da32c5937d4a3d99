// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/output/result_files.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = MatlabVariable::Sparse;

constexpr double largest_variable = 2147483647.;  ///< largest size of a variable in version 5 [bytes]

/// Data types and array classes (MathWorks, MAT-File Level 5 File Format, Tables 1 and 3).
enum DataType : std::uint32_t { Int8 = 1, UInt16 = 4, Int32 = 5, UInt32 = 6, Double = 9, Matrix = 14 };
enum ArrayClass : std::uint32_t { CharArray = 4, SparseArray = 5, DoubleArray = 6 };
constexpr std::uint32_t complex_flag = 0x800;

/// The bytes of one variable, which is a sequence of elements (type, number of bytes, data). Each element is
/// padded to a multiple of eight bytes.
class Element {
 public:
  Element(const std::string& name, ArrayClass array_class, Eigen::Index n_rows, Eigen::Index n_columns,
          std::uint32_t flags = 0, Eigen::Index n_stored = 0)
      : name_(name) {
    constexpr Eigen::Index most = std::numeric_limits<std::int32_t>::max();
    if (n_rows > most || n_columns > most) refuse_size();
    append(UInt32, std::vector<std::uint32_t>{array_class | flags, static_cast<std::uint32_t>(n_stored)});
    append(Int32, std::vector<std::int32_t>{static_cast<std::int32_t>(n_rows),
                                            static_cast<std::int32_t>(n_columns)});
    append(Int8, name.data(), name.size());
  }

  template <class Number>
  void append(DataType type, const Number* data, std::size_t size) {
    const double n_bytes =
        static_cast<double>(bytes_.size()) + static_cast<double>(size * sizeof(Number)) + 16.;
    if (n_bytes > largest_variable) refuse_size();
    append_tag(bytes_, type, size * sizeof(Number));
    bytes_.append(reinterpret_cast<const char*>(data), size * sizeof(Number));
    bytes_.append((8 - bytes_.size() % 8) % 8, '\0');
  }
  template <class Container>
  void append(DataType type, const Container& data) {
    append(type, data.data(), static_cast<std::size_t>(data.size()));
  }

  void write(AtomicFile& file) const {
    std::string tag;
    append_tag(tag, Matrix, bytes_.size());
    file.write(tag);
    file.write(bytes_);
  }

 private:
  [[noreturn]] void refuse_size() const {
    throw InvalidInput(
        "The variable '" + name_ +
        "' is too large for a MATLAB file of version 5, in which a variable has at most 2 GiB "
        "and 2147483647 rows and columns. Write a file of version 7.3 (mat-7.3) or a Matrix Market file.");
  }
  static void append_tag(std::string& bytes, DataType type, std::size_t n_bytes) {
    const std::uint32_t tag[2] = {type, static_cast<std::uint32_t>(n_bytes)};
    bytes.append(reinterpret_cast<const char*>(tag), sizeof tag);
  }

  std::string name_;
  std::string bytes_;
};

Element element_of(const std::string& name, const MultiVector& matrix) {
  Element element(name, DoubleArray, matrix.rows(), matrix.cols());
  element.append(Double, matrix);
  return element;
}

Element element_of(const std::string& name, const ComplexMultiVector& matrix) {
  Element element(name, DoubleArray, matrix.rows(), matrix.cols(), complex_flag);
  element.append(Double, MultiVector(matrix.real()));
  element.append(Double, MultiVector(matrix.imag()));
  return element;
}

/// Returns the element with the places of the entries of a sparse matrix, to which values are appended.
template <class Matrix>
Element pattern_of(const std::string& name, const Matrix& compressed, std::uint32_t flags) {
  Element element(name, SparseArray, compressed.rows(), compressed.cols(), flags,
                  std::max<Eigen::Index>(compressed.nonZeros(), 1));
  element.append(Int32, compressed.innerIndexPtr(), static_cast<std::size_t>(compressed.nonZeros()));
  element.append(Int32, compressed.outerIndexPtr(), static_cast<std::size_t>(compressed.cols()) + 1);
  return element;
}

Element element_of(const std::string& name, Sparse matrix) {
  matrix.makeCompressed();
  Element element = pattern_of(name, matrix, 0);
  element.append(Double, matrix.valuePtr(), static_cast<std::size_t>(matrix.nonZeros()));
  return element;
}

Element element_of(const std::string& name, MatlabVariable::ComplexSparse matrix) {
  matrix.makeCompressed();
  Element element = pattern_of(name, matrix, complex_flag);
  const auto values = Eigen::Map<const ComplexVector>(matrix.valuePtr(), matrix.nonZeros());
  element.append(Double, Vector(values.real()));
  element.append(Double, Vector(values.imag()));
  return element;
}

Element element_of(const std::string& name, const std::string& text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 127; }))
    throw InvalidInput("The text '" + name +
                       "' for a MATLAB file contains a character that is not ASCII. Replace this character.");
  Element element(name, CharArray, text.empty() ? 0 : 1, static_cast<Eigen::Index>(text.size()));
  element.append(UInt16, std::vector<std::uint16_t>(text.begin(), text.end()));
  return element;
}

/// Returns the header of a file: 116 bytes of text, 8 zero bytes, the version 1.0, and "MI" in the byte order
/// of this machine.
std::string header() {
  std::string bytes = "MATLAB 5.0 MAT-file, written by halfdof";
  bytes.resize(116, ' ');
  bytes.append(8, '\0');
  const std::uint16_t version_and_order[2] = {0x0100, 'M' << 8 | 'I'};
  return bytes.append(reinterpret_cast<const char*>(version_and_order), sizeof version_and_order);
}

}  // namespace

void write_matlab_file(const std::filesystem::path& file, const std::vector<MatlabVariable>& variables) {
  std::vector<std::string> names;
  for (const MatlabVariable& variable : variables)
    names.push_back(variable.name());
  check_matlab_names(names);
  AtomicFile out(file);
  out.write(header());
  for (const MatlabVariable& variable : variables)
    std::visit([&](const auto& value) { element_of(variable.name(), value).write(out); }, variable.value());
  out.commit();
}

}  // namespace halfdof
