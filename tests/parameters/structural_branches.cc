// SPDX-License-Identifier: LGPL-2.1-or-later
// Branches of systems with structural damping, against closed forms and dense complex eigenvalues.
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/parameters/eigenvalue_branches.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include <boost/test/unit_test.hpp>

#include "complex_systems.h"
#include <cmath>
#include <functional>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Systems = std::function<ComplexSystem(double)>;

EigenvalueBranches structural_branches_of(const Systems& systems, const std::vector<double>& values,
                                          Index count) {
  BranchOptions options;
  options.count = count;
  return eigenvalue_branches(
      [&](double value) {
        const StructurallyDampedSystem<EigenEngine> system = structural(systems(value));
        return ReducedStructuralSystem{system, reduce(system)};
      },
      values, options);
}

std::vector<double> even_steps(double from, double to, int n) {
  std::vector<double> values;
  for (int k = 0; k <= n; ++k)
    values.push_back(from + (to - from) * k / n);
  return values;
}

/// Oscillators of mass one with complex stiffnesses.
ComplexSystem oscillators_of(const std::vector<Complex>& stiffnesses) {
  const auto n = static_cast<Index>(stiffnesses.size());
  const MultiVector zero = MultiVector::Zero(n, n);
  ComplexSystem system{{MultiVector::Identity(n, n), zero, zero}, zero, zero};
  for (Index k = 0; k < n; ++k) {
    system.real.K(k, k) = stiffnesses[static_cast<std::size_t>(k)].real();
    system.K_i(k, k) = stiffnesses[static_cast<std::size_t>(k)].imag();
  }
  return system;
}

Complex eigenvalue_of(Complex stiffness) {
  return Complex(0, 1) * std::sqrt(stiffness);
}

