#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/check.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/step_path.h>

#include <array>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace halfdof {

/// What the directions see of one point of a trajectory, and what time prescribes.
struct SeenPoint {
  NonsmoothState state;
  Vector s, rate;                      ///< H^T q, H^T q' of inertial and viscous DoFs
  Vector prescribed, prescribed_rate;  ///< H_D^T q_D - h, and its derivative
  /// Of the step of the method that the point ends or lies in; nothing where the step is not known [s].
  std::optional<double> middle = {};

  Vector gaps() const { return s + prescribed; }
  /// Zero where both terms agree to the last digits: forces that undo a gap in a short step are large.
  Vector gaps_without_rounding() const;
};

/// How a trajectory is looked at.
struct VerificationOptions {
  double end_weight = 0.5;     ///< NonsmoothIntegrator::end_weight() of the method that made the trajectory
  double shortest_flight = 0;  ///< NonsmoothIntegrator::shortest_flight() [s]
  int n_test_pairs = 8;        ///< random pairs for each inclusion and point
  /// Functions of time are sampled at least as often [s]: of a run, 1/4096 of its length serves.
  double longest_interval = std::numeric_limits<double>::infinity();
  unsigned seed = 1;
  ImpactLaw impact_law = ImpactLaw::newton;  ///< NonsmoothIntegrator::impact_law()
  /// To which displacements obey a StateForce, NewtonOptions::tolerance; taken from the model by
  /// Verification.
  double state_tolerance = 0;
};

/**
 * The part of Verification that knows laws alone: gaps, rates, reactions and impulses of the directions
 * against the graph of each law, at every point, over every step and at every event. Violations of each
 * inclusion are relative to the largest of its reactions (at least 1e-6 of all loads and reactions: less may
 * be rounding) and to the largest gaps and rates of all. What rounding leaves where nothing moves is none: of
 * means over a step its length and the time have their last digits, and rates those of what the reactions
 * keep from moving within it.
 */
class LawVerification {
 public:
  /// The largest of all DoFs at a point.
  struct Sizes {
    double rate, load;
  };
  LawVerification(std::vector<Inclusion> inclusions, InclusionOutcome outcome,
                  const VerificationOptions& options);

  /// A point, and what happened since the last one. @param from, prescribed, path Null at the first point,
  /// and where nothing is known. @param sizes Of all DoFs.
  void operator()(const SeenPoint* from, const SeenPoint& to, const Sizes& sizes,
                  const PrescribedStep* prescribed, const StepPath* path,
                  const std::vector<ContactEvent>& events);

  /// [s] Of rebounds that would come back within this time: they may end at rest.
  void set_shortest_flight(double time) { options_.shortest_flight = time; }

  /// What laws ask of time: the parameters of those whose set changes. Empty: nothing.
  Vector parameters_at(double time, const SeenPoint& at) const;
  /// A step at instants that resolve these and what is prescribed. Where it can be looked into, its laws
  /// have to hold at each of them; elsewhere what they miss is an error of the step.
  /// @param prescribed H_D^T q_D - h, one column for each time
  void between(const SeenPoint& from, const SeenPoint& to, const std::vector<double>& times,
               const MultiVector& prescribed, const StepPath* path);
  /// The largest error of a step, by its rates, reactions or gaps, relative.
  Violation largest_step_error() const;

  /// The largest of all inclusions, relative.
  Violation largest(Check check) const;
  /// The largest rate so far.
  double size_of_rates() const { return size_rate_; }
  /// What rounding may make of the rate of a direction within a step, where reactions hold large forces in
  /// balance.
  double rounding_of_rate(Index direction, const SeenPoint& from, const SeenPoint& to) const;

 private:
  /// What a law is held against: entries of w or g times rho, the force that would undo them within the step.
  struct Pair {
    Vector met, r;
    double rho;  ///< of scalar laws; 1 elsewhere
  };
  /// One inclusion, and where its directions begin.
  struct Place {
    Inclusion inclusion;
    Index first;

    const Law& law() const { return *inclusion.law; }
    Vector own(const Vector& all) const { return all.segment(first, law().dimension()); }
  };

