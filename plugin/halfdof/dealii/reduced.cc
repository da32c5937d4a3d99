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
  return halfdof::consistent_state(*this, from_dealii_.displacement_entries(displacement),
                                   from_dealii_.rate_entries(velocity), time, options);
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement) const {
  displacement = from_dealii_.lifted_field(this->lift(state).displacement);
}

template <class MatrixType>
void ReducedFromDealII<MatrixType>::lift(const State& state, VectorType& displacement,
                                         VectorType& velocity) const {
  const LiftedState lifted = this->lift(state);
  displacement = from_dealii_.lifted_field(lifted.displacement);
  velocity = from_dealii_.lifted_field(lifted.rate);
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
