// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>
#include <halfdof/reduction/assembled_outputs.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/kernel/null_space.h>
#include <halfdof/spectrum/frequency_response.h>
#include <halfdof/spectrum/uncertainty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace halfdof {

using namespace internal;
namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

void check_frequencies(const std::vector<double>& frequencies) {
  for (const double frequency : frequencies)
    if (!std::isfinite(frequency))
      throw InvalidInput(
          "A frequency of the response is not finite. Pass finite frequencies, in hertz where time is in "
          "seconds.");
}

template <class Engine>
void check_inputs(const AssembledSystem<Engine>& assembled, const std::vector<GlobalIndex>& inputs) {
  for (const GlobalIndex input : inputs) {
    if (input < 0 || input >= assembled.n_dofs())
      throw InvalidInput("Input DoF " + std::to_string(input) +
                         " does not exist: the assembled indices run from 0 to " +
                         std::to_string(assembled.n_dofs() - 1) + ". Indices are 0-based.");
    const Index local = assembled.dofs().local_index(input);
    const std::vector<Index>& constrained = assembled.constrained().local();
    if (std::binary_search(constrained.begin(), constrained.end(), local))
      throw InvalidInput("A force was to act on " + assembled.describe(local) +
                         ", which is constrained, so that the force moves nothing. Choose a free degree of "
                         "freedom as input.");
  }
}

template <class Engine>
void check_amplitudes(const AssembledSystem<Engine>& assembled, const MultiVector& amplitudes) {
  if (amplitudes.rows() != assembled.dofs().n_local())
    throw InvalidInput("The amplitudes of harmonic loads have " + std::to_string(amplitudes.rows()) +
                       " rows, but this process has " + std::to_string(assembled.dofs().n_local()) +
                       " assembled degrees of freedom. Give one row for each, constrained ones included.");
  for (Index j = 0; j < amplitudes.cols(); ++j)
    for (Index i = 0; i < amplitudes.rows(); ++i)
      if (!std::isfinite(amplitudes(i, j)))
        throw InvalidInput("The amplitude of harmonic load " + std::to_string(j) + " is not finite on " +
                           assembled.describe(i) + ". It must be.");
}

/// Refuses loads f with L^T f other than zero (excluded_loads()): the response would be that of another load.
template <class Engine>
void check_represented(const ReducedSystem<Engine>& reduced, const MultiVector& loads) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  constexpr double rounding = 1e-10;
  const Eigen::SparseMatrix<double> L = excluded_loads(reduced);
  for (Index j = 0; j < L.cols(); ++j)
    for (Index k = 0; k < loads.cols(); ++k) {
      const Vector terms = Vector(L.col(j)).cwiseProduct(loads.col(k));
      Index dof = 0;
      if (terms.size() == 0 || terms.cwiseAbs().maxCoeff(&dof) == 0 ||
          std::abs(terms.sum()) <= rounding * terms.cwiseAbs().sum())
        continue;
      throw NotAvailable(
          "A force was to act on " + assembled.describe(dof) +
          ", whose equation constrains the motion of other degrees of freedom: the force would be the right "
          "side of that constraint, and the motion would depend on derivatives of the force. Choose another "
          "degree of freedom as input.");
    }
}

