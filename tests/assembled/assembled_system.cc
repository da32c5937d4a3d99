// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using System = AssembledSystem<EigenEngine>;
using Description = SystemDescription<EigenEngine>;

Description description_of(const test::DenseSystem& system) {
  Description description;
  description.mass = test::matrix_of<EigenEngine>(system.M);
  description.damping = test::matrix_of<EigenEngine>(system.C);
  description.stiffness = test::matrix_of<EigenEngine>(system.K);
  return description;
}

/// Whether the message of the error holds all words.
std::function<bool(const Error&)> says(const std::vector<std::string>& words) {
  return [words](const Error& error) {
    for (const std::string& word : words)
      if (std::string(error.what()).find(word) == std::string::npos) {
        BOOST_TEST_MESSAGE(error.what());
        return false;
      }
    return true;
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(assembled_system)

BOOST_AUTO_TEST_CASE(mass_and_damping_may_be_absent) {
  Description description;
  description.stiffness = test::matrix_of<EigenEngine>(MultiVector::Identity(2, 2));
  const System system(description);
  BOOST_TEST(system.n_dofs() == 2);
  BOOST_TEST(system.M().rows().n_global() == 2);
  BOOST_TEST(EigenEngine::column_norms(system.M()).norm() == 0);
  BOOST_TEST(EigenEngine::column_norms(system.C()).norm() == 0);
}

BOOST_AUTO_TEST_CASE(empty_systems_are_refused) {
  BOOST_CHECK_EXCEPTION(System{Description{}}, InvalidInput, says({"empty"}));
}

BOOST_AUTO_TEST_CASE(matrices_that_are_not_square_are_refused) {
  Description description = description_of(test::three_kinds());
  description.damping = test::matrix_of<EigenEngine>(MultiVector::Ones(3, 2));
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"damping", "not square", "3 x 2"}));
}

BOOST_AUTO_TEST_CASE(matrices_of_different_sizes_are_refused) {
  Description description = description_of(test::three_kinds());
  description.mass = test::matrix_of<EigenEngine>(MultiVector::Ones(4, 4));
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"mass", "4 x 4", "3 x 3"}));
}

BOOST_AUTO_TEST_CASE(nan_and_infinite_entries_are_named_by_row_and_column) {
  test::DenseSystem system = test::three_kinds();
  system.K(2, 1) = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_EXCEPTION(System{description_of(system)}, InvalidInput,
                        says({"stiffness", "row 2", "column 1"}));
  system = test::three_kinds();
  system.C(0, 2) = std::numeric_limits<double>::infinity();
  BOOST_CHECK_EXCEPTION(System{description_of(system)}, InvalidInput, says({"damping", "row 0", "column 2"}));
}

BOOST_AUTO_TEST_CASE(constrained_indices_out_of_range_or_repeated_are_refused) {
  Description description = description_of(test::three_kinds());
  description.constrained = {1, 3};
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"3", "from 0 to 2"}));
  description.constrained = {1, 1};
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"DoF 1", "twice"}));
}

BOOST_AUTO_TEST_CASE(label_lists_of_the_wrong_length_are_refused) {
  Description description = description_of(test::three_kinds());
  description.labels.node = {0, 1};
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"node", "2", "3"}));
  description = description_of(test::three_kinds());
  description.labels.component = {0, 1, 2};
  description.labels.component_names = {"x", "y"};
  BOOST_CHECK_EXCEPTION(System{description}, InvalidInput, says({"component 2"}));
}

BOOST_AUTO_TEST_CASE(descriptions_give_index_node_component_and_point) {
  Description description = description_of(test::three_kinds());
  description.labels.node = {5, 6, -1};
  description.labels.component_names = {"x", "phi"};
  description.labels.component = {0, 0, 1};
  description.labels.point = {{{0, 0, 0}}, {{0.1, 0.2, 0}}, {{1, 0, 0}}};
  description.labels.dimension = 2;
  const System system(description);
  BOOST_TEST(system.describe(1) == "DoF 1 (node 6, x, at (0.1, 0.2))");
  BOOST_TEST(system.describe(2) == "DoF 2 (phi, at (1, 0))");
}

BOOST_AUTO_TEST_CASE(loads_of_the_wrong_size_or_with_nan_are_refused) {
  Description description = description_of(test::three_kinds());
  description.load = [](double) { return Vector::Zero(2); };
  BOOST_CHECK_EXCEPTION(System{description}.load(1.5), InvalidInput, says({"load", "2 entries", "1.5"}));
  description.load = [](double t) { return Vector(Vector::Constant(3, 1 / (t - 1))); };
  const System system(description);
  BOOST_TEST(system.load(2.)[0] == 1.);
  BOOST_CHECK_EXCEPTION(system.load(1.), InvalidInput, says({"load", "DoF 0"}));
}

