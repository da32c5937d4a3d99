#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/local_basis.h>

#include <string>
#include <vector>

namespace halfdof {

/// @f$ \sum_k A_k u^{(k)}(t) @f$ with the k-th derivatives of a vector u(t) that was given. All A_k have one
/// shape.
struct TimeCombination {
  std::vector<Eigen::SparseMatrix<double>> terms;  ///< A_0, A_1, ...; none: zero

  bool is_zero() const;
  /// Its time derivative.
  TimeCombination derivative() const;
};

TimeCombination operator+(const TimeCombination& a, const TimeCombination& b);
TimeCombination operator-(const TimeCombination& a, const TimeCombination& b);
/// By product_without_rounding().
TimeCombination operator*(const Eigen::SparseMatrix<double>& A, const TimeCombination& b);
/// diag(factors) b.
TimeCombination scaled_rows(const Vector& factors, const TimeCombination& b);

/**
 * @f$ u = (q_D,\ b) @f$: the motion of constrained DoFs and the right sides of constraints, as far as each
 * was given; what was not given is zero and takes no entries of u. Constant; cheap to copy.
 */
class GivenMotion {
 public:
  GivenMotion() = default;
  /// @param n_supports,n_right_sides entries of each
  GivenMotion(PrescribedMotion supports, Index n_supports, PrescribedMotion right_sides, Index n_right_sides);

  Index size() const { return n_supports() + n_right_sides(); }
  Index n_supports() const { return parts_[0].size; }
  Index n_right_sides() const { return parts_[1].size; }

  /// The combination at an instant. @throws NotAvailable naming the derivative that it needs and that was not
  /// given
  Vector operator()(const TimeCombination& combination, double time) const;
  /// The sum of the sizes of what is added up: rounding is relative to it.
  Vector size_of(const TimeCombination& combination, double time) const;
  /// "b''"; "" where nothing is missing.
  std::string missing(const TimeCombination& combination) const;

 private:
  struct Part {
    PrescribedMotion motion;
    Index size = 0;
    const char* name = "";
  };
  /// Calls add(A, u) for all terms and parts with entries.
  template <class Add>
  void for_each(const TimeCombination& combination, double time, const Add& add) const;

  std::vector<Part> parts_ = std::vector<Part>(2);
};

}  // namespace halfdof
