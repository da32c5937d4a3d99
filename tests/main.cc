// SPDX-License-Identifier: LGPL-2.1-or-later
// The main function of every test program that runs as one process.
#define BOOST_TEST_MODULE halfdof
#include <boost/test/unit_test.hpp>
