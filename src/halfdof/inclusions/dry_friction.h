#pragma once

#include <halfdof/inclusions/law.h>

namespace halfdof {

/**
 * Dry friction with a threshold for each direction, which may depend on time:
 * @f[ r \in [\,\mathrm{lower}(t), \mathrm{upper}(t)\,], \qquad r = \mathrm{lower}\ (w > 0), \quad
 *     r = \mathrm{upper}\ (w < 0), \qquad \mathrm{lower} \le 0 \le \mathrm{upper}, @f]
 * w being the rate relative to the support. It is -r in the subdifferential of
 * @f$ \varphi(w) = -\mathrm{lower}\, w^+ + \mathrm{upper}\, w^- @f$: maximal monotone, positively
 * homogeneous. A friction element in series with a spring, joined by a node without mass, is a Jenkins
 * element; chains of those are the models of Iwan and Masing.
 *
 * Parameters: lower, upper [force].
 */
class DryFriction final : public IntervalLaw {
 public:
  /// @param support h(t), the motion against which it rubs [length]
  /// @throws InvalidInput if a constant threshold has the wrong sign
  DryFriction(ScalarFunction lower, ScalarFunction upper, ScalarFunction support = 0.);

  std::string name() const override { return "dry friction"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_summable() const override { return true; }
  bool is_autonomous() const override { return lower_.is_constant() && upper_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;

  const ScalarFunction& lower() const { return lower_; }
  const ScalarFunction& upper() const { return upper_; }

  /// @throws InvalidInput unless lower <= 0 <= upper at this time
  LawParameters parameters(double time, ContactState before) const override;

 private:
  ScalarFunction lower_, upper_, support_;
};

}  // namespace halfdof
