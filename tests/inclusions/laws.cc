// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/local_problems.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

LocalVector scalar(double value) {
  return LocalVector::Constant(1, value);
}

/// The reaction of one inclusion alone, w = W r + b.
double reaction(const Law& law, double W, double b, ContactState before = ContactState::stick) {
  LocalVector r = scalar(0);
  law.solve_local(law.parameters(0., before), LocalMatrix::Constant(1, 1, W), scalar(b), r);
  return r[0];
}

double reaction_at(const Law& law, double w, double wish) {
  return law.reaction_at(law.parameters(0., ContactState::stick), scalar(w), scalar(wish))[0];
}

ContactState state(const Law& law, double w, double r) {
  return law.state(law.parameters(0., ContactState::stick), scalar(w), scalar(r), 1e-12);
}

/// A user's law: a viscous stop, r = -c w - threshold sign(w); maximal monotone, its set no interval.
class BinghamFriction final : public Law {
 public:
  BinghamFriction(double threshold, double viscosity) : threshold_(threshold), viscosity_(viscosity) {}
  std::string name() const override { return "Bingham friction"; }
  Index dimension() const override { return 1; }
  LawLevel level(Index) const override { return LawLevel::rate; }
  bool is_positively_homogeneous() const override { return false; }
  LawParameters parameters(double, ContactState) const override { return {threshold_}; }
  void resolvent(const LawParameters& p, double rho, LocalConstView z, LocalView r) const override {
    const double excess = std::max(0., std::abs(z[0]) - p[0]);
    r[0] = z[0] - std::copysign(rho / (rho + viscosity_) * excess, z[0]);
  }
  void project(const LawParameters& p, LocalConstView reaction, LocalView r) const override {
    r[0] = std::clamp(reaction[0], -p[0], p[0]);
  }
  ContactState state(const LawParameters&, LocalConstView w, LocalConstView,
                     double tolerance) const override {
    return std::abs(w[0]) <= tolerance ? ContactState::stick
           : w[0] > 0                  ? ContactState::slip_forward
                                       : ContactState::slip_back;
  }

