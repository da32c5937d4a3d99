#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/invariant_subspace.h>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

InvariantSubspace leading_part(MultiVector H, Index n_wanted) {
  const auto n = static_cast<lapack_int>(H.rows());
  Vector real(n), imaginary(n);
  MultiVector Q(n, n);
  lapack_int n_selected = 0;
  if (LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, H.data(), n, &n_selected, real.data(),
                    imaginary.data(), Q.data(), n) != 0)
    throw NoConvergence("The Schur form of a dense " + std::to_string(n) + " x " + std::to_string(n) +
                            " matrix did not converge.",
                        1.);

  std::vector<lapack_int> by_magnitude(static_cast<std::size_t>(n));
  std::iota(by_magnitude.begin(), by_magnitude.end(), 0);
  std::stable_sort(by_magnitude.begin(), by_magnitude.end(), [&](lapack_int i, lapack_int j) {
    return std::hypot(real[i], imaginary[i]) > std::hypot(real[j], imaginary[j]);
  });
  std::vector<lapack_logical> selected(static_cast<std::size_t>(n), 0);
  for (lapack_int k = 0; k < std::min<lapack_int>(n, n_wanted); ++k) {
    const lapack_int i = by_magnitude[static_cast<std::size_t>(k)];
    selected[static_cast<std::size_t>(i)] = 1;
    // A pair stands together in the Schur form, the positive imaginary part first.
    if (imaginary[i] != 0.) selected[static_cast<std::size_t>(imaginary[i] > 0. ? i + 1 : i - 1)] = 1;
  }
  double condition = 0, separation = 0;
  Vector work(n);
  lapack_int integer_work = 0;
  // LAPACKE_dtrsen() itself passes a null pointer for the integers that LAPACK writes.
  if (LAPACKE_dtrsen_work(LAPACK_COL_MAJOR, 'N', 'V', selected.data(), n, H.data(), n, Q.data(), n,
                          real.data(), imaginary.data(), &n_selected, &condition, &separation, work.data(), n,
                          &integer_work, 1) != 0)
    throw NoConvergence("The Schur form of a dense " + std::to_string(n) + " x " + std::to_string(n) +
                            " matrix could not be reordered: its eigenvalues are too close.",
                        1.);
  return {Q.leftCols(n_selected), H.topLeftCorner(n_selected, n_selected),
          (real.array().square() + imaginary.array().square()).sqrt().head(n_selected)};
}

DeflatedOperator::DeflatedOperator(const LinearOperator& apply, Partition rows, MultiVector Q, double scale)
    : apply_(&apply), rows_(std::move(rows)), Q_(std::move(Q)), scale_(scale) {}

Vector DeflatedOperator::operator()(const Vector& x) const {
  Vector y = undeflated(x);
  if (Q_.cols() > 0) y -= Q_ * inner_products(rows_.communicator(), Q_, y);
  return y;
}

Vector DeflatedOperator::undeflated(const Vector& x) const {
  Vector y = (*apply_)(x) / scale_;
  if (rows_.communicator().any(!y.allFinite()))
    throw InvalidInput(
        "The operator whose eigenvalues are sought returned an infinite value or not a number. "
        "Check its shift: it may lie on an eigenvalue.");
  return y;
}

