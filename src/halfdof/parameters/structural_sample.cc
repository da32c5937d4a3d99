// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/parameters/mode_sample.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/structural_groups.h>
#include <halfdof/spectrum/structural_split.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

using Places = std::vector<std::size_t>;

/// Eigenvalues of the embedding with their vectors on its assembled DoFs. Shapes: 2 n_dofs x number of
/// values.
struct EmbeddedPairs {
  NearestEigenvalues nearest;
  ComplexMultiVector left;
  std::vector<bool> has_left;
  std::string reason_without_left = {};
};

EmbeddedPairs embedded_pairs(const ReducedStructuralSystem& reduced, Index k, Complex shift) {
  EmbeddedPairs pairs{nearest_eigenvalues(reduced.of_embedding, k, shift), {}, {}};
  const ComplexMultiVector& x = pairs.nearest.shapes;
  pairs.has_left.assign(static_cast<std::size_t>(x.cols()), false);
  pairs.left = ComplexMultiVector::Zero(x.rows(), x.cols());
  try {
    const LeftVectors left = left_vectors(reduced.of_embedding, pairs.nearest);
    pairs.left = on_assembled_dofs(reduced.of_embedding, left.p);
    pairs.has_left = left.known;
  } catch (const Error& error) {
    pairs.reason_without_left = error.what();
  }
  return pairs;
}

std::vector<Index> columns_of(const Places& places) {
  return {places.begin(), places.end()};
}

/// Returns (a; f a). Shapes: a n x k, result 2 n x k.
ComplexMultiVector with_multiple(const ComplexMultiVector& a, Complex f) {
  ComplexMultiVector both(2 * a.rows(), a.cols());
  both << a, f * a;
  return both;
}

/// Returns (x; -i x) of the part of vectors of the embedding that has this form.
ComplexMultiVector right_parts(const StructurallyDampedSystem<EigenEngine>& system,
                               const ComplexMultiVector& X) {
  return with_multiple(0.5 * system.joined(X), Complex(0, -1));
}

/// Returns (z; i z) of the part of left vectors (p_1; p_2) of the embedding that has this form, z = p_1 - i
/// p_2 up to a factor.
ComplexMultiVector left_parts(const ComplexMultiVector& P) {
  const Eigen::Index n = P.rows() / 2;
  return with_multiple(0.5 * (P.topRows(n) - Complex(0, 1) * P.bottomRows(n)), Complex(0, 1));
}

/// Returns m columns whose span is that of all columns, if these have the rank m.
ComplexMultiVector independent_part(const ComplexMultiVector& X, Eigen::Index m) {
  const Eigen::ColPivHouseholderQR<ComplexMultiVector> qr(X);
  const auto& order = qr.colsPermutation().indices();
  return X(Eigen::all, std::vector<Index>(order.begin(), order.begin() + m));
}

/// Modes of the complex system in one group of neighbouring eigenvalues.
struct GroupModes {
  std::vector<Complex> values;
  Places sources;  ///< the eigenvalue of the list that each of them is
  ComplexMultiVector right, left;
  bool has_left = false;
};

/// Collects the modes in the list of an embedding.
class ModesOfComplexSystem {
 public:
  ModesOfComplexSystem(const ReducedStructuralSystem& reduced, const EmbeddedPairs& pairs, Complex shift,
                       bool is_whole)
      : system_(reduced.system), pairs_(pairs), shift_(shift), is_whole_(is_whole) {
    for (const Complex value : values())
      farthest_ = std::max(farthest_, distance_of_pair(value, shift_));
    const StructuralGroups groups = structural_groups(values(), pairs_.nearest.residuals);
    for (const Places& group : groups.oscillating)
      add(oscillating(group));
    add_real(groups.real);
  }

  const std::vector<GroupModes>& groups() const { return groups_; }
  /// Distance from the shift up to which all modes are known.
  double reach() const { return reach_; }

 private:
  const std::vector<Complex>& values() const { return pairs_.nearest.eigenvalues; }

  void add(std::optional<GroupModes> group) {
    if (group && !group->values.empty()) groups_.push_back(std::move(*group));
  }

