// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/matrix_roles.h>
#include <halfdof/base/characters.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/printable.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// The names by which the role of a matrix is recognized.
struct Names {
  MatrixRole role;
  std::initializer_list<const char*> exact;       ///< whole names of matrices, in capitals
  std::initializer_list<const char*> extensions;  ///< extensions of files, in small letters
  std::initializer_list<const char*> words;       ///< words anywhere in the name of a file, in capitals
};

const std::array<Names, 5>& all_names() {
  static const std::array<Names, 5> names = {{
      {MatrixRole::structural_damping, {"K4", "DMPS", "K4AA", "K4AAX", "K4GG", "K4XX"}, {}, {"STRUCTURAL"}},
      {MatrixRole::mass, {"M", "MASS", "MAA", "MAAX", "MGG", "MXX"}, {".mas"}, {"MASS"}},
      {MatrixRole::damping,
       {"C", "D", "B", "DAMP", "DAMPING", "DMPV", "BAA", "BAAX", "BGG", "BXX"},
       {".sph"},
       {"DAMP", "DAMPING"}},
      {MatrixRole::stiffness,
       {"K", "STIF", "STIFF", "STIFFNESS", "KAA", "KAAX", "KGG", "KXX"},
       {".sti", ".con"},
       {"STIF", "STIFF", "STIFFNESS"}},
      {MatrixRole::constraints, {"G", "A", "CONSTRAINTS"}, {}, {"CONSTRAINT", "CONSTRAINTS"}},
  }};
  return names;
}

template <class Names>
bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string without_digits(std::string text) {
  while (!text.empty() && is_digit(text.back()))
    text.pop_back();
  return text;
}

/// Splits a name at all characters other than letters and digits, and before each capital that follows a
/// small letter. Returns the parts in capitals.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  bool after_small = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 || (after_small && std::isupper(byte) != 0)) words.emplace_back();
    if (std::isalnum(byte) != 0) words.back() += static_cast<char>(std::toupper(byte));
    after_small = std::islower(byte) != 0;
  }
  return words;
}

/// A role, and the part of a file name that determines the role.
using RoleAndPart = std::pair<MatrixRole, std::string>;

std::vector<RoleAndPart> roles_in(const std::filesystem::path& file) {
  std::vector<RoleAndPart> roles;
  const std::string extension = lower_case_extension(file), stem = without_gz(file).stem().string();
  const std::string last = stem.substr(stem.find_last_of("_-. ") + 1);  // the whole stem if there is none
  for (const Names& names : all_names())
    if (contains(names.extensions, extension)) roles.emplace_back(names.role, extension);
  // An extension has precedence over the rest of the name: "b.sti" is a stiffness.
  if (roles.empty())
    for (const std::string& name : {last, without_digits(last)})
      if (const auto role = role_of_name(name); role && roles.empty()) roles.emplace_back(*role, name);
  bool is_structural = false;
  for (const std::string& word : words_of(stem))
    for (const Names& names : all_names())
      if (contains(names.words, without_digits(word))) {
        roles.emplace_back(names.role, word);
        is_structural = is_structural || names.role == MatrixRole::structural_damping;
      }
  const auto is_viscous = [](const RoleAndPart& role) {
    return role.first == MatrixRole::damping && role.second.size() >= 4;
  };
  // In "structural_damping" the word damping does not mean viscous damping.
  if (is_structural) roles.erase(std::remove_if(roles.begin(), roles.end(), is_viscous), roles.end());
  return roles;
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
  const std::vector<RoleAndPart> roles = roles_in(file);
  for (const auto& [role, part] : roles)
    if (role != roles[0].first)
      throw InvalidInput("The name of the file " + printable(file.string()) + " is ambiguous: '" +
                         printable(roles[0].second) + "' means the " + name_of(roles[0].first) + " and '" +
                         printable(part) + "' means the " + name_of(role) + ". " + known_names_of_roles());
  if (roles.empty()) return {};
  return roles[0].first;
}

std::string known_names_of_roles() {
  return "Known names are M, MASS, MAAX, MGG and *.mas (mass), C, D, B, DAMPING, DMPV, BAAX and E beside M "
         "and K (damping), K, STIF, KAAX, KGG and *.sti (stiffness), K4 and DMPS (structural damping), G, A "
         "and CONSTRAINTS (constraints). Other files can be given by --mass FILE, --damping FILE and "
         "--stiffness FILE, where FILE:NAME means one matrix of several in a file.";
}

}  // namespace halfdof::internal
