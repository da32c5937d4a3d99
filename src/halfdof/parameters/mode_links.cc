// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/parameters/mode_links.h>
#include <halfdof/spectrum/assignment.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

/// Numbers of modes and the members of each number.
std::vector<std::vector<Index>> groups(const std::vector<Index>& numbers) {
  std::vector<std::vector<Index>> all(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    all[at(numbers[i])].push_back(static_cast<Index>(i));
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& group) { return group.empty(); }),
            all.end());
  return all;
}

/// Returns the assurance of modes of which a left vector is not known: 1 for two zeros, otherwise the
/// criterion of right vectors alone (MAC).
double assurance_by_right_vectors(const ModeSample& a, Index i, const ModeSample& b, Index j) {
  if (a.eigenvalues[at(i)] == 0. && b.eigenvalues[at(j)] == 0.) return 1;
  const Eigen::Index n = a.right.rows() / 2;
  const auto x = a.right.col(i).head(n), y = b.right.col(j).head(n);
  const double norms = x.norm() * y.norm();
  return norms > 0 ? std::pow(std::abs(x.dot(y)) / norms, 2) : 0;
}

double relative_difference(Complex a, Complex b) {
  const double scale = std::max(std::abs(a), std::abs(b));
  return scale > 0 ? std::abs(a - b) / scale : 0;
}

/// Returns for each mode of a number how many others have the same.
std::vector<double> sizes_of_groups(const std::vector<Index>& numbers) {
  std::vector<double> sizes(numbers.size());
  for (const std::vector<Index>& group : groups(numbers))
    for (const Index i : group)
      sizes[at(i)] = static_cast<double>(group.size());
  return sizes;
}

/// Returns the part of each mode of a that is in none of the listed modes of b: one less the parts (4) in
/// these. The assurance of equal modes is that of their common space.
Vector parts_in_no_mode(const ModeSample& a, const ModeSample& b, const MultiVector& assurance) {
  const std::vector<double> of_a = sizes_of_groups(a.twins), of_b = sizes_of_groups(b.cluster);
  Vector rest = Vector::Ones(a.size());
  for (Index i = 0; i < a.size(); ++i)
    for (Index j = 0; j < b.size(); ++j)
      rest[i] -= std::pow(assurance(i, j), 2) / std::max(of_a[at(i)], of_b[at(j)]);
  return rest.cwiseMax(0.);
}

/// Returns the modes j of b that each mode of a continues as, or -1. A mode is lost rather than continued as
/// one that has a smaller part of it than all modes that are not listed.
std::vector<Index> targets(const ModeSample& a, const ModeSample& b, const MultiVector& assurance) {
  // Eigenvalues decide between assurances that are equal up to the errors of vectors.
  const double weight = std::sqrt(std::numeric_limits<double>::epsilon());
  MultiVector cost(b.size() + a.size(), a.size());
  const Vector rest = parts_in_no_mode(a, b, assurance);
  for (Index i = 0; i < a.size(); ++i) {
    for (Index j = 0; j < b.size(); ++j)
      cost(j, i) = 1 - std::min(assurance(i, j), 1.) +
                   weight * relative_difference(a.eigenvalues[at(i)], b.eigenvalues[at(j)]);
    cost.col(i).tail(a.size()).setConstant(1 - std::sqrt(rest[i]));
  }
  std::vector<Index> all = a.size() > 0 ? cheapest_assignment(cost) : std::vector<Index>{};
  for (Index& target : all)
    if (target >= b.size()) target = -1;
  return all;
}

/// Decides continuations.
class Judge {
 public:
  Judge(const ModeSample& a, const ModeSample& b, const BranchOptions& options, const MultiVector& assurance,
        ModeLink& link)
      : a_(a), b_(b), options_(options), assurance_(assurance), link_(link) {}

  void judge() {
    std::set<Index> undecided;
    for (Index i = 0; i < a_.size(); ++i) {
      const Index j = link_.target[at(i)];
      if (!matters(i)) continue;
      if (j < 0 || assurance_(i, j) < options_.least_assurance) undecided.insert(i);
      if (j < 0) continue;
      const double limit = options_.largest_competitor * assurance_(i, j);
      for (Index other = 0; other < a_.size(); ++other)
        if (other != i && assurance_(other, j) > limit && !are_exchangeable(i, other))
          undecided.insert({i, other});
      for (Index other = 0; other < b_.size(); ++other)
        if (b_.cluster[at(other)] != b_.cluster[at(j)] && assurance_(i, other) > limit &&
            !is_for_twin(i, other))
          undecided.insert(i);
    }
    link_.undecided.assign(undecided.begin(), undecided.end());
    for (Index i = 0; i < a_.size(); ++i)
      for (Index other = 0; other < i; ++other)
        if (matters(i) || matters(other)) judge_crossing(i, other);
  }

 private:
  bool matters(Index i) const {
    const Index j = link_.target[at(i)];
    return a_.is_asked[at(i)] || (j >= 0 && b_.is_asked[at(j)]);
  }

  bool are_twins(Index i, Index other) const { return a_.twins[at(i)] == a_.twins[at(other)]; }

  /// Whether it makes no difference which of two modes continues as which.
  bool are_exchangeable(Index i, Index other) const {
    const Index j = link_.target[at(i)], k = link_.target[at(other)];
    return are_twins(i, other) || (j >= 0 && k >= 0 && b_.cluster[at(j)] == b_.cluster[at(k)]);
  }

