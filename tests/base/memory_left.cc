#include <halfdof/base/memory_left.h>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <cmath>
#include <fstream>

using namespace halfdof;

namespace {

/// The address space that this process takes now [bytes].
double address_space() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * 4096;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(left_memory)

BOOST_AUTO_TEST_CASE(a_machine_has_some_and_several_processes_share_it) {
  const double alone = memory_left();
  BOOST_TEST(alone > 0);
  BOOST_TEST(memory_left(1000) < alone / 100);
}

BOOST_AUTO_TEST_CASE(a_limit_of_the_address_space_counts) {
  rlimit before{};
  BOOST_REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  constexpr double room = 1 << 26;
  rlimit limited = before;
  limited.rlim_cur = static_cast<rlim_t>(address_space() + room);
  BOOST_REQUIRE(setrlimit(RLIMIT_AS, &limited) == 0);
  const double left = memory_left();
  BOOST_REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  BOOST_TEST(left <= room);
  BOOST_TEST(left > room / 2);
}

BOOST_AUTO_TEST_SUITE_END()
