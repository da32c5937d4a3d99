// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_section.h"

#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/input_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_scanner.h>
#include <halfdof/integrators/run_checks.h>

#include "case_checker.h"
#include "case_keys.h"
#include "case_node.h"
#include <algorithm>
#include <sstream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

std::vector<double> numbers_of(const toml::value& list) {
  std::vector<double> numbers;
  for (const toml::value& entry : list.as_array())
    numbers.push_back(number_of(entry));
  return numbers;
}

BeyondTable beyond_of(const toml::value& table) {
  const std::string beyond =
      table.contains("beyond") ? std::string(table.at("beyond").as_string().str) : "hold";
  return beyond == "repeat"   ? BeyondTable::repeat
         : beyond == "refuse" ? BeyondTable::refuse
                              : BeyondTable::hold;
}

ScalarFunction table_from(const fs::path& file, BeyondTable beyond) {
  std::vector<double> times, values;
  TextScanner scanner(file, '#');
  while (scanner.next_line()) {
    times.push_back(scanner.real_number("the time"));
    values.push_back(scanner.real_number("the value"));
    scanner.end_line();
  }
  try {
    return ScalarFunction::table(std::move(times), std::move(values), beyond);
  } catch (const InvalidInput& error) {
    throw FileError(file, error.what());
  }
}

ScalarFunction table_of(const toml::value& table, const fs::path& folder) {
  const bool has_file = table.contains("file");
  for (const char* const key : {"times", "values"}) {
    if (has_file && table.contains(key))
      throw InvalidInput("The table is given twice, by the key file and by the key " + std::string(key) +
                         ". Remove one of the two keys.");
    if (!has_file && !table.contains(key))
      throw InvalidInput(std::string(key) + " is missing. Give times and values, or a file with both.");
  }
  if (has_file) {
    const fs::path file = folder / table.at("file").as_string().str;
    if (!fs::exists(file)) throw InvalidInput("The file does not exist: " + file.string() + ".");
    return table_from(file, beyond_of(table));
  }
  return ScalarFunction::table(numbers_of(table.at("times")), numbers_of(table.at("values")),
                               beyond_of(table));
}

/// Returns a text such as "the DoFs of the system go from 0 to 3".
std::string range_of(GlobalIndex n_dofs) {
  return n_dofs == 1 ? "the system has 1 DoF (index 0)"
                     : "the DoFs of the system go from 0 to " + std::to_string(n_dofs - 1);
}

/// Returns the index of a DoF that is given as such or as node:component.
GlobalIndex dof_of(const toml::value& value, const ModelDoFs& dofs) {
  if (value.is_string()) return dofs.find(value.as_string().str);
  if (value.as_integer() >= dofs.size())
    throw InvalidInput("names DoF " + std::to_string(value.as_integer()) + ", but " + range_of(dofs.size()) +
                       ".");
  return value.as_integer();
}

Direction direction_of(const toml::value& list, const ModelDoFs& dofs) {
  std::vector<WeightedDoF> entries;
  for (const toml::value& entry : list.as_array())
    entries.push_back(
        {dof_of(entry.at("dof"), dofs), entry.contains("weight") ? number_of(entry.at("weight")) : 1.});
  return Direction(std::move(entries));
}

}  // namespace

CaseSection::CaseSection(fs::path file, std::string name, std::shared_ptr<const Node> node,
                         std::shared_ptr<const Parameters> parameters)
    : file_(std::move(file)),
      name_(std::move(name)),
      node_(std::move(node)),
      parameters_(std::move(parameters)) {
  check_section(file_, name_, node_->value);
}

CaseSection::Node CaseSection::at(const std::string& key) const {
  if (has(key)) return {node_->value.at(key)};
  std::istringstream text("default = " + key_of(key).default_value);
  return {toml::parse(text, "defaults").at("default")};
}

const CaseKey& CaseSection::key_of(const std::string& key) const {
  const std::string decides = deciding_key(name_);
  return find_key(name_, key, decides.empty() ? "" : node_->value.at(decides).as_string().str);
}

bool CaseSection::has(const std::string& key) const {
  return node_->value.contains(key);
}

double CaseSection::number(const std::string& key) const {
  return number_of(at(key).value);
}

