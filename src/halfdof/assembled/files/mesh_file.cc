// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/mesh_file.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace halfdof::internal {

namespace {

/// A kind of element: its type in VTK and, for each node of the cell, its place among those of the element.
struct CellKind {
  int type = 0;  ///< 0: not drawn
  std::vector<std::size_t> places;
};

CellKind in_order(int type, std::size_t n_nodes) {
  CellKind kind{type, std::vector<std::size_t>(n_nodes)};
  for (std::size_t k = 0; k < n_nodes; ++k)
    kind.places[k] = k;
  return kind;
}

/// Gmsh, Reference Manual, "Node ordering" and "MSH file format".
CellKind kind_in_gmsh(GlobalIndex type) {
  static const std::map<GlobalIndex, CellKind> kinds = {
      {1, in_order(3, 2)},
      {2, in_order(5, 3)},
      {3, in_order(9, 4)},
      {4, in_order(10, 4)},
      {5, in_order(12, 8)},
      {6, in_order(13, 6)},
      {7, in_order(14, 5)},
      {8, in_order(21, 3)},
      {9, in_order(22, 6)},
      {10, in_order(9, 4)},
      {11, {24, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}}},
      {12, in_order(12, 8)},
      {13, in_order(13, 6)},
      {14, in_order(14, 5)},
      {15, in_order(1, 1)},
      {16, in_order(23, 8)},
      {17, {25, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}}},
      {18, {26, {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}}},
      {19, in_order(14, 5)}};
  const auto found = kinds.find(type);
  return found == kinds.end() ? CellKind() : found->second;
}

/// G. Wittig, CalculiX USER'S MANUAL - CalculiX GraphiX, "Element Types": in quadratic bricks and wedges, the
/// nodes between both triangles or quadrangles precede those of the second one.
CellKind kind_in_frd(GlobalIndex type) {
  static const std::map<GlobalIndex, CellKind> kinds = {
      {1, in_order(12, 8)},
      {2, in_order(13, 6)},
      {3, in_order(10, 4)},
      {4, {25, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15}}},
      {5, {26, {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11}}},
      {6, in_order(24, 10)},
      {7, in_order(5, 3)},
      {8, in_order(22, 6)},
      {9, in_order(9, 4)},
      {10, in_order(23, 8)},
      {11, in_order(3, 2)},
      {12, in_order(21, 3)}};  // CalculiX writes both ends of a B32 first
  const auto found = kinds.find(type);
  return found == kinds.end() ? CellKind() : found->second;
}

