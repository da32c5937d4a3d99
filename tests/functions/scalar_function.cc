// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/functions/scalar_function.h>

#include <boost/test/unit_test.hpp>

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

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
  BOOST_TEST(table.second_derivative(2.) == 0.);
  for (const auto& [begin, end, is_kink] : {std::tuple{-1., 0., true}, {0., 1., true}, {3., 9., false}}) {
    const SmoothInterval smooth = table.smooth_interval(begin, 9., 1e-9);
    BOOST_TEST(smooth.end == end);
    BOOST_TEST(smooth.ends_abruptly == is_kink);
  }
}

BOOST_AUTO_TEST_CASE(a_periodic_table_repeats_and_never_returns_the_same_kink) {
  const auto saw = ScalarFunction::table({0., 0.1, 0.3}, {0., 1., 0.}, BeyondTable::repeat);
  BOOST_TEST(saw(0.35) == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(saw(-0.1) == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(saw.derivative(0.3) == 10., boost::test_tools::tolerance(1e-14));
  double time = 0;
  for (int kink = 0; kink < 1000; ++kink) {
    const double next = saw.smooth_interval(time, time + 1, 1e-9).next;
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
    return mentions(error, "character 7") && mentions(error, "sinn") && !mentions(error, "position");
  });
  BOOST_CHECK_EXCEPTION(ScalarFunction::expression("1 + 0.2t"), InvalidInput, [](const auto& error) {
    return mentions(error, "character 8") && mentions(error, "Write 0.2*t.");
  });
  // Numbers of hundreds of digits are not repeated.
  BOOST_CHECK_EXCEPTION(
      ScalarFunction::expression(std::string(300, '0') + "2t"), InvalidInput,
      [](const auto& error) { return mentions(error, "character 302") && !mentions(error, "Write"); });
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
  const auto root = ScalarFunction::expression("sqrt(-1 - t)");
  BOOST_CHECK_EXCEPTION(root(0.), InvalidInput,
                        [](const auto& error) { return mentions(error, "is not a number at t = 0 s"); });
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
  BOOST_TEST(road.derivative(0.1 + 1e-15) == 0.);  // sin(pi) is rounded to more than zero
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

BOOST_AUTO_TEST_CASE(formulas_are_differentiated_exactly) {
  // The derivatives of the second column were written down by hand.
  struct Case {
    const char *formula, *rate, *second;
  };
  const std::vector<Case> cases = {
      {"3*t^2 - t^3/6 + 2/t", "6*t - t^2/2 - 2/t^2", "6 - t + 4/t^3"},
      {"-t^2", "-2*t", "-2"},
      {"2^-t", "-ln(2)*2^-t", "ln(2)^2*2^-t"},
      {"t^2^1.5", "2^1.5*t^(2^1.5-1)", "2^1.5*(2^1.5-1)*t^(2^1.5-2)"},
      {"sin(3*t)*exp(-t)", "exp(-t)*(3*cos(3*t)-sin(3*t))", "exp(-t)*(-8*sin(3*t)-6*cos(3*t))"},
      {"tan(t) + cos(t)", "1/cos(t)^2 - sin(t)", "2*sin(t)/cos(t)^3 - cos(t)"},
      {"asin(t/2) + acos(t/3)", "1/sqrt(4-t^2) - 1/sqrt(9-t^2)", "t/(4-t^2)^1.5 - t/(9-t^2)^1.5"},
      {"atan(t)", "1/(1+t^2)", "-2*t/(1+t^2)^2"},
      {"atan2(t, 2) + atan2(2, -t)", "2/(4+t^2) + 2/(4+t^2)", "-8*t/(4+t^2)^2"},
      {"sinh(t) + cosh(2*t)", "cosh(t) + 2*sinh(2*t)", "sinh(t) + 4*cosh(2*t)"},
      {"tanh(t)", "1/cosh(t)^2", "-2*tanh(t)/cosh(t)^2"},
      {"asinh(t) + acosh(t + 2)", "1/sqrt(t^2+1) + 1/sqrt((t+2)^2-1)",
       "-t/(t^2+1)^1.5 - (t+2)/((t+2)^2-1)^1.5"},
      {"atanh(t/4)", "4/(16-t^2)", "8*t/(16-t^2)^2"},
      {"log2(t) + log10(t) + ln(t) + log(t)", "(1/ln(2)+1/ln(10)+2)/t", "-(1/ln(2)+1/ln(10)+2)/t^2"},
      {"t^t", "t^t*(ln(t)+1)", "t^t*((ln(t)+1)^2+1/t)"},
      {"max(t, 2*t, 1) + min(t^2, 5) + sum(t, 1, t) + avg(t, 3)", "2 + 2*t + 2 + 0.5", "2"},
      {"abs(-t^2) + sign(t)*t + rint(t/100)", "2*t + 1", "2"},
      {"t > 0.5 && t <= 3 ? t < 9 ? t^2 : 1 : t >= 4 || t == 1 ? 7 : 8", "2*t", "2"},
      {"(t != 3)*sqrt(t)*pi + e", "0.5*pi/sqrt(t)", "-0.25*pi/t^1.5"}};
  const auto close = boost::test_tools::tolerance(1e-13);  // some ten operations
  for (const Case& given : cases)
    BOOST_TEST_CONTEXT(given.formula) {
      const auto f = ScalarFunction::expression(given.formula);
      BOOST_TEST(f.is_differentiated_exactly());
      BOOST_TEST(f.derivative(1.7) == ScalarFunction::expression(given.rate)(1.7), close);
      BOOST_TEST(f.second_derivative(1.7) == ScalarFunction::expression(given.second)(1.7), close);
    }
}

BOOST_AUTO_TEST_CASE(smooth_steps_are_known_however_far_from_their_middle) {
  for (const char* formula : {"(1 + tanh((t - 5)/1e-3))/2", "1/(1 + exp(-2*(t - 5)/1e-3))"})
    BOOST_TEST_CONTEXT(formula) {
      const auto step = ScalarFunction::expression(formula);
      for (const double t : {0., 4., 4.6, 4.65, 5.4, 10.}) {
        BOOST_TEST(step(t) == (t < 5 ? 0. : 1.), boost::test_tools::tolerance(1e-15));
        BOOST_TEST(std::abs(step.derivative(t)) < 1e-200);
        BOOST_TEST(std::abs(step.second_derivative(t)) < 1e-200);
      }
      BOOST_TEST(step.derivative(5.) == 500., boost::test_tools::tolerance(1e-13));
      BOOST_TEST(std::abs(step.second_derivative(5.)) < 1e-8);
      const double x = -3, e = std::exp(2 * x), t = 5 + 1e-3 * x;
      BOOST_TEST(step.derivative(t) == 2e3 * e / ((1 + e) * (1 + e)), boost::test_tools::tolerance(1e-9));
      BOOST_TEST(step.smooth_interval(6., 10., 1e-9).end == 10.);
    }
  // What is less than rounding of its terms is not followed.
  BOOST_TEST(ScalarFunction::expression("(1 + tanh((t - 5)/1e-3))/2").smooth_interval(0., 4.9, 1e-9).end ==
             4.9);
}

BOOST_AUTO_TEST_CASE(quotients_of_what_overflows_are_right_or_refused) {
  // The slope of t behind the step, and of 3 t where a condition holds, or none.
  for (const char* formula :
       {"t*exp((t - 5)/1e-3)/(1 + exp((t - 5)/1e-3))", "t*sinh((t - 5)/1e-3)/cosh((t - 5)/1e-3)",
        "t/(1 + exp(-(t - 5)/1e-3)) > 0.5 ? t : 0"})
    for (const double t : {5.1, 5.69, 5.7, 5.705, 5.708, 5.72, 7.}) {
      BOOST_TEST_CONTEXT(formula << " at " << t) try {
        BOOST_TEST(ScalarFunction::expression(formula).derivative(t) == 1.,
                   boost::test_tools::tolerance(1e-12));
      } catch (const UndefinedFunction&) {
      }
    }
}

BOOST_AUTO_TEST_CASE(the_size_of_a_value_is_that_of_its_terms) {
  const auto size = [](const char* formula, double t) { return ScalarFunction::expression(formula).size(t); };
  BOOST_TEST(size("1 + tanh(t)", -50.) > 0.5);
  BOOST_TEST(size("1 + tanh(t)", -50.) < 4.);
  for (const char* hidden : {"abs(1 + tanh(t))", "max(0, 1 + tanh(t))", "min(3, 1 + tanh(t))"})
    BOOST_TEST(size(hidden, -50.) > 0.5, hidden);
  BOOST_TEST(size("sqrt(1 + tanh(t))", -50.) > 1e6);
  BOOST_TEST(size("t*1e-3", 2.) >= 2e-3);
  BOOST_TEST(size("t*1e-3", 2.) < 4e-3);
  BOOST_CHECK_EXCEPTION(size("1/t", 0.), UndefinedFunction, [](const auto& error) {
    return mentions(error, "The size of the terms of the function of time \"1/t\" is inf at t = 0 s");
  });
  const auto ends = ScalarFunction::table({0., 1.}, {2., 3.}, BeyondTable::refuse);
  BOOST_CHECK_THROW(ends.size(1.5), UndefinedFunction);
  BOOST_TEST(ScalarFunction::table({0., 2.}, {-3., 3.}).size(1.) == 3.);
  BOOST_TEST(ScalarFunction(-7.).size(1.) == 7.);
}

BOOST_AUTO_TEST_CASE(every_function_of_the_parser_can_be_differentiated) {
  const mu::Parser parser;
  for (const auto& entry : parser.GetFunDef()) {
    const std::string arguments = entry.second.GetArgc() == 2 ? "(t, t)" : "(t)";
    BOOST_CHECK_NO_THROW(ScalarFunction::expression(entry.first + arguments));
  }
}

BOOST_AUTO_TEST_CASE(derivatives_of_formulas_at_kinks_are_those_of_the_time_behind) {
  const auto rate = [](const char* formula, double t) {
    return ScalarFunction::expression(formula).derivative(t);
  };
  BOOST_TEST(rate("abs(t - 1)", 1.) == 1.);
  BOOST_TEST(rate("max(0, 1 - t)", 1.) == 0.);
  BOOST_TEST(rate("min(t, t^2)", 1.) == 1.);
  BOOST_TEST(rate("t >= 1 ? 3*t : 0", 1.) == 3.);
  BOOST_TEST(rate("sqrt(max(0, t - 1))", 0.) == 0.);
  BOOST_TEST(rate("sqrt(t^4)", 0.) == 0.);
}

BOOST_AUTO_TEST_CASE(a_derivative_does_not_depend_on_the_unit_of_time) {
  const double unit = std::pow(2., 40);
  const auto in_seconds = ScalarFunction::expression("sin(3*t)*exp(-t)");
  const auto in_others = ScalarFunction::expression("sin(3*(t*2^40))*exp(-(t*2^40))");
  BOOST_TEST(in_others.derivative(0.7 / unit) == unit * in_seconds.derivative(0.7));
  BOOST_TEST(in_others.second_derivative(0.7 / unit) == unit * unit * in_seconds.second_derivative(0.7));
}

BOOST_AUTO_TEST_CASE(formulas_are_resolved_and_no_pulse_is_passed_over) {
  const auto pulse = ScalarFunction::expression("3-2.9*exp(-((t-5.13)/0.05)^2)");
  double time = 0;
  for (int n_pieces = 0; time < 10; ++n_pieces) {
    BOOST_REQUIRE_LT(n_pieces, 200);
    const SmoothInterval piece = pulse.smooth_interval(time, 10., 1e-9);
    BOOST_TEST(!piece.ends_abruptly);
    BOOST_REQUIRE_GT(piece.end, time);
    if (time > 5.03 && time < 5.2) BOOST_TEST(piece.end - time < 0.05);
    if (time < 4) BOOST_TEST(piece.end < 5.13);
    time = piece.end;
  }
}

BOOST_AUTO_TEST_CASE(kinks_and_jumps_of_formulas_are_found_to_the_last_digit) {
  struct Case {
    const char* formula;
    double kink;
  };
  for (const Case& given :
       {Case{"abs(t-1)", 1.}, Case{"t >= 0.3 ? 5 : t", 0.3}, Case{"max(0.2, t^2)", std::sqrt(0.2)},
        Case{"sign(sin(pi*t))", 1.}, Case{"rint(t)", 0.5}})
    BOOST_TEST_CONTEXT(given.formula) {
      const auto f = ScalarFunction::expression(given.formula);
      const SmoothInterval before = f.smooth_interval(0.125, 1.4, 1e-9);
      BOOST_TEST(before.ends_abruptly);
      BOOST_TEST(before.end == given.kink, boost::test_tools::tolerance(4e-16));
      BOOST_TEST(before.next == given.kink, boost::test_tools::tolerance(4e-16));
      const SmoothInterval behind = f.smooth_interval(before.next, 1.4, 1e-9);
      BOOST_TEST(behind.end > before.next);
    }
}

BOOST_AUTO_TEST_CASE(kinks_of_tables_are_times_at_which_the_next_piece_holds) {
  std::mt19937 random(5);
  const auto number = [&](double lower, double upper) {  // the same on every machine
    return lower + (upper - lower) * static_cast<double>(random()) / 4294967296.;
  };
  for (int i = 0; i < 2000; ++i) {
    const double first = number(-1., 1.), kink = first + number(0.1, 1.), last = kink + number(0.1, 1.);
    for (const BeyondTable beyond : {BeyondTable::hold, BeyondTable::repeat}) {
      const auto table = ScalarFunction::table({first, kink, last}, {0., 1., 0.}, beyond);
      const double rise = table.derivative(first), fall = table.derivative(kink),
                   period = beyond == BeyondTable::repeat ? std::floor(number(0., 1e6)) * (last - first) : 0.;
      double time = period + first + 0.3 * (kink - first);
      BOOST_REQUIRE(table.derivative(time) == rise);
      time = table.smooth_interval(time, time + 10, 1e-9).next;
      BOOST_REQUIRE(table.derivative(time) == fall);
      time = table.smooth_interval(time, time + 10, 1e-9).next;
      BOOST_REQUIRE(table.derivative(time) == (beyond == BeyondTable::repeat ? rise : 0.));
    }
  }
  // A ramp that is shorter than the last digit of the time.
  const auto short_ramp =
      ScalarFunction::table({0., 0.010457065955465798, 0.010457066055465798, 0.020210669856143892},
                            {0., 0., 1., 0.}, BeyondTable::repeat);
  const double late = 1000000.0052952863;
  BOOST_TEST(short_ramp.smooth_interval(late, late + 1, 1e-9).next > late);
  const auto flat = ScalarFunction::table({0., 0.7}, {2., 2.}, BeyondTable::repeat);
  BOOST_TEST(flat.smooth_interval(0., 100., 1e-9).end == 0.7);
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
