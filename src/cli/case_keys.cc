// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_keys.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace halfdof::cli {

namespace {

/// Text above the keys of a section.
struct SectionHead {
  const char *name, *head, *meaning;
};

constexpr SectionHead sections[] = {
    {"system", "[system]", "M q'' + C q' + K q = f(t) + H r. Files are relative to the case."},
    {"parameters", "[parameters]",
     "name = number: any number of them. Formulas, of functions of time and of factors of matrices, may use "
     "these "
     "names; --set name=number changes one."},
    {"initial", "[initial]",
     "Initial values; those that the equations do not allow are made consistent, which is reported."},
    {"load", "[[load]]", "f(t): any number of them, added up."},
    {"element", "[[element]]",
     "p(q, q') = k_3 x^3 + d x'|x'| between two DoFs, or a DoF and the ground: any number of them, in "
     "addition to K and C."},
    {"inclusion", "[[inclusion]]",
     "Set-valued reactions r along directions: w is the rate, g the gap of a direction against its support."},
    {"integrator", "[integrator]", "Time integration."},
    {"output", "[output]", "Output. Files are relative to the case."},
    {"plot", "[[plot]]",
     "Panels of the picture [output] plot, from top to bottom: hysteresis loops, phase planes, ... Without a "
     "panel, displacements, velocities, reactions and the energy that they dissipate are drawn over time."},
    {"term", "{file, factor}", "One term of a matrix."},
    {"loss", "{factor, file}", "One term of the structural damping."},
    {"direction", "{dof, weight}", "One entry of a direction, a column of H."},
    {"function", "{times, values, file, beyond}", "A function of time, by straight lines between points."},
};

/// Returns the edit distance (Levenshtein 1966).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

void print(std::ostream& out, const CaseKey& key) {
  out << "  " << key.name << ": " << name_of(key.type) << (key.unit.empty() ? "" : " [" + key.unit + "]");
  if (*name_of(key.range)) out << ", " << name_of(key.range);
  out << (key.default_value == required ? ", required"
          : key.default_value == none   ? ", optional"
                                        : ", default " + key.default_value)
      << "\n      " << key.meaning << '\n';
  for (const Explained& choice : key.explained)
    out << "      " << choice.name << ": " << choice.meaning << '\n';
  if (!key.choices.empty() && key.explained.empty()) out << "      one of: " << joined(key.choices) << '\n';
  if (!key.of.empty()) out << "      for " << deciding_key(key.section) << ": " << joined(key.of) << '\n';
}

}  // namespace

const char* name_of(ValueType type) {
  switch (type) {
    case ValueType::file:
      return "the name of a file";
    case ValueType::matrix:
      return "the name of a file, or a sum [{file = \"K.mtx\"}, {file = \"G.mtx\", factor = \"omega\"}, ...]";
    case ValueType::losses:
      return "a number, the name of a file, or a sum [{factor = \"eta\"}, {file = \"K4.mtx\", factor = "
             "0.05}, "
             "...]";
    case ValueType::factor:
      return "a number, or a formula of parameters as text";
    case ValueType::text:
      return "a text";
    case ValueType::number:
      return "a number";
    case ValueType::whole_number:
      return "a whole number";
    case ValueType::flag:
      return "true or false";
    case ValueType::function:
      return "a function of time (a number, a formula in t as text, or {times = [...], values = [...]})";
    case ValueType::functions:
      return "a list of functions of time (numbers, formulas in t as text, or {times = [...], values = "
             "[...]})";
    case ValueType::vector:
      return "a list of numbers or the name of a file with one column";
    case ValueType::dof:
      return "a DoF, its 0-based assembled index or node:component as text";
    case ValueType::dofs:
      return "a list of DoFs, 0-based assembled indices or node:component as texts";
    case ValueType::dofs_or_file:
      return "a list of DoFs, 0-based assembled indices or node:component as texts, or the name of a file "
             "with one "
             "a line";
    case ValueType::direction:
      return "a direction [{dof = 2, weight = 1.0}, ...]";
    case ValueType::directions:
      return "a list of directions [[{dof = 2, weight = 1.0}, ...], ...]";
    case ValueType::texts:
      return "a list of texts";
    case ValueType::numbers:
      break;
  }
  return "a list of numbers";
}

const char* name_of(Range range) {
  switch (range) {
    case Range::any:
      return "";
    case Range::to_zero:
      return "at most 0";
    case Range::from_zero:
      return "at least 0";
    case Range::above_zero:
      return "above 0";
    case Range::zero_to_one:
      return "from 0 to 1";
    case Range::half_to_one:
      return "from 0.5 to 1";
    case Range::count:
      return "from 1 to 1000000000";
    case Range::count_or_zero:
      return "from 0 to 1000000000";
    case Range::tolerance:
      break;
  }
  return "from 1e-13, below 1";
}

bool is_inside(Range range, double value) {
  switch (range) {
    case Range::any:
      return true;
    case Range::to_zero:
      return value <= 0;
    case Range::from_zero:
      return value >= 0;
    case Range::above_zero:
      return value > 0;
    case Range::zero_to_one:
      return value >= 0 && value <= 1;
    case Range::half_to_one:
      return value >= 0.5 && value <= 1;
    case Range::count:
      return value >= 1 && value <= 1e9;
    case Range::count_or_zero:
      return value >= 0 && value <= 1e9;
    case Range::tolerance:
      break;
  }
  return value >= 1e-13 && value < 1;
}

std::string deciding_key(const std::string& section) {
  return section == "inclusion" ? "law" : section == "integrator" ? "method" : "";
}

const std::vector<CaseKey>& keys_of(const std::string& section, const std::string& decided) {
  static std::map<std::pair<std::string, std::string>, std::vector<CaseKey>> made;
  const auto [place, is_new] = made.try_emplace({section, decided});
  if (is_new)
    for (const CaseKey& key : case_keys())
      if (key.section == section && key.is_of(decided)) place->second.push_back(key);
  return place->second;
}

const CaseKey& find_key(const std::string& section, const std::string& name, const std::string& decided) {
  for (const CaseKey& key : case_keys())
    if (key.section == section && key.name == name && key.is_of(decided)) return key;
  throw std::out_of_range("[" + section + "] has no key " + name);
}

std::string sections_that_have(const std::string& name) {
  std::vector<std::string> heads;
  for (const SectionHead& section : sections) {
    const std::vector<CaseKey>& keys = keys_of(section.name);
    if (std::any_of(keys.begin(), keys.end(), [&](const CaseKey& key) { return key.name == name; }))
      heads.emplace_back(section.head);
  }
  return joined(heads);
}

void print_case_keys(std::ostream& out) {
  out << "The keys of a case (TOML). Units are those of the matrices, time is in seconds; formulas may use "
         "t, pi,\n"
         "the functions of muParser, and the names of [parameters].\n";
  for (const SectionHead& section : sections) {
    out << '\n' << section.head << "  " << section.meaning << '\n';
    for (const CaseKey& key : keys_of(section.name))
      print(out, key);
  }
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = word.size() / 3 + 2;  // names at this distance or more are not similar
  for (const std::string& name : names)
    if (const std::size_t mistakes = distance(word, name); mistakes < least) {
      least = mistakes;
      best = name;
    }
  return best;
}

}  // namespace halfdof::cli
