#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/uncertainty.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace halfdof {

namespace {

/// Left vectors of the pencil with their eigenvalues.
struct LeftVectors {
  std::vector<Complex> values;
  ComplexMultiVector p;  ///< local free DoFs x k
};

template <class Scalar>
LeftVectors left_vectors(const ShiftInverse<Scalar>& inverse, Index k) {
  const Eigenpairs pairs = nearest_eigenpairs(inverse, k);
  LeftVectors left{pairs.values, {}};
  if constexpr (std::is_same_v<Scalar, double>) {
    const MultiVector re = inverse.left_vectors(MultiVector(pairs.vectors.real())),
                      im = inverse.left_vectors(MultiVector(pairs.vectors.imag()));
    left.p = re.cast<Complex>() + Complex(0, 1) * im.cast<Complex>();
  } else {
    left.p = inverse.left_vectors(pairs.vectors);
  }
  return left;
}

/// Places of the values that are equal to one of them up to rounding.
std::vector<Index> places_near(const std::vector<Complex>& values, Complex value, double largest) {
  constexpr double close = 1e-6;
  std::vector<Index> places;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (std::abs(values[j] - value) <= close * std::max(std::abs(value), close * largest))
      places.push_back(static_cast<Index>(j));
  return places;
}

double largest_modulus(const std::vector<Complex>& values) {
  double largest = 0;
  for (const Complex value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

template <class Engine>
std::vector<double> uncertainties_by_left_vectors(const ReducedSystem<Engine>& reduced,
                                                  const TermScales<Engine>& scales,
                                                  const NearestEigenvalues& nearest) {
  const Stage stage("left vectors");
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto n_values = nearest.eigenvalues.size();
  std::vector<double> uncertainties(n_values, unknown);
  if (n_values == 0) return uncertainties;
  const auto k = static_cast<Index>(n_values);
  LeftVectors left;
  try {
    const Complex sigma = nearest.shift;
    left = sigma.imag() == 0 ? left_vectors(transposed_shift_inverse(reduced, sigma.real()), k)
                             : left_vectors(transposed_shift_inverse(reduced, sigma), k);
  } catch (const NotAvailable&) {
    return uncertainties;
  } catch (const NoConvergence&) {
    return uncertainties;
  }

  const Communicator& communicator = reduced.communicator();
  const ComplexMultiVector x = free_displacements(reduced, nearest.states);
  const TermProducts products = term_products(reduced.free(), x);
  const double largest = largest_modulus(nearest.eigenvalues);
  const auto product = [&](const ComplexMultiVector& a, const ComplexMultiVector& b) -> ComplexMultiVector {
    ComplexMultiVector result = a.transpose() * b;
    communicator.sum(reinterpret_cast<double*>(result.data()), static_cast<int>(2 * result.size()));
    return result;
  };
  for (std::size_t j = 0; j < n_values; ++j) {
    const Complex lambda = nearest.eigenvalues[j];
    const std::vector<Index> right = places_near(nearest.eigenvalues, lambda, largest),
                             of_left = places_near(left.values, lambda, largest);
    if (of_left.empty() || of_left.size() < right.size()) continue;
    const auto slopes = [&](const std::vector<Index>& columns) -> ComplexMultiVector {
      return 2. * lambda * products.Mx(Eigen::all, columns) + products.Cx(Eigen::all, columns);
    };
    ComplexMultiVector p = left.p(Eigen::all, of_left);
    // Combinations of left vectors, each with one right vector; of a Jordan block there are none, and the
    // square term counts.
    const ComplexMultiVector G = product(p, slopes(right));
    const Eigen::FullPivLU<ComplexMultiVector> lu(G);
    const auto column = static_cast<Index>(j);
    const auto place = static_cast<Index>(std::find(right.begin(), right.end(), column) - right.begin());
    if (G.rows() == G.cols() && lu.rcond() > std::sqrt(unit_roundoff))
      p = (p * lu.inverse().row(place).transpose()).eval();
    else
      p = p.col(0).eval();
    const MultiVector w = scales(ComplexVector::Constant(1, lambda), x.col(column));
    double delta = p.col(0).cwiseAbs().dot(w.col(0));
    delta = unit_roundoff * communicator.sum(delta);
    const double slope = std::abs(product(p, slopes({column}))(0, 0)),
                 curvature = std::abs(product(p, products.Mx.col(column))(0, 0));
    const double denominator = slope + std::sqrt(slope * slope + 4 * curvature * delta);
    if (denominator > 0) uncertainties[j] = 2 * delta / denominator;
  }
  return uncertainties;
}

template std::vector<double> uncertainties_by_left_vectors(const ReducedSystem<InstantiatedEngine>&,
                                                           const TermScales<InstantiatedEngine>&,
                                                           const NearestEigenvalues&);

}  // namespace halfdof
