// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/harwell_boeing.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/printable.h>
#include <halfdof/base/profile.h>

#include <algorithm>
#include <string>

namespace halfdof::internal {

namespace {

constexpr std::size_t line_length = 80;

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

/// Fields of one width, as many of them in a line as fit.
struct FieldBlock {
  std::size_t width;
  GlobalIndex n;

  GlobalIndex n_per_line() const { return static_cast<GlobalIndex>(line_length / width); }
  GlobalIndex n_lines() const { return (n + n_per_line() - 1) / n_per_line(); }

  /// Writes text(k) for all k in [0, n).
  template <class Text>
  void write(AtomicFile& out, const Text& text) const {
    for (GlobalIndex k = 0; k < n; ++k) {
      out.write(right_aligned(text(k), width));
      if ((k + 1) % n_per_line() == 0 || k + 1 == n) out.write("\n");
    }
  }
};

/// Returns a text of 17 digits, which gives the same double.
std::string text_of_value(double value) {
  return scientific_text(value, 17, 'E');
}

double part_of(double value, GlobalIndex) {
  return value;
}

double part_of(std::complex<double> value, GlobalIndex k) {
  return k == 0 ? value.real() : value.imag();
}

template <class Scalar>
void write_columns(AtomicFile& out, const std::string& name, const Eigen::SparseMatrix<Scalar>& A) {
  constexpr GlobalIndex n_parts = sizeof(Scalar) / sizeof(double);
  const auto n_entries = static_cast<GlobalIndex>(A.nonZeros());
  const auto width_of = [](GlobalIndex largest) { return std::to_string(largest).size() + 1; };
  const FieldBlock starts{width_of(n_entries + 1), static_cast<GlobalIndex>(A.cols()) + 1},
      rows{width_of(A.rows()), n_entries}, values{25, n_parts * n_entries};
  const auto line_of = [&out](const std::string& first, std::initializer_list<GlobalIndex> numbers) {
    out.write(first);
    for (const GlobalIndex number : numbers)
      out.write(right_aligned(std::to_string(number), 14));
    out.write("\n");
  };
  const auto integers = [](const FieldBlock& block) {
    return padded("(" + std::to_string(block.n_per_line()) + "I" + std::to_string(block.width) + ")", 16);
  };
  out.write(padded(name, 72) + padded(name.substr(0, harwell_boeing_key_length), 8) + "\n");
  line_of("", {starts.n_lines() + rows.n_lines() + values.n_lines(), starts.n_lines(), rows.n_lines(),
               values.n_lines(), 0});
  line_of(std::string(n_parts == 1 ? "R" : "C") + (A.rows() == A.cols() ? "UA" : "RA") + std::string(11, ' '),
          {A.rows(), A.cols(), n_entries, 0});
  out.write(integers(starts) + integers(rows) + padded("(3E25.16)", 20) + std::string(20, ' ') + "\n");
  starts.write(out, [&](GlobalIndex k) { return std::to_string(A.outerIndexPtr()[k] + 1); });
  rows.write(out, [&](GlobalIndex k) { return std::to_string(A.innerIndexPtr()[k] + 1); });
  values.write(out,
               [&](GlobalIndex k) { return text_of_value(part_of(A.valuePtr()[k / n_parts], k % n_parts)); });
}

}  // namespace

void write_harwell_boeing(const std::filesystem::path& file, const FileMatrix& matrix) {
  const StageTimer stage("write a file");
  check_finite_to_write(matrix.real, "Harwell-Boeing file");
  check_finite_to_write(matrix.imaginary, "Harwell-Boeing file");
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (matrix.name.size() > 72 || !std::all_of(matrix.name.begin(), matrix.name.end(), is_printable))
    throw InvalidInput("'" + printable(matrix.name) +
                       "' is not a valid name of a matrix in a Harwell-Boeing file. A name has at most 72 "
                       "characters of ASCII. Give names by --names.");
  AtomicFile out(file);
  if (matrix.is_complex())
    write_columns(out, matrix.name, matrix.complex());
  else
    write_columns(out, matrix.name, matrix.real);
  out.commit();
}

}  // namespace halfdof::internal
