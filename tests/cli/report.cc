// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof report: one page that says what the other verbs say, and loads and runs nothing.
#include <halfdof/base/text_table.h>

#include <boost/test/unit_test.hpp>

#include "cases.h"
#include "markup_check.h"
#include <cstdlib>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Checks that the page is one file with correct tags, which runs and loads nothing.
void check_page(const std::string& page) {
  const Markup markup = markup_of(page);
  BOOST_TEST(fault_of(markup) == "");
  for (const Tag& tag : markup.tags) {
    for (const char* const loads : {"script", "link", "iframe", "object", "embed", "img", "image", "base"})
      BOOST_TEST(tag.name != loads);
    for (const char* const attribute : {" on", "src", "action"})
      BOOST_TEST(!contains(tag.attributes, attribute), tag.name << tag.attributes);
  }
  for (const std::string loads : {"url(", "@import"})
    BOOST_TEST(!contains(page, loads));
  for (std::size_t at = page.find("href="); at != std::string::npos; at = page.find("href=", at + 1))
    BOOST_TEST(page[at + 6] == '#');
}

bool has_section(const std::string& page, const std::string& id) {
  return contains(page, "<section id=\"" + id + "\">");
}

std::string cell(double number) {
  return "<td class=\"number\">" + to_text(number) + "</td>";
}

std::string page_of(const Terminal& terminal, const Arguments& arguments, int exit_code = 0) {
  const Run run = terminal.run(command("report", arguments, {"--html", "report.html"}));
  BOOST_TEST(run.exit_code == exit_code, run.err);
  const std::string page = text_of(terminal.path() / "report.html");
  check_page(page);
  return page;
}

/// A mass that rubs, between a spring and a stop that it hits.
std::string rubbing_case(const std::string& name) {
  return changed(sliding, {{"name = \"floor\"", "name = '" + name + "'"},
                           {"[integrator]",
                            "[[inclusion]]\nname = \"stop\"\nlaw = \"unilateral\"\ndirection = "
                            "[{dof = 0, weight = -1}]\nobstacle = -1.0\nrestitution = "
                            "0.5\n[integrator]"}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(the_page_has_the_numbers_of_inspect_and_modes) {
  const Terminal terminal;
  const Arguments model = data_model("three_kinds");
  const std::string page = page_of(terminal, model);
  for (const char* const id :
       {"model", "kinds", "sparsity", "diagnosis", "spectra", "response", "verification", "warnings"})
    BOOST_TEST(has_section(page, id), id);
  BOOST_TEST(!has_section(page, "run"));
  const nlohmann::json modes = terminal.json("modes", model), found = terminal.json("inspect", model);
  BOOST_TEST_REQUIRE(modes["modes"].size() == 2u);
  for (const nlohmann::json& mode : modes["modes"]) {
    const std::string row = cell(mode["eigenvalue"][0]) + cell(mode["eigenvalue"][1]) +
                            cell(mode["frequency_hz"]) + cell(mode["damping_ratio"]) + "<td>" +
                            mode["kind"].get<std::string>() + "</td>";
    BOOST_TEST(contains(page, row), row);
  }
  BOOST_TEST(contains(page, cell(modes["max_relative_difference"])));
  for (const char* const kind : {"inertial", "viscous", "algebraic", "constrained"}) {
    const std::string row = std::string("<td>") + kind + "</td><td class=\"number\">" +
                            found[std::string("n_") + kind].dump() + "</td>";
    BOOST_TEST(contains(page, row), row);
  }
  BOOST_TEST(
      contains(page, "<td class=\"number\">" + to_text(found["elimination"][0]["condition"].get<double>())));
  for (const char* const matrix :
       {">M: 3 × 3, 3 entries<", ">C: 3 × 3, 6 entries<", ">K: 3 × 3, 8 entries<", ">D: 3 × 3, 9 entries<"})
    BOOST_TEST(contains(page, matrix), matrix);
}

BOOST_AUTO_TEST_CASE(a_case_is_run_up_to_a_limit_and_verified_without_a_table) {
  const OneMass terminal(2, 10);
  terminal.file("case.toml", rubbing_case("floor"));
  const std::string whole = page_of(terminal, {"case.toml"});
  for (const char* const id : {"inclusions", "run", "spectra", "response", "verification"})
    BOOST_TEST(has_section(whole, id), id);
  BOOST_TEST(contains(whole, "It covers 2000 steps from 0 s to 2 s, with "));
  BOOST_TEST(contains(whole, "<td>measure inclusion with impacts</td>"));
  for (const char* const axis :
       {"gap [length]", "reaction [force]", "energy [force length]", "displacement [length]"})
    BOOST_TEST(contains(whole, std::string(axis) + "</text>"), axis);
  BOOST_TEST(contains(whole, "run: balance of momentum"));
  const std::string part = page_of(terminal, {"case.toml", "--steps", "100"});
  BOOST_TEST(contains(part, "It covers 100 steps from 0 s to 0.1 s of the 2 s"));
  BOOST_TEST(std::filesystem::is_empty(terminal.path() / "out"));
}

// The work of the reactions at the end is minus what the laws dissipate, since the supports are at rest.
BOOST_AUTO_TEST_CASE(the_energies_of_a_run_are_those_of_its_closed_form) {
  const OneMass terminal(2, 0);
  terminal.file("case.toml", sliding);
  // Sliding dissipates all of 1/2 m v^2 = 9.
  BOOST_TEST(contains(page_of(terminal, {"case.toml"}), "<td>dissipated by the laws</td>" + cell(9)));
}

BOOST_AUTO_TEST_CASE(hostile_names_are_shown_and_never_run) {
  const OneMass terminal(2, 10);
  const std::string name = "</text><script>alert(1)</script>&";
  terminal.file("case.toml", rubbing_case(name));
  const std::string page = page_of(terminal, {"case.toml"});
  BOOST_TEST(contains(page, "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"));
  const std::string file = "\"><img src=x onerror=alert(1)>&.mtx";
  std::filesystem::copy(terminal.path() / "K.mtx", terminal.path() / file);
  const std::string other = page_of(terminal, {"--mass", "M.mtx", "--stiffness", file});
  BOOST_TEST(contains(other, "<h1>halfdof report: &quot;&gt;&lt;img src"));
}

BOOST_AUTO_TEST_CASE(a_singular_model_is_diagnosed) {
  const Terminal terminal;
  DenseSystem floating = {MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  floating.K << 1, -1, -1, 1;
  const Arguments model = terminal.model(floating);
  const std::string page = page_of(terminal, model);
  const nlohmann::json found = terminal.json("inspect", model);
  BOOST_TEST(contains(page, "<td>" + found["problems"][0]["remedy"].get<std::string>() + "</td>"));
  BOOST_TEST(!has_section(page, "spectra"));
}

BOOST_AUTO_TEST_CASE(without_gnuplot_the_page_says_what_to_install) {
  const Terminal terminal;
  const Run run =
      terminal.run(command("report", data_model("three_kinds"), {"--html", "report.html"}), "PATH=/none ");
  BOOST_TEST(run.exit_code == 0, run.err);
  const std::string page = text_of(terminal.path() / "report.html");
  check_page(page);
  BOOST_TEST(contains(page, "gnuplot-nox"));
  BOOST_TEST(contains(page, ">D: 3 × 3, 9 entries<"));
}

BOOST_AUTO_TEST_CASE(what_the_report_may_not_write_or_read_is_refused) {
  const Terminal terminal;
  const Arguments model = terminal.model(engine_mount());
  for (const auto& [more, reason] : std::vector<std::pair<Arguments, std::string>>{
           {{}, "--html is required"},
           {{"--html", "K.mtx"}, "does not end in .html"},
           {{"--html", "r.html", "--count", "0"}, "--count is 0"},
           {{"--html", "r.html", "--steps", "0"}, "--steps is 0"}}) {
    const Run run = terminal.run(command("report", model, more));
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), run.err);
  }
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "r.html"));
}

