#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {
namespace {

/**
 * One over the entry that is to become one: the largest, and where several are equally large (symmetric
 * shapes), the one with the lowest assembled index, so that the result does not depend on rounding or on the
 * number of processes.
 */
ComplexVector normalizing_factors(const Partition& dofs, ConstView<Complex> shapes) {
  const Index k = static_cast<Index>(shapes.cols());
  Vector largest = Vector::Zero(k), first = Vector::Constant(k, -std::numeric_limits<double>::infinity());
  if (shapes.rows() > 0) largest = shapes.cwiseAbs().colwise().maxCoeff().transpose();
  dofs.communicator().max(largest.data(), k);

  ComplexVector chosen = ComplexVector::Zero(k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < shapes.rows(); ++i)
      if (const auto index = -static_cast<double>(dofs.global_index(i));
          std::abs(shapes(i, j)) >= 0.99 * largest[j] && index > first[j]) {
        first[j] = index;
        chosen[j] = shapes(i, j);
      }
  Vector lowest = first;
  dofs.communicator().max(lowest.data(), k);
  for (Index j = 0; j < k; ++j)
    if (first[j] != lowest[j]) chosen[j] = 0;
  dofs.communicator().sum(reinterpret_cast<double*>(chosen.data()), 2 * k);

  for (Index j = 0; j < k; ++j)
    chosen[j] = largest[j] > 0 ? std::abs(chosen[j]) / (largest[j] * chosen[j]) : 1.;
  return chosen;
}

/// P(lambda) x of the assembled system, nothing dropped.
template <class Engine>
ComplexMultiVector assembled_residual(const FreeSystem<Engine>& system, const ComplexVector& lambda,
                                      const ComplexMultiVector& x) {
  ComplexMultiVector residual = ComplexMultiVector::Zero(x.rows(), x.cols());
  system.K().add_product(Complex(1), x, residual);
  const ComplexMultiVector rate = x * lambda.asDiagonal();
  system.C().add_product(Complex(1), rate, residual);
  system.M().add_product(Complex(1), ComplexMultiVector(rate * lambda.asDiagonal()), residual);
  return residual;
}

/// (|lambda|^2 ||M|| + |lambda| ||C|| + ||K||) ||x||
template <class Engine>
Vector norms_of_terms(const FreeSystem<Engine>& system, const Vector& modulus, const ComplexMultiVector& x) {
  const Vector norms = (modulus.array().square() * one_norm<Engine>(system.M()) +
                        modulus.array() * one_norm<Engine>(system.C()) + one_norm<Engine>(system.K()))
                           .matrix();
  return norms.cwiseProduct(norms_of_columns(system.dofs().communicator(), x));
}

/// What the elimination makes of states Y: z = (a_I; q_C'; q_K) = D^{-1} b at the places of their DoFs.
template <class Engine>
class Eliminated {
 public:
  Eliminated(const ReducedSystem<Engine>& reduced, const ComplexMultiVector& Y)
      : reduced_(reduced), Y_(Y), b_(zero()) {
    MultiVector parts(Y.rows(), 2 * Y.cols());
    parts << Y.real(), Y.imag();
    MultiVector b = MultiVector::Zero(b_.rows(), parts.cols());
    reduced.free().C().add_product(-1., reduced.velocity_states(parts), b);
    reduced.free().K().add_product(-1., reduced.displacement_states(parts), b);
    b_ = joined(b);
    z_ = joined(reduced.elimination().solve(b));
  }

  /// x: all free displacements.
  ComplexMultiVector displacements() const {
    return reduced_.displacement_states(Y_) + only(kinds().algebraic(), z_);
  }
  /// A Y.
  ComplexMultiVector derivative() const {
    ComplexMultiVector result(Y_.rows(), Y_.cols());
    result << reduced_.v_I(Y_), kinds().viscous().restrict(z_), kinds().inertial().restrict(z_);
    return result;
  }
  /// D (z - lambda (v_I; q_C; 0) - (0; 0; q_K)).
  ComplexMultiVector contradiction(const ComplexVector& lambda) const {
    const ComplexMultiVector states = Y_ * lambda.asDiagonal();
    return product(
        only(kinds().inertial(), z_) - reduced_.velocity_states(states),
        only(kinds().viscous(), z_) - only(kinds().viscous(), reduced_.displacement_states(states)), zero());
  }
  /// |D z - b| relative to the size of the terms of D z, at least w: the largest of all rows.
  Vector residual(const TermScales<Engine>& scales, const MultiVector& w) const {
    const ComplexMultiVector a = only(kinds().inertial(), z_), rate = only(kinds().viscous(), z_),
                             q = only(kinds().algebraic(), z_);
    const MultiVector terms = scales.of_terms(a, rate, q).cwiseMax(w);
    return largest_entries(reduced_.communicator(),
                           (product(a, rate, q) - b_).cwiseAbs().cwiseQuotient(terms));
  }

