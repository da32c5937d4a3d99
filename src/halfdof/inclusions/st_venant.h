#pragma once

#include <halfdof/inclusions/law.h>

namespace halfdof {

/**
 * The St-Venant element, a rigid body on a rough floor (Bastien and Lamarque 2009, section 2):
 * @f[ -r \in \alpha\,\sigma(w), \qquad \sigma(w) = \mathrm{sign}\,w\ (w \ne 0), \ \sigma(0) = [-1, 1], @f]
 * dry friction with equal thresholds alpha in both directions. Maximal monotone, positively homogeneous.
 *
 * Parameters: -alpha, alpha [force].
 */
class StVenantElement final : public IntervalLaw {
 public:
  /// @param alpha may depend on time [force] @param support h(t), the motion against which it rubs [length]
  /// @throws InvalidInput if a constant alpha is negative
  explicit StVenantElement(ScalarFunction alpha, ScalarFunction support = 0.);

  std::string name() const override { return "St-Venant element"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_summable() const override { return true; }
  bool is_autonomous() const override { return alpha_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;

  const ScalarFunction& alpha() const { return alpha_; }

  /// @throws InvalidInput if alpha is negative at this time
  LawParameters parameters(double time, ContactState before) const override;

 private:
  ScalarFunction alpha_, support_;
};

}  // namespace halfdof
