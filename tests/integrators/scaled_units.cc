// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <functional>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Units of length, force and time, as powers of two: they do not change a digit of products and quotients.
struct Units {
  int length, force, time;

  double l() const { return std::ldexp(1., length); }
  double f() const { return std::ldexp(1., force); }
  double t() const { return std::ldexp(1., time); }
};

std::ostream& operator<<(std::ostream& out, const Units& units) {
  return out << "2^" << units.length << " m, 2^" << units.force << " N, 2^" << units.time << " s";
}

const std::vector<Units> all_units = {{40, 0, 0}, {-40, 0, 0}, {0, 40, 0},     {0, -40, 0},
                                      {0, 0, 40}, {0, 0, -40}, {30, -37, -33}, {-40, 40, 40}};

/// factor * g(t / T), where g is a formula in `t`.
ScalarFunction scaled(const std::string& text, double factor, const Units& units) {
  std::string result = "2^" + std::to_string(std::ilogb(factor)) + "*(";
  for (const char c : text)
    result += c == 't' ? "(t*2^" + std::to_string(-units.time) + ")" : std::string(1, c);
  return ScalarFunction::expression(result + ")");
}

/// Two DoFs on springs: friction on the second, and a stop where asked for.
struct Case {
  const char* name;
  double m_0, m_1, c;
  bool has_stop;

  NonsmoothModel<> model(const Units& units) const {
    const double F = units.f(), L = units.l(), T = units.t();
    DenseSystem system = empty_system(2);
    system.M(0, 0) = m_0 * F * T * T / L;
    system.M(1, 1) = m_1 * F * T * T / L;
    connect(system.C, 0, 1, c * F * T / L);
    system.C(0, 0) += c * F * T / L;
    system.K << 50, -20, -20, 31;
    system.K *= F / L;
    std::vector<Inclusion> inclusions = {
        inclusion("friction",
                  std::make_shared<const StVenantElement>(scaled("2+cos(3*t)", F, units),
                                                          scaled("0.1*sin(11*t)", L, units)),
                  on(1))};
    if (has_stop)
      inclusions.push_back(inclusion("stop", contact(scaled("-0.05+0.03*sin(5*t)", L, units)), on(0)));
    const ScalarFunction load = load_factor(units);
    return {system, std::move(inclusions), [load](double t) -> Vector {
              return load(t) * vector_of({9., -4.});
            }};
  }
  static ScalarFunction load_factor(const Units& units) { return scaled("sin(7*t)", units.f(), units); }
};

const std::vector<Case> with_plays = {{"inertial", 1.3, 0.7, 0.1, true},
                                      {"light", 1.3, 0, 0, true},
                                      {"massless", 0, 0, 0, true},
                                      {"viscous", 0, 0, 1, false}};
/// What explicit methods take.
const std::vector<Case> with_masses = {{"inertial", 1.3, 0.7, 0.1, false}};

/// Displacements, reactions and the energy dissipated at ten times, in the units of the model.
template <class Make>
Vector history(const Case& given, const Units& units, const Make& make) {
  const NonsmoothModel<> model = given.model(units);
  const auto integrator = make(model, units);
  NonsmoothState state = model.at_rest();
  std::vector<double> values, times;
  for (int k = 1; k <= 10; ++k)
    times.push_back(0.2 * k * units.t());
  integrator->run(state, times, [&](const NonsmoothObservation<EigenEngine>& now) {
    const Vector q = now.lift().displacement / units.l();
    values.insert(values.end(), q.data(), q.data() + q.size());
    for (const Vector& r : now.reactions())
      values.push_back(r[0] / units.f());
  });
  values.push_back(state.dissipated / (units.f() * units.l()));
  return vector_of(values);
}

template <class Make>
void check_units(const std::vector<Case>& cases, const Units& units, const Make& make,
                 double tolerance = 1e-11) {
  for (const Case& given : cases)
    BOOST_TEST_CONTEXT(given.name) {
      const Vector expected = history(given, {0, 0, 0}, make), found = history(given, units, make);
      // Factorizations and eigenvalues choose pivots and scales by size, and so round in another way.
      BOOST_TEST((found - expected).cwiseAbs().maxCoeff() < tolerance * expected.cwiseAbs().maxCoeff());
    }
}

/// A method with steps of 0.01 units of time.
template <class Method>
auto stepping() {
  return [](const NonsmoothModel<>& model, const Units& units) {
    return std::make_unique<Method>(model.inclusions, model.outcome, 0.01 * units.t());
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scaled_units)

BOOST_DATA_TEST_CASE(event_driven_runs_do_not_depend_on_units, boost::unit_test::data::make(all_units),
                     units) {
  check_units(
      with_plays, units,
      [](const NonsmoothModel<>& model, const Units& scale) {
        EventDrivenOptions options;
        options.functions = {Case::load_factor(scale)};
        return std::make_unique<EventDriven<EigenEngine>>(model.inclusions, model.outcome, options);
      },
      1e-9);  // steps, which rounding may choose otherwise, err by 1e-10
}

BOOST_DATA_TEST_CASE(moreau_jean_does_not_depend_on_units, boost::unit_test::data::make(all_units), units) {
  check_units(with_plays, units, stepping<MoreauJean<EigenEngine>>());
}

BOOST_DATA_TEST_CASE(implicit_euler_does_not_depend_on_units, boost::unit_test::data::make(all_units),
                     units) {
  check_units(with_plays, units, stepping<NonsmoothEuler<EigenEngine>>());
}

BOOST_DATA_TEST_CASE(generalized_alpha_does_not_depend_on_units, boost::unit_test::data::make(all_units),
                     units) {
  check_units(with_plays, units, stepping<NonsmoothAlpha<EigenEngine>>());
}

BOOST_DATA_TEST_CASE(set_valued_methods_do_not_depend_on_units, boost::unit_test::data::make(all_units),
                     units) {
  check_units(with_masses, units, stepping<SetValuedEuler<EigenEngine>>());
  check_units(with_masses, units, stepping<SetValuedRungeKutta<EigenEngine>>());
}

BOOST_DATA_TEST_CASE(penalties_do_not_depend_on_units, boost::unit_test::data::make(all_units), units) {
  const std::vector<Case> with_impacts = {{"inertial", 1.3, 0.7, 0.1, true}};
  check_units(with_impacts, units, [](const NonsmoothModel<>& model, const Units& scale) {
    const double h = 0.01 * scale.t();
    return std::make_unique<YosidaPenalty<EigenEngine>>(model.inclusions, model.outcome, h, h * h);
  });
}

BOOST_AUTO_TEST_SUITE_END()
