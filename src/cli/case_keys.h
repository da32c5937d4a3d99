// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/joined.h>

#include <iosfwd>
#include <string>
#include <vector>

/**
 * @file
 * The table of all keys of a case file. Cases are checked against it, and `halfdof simulate --explain`
 * prints it.
 */
namespace halfdof::cli {

enum class ValueType {
  file,
  matrix,  ///< file, or list of {file, factor}
  losses,  ///< number, file, or list of {factor} and {file, factor}
  factor,  ///< number, or formula of parameters
  text,
  number,
  whole_number,
  flag,
  function,      ///< function of time: number, formula or table
  functions,     ///< list of functions
  vector,        ///< file or list of numbers
  dof,           ///< 0-based assembled index of a DoF
  dofs,          ///< list of DoFs
  dofs_or_file,  ///< list of DoFs, or a file with one DoF on each line
  direction,     ///< list of {dof, weight}
  directions,    ///< list of directions
  numbers,       ///< list of numbers
  texts,         ///< list of texts
};

/// Returns "a number", "a list of DoFs", ....
const char* name_of(ValueType type);

/// Range of allowed numbers.
enum class Range {
  any,
  to_zero,
  from_zero,
  above_zero,
  zero_to_one,
  half_to_one,
  count,
  count_or_zero,
  tolerance
};

/// Returns "from 0 to 1", ..., or "" for any number. A function of time is inside the range if its values
/// are.
const char* name_of(Range range);
bool is_inside(Range range, double value);

/// Default value of a key that must be given.
inline constexpr const char* required = "required";
/// Default value of an optional key without default.
inline constexpr const char* none = "";

/// Name of a law or method, with an explanation.
struct Explained {
  std::string name, meaning;
};

struct CaseKey {
  std::string section;  ///< for example "integrator"; "function" and "direction" are names of inline tables
  std::string name;
  ValueType type;
  std::string unit;           ///< "" if it has no unit
  std::string default_value;  ///< the default as written in a file, or `required`, or `none`
  std::string meaning;
  Range range = Range::any;
  std::vector<std::string> choices = {};  ///< allowed texts; empty: any
  std::vector<std::string> of = {};       ///< the laws or methods that have this key; empty: all
  std::vector<Explained> explained = {};  ///< explanations of the choices, where they are needed

  /// Returns whether this law or method has the key; "" means any of them.
  bool is_of(const std::string& law_or_method) const;

  /// Returns the key with one more property.
  CaseKey within(Range allowed) const;
  CaseKey one_of(std::vector<std::string> allowed) const;
  CaseKey explained_by(const std::vector<Explained>& allowed) const;
  CaseKey only_of(std::vector<std::string> laws_or_methods) const;
};

/// Returns the table, section by section. It is defined in case_key_table.cc.
const std::vector<CaseKey>& case_keys();

/// Returns the key whose value determines which other keys belong to a section: "law", "method"; "" if there
/// is none.
std::string deciding_key(const std::string& section);

/// Returns the keys of a section. The lists are created once, since a case may have a hundred thousand
/// sections.
/// @param decided law or method; "" for the keys of all of them
const std::vector<CaseKey>& keys_of(const std::string& section, const std::string& decided = "");

/// Returns one key. @param decided law or method, where several have a key of this name
/// @throws std::out_of_range if there is none
const CaseKey& find_key(const std::string& section, const std::string& name, const std::string& decided = "");

/// Returns the sections that have a key of this name, such as "[output], {dof, weight}"; "" if there is none.
std::string sections_that_have(const std::string& name);

/// Prints keys, types, units, defaults and allowed values, for `--explain`.
void print_case_keys(std::ostream& out);

/// Returns the name of the list that is most similar to a misspelt one; "" if none is similar.
std::string nearest(const std::string& word, const std::vector<std::string>& names);

using internal::joined;

}  // namespace halfdof::cli
