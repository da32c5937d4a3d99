#pragma once

#include <halfdof/integrators/fixed_step.h>
#include <halfdof/integrators/implicit_step.h>
#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/stage_problem.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * An integrator with inclusions and steps of one length, one implicit stage each. The linear part is that of
 * ImplicitStep,
 * @f[ (\sigma^2 M + \sigma C + K)\, x = \text{rhs} + H \gamma\, r_{n+1}, \qquad
 *     y_{n+1} = y_n + \delta(x)/\theta, \qquad (1) @f]
 * with sigma and theta of the method; then what the laws see at the end of the step is affine in r_{n+1}
 * (StageProblem), and a step costs one solve, the small problem, and the columns of P_h^{-1} H. One
 * factorization serves all steps.
 *
 * Algebraic DoFs are constraints at every stage and never integrated: with the stage values x_K the
 * displacements at the end are the ones that the state, the load and the reactions there ask for,
 * @f[ q_{K,n+1} = (x_K - (1-\theta)\, q_{K,n})/\theta , @f]
 * since all of these are the same mean of both ends. Likewise rates of viscous DoFs. Prescribed motions and
 * supports count by their displacements alone, see PrescribedStep.
 *
 * Steps end on a TimeGrid, the last of a run being shortened to hit the end time exactly. Dense output is
 * linear.
 */
template <class Engine>
class StageIntegrator : public NonsmoothIntegrator<Engine> {
 public:
  /// h [s]
  double time_step() const { return time_step_; }
  double end_weight() const override { return coefficients_.theta; }

 protected:
  /// sigma and theta of a method for a step of length one: sigma = sigma_h / h.
  struct Coefficients {
    double sigma_h, theta;
  };
  /// @param rules one for each direction @throws InvalidInput unless the step is positive
  StageIntegrator(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, const char* name,
                  double time_step, std::vector<DirectionRule> rules, const Coefficients& coefficients);

  /// P_h (x - b_q / sigma) without reactions, and the offset of ImplicitStep; b_q the part of the latter that
  /// is not a rate of the state, and of viscous DoFs, on the free DoFs; nothing: zero, on all processes. What
  /// remember() wants to know of the start of the step goes along.
  struct LinearPart {
    Vector rhs, offset;
    std::optional<Vector> b_q;
    Vector for_memory;
  };
  virtual LinearPart linear_part(const NonsmoothState& from, double step, double end, double sigma) = 0;
  /// What the method itself has to remember at the end of a step; appended to NonsmoothState::memory.
  /// @param linear of this step @param delta the change of the state over the stage @param r its reactions
  virtual Vector remember([[maybe_unused]] double step, [[maybe_unused]] const LinearPart& linear,
                          [[maybe_unused]] const Vector& delta, [[maybe_unused]] const Vector& r) {
    return {};
  }
  /// That part of a state's memory; empty at a start.
  Vector remembered(const NonsmoothState& state) const;
  /// F(t) on the free DoFs: at the start of a step that of the end of the last one, evaluated once.
  Vector load(double time);

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events) final;
  std::string advice() const override { return a_stable_advice; }

  const std::vector<DirectionRule>& rules() const { return rules_; }

 private:
  /// What depends on the length of a step.
  struct Lengths {
    StageWeights weights;
    ImplicitStep<Engine, double> implicit;
    std::unique_ptr<StageProblem> problem;
  };
  Lengths make_lengths(double step) const;
  /// What the directions see of a step.
  struct Seen {
    StageWeights weights;
    Vector q, x, b;  ///< components of the state's displacements, of x, and of b_q
    PrescribedStep p;
    Vector s, rate;  ///< H^T q at the start, with the algebraic DoFs, and H^T q'
    double end_gap(Index j) const;
    double end_rate(Index j) const;
    double rate_before(Index j) const { return rate[j] + p.begin_rate[j]; }
  };
  Seen look(const NonsmoothState& from, const StageWeights& weights, double end, const Vector& x,
            const LinearPart& linear) const;
  Vector met_without_reactions(const NonsmoothState& from, const Seen& seen) const;
  Vector solve_without_reactions(const NonsmoothState& from, const Lengths& lengths, Vector rhs) const;
  void add_reactions(const StageProblem& problem, const Vector& r, Vector& x, Seen& seen) const;
  Vector rates_at_start(const NonsmoothState& from, Vector rates) const;
  Vector rates_before(const NonsmoothState& from, const Seen& seen) const;
  void see_end(const NonsmoothState& from, const Seen& seen, NonsmoothState& to) const;
  void keep(const Seen& seen, const Vector& own, NonsmoothState& to) const;
  std::vector<bool> who_takes_part(const NonsmoothState& from, double step, const Vector& w,
                                   const Vector& free) const;
  Vector mean_reactions(const NonsmoothState& from, const NonsmoothState& to) const;
  void account(const NonsmoothState& from, NonsmoothState& to, const Vector& w_before, double step) const;
  void recover(const NonsmoothState& from, NonsmoothState& to, double step) const;
  std::vector<bool> jumping(const NonsmoothState& from, const NonsmoothState& to, const Vector& w_before,
                            const Vector& free) const;
  void report(const NonsmoothState& from, const NonsmoothState& to, const Vector& w_before,
              const std::vector<bool>& jumps, std::vector<ContactEvent>& events) const;

  double time_step_;
  std::vector<DirectionRule> rules_;
  Coefficients coefficients_;
  bool needs_rates_;                       ///< whether some direction is met by its rate at the end
  Eigen::SparseMatrix<double> H_q_, H_v_;  ///< H_q^T y = H^T (J_I q_I + J_C q_C), H_v^T y = H^T J_I v_I
  PerStepLength<std::shared_ptr<Lengths>> lengths_;
  struct TimedLoad {
    double time = 0;
    Vector load;
  };
  std::array<std::optional<TimedLoad>, 2> loads_;  ///< the last two that were asked for, the newest first
};

}  // namespace halfdof
