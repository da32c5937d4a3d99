// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "dense_models.h"

/// Inclusions on DoFs of every kind at once, where reactions on each kind move all others: rows of half DoFs
/// hold entries of inertial columns.

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Ten digits short of double precision's sixteen allow for the condition of D and of what is met.
constexpr double rounding = 1e-10;

/// What a law does at the start: friction that rests or slips, a contact that touches or is apart.
struct Begin {
  DenseLaw law;
  bool is_active;  ///< rests, touches
};

/// Friction and contacts on every kind, both ways.
struct Everywhere {
  /// @param left_out what the integrator does not take
  explicit Everywhere(const DenseSystem& given, const std::vector<ReducedLaw>& left_out = {})
      : dense{given, {}} {
    const auto& [I, C, K, D] = dense.elimination;
    const auto add = [&](const DenseLaw& law, bool is_active, ReducedLaw reduced_law) {
      if (std::find(left_out.begin(), left_out.end(), reduced_law) != left_out.end()) return;
      laws.push_back({law, is_active});
      dense.laws.push_back(law);
    };
    add(rub(I[0], -0.4, 0.6), true, ReducedLaw::filippov_inclusion);
    add(rub(I[1], -2., 2.), false, ReducedLaw::filippov_inclusion);
    add(wall(I[2]), true, ReducedLaw::measure_inclusion);
    add(wall(I[3]), false, ReducedLaw::measure_inclusion);
    add(rub(C[0], -0.3, 0.2), false, ReducedLaw::lipschitz_friction);
    add(wall(C[1]), true, ReducedLaw::sweeping_process);
    add(wall(C[2]), false, ReducedLaw::sweeping_process);
    add(wall(K[0]), true, ReducedLaw::lipschitz_contact);
    add(wall(K[1]), true, ReducedLaw::lipschitz_contact);
    add(rub(K[2], -3., 3.), true, ReducedLaw::play);
  }

  bool is_on(const std::vector<Index>& kind, std::size_t i) const {
    return std::find(kind.begin(), kind.end(), laws[i].law.dof) != kind.end();
  }
  NonsmoothModel<> model(std::optional<double> e) const { return dense.model(e); }

  /// Displacements and rates that let each begin as it should.
  std::pair<Vector, Vector> initial(unsigned seed) const {
    RandomNumbers numbers(seed);
    Vector q = 0.3 * numbers.matrix(dense.system.size(), 1), v = numbers.matrix(dense.system.size(), 1);
    for (const auto& [law, is_active] : laws) {
      if (law.is_contact) q[law.dof] = is_active ? 0. : std::abs(q[law.dof]) + 0.1;
      if (is_active) v[law.dof] = 0;
    }
    return {q, v};
  }

  /// What the laws are met by at the start: gaps and slips, rates, accelerations. What slips or is apart has
  /// its reaction.
  Vector met(const NonsmoothState& start, const Vector& q_given, const Vector& r) const {
    const auto& [I, C, K, D] = dense.elimination;
    const DenseModel::Motion now = dense.motion(start.y, dense.load(start.time) + dense.force(r));
    Vector met(r.size());
    for (std::size_t i = 0; i < laws.size(); ++i) {
      const auto& [law, is_active] = laws[i];
      const auto j = static_cast<Eigen::Index>(i);
      if (is_on(K, i))
        met[j] = now.q[law.dof] - (law.is_contact ? 0. : q_given[law.dof]);
      else if (law.is_contact && !is_active)
        met[j] = r[j] + 1;
      else if (is_on(C, i))
        met[j] = now.v[law.dof];
      else if (is_active)
        met[j] = now.a[law.dof];
      else
        met[j] = now.v[law.dof] > 0 ? r[j] - law.lower + 1e3 : r[j] - law.upper - 1e3;
    }
    return met;
  }

  DenseModel dense;
  std::vector<Begin> laws;
};

InclusionOutcome as_operator(const NonsmoothModel<>& model) {
  DelassusOptions few;
  few.max_dense = 2;
  return classify_inclusions(model.inclusions, few);
}

