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
/// Theorem for sweeping processes with a moving set and a single-valued Lipschitz perturbation.
constexpr const char* moving_set_theorem = "Moreau 1977; Edmond and Thibault 2005";
constexpr const char* impact_theorem = "Paoli and Schatzman; Dumont, Goeleven and Rochdi 2001, Theorem 1.2";

/// Contacts hold one another if the response to their balanced unit reactions is below this, relative to a
/// unit response.
constexpr double opposing = 1e-8;
constexpr int most_turns = 10000;

/// Checks the hypotheses of the theorems, and collects those that fail.
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
               " directions are too many for a joint check: whether their Delassus matrices are positive "
               "semidefinite, whether contacts may jam and whether frictions that weaken jump jointly is not "
               "known. Raise the limit max_dense to find out.");
    for (const DirectionOutcome& direction : outcome_.directions)
      if (direction.reduced_law() == ReducedLaw::prescribed_gap)
        fail(WellPosedness::open,
             "\"" + direction.name +
                 "\" acts on no DoF that can move: there is no solution where its gap is "
                 "negative, and its reaction is not determined where it closes.");
    check_opposing_contacts();
    check_shares();
    const auto n_impacts = outcome_.directions_in(ReducedLaw::measure_inclusion).size();
    return n_impacts > 0 ? with_impacts(n_impacts) : without_impacts();
  }

 private:
  struct Owner {
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

  bool any(ReducedLaw reduced_law) const { return !outcome_.directions_in(reduced_law).empty(); }

  void fail(WellPosedness at_best, const std::string& reason) {
    statement_.result = std::max(statement_.result, at_best);
    statement_.failing.push_back(reason);
  }

  /// Returns the Delassus matrix of the lightest kind that decides a direction; empty if it is not known.
  const MultiVector& W_of(Index direction) const {
    switch (outcome_.directions[static_cast<std::size_t>(direction)].decided_by.front()) {
      case DoFKind::algebraic:
        return outcome_.W.K;
      case DoFKind::viscous:
        return outcome_.W.C;
      default:
        return outcome_.W.I;
    }
  }

  /// Returns the reactions lambda >= 0 of contacts, with the sum one, that minimize lambda^T W lambda. For
  /// contacts that hold one another the minimum is zero. Uses the method of Frank and Wolfe with away steps.
  static Vector balance(const MultiVector& W) {
    Vector lambda = Vector::Constant(W.rows(), 1. / static_cast<double>(W.rows()));
    for (int n = 0; n < most_turns; ++n) {
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
  /// displacements. If obstacles make this combination negative, there is no solution; if it vanishes, the
  /// reactions are not determined.
  void check_opposing_contacts() {
    for (const std::vector<Index>& group : outcome_.split.dependent) {
      std::vector<Index> contacts;
      for (const Index j : group)
        if (owners_[static_cast<std::size_t>(j)].is_gap()) contacts.push_back(j);
      if (contacts.size() < 2 || W_of(contacts.front()).size() == 0) continue;
      MultiVector W = W_of(contacts.front())(contacts, contacts);
      const Vector scale = W.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
      W = MultiVector(scale.asDiagonal() * (0.5 * (W + W.transpose())) * scale.asDiagonal());
      const Vector lambda = balance(W);
      if (lambda.dot(W * lambda) > opposing * lambda.squaredNorm()) continue;
      std::string names;
      for (std::size_t k = 0; k < contacts.size(); ++k)
        if (lambda[static_cast<Index>(k)] > opposing)
          names += (names.empty() ? "\"" : ", \"") +
                   outcome_.directions[static_cast<std::size_t>(contacts[k])].name + "\"";
      fail(WellPosedness::open,
           "The contacts " + names +
               " hold one another: the moving parts are between them. There is no solution where their "
               "obstacles "
               "leave no room, and where they leave just enough, the reactions are not determined.");
    }
  }

  /// Finds friction that depends on normal reactions of which only combinations are determined.
  void check_shares() {
    for (const std::vector<Index>& group : outcome_.split.dependent)
      for (const Index j : group) {
        const Owner& owner = owners_[static_cast<std::size_t>(j)];
        if (owner.law().level(0) != LawLevel::gap || owner.law().dimension() == 1) continue;
        return fail(
            WellPosedness::open,
            "Of the reactions of contacts with friction only combinations are determined, so that the motion "
            "is indeterminate: it depends on how the reactions are shared.");
      }
  }

  Statement with_impacts(std::size_t n_impacts) {
    fail(WellPosedness::existence,
         "Uniqueness fails in general for impacts: analytic data would be needed, and examples with two "
         "solutions are known.");
    if (n_impacts > 1)
      fail(WellPosedness::open,
           std::to_string(n_impacts) +
               " contacts act on mass: where two of them close together the boundary of the "
               "admissible set has a corner, and the theorem needs it to be smooth.");
    for (std::size_t j = 0; j < outcome_.directions.size(); ++j) {
      const DirectionOutcome& direction = outcome_.directions[j];
      if (direction.has_form(ReducedLaw::measure_inclusion))
        check_contact(direction, owners_[j]);
      else
        check_dependence_on_normal(direction, owners_[j]);
      if (is_set_valued(direction))
        fail(WellPosedness::open,
             "The " + owners_[j].law().name() + " of \"" + direction.name +
                 "\" is discontinuous, which the uniqueness theorem for impacts does not cover.");
    }
    // All laws except the impacts have to be single valued.
    check_joint_coupling();
    check_definiteness();
    return finish(impact_theorem);
  }

  void check_contact(const DirectionOutcome& direction, const Owner& owner) {
    if (owner.direction == 0) check_coupling(*owner.inclusion, owner.first);
    const std::string name = "\"" + direction.name + "\"";
    if (const auto e = owner.law().restitution(); !e)
      fail(WellPosedness::open,
           name + " was given no coefficient of restitution; the theorem needs 0 < e <= 1.");
    else if (*e == 0)
      fail(WellPosedness::open, name + " does not rebound (e = 0), and the theorem needs 0 < e <= 1.");
    if (direction.acts_on[static_cast<std::size_t>(DoFKind::constrained)])
      fail(WellPosedness::existence,
           name +
               " is measured from constrained DoFs: where these move, the theorem holds as long as they do "
               "so twice continuously differentiably.");
    const ScalarFunction& obstacle = owner.law().support(owner.direction);
    if (!obstacle.is_constant())
      fail(WellPosedness::existence, name + " has an obstacle that moves, " + obstacle.description() +
                                         ": the theorem holds as long as it is twice continuously "
                                         "differentiable, not across its kinks.");
  }

  Statement without_impacts() {
    for (std::size_t j = 0; j < outcome_.directions.size(); ++j)
      check_direction(outcome_.directions[j], owners_[j]);
    check_joint_coupling();
    check_metric();
    check_definiteness();
    const bool has_moving_set = check_moving_sets();
    const bool is_play_or_sweeping = any(ReducedLaw::play) || any(ReducedLaw::sweeping_process);
    if (statement_.result == WellPosedness::existence && is_play_or_sweeping)
      fail(WellPosedness::open,
           "Plays and sweeping processes have unbounded normal cones, so that existence by growth does not "
           "cover them.");
    if (statement_.result == WellPosedness::unique && is_play_or_sweeping)
      return finish(has_moving_set ? moving_set_theorem : monotone_theorem);
    return finish(any(ReducedLaw::filippov_inclusion) ? growth_theorem : lipschitz_theorem);
  }

  void check_direction(const DirectionOutcome& direction, const Owner& owner) {
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
      fail(WellPosedness::existence,
           "The friction of " + name +
               " drops at once when it begins to slip: it is not one-sided Lipschitz.");
  }

  /// Checks friction whose threshold depends on a normal reaction.
  void check_dependence_on_normal(const DirectionOutcome& direction, const Owner& owner) {
    if (owner.law().level(0) != LawLevel::gap) return;
    if (owner.direction == 0)
      check_coupling(*owner.inclusion, owner.first);
    else if (direction.reduced_law() != ReducedLaw::recovered_reaction)
      fail(direction.reduced_law() == ReducedLaw::filippov_inclusion ? WellPosedness::existence
                                                                     : WellPosedness::open,
           "The threshold of \"" + direction.name +
               "\" follows the normal reaction, so that the law is not monotone.");
  }

  /// Whether the sets of plays depend on time, which Proposition A.1 does not cover.
  bool check_moving_sets() {
    bool found = false;
    for (std::size_t j = 0; j < owners_.size(); ++j) {
      const DirectionOutcome& direction = outcome_.directions[j];
      if (!direction.has_form(ReducedLaw::play) || owners_[j].law().is_autonomous()) continue;
      found = true;
      const std::string name = "The thresholds of \"" + direction.name + "\" depend on time: ";
      if (any(ReducedLaw::filippov_inclusion))
        fail(WellPosedness::open, name + "no theorem covers such plays together with friction on masses.");
      else
        fail(WellPosedness::unique, name + "the result holds as long as they are Lipschitz.");
    }
    return found;
  }

  /// Checks whether a contact with Coulomb friction may jam. If it is massless and slips, then g = (W_nn - mu
  /// W_nt d) r_n + b_n with |d| = 1, and two reactions are possible unless mu |W_nt| < W_nn (Klarbring 1990,
  /// in the plane). For a sliding contact with mass the acceleration has the same form (Painleve 1895).
  void check_coupling(const Inclusion& inclusion, Index first) {
    const Law& law = *inclusion.law;
    const ReducedLaw reduced_law = outcome_.directions[static_cast<std::size_t>(first)].reduced_law();
    if (law.dimension() == 1 ||
        (reduced_law != ReducedLaw::lipschitz_contact && reduced_law != ReducedLaw::measure_inclusion) ||
        W_of(first).size() == 0)
      return;
    const MultiVector& W = W_of(first);
    const double W_nn = W(first, first);
    const double W_nt = W.row(first).segment(first + 1, law.dimension() - 1).norm();
    if (W_nt <= 1e-12 * W_nn) return;
    std::ostringstream reason;
    if (!law.is_autonomous()) {
      reason << "The contact \"" << inclusion.name
             << "\" has a coefficient of friction that depends on time: it may "
             << "jam whenever mu reaches W_nn / |W_nt| = " << W_nn / W_nt << ".";
      return fail(WellPosedness::existence, reason.str());
    }
    const std::optional<double> slope = law.cone_slope(law.parameters(0., law.initial_state()));
    if (!slope)
      return fail(WellPosedness::open, "Whether the contact \"" + inclusion.name + "\" (" + law.name() +
                                           ") may jam is not known: its law does not say how steep the cone "
                                           "of its reactions is (Law::cone_slope).");
    const double mu = *slope;
    if (reduced_law == ReducedLaw::measure_inclusion && mu * W_nt < W_nn) return;
    if (reduced_law == ReducedLaw::measure_inclusion) {
      reason << "The contact \"" << inclusion.name
             << "\" may come into a Painleve state: mu |W_nt| = " << mu * W_nt
             << " is not below W_nn = " << W_nn
             << ", so that while it slides in some direction its normal reaction accelerates it into the "
                "obstacle. No acceleration is consistent then, or several are, and velocities jump without a "
                "collision.";
      return fail(WellPosedness::open, reason.str());
    }
    if (mu * W_nt < W_nn) {
      reason << "The contact \"" << inclusion.name << "\" does not jam: mu |W_nt| = " << mu * W_nt
             << " is below W_nn = " << W_nn
             << (law.dimension() == 2 ? ", so that each instant admits one reaction."
                                      : ", which suffices in the plane; in space nothing sharp is known.");
      statement_.checked.push_back(reason.str());
      return;
    }
    reason << "The contact \"" << inclusion.name << "\" may jam: mu |W_nt| = " << mu * W_nt
           << " is not below W_nn = " << W_nn << ", so that one instant admits several reactions.";
    fail(WellPosedness::open, reason.str());
  }

  /// Separate conditions for each contact with friction do not exclude that several jam together.
  void check_joint_coupling() {
    std::string names;
    int n = 0;
    for (std::size_t j = 0; j < owners_.size(); ++j) {
      const Owner& owner = owners_[j];
      if (owner.direction > 0 || owner.law().dimension() == 1 || owner.law().level(0) != LawLevel::gap ||
          outcome_.directions[j].reduced_law() != ReducedLaw::lipschitz_contact)
        continue;
      names += (n++ == 0 ? "\"" : ", \"") + owner.inclusion->name + "\"";
    }
    if (n > 1)
      fail(WellPosedness::open, "Massless contacts with friction (" + names +
                                    ") were checked one by one; whether they jam together was not checked.");
  }

  void check_metric() {
    const auto n_set_valued =
        std::count_if(outcome_.directions.begin(), outcome_.directions.end(), is_set_valued);
    if (symmetry_ == Symmetry::unsymmetric && n_set_valued > 1)
      fail(WellPosedness::existence, "M, C and K are not symmetric, so that the " +
                                         std::to_string(n_set_valued) +
                                         " set-valued laws are not known to be monotone in one metric.");
  }

  void check_definiteness() {
    for (const ReactionSplit::Part& part : outcome_.split.parts)
      if (!part.is_monotone)
        fail(WellPosedness::open,
             std::string("The Delassus matrix of the ") + name_of(part.kind) +
                 " DoFs is not positive semidefinite, so that an instant may admit several "
                 "reactions.");
  }

  Statement finish(const char* theorem) {
    const std::string source = std::string(" (") + theorem + ").";
    if (statement_.result != WellPosedness::open) statement_.theorem = theorem;
    switch (statement_.result) {
      case WellPosedness::unique:
        statement_.text = "There is one solution, and only one" + source;
        break;
      case WellPosedness::existence:
        statement_.text = "There is a solution" + source + " Others may exist.";
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
  std::vector<Owner> owners_;  ///< owner of each direction
  Statement statement_;
};

}  // namespace

Statement well_posedness(const InclusionOutcome& outcome, const std::vector<Inclusion>& acting,
                         Symmetry symmetry) {
  return Hypotheses(outcome, acting, symmetry).check();
}

}  // namespace halfdof::internal
