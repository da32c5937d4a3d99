// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/profile.h>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

using namespace halfdof;

namespace {

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void work(int n_inner) {
  const StageTimer outer("outer");
  for (int i = 0; i < n_inner; ++i) {
    const StageTimer inner("inner");
    inner.note([] { return std::string("said once"); });
    sleep_ms(2);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(profiles)

BOOST_AUTO_TEST_CASE(stages_are_told_apart_by_where_they_run) {
  Profile& profile = Profile::of_process();
  std::vector<std::pair<std::string, bool>> heard;
  work(1);  // not listened to yet
  profile.start([&](const std::string& name, bool begins) { heard.emplace_back(name, begins); });
  work(3);
  { const StageTimer alone("inner"); }
  profile.stop();
  work(1);

  const std::vector<ProfiledStage> stages = profile.stages();
  BOOST_REQUIRE(stages.size() == 3U);
  BOOST_TEST(stages[0].name == "outer");
  BOOST_TEST(stages[0].n_calls == 1);
  BOOST_TEST(stages[1].name == "inner");
  BOOST_TEST(stages[1].depth == 1);
  BOOST_TEST(stages[1].n_calls == 3);
  BOOST_TEST(stages[1].wall >= 6e-3);
  BOOST_TEST(stages[1].wall <= stages[0].wall);
  BOOST_TEST(stages[1].processor < stages[1].wall);  // it slept
  BOOST_TEST((stages[1].notes == std::vector<std::string>{"said once"}));
  BOOST_TEST(stages[2].depth == 0);
  BOOST_TEST(stages[2].peak_memory > 1e6);
  BOOST_TEST(heard.size() == 10U);
  BOOST_TEST(heard.front().second);
  std::ostringstream out;
  out << profile;
  BOOST_TEST(out.str().find("  inner") != std::string::npos);
  BOOST_TEST(out.str().find("inner: said once") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stage_ends_where_an_exception_leaves_it) {
  Profile& profile = Profile::of_process();
  profile.start();
  const auto fails = [] {
    const StageTimer stage("fails");
    throw 1;
  };
  BOOST_CHECK_THROW(fails(), int);
  work(0);
  profile.stop();
  BOOST_TEST(profile.stages().size() == 2U);
  BOOST_TEST(profile.stages()[1].depth == 0);
  profile.start();
  profile.stop();
  BOOST_TEST(profile.stages().empty());
}

BOOST_AUTO_TEST_SUITE_END()