/// Unit loads, one column for each input. Shapes: local assembled DoFs x n_inputs.
MultiVector unit_loads(const Partition& dofs, const std::vector<GlobalIndex>& inputs) {
  MultiVector loads = MultiVector::Zero(dofs.n_local(), static_cast<Index>(inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const Index local = dofs.local_index(inputs[i]); local >= 0) loads(local, static_cast<Index>(i)) = 1;
  return loads;
}

template <class Scalar>
DenseMatrix<Scalar> summed(const Communicator& communicator, DenseMatrix<Scalar> z) {
  constexpr int n_parts = sizeof(Scalar) / sizeof(double);
  communicator.sum(reinterpret_cast<double*>(z.data()), n_parts * static_cast<int>(z.size()));
  return z;
}

/// Returns the names of the DoFs that move most in the undamped motions at this angular frequency; at most
/// three of each process. Collective.
template <class Engine>
std::string moving_dofs(const FreeSystem<Engine>& system, double omega) {
  const auto undamped = Engine::sum(1., system.K(), -omega * omega, system.M());
  const Vector weights = null_spaces<Engine>(undamped).value().right.basis.rowwise().norm();
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

/// Factorizes the dynamic stiffness at a frequency by the given function; the error message describes a
/// resonance.
template <class Engine, class Factorize>
auto factorize_at(const FreeSystem<Engine>& system, double frequency, const Factorize& factorize) {
  const double omega = two_pi * frequency;
  try {
    return factorize(Complex(0, omega));
  } catch (const SingularMatrix&) {
    std::ostringstream message;
    message << "The dynamic stiffness at " << frequency << " Hz is singular: ";
    if (frequency == 0)
      message << "no stiffness holds some motion, and its static response is infinite. Hold it, or start "
                 "above 0 Hz.";
    else
      message << "a part of the system resonates there and no damper acts on it, so that the response is "
                 "infinite. Leave this frequency out, or give the mode damping.";
    message << " What moves most: " << moving_dofs(system, omega) << '.';
    throw SingularMatrix(message.str());
  }
}

/// Computes H from the assembled matrices, before the elimination and with all columns.
template <class Engine>
class ResponseBefore {
 public:
  ResponseBefore(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs,
                 const MultiVector& loads)
      : reduced_(reduced),
        outputs_(reduced, outputs),
        F_(reduced.unreduced().system().restrict_forces(loads).template cast<Complex>()),
        of_loads_(outputs_.of_loads(loads).template cast<Complex>()),
        absolute_{absolute_of<Engine>(reduced.unreduced().system().K()),
                  absolute_of<Engine>(reduced.unreduced().system().C()),
                  absolute_of<Engine>(reduced.unreduced().system().M())},
        scales_(reduced.unreduced().system()) {}

  struct Result {
    ComplexMultiVector H;
    MultiVector rounding;  ///< FrequencyResponse::rounding of one frequency
  };

  /// @param shared The factorization of the reduced system at this frequency, which also serves here unless
  /// columns were dropped or constraints were eliminated.
  Result operator()(double frequency, const Factorization<Complex>& shared) const {
    if (!reduced_.unreduced().has_dropped() && !reduced_.free().constraints())
      return result(frequency, shared);
    const FactorizationPtr<Complex> pencil =
        factorize_at(reduced_.unreduced().system(), frequency,
                     [&](Complex s) { return reduced_.unreduced().factorize_pencil(s * s, s, Complex(1)); });
    return result(frequency, *pencil);
  }

 private:
  Result result(double frequency, const Factorization<Complex>& pencil) const {
    const Complex s(0, two_pi * frequency);
    const ComplexMultiVector x = pencil.solve(F_);
    const MultiVector y = pencil.solve_transposed(outputs_.transposed(s)).cwiseAbs(), moduli = x.cwiseAbs();
    MultiVector terms = scales_(ComplexVector::Constant(x.cols(), s), x);
    double factor = 1;
    for (const auto& matrix : absolute_) {
      matrix.add_product(factor, moduli, terms);
      factor *= std::abs(s);
    }
    if (reduced_.method() == ReductionMethod::weierstrass) terms += of_all_places(moduli, std::abs(s));
    return {summed<Complex>(reduced_.communicator(), outputs_(x, s) + of_loads_), rounding(y, terms)};
  }

  /// Returns the effect of rounding in changes of all coordinates: n times the largest entry in the row and
  /// column of each place of |P|, times |x|, and again times n, because up to n changes follow each other,
  /// one for each deflation. On one process.
  MultiVector of_all_places(const MultiVector& moduli, double modulus) const {
    MultiVector T = Engine::to_dense(absolute_[0]) + modulus * Engine::to_dense(absolute_[1]) +
                    modulus * modulus * Engine::to_dense(absolute_[2]);
    const RowColumnScales scales = equilibrating_scales(std::move(T));
    const auto n = static_cast<double>(moduli.rows());
    return n * n * scales.rows.cwiseInverse() * (scales.columns.cwiseInverse().transpose() * moduli);
  }

  MultiVector rounding(const MultiVector& y, const MultiVector& terms) const {
    MultiVector bound = summed<double>(reduced_.communicator(), 8 * unit_roundoff * y.transpose() * terms);
    for (std::size_t o = 0; o < outputs_.list().size(); ++o)
      if (outputs_.is_reaction(outputs_.list()[o]))
        bound.row(static_cast<Index>(o)).setConstant(std::numeric_limits<double>::quiet_NaN());
    return bound;
  }

  const ReducedSystem<Engine>& reduced_;
  AssembledOutputs<Engine> outputs_;
  ComplexMultiVector F_, of_loads_;
  std::array<typename Engine::Matrix, 3> absolute_;  ///< the absolute values |K|, |C| and |M|
  TermScales<Engine> scales_;
};

/// Returns the outputs with rates in place of accelerations.
std::vector<Output> with_rates(std::vector<Output> outputs) {
  for (Output& output : outputs)
    if (output.quantity == OutputQuantity::acceleration) output.quantity = OutputQuantity::rate;
  return outputs;
}

/// Computes C_o (s I - A)^{-1} B + D_o + s D_o', and for accelerations s times the response of the rates.
template <class Engine>
class ResponseAfter {
 public:
  ResponseAfter(const ReducedSystem<Engine>& reduced, const std::vector<Output>& outputs,
                const MultiVector& loads)
      : reduced_(reduced),
        outputs_(outputs),
        weights_(OutputMap<Engine>(reduced, with_rates(outputs)).weights()),
        B_(reduced.input(reduced.free().restrict_forces(loads)).template cast<Complex>()),
        feed_through_((weights_.loads.transpose() * loads).template cast<Complex>()),
        rate_feed_through_(ComplexMultiVector::Zero(feed_through_.rows(), feed_through_.cols())) {
    if (weights_.load_rates.cols() > 0) rate_feed_through_.real() = weights_.load_rates.transpose() * loads;
  }

  ComplexMultiVector operator()(const ShiftedSystem<Engine, Complex>& shifted) const {
    const ComplexMultiVector y = shifted.solve(B_);
    ComplexMultiVector H =
        weights_.states.transpose() * y + feed_through_ + shifted.sigma() * rate_feed_through_;
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (outputs_[o].quantity == OutputQuantity::acceleration)
        H.row(static_cast<Index>(o)) *= shifted.sigma();
    return summed<Complex>(reduced_.communicator(), std::move(H));
  }

 private:
  const ReducedSystem<Engine>& reduced_;
  std::vector<Output> outputs_;
  OutputWeights weights_;
  ComplexMultiVector B_, feed_through_, rate_feed_through_;
};

/// Outputs of single DoFs, each once, and the weights with which outputs along directions are sums of them.
struct SingleOutputs {
  std::vector<Output> outputs;
  /// Weights of the sums; directed outputs x single outputs. The matrix is sparse, so that a single output
  /// whose rounding is not known (NaN) affects only the directed outputs that contain it.
  Eigen::SparseMatrix<double> weights;
};

SingleOutputs single_outputs(const std::vector<DirectedOutput>& directed) {
  std::map<std::pair<OutputQuantity, GlobalIndex>, Index> places;
  SingleOutputs single;
  for (const DirectedOutput& output : directed)
    for (const WeightedDoF& entry : output.along.entries())
      if (places.try_emplace({output.quantity, entry.dof}, static_cast<Index>(places.size())).second)
        single.outputs.push_back({output.quantity, entry.dof});
  std::vector<Eigen::Triplet<double>> weights;
  for (std::size_t o = 0; o < directed.size(); ++o)
    for (const WeightedDoF& entry : directed[o].along.entries())
      weights.emplace_back(static_cast<int>(o),
                           static_cast<int>(places.at({directed[o].quantity, entry.dof})), entry.weight);
  single.weights.resize(static_cast<Index>(directed.size()), static_cast<Index>(places.size()));
  single.weights.setFromTriplets(weights.begin(), weights.end());
  return single;
}

/// Computes the response. @param weights Weights of sums of outputs; empty: the outputs themselves
template <class Engine>
FrequencyResponse response_to(const ReducedSystem<Engine>& reduced, const std::vector<double>& frequencies,
                              const MultiVector& loads, const std::vector<Output>& outputs,
                              const std::optional<Eigen::SparseMatrix<double>>& weights) {
  const ResponseAfter<Engine> after(reduced, outputs, loads);
  const ResponseBefore<Engine> before(reduced, outputs, loads);
  const auto added = [&](const auto& of_outputs, const Eigen::SparseMatrix<double>& factors) {
    using Dense = std::decay_t<decltype(of_outputs)>;
    return weights ? Dense(factors.cast<typename Dense::Scalar>() * of_outputs) : of_outputs;
  };
  FrequencyResponse response;
  response.frequencies = frequencies;
  std::vector<ComplexMultiVector> found_before, found_after;
  std::vector<MultiVector> found_rounding;
  const auto factors = weights.value_or(Eigen::SparseMatrix<double>());
  const Eigen::SparseMatrix<double> sizes = factors.cwiseAbs();
  for (const double frequency : frequencies) {
    try {
      const auto shifted =
          factorize_at(reduced.free(), frequency, [&](Complex s) { return reduced.shifted(s); });
      const auto [H, rounding] = before(frequency, shifted.pencil());
      response.before.push_back(added(H, factors));
      response.after.push_back(added(after(shifted), factors));
      response.rounding.push_back(added(rounding, sizes));
      found_before.push_back(response.before.back());
      found_after.push_back(response.after.back());
      found_rounding.push_back(response.rounding.back());
    } catch (const SingularMatrix& error) {
      response.missing.push_back({frequency, error.what()});
      if (response.missing.size() == frequencies.size()) throw;
      const auto nothing = ComplexMultiVector::Constant(
          weights ? weights->rows() : static_cast<Index>(outputs.size()), loads.cols(),
          Complex(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()));
      response.before.resize(response.after.size());
      response.before.emplace_back(nothing);
      response.after.emplace_back(nothing);
      response.rounding.resize(response.after.size());
    }
  }
  response.max_relative_difference = largest_relative_difference(found_before, found_after, found_rounding);
  return response;
}

}  // namespace

template <class Engine>
HarmonicLoads unit_forces(const AssembledSystem<Engine>& assembled, const std::vector<Direction>& along) {
  const DirectionMatrix H(along, assembled.dofs(), assembled.free(), assembled.constrained());
  MultiVector loads = MultiVector::Zero(assembled.dofs().n_local(), H.n_directions());
  assembled.free().add_to(MultiVector(H.on_dofs()), loads);
  assembled.constrained().add_to(MultiVector(H.constrained()), loads);
  return {std::move(loads)};
}

template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies,
                                     const std::vector<GlobalIndex>& inputs,
                                     const std::vector<Output>& outputs) {
  const StageTimer stage("frequency response");
  const MultiVector loads = unit_loads(reduced.assembled().dofs(), inputs);
  call_together(reduced.communicator(), [&] {
    check_frequencies(frequencies);
    check_inputs(reduced.assembled(), inputs);
    check_represented(reduced, loads);
  });
  FrequencyResponse response = response_to(reduced, frequencies, loads, outputs, std::nullopt);
  response.inputs = inputs;
  response.outputs = outputs;
  return response;
}

