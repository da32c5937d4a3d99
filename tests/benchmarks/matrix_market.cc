// SPDX-License-Identifier: LGPL-2.1-or-later
// How fast Matrix Market files are read, beside Eigen's own reader and the plain reading of the
// bytes, and how fast binary files of SciPy, PETSc and MATLAB are read. Usage: benchmark_matrix_market
// [millions of entries] [folder for the files]
//
// The matrix has the pattern of trilinear elements with three components on a cube, in three orders: as the
// writers of column-compressed codes list it, row by row, and shuffled. All files are in the page cache.

#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/assembled/files/petsc_binary.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/output/result_files.h>

#include "report.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <unsupported/Eigen/SparseExtra>
#include <vector>

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

template <class Action>
double best_seconds(const Action& action) {
  double best = 1e300;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    action();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
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

void write_in_order(const std::filesystem::path& file, const Entries& entries, int size) {
  halfdof::internal::AtomicFile out(file);
  out.write("%%MatrixMarket matrix coordinate real general\n");
  const auto write = [&](auto value, const char* end) {
    out.write(value);
    out.write(end);
  };
  write(halfdof::GlobalIndex(size), " ");
  write(halfdof::GlobalIndex(size), " ");
  write(halfdof::GlobalIndex(entries.size()), "\n");
  for (const auto& entry : entries) {
    write(halfdof::GlobalIndex(entry.row() + 1), " ");
    write(halfdof::GlobalIndex(entry.col() + 1), " ");
    write(entry.value(), "\n");
  }
  out.commit();
}

std::size_t n_bytes_read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(1 << 18);
  std::size_t n = 0;
  while (in.read(block.data(), std::streamsize(block.size())) || in.gcount() > 0)
    n += std::size_t(in.gcount());
  return n;
}

void compare(const std::string& order, const std::filesystem::path& file, const Sparse& expected,
             halfdof::benchmark::Report& report) {
  Sparse ours, eigens;
  const double our_seconds = best_seconds([&] { ours = halfdof::read_matrix_market(file); });
  const std::string model = order + ", " + std::to_string(expected.nonZeros()) + " entries";
  const double differ = (ours - expected).norm() / expected.norm();
  report.add({"reading a Matrix Market file", model, "Eigen's loadMarket", our_seconds,
              best_seconds([&] { Eigen::loadMarket(eigens, file.string()); }), 0., differ});
  report.add({"reading a Matrix Market file", model, "the bytes alone", our_seconds,
              best_seconds([&] { n_bytes_read(file); }), 0., differ});
}

void compare_binary(const std::string& format, const std::filesystem::path& file, const Sparse& expected,
                    std::vector<halfdof::internal::FileMatrix> (*read)(const std::filesystem::path&),
                    halfdof::benchmark::Report& report) {
  std::vector<halfdof::internal::FileMatrix> ours;
  const double our_seconds = best_seconds([&] { ours = read(file); });
  report.add({"reading a file of " + format, std::to_string(expected.nonZeros()) + " entries",
              "the bytes alone", our_seconds, best_seconds([&] { n_bytes_read(file); }), 0.,
              (ours.at(0).real - expected).norm() / expected.norm()});
}

}  // namespace

int main(int argc, char** argv) {
  const double n_millions = argc > 1 ? std::atof(argv[1]) : 3;
  const std::filesystem::path folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string();
  const std::filesystem::path file = folder / "halfdof_benchmark.mtx";
  std::mt19937 random(1);
  const int n = std::max(2, int(std::cbrt(n_millions * 1e6 / 243)));
  Entries entries = cube(n, random);
  Sparse matrix(3 * n * n * n, 3 * n * n * n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  halfdof::benchmark::Report report;
  halfdof::write_matrix_market(file, matrix);
  compare("by columns", file, matrix, report);

  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.row() < b.row(); });
  write_in_order(file, entries, int(matrix.rows()));
  compare("by rows", file, matrix, report);

  std::shuffle(entries.begin(), entries.end(), random);
  write_in_order(file, entries, int(matrix.rows()));
  compare("shuffled", file, matrix, report);

  const Sparse symmetric = matrix + Sparse(matrix.transpose());
  halfdof::write_matrix_market(file, symmetric, "", halfdof::StoredPart::lower_if_symmetric);
  compare("lower part of a symmetric one", file, symmetric, report);

  using Path = std::filesystem::path;
  halfdof::internal::write_npz(file, matrix);
  compare_binary(
      "SciPy (.npz, stored)", file, matrix, [](const Path& npz) { return halfdof::internal::read_npz(npz); },
      report);
  halfdof::internal::write_petsc(file, matrix);
  compare_binary("PETSc", file, matrix, halfdof::internal::read_petsc, report);
  halfdof::write_matlab_file(file, {{"K", matrix}});
  compare_binary(
      "MATLAB (.mat, version 5)", file, matrix,
      [](const Path& mat) { return halfdof::internal::read_matlab(mat); }, report);
  std::filesystem::remove(file);
}
