// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <flint/nmod_mat.h>

#include <utility>

namespace halfdof::internal {

/// A matrix of residues modulo a prime (RAII wrapper of the type of FLINT). Only the sources of this folder
/// use FLINT.
class ModularMatrix {
 public:
  ModularMatrix(Eigen::Index n_rows, Eigen::Index n_columns, mp_limb_t prime) {
    nmod_mat_init(value_, n_rows, n_columns, prime);
  }
  ModularMatrix(const ModularMatrix&) = delete;
  ModularMatrix& operator=(ModularMatrix other) {
    std::swap(*value_, *other.value_);
    return *this;
  }
  ModularMatrix(ModularMatrix&& other) : ModularMatrix(0, 0, other.value_->mod.n) {
    std::swap(*value_, *other.value_);
  }
  ~ModularMatrix() { nmod_mat_clear(value_); }

  nmod_mat_struct* get() { return value_; }
  const nmod_mat_struct* get() const { return value_; }
  mp_limb_t& operator()(Eigen::Index i, Eigen::Index j) { return nmod_mat_entry(value_, i, j); }
  mp_limb_t operator()(Eigen::Index i, Eigen::Index j) const { return nmod_mat_entry(value_, i, j); }
  Index n_rows() const { return static_cast<Index>(nmod_mat_nrows(value_)); }
  Index n_columns() const { return static_cast<Index>(nmod_mat_ncols(value_)); }
  nmod_t modulus() const { return value_->mod; }
  mp_limb_t prime() const { return value_->mod.n; }

 private:
  nmod_mat_t value_;
};

}  // namespace halfdof::internal