  void measure(const SeenPoint* from, const SeenPoint& to, const Sizes& sizes, const StepPath* path);
  void note(Check check, std::size_t inclusion, double value, double time);
  Violation found_at(std::size_t inclusion, double value, double time) const;
  Cell cell_of(std::size_t inclusion) const;
  void check_instant(std::size_t i, const NonsmoothState& state, const Vector& gaps, double middle);
  void check_impulse(std::size_t i, const SeenPoint& from, const SeenPoint& to, const Vector& mean);
  bool meets_one_kind(std::size_t i) const;
  Vector acted_together(std::size_t i, const Vector& mean, const SeenPoint& to) const;
  double missed_by(std::size_t i, const Vector& mean, const SeenPoint& from, const SeenPoint& to) const;
  void check_path(std::size_t i, const SeenPoint& from, const SeenPoint& to, const Vector& mean,
                  const StepPath& path);
  void check_rates(std::size_t i, const SeenPoint& from, const SeenPoint& to,
                   const PrescribedStep& prescribed);
  void check_law(std::size_t i, const SeenPoint& from, const SeenPoint& to, const PrescribedStep& prescribed);
  void note_change(std::size_t i, const SeenPoint& from, const SeenPoint& to);
  void note_rate_error(std::size_t i, double error, const SeenPoint& to, double step);
  void between_of(std::size_t i, const SeenPoint& from, const SeenPoint& to, const std::vector<double>& times,
                  const MultiVector& prescribed);
  void between_on_path(std::size_t i, const SeenPoint& from, const SeenPoint& to,
                       const std::vector<double>& times, const MultiVector& prescribed, const StepPath& path);
  double depth_beside_sunken(std::size_t i, const SeenPoint& from) const;
  void check_contact_left_alone(std::size_t i, const SeenPoint& from, const SeenPoint& to, double rebound);
  void check_event(const ContactEvent& event, const Vector& r_after);
  double rebound_of(const Law& law, double before, double after) const;
  bool ends_at_rest(const ContactEvent& event, const Vector& r_after) const;
  const MultiVector& delassus_of(Index direction) const;
  double moved_by(Index direction, const Vector& r, double step) const;
  /// The part of rounding_of_rate() that reactions leave which hold something back.
  double rounding_of_held(Index direction, const SeenPoint& from, const SeenPoint& to) const;
  double force_per(LawLevel level, Index direction, double step) const;
  double rate_by_reactions(const Vector& r, double step) const;
  Vector beyond_rounding(const Place& place, const Vector& w, const SeenPoint& from,
                         const SeenPoint& to) const;
  double factor_of_rates(const Place& place, double step) const;
  Pair pair_of(std::size_t i, const Vector& w, const Vector& g, const Vector& r, double step) const;
  double largest_product(const Law& law, const LawParameters& parameters, const Pair& pair);
  double size_of(Check check, std::size_t inclusion) const;

  std::vector<Place> places_;
  InclusionOutcome outcome_;
  VerificationOptions options_;
  std::mt19937 random_;
  std::array<std::vector<Violation>, n_checks> found_;  ///< by check, then by inclusion, with units
  /// Errors of steps that laws show, by what they are relative to: all rates, the reaction of each
  /// inclusion, all ways of directions since the start, all gaps.
  struct StepErrors {
    Violation rate, way, gap;
    std::vector<Violation> reaction;
  } step_errors_;
  Vector size_r_;  ///< largest so far, of each inclusion
  Vector size_w_;  ///< largest |w| so far, of the first direction of each
  Vector first_gaps_;
  /// The largest rounding_of_held() within the present step: a direction that follows others moves by what
  /// rounding leaves of the rates of these.
  double rounding_of_held_ = 0;
  double n_steps_ = 0;          ///< so far
  double size_pushed_ = 0;      ///< the largest of rate_by_reactions() so far
  double size_pushed_way_ = 0;  ///< sum of rate_by_reactions() times the step
  double size_step_ = 0, size_g_ = 0, size_way_ = 0, size_rate_ = 0, size_force_ = 0;
};

}  // namespace halfdof