namespace {

void check_converged(const InvariantSubspace& found, Index n_wanted, const SubspaceOptions& options) {
  if (found.converged) return;
  std::ostringstream message;
  message << "The " << n_wanted << " eigenvalues of largest magnitude did not converge within "
          << options.max_restarts << " restarts of a Krylov basis of " << options.n_basis
          << " vectors: the relative residual is " << found.residual / found.magnitudes.maxCoeff()
          << ". Allow more restarts, a larger basis or a looser tolerance.";
  throw NoConvergence(message.str(), found.residual / found.magnitudes.maxCoeff());
}

/// The leading part of the sum of two invariant subspaces, the second one of the deflated operator:
/// A [Q Z] = [Q Z] [T, Q^T A Z; 0, T_Z].
InvariantSubspace merge(const InvariantSubspace& found, const InvariantSubspace& missing,
                        const DeflatedOperator& A, Index n_wanted) {
  const Eigen::Index m = found.T.rows();
  const Eigen::Index k = missing.T.rows();
  MultiVector T = MultiVector::Zero(m + k, m + k);
  T.topLeftCorner(m, m) = found.T;
  T.bottomRightCorner(k, k) = missing.T;
  for (Eigen::Index j = 0; j < k; ++j)
    T.col(m + j).head(m) = inner_products(A.rows().communicator(), found.Q, A.undeflated(missing.Q.col(j)));
  MultiVector both(found.Q.rows(), m + k);
  both << found.Q, missing.Q;
  InvariantSubspace leading = leading_part(std::move(T), n_wanted);
  leading.Q = both * leading.Q;
  return leading;
}

/**
 * The Krylov space of one start vector holds one direction for each eigenvalue; further copies of a multiple
 * one enter by rounding only, perhaps too late. So what was found is deflated, and as long as an eigenvalue
 * is left that is clearly larger than the smallest one found, it is taken in. A first look in a small basis,
 * to a few digits, settles nearly every case.
 */
InvariantSubspace with_all_copies(InvariantSubspace found, const LinearOperator& apply, const Partition& rows,
                                  double scale, const SubspaceOptions& options,
                                  const KrylovIteration& iterate) {
  const Communicator& communicator = rows.communicator();
  constexpr double clearly_larger = 1.01;
  constexpr double zero = 1e-13;  // relative to the largest eigenvalue
  SubspaceOptions look = options;
  look.n_basis = 10;
  look.tolerance = 1e-3;
  for (Index n_sought = 1; n_sought <= options.n_eigenvalues; n_sought *= 2) {
    const DeflatedOperator deflated(apply, rows, found.Q, scale);
    const double negligible = zero * found.magnitudes.maxCoeff();
    look.start = deflated(pseudo_random(rows));
    if (norm(communicator, deflated(look.start)) <= negligible * norm(communicator, look.start)) break;
    const InvariantSubspace largest_left = iterate(deflated, 1, look);
    if (largest_left.magnitudes.maxCoeff() <=
        std::max(clearly_larger * found.magnitudes.minCoeff(), negligible))
      break;

    SubspaceOptions precise = options;
    precise.start = largest_left.Q.rowwise().sum();
    const InvariantSubspace missing = iterate(deflated, n_sought, precise);
    check_converged(missing, n_sought, precise);
    found = merge(found, missing, deflated, options.n_eigenvalues);
  }
  return found;
}

/// Norm of the operator on the vector to which a few steps of the power method lead: some scale of its
/// largest eigenvalues; zero if the operator is.
double scale_of(const LinearOperator& apply, const Partition& rows, Vector x) {
  const Communicator& communicator = rows.communicator();
  const DeflatedOperator A(apply, rows, MultiVector(x.size(), 0), 1.);
  double scale = 0;
  double size = norm(communicator, x);
  for (int step = 0; step < 3 && size > 0.; ++step) {
    x = A(x / size);
    size = norm(communicator, x);
    if (size > 0.) scale = size;
  }
  return scale;
}

/// The columns of the identity that belong to rows first ... first + n_columns - 1 by rank.
MultiVector unit_vectors(const Partition& rows, GlobalIndex first, Index n_columns) {
  const GlobalIndex before = rows.communicator().sum_before(rows.n_local());
  MultiVector units = MultiVector::Zero(rows.n_local(), n_columns);
  for (Index j = 0; j < n_columns; ++j) {
    const GlobalIndex i = first + j - before;
    if (i >= 0 && i < rows.n_local()) units(static_cast<Index>(i), j) = 1;
  }
  return units;
}

/// The operator as a matrix on every process, rows and columns by rank.
MultiVector dense(const LinearOperator& apply, const Partition& rows) {
  const DeflatedOperator A(apply, rows, MultiVector(rows.n_local(), 0), 1.);
  const auto n = static_cast<Index>(rows.n_global());
  MultiVector all(n, n);
  for (Index j = 0; j < n; ++j) {
    const Vector column = A(unit_vectors(rows, j, 1));
    const std::vector<double> whole =
        gather(rows.communicator(), std::vector<double>(column.data(), column.data() + column.size()));
    all.col(j) = Eigen::Map<const Vector>(whole.data(), n);
  }
  return all;
}

MultiVector dominant_subspace_of_small(const LinearOperator& apply, const Partition& rows, Index n_wanted) {
  const GlobalIndex before = rows.communicator().sum_before(rows.n_local());
  return leading_part(dense(apply, rows), n_wanted).Q.middleRows(static_cast<Index>(before), rows.n_local());
}

void check_sizes(const SubspaceOptions& options, const Partition& rows) {
  if (options.n_eigenvalues < 0 || options.n_basis < options.n_eigenvalues + 2)
    throw InvalidInput("A Krylov basis of " + std::to_string(options.n_basis) + " vectors cannot give " +
                       std::to_string(options.n_eigenvalues) + " eigenvalues: it needs at least two more.");
  const bool fits = options.start.size() == 0 || options.start.size() == rows.n_local();
  if (rows.communicator().any(!fits))
    throw InvalidInput("The start vector of an operator on " + std::to_string(rows.n_local()) +
                       " entries has " + std::to_string(options.start.size()) + ".");
}

}  // namespace

MultiVector dominant_subspace(const LinearOperator& apply, const Partition& rows, SubspaceOptions options,
                              const KrylovIteration& iterate) {
  const Stage stage("Krylov iteration");
  constexpr Index smallest_for_iteration = 40;
  if (options.n_basis == 0) options.n_basis = std::max(2 * options.n_eigenvalues + 1, 20);
  check_sizes(options, rows);
  if (options.n_eigenvalues == 0 || rows.n_global() == 0) return MultiVector(rows.n_local(), 0);
  if (rows.n_global() <= std::max(options.n_basis, smallest_for_iteration))
    return dominant_subspace_of_small(apply, rows, options.n_eigenvalues);

  if (!rows.communicator().any(options.start.size() > 0)) options.start = pseudo_random(rows);
  const double scale = scale_of(apply, rows, options.start);
  if (scale == 0.) return unit_vectors(rows, 0, options.n_eigenvalues);
  const DeflatedOperator A(apply, rows, MultiVector(rows.n_local(), 0), scale);
  const InvariantSubspace found = iterate(A, options.n_eigenvalues, options);
  check_converged(found, options.n_eigenvalues, options);
  return with_all_copies(found, apply, rows, scale, options, iterate).Q;
}

}  // namespace halfdof
