#include "case_section.h"

#include <halfdof/assembled/matrix_market.h>

#include <toml.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace halfdof::cli {

struct CaseSection::Node {
  toml::value value;
};

namespace {

namespace fs = std::filesystem;

GlobalIndex line_of(const toml::value& value) {
  return static_cast<GlobalIndex>(value.location().line());
}

bool is_number(const toml::value& value) {
  return value.is_integer() || value.is_floating();
}

double number_of(const toml::value& value) {
  return value.is_integer() ? static_cast<double>(value.as_integer()) : value.as_floating();
}

/// What was found, for messages.
std::string found(const toml::value& value) {
  std::ostringstream text;
  if (is_number(value))
    text << number_of(value);
  else if (value.is_boolean())
    text << (value.as_boolean() ? "true" : "false");
  else if (value.is_string())
    text << '"' << value.as_string().str << '"';
  else
    text << (value.is_array() ? "a list" : value.is_table() ? "a table" : "a date or time");
  return text.str();
}

/// Entries in the order of the file, so that the first mistake is reported.
std::vector<std::pair<std::string, toml::value>> by_line(const toml::value& table) {
  std::vector<std::pair<std::string, toml::value>> entries(table.as_table().begin(), table.as_table().end());
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(line_of(a.second), a.first) < std::pair(line_of(b.second), b.first);
  });
  return entries;
}

std::vector<std::string> names_of(const std::vector<CaseKey>& keys) {
  std::vector<std::string> names;
  for (const CaseKey& key : keys)
    names.push_back(key.name);
  return names;
}

const CaseKey* find(const std::vector<CaseKey>& keys, const std::string& name) {
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const CaseKey& k) { return k.name == name; });
  return key == keys.end() ? nullptr : &*key;
}

/// Holds one section against the table of keys.
class Checker {
 public:
  Checker(const fs::path& file, std::string section) : file_(file), section_(std::move(section)) {}

  void check(const toml::value& table) {
    if (!table.is_table()) fail(table, "", "is " + found(table) + ", but must be a table of keys.");
    const std::string decided = decide(table);
    const std::vector<CaseKey> keys = keys_of(section_, decided);
    for (const auto& [name, value] : by_line(table)) {
      const CaseKey* const key = find(keys, name);
      if (!key) refuse_unknown(name, value, keys, decided);
      check_value(*key, value);
    }
    for (const CaseKey& key : keys)
      if (key.default_value == required && !table.contains(key.name))
        fail(table, key.name,
             "is missing" + (decided.empty() ? "" : " (" + decided + " needs it)") + ". Give " +
                 expected(key) + ".");
  }

 private:
  [[noreturn]] void fail(const toml::value& at, const std::string& key, const std::string& reason) const {
    throw FileError(file_, line_of(at),
                    "[" + section_ + "]" + (key.empty() ? " " : " " + key + " ") + reason);
  }

  static std::string expected(const CaseKey& key) {
    std::string text = name_of(key.type);
    if (*name_of(key.range)) text += std::string(" ") + name_of(key.range);
    if (!key.choices.empty()) text = "one of " + joined(key.choices);
    return text + (key.unit.empty() ? "" : " [" + key.unit + "]");
  }

  /// The law or method of the section.
  std::string decide(const toml::value& table) {
    const std::string name = deciding_key(section_);
    if (name.empty()) return "";
    const std::vector<CaseKey> keys = keys_of(section_);
    const CaseKey& key = *find(keys, name);
    if (!table.contains(name)) fail(table, name, "is missing. Give " + expected(key) + ".");
    check_value(key, table.at(name));
    return table.at(name).as_string().str;
  }

  [[noreturn]] void refuse_unknown(const std::string& name, const toml::value& value,
                                   const std::vector<CaseKey>& keys, const std::string& decided) const {
    const std::string allowed = " Its keys are: " + joined(names_of(keys)) + ".";
    const std::vector<CaseKey> all = keys_of(section_);
    if (const CaseKey* const other = find(all, name))
      fail(value, name,
           "is no key of the " + deciding_key(section_) + " " + decided + ", but of " + joined(other->of) +
               "." + allowed);
    const std::string near = nearest(name, names_of(keys));
    fail(value, name,
         "is unknown." + (near.empty() ? "" : " Is " + near + " meant?") + allowed +
             " `halfdof simulate --explain` tells more.");
  }

  [[noreturn]] void refuse(const CaseKey& key, const toml::value& value) const {
    fail(value, key.name, "is " + found(value) + ", but must be " + expected(key) + ".");
  }

  void check_number(const CaseKey& key, const toml::value& value) const {
    if (!is_number(value) || !std::isfinite(number_of(value)) || !is_inside(key.range, number_of(value)))
      refuse(key, value);
  }

  void check_dof(const CaseKey& key, const toml::value& value) const {
    if (!value.is_integer() || value.as_integer() < 0) refuse(key, value);
  }

  void check_function(const CaseKey& key, const toml::value& value) const {
    if (value.is_table())
      Checker(file_, "function").check(value);
    else if (is_number(value))
      check_number(key, value);
    else if (!value.is_string())
      refuse(key, value);
  }

