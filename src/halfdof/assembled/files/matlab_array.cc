// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/matlab_array.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::int64_t largest_index = std::numeric_limits<Index>::max();

/// Calls use(zero) with a zero of the type that a type number of MATLAB stands for. Unknown types are
/// ignored.
template <class Use>
void call_with_number_type(std::uint32_t type, const Use& use) {
  switch (type) {
    case 1:
      return use(std::int8_t(0));
    case 2:
      return use(std::uint8_t(0));
    case 3:
      return use(std::int16_t(0));
    case 4:
      return use(std::uint16_t(0));
    case 5:
      return use(std::int32_t(0));
    case 6:
      return use(std::uint32_t(0));
    case 7:
      return use(0.f);
    case 9:
      return use(0.);
    case 12:
      return use(std::int64_t(0));
    case 13:
      return use(std::uint64_t(0));
    default:
      return;
  }
}

/// Converts the first n numbers to double and writes them to `values`.
void copy_values(const MatlabNumbers& numbers, std::uint64_t n, double* values, const RejectFile& refuse) {
  call_with_number_type(numbers.type, [&](auto zero) {
    using Number = decltype(zero);
    const char* p = numbers.data;
    for (std::uint64_t k = 0; k < n; ++k, p += sizeof(Number)) {
      values[k] = static_cast<double>(number_at<Number>(p, numbers.order));
      if constexpr (std::is_integral_v<Number>)
        if (const auto integer = number_at<Number>(p, numbers.order); !fits_double(integer))
          refuse("it contains the integer " + std::to_string(integer) +
                 ", whose modulus exceeds 2^53, so that double precision does not represent it exactly.");
    }
  });
}

/// Converts the first n numbers to indices and writes them to `indices`.
void copy_indices(const MatlabNumbers& numbers, std::uint64_t n, Index* indices, const RejectFile& refuse) {
  if (numbers.type == 7 || numbers.type == 9) refuse("its indices should be integers.");
  call_with_number_type(numbers.type, [&](auto zero) {
    using Number = decltype(zero);
    const char* p = numbers.data;
    for (std::uint64_t k = 0; k < n; ++k, p += sizeof(Number)) {
      // NOLINTNEXTLINE(bugprone-signed-char-misuse): no text
      const auto index = static_cast<std::int64_t>(number_at<Number>(p, numbers.order));
      if (index < 0 || index > largest_index)
        refuse("its index " + std::to_string(index) + " lies outside 0 ... 2^31 - 1.");
      indices[k] = static_cast<Index>(index);
    }
  });
}

void require_at_least(const MatlabNumbers& numbers, std::uint64_t n, const char* quantity,
                      const RejectFile& refuse) {
  if (matlab_number_size(numbers.type) == 0)
    refuse(std::string("its ") + quantity + " have the type " + std::to_string(numbers.type) +
           ", which is no type of numbers.");
  if (numbers.n < n)
    refuse("it should have " + std::to_string(n) + " " + quantity + ", but has " + std::to_string(numbers.n) +
           ".");
}

Sparse sparse_part(const MatlabArray& variable, const MatlabNumbers& values, const RejectFile& refuse) {
  const std::int64_t n_rows = variable.sizes[0], n_columns = variable.sizes[1];
  check_dense_size(n_rows, n_columns, refuse);
  const auto n_begins = static_cast<std::uint64_t>(n_columns) + 1;
  require_at_least(variable.column_begins, n_begins, "beginnings of columns", refuse);
  Sparse A(static_cast<Index>(n_rows), static_cast<Index>(n_columns));
  copy_indices(variable.column_begins, n_begins, A.outerIndexPtr(), refuse);
  const Index n = A.outerIndexPtr()[n_columns];
  const auto n_entries = static_cast<std::uint64_t>(n);
  require_at_least(variable.rows, n_entries, "rows", refuse);
  require_at_least(values, n_entries, "values", refuse);
  A.data().resize(n);
  copy_indices(variable.rows, n_entries, A.innerIndexPtr(), refuse);
  copy_values(values, n_entries, A.valuePtr(), refuse);
  return by_columns(std::move(A), refuse);
}

Sparse dense_part(const MatlabArray& variable, const MatlabNumbers& numbers, const RejectFile& refuse) {
  check_dense_size(variable.sizes[0], variable.sizes[1], refuse);
  const auto n =
      static_cast<std::uint64_t>(variable.sizes[0]) * static_cast<std::uint64_t>(variable.sizes[1]);
  require_at_least(numbers, n, "values", refuse);
  std::vector<double> values(n);
  copy_values(numbers, n, values.data(), refuse);
  return nonzeros<Eigen::ColMajor>(
      static_cast<Index>(variable.sizes[0]), static_cast<Index>(variable.sizes[1]),
      [&](std::size_t k) { return values[k]; }, refuse);
}

/// Returns a clause that says why a variable is not a matrix of numbers. The clause is empty if the variable
/// is a matrix.
std::string why_not_a_matrix(const MatlabArray& variable) {
  switch (variable.array_class) {
    case 1:
      return "it is a cell array";
    case 2:
      return "it is a struct";
    case 3:
    case 17:
      return "it is an object";
    case 4:
      return "it is text";
    case 16:
      return "it is a function handle";
    default:
      break;
  }
  if (!variable.is_numeric()) return "its class " + std::to_string(variable.array_class) + " is unknown";
  if (variable.sizes.size() != 2)
    return "it has " + std::to_string(variable.sizes.size()) + " dimensions, and a matrix has 2";
  return "";
}

}  // namespace

std::uint64_t matlab_number_size(std::uint32_t type) {
  std::uint64_t size = 0;
  call_with_number_type(type, [&](auto zero) { size = sizeof zero; });
  return size;
}

void MatlabContents::add(const MatlabArray& variable, const RejectFile& refuse_part) {
  const RejectFile refuse = [&](const std::string& reason) {
    refuse_part("the variable '" + shown(variable.name) + "' is damaged: " + reason);
  };
  const std::string reason = why_not_a_matrix(variable);
  if (reason.empty()) {
    const auto part = variable.is_sparse() ? sparse_part : dense_part;
    FileMatrix matrix;
    matrix.name = variable.name;
    part(variable, variable.real, refuse).swap(matrix.real);
    if (variable.is_complex) part(variable, variable.imaginary, refuse).swap(matrix.imaginary);
    matrices.push_back(std::move(matrix));
  }
  if (!reason.empty()) skipped.push_back({variable.name, reason});
}

}  // namespace halfdof::internal
