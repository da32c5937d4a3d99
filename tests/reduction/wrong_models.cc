// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/diagnosis/diagnosis.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Dofs = std::vector<GlobalIndex>;

/// Masses 0 ... n-1 in a row on springs, the first one held, followed by n_more DoFs without any entry.
DenseSystem healthy(Index n, Index n_more) {
  const Index size = n + n_more;
  DenseSystem system{MultiVector::Zero(size, size), MultiVector::Zero(size, size),
                     MultiVector::Zero(size, size)};
  for (Index i = 0; i < n; ++i) {
    system.M(i, i) = 1 + 0.1 * i;
    system.C(i, i) = 0.02;
    system.K(i, i) = 2e3;
    if (i > 0) system.K(i, i - 1) = system.K(i - 1, i) = -1e3;
  }
  return system;
}

void add_spring(MultiVector& K, Index a, Index b, double stiffness) {
  K(a, a) += stiffness;
  K(b, b) += stiffness;
  K(a, b) -= stiffness;
  K(b, a) -= stiffness;
}

/// A multiplier of q_a = q_b, or of q_a = 0.
void constrain(MultiVector& K, Index multiplier, Index a, Index b = -1, double size = 1) {
  K(multiplier, a) = K(a, multiplier) = size;
  if (b >= 0) K(multiplier, b) = K(b, multiplier) = -size;
}

Diagnosis diagnosis_of(const DenseSystem& system, ReductionMethod method = ReductionMethod::automatic) {
  DiagnosisOptions options;
  options.reduction.method = method;
  const Diagnosis found = diagnose(assemble<EigenEngine>(system), options);
  for (const SingularPart& problem : found.problems)
    BOOST_TEST_MESSAGE(problem.block << ": " << problem.cause << ". " << problem.remedy);
  return found;
}

