#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/local_basis.h>
#include <halfdof/linear_algebra/one_process.h>
#include <halfdof/reduction/elimination.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

namespace {

/// A state vector of every process: its q_I, then its q_C, then its v_I.
Partition partition_of_states(const Classification& classification, const Partition& dofs) {
  return Partition(2 * classification.inertial().n_local() + classification.viscous().n_local(),
                   dofs.shared_communicator());
}

ComplexMultiVector complex_product(const std::function<MultiVector(ConstView<double>)>& apply,
                                   ConstView<Complex> Y) {
  MultiVector parts(Y.rows(), 2 * Y.cols());
  parts << Y.real(), Y.imag();
  const MultiVector product = apply(parts);
  ComplexMultiVector result(product.rows(), Y.cols());
  result.real() = product.leftCols(Y.cols());
  result.imag() = product.rightCols(Y.cols());
  return result;
}

/// A sum of terms below this, relative to their absolute values, is zero but for rounding.
constexpr double rounding_of_zeros = 1e-13;

template <class Engine>
ForcesCarriedByMultipliers forces_carried_by_multipliers(const FreeSystem<Engine>& free,
                                                         const Classification& kinds) {
  using Sparse = Eigen::SparseMatrix<double>;
  const Selection& dofs = free.assembled().free();
  const Sparse S = entries_of<Engine>(*free.coordinates());
  // Those whose rates are given by constraints have no equation; their accelerations are known.
  const Vector equations = Engine::column_norms(*free.equations());
  const auto columns = [&](const typename Engine::Matrix& A, const Selection& coordinates) {
    const Sparse on_free = entries_of<Engine>(Engine::submatrix(A, dofs, dofs));
    const Sparse S_k = S * unit_columns(coordinates.local(), static_cast<Index>(S.cols()));
    const Sparse sizes = Sparse(on_free.cwiseAbs()) * Sparse(S_k.cwiseAbs());
    Sparse product = on_free * S_k;
    product.prune([&](Index i, Index j, double value) {
      return equations[coordinates.local()[static_cast<std::size_t>(j)]] > 0 &&
             std::abs(value) > rounding_of_zeros * sizes.coeff(i, j);
    });
    return product;
  };
  return {columns(free.assembled().M(), kinds.viscous()), columns(free.assembled().M(), kinds.algebraic()),
          columns(free.assembled().C(), kinds.algebraic())};
}

/// With the motions that the stiffness of a system hardly resists, where its coordinates are the free DoFs
/// themselves.
template <class Engine>
FactorizationOptions with_near_null_space(FactorizationOptions options, const FreeSystem<Engine>& system) {
  const MultiVector& known = system.assembled().near_null_space();
  if (options.near_null_space.cols() == 0 && known.cols() > 0 && !system.coordinates())
    options.near_null_space = system.places().restrict(known);
  return options;
}

}  // namespace

template <class Engine>
struct ReducedSystem<Engine>::Implementation {
  Implementation(const AssembledSystem<Engine>& assembled, const ReductionOptions& options)
      : Implementation(eliminate(FreeSystem<Engine>(assembled), options), options) {}
  Implementation(StateDependence<Engine> of_state, const ReductionOptions& options)
      : Implementation(eliminate(tangent_system(of_state), of_state.kinds, options), options) {
    state_dependence.emplace(std::move(of_state));
  }
  Implementation(Elimination<Engine> elimination, const ReductionOptions& options)
      : chosen(std::move(elimination)),
        states(partition_of_states(chosen.classification, chosen.free.dofs())),
        pencil(chosen.free, options.shifted),
        other_pencil(before(), options.shifted) {}

  /// Made at the first shift: many uses of a reduced system need none.
  class Pencil {
   public:
    Pencil(const FreeSystem<Engine>& system, const FactorizationOptions& options)
        : system_(system), options_(options) {}
    const typename Engine::Pencil& operator()() const {
      std::call_once(once_, [&] {
        pencil_.emplace(system_.M(), system_.C(), system_.K(), with_near_null_space(options_, system_));
      });
      return *pencil_;
    }

