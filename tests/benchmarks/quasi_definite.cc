// SPDX-License-Identifier: LGPL-2.1-or-later
// The stiffness matrix, the matrix of a trapezoidal step and one of a complex shift of a model whose
// potential makes them indefinite: our factorization L D L^T and its solves beside UMFPACK, MUMPS on one
// process, CHOLMOD without supernodes, KLU (in 2D) and, as the limit, CHOLMOD with a definite matrix of the
// same pattern; then this definite matrix by both, with the same supernodes. Usage: benchmark_quasi_definite
// [cells along an edge of the square] [of the cube]

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <mpi.h>

#include "definite_matrix.h"
#include "piezoelectric_body.h"
#include "raw_cholmod.h"
#include "report.h"
#include "timing.h"
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

const std::vector<Index> widths = {1, 4, 8, 16};  ///< numbers of right-hand sides in one call

template <class Work>
double best(int n_repetitions, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < n_repetitions; ++repetition)
    least = std::min(least, seconds(work));
  return least;
}

/// The times of a factorization after the first, which analyses, and of solves.
template <class Scalar>
struct Timed {
  std::string name;
  double factorize = 0;
  std::vector<double> solves = {};
  DenseMatrix<Scalar> solution = {};

  /// @param solve b -> x
  template <class Solve>
  void time_solves(const DenseMatrix<Scalar>& b, const Solve& solve) {
    for (const Index n_columns : widths) {
      const DenseMatrix<Scalar> columns = b.leftCols(n_columns);
      solves.push_back(best(5, [&] { solution = solve(columns); }));
    }
  }
};

template <class Scalar>
using Factorize = std::function<FactorizationPtr<Scalar>()>;

template <class Scalar>
Timed<Scalar> timed(const std::string& name, const Factorize<Scalar>& factorize, int n_repetitions,
                    const DenseMatrix<Scalar>& b) {
  Timed<Scalar> result{name};
  FactorizationPtr<Scalar> factorization = factorize();
  std::cout << name << ": " << describe(factorization->report()) << std::endl;
  result.factorize = best(n_repetitions, [&] { factorization = factorize(); });
  result.time_solves(b, [&](const DenseMatrix<Scalar>& columns) { return factorization->solve(columns); });
  return result;
}

/// CHOLMOD's own calls for a real matrix. @return No value if CHOLMOD has no factorization of this kind
std::optional<Timed<double>> timed_cholmod(const std::string& name, const EigenMatrix& A, int supernodal,
                                           int n_repetitions, const MultiVector& b) {
  benchmark::RawCholmod cholmod(A.entries(), supernodal);
  if (!cholmod.factorize()) {
    std::cout << name << ": the matrix is not positive definite" << std::endl;
    return std::nullopt;
  }
  Timed<double> result{name};
  result.factorize = best(n_repetitions, [&] { cholmod.refactorize(); });
  result.time_solves(b, [&](const MultiVector& columns) { return cholmod.solve(columns); });
  return result;
}

/// What the ratios of a comparison should be.
struct Goals {
  double factorization = 0, solve = 0;
};

template <class Scalar, class Other>
void compare(const std::string& what, const std::string& model, const Timed<Scalar>& ours,
             const Timed<Other>& theirs, Goals goals, benchmark::Report& report) {
  double difference = 0;
  if constexpr (std::is_same_v<Scalar, Other>)
    if (theirs.solution.size() > 0)
      difference = (ours.solution - theirs.solution).norm() / ours.solution.norm();
  report.add({what + ", factorization", model, theirs.name, ours.factorize, theirs.factorize,
              goals.factorization, difference});
  for (std::size_t k = 0; k < widths.size(); ++k)
    report.add({what + ", solve for " + std::to_string(widths[k]), model, theirs.name, ours.solves[k],
                theirs.solves[k], goals.solve, difference});
}

/// The model on one process, for Eigen's engine and for that of Trilinos.
struct Model {
  std::string name;
  EigenMatrix M, C, K;
  int n_repetitions;
  bool has_klu;  ///< KLU, without dense blocks, takes minutes in 3D
  Timed<double> limit;

