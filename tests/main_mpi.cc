// SPDX-License-Identifier: LGPL-2.1-or-later
// The main function of the test programs of the Trilinos engine: one Boost.Test runner a rank.
#include <boost/test/unit_test.hpp>

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int result = boost::unit_test::unit_test_main([]() { return true; }, argc, argv);
  MPI_Finalize();
  return result;
}
