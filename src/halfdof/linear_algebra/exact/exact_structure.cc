// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/exact/integer_entries.h>
#include <halfdof/linear_algebra/exact/modular_matrix.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace halfdof::internal {

namespace {

/// Numbers below the prime moduli: the next larger primes are used. The numbers are not near powers of two,
/// because the entries of the matrices are multiples of powers of two.
constexpr std::array<mp_limb_t, 2> prime_search_starts = {1723456789012345678, 2109876543210987654};
/// The shift mu at which a pencil is evaluated modulo a prime: a number that is not a quotient of small
/// numbers.
constexpr mp_limb_t shift = 1234567890123456787;

mp_limb_t residue_of(double x, nmod_t modulus) {
  const BinaryNumber number = binary_number(x);
  const auto magnitude = static_cast<mp_limb_t>(number.m < 0 ? -number.m : number.m) % modulus.n;
  const mp_limb_t power = nmod_pow_ui(2, static_cast<mp_limb_t>(std::abs(number.e)), modulus);
  const mp_limb_t absolute = nmod_mul(magnitude, number.e < 0 ? nmod_inv(power, modulus) : power, modulus);
  return number.m < 0 ? nmod_neg(absolute, modulus) : absolute;
}

ModularMatrix residues_of(ConstView<double> A, mp_limb_t prime) {
  ModularMatrix residues(A.rows(), A.cols(), prime);
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (A(i, j) != 0) residues(i, j) = residue_of(A(i, j), residues.modulus());
  return residues;
}

/// Returns a basis of the row space of A.
ModularMatrix row_space_basis(ModularMatrix A) {
  const slong rank = nmod_mat_rref(A.get());
  ModularMatrix rows(rank, A.n_columns(), A.prime());
  for (slong i = 0; i < rank; ++i)
    for (slong j = 0; j < A.n_columns(); ++j)
      rows(i, j) = A(i, j);
  return rows;
}

/// Returns the ranks of the powers B, B^2, ... up to the last power whose rank is smaller than the rank
/// before.
std::vector<Index> ranks_of_powers(const ModularMatrix& B) {
  std::vector<Index> ranks;
  ModularMatrix rows(B.n_rows(), B.n_rows(), B.prime());
  nmod_mat_one(rows.get());
  for (Index before = B.n_rows();; before = ranks.back()) {
    ModularMatrix image(rows.n_rows(), B.n_columns(), B.prime());
    nmod_mat_mul(image.get(), rows.get(), B.get());
    rows = row_space_basis(std::move(image));
    if (rows.n_rows() == before) return ranks;
    ranks.push_back(rows.n_rows());
  }
}

/// Computes the structure of lambda E - A at infinity modulo a prime.
ExactStructure structure_modulo(ConstView<double> E_given, ConstView<double> A_given, mp_limb_t prime) {
  const auto n = static_cast<Index>(E_given.rows());
  const ModularMatrix E = residues_of(E_given, prime), A = residues_of(A_given, prime);
  ModularMatrix shifted(n, n, prime), B(n, n, prime);
  nmod_mat_scalar_mul(shifted.get(), E.get(), shift);
  nmod_mat_sub(shifted.get(), shifted.get(), A.get());
  ExactStructure structure{n, has_rounded_entries(E_given) || has_rounded_entries(A_given), n, {}, n};
  if (nmod_mat_solve(B.get(), shifted.get(), E.get()) == 0) {
    structure.rank = static_cast<Index>(nmod_mat_rank(shifted.get()));
    return structure;
  }
  for (const Index rank : ranks_of_powers(B)) {
    structure.weyr.push_back(structure.n_finite - rank);
    structure.n_finite = rank;
  }
  return structure;
}

}  // namespace

Index exact_rank(ConstView<double> A) {
  if (A.size() == 0) return 0;
  Index largest = 0;
  for (const mp_limb_t start : prime_search_starts) {
    const ModularMatrix modular = residues_of(A, n_nextprime(start, 0));
    largest = std::max(largest, static_cast<Index>(nmod_mat_rank(modular.get())));
    if (largest == std::min(A.rows(), A.cols())) break;
  }
  return largest;
}

bool has_rounded_entries(ConstView<double> A) {
  constexpr std::int64_t longest = std::int64_t{1} << 48;
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (std::abs(binary_number(A(i, j)).m) >= longest) return true;
  return false;
}

RankBounds exact_rank_bounds(ConstView<double> A) {
  const auto largest = static_cast<Index>(std::min(A.rows(), A.cols()));
  if (std::max(A.rows(), A.cols()) > exact_structure_limit) return {0, largest};
  const Index rank = exact_rank(A);
  return {has_rounded_entries(A) ? 0 : rank, rank};
}

std::optional<ExactStructure> exact_structure(ConstView<double> E, ConstView<double> A, Index limit) {
  if (E.rows() > limit) return std::nullopt;
  if (E.rows() == 0) return ExactStructure{};
  ExactStructure structure;
  for (const mp_limb_t start : prime_search_starts) {
    ExactStructure found = structure_modulo(E, A, n_nextprime(start, 0));
    if (found.rank >= structure.rank) structure = std::move(found);
    if (structure.is_regular()) break;
  }
  return structure;
}

}  // namespace halfdof::internal
