#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/output/matlab_file.h>

#include <matio.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>

namespace halfdof {

namespace {

using Sparse = MatlabVariable::Sparse;
using VariablePtr = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

constexpr double largest_variable = 2147483647.;  ///< bytes, in version 5

void check_name(const std::string& name, std::set<std::string>& used) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (name.empty() || name.size() > 63 || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), fits))
    throw InvalidInput(
        "'" + name +
        "' is no name for a MATLAB variable. Take a letter, then letters, digits and underscores, at "
        "most 63 in all.");
  if (!used.insert(name).second)
    throw InvalidInput("The name '" + name +
                       "' is given to two variables of one MATLAB file. Rename one of them.");
}

/// Bytes of the entries of one variable.
double n_bytes(const MultiVector& matrix) {
  return 8. * static_cast<double>(matrix.size());
}
double n_bytes(const ComplexMultiVector& matrix) {
  return 16. * static_cast<double>(matrix.size());
}
double n_bytes(const std::string& text) {
  return static_cast<double>(text.size());
}
double n_bytes(const Sparse& matrix) {
  return 12. * static_cast<double>(matrix.nonZeros()) + 4. * static_cast<double>(matrix.cols() + 1);
}
double n_bytes(const MatlabVariable& variable) {
  return std::visit([](const auto& value) { return n_bytes(value); }, variable.value());
}

void check_size(const MatlabVariable& variable) {
  if (n_bytes(variable) > largest_variable)
    throw InvalidInput("The variable '" + variable.name() + "' needs " +
                       number_text(n_bytes(variable) / 1073741824.) +
                       " GiB, but a MATLAB file of version 5 holds at most 2 GiB a variable. Write it as a "
                       "Matrix Market file.");
}

/// False if the file is too short for its variables: matio does not notice when the disk is full.
bool holds(const std::filesystem::path& file, const std::vector<MatlabVariable>& variables) {
  double expected = 0;
  for (const MatlabVariable& variable : variables)
    expected += n_bytes(variable);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return !error && static_cast<double>(size) >= expected;
}

/// Hands one variable to matio, which takes pointers to data that may not be constant.
class Writer {
 public:
  Writer(mat_t* file, std::string name) : file_(file), name_(std::move(name)) {}

  bool operator()(MultiVector matrix) const {
    return write(MAT_C_DOUBLE, MAT_T_DOUBLE, matrix.rows(), matrix.cols(), matrix.data(), 0);
  }

  bool operator()(const ComplexMultiVector& matrix) const {
    MultiVector real = matrix.real(), imaginary = matrix.imag();
    mat_complex_split_t data = {real.data(), imaginary.data()};
    return write(MAT_C_DOUBLE, MAT_T_DOUBLE, matrix.rows(), matrix.cols(), &data, MAT_F_COMPLEX);
  }

  bool operator()(Sparse matrix) const {
    matrix.makeCompressed();
    const auto n_entries = matrix.nonZeros();
    std::vector<mat_uint32_t> rows(matrix.innerIndexPtr(), matrix.innerIndexPtr() + n_entries);
    std::vector<mat_uint32_t> begin(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
    mat_sparse_t data = {};
    data.nzmax = data.nir = data.ndata = static_cast<mat_uint32_t>(n_entries);
    data.njc = static_cast<mat_uint32_t>(begin.size());
    data.ir = rows.data();
    data.jc = begin.data();
    data.data = matrix.valuePtr();
    return write(MAT_C_SPARSE, MAT_T_DOUBLE, matrix.rows(), matrix.cols(), &data, 0);
  }

  bool operator()(std::string text) const {
    if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 127; }))
      throw InvalidInput("The text '" + name_ +
                         "' for a MATLAB file holds a character outside ASCII. Replace it.");
    return write(MAT_C_CHAR, MAT_T_UINT8, text.empty() ? 0 : 1, static_cast<Eigen::Index>(text.size()),
                 text.data(), 0);
  }

 private:
  bool write(matio_classes kind, matio_types type, Eigen::Index n_rows, Eigen::Index n_columns, void* data,
             int flags) const {
    std::size_t size[2] = {static_cast<std::size_t>(n_rows), static_cast<std::size_t>(n_columns)};
    const VariablePtr variable(
        Mat_VarCreate(name_.c_str(), kind, type, 2, size, data, flags | MAT_F_DONT_COPY_DATA), &Mat_VarFree);
    return variable != nullptr && Mat_VarWrite(file_, variable.get(), MAT_COMPRESSION_NONE) == 0;
  }

  mat_t* file_;
  std::string name_;
};

}  // namespace

void write_matlab_file(const std::filesystem::path& file, const std::vector<MatlabVariable>& variables) {
  std::set<std::string> names;
  for (const MatlabVariable& variable : variables) {
    check_name(variable.name(), names);
    check_size(variable);
  }

  AtomicFile out(file);
  std::unique_ptr<mat_t, decltype(&Mat_Close)> mat(
      Mat_CreateVer(out.temporary_path().c_str(), "MATLAB 5.0 MAT-file, written by halfdof", MAT_FT_MAT5),
      &Mat_Close);
  if (mat == nullptr) throw FileError(file, "the MATLAB file cannot be created.");
  for (const MatlabVariable& variable : variables)
    if (!std::visit(Writer(mat.get(), variable.name()), variable.value()))
      throw FileError(file, "writing the variable '" + variable.name() + "' failed. Is the disk full?");
  const bool closed = Mat_Close(mat.release()) == 0;
  if (!closed || !holds(out.temporary_path(), variables))
    throw FileError(file, "writing failed. Is the disk full?");
  out.commit();
}

}  // namespace halfdof
