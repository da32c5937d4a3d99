// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/classification/classification.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

Classification classify(const test::DenseSystem& system, const ClassificationOptions& options = {}) {
  return classify_dofs(FreeSystem<EigenEngine>(test::assemble<EigenEngine>(system)), options);
}

std::string kinds_of(const Classification& classification) {
  std::string letters;
  for (const DoFKind kind : classification.kinds())
    letters += name_of(kind)[0];
  return letters;
}

/// A chain in which DoF 0 has mass, DoF 1 only damping, DoF 2 neither.
test::DenseSystem chain() {
  test::DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(0, 0) = 2;
  system.C << 3, -3, 0, -3, 3, 0, 0, 0, 0;
  system.K << 4, 0, -4, 0, 5, 0, -4, 0, 9;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(classification)

BOOST_AUTO_TEST_CASE(null_columns_decide_the_kinds) {
  const Classification kinds = classify(chain());
  BOOST_TEST(kinds_of(kinds) == "iva");
  BOOST_TEST(kinds.n_states() == 3);
  BOOST_TEST(kinds.n_constrained() == 0);
}

BOOST_AUTO_TEST_CASE(rows_are_not_assumed_to_be_null_where_columns_are) {
  // Columns 1 of M and 2 of C are null although their rows are not, and row 2 of M is null although its
  // column is not.
  test::DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  system.M << 1, 0, 0, 1, 0, 2, 0, 0, 0;
  system.C << 0, 1, 0, 0, 0, 0, 1, 0, 0;
  BOOST_TEST(kinds_of(classify(system)) == "ivi");
}

BOOST_AUTO_TEST_CASE(stored_zeros_do_not_count) {
  const test::DenseSystem system = chain();
  SystemDescription<EigenEngine> description;
  description.mass = test::with_stored_zeros(system.M);
  description.damping = test::with_stored_zeros(system.C);
  description.stiffness = test::with_stored_zeros(system.K);
  const FreeSystem<EigenEngine> free{AssembledSystem<EigenEngine>(description)};
  BOOST_TEST(kinds_of(classify_dofs(free)) == "iva");
}

BOOST_AUTO_TEST_CASE(entries_that_cancel_in_a_sum_are_not_null) {
  test::DenseSystem system = chain();
  system.M.col(2) << 1, -1, 0;
  BOOST_TEST(kinds_of(classify(system)) == "ivi");
}

BOOST_AUTO_TEST_CASE(constrained_dofs_are_taken_out_first_whatever_stands_on_their_diagonal) {
  test::DenseSystem system = chain();
  system.M(2, 2) = system.C(2, 2) = 1e6;
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.damping = test::matrix_of<EigenEngine>(system.C);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.constrained = {2};
  const Classification kinds =
      classify_dofs(FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(description)));
  BOOST_TEST(kinds_of(kinds) == "ivc");
  BOOST_TEST(kinds.n_constrained() == 1);
  BOOST_TEST(kinds.n_states() == 3);
}

BOOST_AUTO_TEST_CASE(a_column_that_meets_only_constrained_rows_is_null) {
  test::DenseSystem system = chain();
  system.M(2, 1) = 1;
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.damping = test::matrix_of<EigenEngine>(system.C);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.constrained = {2};
  BOOST_TEST(kinds_of(classify_dofs(FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(description)))) ==
             "ivc");
}

BOOST_AUTO_TEST_CASE(tiny_columns_are_kept_and_reported_with_the_tolerance_that_would_drop_them) {
  test::DenseSystem system = chain();
  system.M(1, 1) = 2e-14;
  const Classification kept = classify(system);
  BOOST_TEST(kinds_of(kept) == "iia");
  BOOST_TEST(kept.n_dropped_columns() == 0);
  BOOST_REQUIRE(kept.nearly_null().size() == 1u);
  BOOST_TEST(kept.nearly_null()[0].matrix == 'M');
  BOOST_TEST(kept.nearly_null()[0].dof == 1);
  BOOST_TEST(kept.nearly_null()[0].description == "DoF 1");
  BOOST_TEST(kept.nearly_null()[0].relative_norm == 1e-14, boost::test_tools::tolerance(1e-12));

  ClassificationOptions options;
  options.null_tolerance = kept.nearly_null()[0].relative_norm;
  const Classification dropped = classify(system, options);
  BOOST_TEST(kinds_of(dropped) == "iva");
  BOOST_TEST(dropped.n_dropped_columns() == 1);
  BOOST_TEST(dropped.nearly_null().empty());
}

