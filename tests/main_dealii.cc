// SPDX-License-Identifier: LGPL-2.1-or-later
// The main function of the test programs of the deal.II plugin: one Boost.Test runner a rank, one thread
// each.
#include <boost/test/unit_test.hpp>
#include <deal.II/base/mpi.h>

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return boost::unit_test::unit_test_main([]() { return true; }, argc, argv);
}
