// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/atomic_file.h>
#include <halfdof/output/vtu_file.h>

namespace halfdof::internal {

namespace {

std::string begin_array(const std::string& type, const std::string& name, Eigen::Index n_components) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(n_components) + "\" format=\"ascii\">\n";
}

const char* const end_array = "</DataArray>\n";

/// Returns the text with the characters that XML reserves replaced.
std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text)
    all += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return all;
}

void write_cells(AtomicFile& out, const Mesh& mesh) {
  std::string nodes, ends, types;
  GlobalIndex end = 0;
  for (const MeshCell& cell : mesh.cells) {
    for (const GlobalIndex node : cell.nodes)
      nodes += std::to_string(node) + " ";
    nodes += '\n';
    end += static_cast<GlobalIndex>(cell.nodes.size());
    ends += std::to_string(end) + "\n";
    types += std::to_string(cell.type) + "\n";
  }
  out.write("<Cells>\n" + begin_array("Int64", "connectivity", 1) + nodes + end_array +
            begin_array("Int64", "offsets", 1) + ends + end_array + begin_array("UInt8", "types", 1) + types +
            end_array + "</Cells>\n");
}

}  // namespace

void write_vtu(const std::filesystem::path& file, const Mesh& mesh, const std::vector<NodalField>& fields) {
  AtomicFile out(file);
  out.write(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
      std::to_string(mesh.points.size()) + "\" NumberOfCells=\"" + std::to_string(mesh.cells.size()) +
      "\">\n<Points>\n" + begin_array("Float64", "Points", 3));
  const auto write = [&out](double value, const char* after) {
    out.write(value);
    out.write(after);
  };
  for (const std::array<double, 3>& x : mesh.points)
    for (std::size_t k = 0; k < 3; ++k)
      write(x[k], k == 2 ? "\n" : " ");
  out.write(std::string(end_array) + "</Points>\n");
  write_cells(out, mesh);
  out.write("<PointData>\n");
  for (const NodalField& field : fields) {
    out.write(begin_array("Float64", escaped(field.name), field.values.rows()));
    for (Eigen::Index j = 0; j < field.values.cols(); ++j)
      for (Eigen::Index k = 0; k < field.values.rows(); ++k)
        write(field.values(k, j), k + 1 == field.values.rows() ? "\n" : " ");
    out.write(end_array);
  }
  out.write("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  out.commit();
}

}  // namespace halfdof::internal
