#pragma once

#include <halfdof/inclusions/law.h>

namespace halfdof {

/**
 * Contact without friction and without adhesion, with an obstacle that may move (Signorini; Moreau 1988):
 * @f[ 0 \le g \perp r \ge 0, \qquad g = H^T q - h(t). @f]
 * Where the column meets mass, a velocity that points into the obstacle jumps (Newton's impact law)
 * @f[ w^+ = -e\,w^-, \qquad 0 \le e \le 1, @f]
 * and the coefficient of restitution e has no meaning elsewhere. Maximal monotone, positively homogeneous.
 *
 * Parameters: none.
 */
class UnilateralContact final : public IntervalLaw {
 public:
  /// @param obstacle h(t) [length] @param restitution e, where the contact meets mass; without it nothing
  /// rebounds
  /// @throws InvalidInput unless 0 <= e <= 1
  explicit UnilateralContact(ScalarFunction obstacle = 0., std::optional<double> restitution = std::nullopt);

  std::string name() const override { return "unilateral contact"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::gap; }
  const ScalarFunction& support(Index /*column*/) const override { return obstacle_; }
  bool is_summable() const override { return true; }
  std::optional<double> restitution() const override { return restitution_; }

  LawParameters parameters(double time, ContactState before) const override;
  Interval interval(const LawParameters& parameters) const override;

  /// Closed where it pushes or touches, open elsewhere.
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  ScalarFunction obstacle_;
  std::optional<double> restitution_;
};

}  // namespace halfdof
