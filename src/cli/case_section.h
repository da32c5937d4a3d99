// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/functions/parameters.h>
#include <halfdof/reduction/direction.h>

#include "case_keys.h"
#include "model_dofs.h"
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

/// One term of a matrix that is a sum.
struct CaseTerm {
  std::filesystem::path file;  ///< FILE or FILE:NAME; empty: the stiffness, whose loss factor the factor is
  ParameterFormula factor;
};

/**
 * One section of a case file, which has been checked against the table of keys: all keys exist and belong to
 * the law or method, required ones are given, types and ranges are right. Values that are not given are the
 * defaults of the table.
 */
class CaseSection {
 public:
  /// A value as returned by the parser.
  struct Node;

  /// @param parameters Values of the parameters that formulas may use
  /// @throws FileError with the line of the error
  CaseSection(std::filesystem::path file, std::string name, std::shared_ptr<const Node> node,
              std::shared_ptr<const Parameters> parameters);

  bool has(const std::string& key) const;
  double number(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  GlobalIndex whole_number(const std::string& key) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  /// Returns the path relative to the folder of the case; empty if the key is not given.
  std::filesystem::path path(const std::string& key) const;
  /// Returns a path relative to the folder of the case.
  std::filesystem::path beside(const std::filesystem::path& name) const { return file_.parent_path() / name; }
  ScalarFunction function(const std::string& key) const;
  std::vector<ScalarFunction> functions(const std::string& key) const;
  /// Returns the functions of all keys that are given.
  std::vector<ScalarFunction> all_functions() const;
  /// Checks the functions at a time [s]. @throws FileError with the line of the first function whose value is
  /// out of its range
  void check_functions(double time) const;
  /// Returns the files with tables of functions, checked as by input().
  std::vector<std::filesystem::path> function_files() const;

  /// Returns path() of an input file. @throws FileError with the line of the key if it cannot be read
  std::filesystem::path input(const std::string& key) const;
  /// Returns the files of a list of names, checked in the same way; none if the key is not there.
  std::vector<std::filesystem::path> inputs(const std::string& key) const;
  /// Returns the terms of a sum, with files checked as by input(); none if the value is one file. A number is
  /// the factor of a term without file.
  std::vector<CaseTerm> terms(const std::string& key) const;
  /// Returns the parameters that the formulas of the section use.
  std::vector<std::string> parameters_used() const;
  /// Returns whether the value is the name of a file.
  bool is_file(const std::string& key) const;
  /// Returns a list of numbers, from the case or from a file.
  Vector vector(const std::string& key, GlobalIndex n_dofs) const;
  GlobalIndex dof(const std::string& key, const ModelDoFs& dofs) const;
  std::vector<GlobalIndex> dofs(const std::string& key, const ModelDoFs& dofs) const;
  Direction direction(const std::string& key, const ModelDoFs& dofs) const;
  std::vector<Direction> directions(const std::string& key, const ModelDoFs& dofs) const;

  /// Throws a FileError with the line of the key, or of the section if the key is not given.
  [[noreturn]] void fail(const std::string& key, const std::string& reason) const {
    refuse(key, ' ' + reason);
  }

  /// Calls make() and adds the line of the key to its errors.
  template <class Make>
  auto with_line(const std::string& key, const Make& make) const {
    try {
      return make();
    } catch (const FileError&) {
      throw;
    } catch (const UndefinedFunction& error) {
      if (!error.place().empty()) throw;
      refuse(key, std::string(": ") + error.what());
    } catch (const InvalidInput& error) {
      refuse(key, std::string(": ") + error.what());
    } catch (const NotAvailable& error) {
      refuse(key, std::string(": ") + error.what());
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& what) const;
  void check_input(const std::string& key, const std::filesystem::path& file) const;
  GlobalIndex line_of_key(const std::string& key) const;
  std::string place_of(const std::string& key) const;
  Node at(const std::string& key) const;
  /// Returns the description of a key, as the law or the method of this section defines the key.
  const CaseKey& key_of(const std::string& key) const;
  std::vector<Node> functions_of(const std::string& key) const;
  ScalarFunction function_of(const Node& node) const;

  std::filesystem::path file_;
  std::string name_;
  std::shared_ptr<const Node> node_;
  std::shared_ptr<const Parameters> parameters_;
};

}  // namespace halfdof::cli
