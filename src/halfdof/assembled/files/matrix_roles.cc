// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/matrix_roles.h>

#include <array>
#include <cctype>
#include <initializer_list>
#include <utility>

namespace halfdof::internal {

namespace {

struct Names {
  MatrixRole role;
  std::initializer_list<const char*> exact;       ///< in upper case
  std::initializer_list<const char*> extensions;  ///< in lower case
  const char* word;                               ///< within the name of a file, in upper case
};

/// Structural damping stands before damping, whose word its names contain.
const std::array<Names, 5>& all_names() {
  static const std::array<Names, 5> names = {{
      {MatrixRole::structural_damping, {"K4", "DMPS", "K4AA", "K4AAX", "K4GG", "K4XX"}, {}, "STRUCTURAL"},
      {MatrixRole::mass, {"M", "MASS", "MAA", "MAAX", "MGG", "MXX"}, {".mas"}, "MASS"},
      {MatrixRole::damping,
       {"C", "D", "B", "DAMP", "DAMPING", "DMPV", "BAA", "BAAX", "BGG", "BXX"},
       {".sph"},
       "DAMP"},
      {MatrixRole::stiffness,
       {"K", "STIF", "STIFF", "STIFFNESS", "KAA", "KAAX", "KGG", "KXX"},
       {".sti", ".con"},
       "STIFF"},
      {MatrixRole::constraints, {"G", "A", "CONSTRAINTS"}, {}, "CONSTRAINT"},
  }};
  return names;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

std::string without_digits(std::string text) {
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.back())))
    text.pop_back();
  return text;
}

}  // namespace

const char* name_of(MatrixRole role) {
  switch (role) {
    case MatrixRole::mass:
      return "mass";
    case MatrixRole::damping:
      return "damping";
    case MatrixRole::stiffness:
      return "stiffness";
    case MatrixRole::structural_damping:
      return "structural damping";
    case MatrixRole::imaginary_damping:
      return "imaginary part of the damping";
    case MatrixRole::constraints:
      break;
  }
  return "matrix of constraints";
}

std::optional<Eigen::SparseMatrix<double>>& member(ModelMatrices& model, MatrixRole role) {
  switch (role) {
    case MatrixRole::mass:
      return model.mass;
    case MatrixRole::damping:
      return model.damping;
    case MatrixRole::stiffness:
      return model.stiffness;
    case MatrixRole::structural_damping:
      return model.structural_damping;
    case MatrixRole::imaginary_damping:
      return model.imaginary_damping;
    case MatrixRole::constraints:
      break;
  }
  return model.constraints;
}

std::optional<MatrixRole> role_of_name(std::string_view name) {
  const std::string upper = upper_case(name);
  for (const Names& names : all_names())
    for (const char* const known : names.exact)
      if (upper == known) return names.role;
  return {};
}

std::optional<MatrixRole> role_of_file(const std::filesystem::path& file) {
  const std::filesystem::path path = without_gz(file);
  for (const Names& names : all_names())
    for (const char* const known : names.extensions)
      if (path.extension() == known) return names.role;
  const std::string stem = upper_case(path.stem().string());
  const std::string last = stem.substr(stem.find_last_of("_-. ") + 1);  // the whole stem if there is none
  for (const std::string& name : {last, without_digits(last)})
    if (const auto role = role_of_name(name)) return role;
  for (const Names& names : all_names())
    if (stem.find(names.word) != std::string::npos) return names.role;
  return {};
}

std::string roles_known() {
  return "Known names are M, MASS, MAAX, MGG and *.mas (mass), C, D, B, DAMPING, DMPV, BAAX and E beside M "
         "and K "
         "(damping), K, STIF, KAAX, KGG and *.sti (stiffness), K4 and DMPS (structural damping), G, A and "
         "CONSTRAINTS "
         "(constraints). Say which matrix is which by --mass FILE, --damping FILE and --stiffness FILE, or "
         "FILE:NAME "
         "for one matrix of several in a file.";
}

}  // namespace halfdof::internal
