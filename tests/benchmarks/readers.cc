// SPDX-License-Identifier: LGPL-2.1-or-later
// How fast files of matrices are read, beside the reading of their bytes. Usage: benchmark_readers
// [millions of entries] [folder for the files]
//
// The matrix has the pattern of trilinear elements with three components on a cube; formats for symmetric
// matrices get its symmetric part. Text is compared with std::from_chars of every number of the file, and
// binary files with a copy of their bytes in memory. Of a compressed file, the decompression alone is
// measured with zlib and taken off. All times are those of the processor, with files in the page cache.

#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/output/matrix_files.h>

#include <matio.h>
#include <zlib.h>

#include "report.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using halfdof::internal::FileDoF;
using halfdof::internal::FileMatrix;
using Path = std::filesystem::path;
using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

template <class Action>
double best_seconds(const Action& action) {
  double best = 1e300;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const std::clock_t start = std::clock();
    action();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

Entries cube(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  Entries entries;
  const auto vertex = [n](int x, int y, int z) { return (z * n + y) * n + x; };
  const auto inside = [n](int x) { return x >= 0 && x < n; };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (int component = 0; component < 3; ++component)
          for (int neighbour = 0; neighbour < 27; ++neighbour) {
            const int a = x + neighbour % 3 - 1, b = y + neighbour / 3 % 3 - 1, c = z + neighbour / 9 - 1;
            if (!inside(a) || !inside(b) || !inside(c)) continue;
            for (int other = 0; other < 3; ++other)
              entries.emplace_back(3 * vertex(a, b, c) + other, 3 * vertex(x, y, z) + component,
                                   value(random));
          }
  return entries;
}

std::string bytes_of(const Path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::filesystem::file_size(file), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// Reads every number of a text and returns their sum.
double sum_of_numbers(const std::string& text) {
  double sum = 0;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    double value = 0;
    long integer = 0;
    const auto as_integer = std::from_chars(p, end, integer);
    const bool is_real = as_integer.ptr < end && std::strchr(".eED", *as_integer.ptr) != nullptr;
    const auto [next, error] = is_real ? std::from_chars(p, end, value) : as_integer;
    sum += is_real ? value : static_cast<double>(integer);
    p = error == std::errc() ? next : p + 1;
  }
  return sum;
}

/// Decompresses the streams of zlib that begin at places of a file.
void inflate_all(const std::string& bytes, const std::vector<std::size_t>& begins, std::string& out) {
  for (const std::size_t begin : begins) {
    z_stream stream{};
    inflateInit2(&stream, 15 + 32);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + begin));
    stream.avail_in = static_cast<uInt>(bytes.size() - begin);
    int status = Z_OK;
    while (status == Z_OK) {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      status = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
  }
}

enum class Kind { text, binary };

/// Measures a reader. @param compressed Places of streams of zlib in the file
void compare(const std::string& format, const Path& file, const Sparse& expected, Kind kind,
             halfdof::benchmark::Report& report, const std::vector<std::size_t>& compressed = {}) {
  Sparse ours;
  double our_seconds = best_seconds([&] { ours = halfdof::read_matrix(file); });
  const std::string bytes = bytes_of(file);
  double sum = 0;
  std::string copy(bytes.size(), '\0');
  if (!compressed.empty()) {
    std::string block(std::size_t(1) << 16, '\0');
    our_seconds -= best_seconds([&] { inflate_all(bytes, compressed, block); });
    copy.resize(static_cast<std::size_t>(12 * expected.nonZeros()));
  }
  const std::string source(copy.size(), ' ');
  const double limit =
      kind == Kind::text ? best_seconds([&] { sum += sum_of_numbers(bytes_of(file)); }) : best_seconds([&] {
        copy = source;
        sum += copy[copy.size() / 2];
      });
  if (!std::isfinite(sum)) std::cout << "the numbers overflow\n";
  report.add(
      {"reading " + format,
       std::to_string(expected.nonZeros()) + " entries, " + std::to_string(bytes.size() / 1000000) + " MB",
       kind == Kind::text ? "from_chars" : "a copy of the bytes", our_seconds, limit, 0.5,
       (ours - expected).norm() / expected.norm(), 1e-9});
}

