#pragma once

#include <halfdof/inclusions/inclusion.h>

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * Inclusions along one line. Where h_j = c_j h, all of them see the same motion up to a factor, w_j = c_j w,
 * and the structure feels only
 * @f[ r = \sum_j c_j r_j. \qquad (1) @f]
 * Each alone would make the Delassus matrix singular. Dry frictions, whose reactions lie in [l_j, u_j], merge
 * into one with the sums of the thresholds; an opposite one (c_j < 0) brings [-|c_j| u_j, -|c_j| l_j].
 * The motion of the support must be the same, h_j(t) = c_j h(t); where it rests does not matter. Contacts
 * with one obstacle merge into a contact. Contacts with Coulomb friction merge where all their columns,
 * obstacles and coefficients are equal: their reactions add up to one of the same cone. All are exact: the
 * motion and (1) are those of the original laws.
 */
namespace halfdof {

/**
 * Several interval laws along one line as one. Laws whose reaction depends on the past or weakens with the
 * rate cannot be summed this way.
 *
 * The sum (1) is determined by the motion, the single reactions only while they slip: there each is at its
 * own threshold. At rest split() lets all use the same share of their ranges; where a range has no end, those
 * that nothing bounds share what the others need not carry. Either way each reaction obeys its own law.
 */
class ParallelLaws final : public IntervalLaw {
 public:
  struct Part {
    std::shared_ptr<const IntervalLaw> law;
    double factor;  ///< c_j; positive for contacts
  };

  /// @param parts At least one, the first with factor 1; all on the same level.
  explicit ParallelLaws(std::vector<Part> parts);

  std::string name() const override { return parts_.front().law->name(); }
  LawLevel level(Index column) const override { return parts_.front().law->level(column); }
  std::optional<double> restitution() const override { return parts_.front().law->restitution(); }
  const ScalarFunction& support(Index column) const override { return parts_.front().law->support(column); }
  /// Whether all parts are.
  bool is_autonomous() const override;
  /// The first of all parts.
  std::vector<const ScalarFunction*> functions_of_time() const override;
  /// The summed interval.
  LawParameters parameters(double time, ContactState before) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

  /// Whether a part slips back where w > 0: c_j < 0.
  bool is_opposite(std::size_t part) const { return parts_[part].factor < 0; }

  /// The reactions r_j of the parts from their sum (1).
  std::vector<double> split(double time, double r) const;

 private:
  Interval interval_of(const Part& part, double time, ContactState before) const;
  std::vector<double> split_unbounded(double time, double r) const;

  std::vector<Part> parts_;
};

/// What became of the inclusions that were given.
struct MergedInclusions {
  std::vector<Inclusion> acting;                ///< in the order of the first of each line
  std::vector<std::vector<std::size_t>> given;  ///< positions of the given ones that each holds

  /// The reactions of given[i] from that of acting[i]: each obeys its own law.
  std::vector<Vector> split(std::size_t i, double time, const Vector& r) const;
  /// What the k-th of given[i] does while acting[i] does that.
  ContactState split(std::size_t i, std::size_t k, ContactState state) const;
};

/// Merges what can be merged exactly, and leaves the rest as it is. A merged inclusion is called "a + b".
MergedInclusions merge_parallel(const std::vector<Inclusion>& given);

}  // namespace halfdof
