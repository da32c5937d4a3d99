// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/npy_array.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/assembled/files/zip_archive.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <new>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr std::int64_t largest_index = std::numeric_limits<Index>::max();

/// An array together with a reader of its bytes, which reports errors with the position.
struct Array {
  ByteReader reader;
  NpyArray array;

  Array(const std::filesystem::path& file, std::string_view bytes, const std::string& part)
      : reader(file, bytes, ByteOrder::little, part), array(read_npy_array(reader)) {}

  RejectFile refuse() const {
    return [this](const std::string& reason) { reader.fail(reason); };
  }
  std::int64_t size(std::size_t k) const { return array.shape[k]; }
  std::size_t n_dimensions() const { return array.shape.size(); }

  void require_dimensions(std::size_t n) const {
    if (!array.is_numeric() || n_dimensions() != n)
      reader.fail("an array of numbers with " + std::to_string(n) +
                  " dimensions is expected here, but this array has " + std::to_string(n_dimensions()) +
                  " dimensions and items of the kind '" + array.kind + "'.");
  }
  /// Returns all items, which must be indices within 0 ... largest.
  std::vector<Index> indices(std::int64_t largest) const {
    require_dimensions(1);
    std::vector<Index> items(static_cast<std::size_t>(array.n_items));
    copy_indices(array, array.n_items, largest, items.data(), reader);
    return items;
  }
};

/// The real or the imaginary part of a complex number.
enum class Part { real, imaginary };

void copy_part(const Array& values, Part part, std::int64_t n, double* items) {
  (part == Part::real ? copy_real : copy_imaginary)(values.array, n, items, values.reader);
}

/// Returns the matrix whose real part, and imaginary part if the values are complex, is assemble(part).
template <class Assemble>
FileMatrix with_parts(const Array& values, const Assemble& assemble) {
  FileMatrix matrix;
  assemble(Part::real).swap(matrix.real);
  if (values.array.is_complex()) assemble(Part::imaginary).swap(matrix.imaginary);
  check_finite(matrix, 0, values.refuse());
  return matrix;
}

FileMatrix dense_matrix(const Array& array) {
  check_dense_size(array.size(0), array.size(1), array.refuse());
  std::vector<double> items(static_cast<std::size_t>(array.array.n_items));
  const auto n_rows = static_cast<Index>(array.size(0)), n_columns = static_cast<Index>(array.size(1));
  return with_parts(array, [&](Part part) {
    copy_part(array, part, array.array.n_items, items.data());
    const auto value = [&](std::size_t k) { return items[k]; };
    return array.array.fortran_order ? nonzeros<Eigen::ColMajor>(n_rows, n_columns, value, array.refuse())
                                     : nonzeros<Eigen::RowMajor>(n_rows, n_columns, value, array.refuse());
  });
}

/// Returns a clause that says why an array is not a dense matrix. The clause is empty if the array is a
/// matrix.
std::string why_not_a_matrix(const NpyArray& array) {
  if (array.kind == 'O')
    return "it contains objects of Python (pickled), which are not supported; write each sparse matrix to a "
           "file of its own by scipy.sparse.save_npz";
  if (array.kind == '?')
    return "its numbers have " + std::to_string(8 * array.item_size) +
           " bits, but single or double precision is expected: convert the array by A.astype(float)";
  if (!array.is_numeric()) return std::string("its items are of the kind '") + array.kind + "', not numbers";
  if (array.shape.size() != 2)
    return "it has " + std::to_string(array.shape.size()) + " dimensions, and a matrix has 2";
  return "";
}

/// The arrays of an archive. The keys are the names without ".npy".
using Arrays = std::map<std::string, Array>;

/// The arrays of one sparse matrix, whose names begin with `prefix`.
class SparseArrays {
 public:
  SparseArrays(const std::filesystem::path& file, Arrays& arrays, std::string prefix)
      : file_(file), arrays_(arrays), prefix_(std::move(prefix)) {}

