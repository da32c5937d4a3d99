// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/ranks/largest_rows.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>
#include <halfdof/reduction/kernel/kernel_hypotheses.h>

#include <algorithm>
#include <iomanip>
#include <limits>
#include <ostream>
#include <utility>

namespace halfdof::internal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A sine of an angle between kernels up to this number counts as zero, because its error is about the
/// square root of the unit roundoff.
constexpr double angle_bound = 1e-8;

/// Returns the number up to which reciprocal condition numbers, and pivots relative to their rows and
/// columns, count as zero.
double singular_bound(Index n) {
  return 10 * static_cast<double>(n) * epsilon;
}

Vector inverse_norms(const Vector& norms) {
  return (norms.array() > 0).select(norms.cwiseInverse(), 1.);
}

/// A matrix A scaled so that its columns and then its rows have 2-norms of about one. Singular values
/// depend on 2-norms, while equilibrating_scales() uses the largest entries.
struct Equilibrated {
  explicit Equilibrated(ConstView<double> A)
      : columns(inverse_norms(A.colwise().norm().transpose())), matrix(A * columns.asDiagonal()) {
    matrix = Vector(inverse_norms(matrix.rowwise().norm())).asDiagonal() * matrix;
  }
  Vector columns;
  MultiVector matrix;
};

/// Returns an orthonormal basis of the range of A. The columns of A must have norms of about one.
MultiVector orthonormal_basis(ConstView<double> A) {
  if (A.cols() == 0) return A;
  const SingularValueDecomposition svd = singular_value_decomposition(A);
  return svd.U.leftCols((svd.values.array() > angle_bound).count());
}

/// Returns an orthonormal basis of the kernel of A.
MultiVector kernel_of(const std::string& name, ConstView<double> A) {
  const auto n = static_cast<Index>(A.cols());
  if (n == 0) return MultiVector(0, 0);
  const Equilibrated B(A);
  const SingularValueDecomposition svd = singular_value_decomposition(B.matrix);
  const double size = svd.values[0];
  const Index rank =
      size > 0
          ? decide_rank({name, n, n, 0, size, epsilon * size, 10 * static_cast<double>(n) * epsilon * size},
                        svd.values)
                .rank
          : 0;
  if (rank == n) return MultiVector(n, 0);
  const MultiVector kernel = B.columns.asDiagonal() * svd.V.rightCols(n - rank);
  return orthonormal_basis(kernel.colwise().normalized());
}

/// Returns the rows with the largest entries of a basis, as DoF numbers for messages.
std::vector<GlobalIndex> largest_dofs(ConstView<double> basis) {
  const std::vector<Index> rows = largest_rows(basis);
  return {rows.begin(), rows.end()};
}

/// Builds a hypothesis that holds if its margin is above one. @param where Vectors whose largest entries name
/// the DoFs if the hypothesis fails
Hypothesis hypothesis_with_margin(std::string name, std::string statement, double margin,
                                  ConstView<double> where) {
  const bool holds = margin > 1;
  return {std::move(name),
          std::move(statement),
          holds,
          margin,
          "",
          holds ? std::vector<GlobalIndex>() : largest_dofs(where)};
}

/// Returns the component of V that is orthogonal to the orthonormal columns of W.
MultiVector orthogonal_component(ConstView<double> V, ConstView<double> W) {
  return V - W * (W.transpose() * V);
}

/// The unit vector of span V with the largest component in `rest`, which contains the columns of V after a
/// projection. The norm of this component is the sine of an angle.
struct Farthest {
  Farthest(ConstView<double> V, ConstView<double> rest) {
    if (rest.size() == 0) return;
    const SingularValueDecomposition svd = singular_value_decomposition(rest);
    sine = svd.values[0];
    vector = V * svd.V.leftCols(1);
  }
  double sine = 0;
  MultiVector vector;
};

/// Returns the hypothesis that the projection `rest` of V vanishes.
Hypothesis hypothesis_of_vanishing(std::string name, std::string statement, ConstView<double> V,
                                   ConstView<double> rest) {
  const Farthest farthest(V, rest);
  return hypothesis_with_margin(std::move(name), std::move(statement),
                                farthest.sine > 0 ? angle_bound / farthest.sine : infinity, farthest.vector);
}

