// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_checker.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>

#include "case_keys.h"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

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

/// Returns the region of a value in the file; absent if the value is not in a file. The parser's public
/// function source_location would count the lines from the top of the file for each value.
const toml::detail::region* region_of(const toml::value& value) {
  return dynamic_cast<const toml::detail::region*>(toml::detail::get_region(value));
}

/// Returns the position of a value, in bytes from the top of the file.
std::ptrdiff_t offset_of(const toml::value& value) {
  const toml::detail::region* const region = region_of(value);
  return region ? region->first() - region->begin() : 0;
}

/// Checks one section against the table of keys.
class Checker {
 public:
  Checker(const fs::path& file, std::string section) : file_(file), section_(std::move(section)) {}

  void check(const toml::value& table) {
    if (!table.is_table()) fail(table, "", "is " + found(table) + ", but must be a table of keys.");
    const std::string decided = decide(table);
    const std::vector<CaseKey>& keys = keys_of(section_, decided);
    for (const auto* const entry : in_order(table)) {
      const auto& [name, value] = *entry;
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
    const std::string message = "[" + section_ + "]" + (key.empty() ? " " : " " + key + " ") + reason;
    throw line_of(at) > 0 ? FileError(file_, line_of(at), message) : FileError(file_, message);
  }

  static std::string expected(const CaseKey& key) {
    std::string text = name_of(key.type);
    if (*name_of(key.range)) text += std::string(" ") + name_of(key.range);
    if (!key.choices.empty()) text = "one of " + joined(key.choices);
    return text + (key.unit.empty() ? "" : " [" + key.unit + "]");
  }

  /// Returns the law or method of the section.
  std::string decide(const toml::value& table) {
    const std::string name = deciding_key(section_);
    if (name.empty()) return "";
    const std::vector<CaseKey>& keys = keys_of(section_);
    const CaseKey& key = *find(keys, name);
    if (!table.contains(name)) fail(table, name, "is missing. Give " + expected(key) + ".");
    check_value(key, table.at(name));
    return table.at(name).as_string().str;
  }

  [[noreturn]] void refuse_unknown(const std::string& name, const toml::value& value,
                                   const std::vector<CaseKey>& keys, const std::string& decided) const {
    const std::string allowed = " Its keys are: " + joined(names_of(keys)) + ".";
    // The table may have several entries for a key, for different methods with other defaults.
    std::vector<std::string> owners;
    for (const CaseKey& key : keys_of(section_))
      if (key.name == name) owners.insert(owners.end(), key.of.begin(), key.of.end());
    if (!owners.empty())
      fail(value, name,
           "is no key of the " + deciding_key(section_) + " " + decided + ", but of " + joined(owners) + "." +
               allowed);
    const std::string near = nearest(name, names_of(keys)), elsewhere = sections_that_have(name);
    if (near.empty() && !elsewhere.empty())
      fail(value, name, "is no key of this section. It belongs to " + elsewhere + "." + allowed);
    fail(value, name,
         "is unknown." + (near.empty() ? "" : " Is " + near + " meant?") + allowed +
             " `halfdof simulate --explain` explains them.");
  }

  [[noreturn]] void refuse(const CaseKey& key, const toml::value& value) const {
    fail(value, key.name, "is " + found(value) + ", but must be " + expected(key) + ".");
  }

  void check_number(const CaseKey& key, const toml::value& value) const {
    if (!is_number(value)) refuse(key, value);
    if (!std::isfinite(number_of(value)))
      fail(value, key.name, "is " + found(value) + ", but must be finite.");
    if (!is_inside(key.range, number_of(value))) refuse(key, value);
  }

  void check_dof(const CaseKey& key, const toml::value& value) const {
    const bool is_name = value.is_string() && value.as_string().str.find(':') != std::string::npos;
    if (!is_name && (!value.is_integer() || value.as_integer() < 0)) refuse(key, value);
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

  void check_term(const CaseKey& key, const toml::value& value) const {
    if (!value.is_table()) refuse(key, value);
    if (key.type != ValueType::losses) return Checker(file_, "term").check(value);
    Checker(file_, "loss").check(value);
    if (value.contains("factor")) return check_loss_factor(key, value.at("factor"));
    if (!value.contains("file"))
      fail(
          value, key.name,
          "has an entry without file and factor. Give a loss factor of the whole stiffness, {factor = 0.02}, "
          "or a file, {file = \"K4.mtx\", factor = 0.05}.");
  }

  /// Refuses the number zero. A formula may be zero at some values of its parameters.
  void check_loss_factor(const CaseKey& key, const toml::value& value) const {
    if (is_number(value) && number_of(value) == 0)
      fail(value, key.name,
           "has the factor 0. A loss factor is finite and not zero; leave it out for no damping.");
  }

  void check_factor(const CaseKey& key, const toml::value& value) const {
    if (value.is_string())
      check_text(key, value);
    else
      check_number(key, value);
  }

  template <class CheckEntry>
  void check_list(const CaseKey& key, const toml::value& value, const CheckEntry& check_entry) const {
    if (!value.is_array()) refuse(key, value);
    for (const toml::value& entry : value.as_array())
      check_entry(key, entry);
  }

  void check_text(const CaseKey& key, const toml::value& value) const {
    if (!value.is_string()) refuse(key, value);
    const std::string& text = value.as_string().str;
    if (text.empty()) fail(value, key.name, "is empty. Give " + expected(key) + ".");
    if (has_control_characters(text))
      fail(value, key.name,
           "is \"" + text +
               "\", which contains control characters. They would change tables and terminals: leave them "
               "out.");
    if (key.choices.empty() || std::count(key.choices.begin(), key.choices.end(), text) > 0) return;
    const std::string near = nearest(text, key.choices);
    fail(value, key.name,
         "is \"" + text + "\"" + (near.empty() ? "" : " (is " + near + " meant?)") + ", but must be " +
             expected(key) + ".");
  }

  void check_value(const CaseKey& key, const toml::value& value) const {
    const auto number = [this](const CaseKey& k, const toml::value& v) { check_number(k, v); };
    const auto text = [this](const CaseKey& k, const toml::value& v) { check_text(k, v); };
    const auto dof = [this](const CaseKey& k, const toml::value& v) { check_dof(k, v); };
    const auto function = [this](const CaseKey& k, const toml::value& v) { check_function(k, v); };
    const auto direction = [this](const CaseKey& k, const toml::value& v) { check_direction(k, v); };
    const auto term = [this](const CaseKey& k, const toml::value& v) { check_term(k, v); };
    switch (key.type) {
      case ValueType::matrix:
        if (value.is_array() && value.as_array().empty()) refuse(key, value);
        return value.is_string() ? check_text(key, value) : check_list(key, value, term);
      case ValueType::losses:
        if (is_number(value)) {
          check_number(key, value);
          return check_loss_factor(key, value);
        }
        if (value.is_array() && value.as_array().empty()) refuse(key, value);
        return value.is_string() ? check_text(key, value) : check_list(key, value, term);
      case ValueType::factor:
        return check_factor(key, value);
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
      case ValueType::texts:
        return check_list(key, value, text);
    }
  }

  fs::path file_;
  std::string section_;
};

}  // namespace

GlobalIndex line_of(const toml::value& value) {
  const toml::source_location place = value.location();
  return place.file_name() == toml::value().location().file_name() ? 0 : GlobalIndex(place.line());
}

GlobalIndex line_of(const toml::value& value, const toml::value& other, GlobalIndex line_of_other) {
  const toml::detail::region *const to = region_of(value), *const from = region_of(other);
  if (!to || !from || to->begin() != from->begin()) return line_of(value);
  const auto first = std::min(from->first(), to->first()), last = std::max(from->first(), to->first());
  const auto n_between = static_cast<GlobalIndex>(std::count(first, last, '\n'));
  return from->first() < to->first() ? line_of_other + n_between : line_of_other - n_between;
}

bool is_number(const toml::value& value) {
  return value.is_integer() || value.is_floating();
}

double number_of(const toml::value& value) {
  return value.is_integer() ? static_cast<double>(value.as_integer()) : value.as_floating();
}

std::string found(const toml::value& value) {
  std::ostringstream text;
  if (is_number(value))
    text << number_of(value);
  else if (value.is_boolean())
    text << (value.as_boolean() ? "true" : "false");
  else if (value.is_string())
    text << '"' << value.as_string().str << '"';
  else
    text << (value.is_array()   ? value.as_array().empty() ? "an empty list" : "a list"
             : value.is_table() ? "a table"
                                : "a date or time");
  return text.str();
}

std::vector<const toml::table::value_type*> in_order(const toml::value& table) {
  std::vector<const toml::table::value_type*> entries;
  for (const auto& entry : table.as_table())
    entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    return std::pair(offset_of(a->second), a->first) < std::pair(offset_of(b->second), b->first);
  });
  return entries;
}

void check_section(const fs::path& file, const std::string& section, const toml::value& table) {
  Checker(file, section).check(table);
}

}  // namespace halfdof::cli
