// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matlab_array.h>
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/profile.h>

#include <matio.h>

#include <memory>

namespace halfdof::internal {

namespace {

using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

MatlabNumbers numbers_of(const matvar_t& variable, const void* data, std::uint64_t n) {
  return {static_cast<std::uint32_t>(variable.data_type), static_cast<const char*>(data),
          data == nullptr ? 0 : n, machine_order};
}

/// Converts the description of a variable. Types and classes have the same numbers in matio as in version 5.
MatlabArray description_of(const matvar_t& variable) {
  MatlabArray description;
  description.name = variable.name == nullptr ? "" : variable.name;
  description.array_class = static_cast<std::uint32_t>(variable.class_type);
  description.is_complex = variable.isComplex != 0;
  for (int k = 0; k < variable.rank; ++k)
    description.sizes.push_back(static_cast<std::int64_t>(variable.dims[k]));
  return description;
}

void set_values(MatlabArray& description, const matvar_t& variable, const void* data, std::uint64_t n) {
  if (!description.is_complex) {
    description.real = numbers_of(variable, data, n);
  } else if (data != nullptr) {
    const auto* const parts = static_cast<const mat_complex_split_t*>(data);
    description.real = numbers_of(variable, parts->Re, n);
    description.imaginary = numbers_of(variable, parts->Im, n);
  }
}

void set_numbers(MatlabArray& description, const matvar_t& variable) {
  const std::uint64_t size = variable.data_size > 0 ? static_cast<std::uint64_t>(variable.data_size) : 1;
  if (!description.is_sparse())
    return set_values(description, variable, variable.data, variable.nbytes / size);
  if (variable.data == nullptr) return;
  const auto& sparse = *static_cast<const mat_sparse_t*>(variable.data);
  const auto indices = [](const mat_uint32_t* data, std::uint64_t n) {
    return MatlabNumbers{MAT_T_UINT32, reinterpret_cast<const char*>(data), data == nullptr ? 0 : n,
                         machine_order};
  };
  description.rows = indices(sparse.ir, sparse.nir);
  description.column_begins = indices(sparse.jc, sparse.njc);
  set_values(description, variable, sparse.data, sparse.ndata);
}

/// Rejects a variable with more values than the file can contain, before matio allocates memory. Chunks of
/// HDF5 are compressed by deflate, whose largest compression ratio is 1032 (RFC 1951).
void check_size(const std::filesystem::path& file, const MatlabArray& variable) {
  const double largest = 1032. * static_cast<double>(std::filesystem::file_size(file));
  double n = 1;
  for (const std::int64_t size : variable.sizes)
    n *= static_cast<double>(size);
  if (variable.is_sparse()) n = variable.sizes.size() == 2 ? static_cast<double>(variable.sizes[1]) : 0;
  if (n > largest)
    throw FileError(file, "the variable '" + variable.name +
                              "' has more values according to its header than a file of this size can "
                              "contain. The file is damaged.");
}

/// Writes a sparse variable. @param data The values, or both parts of them
void write_variable(const std::filesystem::path& file, mat_t* mat, const FileMatrix& matrix,
                    const Eigen::SparseMatrix<double>& pattern, void* data, int flags) {
  const auto n = static_cast<mat_uint32_t>(pattern.nonZeros());
  std::vector<mat_uint32_t> rows(pattern.innerIndexPtr(), pattern.innerIndexPtr() + n),
      begins(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1);
  mat_sparse_t sparse{};
  sparse.nzmax = sparse.nir = sparse.ndata = n;
  sparse.ir = rows.data();
  sparse.jc = begins.data();
  sparse.njc = static_cast<mat_uint32_t>(begins.size());
  sparse.data = data;
  std::size_t sizes[] = {static_cast<std::size_t>(pattern.rows()), static_cast<std::size_t>(pattern.cols())};
  const Variable variable(Mat_VarCreate(matrix.name.c_str(), MAT_C_SPARSE, MAT_T_DOUBLE, 2, sizes, &sparse,
                                        MAT_F_DONT_COPY_DATA | flags),
                          &Mat_VarFree);
  if (variable == nullptr || Mat_VarWrite(mat, variable.get(), MAT_COMPRESSION_NONE) != 0)
    throw FileError(file, "matio cannot write the variable '" + matrix.name + "'. The disk may be full.");
}

void write_variable(const std::filesystem::path& file, mat_t* mat, const FileMatrix& matrix) {
  if (!matrix.is_complex()) {
    Eigen::SparseMatrix<double> real = matrix.real;
    return write_variable(file, mat, matrix, real, real.valuePtr(), 0);
  }
  const Eigen::SparseMatrix<std::complex<double>> both = matrix.complex();
  Eigen::SparseMatrix<double> real = both.real(), imaginary = both.imag();
  mat_complex_split_t parts = {real.valuePtr(), imaginary.valuePtr()};
  write_variable(file, mat, matrix, real, &parts, MAT_F_COMPLEX);
}

}  // namespace

void write_matlab_hdf5(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  const StageTimer stage("write a file");
  std::vector<std::string> names;
  for (const FileMatrix& matrix : matrices)
    names.push_back(matrix.name);
  check_matlab_names(names);
  AtomicFile out(file);
  std::unique_ptr<mat_t, decltype(&Mat_Close)> mat(
      Mat_CreateVer(out.temporary_path().c_str(), "MATLAB 7.3 MAT-file, written by halfdof", MAT_FT_MAT73),
      &Mat_Close);
  if (mat == nullptr)
    throw FileError(file,
                    "this MATLAB file of version 7.3 cannot be created. Check that the folder exists and can "
                    "be written, and that "
                    "matio was built with HDF5.");
  for (const FileMatrix& matrix : matrices)
    write_variable(file, mat.get(), matrix);
  if (Mat_Close(mat.release()) != 0)
    throw FileError(file, "matio cannot finish this MATLAB file of version 7.3. The disk may be full.");
  out.commit();
}

void check_end_of_hdf5(ByteReader reader) {
  constexpr std::uint64_t begin = 512;  // HDF5 begins behind the header of MATLAB
  reader.go_to(begin);
  const std::string_view mark(reader.take(8, 1, "the mark of HDF5"), 8);
  if (mark != "\x89HDF\r\n\x1a\n")
    reader.fail("the signature of HDF5 is missing before this byte. The file is damaged.");
  const auto version = reader.number<std::uint8_t>("the superblock of HDF5");
  reader.go_to(begin + (version < 2 ? 13 : 9));
  const auto address_size = reader.number<std::uint8_t>("the superblock of HDF5");
  if (version > 3 || address_size != 8) return;
  reader.go_to(begin + (version == 0 ? 40 : version == 1 ? 44 : 28));
  const auto end = reader.number<std::uint64_t>("the superblock of HDF5");
  if (end > reader.size())
    reader.fail("the file should have " + std::to_string(end) + " bytes, but has " +
                std::to_string(reader.size()) + ". The file is cut off: copy or write it again.");
}

void read_matlab_hdf5(const std::filesystem::path& file, MatlabContents& contents) {
  const std::unique_ptr<mat_t, decltype(&Mat_Close)> mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY), &Mat_Close);
  if (mat == nullptr || Mat_GetVersion(mat.get()) != MAT_FT_MAT73)
    throw FileError(file, "matio cannot open this MATLAB file of version 7.3: it is cut off or damaged.");
  while (const Variable variable{Mat_VarReadNextInfo(mat.get()), &Mat_VarFree}) {
    MatlabArray description = description_of(*variable);
    if (description.is_numeric() && description.sizes.size() == 2) {
      check_size(file, description);
      if (Mat_VarReadDataAll(mat.get(), variable.get()) != 0)
        throw FileError(file,
                        "matio cannot read the variable '" + description.name + "': the file is damaged.");
      description.is_complex = variable->isComplex != 0;
      set_numbers(description, *variable);
    }
    contents.add(description, [&](const std::string& reason) { throw FileError(file, reason); });
  }
}

}  // namespace halfdof::internal
