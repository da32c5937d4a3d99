// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/diagnosis/index_certificate.h>
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

/// Increase of the diagonal, by which semidefinite matrices become definite.
constexpr double perturbation = 1e-12;
/// If the part of a vector in the kernel of a symmetric part exceeds this fraction, it is not zero.
constexpr double in_kernel = 1e-6;
/// Condition number above which a matrix is not certainly regular.
constexpr double surely_regular = 1e12;

using Sparse = Eigen::SparseMatrix<double>;

template <class Engine>
bool is_symmetric(const typename Engine::Matrix& A) {
  return Engine::asymmetry(A) <= FactorizationOptions().symmetry_tolerance;
}

/// Returns (A + A^T) / 2; no value on several processes unless A is symmetric.
template <class Engine>
std::optional<typename Engine::Matrix> symmetric_part(const typename Engine::Matrix& A) {
  const Partition& dofs = A.rows();
  if (is_symmetric<Engine>(A)) return A;
  if (dofs.communicator().size() > 1) return std::nullopt;
  const Sparse entries = entries_of<Engine>(A);
  const Sparse part = 0.5 * (entries + Sparse(entries.transpose()));
  return matrix_from<Engine>(part, dofs, dofs);
}

/// The matrix J S J with diagonal entries of the same size.
template <class Engine>
struct Scaled {
  typename Engine::Matrix B;
  Vector J;
};

/// Scales S or -S so that the diagonal is not negative. No value if the diagonal shows that neither of them
/// is semidefinite: its signs differ, or it is zero in a row that is not null.
template <class Engine>
std::optional<Scaled<Engine>> scaled_by_diagonal(const typename Engine::Matrix& S) {
  const Communicator& communicator = S.rows().communicator();
  const Vector diagonal = diagonal_of<Engine>(S), norms = Engine::row_norms(S);
  const bool has_positive = communicator.any((diagonal.array() > 0).any()),
             has_negative = communicator.any((diagonal.array() < 0).any()),
             has_zero = communicator.any(((diagonal.array() == 0) && (norms.array() > 0)).any());
  if (has_zero || (has_positive && has_negative)) return std::nullopt;
  const Vector J = (norms.array() > 0).select(diagonal.array().abs().sqrt().inverse(), 1.);
  return Scaled<Engine>{Engine::scaled(S, has_negative ? Vector(-J) : J, J), J};
}

/// Whether the symmetric part of a matrix or of its negative is positive definite.
template <class Engine>
bool has_definite_part(const typename Engine::Matrix& A) {
  const auto S = symmetric_part<Engine>(A);
  const auto scaled = S ? scaled_by_diagonal<Engine>(*S) : std::nullopt;
  const auto factorization = scaled ? Engine::factorize_definite(scaled->B) : nullptr;
  return factorization && condition_number<Engine>(scaled->B, *factorization) < surely_regular;
}

double largest_of(const Communicator& communicator, const Vector& x) {
  return communicator.max(x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.);
}

template <class Engine>
bool has_property_K(const typename Engine::Matrix& A) {
  const auto S = symmetric_part<Engine>(A);
  const auto scaled = S ? scaled_by_diagonal<Engine>(*S) : std::nullopt;
  if (!scaled) return false;
  const Partition& dofs = A.rows();
  const Vector shift = Vector::Constant(dofs.n_local(), perturbation);
  const auto factorization =
      Engine::factorize_definite(Engine::sum(1., scaled->B, 1., Engine::diagonal(shift, dofs)));
  if (!factorization) return false;
  if (is_symmetric<Engine>(A)) return true;
  Vector image = Vector::Zero(dofs.n_local());
  A.add_transposed_product(1., pseudo_random(dofs), image);
  const Vector w = scaled->J.cwiseProduct(image);
  const Vector of_kernel = perturbation * factorization->solve(w);
  return largest_of(dofs.communicator(), of_kernel) <= in_kernel * largest_of(dofs.communicator(), w);
}

/// Whether the null rows are the null columns, and the remaining part is regular.
template <class Engine>
bool has_null_lines_and_a_regular_rest(const typename Engine::Matrix& A) {
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
    return condition_number<Engine>(rest, *Engine::factorize(rest)) < surely_regular;
  } catch (const SingularMatrix&) {
    return false;
  }
}

/// Returns why ker M = ker M^T; no value if that is not certain.
template <class Engine>
std::optional<std::string> equal_kernels_of_mass(const typename Engine::Matrix& M) {
  if (is_symmetric<Engine>(M)) return "M is symmetric";
  if (has_property_K<Engine>(M)) return "M has Property (K)";
  if (has_null_lines_and_a_regular_rest<Engine>(M))
    return "the null rows of M are its null columns and the rest of it is regular";
  return std::nullopt;
}

template <class Engine>
bool is_definite_pencil(const FreeSystem<Engine>& system, double lambda) {
  const auto damped = Engine::sum(lambda, system.C(), 1., system.K());
  return has_definite_part<Engine>(Engine::sum(lambda * lambda, system.M(), 1., damped));
}

}  // namespace

template <class Engine>
IndexCertificate certify_index_two(const FreeSystem<Engine>& system, double rate) {
  const char* sign = is_definite_pencil(system, rate)    ? "positive"
                     : is_definite_pencil(system, -rate) ? "negative"
                                                         : nullptr;
  if (!sign)
    return {
        false,
        "the symmetric part of lambda^2 M + lambda C + K is not definite at the real lambda that were tried"};
  if (!has_property_K<Engine>(system.C()))
    return {false, "the symmetric part of C is not semidefinite, or has a kernel that C does not have"};
  const auto mass = equal_kernels_of_mass<Engine>(system.M());
  if (!mass) return {false, "it is not certain that M and its transpose have the same kernel"};
  return {true, std::string("Proposition 3.5 (ii) of Dumont et al.: lambda^2 M + lambda C + K has a definite "
                            "symmetric part at a ") +
                    sign + " lambda, C has Property (K), and " + *mass};
}

template IndexCertificate certify_index_two(const FreeSystem<InstantiatedEngine>&, double);

}  // namespace halfdof::internal
