// SPDX-License-Identifier: LGPL-2.1-or-later
#include "absorber.h"

#include <halfdof/inclusions/laws.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>

using namespace halfdof;

namespace {

const double pi = std::acos(-1.);

/// Returns the friction of the guide and the stop, if there is one. Both act on the DoF of the machine.
std::vector<Inclusion> inclusions_of(const Absorber& absorber, GlobalIndex machine) {
  const Direction up({{machine, 1.}});
  std::vector<Inclusion> all = {
      inclusion("guide", std::make_shared<DryFriction>(-absorber.a, absorber.b), up)};
  if (absorber.stop) {
    const auto [height, e] = *absorber.stop;
    all.push_back(inclusion("stop", std::make_shared<UnilateralContact>(height, e), up));
  }
  return all;
}

RubbingModel model_of(const Absorber& absorber, SystemDescription<EigenEngine> description,
                      const Vector& displacement) {
  const auto machine = static_cast<Index>(displacement.size() - 1);
  description.load = [absorber, machine](double time) {
    Vector f = Vector::Zero(machine + 1);
    f[machine] = absorber.load(time);
    return f;
  };
  const Inclusions<EigenEngine> inclusions(reduce(AssembledSystem<EigenEngine>(std::move(description))),
                                           inclusions_of(absorber, machine));
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  return {inclusions, outcome,
          nonsmooth_start(inclusions, outcome, displacement, Vector::Zero(displacement.size()))};
}

EigenMatrix sparse(const MultiVector& dense) {
  return EigenMatrix(dense.sparseView(0, 0));
}

}  // namespace

Vector Absorber::S() const {
  Vector S(3);
  S << k_2 / (k_1 + k_2), c_2 / (c_1 + c_2), 1;
  return S;
}

double Absorber::load(double time) const {
  return E_0 * std::sin(omega_0 * time) - m * g;
}

std::vector<Absorber> absorbers_of_the_paper() {
  return {{"Fig. 5.2", "figure-5-2", 25., 25e4, 10e4, 2500., 2000., 50., 10 * pi, 29.43, 22.075, 0., 1.},
          {"Fig. 5.3", "figure-5-3", 1., 100., 25., 6., 4., 0., 0., 1., 1., 2., 5.},
          {"Fig. 5.4", "figure-5-4", 1., 100., 25., 0., 4., 0., 0., 12., 12., 2., 2.}};
}

RubbingModel eliminated_by_null_columns(const Absorber& absorber) {
  const auto [k_1, k_2, c_1, c_2] = std::array{absorber.k_1, absorber.k_2, absorber.c_1, absorber.c_2};
  MultiVector M = MultiVector::Zero(3, 3), C(3, 3), K(3, 3);
  M(2, 2) = absorber.m;
  C << 0, 0, 0,            //
      0, c_1 + c_2, -c_2,  //
      0, -c_2, c_2;
  K << k_1 + k_2, 0, -k_2,  //
      0, 0, 0,              //
      -k_2, 0, k_2;

  SystemDescription<EigenEngine> description;
  description.mass = sparse(M);
  description.damping = sparse(C);
  description.stiffness = sparse(K);
  description.labels.component_names = {"spring joint q_1", "damper joint q_2", "machine q_3"};
  description.labels.component = {0, 1, 2};

  Vector displacement(3);
  displacement << absorber.S()[0] * absorber.q_3, 0, absorber.q_3;
  return model_of(absorber, std::move(description), displacement);
}

RubbingModel eliminated_by_hand(const Absorber& absorber) {
  SystemDescription<EigenEngine> description;
  description.mass = sparse(MultiVector::Constant(1, 1, absorber.m));
  description.damping = sparse(MultiVector::Constant(1, 1, absorber.c()));
  description.stiffness = sparse(MultiVector::Constant(1, 1, absorber.k()));
  return model_of(absorber, std::move(description), Vector::Constant(1, absorber.q_3));
}
