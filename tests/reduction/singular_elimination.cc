// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <algorithm>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

test::DenseSystem zeros(Index n) {
  return {MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
}

/// What the refusal names, and a check that its message says it.
struct Refused {
  std::string block, message;
  std::vector<GlobalIndex> dofs;
};

Refused refusal_of(const AssembledSystem<EigenEngine>& system, const ReductionOptions& options = {}) {
  try {
    reduce(system, options);
  } catch (const SingularElimination& error) {
    std::vector<GlobalIndex> dofs = error.dofs();
    std::sort(dofs.begin(), dofs.end());
    BOOST_TEST_MESSAGE(error.what());
    return {error.block(), error.what(), dofs};
  }
  BOOST_ERROR("the system was not refused");
  return {};
}

Refused refusal_of(const test::DenseSystem& system, ReductionMethod method = ReductionMethod::automatic) {
  ReductionOptions options;
  options.method = method;
  return refusal_of(test::assemble<EigenEngine>(system), options);
}

void check(const Refused& refusal, const std::string& block, const std::vector<GlobalIndex>& dofs,
           const std::string& word) {
  BOOST_TEST(refusal.block == block);
  BOOST_TEST(refusal.dofs == dofs, boost::test_tools::per_element());
  BOOST_TEST(refusal.message.find(word) != std::string::npos, refusal.message);
}

/// n masses in a row on springs, the last two nodes of which are massless, joined to each other and to
/// nothing else.
test::DenseSystem floating_pair(Index n) {
  test::DenseSystem system = zeros(n);
  const auto spring = [&](Index a, Index b, double stiffness) {
    system.K(a, a) += stiffness;
    system.K(b, b) += stiffness;
    system.K(a, b) -= stiffness;
    system.K(b, a) -= stiffness;
  };
  for (Index i = 0; i < n - 2; ++i)
    system.M(i, i) = 1;
  system.K(0, 0) += 1e3;
  for (Index i = 0; i + 1 < n - 2; ++i)
    spring(i, i + 1, 1e3);
  spring(n - 2, n - 1, 7e5);
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(singular_eliminations)

BOOST_AUTO_TEST_CASE(an_isolated_massless_node_is_named) {
  test::DenseSystem system = zeros(2);
  system.M(0, 0) = 1;
  system.C(0, 0) = 3;
  system.K(0, 0) = 2;
  check(refusal_of(system), "K_KK", {1}, "nothing connects it");
}

BOOST_AUTO_TEST_CASE(a_multiplier_of_a_displacement_constraint_is_named) {
  test::DenseSystem system = zeros(3);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  system.K << 5, 0, 1, 0, 7, -1, 1, -1, 0;
  check(refusal_of(system, ReductionMethod::null_columns), "K_KK", {2}, "multiplier");
}

BOOST_AUTO_TEST_CASE(a_multiplier_of_a_velocity_constraint_is_named) {
  test::DenseSystem system = zeros(3);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  system.C << 0, 0, 1, 0, 0, -1, 1, -1, 0;
  system.K(0, 0) = 5;
  system.K(1, 1) = 7;
  check(refusal_of(system, ReductionMethod::null_columns), "C_CC", {2},
        "multipliers of a velocity constraint");
}

BOOST_AUTO_TEST_CASE(two_massless_nodes_joined_by_one_damper_are_named) {
  test::DenseSystem system = zeros(3);
  system.M(0, 0) = 1;
  system.C << 0, 0, 0, 0, 3, -3, 0, -3, 3;
  system.K << 2, -2, 0, -2, 2, 0, 0, 0, 4;
  check(refusal_of(system, ReductionMethod::null_columns), "C_CC", {1, 2}, "common motion");
}

BOOST_AUTO_TEST_CASE(a_singular_mass_without_null_columns_is_named) {
  test::DenseSystem system = zeros(2);
  system.M << 1, 1, 1, 1;
  system.C(0, 0) = 1;
  system.K << 1, 0, 0, 1;
  check(refusal_of(system, ReductionMethod::null_columns), "M_II", {0, 1}, "carries no mass");
}

BOOST_AUTO_TEST_CASE(an_unsymmetric_singular_elimination_is_named_by_its_columns) {
  test::DenseSystem system = test::random_unsymmetric(2, 2, 2, 3);
  const test::DenseElimination e = test::dense_elimination(system);
  system.K.col(e.K[1]) = 2 * system.K.col(e.K[0]);
  check(refusal_of(system), "D", {std::min(e.K[0], e.K[1]), std::max(e.K[0], e.K[1])}, "no spring holds");
}

BOOST_AUTO_TEST_CASE(a_floating_pair_in_a_healthy_structure_is_named_and_nothing_else) {
  for (const Index n : {5, 40, 400})
    check(refusal_of(floating_pair(n)), "K_KK", {n - 2, n - 1}, "no spring holds their common displacement");
}

BOOST_AUTO_TEST_CASE(unconnected_dofs_and_a_floating_pair_are_named_apart) {
  for (const Index n_alone : {2, 20}) {
    const test::DenseSystem pair = floating_pair(4);
    test::DenseSystem system = zeros(4 + n_alone);
    system.M.topLeftCorner(4, 4) = pair.M;
    system.K.topLeftCorner(4, 4) = pair.K;
    const Refused refusal = refusal_of(system);
    const auto named = [&](GlobalIndex dof) {
      return std::count(refusal.dofs.begin(), refusal.dofs.end(), dof) == 1;
    };
    BOOST_TEST((named(2) && named(3) && named(4) && named(5)));
    BOOST_TEST(refusal.dofs.size() == static_cast<std::size_t>(std::min<Index>(2 + n_alone, 10)));
    for (const std::string part :
         {"nothing connects them", "on DoF 2 and DoF 3: no spring holds their common"})
      BOOST_TEST(refusal.message.find(part) != std::string::npos, refusal.message);
  }
}

BOOST_AUTO_TEST_CASE(the_name_holds_label_and_point) {
  const test::DenseSystem system = floating_pair(5);
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.labels.component_names = {"x"};
  description.labels.component = {0, 0, 0, 0, 0};
  description.labels.point = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}, {{4, 0, 0}}};
  description.labels.dimension = 1;
  const Refused refusal = refusal_of(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(refusal.message.find("DoF 3 (x, at (3)) and DoF 4 (x, at (4))") != std::string::npos,
             refusal.message);
}

BOOST_AUTO_TEST_CASE(indices_are_assembled_ones_when_dofs_are_constrained) {
  const test::DenseSystem system = floating_pair(6);
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.constrained = {0, 2};
  check(refusal_of(AssembledSystem<EigenEngine>(description)), "K_KK", {4, 5}, "DoF 4");
}

BOOST_AUTO_TEST_CASE(an_electrode_without_reference_potential_is_named_in_part) {
  // A chain of 30 potentials, negative definite but for its constant, next to 30 grounded displacements.
  const Index n = 30;
  test::DenseSystem system = zeros(2 * n);
  for (Index i = 0; i < n; ++i) {
    system.M(i, i) = 2;
    system.K(i, i) = 5e9;
  }
  for (Index i = 0; i + 1 < n; ++i) {
    MultiVector element(2, 2);
    element << 1, -1, -1, 1;
    system.K.block(n + i, n + i, 2, 2) -= 1e-8 * element;
    system.K(i, n + i) += 3;
    system.K(i, n + i + 1) -= 3;
    system.K(n + i, i) += 3;
    system.K(n + i + 1, i) -= 3;
  }
  // Every coupling sums to zero over the potentials, so that the constant one is not seen by anything.
  const Refused refusal = refusal_of(system);
  BOOST_TEST(refusal.block == "K_KK");
  BOOST_TEST(refusal.dofs.size() == 10u);
  for (const GlobalIndex dof : refusal.dofs)
    BOOST_TEST(dof >= n);
  BOOST_TEST(refusal.message.find("reference potential") != std::string::npos, refusal.message);
}

BOOST_AUTO_TEST_CASE(a_kernel_hidden_by_bad_scaling_is_still_found) {
  test::DenseSystem system = floating_pair(8);
  Vector factors(8);
  factors << 1, 1e3, 1e-4, 1e5, 1e-6, 1, 1e-7, 1e6;
  const auto scaled = [&](const MultiVector& A) {
    return MultiVector(factors.asDiagonal() * A * factors.asDiagonal());
  };
  check(refusal_of({scaled(system.M), scaled(system.C), scaled(system.K)}), "K_KK", {6, 7}, "no spring");
}

BOOST_AUTO_TEST_CASE(a_badly_conditioned_elimination_passes_with_a_warning) {
  test::DenseSystem system = floating_pair(5);
  system.K(4, 4) *= 1 + 1e-13;
  const auto r = reduce(test::assemble<EigenEngine>(system));
  BOOST_TEST(r.elimination().condition() > 1e12);
  std::ostringstream out;
  r.print_summary(out);
  BOOST_TEST(out.str().find("badly conditioned") != std::string::npos, out.str());
}

BOOST_AUTO_TEST_CASE(the_block_triangular_path_is_refused_where_rows_are_not_null) {
  ReductionOptions options;
  options.elimination.path = EliminationPath::block_triangular;
  BOOST_CHECK_THROW(reduce(test::assemble<EigenEngine>(test::three_kinds()), options), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
