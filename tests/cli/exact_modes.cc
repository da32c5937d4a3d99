// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <algorithm>
#include <cmath>
#include <complex>

/// Small models whose exact spectrum is known, and which floating-point numbers alone get wrong.
using namespace halfdof;
using namespace halfdof::test;

namespace {

MultiVector square(std::initializer_list<double> by_rows) {
  const auto n = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(by_rows.size()))));
  MultiVector A(n, n);
  auto entry = by_rows.begin();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      A(i, j) = *entry++;
  return A;
}

MultiVector zero(Index n) {
  return MultiVector::Zero(n, n);
}

/// Largest difference of a list in a JSON file from the expected one, relative to each expected value;
/// infinite where the lists differ in length. Greedy, from the fastest on.
double difference(const nlohmann::json& list, std::vector<Complex> expected) {
  std::vector<Complex> found;
  for (const auto& pair : list)
    found.emplace_back(pair.at(0).get<double>(), pair.at(1).get<double>());
  if (found.size() != expected.size()) return INFINITY;
  double largest = 0;
  for (const Complex value : expected) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](Complex a, Complex b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    largest = std::max(largest, std::abs(*nearest - value) / (value == 0. ? 1 : std::abs(value)));
    found.erase(nearest);
  }
  return largest;
}

/// Both lists of `modes`, against the exact one.
void check_modes(const DenseSystem& system, const Arguments& options, const std::vector<Complex>& expected,
                 double tolerance = 1e-9) {
  const Terminal terminal;
  const auto json = terminal.json("modes", terminal.model(system), options);
  BOOST_TEST(difference(json["before"]["finite"], expected) < tolerance);
  BOOST_TEST(difference(json["after"]["finite"], expected) < tolerance);
  BOOST_TEST(json["agreed"] == true);
  BOOST_TEST(json["complete"] == "counted");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_modes)

BOOST_AUTO_TEST_CASE(vectors_that_are_isotropic_in_the_mass_make_no_zeros) {
  const DenseSystem dual{square({0, 1, 1, 0}), zero(2), square({0, 4, 4, 0})};
  for (const Arguments& options : {Arguments{"--count", "4"}, {"--all"}})
    check_modes(dual, options, {{0, 2}, {0, -2}, {0, 2}, {0, -2}});
}

BOOST_AUTO_TEST_CASE(a_complex_shift_lists_no_eigenvalue_twice) {
  check_modes({square({1}), square({2}), square({1})}, {"--count", "2", "--shift=-0.5+0.5i"}, {-1., -1.});
  check_modes({square({6, 0, 0, 0, 4.656612873077393e-10, 0, 0, 0, 6}), square({0, 0, 4, 0, 0, 0, -4, 0, 0}),
               square({2, 0, 0, 0, 1, 0, 0, 0, -2})},
              {"--count", "6", "--shift=0.472i"},
              {-0.42236783278,
               0.42236783278,
               {0, 0.78920151457},
               {0, -0.78920151457},
               {0, 46340.950012},
               {0, -46340.950012}},
              1e-8);
}

BOOST_AUTO_TEST_CASE(the_nearest_to_zero_are_listed_where_zero_is_an_eigenvalue) {
  const DenseSystem system{square({1, 0, 0, 0, 1, 0, 0, 0, 0}), square({0, 0, 0, 0, 0, 0, 0, 0, 1}),
                           square({0, 0, 0, 0, 1, 0, 0, 0, 0.9})};
  check_modes(system, {"--count", "3"}, {0., 0., -0.9});
  check_modes(system, {"--count", "4"}, {0., 0., -0.9, {0, 1}, {0, -1}});
}

