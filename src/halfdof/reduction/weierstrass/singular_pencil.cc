// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/joined.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/ranks/largest_rows.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>

#include <limits>
#include <sstream>

namespace halfdof::internal {
namespace {

/// Values of lambda at which the rank of the balanced pencil is computed. The eigenvalues of this pencil
/// are about one; only by coincidence is one of these values an eigenvalue.
constexpr double shifts[] = {0.7390851332151607, -1.3247179572447460, 2.6854520010653064};

std::string list_of(const std::vector<Index>& indices, const std::vector<std::string>& names,
                    const std::string& word) {
  std::vector<std::string> texts;
  for (const Index i : indices)
    texts.push_back(names.empty() ? word + ' ' + std::to_string(i) : names[static_cast<std::size_t>(i)]);
  return joined(texts, ", ", " and ");
}

[[noreturn]] void refuse(const MultiVector& B, Index rank, const PencilBalance& balance,
                         const std::vector<std::string>& names) {
  const Index n = static_cast<Index>(B.rows()), n_null = n - rank;
  const auto svd = singular_value_decomposition(B);
  const std::vector<Index> unknowns = largest_rows(svd.V.rightCols(n_null));
  const std::vector<Index> equations = largest_rows(svd.U.rightCols(n_null));
  std::ostringstream message;
  message << "The pencil lambda E - A (" << n << " x " << n
          << ") is singular, because its determinant is zero for every lambda. It has " << n_null
          << (n_null == 1 ? " null vector" : " null vectors") << " on " << list_of(unknowns, names, "unknown")
          << ", and " << list_of(equations, {}, "equation")
          << " depend on one another. Nothing determines these unknowns, or one of their equations is given "
             "twice: connect or remove them.";
  throw SingularPencil(message.str(), unknowns, equations,
                       (balance.columns.cwiseProduct(svd.V.col(n - 1))).normalized());
}

}  // namespace

void check_regular(ConstView<double> E, ConstView<double> A, const std::optional<ExactStructure>& exact,
                   const PencilBalance& balance, const std::vector<std::string>& names) {
  const Index n = static_cast<Index>(E.rows());
  const bool is_surely_singular = exact && !exact->is_regular();
  if (n == 0 || (exact && exact->is_regular() && !exact->has_rounded_entries)) return;
  const double zero_threshold = 10 * n * std::numeric_limits<double>::epsilon();
  MultiVector best;
  Index rank = 0;
  for (const double shift : shifts) {
    MultiVector B = shift * E - A;
    if (!is_surely_singular && reciprocal_condition(B) > clear_rank_gap * zero_threshold) return;
    const Vector values = singular_values(B);
    const auto rank_at_shift = static_cast<Index>((values.array() > zero_threshold * values[0]).count());
    if (rank_at_shift == n && !is_surely_singular) return;
    if (best.size() > 0 && rank_at_shift <= rank) continue;
    best = std::move(B);
    rank = rank_at_shift;
  }
  refuse(best, is_surely_singular ? exact->rank : rank, balance, names);
}

}  // namespace halfdof::internal
