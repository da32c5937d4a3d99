#include <halfdof/reduction/pencil_balance.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof {
namespace {

/// Logarithm (base two) of a nonzero entry.
struct Entry {
  Index row, column;
  float log;
};

std::vector<Entry> nonzeros(ConstView<double> matrix) {
  constexpr double rounding = 1e-15;
  const Vector rows = rounding * matrix.cwiseAbs().rowwise().maxCoeff();
  const Vector columns = rounding * matrix.cwiseAbs().colwise().maxCoeff().transpose();
  std::vector<Entry> entries;
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = 0; i < matrix.rows(); ++i)
      if (std::abs(matrix(i, j)) > std::max(rows[i], columns[j]))
        entries.push_back({i, j, static_cast<float>(std::log2(std::abs(matrix(i, j))))});
  return entries;
}

/// The least-squares problem for x = (log rows, log columns, log rate).
class Logarithms {
 public:
  Logarithms(ConstView<double> E, ConstView<double> A)
      : n_(static_cast<Index>(E.rows())), entries_of_E_(nonzeros(E)), entries_of_A_(nonzeros(A)) {}

  Index n_unknowns() const { return 2 * n_ + 1; }

  /// Gradient of the sum of squares at x; without the constant part it is the matrix times x.
  Vector gradient(const Vector& x, bool with_logs) const {
    Vector result = Vector::Zero(n_unknowns());
    const auto add = [&](const std::vector<Entry>& entries, double rate, double& sum) {
      for (const Entry& entry : entries) {
        const double residual =
            x[entry.row] + x[n_ + entry.column] + rate + (with_logs ? static_cast<double>(entry.log) : 0.);
        result[entry.row] += residual;
        result[n_ + entry.column] += residual;
        sum += residual;
      }
    };
    double ignored = 0;
    add(entries_of_A_, 0., ignored);
    add(entries_of_E_, x[2 * n_], result[2 * n_]);
    return result;
  }

  /// Diagonal of the matrix, one where it is zero.
  Vector diagonal() const {
    Vector result = Vector::Zero(n_unknowns());
    for (const auto* entries : {&entries_of_E_, &entries_of_A_})
      for (const Entry& entry : *entries) {
        ++result[entry.row];
        ++result[n_ + entry.column];
      }
    result[2 * n_] = static_cast<double>(entries_of_E_.size());
    return result.cwiseMax(1.);
  }

 private:
  Index n_;
  std::vector<Entry> entries_of_E_, entries_of_A_;
};

/// Conjugate gradients, preconditioned by the diagonal, until the logarithms are right to a few percent.
Vector minimize(const Logarithms& problem) {
  const Vector diagonal = problem.diagonal();
  Vector x = Vector::Zero(problem.n_unknowns());
  Vector r = -problem.gradient(x, true);
  Vector z = r.cwiseQuotient(diagonal), p = z;
  double rz = r.dot(z);
  const double enough = 1e-8 * rz;
  for (Index iteration = 0; iteration < 2 * problem.n_unknowns() && rz > enough; ++iteration) {
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

double power_of_two(double logarithm) {
  return std::exp2(std::round(logarithm));
}

/// Brings the largest entries of rows and columns of the balanced pencil to one.
void equilibrate(ConstView<double> E, ConstView<double> A, PencilBalance& balance) {
  constexpr int n_sweeps = 4;
  const auto inverse_root = [](double largest) {
    return largest > 0 ? power_of_two(-std::log2(largest) / 2) : 1.;
  };
  for (int sweep = 0; sweep < n_sweeps; ++sweep) {
    const MultiVector size = balance.balanced_E(E).cwiseAbs().cwiseMax(balance.balanced_A(A).cwiseAbs());
    balance.rows.array() *= size.rowwise().maxCoeff().unaryExpr(inverse_root).array();
    balance.columns.array() *= size.colwise().maxCoeff().transpose().unaryExpr(inverse_root).array();
  }
}

}  // namespace

PencilBalance balance(ConstView<double> E, ConstView<double> A) {
  const Index n = static_cast<Index>(E.rows());
  if (n == 0) return {};
  const Vector logarithms = minimize(Logarithms(E, A)).unaryExpr(&power_of_two);
  PencilBalance balance{logarithms.head(n), logarithms.segment(n, n), logarithms[2 * n]};
  equilibrate(E, A, balance);
  return balance;
}

}  // namespace halfdof
