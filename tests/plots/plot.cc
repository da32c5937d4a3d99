// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/plots/gnuplot.h>
#include <halfdof/plots/plot.h>

#include <boost/test/unit_test.hpp>

#include <support/scratch_folder.h>

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

struct Picture {
  ScratchFolder folder;
  std::filesystem::path file() const { return folder.path() / "picture.png"; }

  /// Width and height that the file states; a PNG file holds them big-endian at bytes 16 and 20.
  std::array<int, 2> size() const {
    const std::string bytes = text_of(file());
    BOOST_REQUIRE(bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    BOOST_REQUIRE(bytes.substr(bytes.size() - 8, 4) == "IEND");
    const auto number = [&](std::size_t begin) {
      int result = 0;
      for (std::size_t k = begin; k < begin + 4; ++k)
        result = 256 * result + static_cast<unsigned char>(bytes[k]);
      return result;
    };
    return {number(16), number(20)};
  }

  bool refuses(const Plot& plot) const {
    try {
      write_png(plot, file());
    } catch (const InvalidInput&) {
      return folder.n_files() == 0;
    }
    return false;
  }
};

/// Lets another program stand in for gnuplot.
class Path {
 public:
  explicit Path(const std::string& value) : old_(std::getenv("PATH")) { setenv("PATH", value.c_str(), 1); }
  ~Path() { setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
};

void make_gnuplot(const ScratchFolder& folder, const std::string& commands) {
  const auto program = folder.file("gnuplot", "#!/bin/sh\n" + commands + "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

Plot plot_of(const Vector& x, const Vector& y, CurveStyle style = CurveStyle::line) {
  Plot plot;
  plot.panels.push_back(CurvePanel{"", {"x"}, {"y"}, {{"curve", x, y, style}}});
  return plot;
}

Plot logarithmic_plot_of(const Vector& x, const Vector& y) {
  Plot plot;
  plot.panels.push_back(
      CurvePanel{"", {"f [Hz]", AxisScale::logarithmic}, {"|H|", AxisScale::logarithmic}, {{"curve", x, y}}});
  return plot;
}

MeshPanel square() {
  MeshPanel panel;
  panel.value_label = "u [mm]";
  panel.cells.push_back({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1});
  panel.cells.push_back({{{1, 0, 0}, {2, 0, 0}, {1, 1, 0}}, -2});
  panel.cells.push_back({{{0, 0, 0}, {0, 1, 0}}, 0});
  return panel;
}

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_FIXTURE_TEST_SUITE(plot, Picture)

BOOST_AUTO_TEST_CASE(several_panels_of_every_kind_become_one_picture) {
  const Vector t = Vector::LinSpaced(50, 0, 1);
  Plot plot;
  plot.title = "Everything";
  plot.n_columns = 2;
  plot.width = 800;
  CurvePanel curves{"Curves", {"t [s]"}, {"u [m]"}, {}};
  for (const CurveStyle style : {CurveStyle::line, CurveStyle::dashed_line, CurveStyle::points,
                                 CurveStyle::line_with_points, CurveStyle::impulses})
    curves.curves.push_back(
        {"curve " + std::to_string(curves.curves.size()), t, t.array().pow(2.).matrix(), style});
  plot.panels.push_back(curves);
  plot.panels.push_back(square());
  MeshPanel body = square();
  body.dimension = 3;
  body.colors = ColorScale::diverging;
  body.edges = MeshEdges::hidden;
  body.outline = body.cells;
  plot.panels.push_back(body);
  write_png(plot, file());
  BOOST_TEST(size()[0] == 800);
  BOOST_TEST(size()[1] > 400);
  BOOST_TEST(folder.n_files() == 1);
}

BOOST_AUTO_TEST_CASE(texts_are_shown_as_they_are_and_never_run) {
  const auto trap = folder.path() / "trap";
  for (const std::string& text :
       {"`touch " + trap.string() + "`", "'; system('touch " + trap.string() + "'); '",
        "\"; !touch " + trap.string(), "' . system('touch " + trap.string() + "') . '",
        std::string("q_C^2 {/Symbol a} \\n @x ω \n'"), std::string("'")}) {
    Plot plot;
    plot.title = text;
    CurvePanel panel{text, {text}, {text}, {{text, Vector::Ones(3), Vector::Ones(3)}}};
    MeshPanel mesh = square();
    mesh.title = mesh.value_label = text;
    plot.panels = {panel, mesh};
    write_png(plot, file());
    BOOST_TEST(size()[0] == 1000);
    BOOST_TEST(!std::filesystem::exists(trap));
  }
}

BOOST_AUTO_TEST_CASE(texts_of_svg_are_no_markup_and_identifiers_have_a_name) {
  const std::string text = "<script>&\"'";
  Plot plot = plot_of(Vector::Ones(2), Vector::Ones(2), CurveStyle::points);
  plot.title = text;
  write_svg(plot, folder.path() / "picture.svg");
  BOOST_TEST(text_of(folder.path() / "picture.svg").rfind("<?xml", 0) == 0);
  const std::string element = svg_element(plot, "first", text);
  BOOST_TEST(
      element.rfind("<svg role=\"img\" aria-label=\"&lt;script>&amp;&quot;'\" viewBox=\"0 0 1000 ", 0) == 0);
  BOOST_TEST(element.find("<script") == std::string::npos);
  BOOST_TEST(element.find("id='gp") == std::string::npos);
  BOOST_TEST(element.find("'#gp") == std::string::npos);
  BOOST_TEST(element.find("id=\"gnuplot") == std::string::npos);
  BOOST_TEST(element.find("'#first-gpPt") != std::string::npos);
}

// asinh(1 / 0.01) = 5.2983 and asinh(100 / 0.01) = 9.9035 of the half width: ticks lie at these places.
BOOST_AUTO_TEST_CASE(a_symmetric_logarithmic_axis_shows_both_signs_and_zero) {
  Plot plot = plot_of((Vector(3) << -100, 0, 1).finished(), Vector::Ones(3), CurveStyle::points);
  Axis& x = std::get<CurvePanel>(plot.panels[0]).x;
  x.scale = AxisScale::symmetric_logarithmic;
  x.linear_up_to = 0.01;
  x.range = {-100, 100};
  const std::string element = svg_element(plot, "first", "");
  const auto place = [&](const std::string& tick) {
    const std::size_t at = element.find(">" + tick + "<");
    BOOST_REQUIRE(at != std::string::npos);
    const std::size_t number = element.rfind("translate(", at) + 10;
    return std::stod(element.substr(number));
  };
  const double left = place("-100"), middle = place("0"), right = place("100");
  BOOST_TEST(middle - left == right - middle, boost::test_tools::tolerance(1e-3));
  BOOST_TEST((place("1") - middle) / (right - middle) == 5.2983424 / 9.9034876,
             boost::test_tools::tolerance(1e-3));
  x.linear_up_to = 0;
  BOOST_TEST(refuses(plot));
}

BOOST_AUTO_TEST_CASE(awkward_data_still_make_a_picture) {
  const Vector one = Vector::Constant(1, 3);
  const Vector x = Vector::LinSpaced(5, 1, 5);
  const std::vector<Plot> plots = {
      plot_of(one, one),
      plot_of(x, Vector::Zero(5)),
      plot_of(x, Vector::Constant(5, 1e-300)),
      plot_of(x, Vector::Constant(5, -7)),
      plot_of(x, (Vector(5) << 1, not_a_number, 2, std::numeric_limits<double>::infinity(), 3).finished()),
      plot_of(x, x * 1e299, CurveStyle::impulses),
      plot_of(x, (1e9 + 1e-3 * x.array()).matrix()),
      logarithmic_plot_of(one, one),
      logarithmic_plot_of(x, (Vector(5) << 1e-299, 0, -1, 1e299, 1).finished()),
      logarithmic_plot_of(x, Vector::LinSpaced(5, 1.0001, 1.0002)),
      logarithmic_plot_of(Vector::LinSpaced(5, 20, 70), x),
  };
  for (const Plot& plot : plots) {
    write_png(plot, file());
    BOOST_TEST(size()[0] == 1000);
  }
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_points_and_many_cells_are_drawn) {
  const Vector t = Vector::LinSpaced(100000, 0, 1);
  Plot plot = plot_of(t, t.array().sin().matrix());
  MeshPanel mesh;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 100; ++j) {
      const double x = i, y = j;
      mesh.cells.push_back({{{x, y, 0}, {x + 1, y, 0}, {x + 1, y + 1, 0}, {x, y + 1, 0}}, x * y});
    }
  plot.panels.push_back(mesh);
  write_png(plot, file());
  BOOST_TEST(size()[1] > 500);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_refused_before_gnuplot_sees_it) {
  const Vector x = Vector::LinSpaced(3, 1, 3);
  BOOST_TEST(refuses(Plot()));
  BOOST_TEST(refuses(plot_of(x, Vector::Ones(2))));
  BOOST_TEST(refuses(plot_of(Vector(), Vector())));
  BOOST_TEST(refuses(plot_of(x, Vector::Constant(3, not_a_number))));
  BOOST_TEST(refuses(logarithmic_plot_of(x, -x)));
  Plot plot = plot_of(x, x);
  std::get<CurvePanel>(plot.panels[0]).y.range = {{2, 2}};
  BOOST_TEST(refuses(plot));
  plot = logarithmic_plot_of(x, x);
  std::get<CurvePanel>(plot.panels[0]).x.range = {{0, 2}};
  BOOST_TEST(refuses(plot));
  plot = plot_of(x, x);
  plot.n_columns = 0;
  BOOST_TEST(refuses(plot));
}

BOOST_AUTO_TEST_CASE(a_mesh_that_cannot_be_drawn_is_refused) {
  const auto refuses_mesh = [&](const auto& change) {
    MeshPanel panel = square();
    change(panel);
    Plot plot;
    plot.panels.push_back(panel);
    return refuses(plot);
  };
  BOOST_TEST(!refuses_mesh([](MeshPanel&) {}));
  std::filesystem::remove(file());
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.cells.clear(); }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.cells[0].corners.resize(1); }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.cells[0].corners[0][1] = not_a_number; }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.cells[0].value = not_a_number; }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.dimension = 1; }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.range = {{1, -1}}; }));
  BOOST_TEST(refuses_mesh([](MeshPanel& panel) { panel.cells.assign(1, {{{1, 1, 0}, {1, 1, 0}}, 0}); }));
}

