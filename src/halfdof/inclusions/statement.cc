// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/outcome.h>
#include <halfdof/inclusions/outcome_checks.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof::internal {

namespace {

constexpr const char* lipschitz_theorem = "Picard and Lindelöf";
constexpr const char* growth_theorem = "Dumont, Goeleven and Rochdi 2001, Theorem 1.1";
constexpr const char* monotone_theorem = "Bastien and Lamarque 2009, Proposition A.1";
/// The theorem for sweeping processes with a moving set and a single-valued Lipschitz perturbation.
constexpr const char* moving_set_theorem = "Moreau 1977; Edmond and Thibault 2005";
constexpr const char* impact_theorem = "Paoli and Schatzman; Dumont, Goeleven and Rochdi 2001, Theorem 1.2";

/// The gaps of some contacts are linearly dependent with positive weights if the minimum of lambda^T W lambda
/// over lambda >= 0 with the sum one is below this value, relative to |lambda|^2; W is the Delassus matrix,
/// scaled to a unit diagonal.
constexpr double zero_response = 1e-8;
constexpr int max_iterations = 10000;

/// Checks the hypotheses of the theorems on existence and uniqueness, and collects the hypotheses that fail.
class Hypotheses {
 public:
  Hypotheses(const InclusionOutcome& outcome, const std::vector<Inclusion>& acting, Symmetry symmetry)
      : outcome_(outcome), symmetry_(symmetry) {
    for (const Inclusion& inclusion : acting)
      for (Index k = 0; k < inclusion.law->dimension(); ++k)
        owners_.push_back({&inclusion, k, static_cast<Index>(owners_.size()) - k});
  }

  Statement check() {
    if (!outcome_.directions.empty() && outcome_.W.I.size() == 0)
      fail(WellPosedness::open,
           "The " + std::to_string(outcome_.directions.size()) +
               " directions are too many for a joint check: it is not known whether their Delassus matrices "
               "are positive semidefinite, whether contacts may jam, and whether the rates of several "
               "frictions that weaken may jump jointly. Raise the limit max_dense to check these "
               "hypotheses.");
    for (const DirectionOutcome& direction : outcome_.directions)
      if (direction.reduced_law() == ReducedLaw::prescribed_gap)
        fail(WellPosedness::open,
             "\"" + direction.name +
                 "\" acts on no DoF that can move: there is no solution while its gap is "
                 "negative, and its reaction is not determined while the gap is zero.");
    check_opposing_contacts();
    check_indeterminate_friction();
    const auto n_impacts = outcome_.directions_in(ReducedLaw::measure_inclusion).size();
    return n_impacts > 0 ? check_with_impacts(n_impacts) : check_without_impacts();
  }

 private:
  struct DirectionOwner {
    const Inclusion* inclusion;
    Index direction;  ///< number of the direction within the inclusion
    Index first;      ///< number of the inclusion's first direction
    const Law& law() const { return *inclusion->law; }
    bool is_gap() const { return law().level(direction) == LawLevel::gap; }
  };

  static bool is_set_valued(const DirectionOutcome& direction) {
    return direction.has_form(ReducedLaw::filippov_inclusion) || direction.has_form(ReducedLaw::play) ||
           direction.has_form(ReducedLaw::sweeping_process);
  }

  bool has_any(ReducedLaw reduced_law) const { return !outcome_.directions_in(reduced_law).empty(); }

  /// Adds a hypothesis that fails. The result on well-posedness is `at_best` then.
  void fail(WellPosedness at_best, const std::string& reason) {
    statement_.result = std::max(statement_.result, at_best);
    statement_.failing.push_back(reason);
  }

  /// Returns the Delassus matrix of the lightest kind of DoFs that decides a direction. The matrix is empty
  /// above DelassusOptions::max_dense directions.
  const MultiVector& delassus_matrix_of(Index direction) const {
    switch (outcome_.directions[static_cast<std::size_t>(direction)].decided_by.front()) {
      case DoFKind::algebraic:
        return outcome_.W.K;
      case DoFKind::viscous:
        return outcome_.W.C;
      default:
        return outcome_.W.I;
    }
  }

  /// Returns the reactions lambda >= 0 of contacts, with the sum one, that minimize lambda^T W lambda, by the
  /// method of Frank and Wolfe with away steps. The minimum is zero if these reactions balance one another.
  static Vector minimize_on_simplex(const MultiVector& W) {
    Vector lambda = Vector::Constant(W.rows(), 1. / static_cast<double>(W.rows()));
    for (int n = 0; n < max_iterations; ++n) {
      const Vector slope = W * lambda;
      Eigen::Index least = 0, worst = 0;
      slope.minCoeff(&least);
      (lambda.array() > 0).select(slope, slope.minCoeff()).maxCoeff(&worst);
      if (least == worst) break;
      const double curvature = W(least, least) + W(worst, worst) - W(least, worst) - W(worst, least);
      const double move =
          curvature > 0 ? std::min(lambda[worst], (slope[worst] - slope[least]) / curvature) : lambda[worst];
      if (!(move > 0)) break;
      lambda[least] += move;
      lambda[worst] -= move;
    }
    return lambda;
  }

