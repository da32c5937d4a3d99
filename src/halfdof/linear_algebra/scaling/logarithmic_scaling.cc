// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/scaling/logarithmic_scaling.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {
namespace {

/// The least-squares problem of logarithmic_scaling() for the unknowns x: the logarithms of the factors of
/// rows, columns and lambda.
class LogarithmicLeastSquares {
 public:
  LogarithmicLeastSquares(Index n, const std::vector<LogarithmicTerm>& terms) : n_(n), terms_(terms) {}

  Index n_unknowns() const { return 2 * n_ + 1; }

  /// Returns half the gradient of the sum of squares at x. If the logarithms of the entries are omitted, the
  /// result is the matrix of the normal equations times x.
  Vector gradient(const Vector& x, bool with_logs) const {
    Vector result = Vector::Zero(n_unknowns());
    for (const LogarithmicTerm& term : terms_) {
      const double rate = term.power * x[2 * n_];
      double sum = 0;
      for (const LogarithmicEntry& entry : term.entries) {
        const double residual =
            x[entry.row] + x[n_ + entry.column] + rate + (with_logs ? static_cast<double>(entry.log) : 0.);
        result[entry.row] += residual;
        result[n_ + entry.column] += residual;
        sum += residual;
      }
      result[2 * n_] += term.power * sum;
    }
    return result;
  }

  /// Returns the diagonal of the matrix of the normal equations, with zeros replaced by one.
  Vector diagonal() const {
    Vector result = Vector::Zero(n_unknowns());
    for (const LogarithmicTerm& term : terms_) {
      for (const LogarithmicEntry& entry : term.entries) {
        ++result[entry.row];
        ++result[n_ + entry.column];
      }
      result[2 * n_] += term.power * term.power * static_cast<double>(term.entries.size());
    }
    return result.cwiseMax(1.);
  }

 private:
  Index n_;
  const std::vector<LogarithmicTerm>& terms_;
};

/// Minimizes the sum of squares by conjugate gradients, preconditioned by the diagonal, until the logarithms
/// are accurate to a few percent.
Vector minimize(const LogarithmicLeastSquares& problem, Index max_iterations) {
  const Vector diagonal = problem.diagonal();
  Vector x = Vector::Zero(problem.n_unknowns());
  Vector r = -problem.gradient(x, true);
  Vector z = r.cwiseQuotient(diagonal), p = z;
  double rz = r.dot(z);
  const double enough = 1e-8 * rz;
  for (Index iteration = 0; iteration < max_iterations && rz > enough; ++iteration) {
    const Vector Ap = problem.gradient(p, false);
    const double step = rz / p.dot(Ap);
    x += step * p;
    r -= step * Ap;
    z = r.cwiseQuotient(diagonal);
    const double next = r.dot(z);
    p = z + (next / rz) * p;
    rz = next;
  }
  return x;
}

/// The logarithms of the largest entries of all rows and columns; -infinity for null rows and columns.
struct LargestEntries {
  Vector rows, columns;

  LargestEntries(const std::vector<LogarithmicEntry>& entries, Index n_rows, Index n_columns)
      : rows(Vector::Constant(n_rows, -std::numeric_limits<double>::infinity())),
        columns(Vector::Constant(n_columns, -std::numeric_limits<double>::infinity())) {
    for (const LogarithmicEntry& entry : entries) {
      rows[entry.row] = std::max(rows[entry.row], static_cast<double>(entry.log));
      columns[entry.column] = std::max(columns[entry.column], static_cast<double>(entry.log));
    }
  }
};

/// Scales the largest entries of all rows and columns to about one. Every sweep halves the logarithms of the
/// largest entries.
void equilibrate(std::vector<LogarithmicEntry>& entries, Index n_rows, Index n_columns) {
  constexpr int n_sweeps = 12;  // twelve sweeps reduce a largest entry of 2^1000 to 2^(1/4)
  for (int sweep = 0; sweep < n_sweeps; ++sweep) {
    const LargestEntries largest(entries, n_rows, n_columns);
    for (LogarithmicEntry& entry : entries)
      entry.log -= static_cast<float>(0.5 * (largest.rows[entry.row] + largest.columns[entry.column]));
  }
}

}  // namespace

std::vector<LogarithmicEntry> logarithms_of_entries(ConstView<double> A, double rounding) {
  std::vector<LogarithmicEntry> entries;
  if (A.size() == 0) return entries;
  const Vector rows = rounding * A.cwiseAbs().rowwise().maxCoeff();
  const Vector columns = rounding * A.cwiseAbs().colwise().maxCoeff().transpose();
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if (std::abs(A(i, j)) > std::max(rows[i], columns[j]))
        entries.push_back({i, j, static_cast<float>(std::log2(std::abs(A(i, j))))});
  return entries;
}

std::vector<LogarithmicEntry> logarithms_of_nonzeros(const Eigen::SparseMatrix<double>& A) {
  constexpr double rounding = -50;  // logarithm of 1e-15
  std::vector<LogarithmicEntry> entries;
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, j); entry; ++entry)
      if (entry.value() != 0)
        entries.push_back(
            {static_cast<Index>(entry.row()), j, static_cast<float>(std::log2(std::abs(entry.value())))});
  const auto n_rows = static_cast<Index>(A.rows()), n_columns = static_cast<Index>(A.cols());
  std::vector<LogarithmicEntry> equilibrated = entries;
  equilibrate(equilibrated, n_rows, n_columns);
  const LargestEntries largest(equilibrated, n_rows, n_columns);
  std::vector<LogarithmicEntry> nonzeros;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const LogarithmicEntry& entry = equilibrated[k];
    if (entry.log > rounding + std::max(largest.rows[entry.row], largest.columns[entry.column]))
      nonzeros.push_back(entries[k]);
  }
  return nonzeros;
}

LogarithmicScaling logarithmic_scaling(Index n, const std::vector<LogarithmicTerm>& terms,
                                       Index max_iterations) {
  const Vector x = minimize(LogarithmicLeastSquares(n, terms), max_iterations);
  return {x.head(n), x.segment(n, n), x[2 * n]};
}

}  // namespace halfdof::internal