  const Array& operator[](const std::string& key) {
    const auto found = arrays_.find(prefix_ + key);
    if (found == arrays_.end())
      throw FileError(file_,
                      "the archive holds '" + prefix_ + "format', but no '" + prefix_ + key +
                          "', which the sparse matrix needs. Write the matrix by scipy.sparse.save_npz.");
    used_.push_back(prefix_ + key);
    return found->second;
  }

  FileMatrix matrix() {
    const std::string format = text_item((*this)["format"].array);
    const Array& shape = (*this)["shape"];
    shape.require_dimensions(1);
    if (shape.array.n_items != 2) shape.reader.fail("the shape of a matrix should be two numbers.");
    const std::vector<Index> sizes = shape.indices(largest_index - 1);
    n_rows_ = sizes[0];
    n_columns_ = sizes[1];
    if (format == "csc") return compressed<Eigen::ColMajor>();
    if (format == "csr") return compressed<Eigen::RowMajor>();
    if (format == "bsr") return blocks();
    if (format == "coo") return coordinates();
    if (format == "dia") return diagonals();
    (*this)["format"].reader.fail("the format of the sparse matrix is '" + shown(format) +
                                  "'; known are csr, csc, bsr, coo and dia.");
  }

  const std::vector<std::string>& used() const { return used_; }

 private:
  static void check_size_of(const Array& array, std::int64_t n, const std::string& of_what) {
    if (array.array.n_items < n)
      array.reader.fail("the array has " + std::to_string(array.array.n_items) + " items, but " + of_what +
                        " requires " + std::to_string(n) + " items.");
  }

  template <int StorageOrder>
  FileMatrix compressed() {
    const Array &data = (*this)["data"], &indices = (*this)["indices"], &indptr = (*this)["indptr"];
    for (const Array* array : {&data, &indices, &indptr})
      array->require_dimensions(1);
    const std::int64_t n_outer = StorageOrder == Eigen::ColMajor ? n_columns_ : n_rows_;
    const std::int64_t n_inner = StorageOrder == Eigen::ColMajor ? n_rows_ : n_columns_;
    if (indptr.array.n_items != n_outer + 1)
      indptr.reader.fail("indptr should have " + std::to_string(n_outer + 1) + " items, one more than the " +
                         (StorageOrder == Eigen::ColMajor ? "columns" : "rows") + "; it has " +
                         std::to_string(indptr.array.n_items) + ".");
    const std::vector<Index> begin = indptr.indices(largest_index);
    const Index n = begin.back();
    check_size_of(indices, n, "indptr");
    check_size_of(data, n, "indptr");
    check_sparse_size(n_rows_, n_columns_, n, indptr.refuse());
    return with_parts(data, [&](Part part) {
      Eigen::SparseMatrix<double, StorageOrder> A(n_rows_, n_columns_);
      A.resizeNonZeros(n);
      std::copy(begin.begin(), begin.end(), A.outerIndexPtr());
      copy_indices(indices.array, n, n_inner - 1, A.innerIndexPtr(), indices.reader);
      copy_part(data, part, n, A.valuePtr());
      return by_columns(std::move(A), indptr.refuse());
    });
  }

  /// Returns the matrix whose entries are the values of `data` in the given rows and columns.
  FileMatrix with_values(const Array& data, const std::vector<Index>& rows,
                         const std::vector<Index>& columns) const {
    std::vector<double> values(rows.size());
    return with_parts(data, [&](Part part) {
      copy_part(data, part, static_cast<std::int64_t>(rows.size()), values.data());
      std::vector<ListedEntry> entries(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k)
        entries[k] = {rows[k], columns[k], values[k]};
      return halfdof::internal::compressed(n_rows_, n_columns_, entries, Mirror::none, data.refuse());
    });
  }

