// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <vector>

using namespace halfdof;

// Sanitizers bring heaps of their own.
#if defined(__SANITIZE_ADDRESS__)
#define HALFDOF_OWN_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HALFDOF_OWN_HEAP
#endif
#endif

#if defined(__GLIBC__) && !defined(HALFDOF_OWN_HEAP)

namespace {

/// Pages that this process was given so far.
long n_pages() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// Pages that so many blocks of 8 MB take, one after the other, all written to.
long pages_of_blocks(int n) {
  const long before = n_pages();
  for (int i = 0; i < n; ++i) {
    const std::vector<double> block(std::size_t(1) << 20, i);
    BOOST_TEST(block.back() == i);
  }
  return n_pages() - before;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(freed_memory)

BOOST_AUTO_TEST_CASE(a_block_of_the_size_of_one_that_was_freed_takes_no_new_pages) {
  constexpr long of_block = (8 << 20) / 4096;
  keep_freed_memory();
  pages_of_blocks(1);
  BOOST_TEST(pages_of_blocks(20) < of_block);
  std::vector<std::vector<double>> many(40, std::vector<double>(std::size_t(1) << 20, 1.));
  many.clear();
  BOOST_TEST(pages_of_blocks(20) < of_block);
}

BOOST_AUTO_TEST_SUITE_END()

#endif
