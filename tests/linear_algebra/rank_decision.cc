// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/rank_decision.h>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// Of a 4 x 4 matrix from data of size one, certain to 1e-14.
RankDecision decide(const std::vector<double>& values, Index min_rank = 0) {
  return decide_rank({"the mass", 4, 4, min_rank, 1., 1e-16, 1e-14},
                     Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rank_decision)

BOOST_AUTO_TEST_CASE(a_clear_gap_decides_and_is_told) {
  const RankDecision decision = decide({3, 1, 1e-3, 1e-15});
  BOOST_TEST(decision.rank == 3);
  BOOST_TEST(decision.smallest_kept == 1e-3);
  BOOST_TEST(decision.largest_dropped == 1e-15);
  BOOST_TEST(decision.gap() == 1e-3 / 1e-15);
}

BOOST_AUTO_TEST_CASE(full_rank_and_rank_zero_are_measured_by_rounding_and_by_the_data) {
  BOOST_TEST(decide({3, 2, 1, 1e-9}).rank == 4);
  BOOST_TEST(decide({3, 2, 1, 1e-9}).largest_dropped == 1e-16);
  BOOST_TEST(decide({1e-15, 1e-16, 0, 0}).rank == 0);
  BOOST_TEST(decide({1e-15, 1e-16, 0, 0}).smallest_kept == 1);
}

BOOST_AUTO_TEST_CASE(what_is_certain_needs_no_gap) {
  // 1e-10 is above what errors can make of a zero, although 1e-8 / 1e-10 is the largest quotient.
  BOOST_TEST(decide({1e-6, 1e-8, 1e-10, 1e-10}).rank == 4);
  // No smaller rank is possible.
  BOOST_TEST(decide({1, 1, 1e-12, 1e-17}, 3).rank == 3);
}

BOOST_AUTO_TEST_CASE(neighbours_without_a_gap_are_ambiguous) {
  try {
    decide({1, 5e-11, 1e-12, 1e-14});
    BOOST_ERROR("an ambiguous rank was decided");
  } catch (const AmbiguousRank& error) {
    BOOST_TEST(error.decision().gap() < clear_rank_gap);
    BOOST_TEST(std::string(error.what()).find("The rank of the mass (4 x 4) is ambiguous") == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
