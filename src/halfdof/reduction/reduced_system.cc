#include <halfdof/base/errors.h>
#include <halfdof/classification/kernel_coordinates.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/rank_decision.h>
#include <halfdof/reduction/reduced_system.h>

#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace halfdof {

const char* name_of(ReductionMethod method) {
  switch (method) {
    case ReductionMethod::automatic:
      return "auto";
    case ReductionMethod::null_columns:
      return "null-columns";
    case ReductionMethod::kernel:
      return "kernel";
    case ReductionMethod::weierstrass:
      return "weierstrass";
    case ReductionMethod::none:
      break;
  }
  return "none";
}

namespace {

/// Below this a coordinate takes no part in a DoF.
constexpr double rounding_of_coordinates = 1e-14;

/// The system with zeros in the columns that are null.
template <class Engine>
FreeSystem<Engine> with_null_columns(const FreeSystem<Engine>& system, const Classification& classification) {
  const auto n_local = static_cast<std::size_t>(system.dofs().n_local());
  std::vector<bool> inertial(n_local, false);
  for (const Index j : classification.inertial().local())
    inertial[static_cast<std::size_t>(j)] = true;
  std::vector<bool> damped(n_local, true);
  for (const Index j : classification.algebraic().local())
    damped[static_cast<std::size_t>(j)] = false;
  return system.keep_columns(inertial, damped);
}

/// What a method makes of a system.
template <class Engine>
struct Elimination {
  ReductionMethod method;
  std::string reason;
  FreeSystem<Engine> undropped;
  Classification classification;
  bool has_dropped;  ///< columns that are null by a tolerance or by rounding
  FreeSystem<Engine> free;
  MixedColumnMatrix<Engine> D;
};

template <class Engine>
Elimination<Engine> eliminate(ReductionMethod method, const FreeSystem<Engine>& system,
                              const Classification& kinds, bool has_dropped,
                              const ReductionOptions& options) {
  const FreeSystem<Engine> free = has_dropped ? with_null_columns(system, kinds) : system;
  return {method,
          "",
          system,
          kinds,
          has_dropped,
          free,
          MixedColumnMatrix<Engine>(free, kinds, options.elimination)};
}

template <class Engine>
Elimination<Engine> by_null_columns(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const Classification kinds = classify_dofs(system, options.classification);
  return eliminate(ReductionMethod::null_columns, system, kinds, kinds.n_dropped_columns() > 0, options);
}

template <class Engine>
Elimination<Engine> eliminate(const KernelCoordinates<Engine>& coordinates, const ReductionOptions& options) {
  return eliminate(ReductionMethod::kernel, coordinates.system, coordinates.classification, true, options);
}

std::string hidden_kernels(GlobalIndex n_mass, GlobalIndex n_damping) {
  std::string text = "The kernels of M and C are wider than their null columns: ";
  if (n_mass > 0) text += std::to_string(n_mass) + " dimensions of ker M";
  if (n_mass > 0 && n_damping > 0) text += " and ";
  if (n_damping > 0) text += std::to_string(n_damping) + " of that of both";
  return text + " show in no single column.";
}

/// The weakest method that suffices. What null columns leave singular is told unless kernels mend it.
template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const ReductionOptions& options) {
  const auto kernels = [&] { return kernel_coordinates(system, options.kernel); };
  switch (options.method) {
    case ReductionMethod::null_columns:
      return by_null_columns(system, options);
    case ReductionMethod::kernel:
      return eliminate(kernels(), options);
    case ReductionMethod::automatic:
      break;
    default:
      throw InvalidInput(std::string("The method \"") + name_of(options.method) +
                         "\" makes no reduced system of this kind. Give auto, null-columns or kernel.");
  }
  try {
    return by_null_columns(system, options);
  } catch (const SingularElimination&) {
    if (system.dofs().communicator().size() > 1) throw;
    try {
      const KernelCoordinates<Engine> coordinates = kernels();
      if (coordinates.n_hidden_mass + coordinates.n_hidden_damping > 0) {
        Elimination<Engine> found = eliminate(coordinates, options);
        found.reason = "Null columns leave D singular. " +
                       hidden_kernels(coordinates.n_hidden_mass, coordinates.n_hidden_damping);
        return found;
      }
    } catch (const SingularElimination&) {
    } catch (const AmbiguousRank&) {
    }
    throw;
  }
}

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

}  // namespace

template <class Engine>
struct ReducedSystem<Engine>::Implementation {
  Implementation(const AssembledSystem<Engine>& assembled, const ReductionOptions& options)
      : chosen(eliminate(FreeSystem<Engine>(assembled), options)),
        states(partition_of_states(chosen.classification, chosen.free.dofs())),
        pencil(chosen.free, options.shifted),
        undropped_pencil(chosen.undropped, options.shifted) {}

