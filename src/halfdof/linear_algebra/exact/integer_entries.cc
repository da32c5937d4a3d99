// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/integer_entries.h>
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

int round_to_int(double x) {
  return static_cast<int>(std::lround(x));
}

}  // namespace

BinaryNumber binary_number(double x) {
  if (x == 0) return {0, 0};
  constexpr int digits = std::numeric_limits<double>::digits;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  auto m = static_cast<std::int64_t>(std::ldexp(fraction, digits));
  exponent -= digits;
  for (; m % 2 == 0; m /= 2)
    ++exponent;
  return {m, exponent};
}

std::optional<IntegerPencil> integer_pencil(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            int most_bits) {
  const auto n = static_cast<Index>(K.rows());
  const auto entry = [&](int power, Index i, Index j) {
    return power == 0 ? K(i, j) : power == 1 ? C(i, j) : M(i, j);
  };
  const LogarithmicScaling scaling = logarithmic_scaling(
      n, {{0, logarithms_of_entries(K)}, {1, logarithms_of_entries(C)}, {2, logarithms_of_entries(M)}},
      6 * n + 2);
  IntegerPencil pencil{n, round_to_int(scaling.rate), 0, {}};
  const auto shifted = [&](int power, Index i, Index j) {
    BinaryNumber number = binary_number(entry(power, i, j));
    number.e += round_to_int(scaling.rows[i]) + round_to_int(scaling.columns[j]) +
                power * pencil.exponent_of_eigenvalue;
    return number;
  };
  const auto for_all = [&](const auto& visit) {
    for (int power = 0; power < 3; ++power)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
          visit(power, shifted(power, i, j));
  };

  // All rows are multiplied by the same power of two, the smallest one that makes all entries integers.
  int lowest = std::numeric_limits<int>::max();
  for_all([&](int, BinaryNumber number) {
    if (number.m != 0) lowest = std::min(lowest, number.e);
  });
  for_all([&](int, BinaryNumber number) {
    if (number.m != 0)
      pencil.most_bits =
          std::max(pencil.most_bits, number.e - lowest + 1 + std::ilogb(double(std::abs(number.m))));
  });
  if (pencil.most_bits > most_bits) return std::nullopt;
  for_all([&](int power, BinaryNumber number) {
    ExactInteger entry;
    fmpz_set_si(entry.get(), number.m);
    if (number.m != 0) fmpz_mul_2exp(entry.get(), entry.get(), static_cast<ulong>(number.e - lowest));
    pencil.entries[static_cast<std::size_t>(power)].push_back(entry);
  });
  return pencil;
}

}  // namespace halfdof::internal