/// The largest relative difference of a branch from a closed form.
double difference_from(const Branch& branch, const std::function<Complex(double)>& exact) {
  double most = 0;
  for (const BranchPoint& point : branch.points)
    most = std::max(most, std::abs(point.eigenvalue - exact(point.parameter)) / std::abs(point.eigenvalue));
  return most;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(structural_branches)

BOOST_AUTO_TEST_CASE(uncoupled_oscillators_cross_and_keep_their_loss_factors) {
  // Frequencies cross at p = 1; with equal loss factors the eigenvalues meet there.
  for (const double other : {0.02, 0.1})
    for (const std::vector<double>& values :
         {even_steps(0, 2, 7), even_steps(0, 2, 8), even_steps(0, 2, 1)}) {
      const auto a = [](double p) { return (1 + p) * Complex(1, 0.1); };
      const auto b = [other](double p) { return (3 - p) * Complex(1, other); };
      const EigenvalueBranches found = structural_branches_of(
          [&](double p) {
            return oscillators_of({a(p), b(p)});
          },
          values, 2);
      BOOST_TEST(found.has_structural_damping);
      BOOST_TEST(found.reason_without_left == "");
      BOOST_TEST_REQUIRE(found.branches.size() == 2u);
      BOOST_TEST(difference_from(found.branches[0], [&](double p) { return eigenvalue_of(a(p)); }) < 1e-13);
      BOOST_TEST(difference_from(found.branches[1], [&](double p) { return eigenvalue_of(b(p)); }) < 1e-13);
      for (const BranchPoint& point : found.branches[1].points)
        BOOST_TEST(std::abs(loss_factor(point.eigenvalue) - other) < 1e-12);
      BOOST_TEST(found.undecided.empty());
      BOOST_TEST(found.ends.empty());
      BOOST_TEST(found.branches[0].points.size() == values.size());
      BOOST_TEST(found.max_backward_error < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(branches_begin_without_loss_where_modes_of_both_signs_coincide) {
  // At p = 0 the modes of D are those of its conjugate; below 1e-5 their vectors are split.
  const auto k = [](double scale, double p) { return scale * Complex(1, scale * p); };
  const EigenvalueBranches found = structural_branches_of(
      [&](double p) {
        return oscillators_of({k(1, p), k(2, p), k(2, p)});
      },
      {0, 1e-9, 1e-6, 1e-3, 0.1}, 3);
  BOOST_TEST_REQUIRE(found.branches.size() == 3u);
  BOOST_TEST(found.ends.empty());
  BOOST_TEST(difference_from(found.branches[0], [&](double p) { return eigenvalue_of(k(1, p)); }) < 1e-13);
  for (const std::size_t twin : {1u, 2u})
    BOOST_TEST(difference_from(found.branches[twin], [&](double p) { return eigenvalue_of(k(2, p)); }) <
               1e-13);
}

BOOST_AUTO_TEST_CASE(branches_are_the_eigenvalues_of_the_dense_complex_pencil) {
  // One to six inertial, none to three viscous and algebraic DoFs each.
  struct Sizes {
    Index inertial, viscous, algebraic;
  };
  unsigned seed = 1;
  for (const Sizes& n : {Sizes{2, 0, 0}, {1, 1, 1}, {3, 1, 2}, {4, 2, 1}, {6, 3, 3}})
    for (const bool is_symmetric : {true, false}) {
      ++seed;
      const DenseSystem real = is_symmetric ? random_symmetric(n.inertial, n.viscous, n.algebraic, seed)
                                            : random_unsymmetric(n.inertial, n.viscous, n.algebraic, seed);
      const ComplexSystem lossy = with_loss_factors(real, seed);
      const Systems systems = [&](double p) {
        ComplexSystem system = lossy;
        system.K_i *= p;
        system.C_i = 0.1 * p * system.real.C;
        return system;
      };
      const Index n_finite = 2 * n.inertial + n.viscous;
      const std::vector<double> values = {0.2, 0.5, 1};
      const EigenvalueBranches found = structural_branches_of(systems, values, n_finite);
      for (const double value : values) {
        std::vector<Complex> expected = companion_eigenvalues(systems(value), n_finite);
        const auto n_upper = std::count_if(expected.begin(), expected.end(), [](Complex lambda) {
          return lambda.imag() > 1e-9 * std::abs(lambda);
        });
        std::ptrdiff_t n_points = 0;
        for (const Branch& branch : found.branches)
          for (const BranchPoint& point : branch.points) {
            if (point.parameter != value || !point.is_given) continue;
            ++n_points;
            const auto nearest =
                std::min_element(expected.begin(), expected.end(), [&](Complex a, Complex b) {
                  return std::abs(a - point.eigenvalue) < std::abs(b - point.eigenvalue);
                });
            BOOST_TEST_REQUIRE((nearest != expected.end()));
            BOOST_TEST(std::abs(*nearest - point.eigenvalue) < 1e-9 * std::abs(point.eigenvalue));
            expected.erase(nearest);
          }
        BOOST_TEST(n_points == n_upper);
      }
    }
}

BOOST_AUTO_TEST_CASE(growth_begins_where_a_loss_factor_changes_its_sign) {
  const auto k = [](double p) { return 4. * Complex(1, 0.3 - p); };
  const EigenvalueBranches found = structural_branches_of(
      [&](double p) {
        return oscillators_of({Complex(1, 0.05), k(p)});
      },
      even_steps(0, 1, 3), 2);
  BOOST_TEST_REQUIRE(found.stability.size() == 1u);
  const StabilityChange& onset = found.stability.front();
  BOOST_TEST(onset.branch == 2);
  BOOST_TEST(onset.begins_to_grow);
  BOOST_TEST(onset.parameter == 0.3, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(onset.eigenvalue.imag() == 2., boost::test_tools::tolerance(1e-7));
  BOOST_TEST_REQUIRE(onset.shape.size() == 2);
  BOOST_TEST(std::abs(onset.shape[0]) < 1e-9);
  BOOST_TEST(std::abs(onset.shape[1] - 1.) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_relaxation_ends_where_it_gets_losses_and_kinds_are_told_in_dofs_of_the_application) {
  // c q' + k (1 + i p) q = 0 has an eigenvalue with a negative imaginary part unless p = 0.
  const auto system = [](double p) {
    ComplexSystem both = oscillators_of({Complex(1, 0.1), Complex(9, 9 * p)});
    both.real.M(1, 1) = 0;
    both.real.C(1, 1) = p > 0.2 ? 0 : 3;
    return both;
  };
  const EigenvalueBranches found = structural_branches_of(system, {0, 0.1, 0.3}, 2);
  BOOST_TEST_REQUIRE(found.branches.size() == 2u);
  BOOST_TEST(std::abs(found.branches[1].points[0].eigenvalue + 3.) < 1e-12);
  BOOST_TEST(found.branches[1].points.size() == 1u);
  BOOST_TEST_REQUIRE(found.ends.size() == 1u);
  BOOST_TEST(!found.ends[0].begins);
  BOOST_TEST_REQUIRE(found.kinds.size() == 1u);
  BOOST_TEST(found.kinds[0].dof == 1);
}

BOOST_AUTO_TEST_CASE(as_many_modes_as_asked_for_are_followed) {
  // Growing partners are as far from zero as modes, and farther from a shift among these.
  std::vector<Complex> stiffnesses;
  for (int k = 1; k <= 12; ++k)
    stiffnesses.push_back(Complex(k * k, 0.2 * k * k));
  const Systems systems = [&](double) { return oscillators_of(stiffnesses); };
  for (const Index count : {1, 3, 4})
    for (const Complex shift : {Complex(0), Complex(-0.5, 1), Complex(-3, 1)}) {
      BranchOptions options;
      options.count = count;
      options.shift = shift;
      const EigenvalueBranches found = eigenvalue_branches(
          [&](double value) {
            const StructurallyDampedSystem<EigenEngine> system = structural(systems(value));
            return ReducedStructuralSystem{system, reduce(system)};
          },
          {0, 1}, options);
      BOOST_TEST_REQUIRE(found.branches.size() == static_cast<std::size_t>(count));
      std::vector<Complex> expected;
      for (const Complex stiffness : stiffnesses)
        expected.push_back(eigenvalue_of(stiffness));
      std::sort(expected.begin(), expected.end(),
                [&](Complex a, Complex b) { return std::abs(a - shift) < std::abs(b - shift); });
      expected.resize(static_cast<std::size_t>(count));
      for (const Branch& branch : found.branches)
        BOOST_TEST(std::any_of(expected.begin(), expected.end(), [&](Complex value) {
          return std::abs(value - branch.points[0].eigenvalue) < 1e-12 * std::abs(value);
        }));
    }
}

BOOST_AUTO_TEST_CASE(both_copies_of_a_defective_eigenvalue_are_followed) {
  // At p = 0 the complex stiffness k I + (i, 1; 1, -i) / 8 is a Jordan block. At p it has the eigenvalues
  // k +- sqrt(p (p + 2)) / 8.
  const Complex k(4, 1);
  const Systems systems = [&](double p) {
    ComplexSystem system = oscillators_of({k + Complex(0, 0.125), k - Complex(0, 0.125)});
    system.real.K(0, 1) = system.real.K(1, 0) = 0.125 * (1 + p);
    return system;
  };
  for (const double p : {0., 1e-14, 1e-12, 1e-8}) {
    const EigenvalueBranches found = structural_branches_of(systems, {p}, 2);
    BOOST_TEST_REQUIRE(found.branches.size() == 2u);
    const Complex difference = 0.125 * std::sqrt(p * (p + 2));
    std::vector<Complex> expected{eigenvalue_of(k - difference), eigenvalue_of(k + difference)};
    // Rounding of relative size 1e-16 moves a defective eigenvalue by its root.
    for (const Branch& branch : found.branches)
      for (const Complex value : expected)
        BOOST_TEST(std::abs(branch.points[0].eigenvalue - value) < 1e-7 + 2 * std::abs(difference));
    const Complex sum = found.branches[0].points[0].eigenvalue + found.branches[1].points[0].eigenvalue;
    BOOST_TEST(std::abs(sum - expected[0] - expected[1]) < 1e-14 * std::abs(sum));
  }
}

BOOST_AUTO_TEST_CASE(relaxations_are_followed_from_a_complex_shift) {
  // The list of the embedding ends with one copy of a relaxation, which is the first one by its value: a
  // relaxation with losses, of which the conjugate is listed, makes the number of others odd.
  std::vector<Complex> stiffnesses;
  for (int j = 1; j <= 12; ++j)
    stiffnesses.push_back(Complex(j));
  const Systems systems = [&](double) {
    ComplexSystem system = oscillators_of(stiffnesses);
    system.real.C = system.real.M;
    system.real.M.setZero();
    system.real.M(11, 11) = 1;
    system.real.C(11, 11) = 0;
    system.real.K(10, 10) = 2.5;
    system.K_i(10, 10) = system.K_i(11, 11) = 1;
    return system;
  };
  for (const Index count : {1, 2, 3, 4, 5, 6, 7}) {
    BranchOptions options;
    options.count = count;
    options.shift = Complex(-1, 3);
    const EigenvalueBranches found = eigenvalue_branches(
        [&](double value) {
          const StructurallyDampedSystem<EigenEngine> system = structural(systems(value));
          return ReducedStructuralSystem{system, reduce(system)};
        },
        {0, 1}, options);
    std::vector<Complex> expected{eigenvalue_of(Complex(12, 1))};
    for (int j = 1; j <= 10; ++j)
      expected.push_back(-j);
    std::sort(expected.begin(), expected.end(), [&](Complex a, Complex b) {
      return std::abs(a - options.shift) < std::abs(b - options.shift);
    });
    expected.resize(static_cast<std::size_t>(count));
    BOOST_TEST(found.branches.size() == expected.size());
    for (const Complex value : expected)
      BOOST_TEST(std::any_of(found.branches.begin(), found.branches.end(), [&](const Branch& branch) {
        return std::abs(branch.points[0].eigenvalue - value) < 1e-12 * std::abs(value);
      }));
    // The system does not change, so that the vectors of both values are the same.
    BOOST_TEST(found.undecided.empty());
    for (const Branch& branch : found.branches)
      for (const BranchPoint& point : branch.points)
        BOOST_TEST(std::abs(point.assurance - 1) < 1e-10);
  }
}

BOOST_AUTO_TEST_SUITE_END()