   private:
    const FreeSystem<Engine>& system_;
    FactorizationOptions options_;
    mutable std::once_flag once_;
    mutable std::optional<typename Engine::Pencil> pencil_;
  };
  const StateColumns<Engine>& columns_of_states() const {
    std::call_once(state_columns_once, [this] {
      const FreeSystem<Engine>& free = chosen.free;
      const Classification& classification = chosen.classification;
      std::vector<Index> all(static_cast<std::size_t>(free.dofs().n_local()));
      std::iota(all.begin(), all.end(), 0);
      const Selection rows(std::move(all), free.dofs());
      state_columns = StateColumns<Engine>{Engine::submatrix(free.M(), rows, classification.inertial()),
                                           Engine::submatrix(free.K(), rows, classification.inertial()),
                                           Engine::submatrix(free.K(), rows, classification.viscous())};
    });
    return *state_columns;
  }
  const ForcesCarriedByMultipliers& carried_by_multipliers() const {
    std::call_once(carried_once, [this] {
      const ConstrainedForm<Engine>* form = chosen.free.constraints();
      if (form != nullptr && std::count(form->is_multiplier.begin(), form->is_multiplier.end(), true) > 0)
        forces_carried_by_multipliers =
            halfdof::forces_carried_by_multipliers(chosen.free, chosen.classification);
    });
    return forces_carried_by_multipliers;
  }
  const FreeSystem<Engine>& before() const { return chosen.before ? *chosen.before : chosen.undropped; }
  const Pencil& pencil_before() const { return chosen.has_dropped || chosen.before ? other_pencil : pencil; }

  Elimination<Engine> chosen;
  Partition states;
  Pencil pencil, other_pencil;
  std::optional<StateDependence<Engine>> state_dependence;
  mutable std::once_flag state_columns_once;
  mutable std::optional<StateColumns<Engine>> state_columns;
  mutable std::once_flag carried_once;
  mutable ForcesCarriedByMultipliers forces_carried_by_multipliers;
};

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(const AssembledSystem<Engine>& assembled,
                                     const ReductionOptions& options)
    : implementation_(assembled.state_force() ? std::make_shared<const Implementation>(
                                                    state_dependence_at_rest(assembled, options), options)
                                              : std::make_shared<const Implementation>(assembled, options)) {}

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(const AssembledSystem<Engine>& assembled, double time,
                                     const LiftedState& motion, const ReductionOptions& options)
    : implementation_(assembled.state_force()
                          ? std::make_shared<const Implementation>(
                                StateDependence<Engine>(assembled, time, motion, options), options)
                          : std::make_shared<const Implementation>(assembled, options)) {}

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(StateDependence<Engine> of_state)
    : implementation_(std::make_shared<const Implementation>(of_state, of_state.options)) {}

template <class Engine>
const StateDependence<Engine>* ReducedSystem<Engine>::state_dependence() const {
  return implementation_->state_dependence ? &*implementation_->state_dependence : nullptr;
}

template <class Engine>
ReductionMethod ReducedSystem<Engine>::method() const {
  return implementation_->chosen.method;
}

template <class Engine>
const std::string& ReducedSystem<Engine>::reason() const {
  return implementation_->chosen.reason;
}

template <class Engine>
const FreeSystem<Engine>& ReducedSystem<Engine>::free() const {
  return implementation_->chosen.free;
}

template <class Engine>
const FreeSystem<Engine>& ReducedSystem<Engine>::undropped() const {
  return implementation_->chosen.undropped;
}

template <class Engine>
const FreeSystem<Engine>& ReducedSystem<Engine>::before() const {
  return implementation_->before();
}

template <class Engine>
GlobalIndex ReducedSystem<Engine>::n_finite_before() const {
  return method() == ReductionMethod::null_columns ? classify_dofs(undropped()).n_states() : n_states();
}

template <class Engine>
const ConstraintReport& ReducedSystem<Engine>::constraints() const {
  return implementation_->chosen.constraints;
}

template <class Engine>
bool ReducedSystem<Engine>::has_dropped() const {
  return implementation_->chosen.has_dropped;
}

