// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <boost/test/unit_test.hpp>

#include "benchmarks/piezoelectric_body.h"
#include "trilinos/random_systems.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(trilinos_krylov)

namespace {

/// Residuals of 1e-14 times condition numbers up to 1e5.
constexpr double solved = 1e-9;

FactorizationOptions krylov() {
  FactorizationOptions options;
  options.solver = Solver::krylov;
  return options;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Numbers between -1 and 1 that depend on the row alone.
Vector some_vector(const Partition& rows) {
  Vector x(rows.n_local());
  for (Index i = 0; i < x.size(); ++i)
    x[i] = std::sin(static_cast<double>(rows.global_index(i) + 1));
  return x;
}

double relative_error(const Vector& found, const Vector& expected, const Partition& rows) {
  const double error = found.size() > 0 ? (found - expected).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
  const double size = expected.size() > 0 ? expected.cwiseAbs().maxCoeff() : 0;
  return rows.communicator().max(error) / rows.communicator().max(size);
}

/// Solves both ways for right sides of known solutions. @return the report
FactorizationReport check_solves(const TrilinosMatrix& A, const FactorizationOptions& options = krylov(),
                                 double allowed = solved) {
  const auto solver = TrilinosEngine::factorize(A, options);
  const Vector x = some_vector(A.rows());
  Vector b = Vector::Zero(x.size()), b_transposed = b;
  A.add_product(1., x, b);
  A.add_transposed_product(1., x, b_transposed);
  BOOST_TEST(relative_error(solver->solve(b), x, A.rows()) < allowed);
  BOOST_TEST(relative_error(solver->solve_transposed(b_transposed), x, A.rows()) < allowed);
  return solver->report();
}

/// Laplace's equation in a cube, held on its surface.
TrilinosMatrix laplacian(int m, Layout layout, double factor = 1) {
  const Partition rows = partition(m * m * m, layout);
  OwnedRows star = difference_star(rows, m);
  for (Index i = 0; i < rows.n_local(); ++i)
    star.coeffRef(i, static_cast<int>(rows.global_index(i))) = 6;
  return TrilinosMatrix(factor * star, rows, rows);
}

/// The same shifted until smooth vectors have negative products with it, and the diagonal has not.
TrilinosMatrix shifted_laplacian(int m, Layout layout) {
  const TrilinosMatrix A = laplacian(m, layout);
  const Vector shift = Vector::Constant(A.rows().n_local(), 0.5);
  return TrilinosEngine::sum(1., A, -1., TrilinosEngine::diagonal(shift, A.rows()));
}

/// Sends each entry to the next row: regular, but without a pivot on the diagonal.
TrilinosMatrix cyclic_shift(int n, Layout layout) {
  const Partition rows = partition(n, layout);
  OwnedRows owned(rows.n_local(), n);
  for (Index i = 0; i < rows.n_local(); ++i)
    owned.insert(i, static_cast<int>((rows.global_index(i) + 1) % n)) = 1;
  owned.makeCompressed();
  return TrilinosMatrix(owned, rows, rows);
}

/// The benchmark's body without its clamped DoFs.
struct Body {
  explicit Body(int n_cells, Layout layout, const benchmark::Unsymmetric& skew = {}) {
    const benchmark::PiezoelectricBody<3> body(n_cells, skew);
    all = partition(body.n_dofs(), layout);
    const std::vector<Index> clamped = body.constrained();
    std::vector<Index> kept;
    for (Index i = 0; i < all.n_local(); ++i)
      if (!std::binary_search(clamped.begin(), clamped.end(), static_cast<Index>(all.global_index(i))))
        kept.push_back(i);
    free = Selection(kept, all);
    const auto taken = [&](const benchmark::PiezoelectricBody<3>::Storage& A) {
      return TrilinosEngine::submatrix(TrilinosMatrix::distribute(A, all, all), free, free);
    };
    M = taken(body.mass()), C = taken(body.damping()), K = taken(body.stiffness());
    rigid = MultiVector::Zero(free.n_local(), 6);
    const int n = n_cells + 1;
    for (Index i = 0; i < free.n_local(); ++i) {
      const auto dof = static_cast<int>(all.global_index(kept[static_cast<std::size_t>(i)]));
      const int node = dof / 4, component = dof % 4;
      if (node >= n * n * n || component == 3) continue;
      const Eigen::Vector3d p(node % n, node / n % n, node / n / n);
      rigid(i, component) = 1;
      for (int axis = 0; axis < 3; ++axis)
        rigid(i, 3 + axis) = Eigen::Vector3d::Unit(axis).cross(p)[component];
    }
  }

  /// K of the displacements alone, and their rigid motions.
  std::pair<TrilinosMatrix, MultiVector> elastic() const {
    std::vector<Index> displacements;
    for (Index i = 0; i < rigid.rows(); ++i)
      if (rigid.row(i).head(3).sum() > 0) displacements.push_back(i);
    const Selection u(displacements, M.rows());
    return {TrilinosEngine::submatrix(K, u, u), u.selected_rows(rigid)};
  }

  Partition all;
  Selection free;
  TrilinosMatrix M, C, K;
  MultiVector rigid;
};

}  // namespace

BOOST_AUTO_TEST_CASE(elliptic_matrices_of_either_sign_take_conjugate_gradients_with_multigrid) {
  for (const Layout layout : all_layouts)
    for (const double sign : {1., -1.}) {
      const FactorizationReport report = check_solves(laplacian(14, layout, sign));
      BOOST_TEST(contains(report.iteration, "conjugate gradients, multigrid"));
      BOOST_TEST(report.n_steps < 40);
    }
}

BOOST_AUTO_TEST_CASE(mass_matrices_take_the_diagonal_and_as_many_steps_for_any_number_of_processes) {
  for (const Layout layout : all_layouts) {
    const Body body(4, layout);
    std::vector<Index> inertial;
    const Vector norms = TrilinosEngine::column_norms(body.M);
    for (Index i = 0; i < norms.size(); ++i)
      if (norms[i] > 0) inertial.push_back(i);
    const Selection I(inertial, body.M.rows());
    const FactorizationReport report = check_solves(TrilinosEngine::submatrix(body.M, I, I));
    BOOST_TEST(report.iteration == "conjugate gradients, diagonal");
    BOOST_TEST(report.n_steps < 100);
  }
}

// Where the displacements of a node belong to different processes, aggregates have no rigid motions.
BOOST_AUTO_TEST_CASE(rigid_motions_save_steps_with_elastic_bodies) {
  for (const Layout layout : {Layout::consecutive, Layout::one_process}) {
    const auto [K, rigid] = Body(7, layout).elastic();
    FactorizationOptions with_rigid = krylov();
    with_rigid.near_null_space = rigid;
    const FactorizationReport with = check_solves(K, with_rigid), without = check_solves(K);
    BOOST_TEST(contains(with.iteration, "multigrid"));
    BOOST_TEST(with.n_steps < 0.8 * without.n_steps);
  }
}

BOOST_AUTO_TEST_CASE(step_matrices_with_potentials_are_preconditioned_by_blocks) {
  for (const Layout layout : all_layouts) {
    const Body body(5, layout);
    FactorizationOptions options = krylov(), directly;
    options.near_null_space = body.rigid;
    const TrilinosPencil pencil(body.M, body.C, body.K, options), direct(body.M, body.C, body.K, directly);
    const Vector b = some_vector(body.M.rows());
    for (const double sigma : {0.5, 200.}) {
      const auto solver = pencil.factorize(sigma * sigma, sigma, 1.);
      BOOST_TEST(contains(solver->report().iteration, "GMRES"));
      BOOST_TEST(contains(solver->report().iteration, "rows without a positive diagonal"));
      BOOST_TEST(solver->report().n_steps < 130);
      const Vector expected = direct.factorize(sigma * sigma, sigma, 1.)->solve(b);
      BOOST_TEST(relative_error(solver->solve(b), expected, body.M.rows()) < solved);
    }
  }
}

BOOST_AUTO_TEST_CASE(unsymmetric_step_matrices_are_solved_both_ways) {
  for (const Layout layout : all_layouts) {
    const Body body(4, layout, {0.3, 0.2});
    const double sigma = 2;
    const auto sum =
        TrilinosEngine::sum(1., TrilinosEngine::sum(sigma * sigma, body.M, sigma, body.C), 1., body.K);
    FactorizationOptions options = krylov();
    options.near_null_space = body.rigid;
    BOOST_TEST(contains(check_solves(sum, options).iteration, "GMRES"));
  }
}

BOOST_AUTO_TEST_CASE(zeros_on_the_diagonal_leave_a_schur_complement) {
  const int m = 7, n_u = m * m * m, n = n_u + 20;
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(n, layout);
    std::vector<Eigen::Triplet<double>> entries;
    const Partition alone(n_u);
    const OwnedRows elliptic = difference_star(alone, m);
    for (Index i = 0; i < n_u; ++i)
      for (OwnedRows::InnerIterator entry(elliptic, i); entry; ++entry)
        entries.emplace_back(i, static_cast<int>(entry.col()), entry.value());
    for (int k = 0; k < n - n_u; ++k)
      for (const int u : {17 * k, 17 * k + 1, 17 * k + 5}) {
        entries.emplace_back(n_u + k, u, 1.);
        entries.emplace_back(u, n_u + k, 1.);
      }
    Eigen::SparseMatrix<double> A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    const FactorizationReport report = check_solves(TrilinosMatrix::distribute(A, rows, rows));
    BOOST_TEST(contains(report.iteration, "rows without a positive diagonal"));
  }
}

