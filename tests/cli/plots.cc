// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: pictures of hysteresis loops and phase planes, and what they may not show.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cstddef>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Of a PNG file [pixels], from its header.
std::size_t height_of(const std::filesystem::path& picture) {
  const std::string bytes = text_of(picture);
  BOOST_REQUIRE(bytes.size() > 24);
  BOOST_REQUIRE(bytes.substr(1, 3) == "PNG");
  std::size_t height = 0;
  for (std::size_t i = 20; i < 24; ++i)
    height = 256 * height + static_cast<unsigned char>(bytes[i]);
  return height;
}

std::string drawn(const std::string& plots) {
  return changed(sliding,
                 {{"dissipated = true", "dissipated = true\nslips = true\nplot = \"out/slide.png\""}}) +
         plots;
}

const std::string loop = "[[plot]]\nx = \"slip[floor]\"\ny = [\"r[floor]\"]\ntitle = \"Friction\"\n";
const std::string phase_plane = "[[plot]]\nx = \"q[0]\"\ny = [\"v[0]\", \"slip_rate[floor]\"]\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(plots)

BOOST_AUTO_TEST_CASE(each_plot_of_a_case_is_a_panel_of_its_picture) {
  const OneMass terminal(2, 0);
  std::vector<std::size_t> heights;
  for (const std::string& plots : {loop, loop + phase_plane, std::string()}) {
    const Run run = terminal.simulate(drawn(plots));
    BOOST_TEST_REQUIRE(run.exit_code == 0, run.err);
    heights.push_back(height_of(terminal.path() / "out/slide.png"));
  }
  // Without any: displacement, velocity, reaction, dissipated energy.
  BOOST_TEST(heights[0] < heights[1]);
  BOOST_TEST(heights[1] < heights[2]);
}

BOOST_AUTO_TEST_CASE(what_a_table_does_not_hold_is_refused_before_the_run) {
  const OneMass terminal(2, 0);
  const std::vector<std::vector<std::string>> mistakes = {
      {"x = \"q[0]\"", "x = \"q[1]\"",
       ":25: [plot] x names \"q[1]\", which is no column of the table. Is \"q[0]\""},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "y = [\"v[0]\", \"q[0]\"]",
       ":26: [plot] y names \"v[0]\" [length/s] and \"q[0]\" [length], but one axis has one unit"},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "y = [\"state[floor]\"]", "which holds texts"},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "y = []", "[plot] y names 0 columns. Name 1 to 4"},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "y = [\"v[0]\", \"v[0]\", \"v[0]\", \"v[0]\", \"v[0]\"]",
       "[plot] y names 5 columns. Name 1 to 4"},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "", "[plot] y is missing"},
      {"y = [\"v[0]\", \"slip_rate[floor]\"]", "y = [0]", "[plot] y is 0, but must be a list of texts"},
      {"[[plot]]", "[plot]", "write this section as [[plot]]"},
      {"slide.png", "slide.pdf",
       "[output] plot does not end in .png or .svg, but pictures are PNG or SVG files."},
      {"plot = \"out/slide.png\"", "",
       "[plot] y is drawn into the picture that [output] plot names. Give [output] plot"}};
  for (const auto& mistake : mistakes) {
    const Run run = terminal.simulate(changed(drawn(phase_plane), {{mistake[0], mistake[1]}}));
    BOOST_TEST(run.exit_code != 0);
    BOOST_TEST(contains(run.err, mistake[2]), run.err);
  }
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out/slide.csv"));
}

BOOST_AUTO_TEST_SUITE_END()
