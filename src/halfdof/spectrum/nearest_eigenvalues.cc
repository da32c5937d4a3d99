#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace halfdof {
namespace {

void check(Index k, Complex sigma) {
  if (k < 1)
    throw InvalidInput(std::to_string(k) +
                       " eigenvalues nearest to a shift were asked for. Ask for at least one.");
  if (!std::isfinite(sigma.real()) || !std::isfinite(sigma.imag()))
    throw InvalidInput("The shift is not finite. Pass a finite number, zero for the slowest modes.");
}

/// Whether the shift is so near to an eigenvalue that the others lose accuracy.
bool too_near(const std::vector<Complex>& eigenvalues, Complex sigma) {
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const Complex& value : eigenvalues) {
    nearest = std::min(nearest, std::abs(value - sigma));
    farthest = std::max(farthest, std::abs(value - sigma));
  }
  return nearest < 1e-5 * farthest;
}

bool holds_zero(const std::vector<Complex>& eigenvalues) {
  return std::find(eigenvalues.begin(), eigenvalues.end(), 0.) != eigenvalues.end();
}

struct PairsAtShift {
  Eigenpairs pairs;
  std::vector<Complex> rounded;  ///< the eigenvalues, zeros rounded
  Complex shift;
};

/**
 * Finds eigenpairs with sigma, or with the first shift beside it that is no eigenvalue.
 * @param find The eigenpairs nearest to a shift. @param displacements Those of the free DoFs that belong to
 * eigenvectors.
 */
template <class Engine, class Find, class Displacements>
PairsAtShift find_beside_eigenvalues(const FreeSystem<Engine>& system, Complex sigma, const Find& find,
                                     const Displacements& displacements) {
  constexpr int n_moves = 5;
  const double rate = characteristic_rate(system);
  double move = 1e-5 * (std::abs(sigma) > 1e-5 * rate ? std::abs(sigma) : rate);
  Complex shift = sigma;
  for (int n_moved = 0;; ++n_moved) {
    try {
      Eigenpairs pairs = find(shift);
      std::vector<Complex> rounded = round_zeros<Engine>(system, pairs.values, displacements(pairs.vectors));
      const bool on_zero = std::abs(shift) < 1e-6 * rate && holds_zero(rounded);
      if (n_moved == n_moves || !(on_zero || too_near(pairs.values, shift)))
        return {std::move(pairs), std::move(rounded), shift};
    } catch (const SingularMatrix&) {
      if (n_moved == n_moves) throw;
    }
    shift = sigma + move;
    move *= 10;
  }
}

/// Where rounding alone does not explain a residual this large, the vector is polished.
constexpr double good_residual = 1e-9;

/**
 * One step of inverse iteration for each vector that needs it, from a shift close to its own eigenvalue. A
 * vector of a fast mode comes out of a basis that slow modes dominate, and inherits rounding errors of their
 * size; A multiplies these by the stiffness of rough modes. Costs one factorization for each such pair.
 */
template <class Engine>
void polish(const ReducedSystem<Engine>& reduced, const Eigenmodes& modes, Eigenpairs& pairs) {
  for (std::size_t j = 0; j < pairs.values.size(); ++j) {
    const EigenpairResidual& residual = modes.residuals[j];
    const Complex lambda = pairs.values[j];
    if (modes.eigenvalues[j] == 0. || residual.reduced <= std::max(good_residual, 10 * residual.rounding))
      continue;
    const auto column = static_cast<Index>(j);
    const bool is_partner = j > 0 && lambda.imag() != 0 && lambda == std::conj(pairs.values[j - 1]);
    if (is_partner) {
      pairs.vectors.col(column) = pairs.vectors.col(column - 1).conjugate();
      continue;
    }
    const auto near = reduced.shifted(lambda + 1e-5 * std::abs(lambda));
    ComplexVector y = pairs.vectors.col(column);
    for (int step = 0; step < 2; ++step) {
      y = near.solve(y);
      y /= norm(reduced.communicator(), y);
    }
    pairs.vectors.col(column) = y;
  }
}

}  // namespace

template <class Engine>
NearestEigenvalues nearest_eigenvalues(const ReducedSystem<Engine>& reduced, Index k, Complex sigma) {
  check(k, sigma);
  const auto find = [&](Complex shift) {
    return shift.imag() == 0 ? nearest_eigenpairs<Engine>(reduced_shift_inverse(reduced, shift.real()), k)
                             : nearest_eigenpairs<Engine>(reduced_shift_inverse(reduced, shift), k);
  };
  const auto displacements = [&](const ComplexMultiVector& y) { return free_displacements(reduced, y); };
  PairsAtShift found = find_beside_eigenvalues(reduced.free(), sigma, find, displacements);
  polish(reduced, eigenmodes(reduced, found.pairs.values, found.pairs.vectors), found.pairs);
  return {eigenmodes(reduced, found.pairs.values, std::move(found.pairs.vectors)), sigma, found.shift};
}

template <class Engine>
NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<Engine>& reduced, Index k,
                                                          Complex sigma) {
  check(k, sigma);
  const auto find = [&](Complex shift) {
    return shift.imag() == 0 ? nearest_eigenpairs<Engine>(companion_shift_inverse(reduced, shift.real()), k)
                             : nearest_eigenpairs<Engine>(companion_shift_inverse(reduced, shift), k);
  };
  const auto displacements = [&](const ComplexMultiVector& x) {
    return ComplexMultiVector(x.topRows(reduced.free().dofs().n_local()));
  };
  PairsAtShift found = find_beside_eigenvalues(reduced.free(), sigma, find, displacements);
  return {std::move(found.rounded), sigma, found.shift};
}

template NearestEigenvalues nearest_eigenvalues(const ReducedSystem<InstantiatedEngine>&, Index, Complex);
template NearestAssembledEigenvalues nearest_assembled_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                                   Index, Complex);

}  // namespace halfdof