BOOST_AUTO_TEST_CASE(of_many_tiny_columns_the_first_are_listed_and_all_are_counted) {
  const int n = 30;
  test::DenseSystem system;
  system.M = MultiVector::Identity(n, n);
  system.C = MultiVector::Zero(n, n);
  system.K = MultiVector::Identity(n, n);
  for (int i = 3; i < 28; ++i)
    system.M(i, i) = 1e-14;
  const Classification kept = classify(system);
  BOOST_TEST(kept.n_nearly_null() == 25);
  BOOST_REQUIRE_EQUAL(kept.nearly_null().size(), 10u);
  BOOST_TEST(kept.nearly_null().front().dof == 3);
  BOOST_TEST(kept.nearly_null().back().dof == 12);
}

BOOST_AUTO_TEST_CASE(dropped_columns_of_mass_and_of_damping_are_counted_apart) {
  test::DenseSystem system = chain();
  system.C << 0, 0, 0, 0, 1e-3, 0, 0, 0, 3;
  ClassificationOptions options;
  options.null_tolerance = 1e-2;
  const Classification damping = classify(system, options);
  BOOST_TEST(kinds_of(damping) == "iav");
  BOOST_TEST(damping.n_dropped_columns() == 1);
  system.M(1, 1) = 1e-3;
  BOOST_TEST(classify(system, options).n_dropped_columns() == 2);
}

BOOST_AUTO_TEST_CASE(the_smallest_number_is_not_null) {
  test::DenseSystem system = chain();
  system.M(1, 1) = std::numeric_limits<double>::denorm_min();
  BOOST_TEST(kinds_of(classify(system)) == "iia");
}

BOOST_AUTO_TEST_CASE(tiny_damping_of_a_dof_with_mass_changes_no_kind_and_gives_no_warning) {
  test::DenseSystem system = chain();
  system.M(1, 1) = 1;
  system.C << 0, 0, 0, 0, 1e-20, 0, 0, 0, 3;
  BOOST_TEST(classify(system).nearly_null().empty());
}

BOOST_AUTO_TEST_CASE(kinds_do_not_depend_on_units) {
  test::DenseSystem system = chain();
  for (const double scale : {1e-150, 1e150}) {
    test::DenseSystem scaled{scale * system.M, scale * system.C, scale * system.K};
    BOOST_TEST(kinds_of(classify(scaled)) == "iva");
  }
}

BOOST_AUTO_TEST_CASE(tolerances_outside_zero_and_one_are_refused) {
  for (const double wrong : {-1e-9, 1., std::numeric_limits<double>::quiet_NaN()}) {
    ClassificationOptions options;
    options.null_tolerance = wrong;
    BOOST_CHECK_THROW(classify(chain(), options), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(the_report_counts_kinds_by_component_and_names_the_first_dofs) {
  const test::DenseSystem system = chain();
  SystemDescription<EigenEngine> description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.damping = test::matrix_of<EigenEngine>(system.C);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  description.labels.component_names = {"x", "oil"};
  description.labels.component = {0, 1, 0};
  const AssembledSystem<EigenEngine> assembled(description);
  std::ostringstream out;
  print(out, classify_dofs(FreeSystem<EigenEngine>(assembled)), assembled);
  for (const char* word : {"inertial", "viscous", "algebraic", "oil", "DoF 1 (oil)", "N_s = 3"})
    BOOST_TEST(out.str().find(word) != std::string::npos, word << " is missing in\n" << out.str());
}

BOOST_AUTO_TEST_SUITE_END()