  /// Whether the mode of b continues a mode that has been equal to i since the first value.
  bool is_for_twin(Index i, Index of_b) const {
    for (Index other = 0; other < a_.size(); ++other)
      if (link_.target[at(other)] == of_b) return are_twins(i, other);
    return false;
  }

  /// Vectors of two branches that veer with the least distance g mix by about g / d far away, where the
  /// distance of the eigenvalues is d. Distances below the errors of the eigenvalues are crossings.
  void judge_crossing(Index i, Index other) {
    const Index j = link_.target[at(i)], k = link_.target[at(other)];
    if (j < 0 || k < 0 || a_.cluster[at(i)] == a_.cluster[at(other)] ||
        b_.cluster[at(j)] == b_.cluster[at(k)])
      return;
    const Complex before = a_.eigenvalues[at(i)] - a_.eigenvalues[at(other)],
                  after = b_.eigenvalues[at(j)] - b_.eigenvalues[at(k)];
    if (std::real(before * std::conj(after)) >= 0) return;
    const double mixing = std::max(assurance_(i, k), assurance_(other, j));
    const double gap = mixing * 2 / (1 / std::abs(before) + 1 / std::abs(after));
    const double scale = std::max(std::abs(a_.eigenvalues[at(i)]), std::abs(a_.eigenvalues[at(other)]));
    const double error = zero_or(a_.errors[at(i)]) + zero_or(a_.errors[at(other)]);
    if (gap <= std::max(options_.resolved_gap * scale, error)) return;
    constexpr double least_part = 0.02;  // otherwise a division would hardly shorten the step
    const double part = std::abs(before) / (std::abs(before) + std::abs(after));
    link_.crossing.insert(link_.crossing.end(), {i, other});
    link_.seems_to_cross = std::clamp(part, least_part, 1 - least_part);
  }

  const ModeSample &a_, &b_;
  const BranchOptions& options_;
  const MultiVector& assurance_;
  ModeLink& link_;
};

}  // namespace

MultiVector modal_assurances(const ModeSample& a, const ModeSample& b) {
  const ComplexMultiVector G = a.left.transpose() * times_E(a.system, b.right),
                           H = b.left.transpose() * times_E(b.system, a.right);
  const ComplexMultiVector products = G.cwiseProduct(H.transpose());
  MultiVector assurance(a.size(), b.size());
  for (const std::vector<Index>& of_a : groups(a.twins))
    for (const std::vector<Index>& of_b : groups(b.cluster)) {
      const auto all_known = [](const std::vector<bool>& has_left, const std::vector<Index>& group) {
        return std::all_of(group.begin(), group.end(), [&](Index j) { return has_left[at(j)]; });
      };
      const bool are_known = all_known(a.has_left, of_a) && all_known(b.has_left, of_b);
      const double common = std::sqrt(std::abs(products(of_a, of_b).sum()) /
                                      static_cast<double>(std::min(of_a.size(), of_b.size())));
      for (const Index i : of_a)
        for (const Index j : of_b)
          assurance(i, j) = are_known ? common : assurance_by_right_vectors(a, i, b, j);
    }
  return assurance;
}

ModeLink link(const ModeSample& a, const ModeSample& b, const BranchOptions& options) {
  if (a.right.rows() != b.right.rows())
    throw InvalidInput("The system has " + std::to_string(a.application.n_dofs()) +
                       " degrees of freedom at one value of the parameter and " +
                       std::to_string(b.application.n_dofs()) +
                       " at the next. Branches need the same ones at all values.");
  const MultiVector assurance = modal_assurances(a, b);
  ModeLink result;
  result.target = targets(a, b, assurance);
  for (Index i = 0; i < a.size(); ++i) {
    const Index j = result.target[at(i)];
    result.assurance.push_back(j < 0 ? 0. : assurance(i, j));
  }
  Judge(a, b, options, assurance, result).judge();
  return result;
}

void carry_over(const ModeSample& a, ModeSample& b, const ModeLink& link) {
  std::vector<Index> source(at(b.size()), -1);
  for (Index i = 0; i < a.size(); ++i)
    if (const Index j = link.target[at(i)]; j >= 0) source[at(j)] = i;
  b.twins.resize(at(b.size()));
  std::iota(b.twins.begin(), b.twins.end(), 0);
  for (const std::vector<Index>& equal : groups(b.cluster)) {
    std::vector<Index> sources;
    bool is_known = true;
    for (const Index j : equal) {
      sources.push_back(source[at(j)]);
      is_known = is_known && source[at(j)] >= 0 && b.has_left[at(j)] && a.has_left[at(source[at(j)])];
      for (const Index other : equal) {
        const Index i = source[at(j)], of_other = source[at(other)];
        const bool are_new = i < 0 && of_other < 0;
        if (are_new || (i >= 0 && of_other >= 0 && a.twins[at(i)] == a.twins[at(of_other)])) {
          b.twins[at(j)] = b.twins[at(other)];
          break;
        }
      }
    }
    if (equal.size() < 2 || !is_known) continue;
    const ComplexMultiVector W = a.left(Eigen::all, sources), U = b.right(Eigen::all, equal),
                             Z = b.left(Eigen::all, equal);
    const ComplexMultiVector G = W.transpose() * times_E(a.system, U);
    const Eigen::FullPivLU<ComplexMultiVector> lu(G);
    if (!G.allFinite() || !lu.isInvertible()) continue;
    b.right(Eigen::all, equal) = U * lu.inverse();
    b.left(Eigen::all, equal) = Z * G.transpose();
  }
}

}  // namespace halfdof::internal