/// Writes fields one after the other, by a Fortran format.
template <class Number>
void write_fields(std::FILE* out, const char* format, int per_line, const Number* numbers, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::fprintf(out, format, numbers[k]);
    if ((k + 1) % static_cast<std::size_t>(per_line) == 0 || k + 1 == n) std::fputc('\n', out);
  }
}

void write_harwell_boeing(const Path& file, const Sparse& A) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  std::vector<int> begins(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1),
      rows(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
  for (auto* const all : {&begins, &rows})
    for (int& number : *all)
      ++number;
  const auto lines = [](std::size_t n, std::size_t per_line) { return (n + per_line - 1) / per_line; };
  const std::size_t n_begins = lines(begins.size(), 8), n_rows = lines(rows.size(), 8),
                    n_values = lines(rows.size(), 3);
  std::fprintf(out, "%-72s%-8s\n%14zu%14zu%14zu%14zu%14d\n", "cube", "K", n_begins + n_rows + n_values,
               n_begins, n_rows, n_values, 0);
  std::fprintf(out, "%-14s%14d%14d%14d%14d\n%-16s%-16s%-20s%-20s\n", "RUA", int(A.rows()), int(A.cols()),
               int(A.nonZeros()), 0, "(8I10)", "(8I10)", "(3E25.16)", "");
  write_fields(out, "%10d", 8, begins.data(), begins.size());
  write_fields(out, "%10d", 8, rows.data(), rows.size());
  write_fields(out, "%25.16E", 3, A.valuePtr(), rows.size());
  std::fclose(out);
}

/// Writes columns as strings of entries in rows one after the other.
void write_op4_binary(const Path& file, const Sparse& A) {
  std::ofstream out(file, std::ios::binary);
  const auto write_record = [&](const std::string& bytes) {
    const auto n = static_cast<std::int32_t>(bytes.size());
    out.write(reinterpret_cast<const char*>(&n), 4);
    out.write(bytes.data(), n);
    out.write(reinterpret_cast<const char*>(&n), 4);
  };
  const auto add = [](std::string& bytes, auto number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  std::string header;
  for (const auto number : {int(A.cols()), int(-A.rows()), 2, 2})
    add(header, std::int32_t(number));
  write_record(header + "K       ");
  for (int j = 0; j <= A.cols(); ++j) {
    std::string strings, column;
    for (int k = j < A.cols() ? A.outerIndexPtr()[j] : 0; j < A.cols() && k < A.outerIndexPtr()[j + 1];) {
      const int first = A.innerIndexPtr()[k];
      int n = 1;
      while (k + n < A.outerIndexPtr()[j + 1] && A.innerIndexPtr()[k + n] == first + n)
        ++n;
      add(strings, std::int32_t(2 * n + 1));
      add(strings, std::int32_t(first + 1));
      strings.append(reinterpret_cast<const char*>(A.valuePtr() + k), std::size_t(n) * 8);
      k += n;
    }
    if (j == A.cols()) add(strings, 1.);
    add(column, std::int32_t(j + 1));
    add(column, std::int32_t(j == A.cols() ? 1 : 0));
    add(column, std::int32_t(strings.size() / 4));
    write_record(column + strings);
  }
}

void write_mat(const Path& file, Sparse A, mat_ft version, matio_compression compression) {
  mat_t* const mat = Mat_CreateVer(file.c_str(), nullptr, version);
  std::vector<mat_uint32_t> rows(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros()),
      begins(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1);
  const auto n = static_cast<mat_uint32_t>(A.nonZeros());
  mat_sparse_t sparse = {n, rows.data(), n, begins.data(), static_cast<mat_uint32_t>(begins.size()),
                         n, A.valuePtr()};
  std::size_t sizes[] = {std::size_t(A.rows()), std::size_t(A.cols())};
  matvar_t* const variable =
      Mat_VarCreate("K", MAT_C_SPARSE, MAT_T_DOUBLE, 2, sizes, &sparse, MAT_F_DONT_COPY_DATA);
  Mat_VarWrite(mat, variable, compression);
  Mat_VarFree(variable);
  Mat_Close(mat);
}

}  // namespace

