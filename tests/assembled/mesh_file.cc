// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/mesh_file.h>
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "support/scratch_folder.h"
#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using Edges = std::vector<std::array<std::size_t, 2>>;

/// The edges whose middles are the further nodes of cells of VTK (VTK User's Guide, Figure 19-21).
Edges edges_of(int type) {
  switch (type) {
    case 22:
      return {{0, 1}, {1, 2}, {2, 0}};
    case 24:
      return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    case 25:
      return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    case 26:
      return {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    default:
      return {};
  }
}

/// The corners of a cell without symmetry, and the middles of edges as a format orders them.
std::vector<std::array<double, 3>> element(int type, const Edges& edges) {
  static const std::vector<std::array<double, 3>> brick = {{0, 0, 0}, {2, 0, 0}, {3, 4, 0}, {0, 5, 0},
                                                           {0, 0, 7}, {2, 0, 8}, {3, 4, 9}, {0, 5, 10}},
                                                  wedge = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0},
                                                           {0, 0, 7}, {2, 0, 8}, {0, 4, 9}},
                                                  tetrahedron = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}, {1, 1, 9}};
  std::vector<std::array<double, 3>> points = type == 25 ? brick : type == 26 ? wedge : tetrahedron;
  for (const auto& [a, b] : edges) {
    std::array<double, 3> middle{};
    for (std::size_t k = 0; k < 3; ++k)
      middle[k] = (points[a][k] + points[b][k]) / 2;
    points.push_back(middle);
  }
  return points;
}

struct Meshes {
  ScratchFolder folder;

  Mesh read(const std::string& text) const { return read_mesh(folder.file("mesh.txt", text)); }
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
  static void check_middles(const Mesh& mesh, int type) {
    BOOST_TEST_REQUIRE(mesh.cells.size() == 1u);
    const MeshCell& cell = mesh.cells[0];
    BOOST_TEST_REQUIRE(cell.type == type);
    const Edges edges = edges_of(type);
    const std::size_t n_corners = cell.nodes.size() - edges.size();
    const auto point = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(cell.nodes[k])]; };
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (std::size_t k = 0; k < 3; ++k)
        BOOST_TEST(point(n_corners + e)[k] == (point(edges[e][0])[k] + point(edges[e][1])[k]) / 2);
  }
};

/// The orders of nodes in the manuals of the programs.
const Edges gmsh_tetrahedron = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}},
            gmsh_brick = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                          {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}},
            gmsh_wedge = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}},
            frd_brick = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 5},
                         {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}, {7, 4}},
            frd_wedge = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}, {5, 3}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mesh_files, Meshes)

BOOST_AUTO_TEST_CASE(quadratic_elements_of_gmsh_get_the_order_of_vtk) {
  for (const auto& [number, type, edges] :
       {std::tuple(11, 24, gmsh_tetrahedron), {17, 25, gmsh_brick}, {18, 26, gmsh_wedge}}) {
    const auto points = element(type, edges);
    std::ostringstream two, four;
    two << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << points.size() << '\n';
    four << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 " << points.size() << " 1 99\n3 1 0 "
         << points.size() << '\n';
    for (std::size_t k = 0; k < points.size(); ++k)
      four << 10 + k << '\n';
    std::string nodes;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& x = points[k];
      two << 10 + k << ' ' << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
      four << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
      nodes += " " + std::to_string(10 + k);
    }
    two << "$EndNodes\n$Elements\n1\n1 " << number << " 2 7 7" << nodes << "\n$EndElements\n";
    four << "$EndNodes\n$Elements\n1 1 1 1\n3 1 " << number << " 1\n1" << nodes << "\n$EndElements\n";
    check_middles(read(two.str()), type);
    check_middles(read(four.str()), type);
  }
}