/// Returns the kind of a name such as "C3D20R", "S4", "CPE8" or "B31", which consists of a family, the number
/// of nodes, and letters of the formulation. Quadratic surfaces and solids have the order of VTK; the middle
/// node of T3D3 and B32 comes second (CalculiX manual, "Three-node 3D beam element"). The number of STRI65 is
/// followed by that of the DoFs of a node. Families that are not drawn have no kind.
CellKind kind_in_abaqus(const std::string& name) {
  enum class Shape { line, surface, solid };
  static const std::vector<std::pair<std::string_view, Shape>> families = {
      {"B2", Shape::line},      {"B3", Shape::line},      {"T2D", Shape::line},      {"T3D", Shape::line},
      {"M3D", Shape::surface},  {"R3D", Shape::surface},  {"SFM3D", Shape::surface}, {"CPE", Shape::surface},
      {"CPEG", Shape::surface}, {"CPS", Shape::surface},  {"CAX", Shape::surface},   {"CGAX", Shape::surface},
      {"STRI", Shape::surface}, {"DS", Shape::surface},   {"S", Shape::surface},     {"DC2D", Shape::surface},
      {"AC2D", Shape::surface}, {"DCAX", Shape::surface}, {"ACAX", Shape::surface},  {"C3D", Shape::solid},
      {"DC3D", Shape::solid},   {"DCC3D", Shape::solid},  {"AC3D", Shape::solid}};
  static const std::map<std::string_view, CellKind> others = {
      {"SC6", in_order(13, 6)},    {"SC8", in_order(12, 8)},    {"CSS8", in_order(12, 8)},
      {"COH3D6", in_order(13, 6)}, {"COH3D8", in_order(12, 8)}, {"STRI65", in_order(22, 6)}};
  static const std::map<GlobalIndex, CellKind>
      surfaces = {{3, in_order(5, 3)}, {4, in_order(9, 4)}, {6, in_order(22, 6)}, {8, in_order(23, 8)}},
      solids = {{4, in_order(10, 4)},   {5, in_order(14, 5)},   {6, in_order(13, 6)},  {8, in_order(12, 8)},
                {10, in_order(24, 10)}, {15, in_order(26, 15)}, {20, in_order(25, 20)}},
      trusses = {{2, in_order(3, 2)}, {3, {21, {0, 2, 1}}}},
      beams = {{1, in_order(3, 2)}, {2, {21, {0, 2, 1}}}};  // by the order of interpolation
  constexpr const char* digits = "0123456789";
  const std::string_view all = name, stem = all.substr(0, all.find_last_of(digits) + 1);
  for (const auto& [begin, kind] : others)
    if (all.substr(0, begin.size()) == begin && stem.size() == begin.size()) return kind;
  for (const auto& [family, shape] : families) {
    if (all.substr(0, family.size()) != family) continue;
    const std::string_view rest = all.substr(family.size());
    const std::string_view number = rest.substr(0, std::min(rest.find_first_not_of(digits), rest.size()));
    if (number.empty()) continue;  // another family begins with the same letters
    const std::map<GlobalIndex, CellKind>& known = shape == Shape::solid     ? solids
                                                   : shape == Shape::surface ? surfaces
                                                   : family[0] == 'T'        ? trusses
                                                                             : beams;
    const auto found = known.find(whole_number(number).value_or(0));
    return found == known.end() ? CellKind() : found->second;
  }
  return {};
}

