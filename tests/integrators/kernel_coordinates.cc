// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

/// Inclusions and integrators on systems whose kernels no column shows, by kernels and by the Weierstrass
/// form.

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// A mass, a viscous and an algebraic DoF on springs, rubbed and stopped; in coordinates q = Q p.
NonsmoothModel<> turned(const MultiVector& Q, ReductionMethod method = ReductionMethod::automatic) {
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  system.C(1, 1) = 0.5;
  system.K.diagonal() << 3., 2., 4.;
  connect(system.K, 0, 1, 5.);
  connect(system.K, 1, 2, 2.);
  for (MultiVector* A : {&system.M, &system.C, &system.K})
    *A = (Q.transpose() * *A * Q).eval();
  const auto along = [&](Index dof) {
    std::vector<WeightedDoF> entries;
    for (Index i = 0; i < 3; ++i)
      entries.push_back({i, Q(dof, i)});
    return Direction(entries);
  };
  return NonsmoothModel<>(
      system,
      {inclusion("on the mass", friction(-0.3, 0.4), along(0)),
       inclusion("on a damper", friction(-0.2, 0.2), along(1)), inclusion("stop", contact(-0.05), along(2))},
      [Q](double t) {
        return Vector(Q.transpose() * vector_of({2 * std::sin(3 * t), std::cos(5 * t), std::sin(2 * t)}));
      },
      {}, {}, {}, method);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel_coordinates)

using Methods =
    boost::mpl::list<MoreauJean<EigenEngine>, SetValuedRungeKutta<EigenEngine>, EventDriven<EigenEngine>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(inclusions_meet_what_they_meet_in_any_coordinates, Method, Methods) {
  const MultiVector one = MultiVector::Identity(3, 3),
                    Q = singular_value_decomposition(RandomNumbers(4).matrix(3, 3)).U;
  const NonsmoothModel<> straight = turned(one);
  BOOST_TEST((straight.inclusions.reduced().method() == ReductionMethod::null_columns));
  NonsmoothState state = straight.at_rest();
  with_step<Method>(straight, 1e-3).run(state, 2.);
  for (const ReductionMethod method : {ReductionMethod::automatic, ReductionMethod::weierstrass})
    BOOST_TEST_CONTEXT(name_of(method)) {
      const NonsmoothModel<> oblique = turned(Q, method);
      BOOST_TEST((oblique.inclusions.reduced().method() ==
                  (method == ReductionMethod::automatic ? ReductionMethod::kernel : method)));
      for (std::size_t j = 0; j < 3; ++j) {
        const DirectionOutcome &expected = straight.outcome.directions[j],
                               &found = oblique.outcome.directions[j];
        BOOST_TEST((found.reduced_laws == expected.reduced_laws));
        BOOST_TEST((found.acts_on == expected.acts_on));
        BOOST_TEST(found.W == expected.W, boost::test_tools::tolerance(1e-12));
      }
      NonsmoothState other = oblique.at_rest();
      verified_run(with_step<Method>(oblique, 1e-3), other, 2.);
      BOOST_TEST((state.contacts == other.contacts));
      BOOST_TEST((state.r - other.r).norm() <= 1e-7 * state.r.norm());
      BOOST_TEST((straight.displacement(state) - Q * oblique.displacement(other)).norm() <= 1e-8);
    }
}

BOOST_AUTO_TEST_SUITE_END()