BOOST_AUTO_TEST_CASE(what_is_returned_meets_the_tolerance) {
  for (const Layout layout : all_layouts)
    for (const TrilinosMatrix& A : {laplacian(8, layout), shifted_laplacian(8, layout)})
      for (const double tolerance : {1e-3, 1e-9, 1e-13}) {
        FactorizationOptions options = krylov();
        options.tolerance = tolerance;
        const Vector b = some_vector(A.rows());
        const Vector x = TrilinosEngine::factorize(A, options)->solve(b);
        Vector r = b;
        A.add_product(-1., x, r);
        BOOST_TEST(norm(A.rows().communicator(), r) <= tolerance * norm(A.rows().communicator(), b));
      }
}

// A chain held by a soft spring at one end: condition number about 1e10.
BOOST_AUTO_TEST_CASE(rounding_of_large_solutions_counts_as_convergence) {
  const int n = 60;
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(n, layout);
    OwnedRows chain(rows.n_local(), n);
    for (Index i = 0; i < rows.n_local(); ++i) {
      const auto row = static_cast<int>(rows.global_index(i));
      chain.insert(i, row) = row == 0 ? 1 + 1e-7 : row + 1 < n ? 2 : 1;
      if (row > 0) chain.insert(i, row - 1) = -1;
      if (row + 1 < n) chain.insert(i, row + 1) = -1;
    }
    chain.makeCompressed();
    check_solves(TrilinosMatrix(chain, rows, rows), krylov(), 1e-5);
  }
}