  /// Finds contacts for which a combination of gaps with positive weights does not depend on the
  /// displacements. If the positions of the obstacles make this combination negative, there is no solution;
  /// if the combination vanishes, the reactions are not determined.
  void check_opposing_contacts() {
    for (const std::vector<Index>& group : outcome_.split.dependent) {
      std::vector<Index> contacts;
      for (const Index j : group)
        if (owners_[static_cast<std::size_t>(j)].is_gap()) contacts.push_back(j);
      if (contacts.size() < 2 || delassus_matrix_of(contacts.front()).size() == 0) continue;
      MultiVector W = delassus_matrix_of(contacts.front())(contacts, contacts);
      const Vector scale = W.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
      W = MultiVector(scale.asDiagonal() * (0.5 * (W + W.transpose())) * scale.asDiagonal());
      const Vector lambda = minimize_on_simplex(W);
      if (lambda.dot(W * lambda) > zero_response * lambda.squaredNorm()) continue;
      std::string names;
      for (std::size_t k = 0; k < contacts.size(); ++k)
        if (lambda[static_cast<Index>(k)] > zero_response)
          names += (names.empty() ? "\"" : ", \"") +
                   outcome_.directions[static_cast<std::size_t>(contacts[k])].name + "\"";
      fail(WellPosedness::open, "The contacts " + names +
                                    " hold one another, because the moving parts are between their "
                                    "obstacles. There is no solution if "
                                    "the space between the obstacles is too small, and the reactions are not "
                                    "determined if the moving "
                                    "parts fill this space exactly.");
    }
  }

  /// Finds friction that depends on normal reactions of which only combinations are determined.
  void check_indeterminate_friction() {
    for (const std::vector<Index>& group : outcome_.split.dependent)
      for (const Index j : group) {
        const DirectionOwner& owner = owners_[static_cast<std::size_t>(j)];
        if (owner.law().level(0) != LawLevel::gap || owner.law().dimension() == 1) continue;
        return fail(WellPosedness::open,
                    "Only combinations of the reactions of contacts with friction are determined, so that "
                    "the motion is indeterminate: the friction thresholds depend on the single normal "
                    "reactions.");
      }
  }

  Statement check_with_impacts(std::size_t n_impacts) {
    fail(WellPosedness::existence,
         "Uniqueness fails in general for impacts: the known theorems need analytic loads, and examples with "
         "two solutions are known.");
    if (n_impacts > 1)
      fail(WellPosedness::open,
           std::to_string(n_impacts) +
               " contacts act on mass: if two of them are closed at the same time, the boundary of the "
               "admissible set has a corner, but the theorem needs a smooth boundary.");
    for (std::size_t j = 0; j < outcome_.directions.size(); ++j) {
      const DirectionOutcome& direction = outcome_.directions[j];
      if (direction.has_form(ReducedLaw::measure_inclusion))
        check_contact(direction, owners_[j]);
      else
        check_dependence_on_normal(direction, owners_[j]);
      if (is_set_valued(direction))
        fail(WellPosedness::open,
             "The law of \"" + direction.name + "\", " + owners_[j].law().name() +
                 ", is discontinuous, but the theorem for impacts needs all other laws to be continuous.");
    }
    // All laws except the impacts have to be single valued.
    check_joint_coupling();
    check_definiteness();
    return finish(impact_theorem);
  }

  void check_contact(const DirectionOutcome& direction, const DirectionOwner& owner) {
    if (owner.direction == 0) check_coupling(*owner.inclusion, owner.first);
    const std::string name = "\"" + direction.name + "\"";
    if (const auto e = owner.law().restitution(); !e)
      fail(WellPosedness::open,
           name + " has no coefficient of restitution e, but the theorem needs 0 < e <= 1.");
    else if (*e == 0)
      fail(WellPosedness::open, name +
                                    " does not rebound (its coefficient of restitution is e = 0), but the "
                                    "theorem needs 0 < e <= 1.");
    if (direction.acts_on[static_cast<std::size_t>(DoFKind::constrained)])
      fail(WellPosedness::existence, name +
                                         " acts on constrained DoFs: the theorem holds only if their "
                                         "prescribed motions are twice continuously "
                                         "differentiable functions of time.");
    const ScalarFunction& obstacle = owner.law().support(owner.direction);
    if (!obstacle.is_constant())
      fail(WellPosedness::existence, name + " has an obstacle that moves, " + obstacle.description() +
                                         ": the theorem holds only while the motion of the obstacle is twice "
                                         "continuously differentiable, not across its kinks.");
  }

