#include <halfdof/linear_algebra/logarithmic_scaling.h>

namespace halfdof {
namespace {

/// The least-squares problem for x = (log rows, log columns, log rate).
class Logarithms {
 public:
  Logarithms(Index n, const std::vector<LogarithmicTerm>& terms) : n_(n), terms_(terms) {}

  Index n_unknowns() const { return 2 * n_ + 1; }

  /// Gradient of the sum of squares at x; without the constant part it is the matrix times x.
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

  /// Diagonal of the matrix, one where it is zero.
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

/// Conjugate gradients, preconditioned by the diagonal, until the logarithms are right to a few percent.
Vector minimize(const Logarithms& problem, Index max_iterations) {
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

}  // namespace

LogarithmicScaling logarithmic_scaling(Index n, const std::vector<LogarithmicTerm>& terms,
                                       Index max_iterations) {
  const Vector x = minimize(Logarithms(n, terms), max_iterations);
  return {x.head(n), x.segment(n, n), x[2 * n]};
}

}  // namespace halfdof
