// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/// A linear combination @f$ \sum_k A_k u^{(k)}(t) @f$ of a given vector u(t) and its derivatives. All A_k
/// have the same shape.
struct TimeCombination {
  std::vector<Eigen::SparseMatrix<double>> terms;  ///< A_0, A_1, ...; an empty list means zero

  bool is_zero() const;
  /// Returns the time derivative, in which A_k becomes the coefficient of u^(k+1).
  TimeCombination derivative() const;
};

TimeCombination operator+(const TimeCombination& a, const TimeCombination& b);
TimeCombination operator-(const TimeCombination& a, const TimeCombination& b);
/// Computes A b with product_with_exact_zeros().
TimeCombination operator*(const Eigen::SparseMatrix<double>& A, const TimeCombination& b);
/// Computes diag(factors) b.
TimeCombination scaled_rows(const Vector& factors, const TimeCombination& b);

/**
 * The vector @f$ u = (q_D,\ b) @f$ of the prescribed motion q_D of constrained DoFs and the right sides b of
 * constraints. A part that was not given is zero and has no entries in u. Objects are constant and cheap to
 * copy.
 */
class GivenMotion {
 public:
  GivenMotion() = default;
  /// @param n_supports,n_right_sides Numbers of constrained DoFs and of constraints
  GivenMotion(PrescribedMotion supports, Index n_supports, PrescribedMotion right_sides, Index n_right_sides);

  Index size() const { return n_supports() + n_right_sides(); }
  Index n_supports() const { return parts_[0].size; }
  Index n_right_sides() const { return parts_[1].size; }

  /// Evaluates a linear combination of the given motion and its derivatives at a time.
  /// @throws NotAvailable if the combination needs a derivative that was not given; the message names the
  ///     derivative
  Vector operator()(const TimeCombination& combination, double time) const;
  /// Returns for each row the sum of the moduli of all terms, to which rounding errors of the combination are
  /// proportional.
  Vector sum_of_moduli(const TimeCombination& combination, double time) const;
  /// Returns the name of a missing derivative that the combination needs, such as "b''", or "" if none is
  /// missing.
  std::string missing(const TimeCombination& combination) const;

 private:
  struct Part {
    PrescribedMotion motion;
    Index size = 0;
    const char* name = "";
  };
  /// Calls add(A, u) for each term and each part of u (q_D or b): A are the nonzero columns of the term that
  /// belong to the part, and u is the value of the derivative of the part.
  template <class Add>
  void for_each(const TimeCombination& combination, double time, const Add& add) const;

  std::vector<Part> parts_ = std::vector<Part>(2);
};

}  // namespace halfdof::internal
