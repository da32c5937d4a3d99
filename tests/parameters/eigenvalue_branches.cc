// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/parameters/eigenvalue_branches.h>
#include <halfdof/parameters/parametric_system.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Matrices = std::function<DenseSystem(double)>;

BranchOptions all_of(Index n) {
  BranchOptions options;
  options.count = n;
  return options;
}

EigenvalueBranches branches_of(const Matrices& matrices, const std::vector<double>& values,
                               const BranchOptions& options) {
  return eigenvalue_branches([&](double value) { return reduce(assemble<EigenEngine>(matrices(value))); },
                             values, options);
}

std::vector<double> steps(double from, double to, int n) {
  std::vector<double> values;
  for (int k = 0; k <= n; ++k)
    values.push_back(from + (to - from) * k / n);
  return values;
}

/// The largest relative difference of a branch from a closed form, at all its points.
double difference(const Branch& branch, const std::function<Complex(double)>& exact) {
  double most = 0;
  for (const BranchPoint& point : branch.points) {
    const Complex expected = exact(point.parameter);
    most = std::max(most, std::abs(point.eigenvalue - expected) / std::abs(expected));
  }
  return most;
}

const Complex i(0, 1);

/// Two oscillators without damping, of stiffness a(p) and b(p), joined by a spring c.
Matrices oscillators(double coupling) {
  return [coupling](double p) {
    DenseSystem system{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
    system.K << 1 + p, coupling, coupling, 3 - p;
    return system;
  };
}

/// The eigenvalues of the two oscillators: the lower (-1) and the upper one (1).
std::function<Complex(double)> coupled(double coupling, int sign) {
  return
      [=](double p) { return i * std::sqrt(2 + sign * std::sqrt((1 - p) * (1 - p) + coupling * coupling)); };
}

/// Hoffmann's model of mode coupling (Hoffmann, Fischer, Allgaier, Gaul, 2002): flutter from mu = 3/4 on.
DenseSystem mode_coupling(double mu) {
  DenseSystem system{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  system.K << 2, 1 - 4 * mu / 3, 1, 2;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(branches)

BOOST_AUTO_TEST_CASE(branches_keep_their_identity_where_uncoupled_oscillators_cross) {
  // They cross at p = 1: between values, at one, and within a step that is much too long.
  for (const std::vector<double>& values :
       {steps(0, 2, 7), steps(0, 2, 8), steps(0, 2, 1), steps(2, 0, 8), std::vector<double>{0, 1, 2}}) {
    const EigenvalueBranches found = branches_of(oscillators(0), values, all_of(4));
    BOOST_TEST_REQUIRE(found.branches.size() == 2u);
    const bool ascends = values.front() < values.back();
    const auto a = [](double p) { return i * std::sqrt(1 + p); };
    const auto b = [](double p) { return i * std::sqrt(3 - p); };
    BOOST_TEST(difference(found.branches[0], ascends ? std::function<Complex(double)>(a) : b) < 1e-14);
    BOOST_TEST(difference(found.branches[1], ascends ? std::function<Complex(double)>(b) : a) < 1e-14);
    BOOST_TEST(found.undecided.empty());
    BOOST_TEST(found.ends.empty());
    BOOST_TEST(found.branches[0].points.size() == values.size());  // nothing mixes: no value is added
  }
}

BOOST_AUTO_TEST_CASE(weakly_coupled_oscillators_veer_however_long_the_steps) {
  for (const double coupling : {0.3, 1e-2, 1e-4})
    for (const std::vector<double>& values : {steps(0, 2, 7), steps(0, 2, 8), steps(0, 2, 1)}) {
      const EigenvalueBranches found = branches_of(oscillators(coupling), values, all_of(4));
      BOOST_TEST_REQUIRE(found.branches.size() == 2u);
      BOOST_TEST(difference(found.branches[0], coupled(coupling, -1)) < 1e-13);
      BOOST_TEST(difference(found.branches[1], coupled(coupling, 1)) < 1e-13);
      BOOST_TEST(found.undecided.empty());
      std::vector<double> given;
      for (const BranchPoint& point : found.branches[0].points)
        if (point.is_given) given.push_back(point.parameter);
      BOOST_TEST(given == values);
    }
}

BOOST_AUTO_TEST_CASE(flutter_of_coupled_modes_begins_at_three_quarters) {
  for (const std::vector<double>& values : {steps(0, 1.5, 15), steps(0, 1.5, 4), steps(1.5, 0, 4)}) {
    const EigenvalueBranches found = branches_of(mode_coupling, values, all_of(4));
    BOOST_TEST_REQUIRE(found.branches.size() == 2u);
    BOOST_TEST_REQUIRE(found.stability.size() == 1u);
    const StabilityChange& onset = found.stability.front();
    BOOST_TEST(onset.begins_to_grow == (values.back() > 0));
    BOOST_TEST(std::abs(onset.parameter - 0.75) < 1e-8);
    BOOST_TEST(onset.eigenvalue.imag() == std::sqrt(2.), boost::test_tools::tolerance(1e-6));
    // K of mu = 3/4 has the one eigenvector (0, 1).
    BOOST_TEST(std::abs(onset.shape[0]) < 1e-3);
    BOOST_TEST(std::abs(onset.shape[1]) == 1., boost::test_tools::tolerance(1e-12));
    // Which branch is which after the modes have become one is arbitrary, which has to be said.
    BOOST_TEST_REQUIRE(!found.undecided.empty());
    for (const UndecidedStep& step : found.undecided) {
      BOOST_TEST(step.branches.size() == 2u);
      BOOST_TEST(std::min(step.from, step.to) <= 0.75 + 1e-3);
      BOOST_TEST(std::max(step.from, step.to) >= 0.75 - 1e-3);
    }
    BOOST_TEST((found.growing_at_first.size() == 1u) == (values.front() > 1));
  }
}

BOOST_AUTO_TEST_CASE(a_negative_damper_makes_one_of_two_modes_grow) {
  // q'' + (0.3 - p) q' + 4 q = 0 beside a mode that stays damped: growth from p = 0.3 on, omega = 2.
  const Matrices matrices = [](double p) {
    DenseSystem system{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
    system.C.diagonal() << 0.3 - p, 0.1;
    system.K.diagonal() << 4, 1;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 1, 3), all_of(4));
  BOOST_TEST_REQUIRE(found.stability.size() == 1u);
  BOOST_TEST(found.stability[0].parameter == 0.3, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(found.stability[0].eigenvalue.imag() == 2., boost::test_tools::tolerance(1e-7));
  BOOST_TEST(found.stability[0].branch == 2);
  BOOST_TEST(found.stability[0].begins_to_grow);
  BOOST_TEST(found.undecided.empty());
}

BOOST_AUTO_TEST_CASE(divergence_begins_where_the_stiffness_vanishes) {
  // q'' + (1 - p) q = 0: the pair becomes two real eigenvalues at p = 1.
  const Matrices matrices = [](double p) {
    return DenseSystem{MultiVector::Identity(1, 1), MultiVector::Zero(1, 1),
                       MultiVector::Constant(1, 1, 1 - p)};
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 3, 4), all_of(2));
  BOOST_TEST_REQUIRE(found.stability.size() == 1u);
  BOOST_TEST(found.stability[0].parameter == 1., boost::test_tools::tolerance(1e-7));
  BOOST_TEST(found.stability[0].eigenvalue.imag() == 0.);
  BOOST_TEST(found.branches.size() == 2u);
  BOOST_TEST_REQUIRE(found.ends.size() == 1u);
  BOOST_TEST(found.ends[0].begins);
}

BOOST_AUTO_TEST_CASE(whirl_of_a_rotor_splits_by_the_gyroscopic_moment) {
  // Stodola: J theta'' - i J_p Omega theta' + k theta = 0 has
  // omega = (J_p Omega +- sqrt((J_p Omega)^2 + 4 J k)) / (2 J). The backward and the forward whirl have one
  // frequency at rest.
  const double J = 2, Jp = 3, k = 5;
  const Matrices matrices = [&](double speed) {
    DenseSystem system{J * MultiVector::Identity(2, 2), MultiVector(2, 2), k * MultiVector::Identity(2, 2)};
    system.C << 0, Jp * speed, -Jp * speed, 0;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 4, 8), all_of(4));
  BOOST_TEST_REQUIRE(found.branches.size() == 2u);
  std::vector<double> slow, fast;
  for (const int sign : {-1, 1})
    for (const BranchPoint& point : found.branches[0].points) {
      const double H = Jp * point.parameter;
      (sign < 0 ? slow : fast).push_back((sign * H + std::sqrt(H * H + 4 * J * k)) / (2 * J));
    }
  const bool first_is_slow = found.branches[0].points.back().eigenvalue.imag() < std::sqrt(k / J);
  const Branch &backward = found.branches[first_is_slow ? 0 : 1],
               &forward = found.branches[first_is_slow ? 1 : 0];
  for (std::size_t s = 0; s < slow.size(); ++s) {
    BOOST_TEST(backward.points[s].eigenvalue.imag() == slow[s], boost::test_tools::tolerance(1e-13));
    BOOST_TEST(forward.points[s].eigenvalue.imag() == fast[s], boost::test_tools::tolerance(1e-13));
  }
  BOOST_TEST(found.undecided.empty());
  BOOST_TEST(found.stability.empty());
}

BOOST_AUTO_TEST_CASE(internal_damping_makes_a_jeffcott_rotor_grow_above_its_threshold) {
  // m z'' + (c_e + c_i) z' + (k - i Omega c_i) z = 0 with z = x + i y: unstable from Omega = (1 + c_e / c_i)
  // sqrt(k / m) on, where it whirls with sqrt(k / m).
  const double m = 2, k = 8, ce = 0.1, ci = 0.05;
  const Matrices matrices = [&](double speed) {
    DenseSystem system{m * MultiVector::Identity(2, 2), (ce + ci) * MultiVector::Identity(2, 2),
                       MultiVector(2, 2)};
    system.K << k, ci * speed, -ci * speed, k;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 10, 7), all_of(4));
  BOOST_TEST_REQUIRE(found.stability.size() == 1u);
  BOOST_TEST(found.stability[0].parameter == (1 + ce / ci) * 2, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(found.stability[0].eigenvalue.imag() == 2., boost::test_tools::tolerance(1e-7));
  // Both whirls in closed form: s = (-c +- sqrt(c^2 - 4 m (k -+ i Omega c_i))) / (2 m).
  for (const Branch& branch : found.branches)
    for (const BranchPoint& point : branch.points) {
      double nearest = 1;
      for (const int sign : {-1, 1}) {
        const Complex root =
            std::sqrt(Complex((ce + ci) * (ce + ci) - 4 * m * k, sign * 4 * m * point.parameter * ci));
        for (const int side : {-1, 1}) {
          const Complex exact = (-(ce + ci) + static_cast<double>(side) * root) / (2 * m);
          nearest = std::min(nearest, std::abs(exact - point.eigenvalue) / std::abs(exact));
        }
      }
      BOOST_TEST(nearest < 1e-13);
    }
  BOOST_TEST(found.undecided.empty());
}

BOOST_AUTO_TEST_CASE(all_eigenvalues_of_random_systems_are_found_at_every_value) {
  RandomNumbers random(7);
  const Index n = 6;
  const MultiVector R = random.matrix(n, n), S = random.matrix(n, n), N = random.matrix(n, n);
  const Matrices matrices = [&](double p) {
    DenseSystem system{MultiVector::Identity(n, n),
                       0.1 * MultiVector::Identity(n, n) + p * (S - S.transpose()),
                       R * R.transpose() + MultiVector::Identity(n, n) + 0.5 * p * N};
    return system;
  };
  const std::vector<double> values = steps(0, 1, 5);
  const EigenvalueBranches found = branches_of(matrices, values, all_of(2 * n));
  for (const double value : values) {
    const DenseSystem system = matrices(value);
    MultiVector A = MultiVector::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = -system.K;
    A.bottomRightCorner(n, n) = -system.C;
    std::vector<Complex> expected;
    for (const Complex value_of_A : eigenvalues(A))
      if (value_of_A.imag() >= 0) expected.push_back(value_of_A);
    std::size_t n_found = 0;
    for (const Branch& branch : found.branches)
      for (const BranchPoint& point : branch.points) {
        if (point.parameter != value) continue;
        ++n_found;
        double nearest = 1;
        for (const Complex exact : expected)
          nearest = std::min(nearest, std::abs(exact - point.eigenvalue));
        BOOST_TEST(nearest < 1e-11);
      }
    BOOST_TEST(n_found == expected.size());
  }
  // Between neighbouring points of a branch, the eigenvalue moves continuously.
  for (const Branch& branch : found.branches)
    for (std::size_t k = 1; k < branch.points.size(); ++k)
      BOOST_TEST(std::abs(branch.points[k].eigenvalue - branch.points[k - 1].eigenvalue) <
                 10 * std::abs(branch.points[k].parameter - branch.points[k - 1].parameter) + 0.05);
}

BOOST_AUTO_TEST_CASE(branches_of_systems_with_half_dofs_are_those_of_their_state_matrix) {
  const DenseSystem parts = random_unsymmetric(3, 2, 1, 11);
  RandomNumbers random(12);
  const MultiVector N = random.matrix(6, 6);
  const Matrices matrices = [&](double p) {
    DenseSystem system = parts;
    system.K += 0.2 * p * N;
    return system;
  };
  const std::vector<double> values = steps(0, 1, 4);
  const EigenvalueBranches found = branches_of(matrices, values, all_of(8));
  BOOST_TEST(found.reason_without_left.empty(), found.reason_without_left);
  BOOST_TEST(found.max_backward_error < 1e-12);
  for (const double value : values) {
    const std::vector<Complex> exact = eigenvalues(dense_state_matrix_of(matrices(value)));
    const auto n_upper = std::count_if(exact.begin(), exact.end(), [](Complex s) { return s.imag() >= 0; });
    std::ptrdiff_t n_found = 0;
    for (const Branch& branch : found.branches)
      for (const BranchPoint& point : branch.points) {
        if (point.parameter != value) continue;
        ++n_found;
        double nearest = 1;
        for (const Complex other : exact)
          nearest = std::min(nearest, std::abs(other - point.eigenvalue) / std::abs(other));
        BOOST_TEST(nearest < 1e-10);
      }
    BOOST_TEST(n_found == n_upper);
  }
  // Assurances are those of the same mode wherever a continuation is decided.
  for (const Branch& branch : found.branches)
    for (const BranchPoint& point : branch.points)
      BOOST_TEST((point.assurance >= 0.7 || !found.undecided.empty()));
}

BOOST_AUTO_TEST_CASE(eigenvalues_that_leave_the_set_end_their_branches) {
  // Of ten oscillators, one becomes fast and passes all others; the slowest two are asked for.
  const Matrices matrices = [](double p) {
    DenseSystem system{MultiVector::Identity(20, 20), MultiVector::Zero(20, 20), MultiVector::Zero(20, 20)};
    for (Index k = 0; k < 20; ++k)
      system.K(k, k) = 2 + k;
    system.K(0, 0) = 1 + 50 * p;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 1, 10), all_of(4));
  BOOST_TEST(found.branches.size() == 3u);
  BOOST_TEST_REQUIRE(found.ends.size() == 1u);
  BOOST_TEST(found.ends[0].branch == 1);
  BOOST_TEST(!found.ends[0].begins);
  BOOST_TEST(found.undecided.empty());
  BOOST_TEST(difference(found.branches[1], [](double) { return i * std::sqrt(3.); }) < 1e-14);
}

BOOST_AUTO_TEST_CASE(kinds_of_dofs_that_change_are_listed) {
  const Matrices matrices = [](double p) {
    DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
    system.M(0, 0) = 1;
    system.C(1, 1) = p;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, {0., 1., 2.}, all_of(3));
  BOOST_TEST_REQUIRE(found.kinds.size() == 1u);
  BOOST_TEST(found.kinds[0].dof == 1);
  BOOST_TEST((found.kinds[0].before == DoFKind::algebraic && found.kinds[0].after == DoFKind::viscous));
  BOOST_TEST((found.kinds[0].from == 0 && found.kinds[0].to == 1));
}

BOOST_AUTO_TEST_CASE(kinds_are_those_of_the_reduction_with_its_null_tolerance) {
  const auto system = [](double p, double null_tolerance) {
    DenseSystem parts{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
    parts.M(0, 0) = parts.C(0, 0) = 1;
    parts.C(1, 1) = 1e-9 * p;
    ReductionOptions options;
    options.classification.null_tolerance = null_tolerance;
    return reduce(assemble<EigenEngine>(parts), options);
  };
  const auto n_changes = [&](double null_tolerance) {
    return eigenvalue_branches([&](double p) { return system(p, null_tolerance); }, {0., 1.}, all_of(3))
        .kinds.size();
  };
  BOOST_TEST(n_changes(0) == 1u);
  BOOST_TEST(n_changes(1e-6) == 0u);
}

BOOST_AUTO_TEST_CASE(left_vectors_are_known_where_the_shift_is_an_eigenvalue) {
  // Two free masses with gyroscopic coupling: zero is an eigenvalue, and the shift.
  const Matrices matrices = [](double p) {
    DenseSystem system{MultiVector::Identity(2, 2), MultiVector(2, 2), MultiVector(2, 2)};
    system.C << 0.3, 0.2, -0.2, 0.3;
    system.K << 1 + p, -1 - p, -1 - p, 1 + p;
    return system;
  };
  const EigenvalueBranches found = branches_of(matrices, steps(0, 1, 4), all_of(4));
  BOOST_TEST(found.reason_without_left == "");
  BOOST_TEST(found.undecided.empty());
  BOOST_TEST(found.branches.size() == 3u);
  for (const Branch& branch : found.branches)
    for (const BranchPoint& point : branch.points)
      BOOST_TEST(point.assurance > 0.9);
  BOOST_TEST(std::abs(found.branches[0].points.back().eigenvalue) < 1e-14);
}

BOOST_AUTO_TEST_CASE(values_and_options_out_of_range_are_refused) {
  const auto call = [](const std::vector<double>& values, const BranchOptions& options) {
    return branches_of(oscillators(0), values, options);
  };
  BOOST_CHECK_THROW(call({}, all_of(4)), InvalidInput);
  BOOST_CHECK_THROW(call({0, 1, 1}, all_of(4)), InvalidInput);
  BOOST_CHECK_THROW(call({0, 2, 1}, all_of(4)), InvalidInput);
  BOOST_CHECK_THROW(call({0, std::nan("")}, all_of(4)), InvalidInput);
  BOOST_CHECK_THROW(call({0, 1}, all_of(0)), InvalidInput);
  BranchOptions wrong = all_of(4);
  wrong.least_assurance = 2;
  BOOST_CHECK_THROW(call({0, 1}, wrong), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