std::vector<double> CaseSection::numbers(const std::string& key) const {
  return numbers_of(at(key).value);
}

GlobalIndex CaseSection::whole_number(const std::string& key) const {
  return at(key).value.as_integer();
}

bool CaseSection::flag(const std::string& key) const {
  return at(key).value.as_boolean();
}

std::string CaseSection::text(const std::string& key) const {
  return at(key).value.as_string().str;
}

std::vector<std::string> CaseSection::texts(const std::string& key) const {
  const Node list = at(key);
  std::vector<std::string> all;
  for (const toml::value& entry : list.value.as_array())
    all.push_back(entry.as_string().str);
  return all;
}

bool CaseSection::is_file(const std::string& key) const {
  return has(key) && node_->value.at(key).is_string();
}

fs::path CaseSection::path(const std::string& key) const {
  return has(key) ? file_.parent_path() / text(key) : fs::path();
}

fs::path CaseSection::input(const std::string& key) const {
  const fs::path file = path(key);
  if (!file.empty()) check_input(key, file);
  return file;
}

std::vector<fs::path> CaseSection::inputs(const std::string& key) const {
  std::vector<fs::path> files;
  if (!has(key)) return files;
  for (const std::string& name : texts(key)) {
    files.push_back(file_.parent_path() / name);
    check_input(key, files.back());
  }
  return files;
}

void CaseSection::check_input(const std::string& key, const fs::path& file) const {
  std::string matrix;
  if (const std::string obstacle = why_unreadable(without_matrix_name(file, matrix)); !obstacle.empty())
    fail(key, "names the file " + file.string() + ", but " + obstacle + ".");
}

ScalarFunction CaseSection::function(const std::string& key) const {
  return functions(key).front();
}

std::vector<ScalarFunction> CaseSection::functions(const std::string& key) const {
  return with_line(key, [&] {
    std::vector<ScalarFunction> functions;
    for (const Node& node : functions_of(key))
      functions.push_back(function_of(node).placed_at(place_of(key)));
    return functions;
  });
}

ScalarFunction CaseSection::function_of(const Node& node) const {
  const toml::value& value = node.value;
  if (value.is_table()) return table_of(value, file_.parent_path());
  if (!value.is_string()) return ScalarFunction(number_of(value));
  const std::string& formula = value.as_string().str;
  return parameters_->empty() ? ScalarFunction::expression(formula) : expression(formula, *parameters_);
}

std::vector<CaseTerm> CaseSection::terms(const std::string& key) const {
  std::vector<CaseTerm> all;
  if (!has(key) || is_file(key)) return all;
  return with_line(key, [&] {
    const Node list = at(key);
    if (is_number(list.value)) {
      all.push_back({{}, ParameterFormula(number_of(list.value))});
      return all;
    }
    for (const toml::value& term : list.value.as_array()) {
      ParameterFormula factor(1.);
      if (term.contains("factor"))
        factor = term.at("factor").is_string() ? ParameterFormula(term.at("factor").as_string().str)
                                               : ParameterFormula(number_of(term.at("factor")));
      all.push_back({{}, std::move(factor)});
      if (term.contains("file")) {
        all.back().file = beside(term.at("file").as_string().str);
        check_input(key, all.back().file);
      }
      all.back().factor(*parameters_);
    }
    return all;
  });
}

std::vector<std::string> CaseSection::parameters_used() const {
  std::vector<std::string> all;
  const auto add = [&all](const std::vector<std::string>& names) {
    all.insert(all.end(), names.begin(), names.end());
  };
  for (const auto& entry : node_->value.as_table()) {
    for (const Node& function : functions_of(entry.first))
      if (function.value.is_string()) add(parameters_in(function.value.as_string().str));
    const ValueType type = key_of(entry.first).type;
    if (type == ValueType::matrix || type == ValueType::losses)
      for (const CaseTerm& term : terms(entry.first))
        add(term.factor.parameters());
  }
  return all;
}

/// Returns the nodes of a function, or of a list of functions; none for other keys.
std::vector<CaseSection::Node> CaseSection::functions_of(const std::string& key) const {
  const ValueType type = key_of(key).type;
  if (type == ValueType::function) return {at(key)};
  std::vector<Node> all;
  if (type != ValueType::functions) return all;
  const Node list = at(key);
  for (const toml::value& entry : list.value.as_array())
    all.push_back({entry});
  return all;
}