template <class Engine>
FrequencyResponse frequency_response(const ReducedSystem<Engine>& reduced,
                                     const std::vector<double>& frequencies, const HarmonicLoads& loads,
                                     const std::vector<DirectedOutput>& outputs) {
  const StageTimer stage("frequency response");
  const bool is_one_number =
      is_same_everywhere(reduced.communicator(), std::to_string(loads.amplitudes.cols()));
  call_together(reduced.communicator(), [&] {
    check_frequencies(frequencies);
    if (!is_one_number)
      throw InvalidInput(
          "The amplitudes of harmonic loads differ in their number of columns between processes. Give one "
          "column for each input on every process.");
    check_amplitudes(reduced.assembled(), loads.amplitudes);
    check_represented(reduced, loads.amplitudes);
  });
  const SingleOutputs single = single_outputs(outputs);
  return response_to(reduced, frequencies, loads.amplitudes, single.outputs, single.weights);
}

template HarmonicLoads unit_forces(const AssembledSystem<InstantiatedEngine>&, const std::vector<Direction>&);
template FrequencyResponse frequency_response(const ReducedSystem<InstantiatedEngine>&,
                                              const std::vector<double>&, const HarmonicLoads&,
                                              const std::vector<DirectedOutput>&);
template FrequencyResponse frequency_response(const ReducedSystem<InstantiatedEngine>&,
                                              const std::vector<double>&, const std::vector<GlobalIndex>&,
                                              const std::vector<Output>&);
}  // namespace halfdof
