// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <string>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(memory_limits)

#ifndef HALFDOF_IS_SANITIZED  // the sanitizer takes terabytes of address space
BOOST_AUTO_TEST_CASE(a_run_within_any_limit_ends_and_says_why) {
  // OpenBLAS waits for ever for memory that it does not get, and its threads ask for it before main().
  const Terminal terminal;
  bool is_told = false;
  for (const int threads : {1, 2})
    for (int megabytes = 160; megabytes <= 560; megabytes += 80) {
      const std::string limit = "export OPENBLAS_NUM_THREADS=" + std::to_string(threads) + "; ulimit -v " +
                                std::to_string(1000 * megabytes) + "; timeout 100 ";
      const Run run = terminal.run(command("modes", data_model("engine_mount"), {"--all"}), limit);
      BOOST_TEST((run.exit_code == 0 || run.exit_code == 1),
                 threads << " threads, " << megabytes << " MB: " << run.exit_code << ' ' << run.err);
      if (run.exit_code == 1) BOOST_TEST(contains(run.err, "not enough memory"), run.err);
      is_told = is_told || contains(run.err, "not enough memory for OpenBLAS");
      BOOST_TEST((run.exit_code == 0 || megabytes < 560));
    }
  BOOST_TEST(is_told);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
