#pragma once

#include <iosfwd>
#include <string>
#include <vector>

/**
 * @file
 * The one table of all keys of a case file. Cases are checked against it, and `halfdof simulate --explain`
 * prints it.
 */
namespace halfdof::cli {

enum class ValueType {
  file,
  text,
  number,
  whole_number,
  flag,
  function,      ///< of time: number, formula or table
  functions,     ///< a list of those
  vector,        ///< file or list of numbers
  dof,           ///< 0-based assembled index
  dofs,          ///< a list of those
  dofs_or_file,  ///< or a file with one of them a line
  direction,     ///< list of {dof, weight}
  directions,    ///< a list of those
  numbers,       ///< a list
  texts,         ///< a list
};

/// "a number", "a list of DoFs", ...
const char* name_of(ValueType type);

/// Which numbers are allowed.
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

/// "from 0 to 1", ...; "" for any. A function of time is inside where its values are.
const char* name_of(Range range);
bool is_inside(Range range, double value);

/// A key that must be given.
inline constexpr const char* required = "required";
/// A key that has no default and may be left out.
inline constexpr const char* none = "";

/// A law or method, and what it is.
struct Explained {
  std::string name, meaning;
};

struct CaseKey {
  std::string section;  ///< "integrator"; "function" and "direction" stand for inline tables
  std::string name;
  ValueType type;
  std::string unit;           ///< "" where there is none
  std::string default_value;  ///< as it would stand in the file, or `required`, or `none`
  std::string meaning;
  Range range = Range::any;
  std::vector<std::string> choices = {};  ///< allowed texts; empty: any
  std::vector<std::string> of = {};       ///< the laws or methods that know the key; empty: all
  std::vector<Explained> explained = {};  ///< the choices, where they need more words

  /// Whether this law or method knows it; "": any does.
  bool is_of(const std::string& law_or_method) const;

  /// The key with one more of these said.
  CaseKey within(Range allowed) const;
  CaseKey one_of(std::vector<std::string> allowed) const;
  CaseKey explained_by(const std::vector<Explained>& allowed) const;
  CaseKey only_of(std::vector<std::string> laws_or_methods) const;
};

/// The table, section by section. In case_key_table.cc.
const std::vector<CaseKey>& case_keys();

/// The key whose value decides which others belong to a section: "law", "method"; "" if there is none.
std::string deciding_key(const std::string& section);

/// Those of a section, made once: a case may have a hundred thousand sections.
/// @param decided law or method; "" for the keys of all of them
const std::vector<CaseKey>& keys_of(const std::string& section, const std::string& decided = "");

/// One of them. @param decided law or method, where several have a key of this name
/// @throws std::out_of_range if there is none
const CaseKey& find_key(const std::string& section, const std::string& name, const std::string& decided = "");

/// "[output], {dof, weight}": the sections that have a key of this name; "" if there is none.
std::string sections_that_have(const std::string& name);

/// Keys, types, units, defaults and what is allowed, as `--explain` prints them.
void print_case_keys(std::ostream& out);

/// The name of the list that is nearest to a misspelt one; "" if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& names);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words);

}  // namespace halfdof::cli
