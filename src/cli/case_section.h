#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/file_error.h>
#include <halfdof/inclusions/scalar_function.h>
#include <halfdof/reduction/direction.h>

#include "case_keys.h"
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

/**
 * One section of a case file. It has been checked against the table of keys: all keys are known, and belong
 * to the law or method; required ones are there; types and ranges are right. Values that are not given are
 * the defaults of the table.
 */
class CaseSection {
 public:
  /// A value as the parser left it.
  struct Node;

  /// @throws FileError with the line of what is wrong
  CaseSection(std::filesystem::path file, std::string name, std::shared_ptr<const Node> node);

  bool has(const std::string& key) const;
  double number(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  GlobalIndex whole_number(const std::string& key) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  /// Relative to the case; empty where the key is not given.
  std::filesystem::path path(const std::string& key) const;
  ScalarFunction function(const std::string& key) const;
  std::vector<ScalarFunction> functions(const std::string& key) const;
  /// Of all keys that are given.
  std::vector<ScalarFunction> all_functions() const;
  /// @throws FileError with the line of the first function whose value at this time [s] is out of its range
  void check_functions(double time) const;
  /// Files with tables of functions, as input() gives them.
  std::vector<std::filesystem::path> function_files() const;

  /// path() of a file that is read. @throws FileError with the line of the key if it cannot be read
  std::filesystem::path input(const std::string& key) const;
  /// Whether the value is the name of a file.
  bool is_file(const std::string& key) const;
  /// A list, or what the file says.
  Vector vector(const std::string& key, GlobalIndex n_dofs) const;
  GlobalIndex dof(const std::string& key, GlobalIndex n_dofs) const;
  std::vector<GlobalIndex> dofs(const std::string& key, GlobalIndex n_dofs) const;
  Direction direction(const std::string& key, GlobalIndex n_dofs) const;
  std::vector<Direction> directions(const std::string& key, GlobalIndex n_dofs) const;

  /// Refuses the value of a key, or the section where the key is not given.
  [[noreturn]] void fail(const std::string& key, const std::string& reason) const {
    refuse(key, ' ' + reason);
  }

  /// make(), whose errors in the input get the line of the key.
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
  /// Of the law or method that the section names.
  const CaseKey& key_of(const std::string& key) const;
  std::vector<Node> functions_of(const std::string& key) const;

  std::filesystem::path file_;
  std::string name_;
  std::shared_ptr<const Node> node_;
};

}  // namespace halfdof::cli