  void check_direction(const CaseKey& key, const toml::value& value) const {
    if (!value.is_array() || value.as_array().empty()) refuse(key, value);
    for (const toml::value& entry : value.as_array()) {
      if (!entry.is_table()) refuse(key, entry);
      Checker(file_, "direction").check(entry);
    }
  }

  template <class CheckEntry>
  void check_list(const CaseKey& key, const toml::value& value, const CheckEntry& check_entry) const {
    if (!value.is_array()) refuse(key, value);
    for (const toml::value& entry : value.as_array())
      check_entry(key, entry);
  }

  void check_text(const CaseKey& key, const toml::value& value) const {
    if (!value.is_string() || value.as_string().str.empty()) refuse(key, value);
    const std::string& text = value.as_string().str;
    if (key.choices.empty() || std::count(key.choices.begin(), key.choices.end(), text) > 0) return;
    const std::string near = nearest(text, key.choices);
    fail(value, key.name,
         "is \"" + text + "\"" + (near.empty() ? "" : " (is " + near + " meant?)") + ", but must be " +
             expected(key) + ".");
  }

  void check_value(const CaseKey& key, const toml::value& value) const {
    const auto number = [this](const CaseKey& k, const toml::value& v) { check_number(k, v); };
    const auto dof = [this](const CaseKey& k, const toml::value& v) { check_dof(k, v); };
    const auto function = [this](const CaseKey& k, const toml::value& v) { check_function(k, v); };
    const auto direction = [this](const CaseKey& k, const toml::value& v) { check_direction(k, v); };
    switch (key.type) {
      case ValueType::file:
      case ValueType::text:
        return check_text(key, value);
      case ValueType::number:
        return number(key, value);
      case ValueType::whole_number:
        if (!value.is_integer()) refuse(key, value);
        return number(key, value);
      case ValueType::flag:
        if (!value.is_boolean()) refuse(key, value);
        return;
      case ValueType::function:
        return function(key, value);
      case ValueType::functions:
        return check_list(key, value, function);
      case ValueType::vector:
        return value.is_string() ? check_text(key, value) : check_list(key, value, number);
      case ValueType::dof:
        return dof(key, value);
      case ValueType::dofs:
        return check_list(key, value, dof);
      case ValueType::dofs_or_file:
        return value.is_string() ? check_text(key, value) : check_list(key, value, dof);
      case ValueType::direction:
        return direction(key, value);
      case ValueType::directions:
        return check_list(key, value, direction);
      case ValueType::numbers:
        return check_list(key, value, number);
    }
  }

  fs::path file_;
  std::string section_;
};

std::vector<double> numbers_of(const toml::value& list) {
  std::vector<double> numbers;
  for (const toml::value& entry : list.as_array())
    numbers.push_back(number_of(entry));
  return numbers;
}

ScalarFunction function_of(const toml::value& value) {
  if (value.is_string()) return ScalarFunction::expression(value.as_string().str);
  if (!value.is_table()) return ScalarFunction(number_of(value));
  const std::string beyond =
      value.contains("beyond") ? std::string(value.at("beyond").as_string().str) : "hold";
  return ScalarFunction::table(numbers_of(value.at("times")), numbers_of(value.at("values")),
                               beyond == "repeat"   ? BeyondTable::repeat
                               : beyond == "refuse" ? BeyondTable::refuse
                                                    : BeyondTable::hold);
}

/// The first thing that the parser says, without its own function names and pictures.
std::string reason(const toml::syntax_error& error) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  if (const std::size_t name = text.rfind("toml::"); name != std::string::npos)
    if (const std::size_t end = text.find(": ", name); end != std::string::npos) text.erase(0, end + 2);
  if (text.rfind("[error] ", 0) == 0) text.erase(0, 8);
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

toml::value parse(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  if (!fs::is_regular_file(file) || !in || !(text << in.rdbuf()))
    throw FileError(
        file, "the case cannot be read: " + std::string(fs::exists(file) ? "it is empty, or no readable file."
                                                                         : "there is no such file."));
  try {
    return toml::parse(text, file.string());
  } catch (const toml::syntax_error& error) {
    throw FileError(file, static_cast<GlobalIndex>(error.location().line()),
                    "this is not TOML: " + reason(error));
  } catch (const std::exception& error) {
    throw FileError(file, std::string("this is not TOML: ") + error.what());
  }
}

}  // namespace

CaseSection::CaseSection(fs::path file, std::string name, std::shared_ptr<const Node> node)
    : file_(std::move(file)), name_(std::move(name)), node_(std::move(node)) {
  Checker(file_, name_).check(node_->value);
}

CaseSection::Node CaseSection::at(const std::string& key) const {
  if (has(key)) return {node_->value.at(key)};
  const std::vector<CaseKey> keys = keys_of(name_);
  std::istringstream text("default = " + find(keys, key)->default_value);
  return {toml::parse(text, "defaults").at("default")};
}

bool CaseSection::has(const std::string& key) const {
  return node_->value.contains(key);
}

