// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/types.h>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(version)

BOOST_AUTO_TEST_CASE(the_library_reports_the_version_of_the_build) {
  BOOST_TEST(std::string(halfdof::version()) == HALFDOF_PROJECT_VERSION);
}

BOOST_AUTO_TEST_SUITE_END()