  FileMatrix coordinates() {
    const Array &data = (*this)["data"], &row = (*this)["row"], &col = (*this)["col"];
    data.require_dimensions(1);
    const std::vector<Index> rows = row.indices(n_rows_ - 1), columns = col.indices(n_columns_ - 1);
    const std::int64_t n = data.array.n_items;
    for (const Array* array : {&row, &col})
      if (array->array.n_items != n)
        array->reader.fail("there should be one index for each of the " + std::to_string(n) +
                           " values, not " + std::to_string(array->array.n_items) + ".");
    check_sparse_size(n_rows_, n_columns_, n, data.refuse());
    return with_values(data, rows, columns);
  }

  FileMatrix diagonals() {
    const Array &data = (*this)["data"], &offsets = (*this)["offsets"];
    data.require_dimensions(2);
    offsets.require_dimensions(1);
    if (offsets.array.n_items != data.size(0))
      offsets.reader.fail("there should be one offset for each of the " + std::to_string(data.size(0)) +
                          " diagonals, not " + std::to_string(offsets.array.n_items) + ".");
    if (offsets.array.kind != 'i') offsets.reader.fail("offsets should be integers with a sign.");
    std::vector<double> shifts(static_cast<std::size_t>(offsets.array.n_items));
    copy_real(offsets.array, offsets.array.n_items, shifts.data(), offsets.reader);
    std::vector<double> items(static_cast<std::size_t>(data.array.n_items));
    return with_parts(data, [&](Part part) {
      copy_part(data, part, data.array.n_items, items.data());
      std::vector<ListedEntry> entries;
      const std::int64_t n_listed = std::min<std::int64_t>(data.size(1), n_columns_);
      for (std::int64_t k = 0; k < data.size(0); ++k)
        for (std::int64_t j = 0; j < n_listed; ++j) {
          const double row = static_cast<double>(j) - shifts[static_cast<std::size_t>(k)];
          const double value = items[position(data, k, j)];
          if (!(row >= 0) || !(row < n_rows_) || value == 0) continue;
          entries.push_back({static_cast<Index>(row), static_cast<Index>(j), value});
        }
      check_sparse_size(n_rows_, n_columns_, static_cast<std::int64_t>(entries.size()), data.refuse());
      return halfdof::internal::compressed(n_rows_, n_columns_, entries, Mirror::none, data.refuse());
    });
  }

  static std::size_t position(const Array& array, std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(array.array.fortran_order ? j * array.size(0) + i
                                                              : i * array.size(1) + j);
  }

  FileMatrix blocks() {
    const Array &data = (*this)["data"], &indices = (*this)["indices"], &indptr = (*this)["indptr"];
    data.require_dimensions(3);
    const std::int64_t height = data.size(1), width = data.size(2);
    if (data.array.fortran_order || height < 1 || width < 1 || n_rows_ % height != 0 ||
        n_columns_ % width != 0)
      data.reader.fail("blocks of " + std::to_string(height) + " x " + std::to_string(width) +
                       " should divide the matrix of " + std::to_string(n_rows_) + " x " +
                       std::to_string(n_columns_) + " and be stored in the order of C.");
    const std::vector<Index> begin = indptr.indices(std::min(data.size(0), largest_index));
    const std::vector<Index> block_columns = indices.indices(n_columns_ / width - 1);
    if (static_cast<std::int64_t>(begin.size()) != n_rows_ / height + 1 || begin.front() != 0 ||
        begin.back() > static_cast<Index>(block_columns.size()) ||
        !std::is_sorted(begin.begin(), begin.end()))
      indptr.reader.fail(
          "indptr should ascend from 0 to the number of blocks, with one item more than rows of blocks.");
    const std::int64_t n = begin.back() * height * width;
    check_sparse_size(n_rows_, n_columns_, n, data.refuse());
    std::vector<Index> rows, columns;
    rows.reserve(static_cast<std::size_t>(n));
    columns.reserve(static_cast<std::size_t>(n));
    for (std::size_t I = 0; I + 1 < begin.size(); ++I)
      for (Index k = begin[I]; k < begin[I + 1]; ++k)
        for (Index i = 0; i < height; ++i)
          for (Index j = 0; j < width; ++j) {
            rows.push_back(static_cast<Index>(static_cast<std::int64_t>(I) * height + i));
            columns.push_back(static_cast<Index>(block_columns[static_cast<std::size_t>(k)] * width + j));
          }
    return with_values(data, rows, columns);
  }

