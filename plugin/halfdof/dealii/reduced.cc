#include <halfdof/dealii/reduced.h>

#include <ostream>
#include <string>
#include <utility>

namespace halfdof {

namespace {

/// Given and consistent values as the application sees them: DoFs that follow others were compared by what is
/// left of them without T q_f. Shapes: the local entries of the application. Collective.
void show_full_values(ConsistencyReport& report, const std::string& quantity, const Partition& dofs,
                      const Vector& given, const Vector& consistent) {
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
    const VectorType& displacement, const VectorType& velocity, double time) const {
  Vector q = from_dealii_.displacement_entries(displacement);
  Vector v = from_dealii_.rate_entries(velocity);
  // What the application does not know of, it cannot have given wrongly.
  const LiftedState lifted = this->lift(State{time, this->restrict(q, v)});
  const Index n_unknown = static_cast<Index>(q.size()) - from_dealii_.origin().dofs.n_local();
  q.tail(n_unknown) = lifted.displacement.tail(n_unknown);
  v.tail(n_unknown) = lifted.rate.tail(n_unknown);
  return {std::move(q), std::move(v)};
}

template <class MatrixType>
ConsistentState ReducedFromDealII<MatrixType>::consistent_state(const VectorType& displacement,
                                                                const VectorType& velocity, double time,
                                                                const ConsistencyOptions& options) const {
  const auto [q, v] = initial_values(displacement, velocity, time);
  ConsistencyOptions adjusting = options;
  adjusting.mode = ConsistencyOptions::Mode::adjust;
  ConsistentState state = halfdof::consistent_state(*this, q, v, time, adjusting);

  const LiftedState consistent = this->lift(state);
  const auto show = [&](const char* quantity, const Vector& given, const Vector& found) {
    show_full_values(state.report, quantity, from_dealii_.origin().dofs, from_dealii_.full_entries(given),
                     from_dealii_.full_entries(found));
  };
  show("displacement", q, consistent.displacement);
  show("rate", v, consistent.rate);
  check_strict(state.report, time, options);
  return state;
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement) const {
  from_dealii_.lift_into(displacement, this->lift(state).displacement);
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement,
                                         VectorType& velocity) const {
  const LiftedState lifted = this->lift(state);
  from_dealii_.lift_into(displacement, lifted.displacement);
  from_dealii_.lift_into(velocity, lifted.rate);
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

template class ReducedFromDealII<dealii::SparseMatrix<double>>;
template class ReducedFromDealII<dealii::BlockSparseMatrix<double>>;
template class ReducedFromDealII<dealii::TrilinosWrappers::SparseMatrix>;
template class ReducedFromDealII<dealii::TrilinosWrappers::BlockSparseMatrix>;

}  // namespace halfdof
