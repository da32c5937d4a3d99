// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Merges inclusions along one line. If the directions of several inclusions are multiples of one direction h,
 * h_j = c_j h, their rates are w_j = c_j w, and the motion of the structure depends only on the sum
 * @f[ r = \sum_j c_j r_j. \qquad (1) @f]
 * Without merging, the Delassus matrix would be singular. Dry frictions, whose reactions lie in intervals
 * [l_j, u_j], are merged into one dry friction with the sums of the thresholds; an inclusion with the
 * opposite direction (c_j < 0) contributes the interval [-|c_j| u_j, -|c_j| l_j]. The motions of the supports
 * must be proportional, h_j(t) = c_j h(t); the positions of supports at rest do not matter. Contacts with the
 * same obstacle are merged into one contact. Contacts with Coulomb friction are merged if all their columns,
 * obstacles and coefficients are equal, because the sum of their reactions lies in the same cone. Merging is
 * exact: the motion and the sum (1) are those of the original laws.
 */
namespace halfdof::internal {

/**
 * Several interval laws along one line, merged into one law. Laws whose reaction depends on the past or
 * weakens with the rate cannot be merged in this way.
 *
 * The motion determines the sum (1). The single reactions are determined only during slip, when each reaction
 * is equal to its threshold. At rest, split() gives each reaction the same fraction of its range; if a range
 * is infinite, the parts whose range is unbounded share the remainder. In both cases each reaction satisfies
 * its own law.
 */
class ParallelLaws final : public IntervalLaw {
 public:
  struct Part {
    std::shared_ptr<const IntervalLaw> law;
    double factor;  ///< factor c_j; positive for contacts
  };

  /// @param parts At least one part, the first with factor 1; all on the same level.
  explicit ParallelLaws(std::vector<Part> parts);

  std::string name() const override { return parts_.front().law->name(); }
  LawLevel level(Index column) const override { return parts_.front().law->level(column); }
  std::optional<double> restitution() const override { return parts_.front().law->restitution(); }
  const ScalarFunction& support(Index column) const override { return parts_.front().law->support(column); }
  /// Whether all parts are autonomous.
  bool is_autonomous() const override;
  /// The functions of time of all parts.
  std::vector<const ScalarFunction*> functions_of_time() const override;
  /// The sum of the intervals of the parts.
  LawParameters parameters(double time, ContactState before) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

  /// Whether c_j < 0, so that a part slips back while the merged inclusion slips forward.
  bool is_opposite(std::size_t part) const { return parts_[part].factor < 0; }

  /// Returns the reactions r_j of the parts from their sum (1).
  std::vector<double> split(double time, double r) const;

 private:
  Interval interval_of(const Part& part, double time, ContactState before) const;
  std::vector<double> split_unbounded(double time, double r) const;

  std::vector<Part> parts_;
};

/// The inclusions after merging, and the given inclusions that each of them contains.
struct MergedInclusions {
  std::vector<Inclusion> acting;                ///< merged inclusions, in the order of their first part
  std::vector<std::vector<std::size_t>> parts;  ///< positions of the parts of each acting inclusion

  /// Returns the reactions of parts[i] from that of acting[i]. Each reaction satisfies its own law.
  std::vector<Vector> split(std::size_t i, double time, const Vector& r) const;
  /// Returns the state of the k-th inclusion of parts[i] while acting[i] has the given state.
  ContactState split(std::size_t i, std::size_t k, ContactState state) const;
};

/// Merges inclusions that can be merged exactly, and keeps all other inclusions. The name of a merged
/// inclusion is "a + b".
MergedInclusions merge_parallel(const std::vector<Inclusion>& given);

}  // namespace halfdof::internal