  Statement check_without_impacts() {
    for (std::size_t j = 0; j < outcome_.directions.size(); ++j)
      check_direction(outcome_.directions[j], owners_[j]);
    check_joint_coupling();
    check_common_metric();
    check_definiteness();
    const bool has_moving_set = check_moving_sets();
    const bool is_play_or_sweeping = has_any(ReducedLaw::play) || has_any(ReducedLaw::sweeping_process);
    if (statement_.result == WellPosedness::existence && is_play_or_sweeping)
      fail(WellPosedness::open,
           "The model contains plays or sweeping processes, whose normal cones are unbounded, but the "
           "existence theorem needs set-valued functions of linear growth.");
    if (statement_.result == WellPosedness::unique && is_play_or_sweeping)
      return finish(has_moving_set ? moving_set_theorem : monotone_theorem);
    return finish(has_any(ReducedLaw::filippov_inclusion) ? growth_theorem : lipschitz_theorem);
  }

  void check_direction(const DirectionOutcome& direction, const DirectionOwner& owner) {
    const std::string name = "\"" + direction.name + "\"";
    if (direction.reduced_laws.size() > 1)
      fail(WellPosedness::open,
           "A part of the reaction of " + name + " moves " + name_of(direction.decided_by[0]) +
               " DoFs without delay and another part only " + name_of(direction.decided_by[1]) +
               " DoFs, but each theorem assumes one kind of DoFs for a direction.");
    check_dependence_on_normal(direction, owner);
    const Law& law = owner.law();
    const bool is_friction = law.level(0) == LawLevel::rate;
    if (is_friction && direction.reduced_law() == ReducedLaw::filippov_inclusion &&
        !std::isfinite(law.one_sided_lipschitz_constant()))
      fail(WellPosedness::existence, "The friction force of " + name +
                                         " drops at once when the inclusion begins to slip, so that the law "
                                         "is not one-sided Lipschitz.");
  }

  /// Checks the hypotheses for friction whose threshold depends on a normal reaction.
  void check_dependence_on_normal(const DirectionOutcome& direction, const DirectionOwner& owner) {
    if (owner.law().level(0) != LawLevel::gap) return;
    if (owner.direction == 0)
      check_coupling(*owner.inclusion, owner.first);
    else if (direction.reduced_law() != ReducedLaw::recovered_reaction)
      fail(direction.reduced_law() == ReducedLaw::filippov_inclusion ? WellPosedness::existence
                                                                     : WellPosedness::open,
           "The threshold of \"" + direction.name +
               "\" depends on the normal reaction, so that the law is not monotone.");
  }

  /// Whether the thresholds of some play depend on time. Proposition A.1 of Bastien and Lamarque (2009)
  /// assumes constant thresholds.
  bool check_moving_sets() {
    bool found = false;
    for (std::size_t j = 0; j < owners_.size(); ++j) {
      const DirectionOutcome& direction = outcome_.directions[j];
      if (!direction.has_form(ReducedLaw::play) || owners_[j].law().is_autonomous()) continue;
      found = true;
      const std::string cause = "The thresholds of \"" + direction.name + "\" depend on time: ";
      if (has_any(ReducedLaw::filippov_inclusion))
        fail(WellPosedness::open,
             cause + "no known theorem covers such a play together with friction on masses.");
      else
        fail(WellPosedness::unique,
             cause + "the result holds if the thresholds are Lipschitz continuous functions of time.");
    }
    return found;
  }

