// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rubbing.h"

#include <algorithm>
#include <memory>
#include <sstream>

using namespace halfdof;

namespace {

double code_of(ContactState state) {
  switch (state) {
    case ContactState::open:
      return 1;
    case ContactState::slip_forward:
      return 3;
    case ContactState::slip_back:
      return 4;
    default:
      return 2;
  }
}

template <class LinearAlgebra>
DealIIDirections<2> directions_of(const RubbingBeam<LinearAlgebra>& beam, const Partition& dofs) {
  return DealIIDirections<2>(beam.dof_handler, beam.mapping, beam.constraints, dofs);
}

}  // namespace

template <class LinearAlgebra>
Rubbing<LinearAlgebra>::Rubbing(const RubbingBeam<LinearAlgebra>& beam, const Reduced& reduced,
                                ScalarFunction support_displacement)
    : beam_(beam),
      reduced_(reduced),
      support_displacement_(std::move(support_displacement)),
      points_(directions_of(beam, reduced.assembled().dofs()).on_boundary(beam.rubbing_side)),
      inclusions_(make_inclusions()),
      outcome_(classify_inclusions(inclusions_)) {}

template <class LinearAlgebra>
Inclusions<typename Rubbing<LinearAlgebra>::Engine> Rubbing<LinearAlgebra>::make_inclusions() const {
  const DealIIDirections<2> directions = directions_of(beam_, reduced_.assembled().dofs());
  dealii::Tensor<1, 2> forward;
  forward[0] = 1;
  // All points have the same law, because the support is flat and rigid.
  const auto law =
      std::make_shared<const CoulombFriction>(friction_coefficient, 0., std::vector{support_displacement_});
  std::vector<Inclusion> contacts;
  for (const BoundaryPoint<2>& point : points_)
    contacts.push_back({"point " + std::to_string(contacts.size()),
                        law,
                        {point.inward, directions.at_point(point.point, forward)}});
  return Inclusions<Engine>(reduced_, std::move(contacts));
}

template <class LinearAlgebra>
std::string Rubbing<LinearAlgebra>::summary() const {
  std::ostringstream text;
  text << points_.size() << " contact points:\n";
  for (const ReducedLaw law : {ReducedLaw::lipschitz_contact, ReducedLaw::play, ReducedLaw::measure_inclusion,
                               ReducedLaw::filippov_inclusion})
    if (const auto n = outcome_.directions_in(law).size(); n > 0)
      text << "  " << n << " directions have become: " << name_of(law) << "\n";
  text << "States: " << outcome_.n_states << ", " << outcome_.n_play_states
       << " of them reactions of plays.\n";
  const std::vector<std::string>& failing = outcome_.statement.failing;
  if (!failing.empty())
    text << "Theorems: " << failing.size() << " hypotheses fail, the first: " << failing.front() << "\n";
  return text.str();
}

template <class LinearAlgebra>
NonsmoothState Rubbing<LinearAlgebra>::at_rest() const {
  const auto& assembled = reduced_.assembled_from_dealii();
  const Vector displacement = assembled.displacement_entries(beam_.at_rest(pressure));
  return nonsmooth_start(inclusions_, outcome_, displacement, Vector(Vector::Zero(displacement.size())));
}

template <class LinearAlgebra>
Instant Rubbing<LinearAlgebra>::instant(const Observation& now) const {
  const auto n = static_cast<Index>(points_.size());
  Instant instant{now.time(),      support_displacement_(now.time()), Vector(n), Vector(n), now.contacts(),
                  now.dissipated()};
  const std::vector<Vector> reactions = now.reactions();
  for (Index k = 0; k < n; ++k) {
    instant.normal[k] = reactions[static_cast<std::size_t>(k)][0];
    instant.friction[k] = reactions[static_cast<std::size_t>(k)][1];
  }
  return instant;
}

template <class LinearAlgebra>
Run Rubbing<LinearAlgebra>::run(NonsmoothIntegrator<Engine>& integrator, double end_time,
                                const std::function<void(const Observation&)>& observer) const {
  Run result;
  for (const BoundaryPoint<2>& point : points_) {
    result.x.push_back(point.point[0]);
    result.area.push_back(point.area);
  }
  Verification<Engine> verification(integrator);
  NonsmoothState state = at_rest();
  integrator.run(state, end_time, [&](const Observation& now) {
    verification(now);
    result.instants.push_back(instant(now));
    observer(now);
  });
  result.verified = verification.report();
  return result;
}

template <class LinearAlgebra>
typename LinearAlgebra::Vector Rubbing<LinearAlgebra>::contact_field(const Instant& now) const {
  typename LinearAlgebra::Vector field = reduced_.assembled_from_dealii().origin().zero;
  const auto set = [&](const WeightedDoF& entry, double value) {
    const auto dof = static_cast<dealii::types::global_dof_index>(entry.dof);
    if (beam_.dof_handler.locally_owned_dofs().is_element(dof)) field(dof) = value;
  };
  for (std::size_t k = 0; k < points_.size(); ++k) {
    set(points_[k].along[0].entries()[0], code_of(now.states[k]));
    set(points_[k].inward.entries()[0], now.normal[static_cast<Index>(k)] / points_[k].area);
  }
  field.compress(dealii::VectorOperation::insert);
  return field;
}

template class Rubbing<SerialLinearAlgebra>;
template class Rubbing<DistributedLinearAlgebra>;
