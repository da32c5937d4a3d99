// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/available_memory.h>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include "support/sanitized.h"
#include <fstream>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// The address space that this process takes now [bytes].
double address_space() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// A limit of the address space, so much above what is taken now.
class Limit {
 public:
  explicit Limit(double room) {
    BOOST_REQUIRE(getrlimit(RLIMIT_AS, &before_) == 0);
    rlimit limited = before_;
    limited.rlim_cur = static_cast<rlim_t>(address_space() + room);
    BOOST_REQUIRE(setrlimit(RLIMIT_AS, &limited) == 0);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(left_memory)

BOOST_AUTO_TEST_CASE(a_machine_has_some_and_several_processes_share_it) {
  const double alone = available_memory();
  BOOST_TEST(alone > 0);
  BOOST_TEST(available_memory(1000) < alone / 10);
}

BOOST_AUTO_TEST_CASE(a_limit_of_the_address_space_counts) {
  constexpr double room = 1 << 26;
  const double before = available_memory();
  double left = 0;
  {
    const Limit limit(room);
    left = available_memory();
  }
  BOOST_TEST(left < before);
  BOOST_TEST(left > room / 2);
}

#ifndef HALFDOF_IS_SANITIZED  // the sanitizer keeps what is freed
BOOST_AUTO_TEST_CASE(what_was_freed_is_left) {
  constexpr std::size_t size = 1 << 27;
  const Limit limit(3. * size);
  const double before = available_memory();
  for (int i = 0; i < 4; ++i) {
    const std::vector<char> block(size, 'x');
    BOOST_TEST(available_memory() < before - size / 2.);
  }
  BOOST_TEST(available_memory() > before - size / 8.);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