BOOST_AUTO_TEST_CASE(load_rates_are_refused_where_only_the_load_is_given) {
  Description description = description_of(test::three_kinds());
  BOOST_TEST(System{description}.load_rate(0.).norm() == 0);
  description.load = [](double) { return Vector::Zero(3); };
  BOOST_CHECK_EXCEPTION(System{description}.load_rate(0.), NotAvailable, says({"f'(t)"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(free_system)

BOOST_AUTO_TEST_CASE(constrained_rows_and_columns_take_no_part) {
  Description description = description_of(test::three_kinds());
  description.constrained = {1};
  const FreeSystem<EigenEngine> system{System(description)};
  const MultiVector K = EigenEngine::to_dense(system.K());
  BOOST_TEST(K.rows() == 2);
  BOOST_TEST(K(0, 0) == 7);
  BOOST_TEST(K(0, 1) == 2);
  BOOST_TEST(K(1, 0) == 4);
  BOOST_TEST(K(1, 1) == 5);
  BOOST_TEST(system.assembled_index(1) == 2);
  BOOST_TEST(system.describe(1) == "DoF 2");
}

BOOST_AUTO_TEST_CASE(prescribed_motion_loads_the_free_rows_through_every_matrix) {
  Description description = description_of(test::three_kinds());
  description.constrained = {0};
  description.load = [](double) { return Vector(Vector::LinSpaced(3, 1., 3.)); };
  description.prescribed = {[](double t) { return Vector(Vector::Constant(1, t * t * t)); },
                            [](double t) { return Vector(Vector::Constant(1, 3 * t * t)); },
                            [](double t) { return Vector(Vector::Constant(1, 6 * t)); }};
  const FreeSystem<EigenEngine> system{System(description)};
  const Vector F = system.load(2.);
  // Rows 1 and 2, column 0: K = (0, 4), C = (-2, 5), M = (1, -1); q_D = 8, q_D' = 12, q_D'' = 12.
  BOOST_TEST(F[0] == 2 + 2 * 12 - 12);
  BOOST_TEST(F[1] == 3 - 4 * 8 - 5 * 12 + 12);
  const std::vector<std::string> all = {"q_D", "q_D'", "q_D''"};
  BOOST_TEST(system.needed_prescribed() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_rate_of_that_load_needs_one_derivative_more) {
  Description description = description_of(test::three_kinds());
  description.constrained = {0};
  description.load = description.load_rate = [](double) { return Vector(Vector::LinSpaced(3, 1., 3.)); };
  description.prescribed = {[](double t) { return Vector(Vector::Constant(1, t * t * t)); },
                            [](double t) { return Vector(Vector::Constant(1, 3 * t * t)); },
                            [](double t) { return Vector(Vector::Constant(1, 6 * t)); }};
  BOOST_CHECK_EXCEPTION(FreeSystem<EigenEngine>{System(description)}.load_rate(2.), NotAvailable,
                        says({"q_D'''"}));
  description.prescribed.jerk = [](double) { return Vector(Vector::Constant(1, 6.)); };
  const Vector rate = FreeSystem<EigenEngine>{System(description)}.load_rate(2.);
  // As above, with q_D' = 12, q_D'' = 12 and the third derivative 6.
  BOOST_TEST(rate[0] == 2 + 2 * 12 - 6);
  BOOST_TEST(rate[1] == 3 - 4 * 12 - 5 * 12 + 6);
}

BOOST_AUTO_TEST_CASE(a_needed_derivative_of_the_prescribed_motion_that_is_missing_is_refused) {
  Description description = description_of(test::three_kinds());
  description.constrained = {0};
  description.prescribed.value = [](double) { return Vector(Vector::Zero(1)); };
  BOOST_CHECK_EXCEPTION(FreeSystem<EigenEngine>{System(description)}, InvalidInput,
                        says({"q_D'(t)", "damping"}));
  description.prescribed.rate = description.prescribed.value;
  BOOST_CHECK_EXCEPTION(FreeSystem<EigenEngine>{System(description)}, InvalidInput,
                        says({"q_D''(t)", "mass"}));
  // Column 2 has neither mass nor damping: its displacement is enough.
  description.constrained = {2};
  description.prescribed.rate = nullptr;
  BOOST_CHECK_NO_THROW(FreeSystem<EigenEngine>{System(description)});
}

BOOST_AUTO_TEST_SUITE_END()
