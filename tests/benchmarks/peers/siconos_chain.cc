// SPDX-License-Identifier: LGPL-2.1-or-later
// A chain with contacts by Siconos: the scheme of Moreau and Jean with theta = 1/2, the complementarity
// problem of a step by Lemke's method. Usage: siconos_chain <masses> <contacts> <steps> <stiffness between
// masses> <time step>
//
// Prints the seconds of processor time of one step, without the first, then the positions after the last.

#include <halfdof/base/profile.h>

#include <SiconosKernel.hpp>
#include <time.h>

#include "../contact_chain.h"
#include <cstdio>
#include <cstdlib>

using halfdof::benchmark::ContactChain;

namespace {

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::shared_ptr<LagrangianLinearTIDS> masses_of(const ContactChain& chain) {
  const auto n = static_cast<unsigned>(chain.n_masses);
  const auto q = std::make_shared<SiconosVector>(n), v = std::make_shared<SiconosVector>(n),
             f = std::make_shared<SiconosVector>(n);
  const auto M = std::make_shared<SimpleMatrix>(n, n), K = std::make_shared<SimpleMatrix>(n, n),
             C = std::make_shared<SimpleMatrix>(n, n);
  const auto into = [](SimpleMatrix& matrix) {
    return [&matrix](int i, int j, double value) {
      matrix.setValue(static_cast<unsigned>(i), static_cast<unsigned>(j), value);
    };
  };
  chain.add_stiffness(into(*K));
  chain.add_damping(into(*C));
  for (int i = 0; i < chain.n_masses; ++i) {
    into (*M)(i, i, ContactChain::mass);
    v->setValue(static_cast<unsigned>(i), chain.initial_velocity(i));
    f->setValue(static_cast<unsigned>(i), -ContactChain::mass * ContactChain::gravity);
  }
  const auto masses = std::make_shared<LagrangianLinearTIDS>(q, v, M, K, C);
  masses->setFExtPtr(f);
  return masses;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  halfdof::keep_freed_memory();
  if (n_arguments < 6) {
    std::fprintf(stderr,
                 "siconos_chain <masses> <contacts> <steps> <stiffness between masses> <time step>\n");
    return EXIT_FAILURE;
  }
  const ContactChain chain{std::atoi(arguments[1]), std::atoi(arguments[2]), std::atof(arguments[4]),
                           std::atof(arguments[5])};
  const int n_steps = std::atoi(arguments[3]);
  const auto masses = masses_of(chain);
  const auto model = std::make_shared<NonSmoothDynamicalSystem>(0., (n_steps + 2) * chain.time_step);
  model->insertDynamicalSystem(masses);
  for (int contact = 0; contact < chain.n_contacts; ++contact) {
    const auto H = std::make_shared<SimpleMatrix>(1, static_cast<unsigned>(chain.n_masses));
    H->setValue(0, static_cast<unsigned>(chain.mass_of(contact)), 1.);
    const auto gap = std::make_shared<SiconosVector>(1, ContactChain::gap);
    model->link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(ContactChain::restitution),
                                              std::make_shared<LagrangianLinearTIR>(H, gap)),
                masses);
  }
  const auto scheme = std::make_shared<MoreauJeanOSI>(0.5);
  scheme->setIsWSymmetricDefinitePositive(true);
  const auto simulation =
      std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0., chain.time_step), scheme,
                                     std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  simulation->setNewtonOptions(SICONOS_TS_LINEAR);
  const auto step = [&simulation] {
    simulation->computeOneStep();
    simulation->nextStep();
  };
  step();
  const double start = processor_time();
  for (int k = 1; k < n_steps; ++k)
    step();
  std::printf("%.6g\n", (processor_time() - start) / (n_steps - 1));
  for (unsigned i = 0; i < masses->q()->size(); ++i)
    std::printf("%.17g\n", masses->q()->getValue(i));
}