  const std::filesystem::path& file_;
  Arrays& arrays_;
  std::string prefix_;
  std::vector<std::string> used_;
  Index n_rows_ = 0, n_columns_ = 0;
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Returns the arrays of an archive. Other files in the archive are appended to `skipped`.
Arrays arrays_of(const std::filesystem::path& file, const std::vector<ZipMember>& members,
                 std::vector<SkippedVariable>& skipped) {
  Arrays arrays;
  for (const ZipMember& member : members) {
    if (!ends_with(member.name, ".npy")) {
      skipped.push_back({member.name, "it is no array of NumPy (.npy)"});
      continue;
    }
    const std::string name = member.name.substr(0, member.name.size() - 4);
    if (!arrays.try_emplace(name, file, member.text(), "'" + shown(member.name) + "'").second)
      throw FileError(file, "the archive contains two files '" + member.name + "'. Write the archive again.");
  }
  return arrays;
}

/// Returns the sparse matrices of an archive, and removes their arrays from `arrays`.
std::vector<FileMatrix> take_sparse_matrices(const std::filesystem::path& file, Arrays& arrays) {
  std::vector<std::string> prefixes;
  for (const auto& [name, array] : arrays)
    if (name == "format" || ends_with(name, "_format")) prefixes.push_back(name.substr(0, name.size() - 6));
  std::vector<FileMatrix> matrices;
  for (const std::string& prefix : prefixes) {
    SparseArrays sparse(file, arrays, prefix);
    matrices.push_back(sparse.matrix());
    matrices.back().name = prefix.substr(0, prefix.size() - (prefix.empty() ? 0 : 1));
    for (const std::string& name : sparse.used())
      arrays.erase(name);
  }
  return matrices;
}

std::vector<FileMatrix> matrices_of(const std::filesystem::path& file,
                                    std::vector<SkippedVariable>& skipped) {
  const std::vector<ZipMember> members = read_zip(file);
  Arrays arrays = arrays_of(file, members, skipped);
  if (arrays.count("indptr") != 0 && arrays.count("format") == 0)
    throw FileError(
        file,
        "the archive holds 'indptr', but no 'format', which says whether the sparse matrix is "
        "compressed by rows (csr) or by columns (csc). Write the matrix by scipy.sparse.save_npz.");
  std::vector<FileMatrix> matrices = take_sparse_matrices(file, arrays);
  for (const auto& [name, array] : arrays) {
    const std::string reason = why_not_a_matrix(array.array);
    if (reason.empty()) {
      matrices.push_back(dense_matrix(array));
      matrices.back().name = name;
    } else {
      skipped.push_back({name, reason});
    }
  }
  if (!matrices.empty()) return matrices;
  std::string reasons;
  for (const auto& [name, reason] : skipped)
    reasons.append(" '").append(name).append("': ").append(reason).append(".");
  throw FileError(file, "the archive holds no matrix." + reasons);
}

/// Returns read(), and throws an error that names the file if the memory does not suffice.
template <class Read>
auto read_file(const std::filesystem::path& file, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw FileError(file, "what the file holds does not fit in the memory.");
  }
}

template <class Number>
std::string_view bytes_of(const Number* numbers, Eigen::Index n) {
  return {reinterpret_cast<const char*>(numbers), static_cast<std::size_t>(n) * sizeof(Number)};
}

std::string type_of(const char* type) {
  return (machine_order == ByteOrder::little ? '<' : '>') + std::string(type);
}

std::string vector_header(const char* type, Eigen::Index size) {
  return npy_header(type_of(type), "(" + std::to_string(size) + ",)");
}

