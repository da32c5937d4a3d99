// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/diagnosis/index_certificate.h>
#include <halfdof/diagnosis/largest_of.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/one_process.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// Relative increase of the diagonal of a semidefinite matrix, which makes the matrix definite.
constexpr double diagonal_increase = 1e-12;
/// The projection of a vector onto the kernel of a symmetric part counts as nonzero above this fraction
/// of the vector.
constexpr double kernel_fraction = 1e-6;
/// Condition number from which on a matrix does not count as regular.
constexpr double regular_condition_limit = 1e12;

using Sparse = Eigen::SparseMatrix<double>;

template <class Engine>
bool is_symmetric(const typename Engine::Matrix& A) {
  return Engine::asymmetry(A) <= FactorizationOptions().symmetry_tolerance;
}

/// Returns the symmetric part (A + A^T) / 2. The result has no value on several processes unless A is
/// symmetric.
template <class Engine>
std::optional<typename Engine::Matrix> symmetric_part(const typename Engine::Matrix& A) {
  const Partition& dofs = A.rows();
  if (is_symmetric<Engine>(A)) return A;
  if (dofs.communicator().size() > 1) return std::nullopt;
  const Sparse entries = entries_of<Engine>(A);
  const Sparse part = 0.5 * (entries + Sparse(entries.transpose()));
  return matrix_from<Engine>(part, dofs, dofs);
}

/// The symmetric matrix B = J S J with diagonal entries of modulus one, where J is a diagonal matrix.
template <class Engine>
struct ScaledMatrix {
  typename Engine::Matrix B;
  Vector J;
};

/// Scales S or -S so that the diagonal is not negative. The result has no value if the diagonal shows
/// that neither S nor -S is semidefinite: its signs differ, or it is zero in a row that is not null.
template <class Engine>
std::optional<ScaledMatrix<Engine>> scaled_by_diagonal(const typename Engine::Matrix& S) {
  const Communicator& communicator = S.rows().communicator();
  const Vector diagonal = diagonal_of<Engine>(S), norms = Engine::row_norms(S);
  const bool has_positive = communicator.any((diagonal.array() > 0).any()),
             has_negative = communicator.any((diagonal.array() < 0).any()),
             has_zero = communicator.any(((diagonal.array() == 0) && (norms.array() > 0)).any());
  if (has_zero || (has_positive && has_negative)) return std::nullopt;
  const Vector J = (norms.array() > 0).select(diagonal.array().abs().sqrt().inverse(), 1.);
  return ScaledMatrix<Engine>{Engine::scaled(S, has_negative ? Vector(-J) : J, J), J};
}

/// Returns whether the symmetric part of a matrix is positive or negative definite, by a Cholesky
/// factorization.
template <class Engine>
bool has_definite_part(const typename Engine::Matrix& A) {
  const auto S = symmetric_part<Engine>(A);
  const auto scaled = S ? scaled_by_diagonal<Engine>(*S) : std::nullopt;
  const auto factorization = scaled ? Engine::factorize_definite(scaled->B) : nullptr;
  return factorization &&
         equilibrated_condition_number<Engine>(scaled->B, *factorization) < regular_condition_limit;
}

/// Returns whether x^T A x = 0 implies A x = 0 (Property (K)), as far as a Cholesky factorization of the
/// symmetric part of A shows.
template <class Engine>
bool has_property_K(const typename Engine::Matrix& A) {
  const auto S = symmetric_part<Engine>(A);
  const auto scaled = S ? scaled_by_diagonal<Engine>(*S) : std::nullopt;
  if (!scaled) return false;
  const Partition& dofs = A.rows();
  const Vector shift = Vector::Constant(dofs.n_local(), diagonal_increase);
  const auto factorization =
      Engine::factorize_definite(Engine::sum(1., scaled->B, 1., Engine::diagonal(shift, dofs)));
  if (!factorization) return false;
  if (is_symmetric<Engine>(A)) return true;
  Vector image = Vector::Zero(dofs.n_local());
  A.add_transposed_product(1., pseudo_random(dofs), image);
  const Vector w = scaled->J.cwiseProduct(image);
  const Vector of_kernel = diagonal_increase * factorization->solve(w);
  return largest_of(dofs.communicator(), of_kernel) <= kernel_fraction * largest_of(dofs.communicator(), w);
}

/// Returns whether the DoFs with null rows are those with null columns, and the remaining part of the
/// matrix is regular.
template <class Engine>
bool is_regular_without_null_rows(const typename Engine::Matrix& A) {
  const Vector rows = Engine::row_norms(A), columns = Engine::column_norms(A);
  const Communicator& communicator = A.rows().communicator();
  if (communicator.any(((rows.array() == 0) != (columns.array() == 0)).any())) return false;
  std::vector<Index> present;
  for (Index i = 0; i < rows.size(); ++i)
    if (rows[i] > 0) present.push_back(i);
  const Selection selection(std::move(present), A.rows());
  if (selection.n_global() == 0) return true;
  const auto rest = Engine::submatrix(A, selection, selection);
  try {
    return equilibrated_condition_number<Engine>(rest, *Engine::factorize(rest)) < regular_condition_limit;
  } catch (const SingularMatrix&) {
    return false;
  }
}

/// Returns the reason why ker M = ker M^T. The result has no value if no reason is certain.
template <class Engine>
std::optional<std::string> why_mass_kernels_are_equal(const typename Engine::Matrix& M) {
  if (is_symmetric<Engine>(M)) return "M is symmetric";
  if (has_property_K<Engine>(M)) return "M has Property (K)";
  if (is_regular_without_null_rows<Engine>(M))
    return "the null rows of M are its null columns and the rest of M is regular";
  return std::nullopt;
}

template <class Engine>
bool pencil_has_definite_part(const FreeSystem<Engine>& system, double lambda) {
  const auto damped = Engine::sum(lambda, system.C(), 1., system.K());
  return has_definite_part<Engine>(Engine::sum(lambda * lambda, system.M(), 1., damped));
}

}  // namespace

template <class Engine>
IndexCertificate certify_index_two(const FreeSystem<Engine>& system, double rate) {
  const char* sign = pencil_has_definite_part(system, rate)    ? "positive"
                     : pencil_has_definite_part(system, -rate) ? "negative"
                                                               : nullptr;
  if (!sign)
    return {
        false,
        "the symmetric part of lambda^2 M + lambda C + K is not definite at the real lambda that were tried"};
  if (!has_property_K<Engine>(system.C()))
    return {false,
            "the symmetric part of C is not semidefinite, or its kernel is larger than the kernel of C"};
  const auto mass = why_mass_kernels_are_equal<Engine>(system.M());
  if (!mass) return {false, "it is not certain that M and its transpose have the same kernel"};
  return {true, std::string("Proposition 3.5 (ii) of Dumont et al.: lambda^2 M + lambda C + K has a definite "
                            "symmetric part at a ") +
                    sign + " lambda, C has Property (K), and " + *mass};
}

template IndexCertificate certify_index_two(const FreeSystem<InstantiatedEngine>&, double);

}  // namespace halfdof::internal
