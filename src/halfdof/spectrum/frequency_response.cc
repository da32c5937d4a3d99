#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/null_space.h>
#include <halfdof/spectrum/frequency_response.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>

namespace halfdof {
namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

template <class Engine>
void check(const AssembledSystem<Engine>& assembled, const Classification& classification,
           const std::vector<double>& frequencies, const std::vector<GlobalIndex>& inputs) {
  for (const double frequency : frequencies)
    if (!std::isfinite(frequency))
      throw InvalidInput(
          "A frequency of the response is not finite. Pass finite frequencies, in hertz where time is in "
          "seconds.");
  for (const GlobalIndex input : inputs) {
    if (input < 0 || input >= assembled.n_dofs())
      throw InvalidInput("Input DoF " + std::to_string(input) +
                         " does not exist: the assembled indices run from 0 to " +
                         std::to_string(assembled.n_dofs() - 1) + ". Indices are 0-based.");
    const Index local = assembled.dofs().local_index(input);
    if (local >= 0 && classification.kind(local) == DoFKind::constrained)
      throw InvalidInput(
          "A force was to act on " + assembled.describe(local) +
          ", which is constrained: it moves nothing. Choose a free degree of freedom as input.");
  }
}

/// Unit loads, one column for each input. Shapes: local assembled DoFs x n_inputs.
Vector unit_load(const Partition& dofs, GlobalIndex input) {
  Vector load = Vector::Zero(dofs.n_local());
  if (const Index local = dofs.local_index(input); local >= 0) load[local] = 1;
  return load;
}

/// Reads the outputs off the displacements of all free DoFs.
template <class Engine>
class AssembledOutputs {
 public:
  AssembledOutputs(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs)
      : assembled_(reduced.assembled()), kinds_(reduced.classification()), outputs_(outputs) {
    const auto is_reaction = [](const Output& output) { return output.quantity == OutputQuantity::reaction; };
    if (std::none_of(outputs.begin(), outputs.end(), is_reaction)) return;
    for (const typename Engine::Matrix* matrix : {&assembled_.K(), &assembled_.C(), &assembled_.M()})
      held_.push_back(Engine::submatrix(*matrix, assembled_.constrained(), assembled_.free()));
  }

  /// This process's share. Shapes: q local free DoFs x k, result n_outputs x k.
  ComplexMultiVector operator()(const ComplexMultiVector& q, Complex s) const {
    ComplexMultiVector displacement = ComplexMultiVector::Zero(assembled_.dofs().n_local(), q.cols());
    assembled_.free().add_to(q, displacement);
    ComplexMultiVector reaction = displacement;
    if (!held_.empty()) assembled_.constrained().add_to(reactions(q, s), reaction);

    ComplexMultiVector z = ComplexMultiVector::Zero(static_cast<Index>(outputs_.size()), q.cols());
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      const Index local = assembled_.dofs().local_index(outputs_[o].dof);
      if (local < 0) continue;
      const bool is_reaction = outputs_[o].quantity == OutputQuantity::reaction;
      const Complex factor = is_reaction ? 1. : std::pow(s, static_cast<int>(outputs_[o].quantity));
      z.row(static_cast<Index>(o)) = factor * (is_reaction ? reaction : displacement).row(local);
    }
    return z;
  }

 private:
  /// K_Df q + C_Df s q + M_Df s^2 q. Null columns are left out, also those that a tolerance made null.
  ComplexMultiVector reactions(const ComplexMultiVector& q, Complex s) const {
    ComplexMultiVector rate = s * q;
    rate(kinds_.algebraic().local(), Eigen::all).setZero();
    ComplexMultiVector acceleration = s * rate;
    acceleration(kinds_.viscous().local(), Eigen::all).setZero();
    ComplexMultiVector sum = ComplexMultiVector::Zero(assembled_.constrained().n_local(), q.cols());
    held_[0].add_product(Complex(1), q, sum);
    held_[1].add_product(Complex(1), rate, sum);
    held_[2].add_product(Complex(1), acceleration, sum);
    return sum;
  }

  const AssembledSystem<Engine>& assembled_;
  const Classification& kinds_;
  const std::vector<Output>& outputs_;
  std::vector<typename Engine::Matrix> held_;
};