BOOST_AUTO_TEST_CASE(single_pictures_show_spectra_and_patterns) {
  const Terminal terminal;
  const Arguments model = data_model("three_kinds");
  for (const auto& [verb, texts] : std::vector<std::pair<std::string, Arguments>>{
           {"modes", {"Re λ [1/s]", "before", "after"}},
           {"inspect", {">D: 3 × 3, 9 entries<", ">D by kind: 3 × 3", ">viscous<", ">algebraic<"}}}) {
    const Run run = terminal.run(command(verb, model, {"--plot", "picture.svg"}));
    BOOST_TEST(run.exit_code == 0, run.err);
    const std::string picture = text_of(terminal.path() / "picture.svg");
    BOOST_TEST(fault_of(markup_of(picture)) == "");
    for (const std::string& text : texts)
      BOOST_TEST(contains(picture, text), text);
    BOOST_TEST(terminal.run(command(verb, model, {"--plot", "picture.pdf"})).exit_code == 2);
  }
}

// The pattern of a diagonal matrix with every third entry missing in M: one square for each entry, in the
// colour of its kind.
BOOST_AUTO_TEST_CASE(a_pattern_has_one_cell_for_each_entry) {
  const Terminal terminal;
  DenseSystem system = {MultiVector::Identity(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  system.M(1, 1) = 0;
  system.C(1, 1) = 1;
  const Run run = terminal.run(command("inspect", terminal.model(system), {"--plot", "picture.svg"}));
  BOOST_TEST(run.exit_code == 0, run.err);
  const std::string picture = text_of(terminal.path() / "picture.svg");
  BOOST_TEST(contains(picture, "d=\"M0 0h1v1h-1zM2 2h1v1h-1z\""));  // M, inertial, as given
  BOOST_TEST(contains(picture, "d=\"M0 0h1v1h-1zM1 1h1v1h-1z\""));  // M, inertial, by kind
  BOOST_TEST(contains(picture, "d=\"M2 2h1v1h-1z\""));              // C, viscous, by kind
}

BOOST_AUTO_TEST_CASE(a_browser_shows_the_page) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0) {
    BOOST_TEST_MESSAGE("skipped: there is no chromium");
    return;
  }
  const OneMass terminal(2, 10);
  terminal.file("case.toml", rubbing_case("<b onclick=x>"));
  page_of(terminal, {"case.toml"});
  const std::string folder = terminal.path().string();
  const int status = std::system(
      ("HOME='" + folder + "' timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom 'file://" +
       folder + "/report.html' >'" + folder + "/dom.html' 2>/dev/null")
          .c_str());
  BOOST_TEST(status == 0);
  const std::string dom = text_of(terminal.path() / "dom.html");
  BOOST_TEST(contains(dom, "Verification</h2>"));
  BOOST_TEST(contains(dom, "</svg>"));
  BOOST_TEST(!contains(dom, "<b onclick"));
}

BOOST_AUTO_TEST_SUITE_END()
