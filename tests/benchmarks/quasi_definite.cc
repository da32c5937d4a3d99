// The stiffness matrix, the matrix of a trapezoidal step and one of a complex shift of a model whose
// potential makes them indefinite: factorizations and solves beside UMFPACK, and beside the limit, a Cholesky
// factorization by CHOLMOD of a definite matrix of the same pattern. Usage: benchmark_quasi_definite [cells
// along an edge of the square] [of the cube]

#include <halfdof/assembled/assembled_system.h>

#include "definite_matrix.h"
#include "piezoelectric_body.h"
#include "raw_cholmod.h"
#include "report.h"
#include "timing.h"
#include <limits>
#include <type_traits>

using namespace halfdof;
using benchmark::seconds;

namespace {

template <class Work>
double best(int n_repetitions, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < n_repetitions; ++repetition)
    least = std::min(least, seconds(work));
  return least;
}

/// Factorizations of a M + b C + c K after the first, which analyses, and their solves.
template <class Scalar>
struct Timed {
  const EigenPencil& pencil;
  Scalar a, b, c;
  int n_repetitions;
  FactorizationPtr<Scalar> factorization = pencil.factorize(a, b, c);
  double factorize = best(n_repetitions, [this] { factorization = pencil.factorize(a, b, c); });

  double solve(const DenseMatrix<Scalar>& right) const {
    return best(5, [&] { factorization->solve(right); });
  }
};

/// CHOLMOD's own calls for a definite matrix of the same pattern.
struct TimedCholesky {
  EigenMatrix matrix;
  benchmark::RawCholmod cholmod;
  double factorize = 0;

  TimedCholesky(const EigenMatrix& A, int n_repetitions)
      : matrix(benchmark::definite_of_same_pattern(A)), cholmod(matrix.entries()) {
    cholmod.factorize();
    factorize = best(n_repetitions, [&] { cholmod.refactorize(); });
  }
  double solve(const MultiVector& right) {
    MultiVector b = right;
    return best(5, [&] { cholmod.solve(b); });
  }
};

/// Ratios to UMFPACK, and to a real Cholesky factorization, whose operations and entries cost a complex one
/// four times and twice as much.
template <class Scalar>
void compare(const std::string& what, const std::string& model, const Timed<Scalar>& ours,
             const Timed<Scalar>& umfpack, TimedCholesky& cholesky, benchmark::Report& report) {
  std::cout << what << ": " << describe(ours.factorization->report()) << '\n';
  const bool is_complex = std::is_same_v<Scalar, Complex>;
  const std::string limit = "CHOLMOD, definite, real";
  const auto n = static_cast<Index>(ours.factorization->report().n_rows);
  const DenseMatrix<Scalar> b = DenseMatrix<Scalar>::Random(n, 16), x = ours.factorization->solve(b);
  const double difference = (x - umfpack.factorization->solve(b)).norm() / x.norm();
  report.add({what + ", factorization", model, "UMFPACK", ours.factorize, umfpack.factorize, 2., difference});
  report.add({what + ", factorization", model, limit, ours.factorize, cholesky.factorize,
              (is_complex ? 0.25 : 1.) / 1.3});
  for (const Index n_columns : {1, 4, 8, 16}) {
    const std::string job = what + ", solve for " + std::to_string(n_columns);
    const double our_time = ours.solve(b.leftCols(n_columns));
    report.add({job, model, "UMFPACK", our_time, umfpack.solve(b.leftCols(n_columns)), 1., difference});
    report.add({job, model, limit, our_time, cholesky.solve(b.leftCols(n_columns).real()),
                (is_complex ? 0.5 : 1.) / 1.3});
  }
}

template <int dim>
void compare(int n_cells, int n_repetitions, benchmark::Report& report) {
  const benchmark::PiezoelectricBody<dim> body(n_cells);
  const std::vector<Index> constrained = body.constrained();
  std::vector<Index> unconstrained;
  for (Index i = 0; i < body.n_dofs(); ++i)
    if (!std::binary_search(constrained.begin(), constrained.end(), i)) unconstrained.push_back(i);
  const Selection free(unconstrained, EigenMatrix(body.stiffness()).rows());
  const auto of_free = [&](EigenMatrix::Storage A) {
    return EigenEngine::submatrix(EigenMatrix(std::move(A)), free, free);
  };
  const EigenMatrix M = of_free(body.mass()), C = of_free(body.damping()), K = of_free(body.stiffness());
  const Index n = K.rows().n_local();
  const std::string model = std::to_string(dim) + "D, " + std::to_string(n) + " DoFs";
  FactorizationOptions lu;
  lu.solver = Solver::umfpack;
  const EigenPencil ours(M, C, K), umfpack(M, C, K, lu);
  TimedCholesky limit(K, n_repetitions);

  const auto real = [&](const std::string& what, double a, double b) {
    const Timed<double> by_us{ours, a, b, 1., n_repetitions}, by_umfpack{umfpack, a, b, 1., 1};
    compare(what, model, by_us, by_umfpack, limit, report);
  };
  real("K", 0., 0.);
  const double h = 0.01;
  real("step", 4 / (h * h), 2 / h);
  const Complex shift(-0.1, 2.);
  const Timed<Complex> by_us{ours, shift * shift, shift, 1., n_repetitions},
      by_umfpack{umfpack, shift * shift, shift, 1., 1};
  compare("complex shift", model, by_us, by_umfpack, limit, report);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  benchmark::Report report;
  compare<2>(n_arguments > 1 ? std::atoi(arguments[1]) : 158, 3, report);
  compare<3>(n_arguments > 2 ? std::atoi(arguments[2]) : 14, 3, report);
}
