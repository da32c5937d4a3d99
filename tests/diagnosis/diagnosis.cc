// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/reduction/weierstrass/singular_pencil.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using test::DenseSystem;

namespace {

MultiVector matrix(Index n, const std::vector<double>& rows) {
  return Eigen::Map<const MultiVector>(rows.data(), n, n).transpose();
}

DenseSystem zeros(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

Diagnosis diagnosis_of(const DenseSystem& system, DiagnosisOptions options = {},
                       ReductionMethod method = ReductionMethod::automatic) {
  const auto assembled = test::assemble<EigenEngine>(system);
  options.reduction.method = method;
  return diagnose(assembled, options);
}

/// Free masses on springs between neighbours, the first one held.
DenseSystem row_of_masses(Index n) {
  DenseSystem system = zeros(n);
  system.M.setIdentity();
  for (Index i = 0; i < n; ++i) {
    system.K(i, i) = 2;
    if (i > 0) system.K(i, i - 1) = system.K(i - 1, i) = -1;
  }
  return system;
}

void check_regular(const Diagnosis& found, ReductionMethod method, GlobalIndex n_finite,
                   Index index_companion) {
  BOOST_TEST(found.is_regular);
  BOOST_TEST(name_of(found.method) == name_of(method));
  BOOST_REQUIRE(found.n_finite && found.index && found.index_companion);
  BOOST_TEST(*found.n_finite == n_finite);
  BOOST_TEST(*found.index_companion == index_companion);
  BOOST_TEST((*found.index == index_companion || *found.index == index_companion - 1));
}

std::vector<GlobalIndex> sorted(std::vector<GlobalIndex> dofs) {
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnosis)

// Indices from the ranks of exact powers, degrees from exact determinants.
BOOST_AUTO_TEST_CASE(small_examples_have_the_index_and_the_degree_that_exact_arithmetic_gives) {
  const auto null_columns = ReductionMethod::null_columns, kernel = ReductionMethod::kernel,
             weierstrass = ReductionMethod::weierstrass;
  // Proposition 3.3 of Dumont et al. as printed says at most one; P = 1 for every lambda.
  check_regular(diagnosis_of({matrix(2, {1, 0, 0, 0}), matrix(2, {0, 1, 1, 0}), matrix(2, {1, 0, 0, 1})}),
                weierstrass, 0, 4);
  const MultiVector masses = matrix(3, {1, 0, 0, 0, 2, 0, 0, 0, 0}),
                    springs = matrix(3, {5, 0, 0, 0, 7, 0, 0, 0, 0}),
                    link = matrix(3, {0, 0, 1, 0, 0, -1, 1, -1, 0}), none = MultiVector::Zero(3, 3);
  check_regular(diagnosis_of({masses, none, springs + link}), ReductionMethod::constraints, 2, 4);
  check_regular(diagnosis_of({masses, none, springs + link}, {}, null_columns), ReductionMethod::constraints,
                2, 4);
  check_regular(diagnosis_of({masses, link, springs}), weierstrass, 4, 2);
  const MultiVector mass = matrix(3, {1, 0, 0, 0, 0, 0, 0, 0, 0});
  check_regular(diagnosis_of({mass, matrix(3, {0, 0, 0, 0, 3, -3, 0, -3, 3}),
                              matrix(3, {2, -2, 0, -2, 2, 0, 0, 0, 4})}),
                kernel, 3, 2);
  check_regular(diagnosis_of({mass, matrix(3, {0, 0, 0, 0, 3, 0, 0, 0, 0}),
                              matrix(3, {2, -2, -2, -2, 2, 2, -2, 2, 6})}),
                null_columns, 3, 2);
  check_regular(diagnosis_of({matrix(2, {1, 1, 1, 1}), matrix(2, {1, 0, 0, 0}), matrix(2, {1, 0, 0, 1})}),
                kernel, 3, 1);
  check_regular(diagnosis_of({matrix(2, {0, 0, 1, 0}), matrix(2, {0, 1, 0, 0}), matrix(2, {1, 0, 2, 1})}),
                null_columns, 3, 1);
}

BOOST_AUTO_TEST_CASE(counting_agrees_with_ranks_where_null_columns_are_eliminated) {
  for (const DenseSystem& system :
       {test::engine_mount(), test::three_kinds(), test::random_unsymmetric(3, 2, 2, 7), row_of_masses(4)}) {
    const auto assembled = test::assemble<EigenEngine>(system);
    const Diagnosis counted = diagnose(reduce(assembled));
    const Diagnosis ranked = diagnose(assembled, SingularElimination("", {{"D", {}, "", ""}}));
    BOOST_TEST(ranked.is_regular);
    BOOST_TEST(*counted.n_finite == *ranked.n_finite);
    BOOST_TEST(*counted.n_infinite == *ranked.n_infinite);
    BOOST_TEST(*counted.index == *ranked.index);
    BOOST_TEST(*counted.index_companion == *ranked.index_companion);
  }
}

BOOST_AUTO_TEST_CASE(a_singular_pencil_names_the_dofs_that_nothing_determines) {
  // Two massless nodes with a spring between them, joined to nothing else, at places 3 and 7 of ten.
  DenseSystem system = row_of_masses(10);
  for (const Index i : {Index(3), Index(7)})
    for (MultiVector* A : {&system.M, &system.K}) {
      A->row(i).setZero();
      A->col(i).setZero();
    }
  for (const Index i : {Index(3), Index(7)})
    for (const Index j : {Index(3), Index(7)})
      system.K(i, j) = i == j ? 5 : -5;
  const Diagnosis found = diagnosis_of(system);
  BOOST_TEST(!found.is_regular);
  BOOST_TEST(name_of(found.method) == "none");
  BOOST_TEST(!found.index);
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
  BOOST_TEST(found.problems[0].block == "P");
  BOOST_TEST(sorted(found.problems[0].dofs) == std::vector<GlobalIndex>({3, 7}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_constraint_that_stands_twice_makes_the_pencil_singular_and_one_does_not) {
  DenseSystem system = zeros(5);
  system.M.topLeftCorner(3, 3).setIdentity();
  system.K.topLeftCorner(3, 3) = row_of_masses(3).K;
  const auto constrain = [&](Index multiplier) {
    for (const Index dof : {Index(0), Index(2)})
      system.K(dof, multiplier) = system.K(multiplier, dof) = dof == 0 ? 1 : -1;
  };
  constrain(3);
  system.K(4, 4) = 1;
  const Diagnosis eliminated = diagnosis_of(system);
  BOOST_TEST(eliminated.is_regular);
  BOOST_TEST(*eliminated.n_finite == 4);
  BOOST_TEST(eliminated.problems.empty());
  const Diagnosis once = diagnosis_of(system, {}, ReductionMethod::null_columns);
  BOOST_TEST(once.is_regular);
  BOOST_TEST(*once.n_finite == 4);
  BOOST_REQUIRE_EQUAL(once.problems.size(), 1u);
  BOOST_TEST(once.problems[0].dofs == std::vector<GlobalIndex>({3}), boost::test_tools::per_element());
  system.K(4, 4) = 0;
  constrain(4);
  const Diagnosis twice = diagnosis_of(system);
  BOOST_TEST(!twice.is_regular);
  BOOST_TEST(sorted(twice.problems.front().dofs) == std::vector<GlobalIndex>({3, 4}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(units_that_round_the_entries_leave_the_index_open) {
  const auto in_units = [](double first, double second, double force, double time) {
    DenseSystem system{matrix(2, {1, 1, 1, 1}), matrix(2, {1, 0, 0, 0}), matrix(2, {1, 0, 0, 1})};
    const Vector unit = Eigen::Vector2d(first, second);
    for (MultiVector* A : {&system.M, &system.C, &system.K})
      *A = force * (unit.asDiagonal() * *A * unit.asDiagonal());
    system.M *= time * time;
    system.C *= time;
    return diagnosis_of(system);
  };
  // Powers of two round nothing.
  const Diagnosis exact =
      in_units(std::ldexp(1, -17), std::ldexp(1, 13), std::ldexp(1, 23), std::ldexp(1, -13));
  check_regular(exact, ReductionMethod::kernel, 3, 1);
  BOOST_TEST(exact.n_rounded == 0);
  BOOST_TEST(!exact.index_if_infinite);
  // With rounded entries det M is not zero.
  Diagnosis rounded = in_units(1e-5, 1e4, 1e7, 1e-4);
  BOOST_TEST(rounded.n_rounded == 1);
  BOOST_TEST(!rounded.index);
  BOOST_TEST(rounded.not_determined.find("rounding of the entries decides") != std::string::npos);
  std::swap(rounded.index, rounded.index_if_infinite);
  std::swap(rounded.index_companion, rounded.index_companion_if_infinite);
  check_regular(rounded, ReductionMethod::kernel, 3, 1);
}

BOOST_AUTO_TEST_CASE(large_models_are_told_what_a_factorization_tells) {
  DenseSystem system = row_of_masses(40);
  system.M(10, 10) = system.M(11, 11) = 0;
  system.K.row(10).setZero();
  system.K.col(10).setZero();
  system.K(10, 9) = system.K(9, 10) = 1;  // a multiplier
  DiagnosisOptions options;
  options.max_dense = 39;
  const Diagnosis found = diagnosis_of(system, options, ReductionMethod::null_columns);
  BOOST_TEST(found.is_regular);
  BOOST_TEST(!found.index);
  BOOST_TEST(*found.n_finite == 74);
  BOOST_TEST(name_of(found.method) == "constraints");
  BOOST_TEST(found.problems.front().dofs.front() == 10);
}

BOOST_AUTO_TEST_CASE(without_dense_ranks_the_index_is_bounded_or_said_not_to_be_known) {
  DiagnosisOptions options;
  options.max_dense = 2;
  options.reduction.kernel.max_group = 1;  // no kernels
  options.reduction.max_weierstrass = 0;
  const auto found = [&](const DenseSystem& system) {
    return diagnose(test::assemble<EigenEngine>(system), options);
  };
  const auto says = [](const std::string& text, const char* part) {
    BOOST_TEST(text.find(part) != std::string::npos, text);
  };
  // Two massless nodes, joined by one damper.
  const Diagnosis dissipative =
      found({matrix(3, {1, 0, 0, 0, 0, 0, 0, 0, 0}), matrix(3, {0, 0, 0, 0, 3, -3, 0, -3, 3}),
             matrix(3, {2, -2, 0, -2, 2, 0, 0, 0, 4})});
  BOOST_TEST(dissipative.is_regular);
  BOOST_TEST((!dissipative.index && !dissipative.n_finite));
  BOOST_REQUIRE(dissipative.largest_index);
  BOOST_TEST(*dissipative.largest_index == 2);
  says(dissipative.known_by, "Proposition 3.5 (ii)");
  says(dissipative.not_determined, "at most 2: D is singular, and 3 free DoFs are more than the 2");
  says(dissipative.problems.at(0).cause, "common motion");

  // A multiplier of a constraint on rates.
  const Diagnosis constrained =
      found({matrix(3, {1, 0, 0, 0, 2, 0, 0, 0, 0}), matrix(3, {0, 0, 1, 0, 0, -1, 1, -1, 0}),
             matrix(3, {5, 0, 0, 0, 7, 0, 0, 0, 0})});
  BOOST_TEST(constrained.is_regular);
  BOOST_TEST((!constrained.index && !constrained.largest_index));
  BOOST_TEST(constrained.known_by == "");
  says(constrained.not_determined, "does not bound the index, because");
}

BOOST_AUTO_TEST_CASE(integers_are_counted_exactly_where_no_rank_of_floating_point_numbers_is) {
  // A triangular mass of determinant one, whose inverse has entries of 2^n: lambda^2 = -(1 + i)^2.
  constexpr Index n = 202;
  DenseSystem system = zeros(n);
  system.M.setIdentity();
  system.M.diagonal(1).setConstant(-2);
  for (Index i = 0; i < n; ++i)
    system.K(i, i) = (1. + i) * (1. + i);
  const Diagnosis triangular = diagnosis_of(system);
  BOOST_TEST(triangular.is_regular);
  BOOST_TEST(triangular.n_finite.value() == 2 * n);
  BOOST_TEST(triangular.index.value() == 0);

  // T T^T of a smaller one: no part of it can be divided by.
  constexpr Index m = 26;
  DenseSystem squared = zeros(m);
  MultiVector T = MultiVector::Identity(m, m);
  T.diagonal(1).setConstant(-2);
  squared.M = T * T.transpose();
  squared.K.setIdentity();
  const Diagnosis found = diagnosis_of(squared);
  BOOST_TEST(found.is_regular);
  BOOST_TEST(found.n_finite.value() == 2 * m);
  const auto is_named = [](const SingularPart& part) {
    return (part.cause + part.remedy).find("cannot be separated from its infinite part") != std::string::npos;
  };
  BOOST_TEST(std::any_of(found.problems.begin(), found.problems.end(), is_named));
}

BOOST_AUTO_TEST_CASE(parts_of_any_speed_are_regular_where_no_rounding_makes_them_singular) {
  // Dampers of 14 and of 2^-48 meet at one massless node, and their sum needs all digits of a double. Beside
  // them stand oscillators of about one and of 2^48 1/s.
  DenseSystem system = zeros(14);
  const double tiny = std::ldexp(1., -97), light = std::ldexp(1., -48);
  system.M.diagonal() << 7, 4.5 * tiny, 0, 1, tiny / 2, 1, 1, 3 * tiny, 4 * tiny, 0, 1.5 * tiny, 0, 0, 1;
  system.C(2, 2) = system.C(9, 9) = 3;
  system.C(2, 9) = system.C(9, 2) = -3;
  system.C(4, 4) = 14 + light;
  system.C(4, 12) = system.C(12, 4) = system.C(12, 12) = 14;
  system.C(4, 11) = system.C(11, 4) = -light;
  system.C(11, 11) = 1.5 * light;
  system.K.diagonal() << 5, 7, 7, 3, 33, 5, 1, 1, 14, 4, 8, 15, 21, 2;
  for (const auto& [i, j, k] : std::vector<std::tuple<Index, Index, double>>{{1, 7, -1},
                                                                             {1, 8, -6},
                                                                             {2, 4, -3},
                                                                             {2, 9, -4},
                                                                             {2, 12, -3},
                                                                             {4, 11, -7},
                                                                             {4, 12, 21},
                                                                             {8, 10, -8}})
    system.K(i, j) = system.K(j, i) = k;
  BOOST_TEST(diagnosis_of(system).is_regular);
}

BOOST_AUTO_TEST_SUITE_END()