int main(int argc, char** argv) {
  using halfdof::FileFormat;
  const double n_millions = argc > 1 ? std::atof(argv[1]) : 1;
  const Path folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string();
  std::mt19937 random(1);
  const int n = std::max(2, int(std::cbrt(n_millions * 1e6 / 243)));
  Entries entries = cube(n, random);
  FileMatrix general, symmetric;
  general.real.resize(3 * n * n * n, 3 * n * n * n);
  general.real.setFromTriplets(entries.begin(), entries.end());
  general.name = symmetric.name = "K";
  for (int i = 0; i < general.real.rows(); ++i)
    general.rows.push_back({i / 3 + 1, i % 3 + 1});
  symmetric.rows = general.rows;
  symmetric.real = general.real + Sparse(general.real.transpose());
  halfdof::benchmark::Report report;
  const auto measure = [&](const char* name, const char* extension, FileFormat format,
                           const FileMatrix& matrix, Kind kind) {
    const Path file = folder / (std::string("halfdof_benchmark") + extension);
    halfdof::internal::write_matrices(file, format, {matrix});
    compare(name, file, matrix.real, kind, report);
    std::filesystem::remove(file);
  };
  measure("Matrix Market", ".mtx", FileFormat::matrix_market, general, Kind::text);
  {
    const Path file = folder / "halfdof_benchmark.mtx";
    std::shuffle(entries.begin(), entries.end(), random);
    halfdof::internal::AtomicFile out(file);
    out.write("%%MatrixMarket matrix coordinate real general\n" + std::to_string(general.real.rows()) + " " +
              std::to_string(general.real.cols()) + " " + std::to_string(entries.size()) + "\n");
    for (const auto& entry : entries) {
      out.write(std::to_string(entry.row() + 1) + " " + std::to_string(entry.col() + 1) + " ");
      out.write(entry.value());
      out.write("\n");
    }
    out.commit();
    compare("Matrix Market, shuffled", file, general.real, Kind::text, report);
    std::filesystem::remove(file);
  }
  measure("CalculiX", ".sti", FileFormat::calculix, symmetric, Kind::text);
  std::filesystem::remove(folder / "halfdof_benchmark.dof");
  measure("Abaqus coordinates", "_abaqus.mtx", FileFormat::abaqus_coordinate, general, Kind::text);
  measure("Abaqus matrix input", "_input.mtx", FileFormat::abaqus_matrix_input, symmetric, Kind::text);
  measure("Nastran DMIG", ".pch", FileFormat::nastran_dmig, symmetric, Kind::text);
  measure("Nastran OP4, text", ".op4", FileFormat::nastran_op4, general, Kind::text);
  const auto measure_file = [&](const char* name, const char* file_name, Kind kind, const auto& write) {
    const Path file = folder / file_name;
    write(file);
    compare(name, file, general.real, kind, report);
    std::filesystem::remove(file);
  };
  const Sparse& A = general.real;
  measure_file("Harwell-Boeing", "halfdof_benchmark.rua", Kind::text,
               [&](const Path& file) { write_harwell_boeing(file, A); });
  measure_file("Nastran OP4, binary", "halfdof_benchmark.op4", Kind::binary,
               [&](const Path& file) { write_op4_binary(file, A); });
  measure("PETSc", ".petsc", FileFormat::petsc, general, Kind::binary);
  measure("SciPy (.npz)", ".npz", FileFormat::numpy_npz, general, Kind::binary);
  measure_file("MATLAB (version 5)", "halfdof_benchmark.mat", Kind::binary,
               [&](const Path& file) { write_mat(file, A, MAT_FT_MAT5, MAT_COMPRESSION_NONE); });
  measure_file("MATLAB (version 7.3)", "halfdof_benchmark.mat", Kind::binary,
               [&](const Path& file) { write_mat(file, A, MAT_FT_MAT73, MAT_COMPRESSION_NONE); });
  const Path file = folder / "halfdof_benchmark.mat";
  write_mat(file, A, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);
  compare("MATLAB (version 5, compressed)", file, A, Kind::binary, report, {128 + 8});
  std::filesystem::remove(file);
}
