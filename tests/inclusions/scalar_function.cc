#include <halfdof/base/errors.h>
#include <halfdof/inclusions/scalar_function.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace halfdof;

namespace {

constexpr double pi = 3.14159265358979323846;

bool mentions(const std::exception& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scalar_function)

BOOST_AUTO_TEST_CASE(a_number_stays_what_it_is) {
  const ScalarFunction number = -2.5, zero;
  BOOST_TEST(number(17.) == -2.5);
  BOOST_TEST(zero(17.) == 0.);
  BOOST_TEST(number.derivative(17.) == 0.);
  BOOST_TEST(number.is_constant());
  BOOST_TEST(number.description() == "-2.5");
  BOOST_CHECK_THROW(ScalarFunction(std::nan("")), InvalidInput);
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(ScalarFunction{infinite}, InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_table_is_linear_between_its_entries_and_holds_beyond_them) {
  const auto table = ScalarFunction::table({0., 1., 3.}, {0., 2., 1.});
  BOOST_TEST(table(-1.) == 0.);
  BOOST_TEST(table(0.25) == 0.5);
  BOOST_TEST(table(1.) == 2.);
  BOOST_TEST(table(2.) == 1.5);
  BOOST_TEST(table(4.) == 1.);
  BOOST_TEST(table.derivative(-1.) == 0.);
  BOOST_TEST(table.derivative(0.) == 2.);
  BOOST_TEST(table.derivative(1.) == -0.5);  // from the right
  BOOST_TEST(table.derivative(3.) == 0.);
  BOOST_TEST(table.next_kink(-1.) == 0.);
  BOOST_TEST(table.next_kink(0.) == 1.);
  BOOST_TEST(std::isinf(table.next_kink(3.)));
}

BOOST_AUTO_TEST_CASE(a_periodic_table_repeats_and_never_returns_the_same_kink) {
  const auto saw = ScalarFunction::table({0., 0.1, 0.3}, {0., 1., 0.}, BeyondTable::repeat);
  BOOST_TEST(saw(0.35) == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(saw(-0.1) == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(saw.derivative(0.3) == 10., boost::test_tools::tolerance(1e-14));
  double time = 0;
  for (int kink = 0; kink < 1000; ++kink) {
    const double next = saw.next_kink(time);
    BOOST_REQUIRE_GT(next, time + 0.0999999);
    time = next;
  }
  BOOST_TEST(time == 150., boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_table_that_refuses_says_where_it_ends) {
  const auto table = ScalarFunction::table({0., 2.}, {1., 1.}, BeyondTable::refuse);
  BOOST_TEST(table(2.) == 1.);
  BOOST_CHECK_EXCEPTION(table(2.5), InvalidInput,
                        [](const auto& error) { return mentions(error, "0 to 2 s"); });
}

BOOST_AUTO_TEST_CASE(tables_out_of_order_are_refused) {
  BOOST_CHECK_THROW(ScalarFunction::table({}, {}), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::table({0., 1.}, {0.}), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::table({0., 0.}, {0., 1.}), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::table({0., 1.}, {0., std::nan("")}), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::table({0., 1.}, {0., 1.}, BeyondTable::repeat), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_formula_knows_t_pi_and_the_usual_functions) {
  BOOST_TEST(ScalarFunction::expression("50*sin(10*pi*t)")(0.05) == 50., boost::test_tools::tolerance(1e-15));
  BOOST_TEST(ScalarFunction::expression("t > 1 ? 2 : 3")(0.5) == 3.);
  BOOST_TEST(ScalarFunction::expression("ln(e) + 1e-1")(0.) == 1.1, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(!ScalarFunction::expression("3").is_constant());
}

BOOST_AUTO_TEST_CASE(a_formula_that_cannot_be_read_names_the_place) {
  BOOST_CHECK_EXCEPTION(ScalarFunction::expression("2*t + sinn(t)"), InvalidInput, [](const auto& error) {
    return mentions(error, "character 7") && mentions(error, "sinn");
  });
  BOOST_CHECK_THROW(ScalarFunction::expression(""), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::expression("2*(t"), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::expression("x"), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::expression("1, 2"), InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction::expression("t = 3"), InvalidInput);
  BOOST_TEST(ScalarFunction::expression("(t == 3) + (t >= 3) + (t != 2)")(3.) == 3.);
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_finite_is_refused_where_it_arises) {
  const auto pole = ScalarFunction::expression("1/t");
  BOOST_TEST(pole(2.) == 0.5);
  BOOST_CHECK_EXCEPTION(pole(0.), InvalidInput, [](const auto& error) { return mentions(error, "1/t"); });
}

BOOST_AUTO_TEST_CASE(derivatives_come_from_the_right_to_eight_digits) {
  // Extrapolated differences lose half of sixteen digits.
  for (const double omega : {1e-7, 1e-4, 0.01, 1., 10 * pi, 1000., 1e5, 2e6 * pi, 1e7}) {
    const ScalarFunction wave = [omega](double t) { return std::sin(omega * t + 0.3); };
    for (const double t : {0., 0.7, 12.}) {
      // The slowest changes by 1e-8 in the longest step; the fastest know their phase to its rounding.
      const double tolerance = 2e-8 + 1e-14 / omega + 2e-14 * omega * t;
      BOOST_TEST_CONTEXT("omega = " << omega << ", t = " << t)
      BOOST_TEST(std::abs(wave.derivative(t) / omega - std::cos(omega * t + 0.3)) < tolerance);
    }
  }
  const auto road = ScalarFunction::expression("max(0, 0.05*sin(10*pi*t))");
  BOOST_TEST(road.derivative(0.) == 0.5 * pi, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(std::abs(road.derivative(0.1)) < 1e-9);
  BOOST_TEST(ScalarFunction([](double t) { return t; }, [](double) { return 7.; }).derivative(0.) == 7.);
}

BOOST_AUTO_TEST_CASE(derivatives_do_not_look_past_pulses_jumps_and_kinks) {
  const auto close = boost::test_tools::tolerance(1e-8);
  // At rest before 1 and behind 1.001 s; long steps see nothing of it.
  const ScalarFunction pulse = [](double t) { return std::max(0., 1 - std::abs(t - 1.0005) / 0.0005); };
  BOOST_TEST(pulse.derivative(1.) == 2000., close);
  BOOST_TEST(pulse.derivative(1.0005) == -2000., close);
  BOOST_TEST(pulse.derivative(0.99) == 0.);
  const ScalarFunction jump = [](double t) { return t < 0.01 ? 3 * t : 1e6; };
  BOOST_TEST(jump.derivative(0.) == 3., close);
  const ScalarFunction ripple = [](double t) { return 100 * t + 1e-3 * std::sin(1e6 * t); };
  BOOST_TEST(ripple.derivative(0.) == 1100., close);
  BOOST_TEST(ScalarFunction::expression("3").derivative(0.4) == 0.);
}

BOOST_AUTO_TEST_CASE(a_derivative_that_is_not_finite_is_refused) {
  const ScalarFunction root = ScalarFunction::expression("sqrt(1 - t)");
  BOOST_TEST(root.derivative(0.98) == -0.5 / std::sqrt(0.02), boost::test_tools::tolerance(1e-8));
  BOOST_CHECK_EXCEPTION(root.derivative(1.), InvalidInput, [](const auto& error) {
    return mentions(error, "derivative") && mentions(error, "t = 1 s");
  });
  const ScalarFunction own([](double t) { return t; }, [](double) { return std::nan(""); });
  BOOST_CHECK_THROW(own.derivative(0.), InvalidInput);
}

BOOST_AUTO_TEST_CASE(functions_are_the_same_if_they_have_equal_numbers_entries_or_formulas) {
  const auto ramp = [](double end, BeyondTable beyond) {
    return ScalarFunction::table({0., 1.}, {0., end}, beyond);
  };
  BOOST_TEST(ramp(2., BeyondTable::hold).is_multiple_of(ramp(2., BeyondTable::hold), 1.));
  BOOST_TEST(!ramp(2., BeyondTable::hold).is_multiple_of(ramp(3., BeyondTable::hold), 1.));
  BOOST_TEST(!ramp(2., BeyondTable::hold).is_multiple_of(ramp(2., BeyondTable::refuse), 1.));
  BOOST_TEST(ScalarFunction(3.).is_multiple_of(3., 1.));
  BOOST_TEST(!ScalarFunction(3.).is_multiple_of(ScalarFunction::expression("3"), 1.));
  BOOST_TEST(!ScalarFunction::expression("3").is_multiple_of(3., 1.));
  const ScalarFunction own = [](double t) { return t; };
  BOOST_TEST(own.is_multiple_of(ScalarFunction(own), 1.));
  BOOST_TEST(!own.is_multiple_of([](double t) { return t; }, 1.));
}

BOOST_AUTO_TEST_SUITE_END()
