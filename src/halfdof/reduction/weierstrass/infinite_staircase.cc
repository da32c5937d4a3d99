// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/reduction/weierstrass/infinite_staircase.h>

#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace halfdof::internal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A pencil, the part of the pencil that is not deflated yet, and a bound on the growth of errors.
class Deflation {
 public:
  Deflation(ConstView<double> E, ConstView<double> A, std::optional<ExactStructure> exact)
      : exact_(std::move(exact)),
        n_(static_cast<Index>(E.rows())),
        size_of_E_(E.norm()),
        size_of_A_(A.norm()),
        error_(4 * epsilon),
        result_{MultiVector::Identity(n_, n_), MultiVector::Identity(n_, n_), E, A, {}, {}} {}

  /// Deflates a kernel of E from the remaining pencil. Returns whether E had a kernel.
  bool step() {
    const Index m = n_ - first_;
    if (m == 0) return false;
    const auto svd = singular_value_decomposition(result_.E.bottomRightCorner(m, m));
    const RankDecision& of_E = decide(next_rank_question(m), svd.values);
    const Index s = m - of_E.rank;
    if (exact_ && s != next_exact_deflation()) exact_.reset();
    if (s == 0) return false;
    const double kernel_error = error_ * size_of_E_ / of_E.smallest_kept;
    move_kernel_to_first_columns(svd.V, s);
    const double smallest = move_image_to_first_rows(s, kernel_error);
    error_ *= 1 + size_of_A_ / smallest * (1 + kernel_error / error_);
    result_.weyr.push_back(s);
    first_ += s;
    return true;
  }

  InfiniteStaircase result() && { return std::move(result_); }

 private:
  const RankDecision& decide(const RankData& question, const Vector& values) {
    result_.decisions.push_back(decide_rank(question, values));
    return result_.decisions.back();
  }

  /// Describes the next rank decision on E, with bounds from the previous steps and from the exact structure.
  RankData next_rank_question(Index m) const {
    const auto n_deflations = result_.weyr.size();
    const std::string name = n_deflations == 0   ? "E"
                             : n_deflations == 1 ? "E after 1 deflation"
                                                 : "E after " + std::to_string(n_deflations) + " deflations";
    const Index largest_kernel = n_deflations == 0 ? m : std::min(m, result_.weyr.back());
    RankData question{name, m, m, m - largest_kernel, size_of_E_, epsilon * size_of_E_, error_ * size_of_E_};
    if (exact_) question.max_rank = m - next_exact_deflation();
    if (is_exact()) question.min_rank = m - next_exact_deflation();
    return question;
  }

  /// Returns whether the exact structure belongs to entries that are not rounded.
  bool is_exact() const { return exact_ && !exact_->has_rounded_entries; }

  /// Returns the dimension of the kernel that the next step deflates in the exact structure.
  Index next_exact_deflation() const {
    const auto k = result_.weyr.size();
    return k < exact_->weyr.size() ? exact_->weyr[k] : 0;
  }

  /// Moves the kernel of E to the first columns of the remaining pencil. @param V Orthogonal; its last s
  /// columns span the kernel
  void move_kernel_to_first_columns(const MultiVector& V, Index s) {
    const Index m = n_ - first_;
    MultiVector rotation(m, m);
    rotation << V.rightCols(s), V.leftCols(m - s);
    for (MultiVector* matrix : {&result_.E, &result_.A, &result_.V})
      matrix->rightCols(m) = (matrix->rightCols(m) * rotation).eval();
    result_.E.block(first_, first_, m, s).setZero();
  }

  /// Moves the image of the kernel under A to the first rows of the remaining pencil by a QR factorization.
  /// Returns the smallest singular value of A on the kernel.
  double move_image_to_first_rows(Index s, double kernel_error) {
    const Index m = n_ - first_;
    const auto image = result_.A.block(first_, first_, m, s);
    const RankDecision& of_image =
        decide({"A on the kernel of " + next_rank_question(m).matrix, m, s, is_exact() ? s : 0, size_of_A_,
                epsilon * size_of_A_, (error_ + kernel_error) * size_of_A_},
               singular_values(image));
    if (of_image.rank < s)
      throw AmbiguousRank("The rank of " + of_image.matrix + " is " + std::to_string(of_image.rank) +
                              " instead of " + std::to_string(s) +
                              ", so that the pencil is singular, or so near to a singular pencil that its "
                              "structure cannot be determined. Check the coefficients for entries that "
                              "are tiny but not zero.",
                          of_image);
    const Eigen::HouseholderQR<MultiVector> qr(image);
    result_.A.bottomRightCorner(m, m).applyOnTheLeft(qr.householderQ().transpose());
    result_.E.bottomRightCorner(m, m - s).applyOnTheLeft(qr.householderQ().transpose());
    result_.U.rightCols(m).applyOnTheRight(qr.householderQ());
    result_.A.block(first_, first_, m, s).triangularView<Eigen::StrictlyLower>().setZero();
    return of_image.smallest_kept;
  }

  std::optional<ExactStructure> exact_;  ///< the exact structure; no value after a rank decision that
                                         ///< differs from it
  Index n_;
  Index first_ = 0;
  double size_of_E_, size_of_A_;  ///< norms of E and A
  double error_;                  ///< bound on the relative error of both matrices
  InfiniteStaircase result_;
};

}  // namespace

Index InfiniteStaircase::n_infinite() const {
  return std::accumulate(weyr.begin(), weyr.end(), Index{0});
}

InfiniteStaircase infinite_staircase(ConstView<double> E, ConstView<double> A,
                                     std::optional<ExactStructure> exact) {
  Deflation deflation(E, A, std::move(exact));
  while (deflation.step()) {
  }
  return std::move(deflation).result();
}

}  // namespace halfdof::internal