 private:
  double threshold_, viscosity_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(laws)

BOOST_AUTO_TEST_CASE(dry_friction_sticks_between_its_thresholds_and_slips_at_them) {
  const DryFriction law(-2., 3.);
  BOOST_TEST(reaction(law, 0.5, 0.75) == -1.5);  // -b/W
  BOOST_TEST(reaction(law, 0.5, 1.25) == -2.);
  BOOST_TEST(reaction(law, 0.5, -5.) == 3.);
  BOOST_TEST(reaction_at(law, 1e-300, 0.) == -2.);
  BOOST_TEST(reaction_at(law, -1e-300, 0.) == 3.);
  BOOST_TEST(reaction_at(law, 0., 1.) == 1.);
  BOOST_TEST(reaction_at(law, 0., 7.) == 3.);
  BOOST_TEST((state(law, 0.25, -2.) == ContactState::slip_forward));
  BOOST_TEST((state(law, -0.25, 3.) == ContactState::slip_back));
  BOOST_TEST((state(law, 0., -2.) == ContactState::stick));
  BOOST_TEST(law.dissipated_power(scalar(0.25), scalar(-2.)) == 0.5);
  BOOST_TEST(law.is_maximal_monotone());
  BOOST_TEST(law.is_positively_homogeneous());
  BOOST_TEST((law.level(0) == LawLevel::rate));
  BOOST_TEST(!law.restitution().has_value());
}

BOOST_AUTO_TEST_CASE(dry_friction_with_zero_thresholds_is_free) {
  const DryFriction free(0., 0.), one_way(0., 3.);
  BOOST_TEST(reaction(free, 0.5, 1.) == 0.);
  BOOST_TEST((state(free, 1., 0.) == ContactState::slip_forward));
  BOOST_TEST((state(free, -1., 0.) == ContactState::slip_back));
  BOOST_TEST(reaction(one_way, 0.5, 1.) == 0.);
  BOOST_TEST(reaction(one_way, 0.5, -1.) == 2.);
}

BOOST_AUTO_TEST_CASE(thresholds_may_depend_on_time_and_are_checked_when_they_do) {
  const DryFriction law(-1., ScalarFunction::expression("1 - t"));
  BOOST_TEST(law.parameters(0.25, ContactState::stick)[1] == 0.75);
  BOOST_CHECK_EXCEPTION(law.parameters(2., ContactState::stick), InvalidInput,
                        [](const auto& error) { return mentions(error, "upper = -1 at t = 2"); });
}

BOOST_AUTO_TEST_CASE(wrong_parameters_are_refused_where_they_are_given) {
  const double nan = std::nan("");
  BOOST_CHECK_THROW(DryFriction(3., -2.), InvalidInput);
  BOOST_CHECK_THROW(DryFriction(1., 2.), InvalidInput);
  BOOST_CHECK_THROW(DryFriction(nan, 2.), InvalidInput);
  BOOST_CHECK_THROW(DryFriction(-infinity, 2.), InvalidInput);
  BOOST_CHECK_THROW(StVenantElement(-1.), InvalidInput);
  BOOST_CHECK_THROW(UnilateralContact(0., -0.1), InvalidInput);
  BOOST_CHECK_THROW(UnilateralContact(0., 1.1), InvalidInput);
  BOOST_CHECK_THROW(UnilateralContact(0., nan), InvalidInput);
  BOOST_CHECK_THROW(CoulombFriction(2, -0.3), InvalidInput);
  BOOST_CHECK_THROW(CoulombFriction(0, 0.3), InvalidInput);
  BOOST_CHECK_THROW(CoulombFriction(3, 0.3), InvalidInput);
  BOOST_CHECK_THROW(CoulombFriction(2, 0.3, 0., 1.5), InvalidInput);
  BOOST_CHECK_THROW(StaticKineticFriction(1., 2.), InvalidInput);
  BOOST_CHECK_THROW(StaticKineticFriction(1., -0.5), InvalidInput);
  BOOST_CHECK_THROW(FrictionCurve::exponential(1., 2., 1.), InvalidInput);
  BOOST_CHECK_THROW(FrictionCurve::exponential(2., 1., 0.), InvalidInput);
  BOOST_CHECK_THROW(FrictionCurve::hyperbolic(2., -1., 1.), InvalidInput);
  BOOST_CHECK_THROW(WeakeningFriction({[](double) { return 1.; }, [](double) { return -2.; }, 1.}),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_st_venant_element_is_dry_friction_with_equal_thresholds) {
  const StVenantElement element(ScalarFunction(2.), ScalarFunction::expression("3*t"));
  const DryFriction friction(-2., 2.);
  for (const double b : {-3., -0.5, 0., 0.5, 3.})
    BOOST_TEST(reaction(element, 1., b) == reaction(friction, 1., b));
  BOOST_TEST(element.support(0)(2.) == 6.);
  BOOST_TEST(reaction(StVenantElement(0.), 1., 5.) == 0.);
}

BOOST_AUTO_TEST_CASE(contact_pushes_only_where_the_gap_would_close) {
  const UnilateralContact law(ScalarFunction::expression("0.1*t"), 0.5);
  BOOST_TEST(reaction(law, 0.5, 1.) == 0.);
  BOOST_TEST(reaction(law, 0.5, -1.) == 2.);
  BOOST_TEST(reaction(law, 0.5, 0.) == 0.);
  BOOST_TEST(*law.restitution() == 0.5);
  BOOST_TEST(law.support(0)(2.) == 0.2);
  BOOST_TEST((law.level(0) == LawLevel::gap));
  BOOST_TEST((state(law, 1., 0.) == ContactState::open));
  BOOST_TEST((state(law, 0., 0.) == ContactState::closed));
  BOOST_TEST((state(law, 0., 2.) == ContactState::closed));
  BOOST_TEST(reaction_at(law, 0.3, 5.) == 0.);
  BOOST_TEST(reaction_at(law, 0., 5.) == 5.);
  BOOST_CHECK_THROW(reaction_at(law, -0.3, 5.), InvalidInput);
  BOOST_TEST(!UnilateralContact().restitution().has_value());
}

BOOST_AUTO_TEST_CASE(static_friction_holds_more_than_kinetic_friction) {
  const StaticKineticFriction law(3., 2.);
  BOOST_TEST(reaction(law, 1., 2.5, ContactState::stick) == -2.5);
  BOOST_TEST(reaction(law, 1., 2.5, ContactState::slip_forward) == -2.);
  auto parameters = law.parameters(0., ContactState::stick);
  BOOST_TEST(!law.reconsider(parameters, ContactState::stick));
  BOOST_TEST(law.reconsider(parameters, ContactState::slip_forward));
  BOOST_TEST(parameters[0] == -2.);
  BOOST_TEST(!law.reconsider(parameters, ContactState::slip_forward));
  BOOST_TEST(!law.is_maximal_monotone());
}

BOOST_AUTO_TEST_CASE(friction_that_turns_comes_to_rest_in_between) {
  const StaticKineticFriction law(3., 2.);
  auto parameters = law.parameters(0., ContactState::slip_forward);
  BOOST_TEST(parameters[0] == -2.);
  BOOST_TEST(!law.reconsider(parameters, ContactState::slip_forward));
  BOOST_TEST(law.reconsider(parameters, ContactState::slip_back));  // it may be held by static friction
  BOOST_TEST(parameters[0] == -3.);
  BOOST_TEST(law.reconsider(parameters, ContactState::slip_back));  // it is not
  BOOST_TEST(parameters[0] == -2.);
  BOOST_TEST(!law.reconsider(parameters, ContactState::slip_forward));  // once a step
}

BOOST_AUTO_TEST_CASE(weakening_friction_solves_its_scalar_equation) {
  for (const auto& curve :
       {FrictionCurve::exponential(4., 1., 3.125), FrictionCurve::hyperbolic(4., 1., 3.125)}) {
    const WeakeningFriction law(curve);
    const double W = 1.;  // l W = 0.96
    for (const double b : {-100., -4.5, -4.0001, -4., 0.3, 4., 4.0001, 7., 1e6}) {
      const double r = reaction(law, W, b), w = W * r + b;
      if (std::abs(b) <= 4) {
        BOOST_TEST(r == -b);
      } else {
        BOOST_TEST(w * b > 0);
        BOOST_TEST(r == -std::copysign(curve.force(std::abs(w)), b), boost::test_tools::tolerance(1e-12));
      }
    }
    BOOST_TEST(law.one_sided_lipschitz_constant() == 0.96);
    BOOST_TEST(!law.is_maximal_monotone());
    BOOST_TEST(!law.is_positively_homogeneous());
    BOOST_TEST(reaction_at(law, -2., 0.) == curve.force(2.));
    BOOST_TEST(reaction_at(law, 0., 9.) == 4.);
  }
  const FrictionCurve flat = FrictionCurve::exponential(2., 2., 1.);
  for (const double b : {-3., 0.5, 3.}) {
    BOOST_TEST(reaction(WeakeningFriction(flat), 10., b) == reaction(StVenantElement(2.), 10., b));
  }
}

BOOST_AUTO_TEST_CASE(weakening_friction_refuses_a_step_in_which_the_rate_would_jump_and_names_one_that_does) {
  const WeakeningFriction law(FrictionCurve::exponential(4., 1., 1.));  // l = 3
  BOOST_CHECK_EXCEPTION(reaction(law, 2., 5.), NotAvailable, [](const auto& error) {
    return mentions(error, "l W = 6") && mentions(error, "0.166667");
  });
}

BOOST_AUTO_TEST_CASE(a_curve_that_falls_more_steeply_than_it_says_is_refused) {
  // Stribeck's curve is flat at rest and steepest at v_0 / sqrt(2), 10^-3.01.
  const FrictionCurve right = FrictionCurve::gaussian(4., 1., 1.38e-3);
  BOOST_TEST(-right.slope(1.38e-3 / std::sqrt(2.)) == right.steepest_decrease,
             boost::test_tools::tolerance(1e-14));
  BOOST_CHECK_NO_THROW(WeakeningFriction{right});
  for (const double l : {0., 0.9 * right.steepest_decrease})
    BOOST_CHECK_EXCEPTION((WeakeningFriction{{right.force, right.slope, l}}), InvalidInput,
                          [](const auto& error) { return mentions(error, "steepest decrease is l = "); });
  // A fall between the speeds at which the slope is looked at.
  const auto falls = [](double v) { return 2. - 5 * std::clamp(v - 2.9, 0., 0.2); };
  BOOST_CHECK_EXCEPTION((WeakeningFriction{{falls, [](double) { return 0.; }, 0.}}), InvalidInput,
                        [](const auto& error) { return mentions(error, "decreases more steeply than"); });
  // Too narrow a dip to be found beforehand.
  const auto slope = [](double v) { return v > 2.9 && v < 3. ? -5. : v > 3. && v < 3.1 ? 5. : 0.; };
  const auto force = [](double v) {
    return 2. - 5 * std::clamp(v - 2.9, 0., 0.1) + 5 * std::clamp(v - 3., 0., 0.1);
  };
  const WeakeningFriction step({force, slope, 0.});
  BOOST_CHECK_EXCEPTION(reaction(step, 1., 4.95), InvalidInput,
                        [](const auto& error) { return mentions(error, "f'(v) = -5"); });
}

BOOST_AUTO_TEST_CASE(a_curve_without_functions_with_negative_or_infinite_values_is_refused) {
  const auto zero = [](double) { return 0.; };
  const auto nan = [](double) { return std::nan(""); };
  BOOST_CHECK_THROW((WeakeningFriction{{nullptr, zero, 1.}}), InvalidInput);
  BOOST_CHECK_THROW((WeakeningFriction{{zero, nullptr, 1.}}), InvalidInput);
  BOOST_CHECK_THROW((WeakeningFriction{{zero, nan, 1.}}), InvalidInput);
  BOOST_CHECK_THROW((WeakeningFriction{{[](double v) { return 1 - v; }, [](double) { return -1.; }, 1.}}),
                    InvalidInput);
  BOOST_CHECK_THROW(ScalarFunction(std::function<double(double)>()), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_laws_graphs_are_as_monotone_as_they_say) {
  RandomNumbers random(5);
  const DryFriction dry(-2., 3.);
  const UnilateralContact contact;
  const WeakeningFriction weakening(FrictionCurve::hyperbolic(4., 1., 2.));
  const BinghamFriction own(1., 0.5);
  for (const Law* law : std::initializer_list<const Law*>{&dry, &contact, &weakening, &own}) {
    const auto parameters = law->parameters(0., ContactState::stick);
    const double rho = 2 * law->one_sided_lipschitz_constant() + 1;
    double w_before = 0, r_before = 0;
    for (int sample = 0; sample < 1000; ++sample) {
      LocalVector r = scalar(20 * random());
      const double z = r[0];
      law->resolvent(parameters, rho, r, r);
      const double w = (r[0] - z) / rho;
      const double excess = (w - w_before) * (r[0] - r_before) -
                            law->one_sided_lipschitz_constant() * (w - w_before) * (w - w_before);
      if (sample > 0) BOOST_TEST(excess <= 1e-10);  // products of numbers up to 20
      BOOST_TEST(law->natural_residual(parameters, rho, scalar(w), r) < 1e-14);
      BOOST_TEST(-w * r[0] >= -1e-14);
      w_before = w;
      r_before = r[0];
    }
  }
}

BOOST_AUTO_TEST_CASE(a_law_of_ones_own_needs_its_resolvent_its_set_and_its_state) {
  const BinghamFriction law(1., 0.5);
  BOOST_TEST(reaction(law, 2., 1.) == -0.5, boost::test_tools::tolerance(1e-14));
  // w = 2 r + 6, r = -0.5 w - 1: w = 2, r = -2.
  BOOST_TEST(reaction(law, 2., 6.) == -2., boost::test_tools::tolerance(1e-14));
  BOOST_TEST(law.distance(law.parameters(0., ContactState::stick), scalar(1.5)) == 0.5);
  const auto parameters = law.parameters(0., ContactState::stick);
  BOOST_TEST(law.resolvent_derivative(parameters, 2., scalar(3.))(0, 0) == 0.2,
             boost::test_tools::tolerance(1e-8));
  BOOST_CHECK_THROW(reaction_at(law, 1., 0.), NotAvailable);
}

BOOST_AUTO_TEST_CASE(states_have_names) {
  BOOST_TEST(name_of(ContactState::slip_forward) == std::string("slip forward"));
  BOOST_TEST(name_of(ContactState::open) == std::string("open"));
}

BOOST_AUTO_TEST_SUITE_END()