template <class Engine>
const Classification& ReducedSystem<Engine>::classification() const {
  return implementation_->chosen.classification;
}

template <class Engine>
const MixedColumnMatrix<Engine>& ReducedSystem<Engine>::elimination() const {
  return implementation_->chosen.D;
}

template <class Engine>
const Partition& ReducedSystem<Engine>::states() const {
  return implementation_->states;
}

template <class Engine>
Index ReducedSystem<Engine>::n_local_states() const {
  return states().n_local();
}

template <class Engine>
MultiVector ReducedSystem<Engine>::highest_derivatives(ConstView<double> Y, ConstView<double> F) const {
  MultiVector b = F;
  free().C().add_product(-1., velocity_states(Y), b);
  free().K().add_product(-1., displacement_states(Y), b);
  return elimination().solve(b);
}

template <class Engine>
MultiVector ReducedSystem<Engine>::apply_homogeneous(ConstView<double> Y) const {
  const MultiVector x = highest_derivatives(Y, MultiVector::Zero(free().dofs().n_local(), Y.cols()));
  MultiVector derivative(Y.rows(), Y.cols());
  derivative << v_I(Y), classification().viscous().restrict(x), classification().inertial().restrict(x);
  return derivative;
}

template <class Engine>
ComplexMultiVector ReducedSystem<Engine>::apply_homogeneous(ConstView<Complex> Y) const {
  return complex_product([this](ConstView<double> parts) { return apply_homogeneous(parts); }, Y);
}

template <class Engine>
MultiVector ReducedSystem<Engine>::input(ConstView<double> F) const {
  const MultiVector x = elimination().solve(F);
  MultiVector derivative(n_local_states(), F.cols());
  derivative << MultiVector::Zero(n_I(), F.cols()), classification().viscous().restrict(x),
      classification().inertial().restrict(x);
  return derivative;
}

template <class Engine>
Vector ReducedSystem<Engine>::apply(const State& state) const {
  return apply(state, Vector::Zero(free().dofs().n_local()));
}

template <class Engine>
Vector ReducedSystem<Engine>::apply(const State& state, const Vector& forces) const {
  const MultiVector x = highest_derivatives(state.y, load(state, forces) + forces);
  Vector derivative(n_local_states());
  derivative << v_I(state.y), classification().viscous().restrict(x), classification().inertial().restrict(x);
  return derivative;
}

template <class Engine>
FactorizationPtr<double> ReducedSystem<Engine>::factorize_pencil(double a, double b, double c) const {
  return implementation_->pencil().factorize(a, b, c);
}

template <class Engine>
FactorizationPtr<Complex> ReducedSystem<Engine>::factorize_pencil(Complex a, Complex b, Complex c) const {
  return implementation_->pencil().factorize(a, b, c);
}

template <class Engine>
FactorizationPtr<double> ReducedSystem<Engine>::factorize_pencil_before(double a, double b, double c) const {
  return implementation_->pencil_before()().factorize(a, b, c);
}

template <class Engine>
FactorizationPtr<Complex> ReducedSystem<Engine>::factorize_pencil_before(Complex a, Complex b,
                                                                         Complex c) const {
  return implementation_->pencil_before()().factorize(a, b, c);
}

template <class Engine>
const StateColumns<Engine>& ReducedSystem<Engine>::state_columns() const {
  return implementation_->columns_of_states();
}

template <class Engine>
const ForcesCarriedByMultipliers& ReducedSystem<Engine>::forces_carried_by_multipliers() const {
  return implementation_->carried_by_multipliers();
}

template <class Engine>
ShiftedSystem<Engine, double> ReducedSystem<Engine>::shifted(double sigma) const {
  return ShiftedSystem<Engine, double>(*this, sigma);
}

template <class Engine>
ShiftedSystem<Engine, Complex> ReducedSystem<Engine>::shifted(Complex sigma) const {
  return ShiftedSystem<Engine, Complex>(*this, sigma);
}

template class ReducedSystem<InstantiatedEngine>;

}  // namespace halfdof
