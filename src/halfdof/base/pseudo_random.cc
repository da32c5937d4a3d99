// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/pseudo_random.h>

#include <cstdint>

namespace halfdof::internal {

namespace {

/// One step of the generator splitmix64 (Steele, Lea and Flood 2014).
std::uint64_t splitmix64(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

}  // namespace

MultiVector pseudo_random(const Partition& rows, Index n_columns, Index first_column) {
  MultiVector x(rows.n_local(), n_columns);
  for (Index j = 0; j < n_columns; ++j)
    for (Index i = 0; i < rows.n_local(); ++i) {
      const auto row = static_cast<std::uint64_t>(rows.global_index(i));
      const std::uint64_t bits = splitmix64(splitmix64(static_cast<std::uint64_t>(first_column + j)) ^ row);
      x(i, j) = static_cast<double>(bits >> 11) * 0x1p-52 - 1.;
    }
  return x;
}

}  // namespace halfdof::internal