  /// Scales and combines left vectors such that W^T E U = I; they are not known if that is not possible.
  void make_dual(GroupModes& group) const {
    // Vectors of a list may be uncertain by the root of the rounding unit (at a defective eigenvalue). From
    // this condition on, the inverse makes of that an error of a hundredth, which no assurance feels.
    const double least_condition = 100 * std::sqrt(std::numeric_limits<double>::epsilon());
    ComplexMultiVector U(2 * group.right.rows(), group.right.cols()), W = U;
    for (Eigen::Index j = 0; j < U.cols(); ++j) {
      const Complex value = group.values[static_cast<std::size_t>(j)];
      U.col(j) << group.right.col(j), value * group.right.col(j);
      W.col(j) << group.left.col(j), value * group.left.col(j);
    }
    const ComplexMultiVector EU = times_E(system_.embedding(), U);
    // Columns and rows of length one, since the vectors have any scale.
    const Vector right_scale = EU.colwise().norm().cwiseInverse(),
                 left_scale = W.colwise().norm().cwiseInverse();
    if (!right_scale.allFinite() || !left_scale.allFinite()) {
      group.has_left = false;
      return;
    }
    const ComplexMultiVector G = left_scale.asDiagonal() * (W.transpose() * EU) * right_scale.asDiagonal();
    const Eigen::FullPivLU<ComplexMultiVector> lu(G);
    group.has_left = group.has_left && G.allFinite() && lu.rcond() > least_condition;
    if (!group.has_left) return;
    const ComplexMultiVector inverse = lu.inverse();
    const ComplexMultiVector combination =
        left_scale.asDiagonal() * inverse.transpose() * right_scale.asDiagonal();
    group.left = (group.left * combination).eval();
  }

  std::optional<GroupModes> oscillating(const Places& group) {
    const std::vector<Index> columns = columns_of(group);
    const ComplexMultiVector X = pairs_.nearest.shapes(Eigen::all, columns);
    ComplexVector lambda(static_cast<Eigen::Index>(group.size()));
    for (std::size_t k = 0; k < group.size(); ++k)
      lambda[static_cast<Eigen::Index>(k)] = values()[group[k]];
    const auto parts = split_subspace(system_, X, ComplexMultiVector(lambda.asDiagonal()));
    if (!parts) return without_split(group, X);
    GroupModes found;
    const Eigen::Index m = parts->of_complex_system.cols();
    if (m == 0) return found;
    const Eigen::ComplexEigenSolver<ComplexMultiVector> small(parts->A);
    ComplexMultiVector all(lambda.size(), lambda.size());
    all << parts->of_complex_system * small.eigenvectors(), parts->of_conjugate;
    Places left = group;
    for (const Complex value : small.eigenvalues()) {
      const auto nearest = std::min_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values()[a] - value) < std::abs(values()[b] - value);
      });
      found.sources.push_back(*nearest);
      found.values.push_back(values()[*nearest]);
      left.erase(nearest);
    }
    found.right = right_parts(system_, X * all.leftCols(m));
    found.has_left =
        std::all_of(group.begin(), group.end(), [&](std::size_t j) { return pairs_.has_left[j]; });
    // Left vectors of the list belong to its right ones one by one.
    const Eigen::FullPivLU<ComplexMultiVector> lu(all);
    const ComplexMultiVector inverse = lu.inverse(), left_of_group = pairs_.left(Eigen::all, columns);
    found.left = left_parts(left_of_group * inverse.topRows(m).transpose());
    make_dual(found);
    return found;
  }

  /// A group whose vectors are no basis: it is cut at the end of the list, or its eigenvalues share a vector.
  std::optional<GroupModes> without_split(const Places& group, const ComplexMultiVector& X) {
    double nearest = std::numeric_limits<double>::infinity(), reach = 0;
    for (const std::size_t j : group) {
      const double distance = distance_of_pair(values()[j], shift_);
      nearest = std::min(nearest, distance);
      reach = std::max(reach, distance + neighbour_distance(values()[j], pairs_.nearest.residuals[j]));
    }
    if (!is_whole_ && reach >= farthest_) {
      reach_ = std::min(reach_, nearest);
      return {};
    }
    GroupModes found;
    const ComplexMultiVector right = right_parts(system_, X);
    std::vector<Index> kept;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      const double weight = right.col(column).squaredNorm() / X.col(column).squaredNorm();
      if (!(std::min(std::abs(weight), std::abs(weight - 1)) < undecided_weight))
        throw NotAvailable("Whether the eigenvalues about " + number_text(values()[group[k]].real()) + " + " +
                           number_text(values()[group[k]].imag()) +
                           "i 1/s belong to the system with structural damping or to its conjugate cannot be "
                           "decided, since one of them is defective (it has fewer eigenvectors than its "
                           "multiplicity). Take other values of the "
                           "parameter, or another loss factor.");
      if (weight < 0.5) continue;
      kept.push_back(static_cast<Index>(k));
      found.sources.push_back(group[k]);
      found.values.push_back(values()[group[k]]);
    }
    found.right = right(Eigen::all, kept);
    found.left = ComplexMultiVector::Zero(found.right.rows(), found.right.cols());
    return found;
  }

  /// Adds the real eigenvalues. Neighbours among them, which may be copies, have a basis in common.
  void add_real(const std::vector<Places>& copies) {
    for (std::size_t first = 0; first < copies.size();) {
      std::size_t end = first + 1;
      const auto reach = [&](const Places& one) {
        return neighbour_distance(values()[one.front()], pairs_.nearest.residuals[one.front()]);
      };
      while (end < copies.size() &&
             std::abs(values()[copies[end].front()] - values()[copies[end - 1].front()]) <=
                 std::max(reach(copies[end]), reach(copies[end - 1])))
        ++end;
      GroupModes found;
      Places all;
      for (; first < end; ++first) {
        found.values.emplace_back(values()[copies[first].front()].real());
        found.sources.push_back(copies[first].front());
        all.insert(all.end(), copies[first].begin(), copies[first].end());
      }
      const auto m = static_cast<Eigen::Index>(found.values.size());
      const std::vector<Index> columns = columns_of(all);
      found.has_left = std::all_of(all.begin(), all.end(), [&](std::size_t j) { return pairs_.has_left[j]; });
      found.right = independent_part(right_parts(system_, pairs_.nearest.shapes(Eigen::all, columns)), m);
      found.left = independent_part(left_parts(pairs_.left(Eigen::all, columns)), m);
      make_dual(found);
      add(std::move(found));
    }
  }

  const StructurallyDampedSystem<EigenEngine>& system_;
  const EmbeddedPairs& pairs_;
  Complex shift_;
  bool is_whole_;
  double farthest_ = 0, reach_ = std::numeric_limits<double>::infinity();
  std::vector<GroupModes> groups_;
};