double CaseSection::number(const std::string& key) const {
  return number_of(at(key).value);
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

bool CaseSection::is_file(const std::string& key) const {
  return has(key) && node_->value.at(key).is_string();
}

fs::path CaseSection::path(const std::string& key) const {
  return has(key) ? file_.parent_path() / text(key) : fs::path();
}

ScalarFunction CaseSection::function(const std::string& key) const {
  return with_line(key, [&] { return function_of(at(key).value); });
}

std::vector<ScalarFunction> CaseSection::functions(const std::string& key) const {
  std::vector<ScalarFunction> all;
  const Node list = at(key);
  for (const toml::value& entry : list.value.as_array())
    all.push_back(with_line(key, [&] { return function_of(entry); }));
  return all;
}

Vector CaseSection::vector(const std::string& key, GlobalIndex n_dofs) const {
  Vector entries;
  if (is_file(key)) {
    entries = read_matrix_market_vector(path(key));
  } else {
    const std::vector<double> numbers = numbers_of(at(key).value);
    entries = Vector::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }
  if (entries.size() != n_dofs)
    fail(key, "has " + std::to_string(entries.size()) + " entries, but the system has " +
                  std::to_string(n_dofs) + " DoFs. Give one for each.");
  return entries;
}

GlobalIndex CaseSection::dof(const std::string& key, GlobalIndex n_dofs) const {
  const GlobalIndex dof = at(key).value.as_integer();
  if (dof >= n_dofs)
    fail(key, "is " + std::to_string(dof) + ", but the DoFs of the system go from 0 to " +
                  std::to_string(n_dofs - 1) + ".");
  return dof;
}

std::vector<GlobalIndex> CaseSection::dofs(const std::string& key, GlobalIndex n_dofs) const {
  std::vector<GlobalIndex> all;
  const Node list = at(key);
  for (const toml::value& entry : list.value.as_array()) {
    all.push_back(entry.as_integer());
    if (all.back() >= n_dofs)
      fail(key, "names DoF " + std::to_string(all.back()) + ", but the DoFs of the system go from 0 to " +
                    std::to_string(n_dofs - 1) + ".");
    if (std::count(all.begin(), all.end(), all.back()) > 1)
      fail(key, "names DoF " + std::to_string(all.back()) + " twice. Name it once.");
  }
  return all;
}

namespace {

Direction direction_of(const toml::value& list, GlobalIndex n_dofs) {
  std::vector<WeightedDoF> entries;
  for (const toml::value& entry : list.as_array()) {
    entries.push_back(
        {entry.at("dof").as_integer(), entry.contains("weight") ? number_of(entry.at("weight")) : 1.});
    if (entries.back().dof >= n_dofs)
      throw InvalidInput("names DoF " + std::to_string(entries.back().dof) +
                         ", but the DoFs of the system go from 0 to " + std::to_string(n_dofs - 1) + ".");
  }
  return Direction(std::move(entries));
}

}  // namespace

Direction CaseSection::direction(const std::string& key, GlobalIndex n_dofs) const {
  return with_line(key, [&] { return direction_of(at(key).value, n_dofs); });
}

std::vector<Direction> CaseSection::directions(const std::string& key, GlobalIndex n_dofs) const {
  std::vector<Direction> all;
  const Node list = at(key);
  for (const toml::value& entry : list.value.as_array())
    all.push_back(with_line(key, [&] { return direction_of(entry, n_dofs); }));
  return all;
}

void CaseSection::refuse(const std::string& key, const std::string& what) const {
  throw FileError(file_, line_of(has(key) ? node_->value.at(key) : node_->value),
                  "[" + name_ + "] " + key + what);
}

CaseFile read_case_file(const fs::path& file) {
  const toml::value root = parse(file);
  const std::map<std::string, bool> is_list = {{"system", false},   {"initial", false},    {"load", true},
                                               {"inclusion", true}, {"integrator", false}, {"output", false}};
  std::vector<std::string> names;
  for (const auto& entry : is_list)
    names.push_back(entry.first);
  for (const auto& [name, value] : by_line(root)) {
    const auto entry = is_list.find(name);
    if (entry == is_list.end()) {
      const std::string near = nearest(name, names);
      throw FileError(file, line_of(value),
                      name + " is no section of a case." + (near.empty() ? "" : " Is " + near + " meant?") +
                          " The sections are: " + joined(names) + ".");
    }
    if (value.is_array() != entry->second)
      throw FileError(
          file, line_of(value),
          "write this section as " +
              (entry->second ? "[[" + name + "]], which may stand many times." : "[" + name + "], once."));
  }
  const auto section = [&](const std::string& name) {
    const toml::value value = root.contains(name) ? root.at(name) : toml::value(toml::table());
    return CaseSection(file, name, std::make_shared<CaseSection::Node>(CaseSection::Node{value}));
  };
  const auto list = [&](const std::string& name) {
    std::vector<CaseSection> all;
    if (root.contains(name))
      for (const toml::value& value : root.at(name).as_array())
        all.emplace_back(file, name, std::make_shared<CaseSection::Node>(CaseSection::Node{value}));
    return all;
  };
  return {file,         section("system"), section("initial"), section("integrator"), section("output"),
          list("load"), list("inclusion")};
}

}  // namespace halfdof::cli