ComplexMultiVector summed(const Communicator& communicator, ComplexMultiVector z) {
  communicator.sum(reinterpret_cast<double*>(z.data()), static_cast<int>(2 * z.size()));
  return z;
}

/// The DoFs that take part most in the undamped motions at this angular frequency; three of each process at
/// most. Collective.
template <class Engine>
std::string moving_dofs(const FreeSystem<Engine>& system, double omega) {
  const auto undamped = Engine::sum(1., system.K(), -omega * omega, system.M());
  const Vector weights = null_space<Engine>(undamped).basis.rowwise().norm();
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::round(1e6 * weights[a]) > std::round(1e6 * weights[b]);
  });
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 3) && weights[order[i]] > 1e-3; ++i)
    names += "; " + system.describe(order[i]);
  std::string all;
  for (const std::string& part : system.dofs().communicator().gather(names))
    all += part;
  return all.empty() ? "unknown" : all.substr(2);
}

template <class Engine>
ShiftedSystem<Engine, Complex> factorize_at(const ReducedSystem<Engine>& reduced, double frequency) {
  const double omega = two_pi * frequency;
  try {
    return reduced.shifted(Complex(0, omega));
  } catch (const SingularMatrix&) {
    std::ostringstream message;
    message << "The dynamic stiffness at " << frequency << " Hz is singular: ";
    if (frequency == 0)
      message
          << "no spring holds a rigid-body motion, and its static response is infinite. Hold it, or start "
             "above 0 Hz.";
    else
      message
          << "a part of the system resonates there and no damper sees its motion, so that the response is "
             "infinite. Leave this frequency out, or give the mode damping.";
    message << " What moves most: " << moving_dofs(reduced.free(), omega) << '.';
    throw SingularMatrix(message.str());
  }
}

double largest_difference(const FrequencyResponse& response) {
  MultiVector scale = MultiVector::Zero(static_cast<Index>(response.outputs.size()),
                                        static_cast<Index>(response.inputs.size()));
  MultiVector difference = scale;
  for (std::size_t k = 0; k < response.before.size(); ++k) {
    scale = scale.cwiseMax(response.before[k].cwiseAbs());
    difference = difference.cwiseMax((response.before[k] - response.after[k]).cwiseAbs());
  }
  double largest = 0;
  for (Index i = 0; i < scale.size(); ++i)
    largest = std::max(largest, scale(i) > 0 ? difference(i) / scale(i) : difference(i));
  return largest;
}

}  // namespace

template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  const Communicator& communicator = reduced.communicator();
  call_together(communicator, [&] { check(assembled, reduced.classification(), frequencies, inputs); });

  const OutputWeights weights = OutputMap<Engine>(reduced, outputs).weights();
  const AssembledOutputs<Engine> assembled_outputs(reduced, outputs);
  MultiVector f(assembled.dofs().n_local(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    f.col(static_cast<Index>(i)) = unit_load(assembled.dofs(), inputs[i]);
  const MultiVector F = assembled.free().restrict(f);
  const ComplexMultiVector complex_F = F.cast<Complex>(), Bf = reduced.input(F).template cast<Complex>();
  const ComplexMultiVector feed_through = (weights.loads.transpose() * f).template cast<Complex>();
  ComplexMultiVector rate_feed_through = ComplexMultiVector::Zero(feed_through.rows(), feed_through.cols());
  if (weights.load_rates.cols() > 0) rate_feed_through.real() = weights.load_rates.transpose() * f;

  FrequencyResponse response{frequencies, inputs, outputs, {}, {}, 0};
  for (const double frequency : frequencies) {
    const Complex s(0, two_pi * frequency);
    const ShiftedSystem<Engine, Complex> shifted = factorize_at(reduced, frequency);
    const ComplexMultiVector q = shifted.pencil().solve(complex_F);
    response.before.push_back(summed(communicator, assembled_outputs(q, s)));
    const ComplexMultiVector y = shifted.solve(Bf);
    response.after.push_back(
        summed(communicator, weights.states.transpose() * y + feed_through + s * rate_feed_through));
  }
  response.max_relative_difference = largest_difference(response);
  return response;
}

template FrequencyResponse frequency_response(const ReducedSystem<InstantiatedEngine>&,
                                              const std::vector<double>&, const std::vector<GlobalIndex>&,
                                              const std::vector<Output>&);
}  // namespace halfdof
