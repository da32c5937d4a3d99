// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/local_problems.h"

/// Steps with several inclusions, and independent ways to solve or to check them.
namespace halfdof::test {

template <class SomeLaw, class... Arguments>
NamedLaw named(const std::string& name, Arguments&&... arguments) {
  return {std::make_shared<SomeLaw>(std::forward<Arguments>(arguments)...), name};
}

/// Contacts and friction elements in turn.
inline std::vector<NamedLaw> intervals(RandomNumbers& random, Index m) {
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < m; ++i) {
    const std::string name = "inclusion " + std::to_string(i);
    if (i % 2) {
      laws.push_back(named<UnilateralContact>(name));
    } else {
      laws.push_back(named<DryFriction>(name, -std::abs(random()), std::abs(random())));
    }
  }
  return laws;
}

inline std::vector<NamedLaw> coulomb_contacts(Index n, double mu) {
  std::vector<NamedLaw> laws;
  for (Index i = 0; i < n; ++i)
    laws.push_back(named<CoulombFriction>("contact " + std::to_string(i), 2, mu));
  return laws;
}

struct Solution {
  Vector r, w;
  LawsAtTime laws;
  OneStepReport report;
};

inline Solution solve(OneStepSolver& solver, const Vector& b) {
  Solution solution;
  solution.r = Vector::Zero(b.size());
  solution.laws = solver.problem().laws_at(0.);
  solution.report = solver.solve(solution.laws, b, solution.r, solution.w);
  return solution;
}

inline Solution solve(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b,
                      OneStepMethod method = OneStepMethod::automatic, double tolerance = 1e-12) {
  OneStepSolver solver(OneStepProblem(laws, W), {method, tolerance});
  return solve(solver, b);
}

/// w.(s - r) >= 0 for reactions s within the bounds, up to what the residual allows.
inline void check_variational_inequality(RandomNumbers& random, const std::vector<NamedLaw>& laws,
                                         const Solution& s) {
  for (int test = 0; test < 50; ++test) {
    for (Index i = 0; i < s.r.size(); ++i) {
      const auto& parameters = s.laws.parameters[static_cast<std::size_t>(i)];
      LocalVector any = LocalVector::Constant(1, 5 * random());
      laws[static_cast<std::size_t>(i)].law->project(parameters, any, any);
      BOOST_TEST(s.w[i] * (any[0] - s.r[i]) > -1e-9 * (1 + s.r.norm()));
    }
  }
}

/// All ways of being free, at the lower or at the upper bound.
inline Vector solve_by_enumeration(const std::vector<NamedLaw>& laws, const MultiVector& W, const Vector& b) {
  const Index m = static_cast<Index>(b.size());
  Index n_cases = 1;
  for (Index i = 0; i < m; ++i)
    n_cases *= 3;
  for (Index k = 0; k < n_cases; ++k) {
    MultiVector A = W;
    Vector right = -b;
    std::vector<Index> side;
    for (Index i = 0, rest = k; i < m; ++i, rest /= 3)
      side.push_back(rest % 3);
    std::vector<Interval> bounds;
    bool possible = true;
    for (Index i = 0; i < m; ++i) {
      const auto& law = dynamic_cast<const IntervalLaw&>(*laws[static_cast<std::size_t>(i)].law);
      bounds.push_back(law.reaction_interval(law.parameters(0., ContactState::stick)));
      const Index s = side[static_cast<std::size_t>(i)];
      if (s == 0) continue;
      const double bound = s == 1 ? bounds.back().lower : bounds.back().upper;
      possible = possible && std::isfinite(bound);
      A.row(i).setZero();
      A(i, i) = 1;
      right[i] = bound;
    }
    if (!possible) continue;
    const Vector r = A.partialPivLu().solve(right);
    const Vector w = W * r + b;
    bool right_everywhere = true;
    for (Index i = 0; i < m; ++i) {
      const Interval set = bounds[static_cast<std::size_t>(i)];
      const Index s = side[static_cast<std::size_t>(i)];
      right_everywhere = right_everywhere && (s == 0   ? r[i] >= set.lower && r[i] <= set.upper
                                              : s == 1 ? w[i] >= 0
                                                       : w[i] <= 0);
    }
    if (right_everywhere) return r;
  }
  BOOST_FAIL("no case fits");
  return b;
}

/// The flexibility of a chain of masses with one inclusion each, after an implicit step: coupling 0 is none.
inline MultiVector chain(Index m, double coupling) {
  MultiVector P = MultiVector::Identity(m, m);
  for (Index i = 0; i + 1 < m; ++i) {
    P(i, i) += coupling;
    P(i + 1, i + 1) += coupling;
    P(i, i + 1) = P(i + 1, i) = -coupling;
  }
  return P.inverse();
}

/// A user's law with two columns: the reaction of a pressed pad lies in a disc of fixed radius.
class PressedPad final : public Law {
 public:
  explicit PressedPad(double radius) : radius_(radius) {}
  std::string name() const override { return "pressed pad"; }
  Index dimension() const override { return 2; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  LawParameters parameters(double, ContactState) const override { return {radius_}; }
  void resolvent(const LawParameters& p, double, LocalConstView z, LocalView r) const override {
    project(p, z, r);
  }
  void project(const LawParameters& p, LocalConstView z, LocalView r) const override {
    const double size = z.norm();
    r = (size > p[0] ? p[0] / size : 1.) * z;
  }
  ContactState state(const LawParameters&, LocalConstView w, LocalConstView,
                     double tolerance) const override {
    return w.norm() > tolerance ? ContactState::slip : ContactState::stick;
  }

 private:
  double radius_;
};

}  // namespace halfdof::test