std::vector<ScalarFunction> CaseSection::all_functions() const {
  std::vector<ScalarFunction> all;
  for (const auto& entry : node_->value.as_table())
    for (ScalarFunction& function : functions(entry.first))
      all.push_back(std::move(function));
  return all;
}

void CaseSection::check_functions(double time) const {
  for (const auto* const entry : in_order(node_->value)) {
    const std::string& key = entry->first;
    const Range range = key_of(key).range;
    for (const ScalarFunction& function : functions(key)) {
      const double value = function(time);
      if (!is_inside(range, value))
        fail(key,
             "is " + number_text(value) + " at " + seconds(time) + ", but must be " + name_of(range) + ".");
    }
  }
}

std::vector<fs::path> CaseSection::function_files() const {
  std::vector<fs::path> files;
  for (const auto& entry : node_->value.as_table())
    for (const Node& node : functions_of(entry.first))
      if (node.value.is_table() && node.value.contains("file")) {
        files.push_back(file_.parent_path() / node.value.at("file").as_string().str);
        check_input(entry.first, files.back());
      }
  return files;
}

Vector CaseSection::vector(const std::string& key, GlobalIndex n_dofs) const {
  Vector entries;
  if (is_file(key)) {
    entries = with_line(key, [&] { return read_vector(input(key)); });
  } else {
    const std::vector<double> numbers = numbers_of(at(key).value);
    entries = Vector::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }
  if (entries.size() != n_dofs)
    fail(key, "has " + std::to_string(entries.size()) + " entries, but the system has " +
                  std::to_string(n_dofs) + (n_dofs == 1 ? " DoF." : " DoFs.") + " Give one for each.");
  return entries;
}

GlobalIndex CaseSection::dof(const std::string& key, const ModelDoFs& dofs) const {
  const Node node = at(key);
  if (node.value.is_integer() && node.value.as_integer() >= dofs.size())
    fail(key, "is " + std::to_string(node.value.as_integer()) + ", but " + range_of(dofs.size()) + ".");
  return with_line(key, [&] { return dof_of(node.value, dofs); });
}

std::vector<GlobalIndex> CaseSection::dofs(const std::string& key, const ModelDoFs& dofs) const {
  std::vector<GlobalIndex> all;
  const Node list = at(key);
  for (const toml::value& entry : list.value.as_array()) {
    if (entry.is_integer() && entry.as_integer() >= dofs.size())
      fail(key, "names DoF " + std::to_string(entry.as_integer()) + ", but " + range_of(dofs.size()) + ".");
    all.push_back(with_line(key, [&] { return dof_of(entry, dofs); }));
    if (std::count(all.begin(), all.end(), all.back()) > 1)
      fail(key, "names DoF " + std::to_string(all.back()) + " twice. Name it once.");
  }
  return all;
}

Direction CaseSection::direction(const std::string& key, const ModelDoFs& dofs) const {
  return with_line(key, [&] { return direction_of(at(key).value, dofs); });
}

std::vector<Direction> CaseSection::directions(const std::string& key, const ModelDoFs& dofs) const {
  return with_line(key, [&] {
    std::vector<Direction> all;
    const Node list = at(key);
    for (const toml::value& entry : list.value.as_array())
      all.push_back(direction_of(entry, dofs));
    return all;
  });
}

void CaseSection::refuse(const std::string& key, const std::string& what) const {
  const std::string message = "[" + name_ + "] " + key + what;
  const GlobalIndex line = line_of_key(key);
  throw line > 0 ? FileError(file_, line, message) : FileError(file_, message);
}

GlobalIndex CaseSection::line_of_key(const std::string& key) const {
  return has(key) ? line_of(node_->value.at(key), node_->value, node_->line) : node_->line;
}

/// Returns the place of a key for messages: "c.toml:12: [load] expression".
std::string CaseSection::place_of(const std::string& key) const {
  const GlobalIndex line = line_of_key(key);
  return file_.string() + (line > 0 ? ":" + std::to_string(line) : "") + ": [" + name_ + "] " + key;
}

}  // namespace halfdof::cli
