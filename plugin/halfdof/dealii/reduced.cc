// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/dealii/reduced.h>
#include <halfdof/reduction/reduced_system.h>

#include <ostream>
#include <string>
#include <utility>

namespace halfdof {

namespace {

/// Replaces the reported values of the internal variables by the values of the fields of the application.
/// These values differ for DoFs that constraints make depend on other DoFs, whose internal variable is the
/// displacement minus T q_f. Shapes: the local entries of the application. Collective.
void report_values_of_application(ConsistencyReport& report, const std::string& quantity,
                                  const Partition& dofs, const Vector& given, const Vector& consistent) {
  MultiVector values = MultiVector::Zero(2, static_cast<Index>(report.largest.size()));
  for (Index k = 0; k < values.cols(); ++k)
    if (const Index i = dofs.local_index(report.largest[static_cast<std::size_t>(k)].dof); i >= 0)
      values.col(k) << given[i], consistent[i];
  dofs.communicator().sum(values.data(), static_cast<int>(values.size()));
  for (Index k = 0; k < values.cols(); ++k) {
    InitialChange& change = report.largest[static_cast<std::size_t>(k)];
    if (change.quantity != quantity || change.dof >= dofs.n_global()) continue;
    change.given = values(0, k);
    change.consistent = values(1, k);
  }
}

}  // namespace

template <class MatrixType>
ReducedFromDealII<MatrixType>::ReducedFromDealII(const AssembledFromDealII<MatrixType>& assembled,
                                                 const ReductionOptions& options)
    : ReducedSystem<Engine>(assembled, options), from_dealii_(assembled) {}

template <class MatrixType>
typename ReducedFromDealII<MatrixType>::InitialValues ReducedFromDealII<MatrixType>::initial_values(
    const VectorType& displacement, const VectorType& rate, double time) const {
  Vector q = from_dealii_.displacement_entries(displacement);
  Vector v = from_dealii_.rate_entries(rate);
  // DoFs that the application does not have get consistent values, so that no change of these DoFs is
  // reported.
  const AssembledMotion lifted = this->lift(State{time, this->restrict(q, v)});
  const Index n_unknown = static_cast<Index>(q.size()) - from_dealii_.origin().dofs.n_local();
  q.tail(n_unknown) = lifted.displacement.tail(n_unknown);
  v.tail(n_unknown) = lifted.rate.tail(n_unknown);
  return {std::move(q), std::move(v)};
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement) const {
  from_dealii_.lift_into(displacement, this->lift(state).displacement);
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement,
                                         VectorType& rate) const {
  const AssembledMotion lifted = this->lift(state);
  from_dealii_.lift_into(displacement, lifted.displacement);
  from_dealii_.lift_into(rate, lifted.rate);
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::print_summary(std::ostream& out) const {
  if (this->communicator().rank() == 0) {
    out << "From deal.II, " << from_dealii_.describe_origin() << ".\n";
    for (const std::string& warning : from_dealii_.warnings())
      out << "Warning: " << warning << '\n';
  }
  ReducedSystem<Engine>::print_summary(out);
}

template <class MatrixType>
ConsistentState consistent_state(const ReducedFromDealII<MatrixType>& reduced,
                                 const typename DealIITraits<MatrixType>::VectorType& displacement,
                                 const typename DealIITraits<MatrixType>::VectorType& rate, double time,
                                 const ConsistencyOptions& options) {
  const AssembledFromDealII<MatrixType>& from_dealii = reduced.assembled_from_dealii();
  const auto [q, v] = reduced.initial_values(displacement, rate, time);
  ConsistencyOptions adjusting_options = options;
  adjusting_options.mode = ConsistencyOptions::Mode::adjust;
  const ReducedSystem<typename DealIITraits<MatrixType>::Engine>& system = reduced;
  ConsistentState state = consistent_state(system, q, v, time, adjusting_options);

  const AssembledMotion consistent = system.lift(state);
  const auto show = [&](const char* quantity, const Vector& given, const Vector& found) {
    report_values_of_application(state.report, quantity, from_dealii.origin().dofs,
                                 from_dealii.full_entries(given), from_dealii.full_entries(found));
  };
  show("displacement", q, consistent.displacement);
  show("rate", v, consistent.rate);
  check_strict(state.report, time, options);
  return state;
}

template class ReducedFromDealII<dealii::SparseMatrix<double>>;
template class ReducedFromDealII<dealii::BlockSparseMatrix<double>>;
template class ReducedFromDealII<dealii::TrilinosWrappers::SparseMatrix>;
template class ReducedFromDealII<dealii::TrilinosWrappers::BlockSparseMatrix>;

template ConsistentState consistent_state(const ReducedFromDealII<dealii::SparseMatrix<double>>&,
                                          const DealIITraits<dealii::SparseMatrix<double>>::VectorType&,
                                          const DealIITraits<dealii::SparseMatrix<double>>::VectorType&,
                                          double, const ConsistencyOptions&);
template ConsistentState consistent_state(const ReducedFromDealII<dealii::BlockSparseMatrix<double>>&,
                                          const DealIITraits<dealii::BlockSparseMatrix<double>>::VectorType&,
                                          const DealIITraits<dealii::BlockSparseMatrix<double>>::VectorType&,
                                          double, const ConsistencyOptions&);
template ConsistentState consistent_state(
    const ReducedFromDealII<dealii::TrilinosWrappers::SparseMatrix>&,
    const DealIITraits<dealii::TrilinosWrappers::SparseMatrix>::VectorType&,
    const DealIITraits<dealii::TrilinosWrappers::SparseMatrix>::VectorType&, double,
    const ConsistencyOptions&);
template ConsistentState consistent_state(
    const ReducedFromDealII<dealii::TrilinosWrappers::BlockSparseMatrix>&,
    const DealIITraits<dealii::TrilinosWrappers::BlockSparseMatrix>::VectorType&,
    const DealIITraits<dealii::TrilinosWrappers::BlockSparseMatrix>::VectorType&, double,
    const ConsistencyOptions&);

}  // namespace halfdof
