#pragma once

#include <halfdof/inclusions/law.h>

namespace halfdof {

/**
 * Friction that is harder to start than to keep going:
 * @f[ |r| \le a_s\ \text{ while it sticks}, \qquad r = -a_k\,\mathrm{sign}\,w\ \text{ while it slips},
 *     \qquad 0 \le a_k \le a_s. @f]
 * The graph is not monotone, a step may have several solutions, and memory decides: an inclusion that has
 * been sticking goes on as long as some |r| <= a_s holds it; once that is exceeded it has broken loose and
 * obeys dry friction with the threshold a_k, also for the rest of the same step, until it comes to rest. One
 * whose rate changes its sign has come to rest in between, and sticks if some |r| <= a_s holds it there: this
 * motion does not depend on the length of the steps. In a step each inclusion comes to rest at most once, and
 * breaks loose at most once (reconsider()).
 *
 * Parameters: -a, a with the threshold in force, a_k, a_s [force], and the sign of the rate before the step;
 * 0 where it stuck, and where it has come to rest within the step.
 */
class StaticKineticFriction final : public IntervalLaw {
 public:
  /// Thresholds may depend on time. @throws InvalidInput unless 0 <= kinetic <= static, as far as they are
  /// constant
  StaticKineticFriction(ScalarFunction static_threshold, ScalarFunction kinetic_threshold,
                        ScalarFunction support = 0.);

  std::string name() const override { return "static-kinetic friction"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_autonomous() const override { return static_.is_constant() && kinetic_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;
  /// Of equal thresholds this is dry friction, which is monotone.
  double one_sided_lipschitz_constant() const override;
  bool is_summable() const override { return is_dry(); }

  /// @throws InvalidInput unless 0 <= kinetic <= static at this time
  LawParameters parameters(double time, ContactState before) const override;

  bool reconsider(LawParameters& parameters, ContactState found) const override;
  bool may_reconsider() const override { return true; }

 private:
  bool is_dry() const;

  ScalarFunction static_, kinetic_, support_;
};

}  // namespace halfdof
