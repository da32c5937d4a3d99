// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/verification/step_path.h>
#include <halfdof/integrators/verification/verification.h>

#include <array>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace halfdof::internal {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Largest gap of a touching contact, and largest motion that counts as zero, relative to the displacements
/// from which the gap or the motion is computed and to the displacements that reactions cause.
constexpr double touching = 1e-10;

/// Returns the depth of penetration of a gap, which is zero unless the gap is negative. NaN remains NaN.
inline double depth(double gap) {
  return gap >= 0 ? 0. : -gap;
}

/// One point of a trajectory, with its state, the motion of the directions, and their prescribed motion.
struct DirectionPoint {
  NonsmoothState state;
  Vector s, rate;                      ///< H^T q of all DoFs, and H^T q' of inertial and viscous DoFs.
  Vector prescribed, prescribed_rate;  ///< Prescribed motion H_D^T q_D - h, and its derivative.
  /// The time in the middle of the step that contains the point or ends at it; no value if the step is not
  /// known [s].
  std::optional<double> middle = {};

  Vector gaps() const { return s + prescribed; }
  /// Returns the gaps. A gap whose terms cancel up to rounding is set to zero, because the force that
  /// corresponds to a gap is large in a short step.
  Vector gaps_with_exact_zeros() const;
};

/**
 * The part of Verification that checks the laws. The class compares gaps, rates, reactions and impulses of
 * the directions with the graph of each law, at every point, over every step and at every event. Violations
 * of each inclusion are relative to its largest reaction (but at least to 1e-6 times the largest load or
 * reaction, below which reactions may be rounding errors) and to the largest gaps and rates of all
 * inclusions. Estimated rounding errors are subtracted from the violations. In means over a step these are
 * the rounding errors of the time and of the step length, in rates those of the motion that the reactions
 * prevent within the step.
 */
class LawVerification {
 public:
  /// The largest rate and the largest load of all DoFs at a point.
  struct Sizes {
    double rate, load;
  };
  LawVerification(std::vector<Inclusion> inclusions, InclusionOutcome outcome,
                  const VerificationOptions& options);

  /// Checks a point of the trajectory, the step that ends at this point, and the events of this step.
  /// @param from the previous point; null at the first point
  /// @param prescribed the prescribed motion of the step; null at the first point and if the step has no
  /// length
  /// @param path the motion within the step; null if it is not known
  void operator()(const DirectionPoint* from, const DirectionPoint& to, const Sizes& sizes,
                  const PrescribedStep* prescribed, const StepPath* path,
                  const std::vector<ContactEvent>& events);

  /// Sets NonsmoothIntegrator::shortest_flight() [s]. Rebounds that would end within this time may be
  /// replaced by rest.
  void set_shortest_flight(double time) { options_.shortest_flight = time; }

  /// Returns the parameters of all laws that depend on time. The result is empty if no law depends on time.
  Vector parameters_at(double time, const DirectionPoint& at) const;
  /// Checks a step at instants that resolve parameters_at() and the prescribed motion. With a path the laws
  /// have to hold at each of these instants. Without a path, violations at these instants count as an error
  /// of the step.
  /// @param prescribed the prescribed motion H_D^T q_D - h, with one column for each time
  /// @param path the motion within the step; null if it is not known
  void check_between(const DirectionPoint& from, const DirectionPoint& to, const std::vector<double>& times,
                     const MultiVector& prescribed, const StepPath* path);
  /// Returns the largest relative error of a step in rates, displacements, reactions or gaps.
  Violation largest_step_error() const;

  /// Returns the largest relative violation of a check over all inclusions.
  Violation largest(Check check) const;
  /// Returns the largest rate so far.
  double size_of_rates() const { return size_rate_; }
  /// Estimates the rounding error in the rate of a direction within a step, including the rounding errors of
  /// large forces that reactions balance.
  double rounding_of_rate(Index direction, const DirectionPoint& from, const DirectionPoint& to) const;

 private:
  /// A pair (w, r) or (g, r) for the natural map of a law. The vector `quantity` contains w or g times the
  /// force that would undo a unit rate or gap within the step.
  struct LawPair {
    Vector quantity, r;
    double rho;  ///< The force that undoes a unit rate or gap for scalar laws, and 1 for other laws.
  };
  /// An inclusion and its first direction.
  struct CheckedInclusion {
    Inclusion inclusion;
    Index first;