 private:
  const Classification& kinds() const { return reduced_.classification(); }
  ComplexMultiVector zero() const {
    return ComplexMultiVector::Zero(reduced_.free().dofs().n_local(), Y_.cols());
  }
  static ComplexMultiVector joined(const MultiVector& parts) {
    const Index k = static_cast<Index>(parts.cols()) / 2;
    ComplexMultiVector result(parts.rows(), k);
    result.real() = parts.leftCols(k);
    result.imag() = parts.rightCols(k);
    return result;
  }
  ComplexMultiVector only(const Selection& kind, const ComplexMultiVector& z) const {
    ComplexMultiVector part = zero();
    kind.add_to(kind.restrict(z), part);
    return part;
  }
  /// M a + C rate + K q.
  ComplexMultiVector product(const ComplexMultiVector& a, const ComplexMultiVector& rate,
                             const ComplexMultiVector& q) const {
    ComplexMultiVector sum = zero();
    reduced_.free().M().add_product(Complex(1), a, sum);
    reduced_.free().C().add_product(Complex(1), rate, sum);
    reduced_.free().K().add_product(Complex(1), q, sum);
    return sum;
  }

  const ReducedSystem<Engine>& reduced_;
  const ComplexMultiVector& Y_;
  ComplexMultiVector b_, z_;
};

/// y with every entry off by one unit in the last place, up and down in turn.
ComplexMultiVector rounded(const ComplexMultiVector& y) {
  ComplexMultiVector perturbed = y;
  for (Index j = 0; j < y.cols(); ++j)
    for (Index i = 0; i < y.rows(); ++i)
      perturbed(i, j) *= 1 + ((i + i / 3) % 2 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  return perturbed;
}

/// Eigenvectors above their eigenvalues.
ComplexMultiVector pairs_of(const std::vector<Complex>& eigenvalues, ConstView<Complex> states) {
  ComplexMultiVector pairs(states.rows() + 1, states.cols());
  for (Eigen::Index j = 0; j < states.cols(); ++j)
    pairs.col(j) << states.col(j), eigenvalues[static_cast<std::size_t>(j)];
  return pairs;
}

/// Columns without those that are the conjugate of the one before, whose results are conjugate, too.
class WithoutConjugates {
 public:
  WithoutConjugates(const Communicator& communicator, const ComplexMultiVector& x) {
    for (Index j = 0; j < static_cast<Index>(x.cols()); ++j) {
      const bool follows =
          j > 0 && !is_conjugate_.back() && !communicator.any(x.col(j) != x.col(j - 1).conjugate());
      is_conjugate_.push_back(follows);
      if (!follows) columns_.push_back(j);
    }
  }

  const std::vector<Index>& columns() const { return columns_; }
  bool is_conjugate(Index j) const { return is_conjugate_[static_cast<std::size_t>(j)]; }
  ComplexMultiVector expanded(const ComplexMultiVector& few) const {
    ComplexMultiVector all(few.rows(), static_cast<Eigen::Index>(is_conjugate_.size()));
    Eigen::Index next = 0;
    for (Index j = 0; j < static_cast<Index>(is_conjugate_.size()); ++j) {
      if (is_conjugate(j))
        all.col(j) = few.col(next - 1).conjugate();
      else
        all.col(j) = few.col(next++);
    }
    return all;
  }

 private:
  std::vector<bool> is_conjugate_;
  std::vector<Index> columns_;
};

}  // namespace

template <class Engine>
ComplexMultiVector free_displacements(const ReducedSystem<Engine>& reduced, ConstView<Complex> states) {
  const WithoutConjugates distinct(reduced.communicator(), states);
  const ComplexMultiVector y = states(Eigen::all, distinct.columns());
  return distinct.expanded(Eliminated<Engine>(reduced, y).displacements());
}

template <class Engine>
std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<Engine>& reduced,
                                                   const TermScales<Engine>& scales,
                                                   const std::vector<Complex>& eigenvalues,
                                                   ConstView<Complex> states, double zero_scale) {
  const Communicator& communicator = reduced.communicator();
  const WithoutConjugates distinct(communicator, pairs_of(eigenvalues, states));
  const ComplexMultiVector y = states(Eigen::all, distinct.columns());
  ComplexVector lambda(y.cols());
  std::vector<Complex> values;
  for (const Index j : distinct.columns()) {
    lambda[static_cast<Eigen::Index>(values.size())] = eigenvalues[static_cast<std::size_t>(j)];
    values.push_back(eigenvalues[static_cast<std::size_t>(j)]);
  }
  const Eliminated<Engine> eliminated(reduced, y);
  const ComplexMultiVector x = eliminated.displacements(), Ay = eliminated.derivative();
  const ComplexMultiVector Px = assembled_residual(reduced.undropped(), lambda, x);
  Vector modulus = lambda.cwiseAbs();
  const std::vector<Complex> rounded_values = round_zeros(scales, values, x);
  for (Index j = 0; j < modulus.size(); ++j)
    if (rounded_values[static_cast<std::size_t>(j)] == 0.) modulus[j] = std::max(modulus[j], zero_scale);
  const Vector assembled =
      norms_of_columns(communicator, Px).cwiseQuotient(norms_of_terms(reduced.undropped(), modulus, x));
  const Vector scale = lambda.cwiseAbs().cwiseMax(zero_scale).cwiseProduct(norms_of_columns(communicator, y));
  const Vector off = norms_of_columns(communicator, Ay - y * lambda.asDiagonal());
  const Vector rounding = norms_of_columns(communicator, reduced.apply_homogeneous(rounded(y)) - Ay);

  const MultiVector largest = Px.cwiseAbs().cwiseMax(eliminated.contradiction(lambda).cwiseAbs());
  const MultiVector w = scales(modulus.cast<Complex>(), x).cwiseMax(std::numeric_limits<double>::min());
  const Vector backward =
      largest_entries(communicator, largest.cwiseQuotient(w)).cwiseMax(eliminated.residual(scales, w));

  std::vector<EigenpairResidual> residuals;
  Index next = 0;
  for (Index j = 0; j < static_cast<Index>(states.cols()); ++j) {
    const Index k = distinct.is_conjugate(j) ? next - 1 : next++;
    residuals.push_back({assembled[k], off[k] / scale[k], rounding[k] / scale[k], backward[k]});
  }
  return residuals;
}

