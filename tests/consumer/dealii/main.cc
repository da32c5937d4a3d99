// SPDX-License-Identifier: LGPL-2.1-or-later
// A bar, fixed at both ends, half of which has no mass: its nodes there follow the rest statically.
#include <halfdof/dealii/reduced.h>
#include <halfdof/spectrum/compare_spectra.h>

#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/numerics/matrix_creator.h>

#include <link.h>

#include <iostream>
#include <string>

using namespace dealii;

#ifdef DEBUG
static_assert(IS_DEBUG, "headers of deal.II are compiled as in Debug, but the program is not");
#else
static_assert(!IS_DEBUG, "headers of deal.II are compiled as in Release, but the program is not");
#endif

/// How many libraries of deal.II the program has loaded: those of Debug and of Release do not go together.
int n_libraries_of_dealii() {
  int n = 0;
  const auto count = [](dl_phdr_info* library, std::size_t, void* sum) {
    const std::string name = library->dlpi_name;
    *static_cast<int*>(sum) += name.find("libdeal") != std::string::npos;
    return 0;
  };
  dl_iterate_phdr(count, &n);
  return n;
}

int main(int argc, char** argv) {
  const Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  Triangulation<1> bar;
  GridGenerator::subdivided_hyper_cube(bar, 8);
  DoFHandler<1> dof_handler(bar);
  dof_handler.distribute_dofs(FE_Q<1>(1));

  AffineConstraints<double> constraints;
  DoFTools::make_zero_boundary_constraints(dof_handler, constraints);
  constraints.close();

  DynamicSparsityPattern dynamic_pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, dynamic_pattern);
  SparsityPattern pattern;
  pattern.copy_from(dynamic_pattern);
  SparseMatrix<double> mass(pattern), damping, stiffness(pattern);
  const ScalarFunctionFromFunctionObject<1> density([](const Point<1>& x) { return x[0] < 0.5 ? 1. : 0.; });
  MatrixCreator::create_mass_matrix(dof_handler, QGauss<1>(2), mass, &density);
  MatrixCreator::create_laplace_matrix(dof_handler, QGauss<1>(2), stiffness);

  const auto assembled =
      halfdof::assembled_from_dealii(mass, damping, stiffness, constraints, {}, dof_handler);
  const auto reduced = halfdof::reduce(assembled);
  reduced.print_summary(std::cout);
  const auto spectra = halfdof::compare_all(reduced);
  spectra.print(std::cout);

  // Of the seven nodes between the ends, the four at x <= 1/2 carry mass.
  if (n_libraries_of_dealii() != 1) {
    std::cerr << "The program has loaded " << n_libraries_of_dealii() << " libraries of deal.II.\n";
    return 1;
  }
  return reduced.n_states() == 8 && spectra.before.n_infinite == 6 && spectra.passed ? 0 : 1;
}