    const Law& law() const { return *inclusion.law; }
    Vector own(const Vector& all) const { return all.segment(first, law().dimension()); }
  };

  void update_scales(const DirectionPoint* from, const DirectionPoint& to, const Sizes& sizes,
                     const StepPath* path);
  void record(Check check, std::size_t inclusion, double value, double time);
  Violation violation_of(std::size_t inclusion, double value, double time) const;
  ReducedLaw reduced_law_of(std::size_t inclusion) const;
  void check_instant(std::size_t i, const NonsmoothState& state, const Vector& gaps, double middle);
  void check_impulse(std::size_t i, const DirectionPoint& from, const DirectionPoint& to, const Vector& mean);
  bool is_decided_by_one_kind(std::size_t i) const;
  Vector simultaneous_reactions(std::size_t i, const Vector& mean, const DirectionPoint& to) const;
  double distance_of_mean_reaction(std::size_t i, const Vector& mean, const DirectionPoint& from,
                                   const DirectionPoint& to) const;
  void check_path(std::size_t i, const DirectionPoint& from, const DirectionPoint& to, const Vector& mean,
                  const StepPath& path);
  void check_rates(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                   const PrescribedStep& prescribed);
  void check_law(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                 const PrescribedStep& prescribed);
  void record_state_change(std::size_t i, const DirectionPoint& from, const DirectionPoint& to);
  void record_rate_error(std::size_t i, double error, const DirectionPoint& to, double step);
  void check_between_ends(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                          const std::vector<double>& times, const MultiVector& prescribed);
  void check_between_on_path(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                             const std::vector<double>& times, const MultiVector& prescribed,
                             const StepPath& path);
  double depth_due_to_other_contacts(std::size_t i, const DirectionPoint& from) const;
  void check_inactive_contact(std::size_t i, const DirectionPoint& from, const DirectionPoint& to,
                              double rebound);
  void check_event(const ContactEvent& event, const Vector& r_after);
  double rebound_excess(const Law& law, double before, double after) const;
  bool is_within_sticking_cutoff(const ContactEvent& event, const Vector& r_after) const;
  const MultiVector& delassus_of(Index direction) const;
  double displacement_by_reactions(Index direction, const Vector& r, double step) const;
  /// Returns the part of rounding_of_rate() that rounding errors of the reactions cause, if the reactions
  /// balance other forces.
  double rounding_of_held(Index direction, const DirectionPoint& from, const DirectionPoint& to) const;
  double force_to_undo_unit(LawLevel level, Index direction, double step) const;
  double rate_by_reactions(const Vector& r, double step) const;
  Vector reduced_by_rounding(const CheckedInclusion& place, const Vector& w, const DirectionPoint& from,
                             const DirectionPoint& to) const;
  double factor_of_rates(const CheckedInclusion& place, double step) const;
  LawPair law_pair(std::size_t i, const Vector& w, const Vector& g, const Vector& r, double step) const;
  double largest_product(const Law& law, const LawParameters& parameters, const LawPair& pair);
  double size_of(Check check, std::size_t inclusion) const;

  std::vector<CheckedInclusion> inclusions_;
  InclusionOutcome outcome_;
  VerificationOptions options_;
  std::mt19937 random_;
  /// The largest violation so far of each check (first index) by each inclusion (second index), with units.
  std::array<std::vector<Violation>, n_checks> found_;
  /// Largest errors of steps in the laws, with units. The errors are later divided by the largest rate, the
  /// largest displacement of a direction since the start, the largest gap, and the largest reaction of each
  /// inclusion.
  struct StepErrors {
    Violation rate, displacement, gap;
    std::vector<Violation> reaction;
  } step_errors_;
  Vector size_r_;  ///< Largest reaction of each inclusion so far.
  Vector size_w_;  ///< Largest rate |w| of the first direction of each inclusion so far.
  Vector first_gaps_;
  /// The largest rounding_of_held() of all directions in the present step, which also affects directions that
  /// depend on held directions.
  double rounding_of_held_ = 0;
  double n_steps_ = 0;                         ///< Number of steps so far.
  double size_rate_by_reactions_ = 0;          ///< Largest rate_by_reactions() so far.
  double size_displacement_by_reactions_ = 0;  ///< Sum of rate_by_reactions() times the step length.
  double size_step_ = 0, size_g_ = 0, size_displacement_ = 0, size_rate_ = 0, size_force_ = 0;
};

}  // namespace halfdof::internal