/// Gaps of all, rates of what meets no algebraic DoF, as they follow from state and reactions.
void check_what_is_stored(const Everywhere& all, const NonsmoothState& state) {
  const DenseModel& dense = all.dense;
  const DenseModel::Motion now = dense.motion(state.y, dense.load(state.time) + dense.force(state.r));
  Vector g(state.g.size()), w = Vector::Zero(state.w.size()), found = w;
  for (std::size_t i = 0; i < dense.laws.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    g[j] = now.q[dense.laws[i].dof];
    if (all.is_on(dense.elimination.K, i)) continue;
    w[j] = now.v[dense.laws[i].dof];
    found[j] = state.w[j];
  }
  BOOST_TEST(relative_error(state.g, g) < rounding);
  BOOST_TEST(relative_error(found, w) < rounding);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mixed_kinds)

BOOST_AUTO_TEST_CASE(starts_meet_inclusions_on_all_kinds_at_once) {
  int n_pushing = 0;
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    const Everywhere all(dominant(random_unsymmetric(4, 3, 3, seed)));
    const NonsmoothModel<> model = all.model(0.5);
    const auto [q, v] = all.initial(seed + 100);
    const NonsmoothState start = model.start(q, v, 0.5);
    Reactions reactions(all.dense.laws);
    const Vector expected = reactions.solve([&, q = q](const Vector& r) { return all.met(start, q, r); });
    BOOST_TEST(relative_error(start.r, expected) < rounding);
    check_what_is_stored(all, start);
    const NonsmoothState again = nonsmooth_start(model.inclusions, model.outcome, start, start.r),
                         found = nonsmooth_start(model.inclusions, as_operator(model), q, v, 0.5);
    BOOST_TEST(relative_error(again.r, expected) < rounding);
    BOOST_TEST(relative_error(found.r, expected) < rounding);
    n_pushing += static_cast<int>((expected.array() != 0).count());
  }
  BOOST_TEST(n_pushing > 50);
}

using ExplicitMethods = boost::mpl::list<SetValuedEuler<EigenEngine>, SetValuedRungeKutta<EigenEngine>,
                                         YosidaPenalty<EigenEngine>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(explicit_steps_meet_inclusions_on_all_kinds_at_once, Method, ExplicitMethods) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    constexpr bool has_impacts = std::is_same_v<Method, YosidaPenalty<EigenEngine>>;
    const Everywhere all(dominant(random_unsymmetric(4, 3, 3, seed)),
                         {ReducedLaw::play, has_impacts ? ReducedLaw::play : ReducedLaw::measure_inclusion});
    const NonsmoothModel<> model = all.model(0.5);
    const auto [q, v] = all.initial(seed + 100);
    NonsmoothState state = model.start(q, v, 0.5);
    const double h = 1e-3;
    const auto method = [&] {
      if constexpr (has_impacts)
        return Method(model.inclusions, model.outcome, h, 1e-3);
      else
        return Method(model.inclusions, model.outcome, h);
    };
    Method integrator = method();
    for (int step = 0; step < 5; ++step) {
      integrator.step(state);
      check_what_is_stored(all, state);
    }
    verified_run(integrator, state, 0.7);
    check_what_is_stored(all, state);
  }
}

BOOST_AUTO_TEST_CASE(event_driven_runs_meet_inclusions_on_all_kinds_at_once) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const Everywhere all(dominant(random_unsymmetric(4, 3, 3, seed)), {ReducedLaw::measure_inclusion});
    const NonsmoothModel<> model = all.model(0.5);
    const auto [q, v] = all.initial(seed + 100);
    NonsmoothState state = model.start(q, v, 0.5);
    EventDrivenOptions accurate;
    accurate.relative_tolerance = 1e-10;
    verified_run(EventDriven<EigenEngine>(model.inclusions, model.outcome, accurate), state, 1.5);
    check_what_is_stored(all, state);
  }
}

BOOST_AUTO_TEST_CASE(impulses_that_would_move_laws_without_mass_at_once_are_refused_in_event_driven_runs) {
  // They would let viscous DoFs jump, and algebraic ones without bound.
  const Everywhere all(dominant(random_unsymmetric(4, 3, 3, 1u)));
  const NonsmoothModel<> model = all.model(0.5);
  BOOST_CHECK_EXCEPTION(EventDriven<EigenEngine>(model.inclusions, model.outcome), NotAvailable,
                        [](const std::exception& error) {
                          return std::string(error.what()).find("Impulses of the contact \"law 2\"") == 0;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
