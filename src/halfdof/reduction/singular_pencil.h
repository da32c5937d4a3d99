#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/rank_decision.h>
#include <halfdof/reduction/pencil_balance.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// det(lambda E - A) = 0 for all lambda: the equations do not determine the unknowns, whatever the data.
class SingularPencil : public Error {
 public:
  SingularPencil(const std::string& message, std::vector<Index> unknowns, std::vector<Index> equations,
                 Vector null_vector)
      : Error(message),
        unknowns_(std::move(unknowns)),
        equations_(std::move(equations)),
        null_vector_(std::move(null_vector)) {}

  /// Columns that take part in the null vectors, the largest entries first; at most ten.
  const std::vector<Index>& unknowns() const { return unknowns_; }
  /// Rows that depend on one another, the largest entries of the left null vectors first; at most ten.
  const std::vector<Index>& equations() const { return equations_; }
  /// x with (lambda E - A) x = 0 at the shift that was tried; n entries, Euclidean norm one.
  const Vector& null_vector() const { return null_vector_; }

 private:
  std::vector<Index> unknowns_, equations_;
  Vector null_vector_;
};

/**
 * Whether a pencil is regular: the rank of lambda E_b - A_b at a few real lambda decides with probability
 * one. A singular value counts as zero up to 10 n epsilon of the largest; what lies closely above it is left
 * to the structure at infinity. A pencil that is singular exactly is singular, and where entries are not
 * rounded, one that is regular exactly is regular.
 *
 * @param E,A n x n, balanced @param exact structure where it is known @param balance That made them so @param
 * names Of the unknowns, for the message; none: "unknown 3"
 * @throws SingularPencil if it is singular
 */
void check_regular(ConstView<double> E, ConstView<double> A, const std::optional<ExactStructure>& exact,
                   const PencilBalance& balance, const std::vector<std::string>& names);

}  // namespace halfdof