Dofs sorted(Dofs dofs) {
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

/// Exactly these DoFs, with words of the cause and of the remedy.
void check(const SingularPart& problem, const std::string& block, const Dofs& dofs, const std::string& cause,
           const std::string& remedy) {
  BOOST_TEST(problem.block == block);
  BOOST_TEST(sorted(problem.dofs) == dofs, boost::test_tools::per_element());
  BOOST_TEST(problem.names.size() == problem.dofs.size());
  BOOST_TEST(problem.cause.find(cause) != std::string::npos, problem.cause);
  BOOST_TEST(problem.remedy.find(remedy) != std::string::npos, problem.remedy);
}

/// A singular pencil with one problem.
void check_singular(const DenseSystem& system, const Dofs& dofs, const std::string& cause,
                    const std::string& remedy) {
  const Diagnosis found = diagnosis_of(system);
  BOOST_TEST(!found.is_regular);
  BOOST_TEST(name_of(found.method) == "none");
  BOOST_TEST((!found.index && !found.index_companion && !found.n_finite && !found.n_infinite));
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
  check(found.problems[0], "P", dofs, cause, remedy);
}

/// The same DoFs in another order, and in other units.
DenseSystem disguised(DenseSystem system, unsigned seed, std::vector<Index>& place_of) {
  RandomNumbers random(seed);
  const Index n = system.size();
  place_of = random.permutation(n);
  Vector unit(n);
  for (double& u : unit)
    u = std::pow(10., 3 * random());
  for (MultiVector* A : {&system.M, &system.C, &system.K}) {
    const MultiVector scaled = unit.asDiagonal() * *A * unit.asDiagonal();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        (*A)(place_of[static_cast<std::size_t>(i)], place_of[static_cast<std::size_t>(j)]) = scaled(i, j);
  }
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wrong_models)

BOOST_AUTO_TEST_CASE(a_dof_without_any_connection_is_named) {
  check_singular(healthy(6, 1), {6}, "nothing connects it to anything", "Connect it, remove it");
}

// DoF 2 ties 0 to 1, and DoF 3 constrains 1, which is clamped: 2 is as it should be.
BOOST_AUTO_TEST_CASE(a_multiplier_on_a_clamped_dof_is_named_and_a_sound_one_is_not) {
  SystemDescription<EigenEngine> description;
  MultiVector M = MultiVector::Zero(4, 4), K(4, 4);
  M.diagonal() << 1, 2, 0, 0;
  K << 3, -1, 1, 0, -1, 4, -1, 1, 1, -1, 0, 0, 0, 1, 0, 0;
  description.mass = matrix_of<EigenEngine>(M);
  description.stiffness = matrix_of<EigenEngine>(K);
  description.constrained = {1};
  const AssembledSystem<EigenEngine> assembled(description);
  const auto is_right = [](const SingularElimination& error) {
    return error.dofs() == std::vector<GlobalIndex>{3} &&
           std::string(error.what()).find("contains only constrained degrees of freedom") !=
               std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(reduce(assembled), SingularElimination, is_right);
  const Diagnosis diagnosis = diagnose(assembled);
  BOOST_TEST(!diagnosis.is_regular);
  BOOST_REQUIRE(diagnosis.problems.size() == 1u);
  BOOST_TEST(diagnosis.problems[0].dofs == std::vector<GlobalIndex>{3}, boost::test_tools::per_element());

  // Without it the sound one is eliminated.
  description.constrained = {1, 3};
  BOOST_TEST(reduce(AssembledSystem<EigenEngine>(description)).n_states() == 0);
}

BOOST_AUTO_TEST_CASE(a_floating_electrode_is_named) {
  // Three potentials on capacitances, coupled to displacements by their differences alone.
  DenseSystem system = healthy(6, 3);
  add_spring(system.K, 6, 7, -1e-8);
  add_spring(system.K, 7, 8, -2e-8);
  for (const Index i : {0, 3}) {
    system.K(i, 6) = system.K(6, i) = 3;
    system.K(i, 8) = system.K(8, i) = -3;
  }
  check_singular(system, {6, 7, 8}, "a floating electrode", "needs a reference potential");
}

BOOST_AUTO_TEST_CASE(an_empty_equation_and_an_unknown_that_no_equation_holds_are_told_apart) {
  for (const bool of_inertial : {true, false}) {
    DenseSystem row = healthy(6, 1);
    row.K(2, 6) = row.K(6, 2) = 5e2;
    row.K(6, 6) = 7e2;
    const Index wrong = of_inertial ? 4 : 6;
    DenseSystem column = row;
    for (MultiVector* A : {&row.M, &row.C, &row.K})
      A->row(wrong).setZero();
    for (MultiVector* A : {&column.M, &column.C, &column.K})
      A->col(wrong).setZero();
    check_singular(row, {wrong}, "equation is empty: the row is zero", "Assemble the missing equation");
    check_singular(column, {wrong}, "no equation contains it: the column is zero",
                   "Assemble the missing column");
  }
}

BOOST_AUTO_TEST_CASE(unknowns_in_too_few_equations_are_named_whatever_the_values) {
  // Three massless unknowns, which stand in the equations of two of them alone.
  DenseSystem system = healthy(6, 3);
  RandomNumbers random(7);
  for (const Index i : {6, 7})
    for (const Index j : {6, 7, 8})
      system.K(i, j) = random();
  system.K.row(8).head(6).setConstant(3);
  check_singular(system, {6, 7, 8}, "fewer equations than there are unknowns", "an equation of its own");
}

BOOST_AUTO_TEST_CASE(a_constraint_that_stands_twice_is_named_by_its_multipliers) {
  DenseSystem system = healthy(5, 2);
  constrain(system.K, 5, 1, 3);
  constrain(system.K, 6, 1, 3, 2e3);
  const Diagnosis eliminated = diagnosis_of(system);
  BOOST_TEST(!eliminated.is_regular);
  BOOST_TEST(name_of(eliminated.method) == "constraints");
  BOOST_REQUIRE(eliminated.n_finite);
  BOOST_TEST(*eliminated.n_finite == 8);
  BOOST_TEST(!eliminated.n_infinite);
  BOOST_REQUIRE_EQUAL(eliminated.problems.size(), 1u);
  check(eliminated.problems[0], "constraints", {5, 6}, "depend on each other",
        "does not depend on the individual multipliers");

  const Diagnosis refused = diagnosis_of(system, ReductionMethod::null_columns);
  BOOST_TEST(!refused.is_regular);
  BOOST_TEST(name_of(refused.method) == "constraints");
  BOOST_REQUIRE_EQUAL(refused.problems.size(), 2u);
  check(refused.problems[0], "K_KK", {5, 6}, "Lagrange multiplier", "which eliminates multipliers");
  check(refused.problems[1], "constraints", {5, 6}, "depend on each other",
        "does not depend on the individual multipliers");
}

BOOST_AUTO_TEST_CASE(a_repeated_multiplier_of_a_rate_is_named_by_values_and_by_the_pattern) {
  for (const Index second : {3, -1}) {
    DenseSystem system = healthy(5, 2);
    constrain(system.C, 5, 1, second);
    constrain(system.C, 6, 1, second, 2e3);
    check_singular(system, {5, 6}, "constraints that depend on one another", "Remove constraints");
  }
}

BOOST_AUTO_TEST_CASE(equations_that_depend_on_one_another_are_named_by_rows) {
  // The equations of 2 and 5 are the same, and their null vector concerns every unknown.
  DenseSystem system = healthy(8, 0);
  RandomNumbers random(3);
  system.K += 100 * random.matrix(8, 8);
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    A->row(5) = -3 * A->row(2);
  check_singular(system, {2, 5}, "equations of these DoFs depend on one another", "given twice");
}

BOOST_AUTO_TEST_CASE(null_vectors_of_rows_and_columns_on_different_dofs_are_found) {
  // Equations 5 and 6 say the same of unknowns 7 and 8, whose own equations hold 5 and 6 alone.
  DenseSystem system = healthy(5, 4);
  system.K(5, 7) = system.K(5, 8) = 3e3;
  system.K(6, 7) = system.K(6, 8) = 1e3;
  system.K(7, 5) = system.K(8, 6) = 2e3;
  system.K(7, 6) = 5e2;
  check_singular(system, {7, 8}, "multipliers", "");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_is_another_one_for_each_lambda_is_named) {
  // Columns (s^2, s) and (s, 1) in two rows.
  DenseSystem system = healthy(6, 0);
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    for (const Index i : {2, 4}) {
      A->row(i).setZero();
      A->col(i).setZero();
    }
  system.M(2, 2) = 1;
  system.C(2, 4) = system.C(4, 2) = 1;
  system.K(4, 4) = 1;
  check_singular(system, {2, 4}, "zero for every lambda", "entries that cancel");
}

BOOST_AUTO_TEST_CASE(several_causes_in_one_model_are_told_apart) {
  DenseSystem system = healthy(6, 6);
  add_spring(system.K, 7, 8, 4e5);  // a floating pair; DoF 6 stands alone
  constrain(system.C, 9, 1, 3);     // a rate constrained twice
  constrain(system.C, 10, 1, 3, -1);
  system.K(11, 11) = 3e3;  // no equation for DoF 5
  system.K(0, 11) = system.K(11, 0) = 1e3;
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    A->row(5).setZero();
  const Diagnosis found = diagnosis_of(system);
  BOOST_TEST(!found.is_regular);
  const auto problem = [&](const std::string& words) -> SingularPart {
    const auto place =
        std::find_if(found.problems.begin(), found.problems.end(),
                     [&](const SingularPart& part) { return part.cause.find(words) != std::string::npos; });
    BOOST_REQUIRE_MESSAGE(place != found.problems.end(), "nothing says: " + words);
    return *place;
  };
  check(problem("nothing connects it"), "P", {6}, "", "");
  check(problem("the row is zero"), "P", {5}, "", "");
  check(problem("floating"), "P", {7, 8}, "", "");
  check(problem("multipliers"), "P", {9, 10}, "", "");
  BOOST_TEST(found.problems.size() == 4u);
}

BOOST_AUTO_TEST_CASE(order_and_units_do_not_change_what_is_named) {
  DenseSystem system = healthy(30, 3);
  add_spring(system.K, 30, 31, 4e5);
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::vector<Index> place;
    const Diagnosis found = diagnosis_of(disguised(system, seed, place));
    BOOST_TEST(!found.is_regular);
    BOOST_REQUIRE_EQUAL(found.problems.size(), 2u);
    check(found.problems[0], "P", {place[32]}, "nothing connects it", "");
    check(found.problems[1], "P", sorted({place[30], place[31]}), "floating", "");
  }
}

BOOST_AUTO_TEST_CASE(at_most_ten_dofs_are_named_and_the_small_cause_is_among_them) {
  DenseSystem system = healthy(6, 40);
  for (Index i = 6; i < 44; ++i)
    add_spring(system.K, i, i + 1, 1e3);
  const Diagnosis found = diagnosis_of(system);
  std::size_t n_named = 0;
  for (const SingularPart& problem : found.problems)
    n_named += problem.dofs.size();
  BOOST_TEST(n_named == 10u);
  BOOST_REQUIRE_EQUAL(found.problems.size(), 2u);
  check(found.problems[0], "P", {45}, "nothing connects it", "");
  for (const GlobalIndex dof : found.problems[1].dofs)
    BOOST_TEST((dof >= 6 && dof < 45));
}

BOOST_AUTO_TEST_CASE(a_mass_matrix_of_zeros_is_no_fault_but_nothing_may_float) {
  DenseSystem system = healthy(4, 0);
  system.M.setZero();
  system.C.setZero();
  const Diagnosis held = diagnosis_of(system);
  BOOST_TEST(held.is_regular);
  BOOST_TEST(*held.n_finite == 0);
  BOOST_TEST(*held.n_infinite == 8);
  BOOST_TEST(*held.index == 1);
  BOOST_TEST(*held.index_companion == 2);
  BOOST_TEST(held.problems.empty());
  system.K.setZero();
  for (Index i = 0; i < 3; ++i)
    add_spring(system.K, i, i + 1, 1e3);
  check_singular(system, {0, 1, 2, 3}, "floating", "ground");
}

BOOST_AUTO_TEST_CASE(one_degree_of_freedom_is_enough) {
  DenseSystem system = healthy(0, 1);
  check_singular(system, {0}, "nothing connects it", "Connect it");
  system.K(0, 0) = 3;
  const Diagnosis stiff = diagnosis_of(system);
  BOOST_TEST((stiff.is_regular && *stiff.n_finite == 0 && *stiff.index == 1));
  system.M(0, 0) = 2;
  const Diagnosis oscillator = diagnosis_of(system);
  BOOST_TEST((oscillator.is_regular && *oscillator.n_finite == 2 && *oscillator.index_companion == 0));
}

BOOST_AUTO_TEST_CASE(names_hold_component_and_support_point) {
  const DenseSystem system = healthy(2, 1);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.labels.component_names = {"x", "potential"};
  description.labels.component = {0, 0, 1};
  description.labels.point = {{{0, 0, 0}}, {{1, 0, 0}}, {{2.5, 0, 0}}};
  description.labels.dimension = 1;
  const Diagnosis found = diagnose(AssembledSystem<EigenEngine>(description));
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
  BOOST_TEST(found.problems[0].names == std::vector<std::string>({"DoF 2 (potential, at (2.5))"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknowns_and_equations_that_are_deficient_apart_are_all_named) {
  // Column 0 and row 1 are empty; unknowns 2 and 3 stand in row 4 only, rows 5 and 6 hold unknown 5 only.
  DenseSystem system = healthy(0, 7);
  MultiVector& K = system.K;
  K(0, 1) = K(2, 4) = K(3, 6) = K(4, 2) = K(4, 3) = K(5, 5) = K(6, 5) = 1;
  const Diagnosis found = diagnosis_of(system);
  BOOST_TEST(!found.is_regular);
  std::vector<Dofs> named;
  for (const SingularPart& problem : found.problems)
    if (problem.block == "P") named.push_back(sorted(problem.dofs));
  std::sort(named.begin(), named.end());
  BOOST_TEST((named == std::vector<Dofs>{{0}, {1}, {2, 3}, {5, 6}}));
}

BOOST_AUTO_TEST_CASE(an_empty_equation_beside_an_unconnected_pair_does_not_blame_all_unknowns) {
  // Multipliers 5 and 6 hold DoF 0 twice, a symmetric deficiency; the row of DoF 3 is lost.
  DenseSystem system = healthy(5, 2);
  constrain(system.K, 5, 0);
  constrain(system.K, 6, 0);
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    A->row(3).setZero();
  const Diagnosis found = diagnosis_of(system);
  std::vector<Dofs> named;
  for (const SingularPart& problem : found.problems)
    if (problem.block == "P") named.push_back(sorted(problem.dofs));
  std::sort(named.begin(), named.end());
  BOOST_TEST((named == std::vector<Dofs>{{3}, {5, 6}}));
}

BOOST_AUTO_TEST_SUITE_END()