BOOST_AUTO_TEST_CASE(pencils_of_high_index_are_compared) {
  const DenseSystem servo{square({1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
                          square({1, -1, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                          square({5, -3, 0, 1, -3, 3, 1, 0, 1, 0, 0, 0, 0, 0, 1, 2})};
  const std::vector<Complex> exact{
      -1.2134116628, {0.6067058314, 1.4506122492}, {0.6067058314, -1.4506122492}};
  check_modes(servo, {"--count", "2"}, exact);
  check_modes(servo, {"--count", "3"}, exact);
  check_modes({square({0, 0, 0, 0, 0, 6, 0, 6, 6}), square({0, 4, 0, 4, 4, 2, 0, 2, 0}),
               square({0, 0, 0, 0, 0, 2, 0, 2, 0})},
              {"--count", "1", "--shift=-0.127+0.822i"}, {0.});
}

BOOST_AUTO_TEST_CASE(ranks_that_rounding_hides_are_exact) {
  const DenseSystem four{square({0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, -3, 0, 1, 3, 3}),
                         square({0, 0, 0, 0, 0, 2, -2, -2, 0, 0, 0, 0, 0, 0, 0, 0}),
                         square({0, 0, 1, 0, 1, 3, -2, -4, -1, 0, 1, -7, 1, 0, 0, 3})};
  check_modes(four, {"--all"}, {-1.5});
  const DenseSystem five{
      square({3, 3, 3, 6, 0, 0, 0, 0, 0, 0, -2, -2, -2, -4, 0, 0, -1, -1, 0, 1, 0, 0, 0, 0, 0}),
      square({-1, 1, -1, -1, 0, 0, 0, 0, 0, 0, 1, -1, 1, 1, 0, 1, -1, 1, 1, 0, 0, 0, 0, 0, 0}),
      square({1, 4, -2, 6, 2, 1, 0, 0, 2, 1, 0, -3, 2, -3, -1, 3, -1, 2, 4, 1, 0, 0, 1, 0, 0})};
  check_modes(five, {"--all"}, {-1.});
  const Terminal terminal;
  for (const DenseSystem& system : {four, five}) {
    const auto json = terminal.json("inspect", terminal.model(system));
    BOOST_TEST(json["n_finite"] == 1);
    BOOST_TEST(json["n_states"] == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_tiny_mass_of_its_own_part_is_none_of_rounding) {
  // Beside two DoFs whose masses form a kernel that no column shows.
  for (const double mass : {1e-12, 1e-14, 1e-16, 1e-20})
    check_modes({square({1, 1, 0, 1, 1, 0, 0, 0, mass}), zero(3), square({1, 0, 0, 0, 2, 0, 0, 0, 1})},
                {"--all"},
                {{0, std::sqrt(2. / 3)},
                 {0, -std::sqrt(2. / 3)},
                 {0, 1 / std::sqrt(mass)},
                 {0, -1 / std::sqrt(mass)}});
}

BOOST_AUTO_TEST_CASE(zeros_are_as_uncertain_beside_a_slow_part_as_alone) {
  // A free pair of masses: one rounding of its spring makes a pair of 1e-8 of the double zero.
  const Terminal terminal;
  const Arguments model =
      terminal.model({MultiVector::Identity(3, 3), zero(3), square({1, -1, 0, -1, 1, 0, 0, 0, 1e-28})});
  const auto json = terminal.json("modes", model, {"--all"});
  BOOST_TEST(json["after"]["finite"][0][1] == 0.);
  BOOST_TEST(json["uncertainties"][0].get<double>() > 5e-9);
  BOOST_TEST(json["uncertainties"][0].get<double>() < 1e-7);
}

BOOST_AUTO_TEST_CASE(chains_of_very_different_springs_have_all_their_eigenvalues) {
  // 60 masses behind each other, every spring 2^-8 of the one before: slow ones drag the fast ones along as
  // rigid bodies do.
  const Index n = 60;
  MultiVector K = zero(n);
  for (Index i = 0; i < n; ++i) {
    const double k = std::exp2(-8 * i);
    K(i, i) += k;
    if (i > 0) {
      K(i - 1, i - 1) += k;
      K(i, i - 1) = K(i - 1, i) = -k;
    }
  }
  const Terminal terminal;
  const Arguments model = terminal.model({MultiVector::Identity(n, n), zero(n), K});
  const auto json = terminal.json("modes", model, {"--all"});
  for (const char* const list : {"before", "after"})
    BOOST_TEST(json[list]["finite"].size() == 2u * n);
}

BOOST_AUTO_TEST_CASE(a_zero_alone_is_zero_although_rounding_is_all_that_is_left_of_the_stiffness) {
  check_modes({zero(3), square({-1, -1, -2, 0, 0, 0, 0, -2, 0}), square({0, -4, 0, 0, -1, 0, -2, 0, -3})}, {},
              {0.});
}

BOOST_AUTO_TEST_CASE(fast_and_slow_eigenvalues_are_both_right) {
  check_modes({square({0, 0, 0, 0, 2, 0, 0, 0, 0}), square({5.820766091346741e-11, 0, 0, 0, 6, 0, 0, 0, 1}),
               square({18, -21, 8, -21, 28, -9, 8, -9, 10})},
              {"--count", "5"}, {-0.7859844955, -2.216337617, -6.442122332, -3.092376453e11});
  check_modes({square({5, 0, -2, 1.7763568394002505e-15}), square({1, 0, 2, 0}), square({2, -4, 0, 5})},
              {"--count", "5"},
              {{-0.3823529412, 0.6648620327},
               {-0.3823529412, -0.6648620327},
               {0.2823529412, 43749626.76},
               {0.2823529412, -43749626.76}});
  check_modes({square({std::exp2(-52)}), square({4}), square({1})}, {}, {-0.25, -1.801439851e16});
  check_modes({square({5, 0, 0, 0, 4, 0, 0, 0, 3}),
               square({262144, -262144, 0, -262144, 2097152, -1835008, 0, -1835008, 1835008}),
               square({7, -7, 0, -7, 12, -5, 0, -5, 5})},
              {"--count", "5", "--shift=5800i"}, {0., 0., -2.724783761e-06, -2.670288087e-05, -87381.33331});
}

BOOST_AUTO_TEST_CASE(bodies_of_very_different_stiffness_keep_their_zeros_and_their_motions) {
  const double stiff = 60129542144., soft = 9.313225746154785e-10;
  const DenseSystem bodies{
      square({4, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 5}), zero(4),
      square({stiff, -stiff, 0, 0, -stiff, stiff, 0, 0, 0, 0, soft, -soft, 0, 0, -soft, soft})};
  check_modes(
      bodies, {"--count", "8"},
      {0., 0., 0., 0., {0, 2.047181376e-05}, {0, -2.047181376e-05}, {0, 187284.7197}, {0, -187284.7197}},
      1e-6);
}

BOOST_AUTO_TEST_CASE(a_list_of_zeros_agrees) {
  check_modes({zero(2), square({0, 0, 2, -1}), square({-1, 1, 1, -1})}, {}, {0.});
}

BOOST_AUTO_TEST_CASE(states_that_show_in_no_displacement_alone_are_kept) {
  const DenseSystem system{square({0, 1, 0, 1, 0, 2, 0, 2, 0}), square({0, 3, 0, 3, 0, -2, 0, -2, 0}),
                           square({0, 0, 2, 0, -2, 0, 2, 0, -4})};
  const Terminal terminal;
  const auto modes = terminal.json("modes", terminal.model(system));
  const auto inspect = terminal.json("inspect", terminal.model(system));
  BOOST_TEST(modes["agreed"] == true);
  BOOST_TEST(modes["after"]["finite"].size() == 4u);
  BOOST_TEST(inspect["n_finite"] == 4);
  BOOST_TEST(inspect["method"] == "weierstrass");
}

BOOST_AUTO_TEST_SUITE_END()