/// Returns the hypothesis that span V is contained in span W.
Hypothesis hypothesis_of_inclusion(std::string name, std::string statement, ConstView<double> V,
                                   ConstView<double> W) {
  return hypothesis_of_vanishing(std::move(name), std::move(statement), V, orthogonal_component(V, W));
}

/// Completes the hypothesis span V = span W, given that the smaller space is contained in the larger one,
/// by comparing dimensions.
Hypothesis with_equal_dimensions(Hypothesis hypothesis, ConstView<double> V, ConstView<double> W) {
  if (V.cols() == W.cols()) return hypothesis;
  hypothesis.holds = false;
  hypothesis.margin = 0;
  hypothesis.found = "dimensions " + std::to_string(V.cols()) + " and " + std::to_string(W.cols());
  const MultiVector wide = V.cols() > W.cols() ? V : W, narrow = V.cols() > W.cols() ? W : V;
  hypothesis.dofs = largest_dofs(Farthest(wide, orthogonal_component(wide, narrow)).vector);
  return hypothesis;
}

/// Returns the hypothesis that span V = span W.
Hypothesis hypothesis_of_equality(std::string name, std::string statement, ConstView<double> V,
                                  ConstView<double> W) {
  return with_equal_dimensions(hypothesis_of_inclusion(std::move(name), std::move(statement), V, W), V, W);
}

/// Returns the hypothesis that A is regular. @param places The basis in which A is written, to name DoFs
Hypothesis hypothesis_of_regularity(std::string name, std::string statement, ConstView<double> A,
                                    ConstView<double> places) {
  const auto n = static_cast<Index>(A.rows());
  if (n == 0) return {std::move(name), std::move(statement), true, infinity, "", {}};
  const Equilibrated B(A);
  const SingularValueDecomposition svd = singular_value_decomposition(B.matrix);
  const double inverse_condition = svd.values[0] > 0 ? svd.values[n - 1] / svd.values[0] : 0;
  const MultiVector null_vector = places * (B.columns.asDiagonal() * svd.V.rightCols(1));
  return hypothesis_with_margin(std::move(name), std::move(statement), inverse_condition / singular_bound(n),
                                null_vector);
}

/// Returns the hypothesis that all leading principal minors of A are nonzero, from the smallest pivot of
/// Gaussian elimination without exchanges, relative to the row and column of the pivot.
Hypothesis leading_minors(std::string name, MultiVector A, const MultiVector& U) {
  const auto n = static_cast<Index>(A.rows());
  const Vector sizes =
      A.cwiseAbs().rowwise().maxCoeff().cwiseMax(A.cwiseAbs().colwise().maxCoeff().transpose());
  double smallest = infinity;
  Index at = 0;
  for (Index k = 0; k < n; ++k) {
    const double pivot = sizes[k] > 0 ? std::abs(A(k, k)) / sizes[k] : 0;
    if (pivot < smallest) {
      smallest = pivot;
      at = k;
    }
    if (pivot <= singular_bound(n)) break;
    const Index rest = n - k - 1;
    A.bottomRightCorner(rest, rest) -= A.col(k).tail(rest) / A(k, k) * A.row(k).tail(rest);
  }
  return hypothesis_with_margin(std::move(name),
                                "the leading principal minors of U^T M_lambda U are not zero",
                                smallest / singular_bound(n), U.col(at));
}

}  // namespace

bool KernelHypotheses::suffice() const {
  return N_3 > 0 && std::all_of(all.begin(), all.end(), [](const Hypothesis& hypothesis) {
           const std::string& name = hypothesis.name;
           return hypothesis.holds || name == "(H_U)" || name == "(4.7)" ||
                  name.find("iii") != std::string::npos;
         });
}

