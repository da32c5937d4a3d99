// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/impact_law.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Rates of approach that count as rest in a sequence of impacts, relative to the largest rate before the
/// sequence.
constexpr double rest_tolerance = 1e-13;
/// Largest number of impacts in a sequence for each contact.
constexpr Index max_impacts = 100000;
/// Energy that rounding may add, relative to the work of the impulses.
constexpr double rounding_of_energy = 1e-10;

/// The law 0 <= w perp p - least >= 0 of a normal impulse.
class NormalImpulse final : public IntervalLaw {
 public:
  explicit NormalImpulse(double least) : least_(least) {}
  std::string name() const override { return "impact"; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  LawParameters parameters(double, ContactState) const override {
    return {least_, std::numeric_limits<double>::infinity()};
  }

 private:
  double least_;
};

/// The law of NormalImpulse with friction: |p_t| <= mu p_n, and p_t opposite to w_t.
class FrictionalImpulse final : public Law {
 public:
  FrictionalImpulse(Index dimension, double friction, double least)
      : dimension_(dimension), friction_(friction), least_(least) {}
  std::string name() const override { return "impact with friction"; }
  Index dimension() const override { return dimension_; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  double one_sided_lipschitz_constant() const override { return std::numeric_limits<double>::infinity(); }
  LawParameters parameters(double, ContactState) const override { return {friction_, least_}; }
  void resolvent(const LawParameters&, double, LocalConstView z, LocalView p) const override {
    const double normal = std::max(least_, z[0]), radius = friction_ * normal,
                 pull = z.tail(dimension_ - 1).norm();
    p.tail(dimension_ - 1) = (pull > radius ? radius / pull : 1.) * z.tail(dimension_ - 1);
    p[0] = normal;
  }
  void project(const LawParameters& parameters, LocalConstView reaction, LocalView p) const override {
    resolvent(parameters, 1., reaction, p);
  }
  ContactState state(const LawParameters&, LocalConstView w, LocalConstView,
                     double tolerance) const override {
    return w[0] > tolerance ? ContactState::open : ContactState::stick;
  }

 private:
  Index dimension_;
  double friction_, least_;
};

std::shared_ptr<const Law> law_of(const ImpactContact& contact, double least) {
  if (contact.dimension == 1) return std::make_shared<NormalImpulse>(least);
  return std::make_shared<FrictionalImpulse>(contact.dimension, contact.friction, least);
}

/// Returns the first direction of each contact, and the number of all directions.
std::vector<Index> first_directions(const std::vector<ImpactContact>& contacts) {
  std::vector<Index> first = {0};
  for (const ImpactContact& contact : contacts)
    first.push_back(first.back() + contact.dimension);
  return first;
}

/// Solves the laws of all contacts simultaneously and returns their impulses.
/// @param b rates without impulses @param least smallest admissible normal impulses
Vector solve_simultaneously(const std::vector<ImpactContact>& contacts, const MultiVector& W, const Vector& b,
                            const std::vector<double>& least) {
  std::vector<NamedLaw> laws;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    laws.push_back({law_of(contacts[i], least[i]), contacts[i].name});
  OneStepSolver solver(OneStepProblem(std::move(laws), W));
  LawsAtTime now = solver.problem().laws_at(0.);
  Vector p = Vector::Zero(b.size()), after(b.size());
  solver.solve(now, b, p, after);
  return p;
}

/// Returns the rates w+ + e w- of Newton's law for zero impulses: the normal rates are multiplied by 1 + e.
Vector newton_rates(const std::vector<ImpactContact>& contacts, Vector w) {
  const std::vector<Index> first = first_directions(contacts);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    w[first[i]] *= 1 + contacts[i].restitution;
  return w;
}

/// Returns the energy -int w dp that each direction dissipates if all impulses grow in proportion, so that
/// the mean rates are w + W p / 2.
Vector dissipated_energy(const Vector& p, const MultiVector& W, const Vector& w) {
  return -p.cwiseProduct(w + 0.5 * W * p);
}

Impact poisson_impact(const std::vector<ImpactContact>& contacts, const MultiVector& W, const Vector& w) {
  const std::vector<Index> first = first_directions(contacts);
  const Vector compression = solve_simultaneously(contacts, W, w, std::vector<double>(contacts.size(), 0.));
  std::vector<double> least;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    least.push_back(contacts[i].restitution * std::max(compression[first[i]], 0.));
  const Vector between = w + W * compression, expansion = solve_simultaneously(contacts, W, between, least);
  return {compression + expansion,
          dissipated_energy(compression, W, w) + dissipated_energy(expansion, W, between)};
}

/// Returns the number of the contact with the largest rate of approach.
std::size_t fastest_approach(const std::vector<Index>& first, const Vector& w) {
  std::size_t fastest_approach = 0;
  for (std::size_t i = 1; i + 1 < first.size(); ++i)
    if (w[first[i]] < w[first[fastest_approach]]) fastest_approach = i;
  return fastest_approach;
}

Impact sequential_impacts(const std::vector<ImpactContact>& contacts, const MultiVector& W, Vector w) {
  const std::vector<Index> first = first_directions(contacts);
  const double rest = rest_tolerance * w.cwiseAbs().maxCoeff();
  const Index limit = max_impacts * static_cast<Index>(contacts.size());
  Impact all{Vector::Zero(w.size()), Vector::Zero(w.size())};
  for (Index n = 0; n < limit; ++n) {
    const std::size_t i = fastest_approach(first, w);
    if (w[first[i]] >= -rest) return all;
    const Index j = first[i], d = contacts[i].dimension;
    LocalVector b = w.segment(j, d), impulse = LocalVector::Zero(d);
    b[0] *= 1 + contacts[i].restitution;
    const std::shared_ptr<const Law> law = law_of(contacts[i], 0.);
    law->solve_local(law->parameters(0., ContactState::open), W.block(j, j, d, d), b, impulse);
    all.impulses.segment(j, d) += impulse;
    all.dissipated.segment(j, d) += dissipated_energy(impulse, W.block(j, j, d, d), w.segment(j, d));
    w += W.middleCols(j, d) * impulse;
  }
  const std::size_t i = fastest_approach(first, w);
  throw NoConvergence(
      "The sequence of impacts of " + std::to_string(contacts.size()) + " contacts has not ended after " +
          std::to_string(limit) + " impacts: the contact \"" + contacts[i].name +
          "\" still approaches with the rate " + number_text(-w[first[i]]) +
          ", and the largest rate before the impacts was " + number_text(rest / rest_tolerance) +
          ". Contacts with little restitution may strike one another without end: use the impact law newton "
          "or poisson, which solves all contacts together.",
      -w[first[i]]);
}

/// Checks that the work p.(w- + w+)/2 of the impulses is not positive.
void check_energy(ImpactLaw law, const std::vector<ImpactContact>& contacts, const MultiVector& W,
                  const Vector& w, const Vector& p) {
  const Vector mean = w + 0.5 * W * p;
  const double work = p.dot(mean), size = p.cwiseAbs().dot(w.cwiseAbs() + (W * p).cwiseAbs());
  if (work <= rounding_of_energy * size) return;
  std::string names;
  for (const ImpactContact& contact : contacts)
    names += (names.empty() ? "\"" : ", \"") + contact.name + "\"";
  throw NotAvailable(
      "An impact of the contacts " + names + " by the impact law " + name_of(law) +
      " would increase the energy by " + number_text(work) +
      ", because the contacts have friction or different coefficients of restitution. Give these contacts "
      "equal or smaller coefficients of restitution, or use the impact law newton.");
}

}  // namespace

const char* name_of(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::newton:
      return "newton";
    case ImpactLaw::poisson:
      return "poisson";
    case ImpactLaw::sequential:
      break;
  }
  return "sequential";
}

}  // namespace halfdof

namespace halfdof::internal {

Impact impact_by_law(ImpactLaw law, const std::vector<ImpactContact>& contacts, const MultiVector& W,
                     const Vector& w) {
  if (law == ImpactLaw::newton) {
    const Vector p = solve_simultaneously(contacts, W, newton_rates(contacts, w),
                                          std::vector<double>(contacts.size(), 0.));
    return {p, dissipated_energy(p, W, w)};
  }
  const Impact all =
      law == ImpactLaw::poisson ? poisson_impact(contacts, W, w) : sequential_impacts(contacts, W, w);
  check_energy(law, contacts, W, w, all.impulses);
  return all;
}

}  // namespace halfdof::internal
