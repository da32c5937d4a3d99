// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "nonlinear_models.h"
#include "reduction/mentions.h"
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

}  // namespace

BOOST_AUTO_TEST_SUITE(tangent_differences)

BOOST_AUTO_TEST_CASE(small_motions_are_not_those_of_wrong_tangents) {
  for (const double unit : {1., 1e-12, 1e12}) {
    const HardeningMount mount;
    const auto about = [&](double wrong_K, double wrong_C, double wrong_M) {
      SystemDescription<EigenEngine> description;
      description.mass = matrix_of<EigenEngine>(MultiVector(unit * mount.linear.M));
      description.damping = matrix_of<EigenEngine>(MultiVector(unit * mount.linear.C));
      description.stiffness = matrix_of<EigenEngine>(MultiVector(unit * mount.linear.K));
      const StateForce<EigenEngine> right = state_force(mount.parts, 3);
      description.state_force = right;
      description.state_force.force = [=](double t, const AssembledMotion& now) {
        return Vector(unit * right.force(t, now));
      };
      description.state_force.tangents = [=](double t, const AssembledMotion& now) {
        const Tangents<EigenEngine> all = right.tangents(t, now);
        const auto times = [&](const auto& A, double factor) {
          return A ? std::optional(EigenEngine::sum(unit * factor, *A, 0., *A)) : A;
        };
        return Tangents<EigenEngine>{times(all.mass, wrong_M), times(all.damping, wrong_C),
                                     times(all.stiffness, wrong_K)};
      };
      const Reduced reduced(AssembledSystem<EigenEngine>(std::move(description)));
      return reduced.about(State{0.4, Eigen::Vector3d(0.8, -0.3, 1.7)});
    };
    BOOST_CHECK_NO_THROW(about(1, 1, 1));
    for (const double factor : {0.9, 0.99, 1.01, 1.1}) {
      BOOST_CHECK_EXCEPTION(about(factor, 1, 1), InvalidInput, [](const Error& error) {
        return mentions(error, {"stiffness dp/dq", "is not the derivative of this force", "t = 0.4",
                                "in the equation of DoF"});
      });
      BOOST_CHECK_EXCEPTION(about(1, factor, 1), InvalidInput, [](const Error& error) {
        return mentions(error, {"damping dp/dq'", "in the equation of DoF"});
      });
      BOOST_CHECK_EXCEPTION(about(1, 1, factor), Error, [](const Error& error) {
        return mentions(error, {"mass", "DoF 0"});
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(at_a_kink_the_tangents_of_either_side_are_right) {
  SystemDescription<EigenEngine> description;
  description.mass = description.stiffness = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
  description.state_force = state_force({}, 1);
  description.state_force.force = [](double, const AssembledMotion& now) {
    return Vector(2 * now.displacement.cwiseMax(0.));
  };
  for (const auto& [slope, is_right] :
       {std::pair(0., true), {2., true}, {1., true}, {2.5, false}, {-1., false}}) {
    description.state_force.tangents = [slope = slope](double, const AssembledMotion&) {
      return Tangents<EigenEngine>{{}, {}, matrix_of<EigenEngine>(MultiVector::Constant(1, 1, slope))};
    };
    const Reduced reduced{AssembledSystem<EigenEngine>(description)};
    std::ostringstream summary;
    reduced.print_summary(summary);
    BOOST_TEST((summary.str().find("is not the derivative of this force") == std::string::npos) == is_right,
               summary.str());
    if (is_right)
      BOOST_CHECK_NO_THROW(reduced.about(State{0, Vector::Zero(2)}));
    else
      BOOST_CHECK_THROW(reduced.about(State{0, Vector::Zero(2)}), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(right_tangents_are_not_refused_because_differences_are_rounded) {
  // A large force that hardly changes, a small motion that is rounded in a sum, a damper that saturates: each
  // with the tangents of its formula, at rest and elsewhere.
  using Scalar = double (*)(double u, double v);
  struct Law {
    Scalar force, stiffness, damping;
  };
  const Law laws[] = {
      {[](double u, double) { return 1e6 + 10 * u; }, [](double, double) { return 10.; },
       [](double, double) { return 0.; }},
      {[](double u, double) { return 10 * ((3e3 + u) - 3e3); }, [](double, double) { return 10.; },
       [](double, double) { return 0.; }},
      {[](double, double v) { return 5 + 2 * std::tanh(1e3 * v); }, [](double, double) { return 0.; },
       [](double, double v) { return 2e3 / std::pow(std::cosh(1e3 * v), 2); }}};
  for (const Law& law : laws)
    for (const double u : {0., 1e-17, 1e-6, 0.3})
      for (const double v : {0., 1e-9, 1e-3}) {
        SystemDescription<EigenEngine> description;
        description.mass = description.stiffness = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
        StateForce<EigenEngine>& p = description.state_force;
        p.force = [law](double, const AssembledMotion& now) {
          return Vector(Vector::Constant(1, law.force(now.displacement[0], now.rate[0])));
        };
        p.tangents = [law](double, const AssembledMotion& now) {
          const double q = now.displacement[0], w = now.rate[0];
          return Tangents<EigenEngine>{
              {},
              matrix_of<EigenEngine>(MultiVector::Constant(1, 1, law.damping(q, w))),
              matrix_of<EigenEngine>(MultiVector::Constant(1, 1, law.stiffness(q, w)))};
        };
        p.pattern.damping = matrix_of<EigenEngine>(MultiVector::Ones(1, 1));
        const Reduced reduced{AssembledSystem<EigenEngine>(description)};
        BOOST_TEST_INFO("u = " << u << ", v = " << v);
        BOOST_CHECK_NO_THROW(reduced.about(State{0, Eigen::Vector2d(u, v)}));
      }
}

BOOST_AUTO_TEST_SUITE_END()