BOOST_AUTO_TEST_CASE(a_straight_horizontal_string_has_no_height_but_is_drawn) {
  MeshPanel panel;
  panel.cells.push_back({{{0, 0, 0}, {1, 0, 0}}, 0});
  Plot plot;
  plot.panels.push_back(panel);
  write_png(plot, file());
  BOOST_TEST(size()[0] == 1000);
}

BOOST_AUTO_TEST_CASE(without_gnuplot_the_package_to_install_is_named) {
  const Path path(folder.path());
  BOOST_CHECK_EXCEPTION(write_png(plot_of(Vector::Ones(2), Vector::Ones(2)), file()), NotAvailable,
                        [](const NotAvailable& error) {
                          return std::string(error.what()).find("gnuplot-nox") != std::string::npos;
                        });
  BOOST_TEST(folder.n_files() == 0);
}

BOOST_AUTO_TEST_CASE(a_gnuplot_that_hangs_is_ended) {
  make_gnuplot(folder, "exec /bin/sleep 1000");
  const Path path(folder.path());
  BOOST_CHECK_EXCEPTION(run_gnuplot("plot x\n", 0.2), Error, [](const Error& error) {
    return std::string(error.what()).find("took longer") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_gnuplot_that_reads_nothing_and_writes_much_does_no_harm) {
  make_gnuplot(folder, "exec /bin/dd if=/dev/zero bs=1000000 count=3");
  const Path path(folder.path());
  run_gnuplot(std::string(1000000, '#'), 60);
}

BOOST_AUTO_TEST_CASE(the_message_of_a_failing_gnuplot_is_passed_on) {
  BOOST_CHECK_EXCEPTION(run_gnuplot("plot 'no such file'\n", 60), Error, [](const Error& error) {
    return std::string(error.what()).find("no such file") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_picture_that_cannot_be_written_is_named) {
  BOOST_CHECK_THROW(
      write_png(plot_of(Vector::Ones(2), Vector::Ones(2)), folder.path() / "none" / "picture.png"),
      FileError);
}

BOOST_AUTO_TEST_SUITE_END()