BOOST_AUTO_TEST_CASE(quadratic_elements_of_result_files_get_the_order_of_vtk) {
  for (const auto& [number, type, edges] :
       {std::tuple(6, 24, edges_of(24)), {4, 25, frd_brick}, {5, 26, frd_wedge}}) {
    const auto points = element(type, edges);
    std::string text = "    1C\n    2C                            20                                     1\n";
    char line[128];
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& x = points[k];
      std::snprintf(line, sizeof line, " -1%10d%12.5E%12.5E%12.5E\n", static_cast<int>(10 + k), x[0], x[1],
                    x[2]);
      text += line;
    }
    text += " -3\n    3C                             1                                     1\n";
    std::snprintf(line, sizeof line, " -1%10d%5d%5d%5d\n -2", 1, number, 0, 1);
    text += line;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (k == 10) text += "\n -2";
      std::snprintf(line, sizeof line, "%10d", static_cast<int>(10 + k));
      text += line;
    }
    check_middles(read(text + "\n -3\n 9999\n"), type);
  }
}

BOOST_AUTO_TEST_CASE(input_files_of_abaqus_have_nodes_and_elements_over_several_lines) {
  for (const auto& [name, type] : {std::pair("C3D20R", 25), {"C3D15", 26}, {"C3D10M", 24}}) {
    const auto points = element(type, edges_of(type));
    std::string text = "*HEADING\n an element\n** comment\n*Node, nset=all\n", nodes;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& x = points[k];
      text += std::to_string(10 + k) + ", " + std::to_string(x[0]) + ", " + std::to_string(x[1]) + ", " +
              std::to_string(x[2]) + "\n";
      nodes += (k == 15 ? ",\n" : ", ") + std::to_string(10 + k);
    }
    text += std::string("*Element, type=") + name + ", elset=b\n1" + nodes + "\n";
    check_middles(read(text), type);
  }
  const Mesh mixed = read(
      "*NODE\n1,0\n2,1,0\n3,1,1,0\n4,0,1,0\n5,0.5\n*ELEMENT,TYPE=S4\n1,1,2,3,4\n*ELEMENT, TYPE=CPS3\n"
      "2,1,2,3\n*ELEMENT,TYPE=B32\n3,1,5,2\n*ELEMENT,TYPE=SPRINGA\n4,1,2\n*STEP\n*FREQUENCY\n10\n");
  BOOST_TEST(mixed.numbers.size() == 5u);
  BOOST_TEST_REQUIRE(mixed.cells.size() == 3u);
  BOOST_TEST(mixed.cells[0].type == 9);
  BOOST_TEST(mixed.cells[1].type == 5);
  BOOST_TEST(mixed.cells[2].type == 21);
  BOOST_TEST(mixed.cells[2].nodes == (std::vector<GlobalIndex>{0, 1, 4}), boost::test_tools::per_element());
  // The middle node of trusses and beams is the second one of an element, and the last one of VTK's cell.
  for (const std::string type : {"T2D3", "T3D3", "B22", "B32R"}) {
    const Mesh line = read("*NODE\n1,0\n2,1\n3,2\n*ELEMENT, TYPE=" + type + "\n1,1,2,3\n");
    BOOST_TEST_REQUIRE(line.cells.size() == 1u);
    BOOST_TEST(line.cells[0].nodes == (std::vector<GlobalIndex>{0, 2, 1}), boost::test_tools::per_element());
  }
  BOOST_TEST(mixed.skipped == std::vector<std::string>{"SPRINGA"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(families_of_abaqus_are_told_apart_by_their_exact_names) {
  const std::string nodes = "*NODE\n1,0\n2,1\n3,1,1\n4,0,1\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n",
                    element = "1,1,2,3,4,5,6,7,8\n";
  for (const auto& [name, type] :
       {std::pair("M3D4", 9), {"R3D4", 9},  {"R3D3", 5},    {"SFM3D4R", 9}, {"M3D6", 22},
        {"CPE8R", 23},        {"CPEG4", 9}, {"CGAX4", 9},   {"CAX6", 22},   {"STRI3", 5},
        {"STRI65", 22},       {"S8R5", 23}, {"DS4", 9},     {"DCAX4", 9},   {"SC6R", 13},
        {"SC8R", 12},         {"CSS8", 12}, {"COH3D6", 13}, {"COH3D8", 12}, {"C3D8I", 12},
        {"DC3D8", 12},        {"C3D4", 10}, {"B31H", 3},    {"T3D3", 21},   {"B32R", 21}}) {
    const Mesh mesh = read(nodes + "*ELEMENT, TYPE=" + name + "\n" + element);
    BOOST_TEST_REQUIRE(mesh.cells.size() == 1u, name);
    BOOST_TEST(mesh.cells[0].type == type, name);
  }
  for (const std::string name : {"CIN3D8", "RB3D2", "DRAG3D", "DCOUP3D", "CONN3D2", "SPRING1", "SAX1", "MASS",
                                 "M3D9", "S9R5", "COH2D4", "D", "COH3D80"}) {
    const Mesh mesh = read(nodes + "*ELEMENT, TYPE=" + name + "\n" + element);
    BOOST_TEST(mesh.cells.empty(), name);
    BOOST_TEST(mesh.skipped == std::vector<std::string>{name}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(keyword_lines_of_abaqus_have_blanks_and_go_on_after_a_comma) {
  const Mesh mesh = read(
      "*NODE, SYSTEM = R\n1,0\n2,1\n3,0,1\n*ELEMENT, ELSET=a,\n** comment\n Type = cps3\n1,1,2,\n"
      "** comment\n3\n");
  BOOST_TEST_REQUIRE(mesh.cells.size() == 1u);
  BOOST_TEST(mesh.cells[0].type == 5);
  BOOST_TEST(mesh.cells[0].nodes == (std::vector<GlobalIndex>{0, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(beams_of_result_files_have_both_ends_first) {
  const Mesh mesh = read(
      "    1C\n    2C                             3                                     1\n"
      " -1         1 0.00000E+00 0.00000E+00 0.00000E+00\n"
      " -1         2 1.00000E+00 0.00000E+00 0.00000E+00\n"
      " -1         3 2.00000E+00 0.00000E+00 0.00000E+00\n -3\n"
      "    3C                             1                                     1\n"
      " -1         1   12    0    1\n -2         1         3         2\n -3\n 9999\n");
  BOOST_TEST_REQUIRE(mesh.cells.size() == 1u);
  BOOST_TEST(mesh.cells[0].type == 21);
  BOOST_TEST(mesh.cells[0].nodes == (std::vector<GlobalIndex>{0, 2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_text_is_refused_with_the_line) {
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(contains(refusal("1 2 3\n"), "not a mesh in a known format"));
  BOOST_TEST(contains(refusal("*HEADING\n"), "has no nodes"));
  BOOST_TEST(contains(refusal("*NODE\n1,0,0,0\n1,0,0,0\n"), "mesh.txt:3: node 1 is given twice"));
  BOOST_TEST(contains(refusal("*NODE\n1,x\n"), "where a coordinate is expected"));
  BOOST_TEST(contains(refusal("*NODE\n1,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n"), "has the node 2"));
  BOOST_TEST(contains(refusal("$MeshFormat\n4.1 1 8\n"), "binary"));
  BOOST_TEST(contains(refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n"), "ends"));
  BOOST_TEST(contains(refusal("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n-2\n"), "is negative"));
  const std::string head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n2 1 0 ";
  BOOST_TEST(contains(refusal(head + "-1\n"), "is negative"));
  BOOST_TEST(contains(refusal(head + "900000000000000000\n1\n"), "ends"));
  BOOST_TEST(contains(refusal("*NODE\n1,0\n2,1\n*ELEMENT,TYPE=T3D2\n1,1,2\n*ELEMENT\n2,1,2\n"), "no TYPE"));
  BOOST_TEST(contains(refusal("*NODE, SYSTEM=C\n1,1,90\n"), "SYSTEM=C"));
}

BOOST_AUTO_TEST_SUITE_END()