  EigenPencil by(Solver solver) const {
    FactorizationOptions options;
    options.solver = solver;
    return EigenPencil(M, C, K, options);
  }
  TrilinosPencil by_mumps() const {
    std::vector<GlobalIndex> all(static_cast<std::size_t>(K.rows().n_local()));
    std::iota(all.begin(), all.end(), 0);
    const Partition rows(all, std::make_shared<const MpiCommunicator>(MPI_COMM_SELF));
    const auto copied = [&](const EigenMatrix& A) {
      return TrilinosEngine::from_rows(EigenEngine::to_rows(A), rows, rows);
    };
    FactorizationOptions options;
    options.solver = Solver::mumps;
    return TrilinosPencil(copied(M), copied(C), copied(K), options);
  }
};

/// Compares factorizations of a M + b C + c K. The limit is a real Cholesky factorization, whose operations
/// and entries cost a complex one four times and twice as much.
template <class Scalar>
void compare(const std::string& what, const Model& model, Scalar a, Scalar b, benchmark::Report& report) {
  const auto n = static_cast<Index>(model.K.rows().n_local());
  const DenseMatrix<Scalar> right = DenseMatrix<Scalar>::Random(n, 16);
  const auto with = [&](const std::string& name, const auto& pencil, int n_repetitions) {
    return timed<Scalar>(
        name, [&] { return pencil.factorize(a, b, Scalar(1)); }, n_repetitions, right);
  };
  std::cout << model.name << ", " << what << '\n';
  const Timed<Scalar> ours = with("LDL^T", model.by(Solver::automatic), model.n_repetitions);
  const auto beside = [&](const auto& theirs, Goals goals) {
    compare(what, model.name, ours, theirs, goals, report);
  };
  beside(with("UMFPACK", model.by(Solver::umfpack), 1), {2., 1.});
  beside(with("MUMPS, one process", model.by_mumps(), model.n_repetitions), {1., 1.});
  if (model.has_klu) beside(with("KLU", model.by(Solver::klu), 1), {1., 1.});
  if constexpr (std::is_same_v<Scalar, double>) {
    const EigenMatrix A = EigenEngine::sum(1., EigenEngine::sum(a, model.M, b, model.C), 1., model.K);
    timed_cholmod("CHOLMOD, supernodal", A, CHOLMOD_SUPERNODAL, 1, right);
    if (const auto simplicial = timed_cholmod("CHOLMOD, simplicial LDL^T", A, CHOLMOD_SIMPLICIAL, 1, right))
      beside(*simplicial, {1., 1.});
  }
  const double factor = std::is_same_v<Scalar, Complex> ? 0.25 : 1;
  beside(model.limit, {factor / 1.3, std::sqrt(factor) / 1.3});
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
  const EigenMatrix K = of_free(body.stiffness());
  const Index n = K.rows().n_local();
  const EigenMatrix definite = benchmark::definite_of_same_pattern(K);
  const MultiVector right = MultiVector::Random(n, 16);
  Timed<double> limit =
      timed_cholmod("CHOLMOD, definite, real", definite, CHOLMOD_AUTO, n_repetitions, right).value();
  limit.solution.resize(0, 0);  // of another matrix
  const Model model{std::to_string(dim) + "D, " + std::to_string(n) + " DoFs",
                    of_free(body.mass()),
                    of_free(body.damping()),
                    K,
                    n_repetitions,
                    dim == 2,
                    std::move(limit)};

  compare("K", model, 0., 0., report);
  const double h = 0.01;
  compare("step", model, 4 / (h * h), 2 / h, report);
  const Complex shift(-0.1, 2.);
  compare("complex shift", model, shift * shift, shift, report);

  // With the same ordering and the same supernodes.
  const EigenMatrix nothing(EigenMatrix::Storage(n, n));
  const auto with = [&](const std::string& name, Solver solver) {
    FactorizationOptions options;
    options.solver = solver;
    const EigenPencil pencil(nothing, nothing, definite, options);
    return timed<double>(
        name, [&] { return pencil.factorize(0., 0., 1.); }, n_repetitions, right);
  };
  compare("definite", model.name, with("LDL^T", Solver::ldlt), with("CHOLMOD", Solver::cholmod),
          {1 / 1.1, 1.}, report);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  MPI_Init(&n_arguments, &arguments);
  {
    benchmark::Report report;
    compare<2>(n_arguments > 1 ? std::atoi(arguments[1]) : 158, 3, report);
    compare<3>(n_arguments > 2 ? std::atoi(arguments[2]) : 14, 3, report);
  }
  MPI_Finalize();
}