template <class Engine>
Eigenmodes eigenmodes(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                      const std::vector<Complex>& eigenvalues, ComplexMultiVector states) {
  const Stage stage("modes");
  const Partition& dofs = reduced.assembled().dofs();
  Eigenmodes modes{{}, std::move(states), {}, {}};
  modes.shapes = ComplexMultiVector::Zero(dofs.n_local(), modes.states.cols());
  const ComplexMultiVector x = free_displacements(reduced, modes.states);
  reduced.free().add_to(x, modes.shapes);
  const ComplexVector factors = normalizing_factors(dofs, modes.shapes);
  modes.states *= factors.asDiagonal();
  modes.shapes *= factors.asDiagonal();

  modes.eigenvalues = round_zeros(scales, eigenvalues, x);
  const double scale = zero_scale(modes.eigenvalues, characteristic_rate(reduced.free()));
  modes.residuals = eigenpair_residuals(reduced, scales, eigenvalues, modes.states, scale);
  return modes;
}

template ComplexMultiVector free_displacements(const ReducedSystem<InstantiatedEngine>&, ConstView<Complex>);
template std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<InstantiatedEngine>&,
                                                            const TermScales<InstantiatedEngine>&,
                                                            const std::vector<Complex>&, ConstView<Complex>,
                                                            double);
template Eigenmodes eigenmodes(const ReducedSystem<InstantiatedEngine>&,
                               const TermScales<InstantiatedEngine>&, const std::vector<Complex>&,
                               ComplexMultiVector);

}  // namespace halfdof