/// The arrays of an archive before it is written.
class NpzFiles {
 public:
  void add(const std::string& name, Sparse A) {
    check_finite_to_write(A, "file of SciPy");
    A.makeCompressed();
    add_sparse(name, matrices_.emplace_back(std::move(A)), "f8");
  }
  void add(const std::string& name, Eigen::SparseMatrix<Complex> A) {
    for (const Sparse& part : {Sparse(A.real()), Sparse(A.imag())})
      check_finite_to_write(part, "file of SciPy");
    A.makeCompressed();
    add_sparse(name, complex_matrices_.emplace_back(std::move(A)), "c16");
  }
  void add(const std::string& name, const MultiVector& A) {
    add_file(name, dense_header("f8", A.rows(), A.cols()), bytes_of(A.data(), A.size()));
  }
  void add(const std::string& name, const ComplexMultiVector& A) {
    add_file(name, dense_header("c16", A.rows(), A.cols()), bytes_of(A.data(), A.size()));
  }
  void write(const std::filesystem::path& file) const { write_zip(file, files_); }

 private:
  template <class Matrix>
  void add_sparse(const std::string& name, const Matrix& kept, const char* type) {
    const std::string prefix = name.empty() ? "" : name + "_";
    sizes_.push_back({kept.rows(), kept.cols()});
    add_file(prefix + "indices", vector_header("i4", kept.nonZeros()),
             bytes_of(kept.innerIndexPtr(), kept.nonZeros()));
    add_file(prefix + "indptr", vector_header("i4", kept.cols() + 1),
             bytes_of(kept.outerIndexPtr(), kept.cols() + 1));
    add_file(prefix + "format", npy_header("|S3", "()"), "csc");
    add_file(prefix + "shape", vector_header("i8", 2), bytes_of(sizes_.back().data(), 2));
    add_file(prefix + "data", vector_header(type, kept.nonZeros()),
             bytes_of(kept.valuePtr(), kept.nonZeros()));
  }
  static std::string dense_header(const char* type, Eigen::Index n_rows, Eigen::Index n_columns) {
    return npy_header(type_of(type), "(" + std::to_string(n_rows) + ", " + std::to_string(n_columns) + ")",
                      true);
  }
  void add_file(const std::string& name, std::string header, std::string_view bytes) {
    headers_.push_back(std::move(header));
    files_.push_back({name + ".npy", {headers_.back(), bytes}});
  }

  // The list of files refers to the elements of these deques, whose addresses do not change.
  std::deque<Sparse> matrices_;
  std::deque<Eigen::SparseMatrix<Complex>> complex_matrices_;
  std::deque<std::array<std::int64_t, 2>> sizes_;
  std::deque<std::string> headers_;
  std::vector<ZipSource> files_;
};

}  // namespace

std::vector<FileMatrix> read_npz(const std::filesystem::path& file, std::vector<SkippedVariable>* skipped) {
  return read_file(file, [&] {
    std::vector<SkippedVariable> ignored;
    return matrices_of(file, skipped == nullptr ? ignored : *skipped);
  });
}

std::vector<FileMatrix> read_npy(const std::filesystem::path& file) {
  return read_file(file, [&] {
    const ByteBlock bytes = read_bytes(file);
    const Array array(file, {bytes.data.get(), bytes.size}, "");
    const std::string reason = why_not_a_matrix(array.array);
    if (!reason.empty()) throw FileError(file, "the array in this file is not a matrix: " + reason + ".");
    std::vector<FileMatrix> matrices;
    matrices.push_back(dense_matrix(array));
    return matrices;
  });
}

void write_npz(const std::filesystem::path& file, const Sparse& matrix) {
  write_npz(file, std::vector<NpzArray>{{"", matrix}});
}

void write_npz(const std::filesystem::path& file, const std::vector<NpzArray>& arrays) {
  const StageTimer stage("write a file");
  NpzFiles files;
  for (const NpzArray& array : arrays)
    std::visit([&](const auto& value) { files.add(array.name, value); }, array.value);
  files.write(file);
}

}  // namespace halfdof::internal