// Pairs with the eigenvalues 2.001 and -0.001. A coarsest level that holds all of them makes conjugate
// gradients exact.
BOOST_AUTO_TEST_CASE(indefinite_matrices_with_a_positive_diagonal_are_solved_and_not_called_definite) {
  const int n = 60;
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(n, layout);
    OwnedRows pairs(rows.n_local(), n);
    for (Index i = 0; i < rows.n_local(); ++i) {
      const auto row = static_cast<int>(rows.global_index(i));
      pairs.insert(i, row) = 1;
      pairs.insert(i, (row + n / 2) % n) = 1.001;
    }
    pairs.makeCompressed();
    const FactorizationReport report = check_solves(TrilinosMatrix(pairs, rows, rows));
    BOOST_TEST(!report.is_positive_definite);
  }
}

BOOST_AUTO_TEST_CASE(definiteness_is_known_from_conjugate_gradients_where_multigrid_runs_on_one_process) {
  for (const Layout layout : all_layouts) {
    const auto report_of = [](const TrilinosMatrix& A) {
      return TrilinosEngine::factorize(A, krylov())->report();
    };
    const TrilinosMatrix definite = laplacian(14, layout);
    const bool is_alone = definite.rows().communicator().size() == 1;
    BOOST_TEST(report_of(definite).is_positive_definite == is_alone);
    BOOST_TEST(!report_of(laplacian(14, layout, -1)).is_positive_definite);
    const FactorizationReport of_indefinite = report_of(shifted_laplacian(14, layout));
    BOOST_TEST(!of_indefinite.is_positive_definite);
    // Conjugate gradients come upon negative curvature and give way; multigrid on several processes may hide
    // it.
    if (is_alone) BOOST_TEST(contains(of_indefinite.iteration, "GMRES"));
  }
}

BOOST_AUTO_TEST_CASE(matrices_without_a_positive_diagonal_entry_are_solved) {
  const int n = 40;
  for (const Layout layout : all_layouts)
    for (const double diagonal : {0., -3.}) {
      const Partition rows = partition(n, layout);
      OwnedRows coupled(rows.n_local(), n);
      // [diagonal B; B^T 0] with B tridiagonal and dominated by its diagonal.
      for (Index i = 0; i < rows.n_local(); ++i) {
        const auto row = static_cast<int>(rows.global_index(i));
        if (row < n / 2 && diagonal != 0) coupled.insert(i, row) = diagonal;
        const int place = row % (n / 2), other = row < n / 2 ? n / 2 : 0;
        for (const int step : {-1, 0, 1})
          if (place + step >= 0 && place + step < n / 2)
            coupled.insert(i, other + place + step) = step == 0 ? 4 : 1;
      }
      coupled.makeCompressed();
      BOOST_TEST(contains(check_solves(TrilinosMatrix(coupled, rows, rows)).iteration, "GMRES"));
    }
}