  /// Checks whether a contact with Coulomb friction may jam. If the contact is massless and slips in the
  /// direction of the unit vector d, its gap is g = (W_nn - mu W_nt d) r_n + b_n, and two reactions are
  /// possible unless mu |W_nt| < W_nn (Klarbring 1990, in the plane). The normal acceleration of a sliding
  /// contact with mass has the same form (Painleve 1895).
  void check_coupling(const Inclusion& inclusion, Index first) {
    const Law& law = *inclusion.law;
    const ReducedLaw reduced_law = outcome_.directions[static_cast<std::size_t>(first)].reduced_law();
    if (law.dimension() == 1 ||
        (reduced_law != ReducedLaw::lipschitz_contact && reduced_law != ReducedLaw::measure_inclusion) ||
        delassus_matrix_of(first).size() == 0)
      return;
    const MultiVector& W = delassus_matrix_of(first);
    const double W_nn = W(first, first);
    const double W_nt = W.row(first).segment(first + 1, law.dimension() - 1).norm();
    if (W_nt <= 1e-12 * W_nn) return;
    std::ostringstream reason;
    if (!law.is_autonomous()) {
      reason << "The contact \"" << inclusion.name
             << "\" has a coefficient of friction mu that depends on time: the contact may jam whenever mu "
                "reaches W_nn / |W_nt| = "
             << W_nn / W_nt << ", with W the Delassus matrix, n the normal and t the tangents.";
      return fail(WellPosedness::existence, reason.str());
    }
    const std::optional<double> slope = law.cone_slope(law.parameters(0., law.initial_state()));
    if (!slope)
      return fail(WellPosedness::open, "It is not known whether the contact \"" + inclusion.name + "\" (" +
                                           law.name() +
                                           ") may jam, because its law does not define the coefficient of "
                                           "friction (Law::cone_slope()).");
    const double mu = *slope;
    if (reduced_law == ReducedLaw::measure_inclusion && mu * W_nt < W_nn) return;
    if (reduced_law == ReducedLaw::measure_inclusion) {
      reason << "The contact \"" << inclusion.name
             << "\" may come into a Painleve state: mu |W_nt| = " << mu * W_nt
             << " is not below W_nn = " << W_nn
             << " (mu is the coefficient of friction, W the Delassus matrix, n the normal, t the tangents), "
                "so that a normal reaction accelerates the contact into the obstacle while it slides in some "
                "direction. In such a state there is no consistent acceleration, or there are several, and "
                "velocities jump without a collision.";
      return fail(WellPosedness::open, reason.str());
    }
    if (mu * W_nt < W_nn) {
      reason << "The contact \"" << inclusion.name << "\" does not jam: mu |W_nt| = " << mu * W_nt
             << " is below W_nn = " << W_nn
             << (law.dimension() == 2
                     ? ", so that there is one reaction at each instant."
                     : ". This inequality suffices in the plane; in space no sharp condition is known.");
      statement_.checked.push_back(reason.str());
      return;
    }
    reason << "The contact \"" << inclusion.name << "\" may jam: mu |W_nt| = " << mu * W_nt
           << " is not below W_nn = " << W_nn
           << " (mu is the coefficient of friction, W the Delassus matrix, n the normal, t the tangents), so "
              "that several reactions are possible at one instant.";
    fail(WellPosedness::open, reason.str());
  }

  /// Adds a failing hypothesis if there are several massless contacts with friction, because check_coupling()
  /// does not exclude that several contacts jam together.
  void check_joint_coupling() {
    std::string names;
    int n = 0;
    for (std::size_t j = 0; j < owners_.size(); ++j) {
      const DirectionOwner& owner = owners_[j];
      if (owner.direction > 0 || owner.law().dimension() == 1 || owner.law().level(0) != LawLevel::gap ||
          outcome_.directions[j].reduced_law() != ReducedLaw::lipschitz_contact)
        continue;
      names += (n++ == 0 ? "\"" : ", \"") + owner.inclusion->name + "\"";
    }
    if (n > 1)
      fail(WellPosedness::open,
           "Massless contacts with friction (" + names +
               ") were checked one by one; it was not checked whether several of them may jam "
               "together.");
  }

  void check_common_metric() {
    const auto n_set_valued =
        std::count_if(outcome_.directions.begin(), outcome_.directions.end(), is_set_valued);
    if (symmetry_ == Symmetry::unsymmetric && n_set_valued > 1)
      fail(WellPosedness::existence, "M, C and K are not symmetric, so that the " +
                                         std::to_string(n_set_valued) +
                                         " set-valued laws are not known to be monotone in a common metric.");
  }

  void check_definiteness() {
    for (const ReactionSplit::Part& part : outcome_.split.parts)
      if (!part.is_monotone)
        fail(WellPosedness::open, std::string("The Delassus matrix of the ") + name_of(part.kind) +
                                      " DoFs is not positive semidefinite, so that several reactions may be "
                                      "possible at one instant.");
  }

  Statement finish(const char* theorem) {
    const std::string source = std::string(" (") + theorem + ").";
    if (statement_.result != WellPosedness::open) statement_.theorem = theorem;
    switch (statement_.result) {
      case WellPosedness::unique:
        statement_.text = "There is one solution, and only one" + source;
        break;
      case WellPosedness::existence:
        statement_.text = "There is a solution" + source + " Other solutions may exist.";
        break;
      case WellPosedness::open:
        statement_.text = "No theorem is known to guarantee that a solution exists and is unique.";
        break;
    }
    for (const std::vector<std::string>* reasons : {&statement_.failing, &statement_.checked})
      for (const std::string& reason : *reasons)
        statement_.text += " " + reason;
    return std::move(statement_);
  }

  const InclusionOutcome& outcome_;
  Symmetry symmetry_;
  std::vector<DirectionOwner> owners_;  ///< the inclusion to which each direction belongs
  Statement statement_;
};

}  // namespace

Statement well_posedness(const InclusionOutcome& outcome, const std::vector<Inclusion>& acting,
                         Symmetry symmetry) {
  return Hypotheses(outcome, acting, symmetry).check();
}

}  // namespace halfdof::internal
