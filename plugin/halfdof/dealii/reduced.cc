#include <halfdof/dealii/reduced.h>

#include <ostream>

namespace halfdof {

template <class MatrixType>
ReducedFromDealII<MatrixType>::ReducedFromDealII(const AssembledFromDealII<MatrixType>& assembled,
                                                 const ReductionOptions& options)
    : ReducedSystem<Engine>(assembled, options), from_dealii_(assembled) {}

template <class MatrixType>
ConsistentState ReducedFromDealII<MatrixType>::consistent_state(const VectorType& displacement,
                                                                const VectorType& velocity, double time,
                                                                const ConsistencyOptions& options) const {
  Vector q = from_dealii_.displacement_entries(displacement);
  Vector v = from_dealii_.rate_entries(velocity);
  // What the application does not know of, it cannot have given wrongly.
  const LiftedState lifted = this->lift(State{time, this->restrict(q, v)});
  const Index n_unknown = static_cast<Index>(q.size()) - from_dealii_.origin().dofs.n_local();
  q.tail(n_unknown) = lifted.displacement.tail(n_unknown);
  v.tail(n_unknown) = lifted.rate.tail(n_unknown);
  return halfdof::consistent_state(*this, q, v, time, options);
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
  if (this->communicator().rank() == 0) out << "From deal.II, " << from_dealii_.describe_origin() << ".\n";
  ReducedSystem<Engine>::print_summary(out);
}

template class ReducedFromDealII<dealii::SparseMatrix<double>>;
template class ReducedFromDealII<dealii::BlockSparseMatrix<double>>;
template class ReducedFromDealII<dealii::TrilinosWrappers::SparseMatrix>;
template class ReducedFromDealII<dealii::TrilinosWrappers::BlockSparseMatrix>;

}  // namespace halfdof