BOOST_AUTO_TEST_CASE(zero_pivots_of_incomplete_factors_do_not_make_a_matrix_singular) {
  for (const Layout layout : all_layouts) {
    const TrilinosMatrix A = cyclic_shift(400, layout);
    BOOST_CHECK_EXCEPTION(TrilinosEngine::factorize(A, krylov()), NoConvergence,
                          [](const NoConvergence& error) { return error.residual() > 0.5; });
    FactorizationOptions little_memory;
    little_memory.memory = 1;
    BOOST_TEST((check_solves(A, little_memory).solver == Solver::mumps));
  }
}

BOOST_AUTO_TEST_CASE(the_memory_for_factors_decides_between_them_and_iterations) {
  const TrilinosMatrix A = laplacian(8, Layout::consecutive);
  FactorizationOptions options;
  options.memory = 1;
  const FactorizationReport iterated = check_solves(A, options);
  BOOST_TEST((iterated.solver == Solver::krylov));
  BOOST_TEST(contains(iterated.reason, "MUMPS would need"));
  const TrilinosPencil pencil(A, A, A, options);
  BOOST_TEST((pencil.factorize(1., 0., 1.)->report().solver == Solver::krylov));
  BOOST_TEST((pencil.factorize(Complex(0, 1), 0., 1.)->report().solver == Solver::mumps));
  options.memory = 1e12;
  BOOST_TEST((check_solves(A, options).solver == Solver::mumps));
  for (const double wrong : {-1., std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.memory = wrong;
    BOOST_CHECK_EXCEPTION(TrilinosEngine::factorize(A, options), InvalidInput, [](const InvalidInput& error) {
      return contains(error.what(), "bytes of memory on each process");
    });
  }
}

BOOST_AUTO_TEST_CASE(diagonal_matrices_are_divided_by) {
  const Partition rows = partition(30, Layout::scattered);
  const Vector d = (some_vector(rows).array() + 2).matrix();
  const FactorizationReport report = check_solves(TrilinosEngine::diagonal(d, rows));
  BOOST_TEST((report.solver == Solver::diagonal));
}

BOOST_AUTO_TEST_CASE(singular_matrices_are_told_from_hard_ones) {
  const int m = 6;
  for (const Layout layout : all_layouts) {
    const Partition rows = partition(m * m * m, layout);
    OwnedRows floating = difference_star(rows, m);
    const auto diagonal_of_rest = [&](Index i) {
      double sum = 0;
      for (OwnedRows::InnerIterator entry(floating, i); entry; ++entry)
        if (entry.col() != rows.global_index(i)) sum -= entry.value();
      return sum;
    };
    // Held nowhere: constants are in the kernel.
    for (Index i = 0; i < rows.n_local(); ++i)
      floating.coeffRef(i, static_cast<int>(rows.global_index(i))) = diagonal_of_rest(i);
    BOOST_CHECK_THROW(TrilinosEngine::factorize(TrilinosMatrix(floating, rows, rows), krylov()),
                      SingularMatrix);
    // The upper half floats, the lower one is held.
    OwnedRows halves = floating;
    const int half = m * m * m / 2, layer = m * m;
    for (Index i = 0; i < rows.n_local(); ++i) {
      const auto row = static_cast<int>(rows.global_index(i));
      const int other = row < half ? row + layer : row - layer;
      if ((row < half) != (other < half)) {
        halves.coeffRef(i, other) = 0;
        halves.coeffRef(i, row) -= 1;
      }
      if (row < half) halves.coeffRef(i, row) += 0.1;
    }
    BOOST_CHECK_THROW(TrilinosEngine::factorize(TrilinosMatrix(halves, rows, rows), krylov()), Error);
    // A row of zeros.
    OwnedRows empty_row = difference_star(rows, m);
    for (Index i = 0; i < rows.n_local(); ++i)
      for (OwnedRows::InnerIterator entry(empty_row, i); entry; ++entry)
        if (entry.col() == 5 || rows.global_index(i) == 5) entry.valueRef() = 0;
    BOOST_CHECK_THROW(TrilinosEngine::factorize(TrilinosMatrix(empty_row, rows, rows), krylov()),
                      SingularMatrix);
  }
}

BOOST_AUTO_TEST_CASE(near_null_spaces_of_another_size_are_refused) {
  FactorizationOptions options = krylov();
  options.near_null_space = MultiVector::Ones(3, 2);
  BOOST_CHECK_THROW(TrilinosEngine::factorize(laplacian(4, Layout::consecutive), options), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