/// Returns the modes in one list, and marks those that are asked for. @param distances Receives the distance
/// of each from the shift
UpperPairs pairs_of(const ModesOfComplexSystem& modes, const EmbeddedPairs& list,
                    const BranchOptions& options, std::vector<double>& distances) {
  UpperPairs pairs;
  const Eigen::Index n = list.left.rows();
  Eigen::Index n_modes = 0;
  for (const GroupModes& group : modes.groups())
    n_modes += group.right.cols();
  pairs.shapes.resize(n, n_modes);
  pairs.left_shapes.resize(n, n_modes);
  Eigen::Index column = 0;
  for (const GroupModes& group : modes.groups()) {
    pairs.shapes.middleCols(column, group.right.cols()) = group.right;
    pairs.left_shapes.middleCols(column, group.left.cols()) = group.left;
    column += group.right.cols();
    for (std::size_t k = 0; k < group.values.size(); ++k) {
      pairs.values.push_back(group.values[k]);
      pairs.errors.push_back(list.nearest.residuals[group.sources[k]].error());
      pairs.has_left.push_back(group.has_left);
      distances.push_back(distance_of_pair(group.values[k], options.shift));
    }
  }
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(options.count)));
  pairs.is_asked.assign(distances.size(), false);
  for (const std::size_t j : order)
    pairs.is_asked[j] = true;
  std::size_t j = 0;
  for (const GroupModes& group : modes.groups())
    for (const std::size_t source : group.sources)
      if (pairs.is_asked[j++])
        pairs.backward_error =
            std::max(pairs.backward_error, backward_error_of(list.nearest.residuals[source]));
  pairs.reason_without_left = list.reason_without_left;
  return pairs;
}

}  // namespace

UpperPairs structural_pairs(const ReducedStructuralSystem& reduced, const BranchOptions& options) {
  struct Found {
    UpperPairs pairs;
    bool is_enough;
  };
  const GlobalIndex n_states = reduced.of_embedding.n_states();
  const auto list_of = [&](Index k) {
    const EmbeddedPairs list = embedded_pairs(reduced, k, options.shift);
    const bool is_whole = static_cast<GlobalIndex>(list.nearest.eigenvalues.size()) >= n_states;
    const ModesOfComplexSystem modes(reduced, list, options.shift, is_whole);
    std::vector<double> distances;
    UpperPairs pairs = pairs_of(modes, list, options, distances);
    const auto n_known = std::count_if(distances.begin(), distances.end(),
                                       [&](double distance) { return distance < modes.reach(); });
    return Found{std::move(pairs), is_whole || n_known >= options.count};
  };
  // Some more than asked for, as without structural damping.
  const Index n_modes = options.count + std::max(2, options.count / 4);
  return list_with_modes(n_modes, options.shift, n_states, list_of,
                         [](const Found& found, Index /*k*/) { return found.is_enough; })
      .pairs;
}

}  // namespace halfdof::internal