  /// Made at the first shift: many uses of a reduced system need none.
  class Pencil {
   public:
    Pencil(const FreeSystem<Engine>& system, const FactorizationOptions& options)
        : system_(system), options_(options) {}
    const typename Engine::Pencil& operator()() const {
      std::call_once(once_, [&] { pencil_.emplace(system_.M(), system_.C(), system_.K(), options_); });
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
  const Pencil& pencil_with_all_columns() const { return chosen.has_dropped ? undropped_pencil : pencil; }

  Elimination<Engine> chosen;
  Partition states;
  Pencil pencil, undropped_pencil;
  mutable std::once_flag state_columns_once;
  mutable std::optional<StateColumns<Engine>> state_columns;
};

template <class Engine>
ReducedSystem<Engine>::ReducedSystem(const AssembledSystem<Engine>& assembled,
                                     const ReductionOptions& options)
    : implementation_(std::make_shared<const Implementation>(assembled, options)) {}

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
  const MultiVector x = highest_derivatives(state.y, load(state.time));
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
FactorizationPtr<double> ReducedSystem<Engine>::factorize_undropped_pencil(double a, double b,
                                                                           double c) const {
  return implementation_->pencil_with_all_columns()().factorize(a, b, c);
}

template <class Engine>
FactorizationPtr<Complex> ReducedSystem<Engine>::factorize_undropped_pencil(Complex a, Complex b,
                                                                            Complex c) const {
  return implementation_->pencil_with_all_columns()().factorize(a, b, c);
}

template <class Engine>
const StateColumns<Engine>& ReducedSystem<Engine>::state_columns() const {
  return implementation_->columns_of_states();
}

template <class Engine>
ShiftedSystem<Engine, double> ReducedSystem<Engine>::shifted(double sigma) const {
  return ShiftedSystem<Engine, double>(*this, sigma);
}

template <class Engine>
ShiftedSystem<Engine, Complex> ReducedSystem<Engine>::shifted(Complex sigma) const {
  return ShiftedSystem<Engine, Complex>(*this, sigma);
}

template <class Engine>
LiftedState ReducedSystem<Engine>::lift(const State& state) const {
  const Selection& d = assembled().constrained();
  const MultiVector x = highest_derivatives(state.y, load(state.time));
  const auto only = [&](const Selection& kind) {
    MultiVector part = MultiVector::Zero(x.rows(), 1);
    kind.add_to(kind.restrict(x), part);
    return part;
  };

  const Index n_local = assembled().dofs().n_local();
  LiftedState lifted{Vector::Zero(n_local), Vector::Zero(n_local), Vector::Zero(n_local)};
  free().add_to(displacement_states(state.y) + only(classification().algebraic()), lifted.displacement);
  free().add_to(velocity_states(state.y) + only(classification().viscous()), lifted.rate);
  free().add_to(only(classification().inertial()), lifted.acceleration);

  const PrescribedMotion& motion = assembled().prescribed();
  if (motion.value) d.add_to(motion.value(state.time), lifted.displacement);
  if (motion.rate) d.add_to(motion.rate(state.time), lifted.rate);
  if (motion.acceleration) d.add_to(motion.acceleration(state.time), lifted.acceleration);
  return lifted;
}

template <class Engine>
bool ReducedSystem<Engine>::has_rate(Index local_assembled) const {
  if (!free().coordinates()) return classification().kind(local_assembled) != DoFKind::algebraic;
  Vector unit = Vector::Zero(assembled().dofs().n_local());
  unit[local_assembled] = 1;
  return classification().algebraic().restrict(free().restrict(unit)).isZero(rounding_of_coordinates);
}

template <class Engine>
Vector ReducedSystem<Engine>::algebraic_rates(const State& state) const {
  // The time derivative of D x = F - C J_I v_I - K J_I q_I - K J_C q_C, of which the last rows are q_K'.
  const Vector derivative = apply(state);
  return classification().algebraic().restrict(highest_derivatives(derivative, free().load_rate(state.time)));
}

template <class Engine>
Vector ReducedSystem<Engine>::restrict(const Vector& displacement, const Vector& rate) const {
  const Index n_local = assembled().dofs().n_local();
  if (displacement.size() != n_local || rate.size() != n_local)
    throw InvalidInput(
        "A displacement with " + std::to_string(displacement.size()) + " entries and a rate with " +
        std::to_string(rate.size()) + " were given, but there are " + std::to_string(n_local) +
        " assembled degrees of freedom here. Give one entry for each, constrained ones included.");
  const MultiVector q = free().restrict(displacement), v = free().restrict(rate);
  Vector y(n_local_states());
  y << classification().inertial().restrict(q), classification().viscous().restrict(q),
      classification().inertial().restrict(v);
  return y;
}

template class ReducedSystem<InstantiatedEngine>;

}  // namespace halfdof
