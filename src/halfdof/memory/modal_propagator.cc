#include <halfdof/memory/block_exponential.h>
#include <halfdof/memory/modal_propagator.h>

namespace halfdof {

ModalPropagator::ModalPropagator(const ContactModes& modes, double step) : step_(step) {
  const Index n = modes.n_coordinates(), m = modes.n_contacts(), p = modes.n_loads();
  reactions_.resize(n, 2 * m);
  loads_.resize(n, 2 * p);
  Index first = 0;
  for (const MultiVector& J : modes.J) {
    const auto size = static_cast<Index>(J.rows());
    const BlockExponential exponential = block_exponential(J, step);
    if (size == 2) {
      first_of_pair_.push_back(first);
      for (const Index i : {0, 1})
        for (const Index j : {0, 1})
          pairs_.push_back(exponential.E(i, j));
    } else {
      others_.push_back({first, exponential.E});
    }
    const MultiVector of_end = exponential.F_2 / step, of_start = exponential.F_1 - of_end;
    reactions_.middleRows(first, size) << of_start * modes.B.middleRows(first, size),
        of_end * modes.B.middleRows(first, size);
    loads_.middleRows(first, size) << of_start * modes.B_f.middleRows(first, size),
        of_end * modes.B_f.middleRows(first, size);
    first += size;
  }
  reading_.resize(n, 2 * m);
  reading_ << modes.C.transpose(), modes.rates_of(modes.C).transpose();
  const MultiVector moved = reading_.transpose() * reactions_;
  response_ = {moved.topLeftCorner(m, m), moved.bottomLeftCorner(m, m),
               moved.topRightCorner(m, m) + modes.W_K, moved.bottomRightCorner(m, m) + modes.W_C()};
}

void ModalPropagator::propagate(Vector& x) const {
  const double* E = pairs_.data();
  for (const Index first : first_of_pair_) {
    double* const at = x.data() + first;
    const double a = at[0], b = at[1];
    at[0] = E[0] * a + E[1] * b;
    at[1] = E[2] * a + E[3] * b;
    E += 4;
  }
  for (const Block& block : others_)
    x.segment(block.first, block.E.rows()) = (block.E * x.segment(block.first, block.E.rows())).eval();
}

void ModalPropagator::add_reactions(const Vector& u_a, const Vector& u_b, Vector& x) const {
  x.noalias() += reactions_.leftCols(u_a.size()) * u_a;
  x.noalias() += reactions_.rightCols(u_b.size()) * u_b;
}

void ModalPropagator::add_loads(const Vector& f_a, const Vector& f_b, Vector& x) const {
  x.noalias() += loads_.leftCols(f_a.size()) * f_a;
  x.noalias() += loads_.rightCols(f_b.size()) * f_b;
}

FreeContacts ModalPropagator::read(const Vector& x) const {
  const Vector both = reading_.transpose() * x;
  const Eigen::Index m = both.size() / 2;
  return {both.head(m), both.tail(m)};
}

}  // namespace halfdof