KernelHypotheses kernel_hypotheses(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                   const KernelBasis& basis, double lambda) {
  const auto n = static_cast<Index>(M.rows());
  const MultiVector P = lambda * lambda * M + lambda * C + K;
  const MultiVector of_M = kernel_of("M", M), of_C = kernel_of("lambda M + C", lambda * M + C);
  KernelHypotheses result;
  result.lambda = lambda;
  result.N_1 = static_cast<Index>(of_C.cols());
  result.N_2 = static_cast<Index>(of_M.cols()) - result.N_1;
  result.N_3 = n - static_cast<Index>(of_M.cols());
  const bool has_two = result.N_2 > 0;
  const auto add = [&result](Hypothesis hypothesis) { result.all.push_back(std::move(hypothesis)); };

  add(hypothesis_of_regularity("Gamma", "P(lambda) is not zero", P, MultiVector::Identity(n, n)));
  add(hypothesis_of_equality(has_two ? "(4.1)" : "(4.5)", "ker M = ker M^T", of_M,
                             kernel_of("M^T", M.transpose())));
  const std::string second = has_two ? "(4.2 " : "(4.6 ";
  add(hypothesis_of_inclusion(second + "i)", "ker(lambda M + C) is part of ker M", of_C, of_M));
  add(hypothesis_of_equality(second + "ii)", "ker(lambda M + C) = ker(lambda M + C^T)", of_C,
                             kernel_of("lambda M + C^T", lambda * M + C.transpose())));
  const bool is_case = result.N_1 > 0 && result.N_2 >= 0;
  add({second + "iii)",
       has_two ? "N_1 > 0 and N_2 > 0" : "N_1 > 0 and N_2 = 0",
       is_case,
       is_case ? infinity : 0,
       "",
       {}});
  if (has_two) {
    const MultiVector of_K = kernel_of("lambda^2 M + K", lambda * lambda * M + K);
    add(hypothesis_of_vanishing("(4.3)", "ker(lambda^2 M + K) is perpendicular to ker(lambda M + C)", of_C,
                                of_K.transpose() * of_C));
    MultiVector both(n, of_K.cols() + of_C.cols());
    both << of_K, of_C;
    add(hypothesis_of_equality("(4.3)", "the sum of these two is ker M", orthonormal_basis(both), of_M));
    add(hypothesis_of_equality("(4.4)", "ker(lambda^2 M + K) = ker(lambda^2 M + K^T)", of_K,
                               kernel_of("lambda^2 M + K^T", lambda * lambda * M + K.transpose())));
  }
  add(leading_minors(has_two ? "(H_U)" : "(4.7)", basis.U.transpose() * P * basis.U, basis.U));
  const auto add_block = [&](const char* name, ConstView<double> A, Index first, Index size) {
    const auto U = basis.U.middleCols(first, size);
    add(hypothesis_of_regularity(name, "is regular", U.transpose() * A * U, U));
  };
  add_block("K_11", K, 0, basis.n_1);
  if (has_two) add_block("C_22", C, basis.n_1, basis.n_2);
  add_block(has_two ? "M_33" : "M_22", M, basis.n_1 + basis.n_2, n - basis.n_1 - basis.n_2);
  return result;
}

std::ostream& operator<<(std::ostream& out, const KernelHypotheses& hypotheses) {
  out << "Corollary " << hypotheses.corollary() << " at lambda = " << hypotheses.lambda
      << ": N_1 = " << hypotheses.N_1 << ", N_2 = " << hypotheses.N_2 << ", N_3 = " << hypotheses.N_3 << '\n';
  for (const Hypothesis& hypothesis : hypotheses.all) {
    out << "  " << (hypothesis.holds ? "holds " : "FAILS ") << std::left << std::setw(9) << hypothesis.name
        << hypothesis.statement << "; margin " << hypothesis.margin;
    if (!hypothesis.found.empty()) out << ", " << hypothesis.found;
    for (std::size_t i = 0; i < hypothesis.dofs.size(); ++i)
      out << (i == 0 ? "; DoFs " : ", ") << hypothesis.dofs[i];
    out << std::right << '\n';
  }
  return out << "  " << (hypotheses.suffice() ? "It applies." : "It does not apply.") << '\n';
}

}  // namespace halfdof::internal