/// Returns the value of an option of a keyword line, `NAME = VALUE`, in upper case; "" without the option.
std::string option_of(const std::vector<std::string>& fields, const std::string& name) {
  for (const std::string& field : fields)
    if (const std::size_t equals = field.find('=');
        equals != std::string::npos && upper_case(trimmed(field.substr(0, equals))) == name)
      return upper_case(trimmed(std::string_view(field).substr(equals + 1)));
  return "";
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t end = std::min(line.find(separator), line.size());
    if (const std::string_view field = trimmed(line.substr(0, end)); !field.empty() || separator == ',')
      fields.emplace_back(field);
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

/// Reads one file line by line.
class MeshReader {
 public:
  explicit MeshReader(const std::filesystem::path& file) : scanner_(file, '\n') {}

  Mesh read() {
    while (advance()) {
      const std::string_view text = trimmed(line_);
      if (text.empty()) continue;
      if (text[0] == '$') {
        read_gmsh();
      } else if (text[0] == '*') {
        read_abaqus();
      } else if (line_.rfind("    1C", 0) == 0 || line_.rfind("    2C", 0) == 0) {
        read_frd();
      } else {
        fail(
            "the file is not a mesh in a known format. A .msh file of Gmsh begins with $MeshFormat, an input "
            "file of Abaqus or CalculiX with *, and a .frd file of CalculiX with 1C.");
      }
      break;
    }
    if (mesh_.numbers.empty()) fail("the file has no nodes.");
    return std::move(mesh_);
  }

 private:
  bool advance() {
    std::string_view view;
    if (!scanner_.next_whole_line(view)) return false;
    line_ = std::string(view);
    return true;
  }
  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }
  GlobalIndex whole(std::string_view text) const {
    if (const auto number = whole_number(trimmed(text))) return *number;
    fail("'" + shown(text) + "' stands where a whole number is expected.");
  }
  GlobalIndex count(std::string_view text) const {
    const GlobalIndex number = whole(text);
    if (number < 0) fail("the count " + std::to_string(number) + " is negative.");
    return number;
  }
  double real(std::string_view text) const {
    if (const auto number = real_number(trimmed(text))) return *number;
    fail("'" + shown(text) + "' stands where a coordinate is expected.");
  }
  std::vector<std::string> words() {
    if (!advance()) fail("the file ends within a section.");
    return fields_of(line_, ' ');
  }
  std::vector<std::string> words(std::size_t at_least) {
    std::vector<std::string> all = words();
    if (all.size() < at_least) fail("the line has too few numbers.");
    return all;
  }

  void add_node(GlobalIndex number, const std::array<double, 3>& point) {
    if (!place_.emplace(number, static_cast<GlobalIndex>(mesh_.numbers.size())).second)
      fail("node " + std::to_string(number) + " is given twice.");
    mesh_.numbers.push_back(number);
    mesh_.points.push_back(point);
  }
  void add_cell(const CellKind& kind, const std::string& type, const std::vector<GlobalIndex>& nodes) {
    if (kind.type == 0) {
      if (std::find(mesh_.skipped.begin(), mesh_.skipped.end(), type) == mesh_.skipped.end())
        mesh_.skipped.push_back(type);
      return;
    }
    MeshCell cell{kind.type, {}};
    for (const std::size_t k : kind.places) {
      if (k >= nodes.size()) fail("an element of type " + type + " has too few nodes.");
      const auto found = place_.find(nodes[k]);
      if (found == place_.end())
        fail("an element has the node " + std::to_string(nodes[k]) + ", which is not given.");
      cell.nodes.push_back(found->second);
    }
    mesh_.cells.push_back(std::move(cell));
  }

  void read_gmsh() {
    double version = 0;
    do {
      if (line_ == "$MeshFormat") {
        const std::vector<std::string> format = words(3);
        version = real(format[0]);
        if (format[1] != "0") fail("the mesh is binary. Save it as text (Mesh.Binary = 0).");
        if (version != 2.2 && version != 4.1)
          fail("version " + format[0] + " of .msh is not read, only 2.2 and 4.1.");
      } else if (line_ == "$Nodes") {
        version == 2.2 ? read_nodes_2() : read_nodes_4();
      } else if (line_ == "$Elements") {
        version == 2.2 ? read_elements_2() : read_elements_4();
      }
    } while (advance());
  }
  void read_nodes_2() {
    for (GlobalIndex n = count(words(1)[0]); n > 0; --n) {
      const std::vector<std::string> node = words(4);
      add_node(whole(node[0]), {real(node[1]), real(node[2]), real(node[3])});
    }
  }
  void read_nodes_4() {
    for (GlobalIndex n_blocks = count(words(4)[0]); n_blocks > 0; --n_blocks) {
      std::vector<GlobalIndex> numbers;
      for (GlobalIndex n = count(words(4)[3]); n > 0; --n)
        numbers.push_back(whole(words(1)[0]));
      for (const GlobalIndex number : numbers) {
        const std::vector<std::string> x = words(3);
        add_node(number, {real(x[0]), real(x[1]), real(x[2])});
      }
    }
  }
  std::vector<GlobalIndex> numbers_from(const std::vector<std::string>& fields, std::size_t first) const {
    std::vector<GlobalIndex> numbers;
    for (std::size_t k = first; k < fields.size(); ++k)
      if (!fields[k].empty()) numbers.push_back(whole(fields[k]));
    return numbers;
  }
  void read_elements_2() {
    for (GlobalIndex n = count(words(1)[0]); n > 0; --n) {
      const std::vector<std::string> element = words(3);
      const auto first = static_cast<std::size_t>(3 + count(element[2]));
      add_cell(kind_in_gmsh(whole(element[1])), element[1], numbers_from(element, first));
    }
  }
  void read_elements_4() {
    for (GlobalIndex n_blocks = count(words(4)[0]); n_blocks > 0; --n_blocks) {
      const std::vector<std::string> block = words(4);
      const CellKind kind = kind_in_gmsh(whole(block[2]));
      for (GlobalIndex n = count(block[3]); n > 0; --n)
        add_cell(kind, block[2], numbers_from(words(1), 1));
    }
  }

  bool is_abaqus_comment() const { return line_.rfind("**", 0) == 0; }

  /// Reads `*NODE` and `*ELEMENT, TYPE=...`. An element goes on in the next line after a comma, or if it has
  /// too few nodes, and a keyword line goes on after a comma.
  void read_abaqus() {
    enum class Section { other, nodes, elements } section = Section::other;
    std::string type;
    CellKind kind;
    do {
      if (is_abaqus_comment() || trimmed(line_).empty()) continue;
      std::vector<std::string> fields = fields_of(line_, ',');
      if (line_[0] == '*') {
        const std::string keyword = upper_case(fields[0]);
        section = keyword == "*NODE"      ? Section::nodes
                  : keyword == "*ELEMENT" ? Section::elements
                                          : Section::other;
        while (fields.back().empty() && fields.size() > 1 && advance()) {
          if (is_abaqus_comment()) continue;
          fields.pop_back();
          for (std::string& field : fields_of(line_, ','))
            fields.push_back(std::move(field));
        }
        if (section == Section::nodes) {
          if (const std::string system = option_of(fields, "SYSTEM"); !system.empty() && system != "R")
            fail("the coordinates of the nodes have SYSTEM=" + shown(system) +
                 ", which is not read. Write them as rectangular coordinates.");
        } else if (section == Section::elements) {
          type = option_of(fields, "TYPE");
          if (type.empty()) fail("the keyword *ELEMENT has no TYPE=..., which says what its elements are.");
          kind = kind_in_abaqus(type);
        }
      } else if (section == Section::nodes) {
        fields.resize(std::max<std::size_t>(fields.size(), 4), "0");
        const auto coordinate = [&](std::size_t k) { return fields[k].empty() ? 0. : real(fields[k]); };
        add_node(whole(fields[0]), {coordinate(1), coordinate(2), coordinate(3)});
      } else if (section == Section::elements) {
        std::vector<GlobalIndex> nodes = numbers_from(fields, 1);
        while ((fields.back().empty() || nodes.size() < kind.places.size()) && advance()) {
          if (is_abaqus_comment()) continue;
          fields = fields_of(line_, ',');
          for (const GlobalIndex node : numbers_from(fields, 0))
            nodes.push_back(node);
        }
        add_cell(kind, type, nodes);
      }
    } while (advance());
  }

  /// Reads the blocks 2C of nodes and 3C of elements, whose last number tells the widths of integers.
  void read_frd() {
    do {
      const bool has_nodes = line_.rfind("    2C", 0) == 0;
      if (!has_nodes && line_.rfind("    3C", 0) != 0) continue;
      const std::string_view header = trimmed(line_);
      if (header.back() != '0' && header.back() != '1') fail("the .frd file is binary. Write it as text.");
      const std::size_t width = header.back() == '0' ? 5 : 10;
      has_nodes ? read_frd_nodes(width) : read_frd_elements(width);
    } while (advance());
  }
  std::string field(std::size_t begin, std::size_t width) const {
    return begin < line_.size() ? line_.substr(begin, width) : std::string();
  }
  void read_frd_nodes(std::size_t width) {
    while (advance() && line_.rfind(" -1", 0) == 0) {
      std::array<double, 3> x{};
      for (std::size_t k = 0; k < 3; ++k)
        x[k] = real(field(3 + width + 12 * k, 12));
      add_node(whole(field(3, width)), x);
    }
  }
  void read_frd_elements(std::size_t width) {
    std::string type;
    std::vector<GlobalIndex> nodes;
    const auto finish = [&] {
      if (!type.empty()) add_cell(kind_in_frd(whole(type)), type, nodes);
      nodes.clear();
    };
    while (advance() && line_.rfind(" -3", 0) != 0) {
      if (line_.rfind(" -1", 0) == 0) {
        finish();
        type = std::string(trimmed(field(3 + width, 5)));
      } else {
        for (std::size_t at = 3; at + 1 < line_.size() && !trimmed(field(at, width)).empty(); at += width)
          nodes.push_back(whole(field(at, width)));
      }
    }
    finish();
  }

  TextScanner scanner_;
  std::string line_;
  Mesh mesh_;
  std::unordered_map<GlobalIndex, GlobalIndex> place_;
};

}  // namespace

Mesh read_mesh(const std::filesystem::path& file) {
  return MeshReader(file).read();
}

}  // namespace halfdof::internal
